import { Alert, Button, Group, NativeSelect, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { Item } from '../api/client.ts'
import { keys, queries } from '../api/queries.ts'
import { renew } from '../api/query-client.ts'
import { ClientConfiguration } from '../components/client-configuration.tsx'
import { KeyForm } from '../forms/key-form.tsx'
import { NeedsTwoFactor } from '../forms/needs-two-factor.tsx'
import { TsigForm } from '../forms/tsig-form.tsx'
import { Loaded } from '../ui/feedback.tsx'
import { Names } from '../ui/name.tsx'
import { Section } from '../ui/page.tsx'
import { type Client, canUse, wishedKey } from '../util/clients.ts'
import { may } from '../util/may.ts'

type ApiKey = Item<'listKeys'>
type Zone = Item<'listZones'>

/** The key of a client: one of those that it can use, or a new one. Then its configuration. */
export function ClientKey({ client, zone, host }: { client: Client; zone: Zone; host: string }) {
  const apiKeys = useQuery(queries.apiKeys())
  const account = useQuery(queries.account())
  return (
    <Loaded of={account}>
      {(account) => (
        <Loaded of={apiKeys} what="Loading your keys">
          {({ items }) => (
            <KeyChoice
              client={client}
              zone={zone}
              host={host}
              apiKeys={items}
              mayMake={may.makeKeys(account)}
              mayCode={may.giveCodes(account)}
            />
          )}
        </Loaded>
      )}
    </Loaded>
  )
}

function KeyChoice({
  client,
  zone,
  host,
  apiKeys,
  mayMake,
  mayCode,
}: {
  client: Client
  zone: Zone
  host: string
  apiKeys: readonly ApiKey[]
  mayMake: boolean
  mayCode: boolean
}) {
  const { key: chosen } = useSearch({ from: '/signed-in/connect-a-client' })
  const navigate = useNavigate({ from: '/connect-a-client' })
  /** From the only response that has it, until the person has copied the configuration. The list may not have its key yet. */
  const [made, setMade] = useState<{ readonly apiKey: ApiKey; readonly secret: string | undefined }>()
  const [isSigning, setSigning] = useState(false)
  const secret = made?.secret
  const usable = apiKeys.filter((key) => canUse(client, key, zone, host))
  const apiKey = made?.apiKey ?? usable.find(({ id }) => id === chosen)
  const choose = (id: string | undefined) => {
    setSigning(false)
    void navigate({
      search: ({ key: _, ...old }) => (id ? { ...old, key: id } : old),
      replace: true,
      resetScroll: false,
    })
  }
  const mustSign = client.tsig !== undefined && secret === undefined && (isSigning || apiKey?.tsig === null)
  return (
    <>
      {apiKey === undefined && (
        <Section title={`New key for ${client.name}`}>
          {mayMake ? (
            <KeyForm
              wish={wishedKey(client, zone, host, apiKeys)}
              onCancel={undefined}
              onMade={({ secret, ...apiKey }) => {
                // A client that signs does not use the secret of the key.
                setMade({ apiKey, secret: client.tsig === undefined ? secret : undefined })
                choose(apiKey.id)
                void renew(keys.apiKeys)
              }}
            />
          ) : (
            <NeedsTwoFactor what="A key" />
          )}
        </Section>
      )}
      {secret === undefined && (apiKey !== undefined || usable.length > 0) && (
        <Section title={apiKey === undefined ? 'Or use an existing key' : 'API key'}>
          <Group align="flex-end">
            <NativeSelect
              label="Key"
              description={
                <>
                  Live keys that cover <Names>{zone.name}</Names> and have the permissions that the client needs.
                </>
              }
              data={[
                ...(apiKey ? [] : [{ value: '', label: 'Choose a key' }]),
                ...(usable.length === 0 && apiKey ? [apiKey] : usable).map(({ id, name, hint }) => ({
                  value: id,
                  label: `${name} (…${hint})`,
                })),
              ]}
              value={apiKey?.id ?? ''}
              flex="1 1 260px"
              onChange={({ currentTarget }) => {
                setMade(undefined)
                choose(currentTarget.value)
              }}
            />
            {apiKey && (
              <Button
                variant="default"
                onClick={() => {
                  setMade(undefined)
                  choose(undefined)
                }}
              >
                Create a new key
              </Button>
            )}
          </Group>
        </Section>
      )}
      {apiKey && mustSign && (
        <TsigForm
          key={apiKey.id}
          apiKey={apiKey}
          mayCode={mayCode}
          onMade={({ name, secret }) => {
            setMade({ apiKey: { ...apiKey, tsig: { name, created_at: new Date().toISOString() } }, secret })
            setSigning(false)
          }}
          onClose={
            apiKey.tsig === null
              ? undefined
              : () => {
                  setMade(undefined)
                  setSigning(false)
                }
          }
        />
      )}
      {apiKey && !mustSign && (
        <ClientConfiguration client={client} zone={zone} host={host} apiKey={apiKey} secret={secret}>
          {secret !== undefined && (
            <Alert color="orange" variant="light" title="The secret is shown only once">
              <Stack gap="xs">
                <Text size="sm">
                  The configuration contains it. Copy it before you leave this page or change the name or the zone.
                </Text>
                <Group>
                  <Button size="xs" onClick={() => setMade({ apiKey, secret: undefined })}>
                    I have saved it
                  </Button>
                </Group>
              </Stack>
            </Alert>
          )}
          {secret === undefined && client.tsig !== undefined && (
            <Group>
              <Button size="xs" variant="default" onClick={() => setSigning(true)}>
                Create a new TSIG secret
              </Button>
            </Group>
          )}
        </ClientConfiguration>
      )}
    </>
  )
}
