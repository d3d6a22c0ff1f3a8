import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SecretBox } from '@zonewright/service/secrets'
import { startWorld, type World } from '@zonewright/system-tests/world'
import { Publisher } from './publisher.ts'
import { type Received, Receivers } from './receivers.ts'

/** A complete installation, receivers on their own host names, and endpoints with their URLs. The address guard is on. */
export interface HooksWorld {
  readonly world: World
  readonly receivers: Receivers
  readonly publisher: Publisher
  /** Everything that was received so far. */
  readonly received: Received[]
  /** Creates accounts with this many endpoints each; returns the accounts. The numbers of the endpoints continue from the last. */
  addAccounts(accounts: number, options?: { endpointsEach?: number; kind?: EndpointKind }): Promise<string[]>
  /** Of every endpoint, by its number. */
  readonly endpoints: readonly { readonly id: string; readonly account: string }[]
  stop(): Promise<void>
}

/**
 * As often as real registries are polled for messages. Otherwise, the sandbox's registry is polled every second, for people who try the product.
 */
const usualPollS = 30

/** A receiver that responds, one that never does, and one that does not exist. */
export type EndpointKind = 'e' | 'hang' | 'closed'

export async function startHooksWorld({
  hosts,
  settings = {},
  start = startWorld,
}: {
  hosts: number
  settings?: Record<string, string>
  /** Starts the installation. That of another checkout has other programs. */
  start?: typeof startWorld
}): Promise<HooksWorld> {
  const folder = await mkdtemp(join(tmpdir(), 'zonewright-hooks-'))
  const caFile = join(folder, 'ca.pem')
  const receivers = await Receivers.start(caFile, hosts)
  const env = {
    WEBHOOK_TRUSTED_TARGETS: `127.0.0.1:${receivers.port},127.0.0.1:9`,
    WEBHOOK_RESOLVER: `127.0.0.1:${receivers.dnsPort}`,
    WEBHOOK_CA_FILE: caFile,
    LOG_LEVEL: 'warn',
  }
  const world = await start({ env, postgresSettings: settings, registryPollS: usualPollS })
  const publisher = new Publisher(world.databaseUrl)
  const secrets = new SecretBox(
    Buffer.from((await readFile(join(world.dataDir, 'secret.key'), 'utf8')).trim(), 'base64'),
  )
  const received: Received[] = []
  receivers.onReceived((some) => received.push(...some))
  const endpoints: { id: string; account: string }[] = []

  return {
    world,
    receivers,
    publisher,
    received,
    endpoints,
    addAccounts: async (count, { endpointsEach = 1, kind = 'e' } = {}) => {
      const rows = await publisher.query<{ id: string }>(
        `insert into accounts (email, email_confirmed) select unnest($1::text[]), true returning id`,
        [Array.from({ length: count }, () => `${randomUUID()}@example.com`)],
      )
      const made = rows.flatMap(({ id: account }) =>
        Array.from({ length: endpointsEach }, () => {
          const id = `whe_${randomBytes(16).toString('hex')}`
          const number = endpoints.push({ id, account }) - 1
          const url = kind === 'closed' ? `https://h0.hooks.test:9/e/${number}` : receivers.url(number, hosts, kind)
          const secret = secrets.seal('webhook_endpoints.secrets', id, `whsec_${randomBytes(30).toString('base64')}`)
          return { id, account, url, secret: secret.toString('hex') }
        }),
      )
      await publisher.query(
        `with made as (
          insert into webhook_endpoints (id, account_id, url, secrets)
          select id, account, url, array[decode(secret, 'hex')] from json_to_recordset($1::json) as made (id text, account uuid, url text, secret text)
          returning id
        ) insert into webhook_lanes (endpoint_id) select id from made`,
        [JSON.stringify(made)],
      )
      return rows.map(({ id }) => id)
    },
    stop: async () => {
      await publisher.close()
      await world.stop()
      await receivers.stop()
      await rm(folder, { recursive: true })
    },
  }
}

/** Waits until a condition is true, checking ten times a second; throws after `timeoutS`. */
export async function waitUntil(
  what: string,
  condition: () => boolean | Promise<boolean>,
  timeoutS: number,
): Promise<void> {
  for (const end = performance.now() + timeoutS * 1_000; performance.now() < end; ) {
    if (await condition()) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`${what}: not within ${timeoutS} s`)
}
