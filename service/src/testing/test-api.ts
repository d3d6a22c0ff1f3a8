import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after } from 'node:test'
import { type Permission, permissions } from '@zonewright/contract'
import { createWebhookHttp } from '#adapters/webhook-http/undici-webhook-http.ts'
import { createAccount } from '#modules/accounts/index.ts'
import { createKey, type KeyExpiry, keyAuthentication, mountKeyRoutes } from '#modules/api-keys/index.ts'
import { mountRecordRoutes } from '#modules/records/index.ts'
import { mountWebhookRoutes } from '#modules/webhooks/index.ts'
import { addLiveZone, mountZoneRoutes, type ZoneRow } from '#modules/zones/index.ts'
import { actorNamed } from '#platform/caller.ts'
import { createHttpServer, type HttpServer } from '#platform/http/server.ts'
import { createLogger } from '#platform/log.ts'
import { createMetrics } from '#platform/metrics.ts'
import { SecretBox } from '#platform/secrets.ts'
import { cloneDatabase, type TestDatabase } from '#platform/test-database.ts'
import { watchContract } from './contract-check.ts'

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
  key(
    accountId: string,
    options?: {
      zones?: 'all' | readonly string[]
      permissions?: readonly Permission[]
      name?: string
      expiresIn?: KeyExpiry
    },
  ): Promise<string>
  /** Calls `/api/v1` + path; a path under `/webhooks` is called as it stands, unless a prefix is given. A text is sent as it is. */
  call(
    method: string,
    path: string,
    options?: { key?: string; body?: unknown; headers?: Record<string, string>; prefix?: string },
  ): Promise<TestAnswer>
}

/** A receiver that endpoints may be made for, though nothing listens there. */
export const testReceiver = 'https://127.0.0.1:9/hook'

export const testNameservers = ['ns1.zonewright.test', 'ns2.zonewright.test']

/** Starts it for one test file. */
export async function startTestApi(): Promise<TestApi> {
  const database = await cloneDatabase()
  const log = createLogger('test', 'silent')
  const server = createHttpServer({
    database,
    authenticate: keyAuthentication(database),
    log,
    metrics: createMetrics(),
  })
  const violations = watchContract(server)
  mountZoneRoutes(server, {
    nameservers: testNameservers,
    serviceDomains: testNameservers,
    replicated: async () => new Set(),
  })
  mountRecordRoutes(server, { nameservers: testNameservers })
  const http = createWebhookHttp({ trustedTargets: [new URL(testReceiver).host] })
  mountWebhookRoutes(server, { database, http, secrets: new SecretBox(randomBytes(32)) })
  mountKeyRoutes(server)
  after(async () => {
    await server.fastify.close()
    await http.close()
    assert.deepEqual([...new Set(violations)], [], 'answers that the contract does not declare')
  })
  const actor = actorNamed('operator', 'test')
  let keys = 0
  return {
    database,
    server,
    account: (email) => database.transact(async (tx) => (await createAccount(tx, actor, { email, name: '' })).id),
    zone: (accountId, name) =>
      database.transact((tx) => addLiveZone(tx, { actor, accountId, serviceDomains: [] }, name)),
    key: (
      accountId,
      { zones = 'all', permissions: wanted = permissions, name = `key ${++keys}`, expiresIn = 'never' } = {},
    ) =>
      database.transact(
        async (tx) => (await createKey(tx, actor, accountId, { name, zones, permissions: wanted, expiresIn })).secret,
      ),
    call: async (
      method,
      path,
      { key, body, headers = {}, prefix = path.startsWith('/webhooks') ? '' : '/api/v1' } = {},
    ) => {
      const answer = await server.fastify.inject({
        method: method as 'GET',
        url: prefix + path,
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
