import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { TsigClient } from '@zonewright/contract'
import type { ReactNode } from 'react'
import type { Item } from '../api/client.ts'
import { clientQueries } from '../api/client-queries.ts'
import { queries } from '../api/queries.ts'
import { CopyBlock } from '../ui/copy.tsx'
import { Loaded } from '../ui/feedback.tsx'
import { Section } from '../ui/page.tsx'
import { clientUse, secretPlaceholder } from '../util/client-configs.ts'
import { type Client, configParts } from '../util/clients.ts'
import { DocsLink } from './docs-link.tsx'

/** The placeholder for the secret in a configuration from the service. */
const tsigPlaceholder = 'SECRET'
/** Matches the placeholder as a whole word, and not as the end of `RFC2136_TSIG_SECRET`. */
const tsigWord = /\bSECRET\b/g

/** What a client is set up with. */
interface Setup {
  readonly client: Client
  readonly zone: Item<'listZones'>
  /** Relative to the zone. */
  readonly host: string
  readonly apiKey: Item<'listKeys'>
  /** Of the key; for a client that signs, the TSIG secret. Undefined: it is no longer known. */
  readonly secret: string | undefined
}

/** The configuration of a client for a zone and a key, ready to copy. `children` come before it. */
export function ClientConfiguration({ children, ...setup }: Setup & { children: ReactNode }) {
  const { client, zone, apiKey, secret } = setup
  return (
    <Section title={`Configuration for ${client.name}`}>
      {secret === undefined && <Missing client={client} apiKey={apiKey} />}
      {children}
      {client.tsig === undefined ? (
        <KeyConfiguration {...setup} />
      ) : (
        <TsigConfiguration program={client.tsig} zone={zone} apiKey={apiKey} secret={secret} />
      )}
      <Text size="sm">
        <DocsLink page={client.id}>Read the documentation</DocsLink>
      </Text>
    </Section>
  )
}

/** Which secret the reader inserts. */
function Missing({ client, apiKey }: Pick<Setup, 'client' | 'apiKey'>) {
  if (client.tsig !== undefined)
    return (
      <Text size="sm">
        Replace <code className="mono">{tsigPlaceholder}</code> with the TSIG secret of the key {apiKey.name}.
      </Text>
    )
  return (
    <Text size="sm">
      Replace <code className="mono">{secretPlaceholder}</code> with the secret of the key {apiKey.name}, which ends in{' '}
      <span className="mono">{apiKey.hint}</span>.
    </Text>
  )
}

function KeyConfiguration({ client, zone, host, apiKey, secret = secretPlaceholder }: Setup) {
  const account = useQuery(queries.account())
  return (
    <Loaded of={account}>
      {({ email }) => {
        const use = clientUse({ origin: location.origin, zone, host, key: apiKey, email })
        return (
          <Stack gap="sm">
            {client.hasAccountFile && <AccountFile apiKey={apiKey} zone={zone} host={host} secret={secret} />}
            {configParts(client, use).map(({ where, text }) => (
              <Part key={where} where={where} text={text.replaceAll(secretPlaceholder, secret)} />
            ))}
          </Stack>
        )
      }}
    </Loaded>
  )
}

/** The account file of acme-dns, which the service writes. */
function AccountFile({ apiKey, zone, host, secret }: Pick<Setup, 'apiKey' | 'zone' | 'host'> & { secret: string }) {
  const file = useQuery(clientQueries.acmeDnsAccount(apiKey.id, zone.id, host))
  return (
    <Loaded of={file} what="Loading the account file">
      {(accounts) => (
        <Part
          where="acmedns.json"
          text={`${JSON.stringify(accounts, undefined, 2)}\n`.replaceAll(secretPlaceholder, secret)}
        />
      )}
    </Loaded>
  )
}

function TsigConfiguration({
  program,
  zone,
  apiKey,
  secret = tsigPlaceholder,
}: Pick<Setup, 'zone' | 'apiKey' | 'secret'> & { program: TsigClient }) {
  const config = useQuery(clientQueries.tsigConfig(apiKey.id, program, zone.id))
  return (
    <Loaded of={config} what="Loading the configuration">
      {(text) => <Part where="Configuration" text={text.replaceAll(tsigWord, secret)} />}
    </Loaded>
  )
}

function Part({ where, text }: { where: string; text: string }) {
  return (
    <Stack gap={4}>
      <Text size="sm" fw={600}>
        {where}
      </Text>
      <CopyBlock text={text} what={where} />
    </Stack>
  )
}
