import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { type OutsideKind, outsideCallsPerMinute, type Route, routes } from '@zonewright/contract'
import { createPaystack } from '#adapters/paystack/index.ts'
import { mountDashboard } from '#http/dashboard-routes.ts'
import { mountReference } from '#http/reference/mount-reference.ts'
import { startTestApi, type TestAnswer, type TestApi, testReceiver } from '#testing/test-api.ts'
import { TestPerson } from '#testing/test-person.ts'
import { newSecret } from '../../modules/api-keys/key-secret.ts'
import { createMetrics } from '../figures/metrics.ts'
import type { RateLimit } from '../rates.ts'
import { mountHealth, mountMetrics } from './operator-routes.ts'
import { type MemoryLimit, memoryLimits, RequestLimits } from './request-limits.ts'

const outsideKinds = Object.keys(outsideCallsPerMinute) as OutsideKind[]

type Limits = Readonly<Record<MemoryLimit, RateLimit>>

/** The real limits without their paces, and with other numbers where these are given. */
function limitsOf(most: Partial<Record<MemoryLimit, number>> = {}): Limits {
  const entries = Object.entries(memoryLimits) as [MemoryLimit, RateLimit][]
  return Object.fromEntries(
    entries.map(([name, { pace: _, ...limit }]) => [name, { ...limit, most: most[name] ?? limit.most }]),
  ) as Limits
}

const secretKey = 'sk_test_limits'
const payments = createPaystack({ url: 'http://127.0.0.1:9', secretKey })
after(() => payments.close())
const trustedProxies = ['127.0.0.1']
const real = await startTestApi({ limits: limitsOf(), requestsPerMinute: 300, trustedProxies })
const most = { address: 12, file: 20, dns: 4, check: 3, quote: 3, registry: 7, receiver: 3 } as const
const small = await startTestApi({ limits: limitsOf(most), payments, trustedProxies })
const direct = await startTestApi({ limits: limitsOf(most) })
mountReference(small.server)
mountDashboard(small.server, await builtDashboard())
mountHealth(small.server.fastify, { ready: () => ({ reads: 'ok', writes: 'ok', since: new Date() }) })
mountMetrics(small.server.fastify, { metrics: createMetrics() })

/** A folder like the one that the dashboard's build creates. */
async function builtDashboard(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'zonewright-dashboard-'))
  after(() => rm(folder, { recursive: true }))
  await mkdir(join(folder, 'assets'))
  await writeFile(join(folder, 'index.html'), '<!doctype html>')
  for (const ending of ['', '.br', '.gz']) await writeFile(join(folder, 'assets', `main.js${ending}`), '')
  return folder
}

/** Makes this many calls at once, and returns how many times each status occurred. */
async function statuses(count: number, call: (n: number) => Promise<TestAnswer>): Promise<Record<number, number>> {
  const answers = await Promise.all(Array.from({ length: count }, (_, n) => call(n)))
  for (const answer of answers) if (answer.status === 429) checkRefusal(answer)
  const counted: Record<number, number> = {}
  for (const { status } of answers) counted[status] = (counted[status] ?? 0) + 1
  return counted
}

/** A refusal has the envelope, and says when to try again. */
function checkRefusal({ headers, body }: TestAnswer): void {
  assert.equal(body.error.code, 'rate_limited')
  assert.match(body.error.message, /\d+ .* within a minute\. Try again in \d+ s\.$/)
  assert.match(body.error.request_id, /^req_/)
  const seconds = Number(headers['retry-after'])
  assert.ok(Number.isInteger(seconds) && seconds >= 1 && seconds <= 60, String(headers['retry-after']))
  assert.match(String(headers['ratelimit-policy']), /^"minute";q=\d+;w=60$/)
  assert.match(String(headers['ratelimit']), /^"minute";r=0;t=\d+$/)
}

let networks = 0
/** An address that has not been used yet. */
const fresh = (): string => `198.51.${100 + (networks >> 8)}.${++networks & 255}`

const from = (address: string, headers: Record<string, string> = {}) => ({
  headers: { 'x-forwarded-for': address, ...headers },
})

test('a session can make 600 requests a minute; other sessions and keys of the account have their own limits', async () => {
  const person = await TestPerson.signedIn(real, 'ada@example.net')
  const ask = () => person.call('GET', '/account')
  const first = await ask()
  assert.equal(first.headers['ratelimit-policy'], '"minute";q=600;w=60')
  const left = Number(/^"minute";r=(\d+);t=\d+$/.exec(String(first.headers['ratelimit']))?.[1])
  assert.ok(left <= 599)
  assert.deepEqual(await statuses(left + 50, ask), { 200: left, 429: 50 })
  assert.equal((await person.call('GET', '/zones')).status, 429, 'all calls are counted together')
  assert.equal((await person.auth('GET', '/get-session')).status, 429, 'and better-auth’s with them')
  const other = new TestPerson(real, 'ada@example.net')
  assert.equal((await other.signIn()).status, 200)
  assert.equal((await other.call('GET', '/account')).status, 200)
  const key = await real.key((await other.call('GET', '/account')).body.id)
  assert.equal((await real.call('GET', '/zones', { key })).status, 200)
})

test('an address can make 600 requests a minute without a key; after that, requests with a key still pass', async () => {
  const address = fresh()
  assert.deepEqual(await statuses(650, () => real.call('GET', '/zones', from(address))), { 401: 600, 429: 50 })
  const key = await real.key(await real.account('keyholder@example.net'))
  assert.equal((await real.call('GET', '/zones', { key, ...from(address) })).status, 200)
  assert.equal((await real.call('GET', '/zones', from(fresh()))).status, 401)
})

test('refusing a session does not use the database', async () => {
  const person = await TestPerson.signedIn(real, 'grace@example.net')
  await statuses(600, () => person.call('GET', '/account'))
  const taken = await Promise.all(Array.from({ length: 13 }, () => real.database.pool.connect()))
  try {
    assert.deepEqual(await statuses(20, () => person.call('GET', '/zones')), { 429: 20 })
  } finally {
    for (const connection of taken) connection.release()
  }
})

const strangers: Readonly<Record<string, (address: string, n: number) => Promise<TestAnswer>>> = {
  'a request without a key': (address) => small.call('GET', '/account', from(address)),
  'an Authorization header of another scheme': (address) =>
    small.call('GET', '/zones', from(address, { authorization: 'Basic YTpi' })),
  'a mistyped key': (address) => small.call('GET', '/zones', { key: 'svc_live_mistyped', ...from(address) }),
  'keys that do not exist': (address) => small.call('GET', '/zones', { key: newSecret(), ...from(address) }),
  'a forged session cookie': (address) =>
    small.call('GET', '/zones', from(address, { cookie: `zonewright.session_token=abc.${'A'.repeat(43)}%3D` })),
  'get-session with a forged cookie': (address, n) =>
    small.call('GET', '/get-session', {
      prefix: '/api/auth',
      ...from(address, { cookie: `zonewright.session_token=abc${n}.${'A'.repeat(43)}%3D` }),
    }),
  'get-session without a cookie': (address) =>
    small.call('GET', '/get-session', { prefix: '/api/auth', ...from(address) }),
  'password resets': (address, n) =>
    small.call('POST', '/request-password-reset', {
      prefix: '/api/auth',
      body: { email: `nobody${n}@example.net` },
      ...from(address),
    }),
  'the OpenAPI document': (address) => small.call('GET', '/openapi.json', from(address)),
  'the reference page': (address) => small.call('GET', '/reference', from(address)),
  'the figures': (address) => small.call('GET', '/metrics', { prefix: '', ...from(address) }),
  'the home page': (address) => small.call('GET', '/', { prefix: '', ...from(address) }),
  'pay links': (address, n) => small.call('GET', `/pay/guess${n}`, from(address)),
  'payments by link': (address) => small.call('POST', '/pay/guess/checkout', { body: {}, ...from(address) }),
  'paths where nothing is': (address, n) => small.call('GET', `/nothing/${n}`, from(address)),
  'methods that a path does not take': (address) => small.call('DELETE', '/zones', from(address)),
  'callbacks that the gateway did not sign': (address) =>
    small.call('POST', '/gateway/paystack', {
      body: { event: 'charge.success' },
      ...from(address, { 'x-paystack-signature': 'ab'.repeat(64) }),
    }),
}

for (const [what, call] of Object.entries(strangers))
  test(`an address is limited: ${what}`, async () => {
    const address = fresh()
    const counted = await statuses(most.address + 8, (n) => call(address, n))
    assert.equal(counted[429], 8, JSON.stringify(counted))
    // After that, any request from it is refused.
    assert.equal((await small.call('GET', '/openapi.json', from(address))).status, 429)
  })

test('requests with an ended session count toward the address: one sign-in does not buy 600 requests forever', async () => {
  const person = await TestPerson.signedIn(apiFrom(small, fresh()), 'ended@example.net')
  const cookie = [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  assert.equal((await person.auth('POST', '/sign-out')).status, 200)
  const address = fresh()
  const counted = await statuses(most.address + 8, () => small.call('GET', '/zones', from(address, { cookie })))
  assert.deepEqual(counted, { 401: most.address, 429: 8 })
})

test('a site that uses a new IPv6 network for each request reaches its own limit, and other sites do not', async () => {
  const limits = new RequestLimits(
    { signedSession: () => undefined, limits: limitsOf({ address: 12, site: 40 }) },
    createMetrics(),
    new AbortController().signal,
  )
  const admitted = async (addresses: readonly string[]): Promise<number> => {
    const outcomes = await Promise.allSettled(addresses.map((address) => limits.admit({ cookie: undefined, address })))
    return outcomes.filter(({ status }) => status === 'fulfilled').length
  }
  const networksOf = (site: string) => Array.from({ length: 50 }, (_, n) => `${site}:${n.toString(16)}::1`)
  assert.equal(await admitted(networksOf('2001:db8:77')), 40)
  assert.equal(await admitted(['2001:db8:77:ffff::1', '2001:DB8:77:0:1::']), 0)
  assert.equal(await admitted(networksOf('2001:db8:78')), 40)
  // IPv4 has no sites: each address is counted separately.
  assert.equal(await admitted(Array.from({ length: 50 }, (_, n) => `203.0.113.${n}`)), 50)
  assert.equal(await admitted(Array.from({ length: 50 }, (_, n) => `::ffff:203.0.114.${n}`)), 50)
})

test('addresses of one IPv6 network share a limit, the next network has its own, and all IPv4 notations count together', async () => {
  const ask = (address: string) => small.call('GET', '/zones', from(address))
  assert.deepEqual(await statuses(most.address + 3, (n) => ask(`2001:db8:5:6::${n + 1}`)), {
    401: most.address,
    429: 3,
  })
  assert.equal((await ask('2001:db8:5:6:ffff:ffff:ffff:ffff')).status, 429)
  assert.equal((await ask('2001:db8:5:7::1')).status, 401)
  const address = fresh()
  await statuses(most.address, () => ask(address))
  assert.equal((await ask(`::ffff:${address}`)).status, 429)
})

test('only a trusted proxy can name the client in X-Forwarded-For', async () => {
  const counted = await statuses(most.address + 5, (n) => direct.call('GET', '/zones', from(`203.0.113.${n}`)))
  assert.deepEqual(counted, { 401: most.address, 429: 5 })
})

test('files of the dashboard are counted separately, for the address, whether or not someone is signed in', async () => {
  const person = await TestPerson.signedIn(apiFrom(small, fresh()), 'files@example.net')
  const cookie = [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const address = fresh()
  const load = (n: number) =>
    small.call('GET', n % 2 === 0 ? '/app/' : '/app/assets/main.js', {
      prefix: '',
      ...from(address, n % 3 === 0 ? { cookie } : {}),
    })
  assert.deepEqual(await statuses(most.file + 5, load), { 200: most.file, 429: 5 })
  assert.equal((await small.call('GET', '/zones', from(address))).status, 401, 'other requests are not refused for it')
  assert.equal((await person.call('GET', '/account')).status, 200)
})

test('load balancers are never refused', async () => {
  const address = fresh()
  for (const path of ['/healthz', '/readyz'])
    assert.deepEqual(
      await statuses(3 * most.address, () => small.call('GET', path, { prefix: '', ...from(address) })),
      {
        200: 3 * most.address,
      },
    )
})

test('signed callbacks of the gateway are always accepted, however many come and whatever else their address sends', async () => {
  const address = fresh()
  const body = JSON.stringify({ event: 'unknown', data: {} })
  const signature = createHmac('sha512', secretKey).update(body).digest('hex')
  const tell = (signed: string) =>
    small.call('POST', '/gateway/paystack', {
      body,
      ...from(address, { 'content-type': 'application/json', 'x-paystack-signature': signed }),
    })
  assert.deepEqual(await statuses(most.address + 5, () => tell('00')), { 403: most.address, 429: 5 })
  assert.deepEqual(await statuses(3 * most.address, () => tell(signature)), { 200: 3 * most.address })
})

/** A well-formed call to each route that contacts outside servers: its path, and its body. */
const outsideCalls: Readonly<Record<string, { path: string; body?: unknown }>> = {
  getPropagation: { path: '/zones/ZONE/propagation' },
  setSecondaries: { path: '/zones/ZONE/secondaries', body: { secondaries: [] } },
  checkDelegation: { path: '/zones/ZONE/delegation/check' },
  getRegistrar: { path: '/zones/ZONE/registrar' },
  getChecklist: { path: '/zones/ZONE/checklist' },
  verifyZone: { path: '/zones/ZONE/verify' },
  readConnectRequest: {
    path: '/domain-connect/requests',
    body: { request: '/v2/domainTemplates/providers/example.net/services/none/apply?domain=example.com' },
  },
  checkDomains: { path: '/domains/check', body: { names: ['free.test'] } },
  createQuote: { path: '/quotes', body: { kind: 'register', name: 'free.test' } },
  setNameservers: {
    path: '/domains/none.test/nameservers',
    body: { nameservers: ['ns1.example.net', 'ns2.example.net'] },
  },
  lockDomain: { path: '/domains/none.test/lock' },
  unlockDomain: { path: '/domains/none.test/unlock', body: {} },
  revealTransferCode: { path: '/domains/none.test/transfer-code', body: {} },
  setContacts: { path: '/domains/none.test/contacts', body: { contact_id: 'con_none' } },
  approveTransferOut: { path: '/domains/none.test/transfer-out/approve' },
  rejectTransferOut: { path: '/domains/none.test/transfer-out/reject' },
  createWebhook: { path: '/webhooks', body: { url: testReceiver } },
  changeWebhook: { path: '/webhooks/whe_none', body: { url: testReceiver } },
  testWebhook: { path: '/webhooks/whe_none/test' },
}

test('every route that contacts outside servers is marked', () => {
  const marked = routes.filter(({ outside }) => outside !== undefined).map(({ id }) => id)
  assert.deepEqual(marked.toSorted(), Object.keys(outsideCalls).toSorted())
})

for (const kind of ['dns', 'check', 'quote', 'registry', 'receiver'] as const)
  test(`an account’s calls to outside servers are limited, by key and by session together: ${kind}`, async () => {
    const mine = await owner(small, `${kind}@example.net`)
    const ofKind = routesOf(kind)
    const call = (n: number) =>
      callOutside(small, ofKind[n % ofKind.length] as Route, { ...mine, key: n % 2 === 1 ? mine.key : undefined })
    for (let n = 0; n < most[kind]; n++) assert.notEqual((await call(n)).status, 429, `call ${n}`)
    for (let n = 0; n < 2 * ofKind.length; n++) {
      const answer = await call(n)
      assert.equal(answer.status, 429, `${n}: ${JSON.stringify(answer.body)}`)
      checkRefusal(answer)
    }
    for (const other of outsideKinds.filter((one) => one !== kind))
      assert.notEqual(
        (await callOutside(small, routesOf(other)[0] as Route, mine)).status,
        429,
        `${other} is counted by itself`,
      )
    const other = await owner(small, `other-than-${kind}@example.net`)
    assert.notEqual((await callOutside(small, ofKind[0] as Route, other)).status, 429, 'so is another account')
  })

function routesOf(kind: OutsideKind): Route[] {
  return routes.filter(({ outside }) => outside === kind)
}

/** The API, called from the given address. */
function apiFrom(api: TestApi, address: string): TestApi {
  return {
    ...api,
    call: (method, path, options) => api.call(method, path, { ...options, ...from(address, options?.headers) }),
  }
}

/** A person with a live zone and a key. */
async function owner(api: TestApi, email: string): Promise<{ person: TestPerson; key: string; zone: string }> {
  const person = await TestPerson.signedIn(apiFrom(api, fresh()), email)
  const { id } = (await person.call('GET', '/account')).body
  const { name } = await api.zone(id, `${email.replace('@', '.')}`)
  return { person, key: await api.key(id), zone: name }
}

/** Uses the key if the route accepts one, otherwise the session. */
function callOutside(
  api: TestApi,
  { id, method, who }: Route,
  { person, key, zone }: { person: TestPerson; key: string | undefined; zone: string },
): Promise<TestAnswer> {
  const { path, body } = outsideCalls[id] ?? assert.fail(`no call of ${id}`)
  const options = { ...(body === undefined ? {} : { body }), prefix: '/api/v1' }
  const own = path.replace('ZONE', zone)
  return key === undefined || who === 'session'
    ? person.call(method, own, options)
    : api.call(method, own, { key, ...options })
}

test('refusals are counted by the limit that was exceeded', async () => {
  const metrics = createMetrics()
  const options = { signedSession: () => 'token', limits: limitsOf({ session: 1, dns: 1 }) }
  const limits = new RequestLimits(options, metrics, new AbortController().signal)
  const stranger = { cookie: undefined, address: '192.0.2.1' }
  for (let n = 0; n < 3; n++) await limits.admit(stranger).catch(() => undefined)
  for (let n = 0; n < 2; n++) await limits.admitOutside('dns', 'account').catch(() => undefined)
  await limits.holdKey('secret')
  const shown = await metrics.metrics()
  for (const line of ['{limit="session"} 2', '{limit="dns"} 1', '{limit="key"} 1'])
    assert.ok(shown.includes(`zonewright_http_rate_limited_total${line}`), line)
  assert.ok(!shown.includes('192.0.2.1') && !shown.includes('token'), 'labels do not grow with callers')
})

test('a process that is stopping makes no request wait for its turn', async () => {
  const leaving = new AbortController()
  const limits = new RequestLimits({ signedSession: () => 'token' }, createMetrics(), leaving.signal)
  const burst = memoryLimits.session.pace?.burst ?? 0
  const asked = Array.from({ length: burst + 300 }, () => limits.admit({ cookie: 'x', address: '' }))
  leaving.abort()
  const began = performance.now()
  await Promise.all(asked)
  assert.ok(performance.now() - began < 1_000)
})
