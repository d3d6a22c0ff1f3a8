import { Alert, Badge, Button, Group, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { type Answer, call, type Item } from '../api/client.ts'
import { keys, queries } from '../api/queries.ts'
import { renew } from '../api/query-client.ts'
import { DocsLink } from '../components/docs-link.tsx'
import { KeyForm } from '../forms/key-form.tsx'
import { RestrictKeyDialog } from '../forms/restrict-key-dialog.tsx'
import { TsigForm } from '../forms/tsig-form.tsx'
import { CopyBlock, CopyText } from '../ui/copy.tsx'
import { ConfirmDialog } from '../ui/dialog.tsx'
import { Empty, Loaded } from '../ui/feedback.tsx'
import { ButtonLink } from '../ui/links.tsx'
import { Page, Section } from '../ui/page.tsx'
import { toast } from '../ui/toasts.tsx'
import { VirtualList } from '../ui/virtual-rows.tsx'
import { When } from '../ui/when.tsx'
import { limitWords } from '../util/key-limits.ts'
import { matching } from '../util/listed.ts'
import { may } from '../util/may.ts'
import { paths } from '../util/paths.ts'
import { scopeWords } from '../util/scope-choices.ts'

type ApiKey = Item<'listKeys'>

export function ApiKeysPage() {
  const account = useQuery(queries.account())
  const apiKeys = useQuery(queries.apiKeys())
  const { key: wanted } = useSearch({ from: '/signed-in/api-keys' })
  const [isMaking, setMaking] = useState(false)
  const [made, setMade] = useState<Answer<'createKey'>>()
  const [revoking, setRevoking] = useState<ApiKey>()
  const [restricting, setRestricting] = useState<ApiKey>()
  const [signing, setSigning] = useState<ApiKey>()
  const mayMake = may.makeKeys(account.data)
  return (
    <Page
      title="API keys"
      lead="Programs use keys to call the API, and to connect in other ways. A key can do only what its permissions allow."
      actions={
        mayMake &&
        !isMaking && (
          <Button
            onClick={() => {
              setMade(undefined)
              setMaking(true)
            }}
          >
            Create a key
          </Button>
        )
      }
    >
      {account.data && !mayMake && (
        <Alert color="orange" variant="light" title="Turn on two-factor authentication first">
          <Stack gap="xs">
            <Text size="sm">Keys act on your behalf. Turn on two-factor authentication before you create one.</Text>
            <Group>
              <ButtonLink size="xs" {...paths.account()}>
                Turn it on
              </ButtonLink>
            </Group>
          </Stack>
        </Alert>
      )}
      {signing && (
        <TsigForm
          key={signing.id}
          apiKey={signing}
          mayCode={may.giveCodes(account.data)}
          onClose={() => setSigning(undefined)}
        />
      )}
      {made && <MadeKey made={made} onClose={() => setMade(undefined)} />}
      {isMaking && (
        <Section title="New key">
          <KeyForm
            onCancel={() => setMaking(false)}
            onMade={(key) => {
              setMaking(false)
              setMade(key)
              void renew(keys.apiKeys)
            }}
          />
        </Section>
      )}
      <Loaded of={apiKeys}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty icon="key" title="No keys yet">
              A key lets a program change records: a deployment, a certificate client, a script.{' '}
              <DocsLink page="keys">Read about keys</DocsLink>
            </Empty>
          ) : (
            <>
              {wanted !== undefined && <OnlyOne isFound={items.some(({ id }) => id === wanted)} />}
              <VirtualList
                items={matching(items, [[wanted, ({ id }) => id === wanted]])}
                label="Keys"
                heightOf={() => 110}
                keyOf={({ id }) => id}
              >
                {(key) => (
                  <KeyItem
                    apiKey={key}
                    onSign={() => setSigning(key)}
                    onRestrict={() => setRestricting(key)}
                    onRevoke={() => setRevoking(key)}
                  />
                )}
              </VirtualList>
            </>
          )
        }
      </Loaded>
      {restricting && <RestrictKeyDialog apiKey={restricting} onClose={() => setRestricting(undefined)} />}
      {revoking && <RevokeDialog apiKey={revoking} onClose={() => setRevoking(undefined)} />}
    </Page>
  )
}

/** Above the only key that a link is about. */
function OnlyOne({ isFound }: { isFound: boolean }) {
  return (
    <Group gap="sm">
      <Text size="sm">{isFound ? 'Only one key is shown.' : 'This key no longer exists.'}</Text>
      <ButtonLink size="xs" variant="default" {...paths.keys()}>
        Show all keys
      </ButtonLink>
    </Group>
  )
}

function KeyItem({
  apiKey,
  onSign,
  onRestrict,
  onRevoke,
}: {
  apiKey: ApiKey
  onSign: () => void
  onRestrict: () => void
  onRevoke: () => void
}) {
  const {
    id,
    name,
    hint,
    zones,
    permissions,
    limits,
    addresses,
    tsig,
    state,
    created_at: createdAt,
    expires_at: expiresAt,
    last_used_at: lastUsedAt,
  } = apiKey
  return (
    <Stack gap={6} p="md" className="card">
      <Group justify="space-between">
        <Group gap="xs" flex="1 1 260px" miw={0}>
          <Text fw={600}>{name}</Text>
          <Text className="mono quiet">…{hint}</Text>
          {state === 'live' ? (
            <Badge className="badge-green">Active</Badge>
          ) : (
            <Badge className="badge-gray">{state === 'revoked' ? 'Revoked' : 'Expired'}</Badge>
          )}
        </Group>
        {state === 'live' && (
          <Group gap="xs">
            <ButtonLink
              size="xs"
              variant="default"
              aria-label={`Connect a client with ${name}`}
              {...paths.connectClient({ key: id, ...onlyZoneOf(zones) })}
            >
              Connect a client
            </ButtonLink>
            <Button size="xs" variant="default" aria-label={`TSIG secret of ${name}`} onClick={onSign}>
              TSIG secret
            </Button>
            <Button size="xs" variant="default" aria-label={`Restrict ${name}`} onClick={onRestrict}>
              Restrict
            </Button>
            <Button size="xs" variant="default" aria-label={`Revoke ${name}`} onClick={onRevoke}>
              Revoke
            </Button>
          </Group>
        )}
      </Group>
      <Text size="sm">
        {scopeWords(zones)} · {permissions.join(', ')}
      </Text>
      {(limits !== null || addresses !== null) && (
        <Text size="sm">
          {[
            ...(limits === null ? [] : [`Limited to ${limitWords(limits)}`]),
            ...(addresses === null ? [] : [`Usable from ${addresses.join(', ')}`]),
          ].join(' · ')}
        </Text>
      )}
      {tsig !== null && (
        <Text size="sm">
          TSIG secret <span className="mono">{tsig.name}</span>, created <When at={tsig.created_at} />
        </Text>
      )}
      <Text size="sm" className="quiet">
        Created <When at={createdAt} /> ·{' '}
        {lastUsedAt === null ? (
          'never used'
        ) : (
          <>
            last used <When at={lastUsedAt} />
          </>
        )}{' '}
        ·{' '}
        {expiresAt === null ? (
          'does not expire'
        ) : (
          <>
            expires <When at={expiresAt} />
          </>
        )}
      </Text>
    </Stack>
  )
}

/** The zone of a key that covers only one, for the link to the page of clients. */
function onlyZoneOf(scope: ApiKey['zones']): { zone?: string } {
  if (scope === 'all') return {}
  const [first, ...others] = scope.filter(({ kind }) => kind === 'zone')
  return first && others.length === 0 ? { zone: first.id } : {}
}

/** The secret, from the only response that has it. Closing it removes it. */
function MadeKey({ made, onClose }: { made: Answer<'createKey'>; onClose: () => void }) {
  const curl = `curl ${location.origin}/api/v1/api-keys/current \\\n  -H 'Authorization: Bearer ${made.secret}'`
  return (
    <Section
      title={`The key ${made.name} was created`}
      lead="This is its secret. It is shown only once. Store it where your program can read it."
    >
      <CopyText text={made.secret} what="the secret" />
      <Text size="sm">Try it:</Text>
      <CopyBlock text={curl} what="the command" />
      <Group>
        <Button onClick={onClose}>I have saved it</Button>
      </Group>
    </Section>
  )
}

function RevokeDialog({ apiKey: { id, name }, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const revoke = useMutation({
    mutationFn: () => call('revokeKey', { params: { id } }),
    onSuccess: async () => {
      toast(`The key ${name} is revoked.`)
      await renew(keys.apiKeys)
      onClose()
    },
  })
  return (
    <ConfirmDialog
      opened
      title={`Revoke ${name}`}
      action={`Revoke ${name}`}
      error={revoke.error}
      isBusy={revoke.isPending}
      onConfirm={() => revoke.mutate()}
      onClose={onClose}
    >
      Requests with the key {name} fail immediately. This cannot be undone, but you can create a new key.
    </ConfirmDialog>
  )
}
