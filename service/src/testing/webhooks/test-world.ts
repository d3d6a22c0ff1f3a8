import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import type { WireDelivery } from '@zonewright/contract'
import { type Behaviour, type Received, type Receiver, startReceiver } from '@zonewright/sandbox'
import { createHttpServer } from '#http/create-server.ts'
import type { HttpServer } from '#http/server.ts'
import { createAccount } from '#modules/accounts/index.ts'
import { type NewEvent, publish } from '#modules/events/index.ts'
import { createEndpoint } from '#modules/webhooks/create-endpoint.ts'
import { startWebhooks } from '#modules/webhooks/engine.ts'
import { FanOut } from '#modules/webhooks/fan-out.ts'
import type { LaneLimits } from '#modules/webhooks/lane-shares.ts'
import { mountWebhookRoutes } from '#modules/webhooks/routes.ts'
import { actorNamed } from '#platform/caller.ts'
import { createMetrics } from '#platform/figures/metrics.ts'
import { createLogger, type Logger } from '#platform/log.ts'
import { type Database, openDatabase, sql, Wake } from '#platform/postgres/index.ts'
import { SecretBox } from '#platform/secrets.ts'
import type { BodyBudget } from '#platform/work/body-budget.ts'
import type { WebhookHttp } from '#ports/webhook-http.ts'
import { eventually } from '#testing/eventually.ts'
import { installTestClock, type TestClock } from '#testing/platform/test-clock.ts'
import { cloneDatabase, connectWithinMs, type TestDatabase } from '#testing/platform/test-database.ts'

/** An endpoint of a test, and the receiver behind it. */
export interface TestEndpoint {
  readonly id: string
  readonly secret: string
  /** The requests so far, oldest first. */
  received(): Received[]
  /** Resolves once this many requests have arrived. */
  until(count: number): Promise<Received[]>
  behave(behaviour: Behaviour): void
}

/** The environment for tests of deliveries: a database with a movable clock, a real HTTPS receiver, and any number of engines. */
export interface TestWorld {
  readonly database: TestDatabase
  readonly clock: TestClock
  readonly receiver: Receiver
  readonly http: WebhookHttp
  readonly wake: Wake
  readonly log: Logger
  account(): Promise<string>
  endpoint(accountId: string, events?: readonly string[]): Promise<TestEndpoint>
  publish(recipients: string | readonly string[], type?: NewEvent['type'], data?: object): Promise<void>
  /** Runs only fan-out until an endpoint has this many deliveries. Nothing is sent. */
  fanOut(endpoint: { readonly id: string }, count: number): Promise<void>
  /** Calls the webhook routes with a key of the account. */
  api(accountId: string): Call
  /** Starts an engine. It is stopped at the end if the test does not stop it. */
  engine(options?: {
    database?: Database
    http?: WebhookHttp
    laneLimits?: LaneLimits
    bodyBudget?: BodyBudget
  }): TestEngine
  /** A running engine, an account, its endpoint for every event, and its calls. */
  delivering(): Promise<{ engine: TestEngine; account: string; endpoint: TestEndpoint; call: Call }>
}

interface TestEngine {
  stop(): Promise<void>
}

/** A call of the API, and its answer. */
export type Call = (
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  body?: object,
  headers?: Record<string, string>,
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
) => Promise<{ status: number; headers: Record<string, unknown>; body: any }>

/** @param createHttp the real adapter, which only tests themselves may import */
export async function startTestWorld(
  createHttp: (options: { trustedTargets: string[]; caFile: string }) => WebhookHttp,
): Promise<TestWorld> {
  const log = createLogger('test', process.env.LOG_LEVEL ?? 'silent')
  const { url } = await cloneDatabase()
  const wake = new Wake(url, log)
  await wake.start()
  const database = { ...openDatabase(url, { application: 'zonewright test', wake, connectWithinMs }), url }
  const clock = await installTestClock(database.db)
  const dataDir = await mkdtemp(join(tmpdir(), 'zonewright-receiver-'))
  const receiver = await startReceiver({ dataDir, httpsListen: '127.0.0.1:0', httpListen: '127.0.0.1:0' })
  const http = createHttp({ trustedTargets: [receiver.httpsAddress], caFile: receiver.caFile })
  const secrets = new SecretBox(randomBytes(32))
  const engines = new Set<TestEngine>()
  const servers = new Set<HttpServer>()
  const actor = actorNamed('operator', 'test')

  after(async () => {
    await Promise.all([...servers].map((server) => server.fastify.close()))
    await Promise.all([...engines].map((engine) => engine.stop()))
    await http.close()
    await receiver.close()
    await wake.close()
    await database.close()
    await rm(dataDir, { recursive: true })
  })

  const world: TestWorld = {
    database,
    clock,
    receiver,
    http,
    wake,
    log,
    account: async () => {
      const email = `${randomUUID()}@example.com`
      return (await database.transact((tx) => createAccount(tx, actor, { email, name: 'Test' }))).id
    },
    endpoint: async (accountId, events) => {
      const name = randomUUID()
      const wanted = {
        accountId,
        url: `https://${receiver.httpsAddress}/hooks/${name}`,
        events: events ?? null,
        description: '',
      }
      const made = await database.transact((tx) => createEndpoint(tx, { actor, secrets }, wanted))
      receiver.inbox.setSecret(name, made.secret)
      const received = () => receiver.inbox.received(name)
      return {
        id: made.endpoint.id,
        secret: made.secret,
        received,
        until: async (count) => {
          await until(() => received().length >= count, `${count} requests, of which ${received().length} came`)
          return received()
        },
        behave: (behaviour) => receiver.inbox.behave(behaviour, name),
      }
    },
    publish: (recipients, type = 'zone.delegation_changed', data = { zone: {} }) =>
      database.transact((tx) => publish(tx, { type, recipients: [recipients].flat(), held: null, data })),
    fanOut: async ({ id }, count) => {
      const fanOut = new FanOut({ database, log, onDue: () => undefined })
      fanOut.start()
      await until(async () => (await deliveriesOf(database, id)).length === count, `${count} deliveries`)
      await fanOut.stop()
    },
    api: (accountId) => {
      const server = createHttpServer({
        database,
        log,
        metrics: createMetrics(),
        secrets,
        authenticate: async () => ({
          caller: {
            kind: 'key',
            accountId,
            keyId: `key_${accountId}`,
            keyName: 'Test',
            permissions: new Set(['webhooks:manage'] as const),
            allZones: true,
            isLimited: false,
          },
          zone: undefined,
        }),
      })
      mountWebhookRoutes(server, { http, secrets, sourceAddresses: ['192.0.2.10', '2001:db8:1::/48'] })
      servers.add(server)
      return async (method, url, body, headers = {}) => {
        const answer = await server.fastify.inject({ method, url, headers, ...(body && { payload: body }) })
        return {
          status: answer.statusCode,
          headers: answer.headers,
          body: answer.body === '' ? undefined : answer.json(),
        }
      }
    },
    engine: (options = {}) => {
      const started = startWebhooks({
        database,
        wake,
        http,
        secrets,
        log,
        metrics: createMetrics(),
        site: 'https://zonewright.test',
        ...options,
      })
      const engine = {
        stop: async () => {
          engines.delete(engine)
          await started.stop()
        },
      }
      engines.add(engine)
      return engine
    },
    delivering: async () => {
      const engine = world.engine()
      const account = await world.account()
      return { engine, account, endpoint: await world.endpoint(account), call: world.api(account) }
    },
  }
  return world
}

/** Waits for a condition. After a minute, fails with what it waited for. */
export async function until(condition: () => boolean | Promise<boolean>, what: string): Promise<void> {
  await eventually(what, condition)
}

/** An endpoint's deliveries as returned by the API, the latest event first. */
export async function shown(call: Call, { id }: Pick<TestEndpoint, 'id'>): Promise<WireDelivery[]> {
  return (await call('GET', `/webhooks/${id}/deliveries`)).body.data
}

/** A delivery as stored in the database. */
export interface DeliveryRow {
  status: string
  last_status: number | null
  attempts: number
  requests: number
  /** Seconds from now until the next attempt. */
  retry_in: number | null
}

export async function deliveriesOf(database: Database, endpointId: string): Promise<DeliveryRow[]> {
  const { rows } = await sql<DeliveryRow>`
    select d.status, d.last_status, d.attempts, d.requests, extract(epoch from q.retry_at - app_now())::float8 as retry_in
    from webhook_deliveries d left join webhook_queue q on q.delivery_id = d.id
    where d.endpoint_id = ${endpointId} order by d.position`.execute(database.db)
  return rows
}

/** The adapter with posts that are held until they are released. */
export function heldPosts(http: WebhookHttp) {
  const underWay = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const held: WebhookHttp = {
    refusal: (url) => http.refusal(url),
    close: () => http.close(),
    post: async (request) => {
      underWay.resolve()
      await released.promise
      return await http.post(request)
    },
  }
  /** `underWay` resolves once a post is held. */
  return { http: held, underWay: underWay.promise, letGo: released.resolve }
}
