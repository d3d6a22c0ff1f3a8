import { Group, Select, Stack, Text, TextInput, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { Item } from '../api/client.ts'
import { queries } from '../api/queries.ts'
import { Empty, Loaded } from '../ui/feedback.tsx'
import { ButtonLink, TextLink } from '../ui/links.tsx'
import { Names } from '../ui/name.tsx'
import { Page, Section } from '../ui/page.tsx'
import { type Client, clientGroups, clientWith } from '../util/clients.ts'
import { hostIn } from '../util/host.ts'
import { paths } from '../util/paths.ts'
import { isolated } from '../util/shown-name.ts'
import { ClientKey } from './client-key.tsx'

type Zone = Item<'listZones'>

/** The maximum number of zones that the list shows at once. Typing finds the others. */
const mostOffered = 50

/** Programs and devices that work with the service by protocols that they already know, and what to configure in them. */
export function ConnectClientPage() {
  const client = clientWith(useSearch({ from: '/signed-in/connect-a-client' }).client)
  if (client !== undefined) return <OneClient key={client.id} client={client} />
  return (
    <Page
      title="Connect a client"
      lead="Choose the program or device that should read or change your zones, to get its configuration."
    >
      <ClientList />
    </Page>
  )
}

function ClientList() {
  const chosen = useSearch({ from: '/signed-in/connect-a-client' })
  return (
    <Section title="Clients">
      <Stack gap="lg">
        {clientGroups().map(({ group, clients }) => (
          <Stack key={group} gap="xs">
            <Title order={3} size="h5">
              {group}
            </Title>
            <Group gap="xs">
              {clients.map(({ id, name }) => (
                <ButtonLink key={id} variant="default" {...paths.connectClient({ ...chosen, client: id })}>
                  {name}
                </ButtonLink>
              ))}
            </Group>
          </Stack>
        ))}
      </Stack>
    </Section>
  )
}

function OneClient({ client }: { client: Client }) {
  const { client: _, host: __, ...chosen } = useSearch({ from: '/signed-in/connect-a-client' })
  const zones = useQuery(queries.zones())
  return (
    <Page
      title={`Connect ${client.name}`}
      within={<TextLink {...paths.connectClient(chosen)}>Connect a client</TextLink>}
    >
      <Loaded of={zones} what="Loading your zones">
        {({ items, isWhole }) => {
          const live = items.filter(({ state }) => state === 'live')
          return live.length === 0 && isWhole ? (
            <Empty
              icon="plug"
              title="No live zone yet"
              action={<ButtonLink {...paths.addZone()}>Add a zone</ButtonLink>}
            >
              Clients can use a zone as soon as it is verified.
            </Empty>
          ) : (
            <Choices client={client} zones={live} />
          )
        }}
      </Loaded>
    </Page>
  )
}

/** The zone and the host. The key and the configuration follow once they are chosen. */
function Choices({ client, zones }: { client: Client; zones: readonly Zone[] }) {
  const chosen = useSearch({ from: '/signed-in/connect-a-client' })
  const navigate = useNavigate({ from: '/connect-a-client' })
  const [typedHost, setTypedHost] = useState(chosen.host)
  const zone = zones.find(({ id }) => id === chosen.zone) ?? (zones.length === 1 ? zones[0] : undefined)
  const hostText = typedHost ?? client.host ?? '@'
  const read = client.host === undefined || zone === undefined ? { host: '@' } : hostIn(zone.name, hostText)
  return (
    <>
      <Section title={client.host === undefined ? 'Zone' : 'Name'}>
        <Group align="flex-start" grow preventGrowOverflow={false}>
          {client.host !== undefined && (
            <TextInput
              label={client.group === 'Certificates' ? 'Name in the certificate' : 'Host'}
              description={`In the zone, such as ${client.host}. @ is the zone itself.`}
              value={hostText}
              error={'fault' in read ? read.fault : undefined}
              autoComplete="off"
              spellCheck={false}
              onChange={(event) => {
                const host = event.currentTarget.value
                setTypedHost(host)
                void navigate({ search: (old) => ({ ...old, host: host || '@' }), replace: true, resetScroll: false })
              }}
            />
          )}
          <Select
            label="Zone"
            description={
              client.host === undefined ? 'The zone that the client uses.' : 'The zone that contains the name.'
            }
            placeholder="Choose a zone"
            data={zones.map((zone) => ({ value: zone.id, label: labelOf(zone) }))}
            limit={mostOffered}
            value={zone?.id ?? null}
            searchable
            allowDeselect={false}
            nothingFoundMessage="No live zone of this name"
            onChange={(id) => {
              if (id === null) return
              void navigate({ search: (old) => ({ ...old, zone: id }), replace: true, resetScroll: false })
            }}
          />
        </Group>
        {zone && 'host' in read && client.host !== undefined && (
          <Text size="sm">
            The configuration is for{' '}
            <span className="mono">
              <Names>{read.host === '@' ? zone.name : `${read.host}.${zone.name}`}</Names>
            </span>
            .
          </Text>
        )}
      </Section>
      {zone && 'host' in read && (
        <ClientKey key={`${zone.id} ${read.host}`} client={client} zone={zone} host={read.host} />
      )}
    </>
  )
}

function labelOf({ unicode_name: name, role }: Zone): string {
  return role === 'manager' ? `${isolated(name)} (shared with me)` : name
}
