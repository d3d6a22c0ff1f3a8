import { Button, Checkbox, MultiSelect, Radio, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { Permission } from '@zonewright/contract'
import { useMemo, useState } from 'react'
import { call, type Item } from '../api/client.ts'
import { keys, queries } from '../api/queries.ts'
import { renew } from '../api/query-client.ts'
import { Dialog, DialogButtons } from '../ui/dialog.tsx'
import { Failure } from '../ui/feedback.tsx'
import { MainButton } from '../ui/main-button.tsx'
import { toast } from '../ui/toasts.tsx'
import { restBody, wholeRest } from '../util/key-rest.ts'
import { whyNotOnKey } from '../util/may.ts'
import { type ScopeChoice, scopeChoices } from '../util/scope-choices.ts'
import { KeyLimitFields } from './key-limit-fields.tsx'

type ApiKey = Item<'listKeys'>

/** The maximum number of zones and domains that the list shows at once. Typing finds the others. */
const mostOffered = 50

/** Removes zones, permissions or records from a key. Nothing can be added. */
export function RestrictKeyDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const { id, name } = apiKey
  const [rest, setRest] = useState(() => wholeRest(apiKey))
  const body = restBody(apiKey, rest)
  const isLimited = rest.limits !== undefined
  const restrict = useMutation({
    mutationFn: () => call('narrowKey', { params: { id }, body: body ?? {} }),
    onSuccess: async () => {
      toast(`The key ${name} is restricted.`)
      await renew(keys.apiKeys)
      onClose()
    },
  })
  const zones = rest.scope === 'all' ? [] : rest.scope.filter(({ kind }) => kind === 'zone')
  return (
    <Dialog title={`Restrict ${name}`} size="lg" hasFields isBusy={restrict.isPending} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (body && !restrict.isPending) restrict.mutate()
        }}
      >
        <Stack>
          <Text size="sm">
            Choose what remains. It takes effect with the next request of the key. Rights cannot be given back; a new
            key can have them.
          </Text>
          <Checkbox.Group
            label="Permissions"
            value={rest.permissions.filter((each) => whyNotOnKey(each, rest.scope, isLimited) === undefined)}
            onChange={(permissions) => setRest({ ...rest, permissions: permissions as Permission[] })}
          >
            <Stack gap={8} mt={4}>
              {apiKey.permissions.map((permission) => {
                const why = whyNotOnKey(permission, rest.scope, isLimited)
                return (
                  <Checkbox
                    key={permission}
                    value={permission}
                    label={permission}
                    description={why}
                    disabled={why !== undefined}
                  />
                )
              })}
            </Stack>
          </Checkbox.Group>
          <Scope apiKey={apiKey} scope={rest.scope} onChange={(scope) => setRest({ ...rest, scope })} />
          {rest.scope !== 'all' && (
            <KeyLimitFields
              zones={zones}
              typed={rest.limits}
              isFixed={apiKey.limits !== null}
              onChange={(limits) => setRest({ ...rest, limits })}
            />
          )}
          <Failure error={restrict.error} />
          <DialogButtons>
            <Button variant="default" disabled={restrict.isPending} onClick={onClose}>
              Cancel
            </Button>
            <MainButton type="submit" loading={restrict.isPending} disabled={body === undefined}>
              Restrict the key
            </MainButton>
          </DialogButtons>
        </Stack>
      </form>
    </Dialog>
  )
}

/** The zones and domains that remain. A key for all of them can be limited to some. */
function Scope({
  apiKey,
  scope,
  onChange,
}: {
  apiKey: ApiKey
  scope: 'all' | readonly ScopeChoice[]
  onChange: (scope: 'all' | readonly ScopeChoice[]) => void
}) {
  const zones = useQuery({ ...queries.zones(), enabled: apiKey.zones === 'all' })
  const domains = useQuery({ ...queries.domains(), enabled: apiKey.zones === 'all' })
  const choices = useMemo(() => {
    const { scope: covered } = wholeRest(apiKey)
    if (covered !== 'all') return covered
    const isOwn = ({ role }: { role: 'owner' | 'manager' }): boolean => role === 'owner'
    return scopeChoices((zones.data?.items ?? []).filter(isOwn), (domains.data?.items ?? []).filter(isOwn))
  }, [apiKey, zones.data, domains.data])
  return (
    <>
      {apiKey.zones === 'all' && (
        <Radio.Group
          label="Zones and domains"
          value={scope === 'all' ? 'all' : 'some'}
          onChange={(value) => onChange(value === 'all' ? 'all' : [])}
        >
          <Stack gap={6} mt={4}>
            <Radio value="all" label="All of mine, including future ones" />
            <Radio value="some" label="Only these" />
          </Stack>
        </Radio.Group>
      )}
      {scope !== 'all' && (
        <MultiSelect
          label={apiKey.zones === 'all' ? 'Which ones' : 'Zones and domains'}
          placeholder={scope.length === 0 ? 'Type a name' : ''}
          data={[...choices]}
          limit={mostOffered}
          value={scope.map(({ value }) => value)}
          searchable
          hidePickedOptions
          nothingFoundMessage="No zone or domain of this name"
          onChange={(values) => onChange(choices.filter(({ value }) => values.includes(value)))}
        />
      )}
      {scope !== 'all' && <Failure error={zones.error} retry={() => void zones.refetch()} />}
      {scope !== 'all' && <Failure error={domains.error} retry={() => void domains.refetch()} />}
    </>
  )
}
