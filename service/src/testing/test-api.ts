import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { after } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type Permission, permissions, type WireKeyLimit, type WirePick } from '@zonewright/contract'
import type { IdentityProvider } from '@zonewright/sandbox'
import { createAddressResolver } from '#adapters/address-resolver/index.ts'
import { createDnsProbe, createParentDns, createZoneSource } from '#adapters/dns/index.ts'
import { createDnsResolver } from '#adapters/dns-resolver/index.ts'
import { createEppRegistries } from '#adapters/epp/index.ts'
import { createPaystack } from '#adapters/paystack/index.ts'
import { createRdapLookup } from '#adapters/rdap/index.ts'
import { createSignInProviders } from '#adapters/sign-in-providers/index.ts'
import { createWebhookHttp } from '#adapters/webhook-http/kept-webhook-http.ts'
import { composeApi } from '#compose/api.ts'
import { accountMailsOf } from '#compose/auth.ts'
import { orderWorkOf } from '#compose/commerce.ts'
import type { Outside } from '#compose/outside.ts'
import type { Parts } from '#compose/parts.ts'
import { startDelivery } from '#compose/worker.ts'
import { verificationOf } from '#compose/zone-parts.ts'
import type { HttpServer } from '#http/server.ts'
import { createAccount, type Passwords } from '#modules/accounts/index.ts'
import { createKey, type KeyExpiry, pickScope } from '#modules/api-keys/index.ts'
import type { IndexLimits } from '#modules/search/index.ts'
import type { UpdateTimes } from '#modules/updates/index.ts'
import { type AddingParts, addLiveZone, type startZoneVerification, type ZoneRow } from '#modules/zones/index.ts'
import { actorNamed } from '#platform/caller.ts'
import { createMetrics } from '#platform/figures/metrics.ts'
import type { MemoryLimit } from '#platform/http/request-limits.ts'
import { createLogger } from '#platform/log.ts'
import { openDatabase, Wake } from '#platform/postgres/index.ts'
import type { RateLimit } from '#platform/rates.ts'
import { SecretBox } from '#platform/secrets.ts'
import type { HostPort } from '#platform/settings/configuration.ts'
import type { ProviderSetting } from '#platform/settings/providers-setting.ts'
import { parseRegistries, sandboxRegistries } from '#platform/settings/registries-setting.ts'
import type { Payments } from '#ports/payments.ts'
import { cloneDatabase, connectWithinMs, type TestDatabase } from '#testing/platform/test-database.ts'
import { watchContract } from './contract-check.ts'
import { type KeptMail, keepMails } from './kept-mails.ts'
import type { SandboxRegistry } from './sandbox-registry.ts'
import { startTestDns, type TestDns } from './test-dns.ts'

/** An answer with its body parsed. */
export interface TestAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  readonly body: any
}

/** The API on its own database, called without a socket. */
export interface TestApi {
  readonly database: TestDatabase
  readonly server: HttpServer
  /** The parts that the API is composed of. */
  readonly parts: Parts
  /** The DNS in which proofs of control are looked up. */
  readonly dns: TestDns
  /** The dependencies of the worker's part of verification. */
  readonly verification: Parameters<typeof startZoneVerification>[0] & AddingParts
  readonly identity: IdentityProvider | undefined
  /** The emails about accounts, the oldest first. */
  readonly mails: readonly KeptMail[]
  /** The dependencies of the worker's part of orders. */
  readonly orders: ReturnType<typeof orderWorkOf>
  account(email: string): Promise<string>
  zone(accountId: string, name: string): Promise<ZoneRow>
  key(
    accountId: string,
    options?: {
      /** Ids of zones; `all` unless there are `picks`. */
      zones?: 'all' | readonly string[]
      /** Instead of `zones`: what the account picks, in the API's form. */
      picks?: readonly WirePick[]
      /** The limits of a key with `picks`, in the API's form. */
      limits?: readonly WireKeyLimit[]
      permissions?: readonly Permission[]
      /** Networks in canonical form. */
      addresses?: readonly string[]
      name?: string
      expiresIn?: KeyExpiry
    },
  ): Promise<string>
  /** Starts delivering webhooks, as a worker does. */
  deliver(): Promise<void>
  /** Calls `/api/v1` + path. A path under `/webhooks` is called without a prefix, unless one is given. Text and bytes are sent unchanged. */
  call(
    method: string,
    path: string,
    options?: {
      key?: string
      body?: unknown
      headers?: Record<string, string>
      prefix?: string
      /** The client's address; by default 127.0.0.1. */
      address?: string | undefined
    },
  ): Promise<TestAnswer>
}

/** A receiver that endpoints may be created for, although nothing listens there. */
export const testReceiver = 'https://127.0.0.1:9/hook'

/** The parent of free subdomains, once it is a live zone. */
export const testFreeParent = 'free.example'

/** An address without a DNS server. */
const nobody: HostPort = { host: '127.0.0.1', port: 9 }

export const testNameservers = ['ns1.zonewright.test', 'ns2.zonewright.test']

/** The origin of the page from which a browser sends this API's requests. */
export const testOrigin = 'http://dashboard.test'

/** The service's credentials at a test's sign-in provider. */
export const testClient = { clientId: 'zonewright', clientSecret: 'a:secret/with=signs' }

function testProviderOf({ issuer }: IdentityProvider): ProviderSetting {
  return { id: 'acme', name: 'Acme', issuer, kind: 'openid', ...testClient }
}

/** Tests hash thousands of passwords, and scrypt would take half of their processor time. */
const cheapPasswords: Passwords = {
  hash: async (password) => cheapHash(randomBytes(16).toString('hex'), password),
  verify: async ({ password, hash }) => cheapHash(hash.split(':')[0] ?? '', password) === hash,
}

function cheapHash(salt: string, password: string): string {
  return `${salt}:${createHash('sha512')
    .update(`${salt}${password.normalize('NFKC')}`)
    .digest('hex')}`
}

/** Starts the API for one test file. By default, its keys may make any number of requests. */
export async function startTestApi({
  requestsPerMinute = 1_000_000,
  limits,
  trustedProxies,
  publicUrl = testOrigin,
  parent = nobody,
  rdap = `http://${nobody.host}:${nobody.port}/`,
  resolvers = [],
  payments,
  identity,
  registry,
  passwords = 'cheap',
  databaseUrl,
  hasDomainConnect = true,
  trustedTargets,
  updateTimes,
  searchLimits,
}: {
  requestsPerMinute?: number
  /** The limits of sessions, strangers and calls that query other servers; by default none. */
  limits?: Readonly<Record<MemoryLimit, RateLimit>>
  trustedProxies?: readonly string[]
  /** The address of the site. With https, its doors refuse keys that arrive over plain HTTP. */
  publicUrl?: string
  /** The server of the zone above the test's zones. */
  parent?: HostPort
  /** The list of the registries' RDAP servers. */
  rdap?: string
  resolvers?: readonly HostPort[]
  /** The card gateway; by default none answers. */
  payments?: Payments
  /** The sign-in provider `acme`, for `testClient`; by default there is none. */
  identity?: IdentityProvider
  /** The registry of the TLDs on sale; by default none is connected. */
  registry?: SandboxRegistry
  /** How passwords are hashed: `scrypt` as in an installation, for tests of its duration. */
  passwords?: 'cheap' | 'scrypt'
  /** A migrated database; by default a clone of the template. */
  databaseUrl?: string
  /** Whether Domain Connect is on, with the templates of `testing/domain-connect`. */
  hasDomainConnect?: boolean
  /** Addresses with a port that secondaries may have although they are not public. */
  trustedTargets?: readonly string[]
  updateTimes?: UpdateTimes
  searchLimits?: IndexLimits
} = {}): Promise<TestApi> {
  const url = databaseUrl ?? (await cloneDatabase()).url
  const secretKey = randomBytes(32)
  const log = createLogger('test', process.env.LOG_LEVEL ?? 'silent')
  const wake = new Wake(url, log)
  const database = { ...openDatabase(url, { application: 'zonewright test', wake, connectWithinMs }), url }
  const configuration: Parts['configuration'] = {
    publicUrl,
    secretKey,
    secretKeyFallback: undefined,
    nameservers: testNameservers.map((name) => ({ name, ...nobody })),
    freeParents: [testFreeParent],
    resolvers,
    registries: parseRegistries(sandboxRegistries),
    presetsDir: undefined,
    savedCards: true,
    doorAddress: { host: '127.0.0.1', port: 5305 },
    ...(trustedProxies && { trustedProxies }),
    ...(trustedTargets && { webhookTrustedTargets: trustedTargets }),
    ...(hasDomainConnect && {
      domainConnect: { providerId: 'zonewright.test', providerName: 'Zonewright Test' },
      domainConnectDir: fileURLToPath(new URL('domain-connect/templates', import.meta.url)),
    }),
  }
  const parts = { configuration, database, wake, log, metrics: createMetrics(), secrets: new SecretBox(secretKey) }
  const dns = await startTestDns()
  const outside: Outside = {
    resolver: createDnsResolver({ servers: [dns.address], timeoutMs: 2_000 }),
    addressResolver: createAddressResolver({ servers: [dns.address] }),
    parentDns: createParentDns(parent),
    dnsProbe: createDnsProbe(),
    zoneSource: createZoneSource(),
    registryLookup: createRdapLookup(rdap),
    registries: createEppRegistries(registry ? [registry.settingsOf('zonewright')] : [], log),
    payments: payments ?? createPaystack({ url: 'http://127.0.0.1:9', secretKey: 'sk_test_none' }),
    webhookHttp: createWebhookHttp({ trustedTargets: [new URL(testReceiver).host] }),
    signInProviders: createSignInProviders(identity ? [testProviderOf(identity)] : [], { timeoutMs: 2_000 }),
  }
  const mails = keepMails(accountMailsOf(parts))
  const server = composeApi(parts, outside, {
    mails,
    ...(passwords === 'cheap' && { passwords: cheapPasswords }),
    keyRequestsPerMinute: requestsPerMinute,
    requestLimits: limits ?? 'none',
    keptBelowMaxAgeMs: 0,
    ...(updateTimes && { updateTimes }),
    ...(searchLimits && { searchLimits }),
  })
  const violations = watchContract(server)
  const verification = verificationOf(parts, outside)
  let engine: { stop(): Promise<void> } | undefined
  after(async () => {
    await server.fastify.close()
    await engine?.stop()
    await Promise.all(
      [outside.webhookHttp, outside.signInProviders, outside.registryLookup, outside.registries].map((one) =>
        one.close(),
      ),
    )
    await wake.close()
    await database.close()
    await dns.close()
    assert.deepEqual([...new Set(violations)], [], 'answers that the contract does not declare')
  })
  const actor = actorNamed('operator', 'test')
  let keys = 0
  return {
    database,
    server,
    parts,
    dns,
    verification: { ...verification, database, log },
    identity,
    mails: mails.kept,
    orders: orderWorkOf(parts, outside),
    account: (email) => database.transact(async (tx) => (await createAccount(tx, actor, { email, name: '' })).id),
    zone: (accountId, name) =>
      database.transact((tx) => addLiveZone(tx, verification, { actor, accountId, serviceDomains: [] }, name)),
    key: (
      accountId,
      {
        zones = 'all',
        picks,
        limits,
        addresses,
        permissions: wanted = permissions,
        name = `key ${++keys}`,
        expiresIn = 'never',
      } = {},
    ) =>
      database.transact(async (tx) => {
        const picked = picks && (await pickScope(tx, accountId, picks, limits))
        assert.deepEqual(picked?.faults ?? [], [])
        const scope = picked?.scope ?? { zones }
        return (await createKey(tx, actor, accountId, { name, ...scope, permissions: wanted, addresses, expiresIn }))
          .secret
      }),
    deliver: async () => {
      await wake.start()
      engine = startDelivery({ ...parts, metrics: createMetrics() }, outside)
    },
    call: async (
      method,
      path,
      { key, body, headers = {}, prefix = path.startsWith('/webhooks') ? '' : '/api/v1', address } = {},
    ) => {
      const answer = await server.fastify.inject({
        method: method as 'GET',
        url: prefix + path,
        ...(address !== undefined && { remoteAddress: address }),
        headers: {
          ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
          ...(body === undefined || isSentAsIs(body) ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { payload: isSentAsIs(body) ? body : JSON.stringify(body) }),
      })
      const isJson = String(answer.headers['content-type']).startsWith('application/json') && answer.body !== ''
      return { status: answer.statusCode, headers: answer.headers, body: isJson ? answer.json() : answer.body }
    },
  }
}

function isSentAsIs(body: unknown): body is string | Buffer {
  return typeof body === 'string' || Buffer.isBuffer(body)
}
