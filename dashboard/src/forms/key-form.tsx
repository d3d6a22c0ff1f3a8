import { Button, Checkbox, Group, MultiSelect, Radio, Select, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type Permission, permissions } from '@zonewright/contract'
import { useMemo, useState } from 'react'
import { type Answer, call } from '../api/client.ts'
import { queries } from '../api/queries.ts'
import { Failure } from '../ui/feedback.tsx'
import { Names } from '../ui/name.tsx'
import { CodeField } from '../ui/secret-fields.tsx'
import type { KeyWish } from '../util/clients.ts'
import { limitOf, limitWords, type TypedLimit, wordsOf } from '../util/key-limits.ts'
import { whyNotOnKey } from '../util/may.ts'
import { scopeChoices, zoneValue } from '../util/scope-choices.ts'
import { KeyLimitFields } from './key-limit-fields.tsx'
import { useFaults } from './use-faults.tsx'

const says: Readonly<Record<Permission, string>> = {
  'records:read': 'See zones and their records',
  'records:write': 'Change records',
  'zones:manage': 'Add and verify zones, and claim free subdomains',
  'acme:dns01': 'Change only the TXT records that prove control of a name to a certificate authority',
  'domains:read': 'See domains and orders',
  'domains:buy': 'Buy domains',
  'domains:manage': 'Change nameservers, lock domains, and turn on auto-renew',
  'webhooks:manage': 'Manage webhook endpoints and see their deliveries',
}

const lifetimes = [
  { value: '30d', label: '30 days' },
  { value: '90d', label: '90 days' },
  { value: '1y', label: 'One year' },
  { value: 'never', label: 'Never' },
]
type Lifetime = '30d' | '90d' | '1y' | 'never'

/** The maximum number of zones and domains that the list shows at once. Typing finds the others. */
const mostOffered = 50

/** The form of a new key. `wish`: what it is filled in with. Then it asks only for the code, unless the person changes something. */
export function KeyForm({
  wish,
  onMade,
  onCancel,
}: {
  wish?: KeyWish | undefined
  onMade: (key: Answer<'createKey'>) => void
  /** Undefined: nothing to go back to. */
  onCancel: (() => void) | undefined
}) {
  const [isOpen, setOpen] = useState(wish === undefined)
  const [name, setName] = useState(wish?.name ?? '')
  const [scope, setScope] = useState<'all' | 'some'>(wish ? 'some' : 'all')
  const [picked, setPicked] = useState<string[]>(wish ? [zoneValue(wish.zone.id)] : [])
  const [chosen, setChosen] = useState<readonly Permission[]>(wish?.permissions ?? ['records:read'])
  const [lifetime, setLifetime] = useState<Lifetime>('90d')
  const [typedLimits, setTypedLimits] = useState<Readonly<Record<string, TypedLimit>> | undefined>(
    wish?.limit && { [wish.zone.id]: wish.limit },
  )
  const [addresses, setAddresses] = useState('')
  const [code, setCode] = useState('')
  const zones = useQuery(queries.zones())
  const domains = useQuery(queries.domains())
  const choices = useMemo(
    () => scopeChoices(zones.data?.items ?? [], domains.data?.items ?? []),
    [zones.data, domains.data],
  )
  const isLimited = scope === 'some' && typedLimits !== undefined
  const offered = isLimited ? choices.filter(({ kind }) => kind === 'zone') : choices
  const chosenOnes = offered.filter(({ value }) => picked.includes(value))
  const covered = scope === 'all' ? 'all' : chosenOnes.map(({ pick }) => pick)
  const limits = isLimited
    ? chosenOnes.map(({ id }) => limitOf(id, typedLimits[id] ?? { names: '', types: '' }))
    : undefined
  const areLimitsMissing = limits?.some(({ names, types }) => names.length === 0 || types.length === 0)
  const from = wordsOf(addresses)
  const isWhole = zones.data?.isWhole === true && domains.data?.isWhole === true
  const wanted = chosen.filter((permission) => whyNotOnKey(permission, covered, isLimited) === undefined)
  const make = useMutation({
    mutationFn: () =>
      call('createKey', {
        body: {
          name: name.trim(),
          zones: covered,
          permissions: wanted,
          ...(limits && { limits }),
          ...(from.length > 0 && { addresses: from }),
          expires_in: lifetime,
          code: code.trim(),
        },
      }),
    onSuccess: onMade,
    onSettled: () => setCode(''),
  })
  const { form, faultOf } = useFaults(make.error)
  return (
    <form
      ref={form}
      onSubmit={(event) => {
        event.preventDefault()
        make.mutate()
      }}
    >
      <Stack>
        {wish && !isOpen && <Wish wish={wish} lifetime={lifetime} onChange={() => setOpen(true)} />}
        {isOpen && (
          <>
            <TextInput
              label="Name"
              description="The history of a zone shows this name for changes made with the key. You cannot change it later."
              placeholder="deploy"
              required
              withAsterisk={false}
              maxLength={100}
              value={name}
              error={faultOf('/name')}
              autoComplete="off"
              onChange={(event) => setName(event.currentTarget.value)}
            />
            <Radio.Group
              label="Zones and domains"
              value={scope}
              onChange={(value) => setScope(value as 'all' | 'some')}
            >
              <Stack gap={6} mt={4}>
                <Radio value="all" label="All of mine, including future ones, but not those shared with me" />
                <Radio value="some" label="Only these" />
              </Stack>
            </Radio.Group>
            {scope === 'some' && (
              <MultiSelect
                label="Which ones"
                description="A zone is for records, a domain for its nameservers, lock, renewal and orders."
                placeholder={picked.length === 0 ? 'Type a name' : ''}
                data={offered}
                limit={mostOffered}
                value={chosenOnes.map(({ value }) => value)}
                error={faultOf('/zones')}
                searchable
                hidePickedOptions
                nothingFoundMessage={
                  isWhole ? 'No zone or domain of this name' : 'Your zones and domains are still loading'
                }
                onChange={setPicked}
              />
            )}
            {scope === 'some' && <Failure error={zones.error} retry={() => void zones.refetch()} />}
            {scope === 'some' && <Failure error={domains.error} retry={() => void domains.refetch()} />}
            {scope === 'some' && (
              <KeyLimitFields
                zones={chosenOnes.filter(({ kind }) => kind === 'zone')}
                typed={typedLimits}
                onChange={setTypedLimits}
              />
            )}
            <Checkbox.Group
              label="Permissions"
              value={[...wanted]}
              error={faultOf('/permissions')}
              onChange={(value) => setChosen(value as Permission[])}
            >
              <Stack gap={8} mt={4}>
                {permissions.map((permission) => {
                  const why = whyNotOnKey(permission, covered, isLimited)
                  return (
                    <Checkbox
                      key={permission}
                      value={permission}
                      label={permission}
                      description={`${says[permission]}.${why === undefined ? '' : ` ${why}`}`}
                      disabled={why !== undefined}
                    />
                  )
                })}
              </Stack>
            </Checkbox.Group>
            <TextInput
              label="Usable from"
              description="IP addresses and networks of the program. If you leave this empty, the key works from any address."
              placeholder="203.0.113.9, 2001:db8::/32"
              value={addresses}
              error={faultOf('/addresses')}
              autoComplete="off"
              onChange={(event) => setAddresses(event.currentTarget.value)}
            />
            <Select
              label="Expires after"
              data={lifetimes}
              value={lifetime}
              allowDeselect={false}
              maw={220}
              onChange={(value) => setLifetime((value ?? '90d') as Lifetime)}
            />
          </>
        )}
        <CodeField label="Code" value={code} onChange={setCode} />
        <Failure error={make.error} />
        {wanted.length === 0 && <Text size="sm">Choose at least one permission.</Text>}
        {areLimitsMissing && <Text size="sm">Enter names and types for each zone.</Text>}
        <Group>
          <Button
            type="submit"
            loading={make.isPending}
            disabled={wanted.length === 0 || covered.length === 0 || areLimitsMissing === true}
          >
            Create the key
          </Button>
          {onCancel && (
            <Button variant="default" onClick={onCancel}>
              Cancel
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  )
}

/** The key in words, and a button that opens the fields. */
function Wish({
  wish: { name, zone, permissions, limit },
  lifetime,
  onChange,
}: {
  wish: KeyWish
  lifetime: Lifetime
  onChange: () => void
}) {
  const rows = [
    ['Name', name],
    ['Zone', zone.name],
    ['Permissions', permissions.join(', ')],
    ['Limits', limit === undefined ? 'none' : limitWords([limitOf(zone.name, limit)])],
    ['Expires after', lifetimes.find(({ value }) => value === lifetime)?.label],
  ] as const
  return (
    <Stack gap="xs">
      <dl className="facts">
        {rows.map(([what, value]) => (
          <div key={what}>
            <dt>{what}</dt>
            <dd className="mono">
              <Names>{value ?? ''}</Names>
            </dd>
          </div>
        ))}
      </dl>
      <Group>
        <Button size="xs" variant="default" onClick={onChange}>
          Change these
        </Button>
      </Group>
    </Stack>
  )
}
