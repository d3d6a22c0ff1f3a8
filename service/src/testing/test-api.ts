import type { Permission } from '@zonewright/contract'
import { permissions } from '@zonewright/contract'
import { createAccount } from '#modules/accounts/index.ts'
import { createKey, keyAuthentication, mountKeyRoutes } from '#modules/api-keys/index.ts'
import { mountRecordRoutes } from '#modules/records/index.ts'
import { addLiveZone, mountZoneRoutes, type ZoneRow } from '#modules/zones/index.ts'
import { actorNamed } from '#platform/caller.ts'
import { createHttpServer, type HttpServer } from '#platform/http/server.ts'
import { createLogger } from '#platform/log.ts'
import { createMetrics } from '#platform/metrics.ts'
import { cloneDatabase, type TestDatabase } from '#platform/test-database.ts'

/** An answer with its body parsed. */
export interface TestAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  readonly body: any
}

/** The API on a database of its own, called without a socket. */
export interface TestApi {
  readonly database: TestDatabase
  readonly server: HttpServer
  account(email: string): Promise<string>
  zone(accountId: string, name: string): Promise<ZoneRow>
  key(accountId: string, options?: { zones?: 'all' | string[]; permissions?: readonly Permission[]; name?: string }): Promise<string>
  call(method: string, path: string, options?: { key?: string; body?: unknown; headers?: Record<string, string> }): Promise<TestAnswer>
}

export const testNameservers = ['ns1.zonewright.test', 'ns2.zonewright.test']

/** Starts it for one test file. */
export async function startTestApi(): Promise<TestApi> {
  const database = await cloneDatabase()
  const log = createLogger('test', 'silent')
  const server = createHttpServer({ database, authenticate: keyAuthentication(database), log, metrics: createMetrics() })
  mountZoneRoutes(server, { nameservers: testNameservers, serviceDomains: testNameservers, replicated: async () => new Set() })
  mountRecordRoutes(server, { nameservers: testNameservers })
  mountKeyRoutes(server)
  const actor = actorNamed('operator', 'test')
  let keys = 0
  return {
    database,
    server,
    account: (email) => database.transact(async (tx) => (await createAccount(tx, actor, { email, name: '' })).id),
    zone: (accountId, name) => database.transact((tx) => addLiveZone(tx, { actor, accountId, serviceDomains: [] }, name)),
    key: (accountId, { zones = 'all', permissions: wanted = permissions, name = `key ${++keys}` } = {}) =>
      database.transact(async (tx) => (await createKey(tx, actor, accountId, { name, zones, permissions: wanted, expiresIn: 'never' })).secret),
    call: async (method, path, { key, body, headers = {} } = {}) => {
      const answer = await server.fastify.inject({
        method: method as 'GET',
        url: path.startsWith('/webhooks') ? path : `/api/v1${path}`,
        headers: {
          ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
          ...(body === undefined || typeof body === 'string' ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
      })
      const isJson = String(answer.headers['content-type']).startsWith('application/json')
      return { status: answer.statusCode, headers: answer.headers, body: isJson ? answer.json() : answer.body }
    },
  }
}
