import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { before, test } from 'node:test'
import { maxPublicBodyBytes, type Permission, permissions } from '@zonewright/contract'
import { type MemoryLimit, memoryLimits } from '#platform/http/request-limits.ts'
import { sql } from '#platform/postgres/index.ts'
import type { RateLimit } from '#platform/rates.ts'
import { tcpProxy } from '#testing/tcp-proxy.ts'
import { startTestApi, type TestAnswer, type TestApi } from '#testing/test-api.ts'

// Checks every route of every door with every kind of key and scope. The table repeats manually what the protocols define: a route that is missing
// here fails the first test.

/** What can be wrong with a request. */
type Fault =
  | 'no key'
  | 'bad key'
  | 'lacks permission'
  | 'zone not covered'
  | 'zone of another account'
  | 'outside limits'
  | 'other address'
  | 'rate limit'
  | 'plain HTTP'
  | 'database down'
  | 'body too large'
  | 'body cut'

interface Row {
  /** Any one of these permissions opens the route; `public`: it needs no key. */
  readonly opens: readonly Permission[] | 'public'
  /** A request that changes a name in a zone: a different name for each `n`, which ends with the labels of the zone. */
  call(zone: string, n: number): { path: string; method?: string; body?: string }
  /** The headers that send a key. */
  credentials(key: string): Record<string, string>
  /** A truncated body, for a route that reads one. */
  readonly cut: string
  /** The content of a response, in short: `200 good`. */
  outcome(answer: TestAnswer): string
  readonly ok: string
  readonly faults: Readonly<Record<Fault, string>>
}

const basic = (key: string) => ({ authorization: `Basic ${Buffer.from(`any:${key}`).toString('base64')}` })
const json = { 'content-type': 'application/json' }

const form = { 'content-type': 'application/x-www-form-urlencoded' }

const dyndns2: Omit<Row, 'call'> = {
  opens: ['records:write'],
  cut: 'hostname=n0.own.example.com&myip=192.0.2',
  credentials: basic,
  outcome: ({ status, body }) => `${status} ${/^\S+/.exec(body)?.[0]}`,
  ok: '200 good',
  faults: {
    'no key': '401 badauth',
    'bad key': '401 badauth',
    'lacks permission': '200 !yours',
    'zone not covered': '200 !yours',
    'zone of another account': '200 nohost',
    'outside limits': '200 !yours',
    'other address': '403 badauth',
    'rate limit': '429 abuse',
    'plain HTTP': '403 badauth',
    'database down': '200 911',
    'body too large': '413 dnserr',
    'body cut': '200 dnserr',
  },
}

/** Doors that report the status of the API. */
const statuses: Row['faults'] = {
  'no key': '401',
  'bad key': '401',
  'lacks permission': '403',
  'zone not covered': '403',
  'zone of another account': '404',
  'outside limits': '403',
  'other address': '403',
  'rate limit': '429',
  'plain HTTP': '403',
  'database down': '503',
  'body too large': '413',
  'body cut': '400',
}

const challenge = (n: number) => String(n).padStart(43, 'x')
const httpreq = (path: string): Row => ({
  opens: ['records:write', 'acme:dns01'],
  cut: '{"fqdn":"_acme-challenge.n0.own.example.com.","value":"x',
  credentials: (key) => ({ ...json, ...basic(key) }),
  call: (zone, n) => ({
    method: 'POST',
    path,
    body: JSON.stringify({ fqdn: `_acme-challenge.n${n}.${zone}.`, value: challenge(n) }),
  }),
  outcome: ({ status }) => String(status),
  ok: '200',
  faults: statuses,
})

const open: Omit<Row, 'call' | 'ok'> = {
  opens: 'public',
  cut: '',
  credentials: basic,
  outcome: ({ status }) => String(status),
  faults: statuses,
}

const table: Readonly<Record<string, Row>> = {
  dyndns2Update: { ...dyndns2, call: (zone, n) => ({ path: `/nic/update?hostname=n${n}.${zone}&myip=192.0.2.1` }) },
  dyndns2UpdateV3: { ...dyndns2, call: (zone, n) => ({ path: `/v3/update?hostname=n${n}.${zone}&myip=192.0.2.1` }) },
  checkIp: { ...open, ok: '200', call: () => ({ path: '/checkip' }) },
  httpreqPresent: httpreq('/acme/present'),
  httpreqCleanup: httpreq('/acme/cleanup'),
  acmeDnsUpdate: {
    opens: ['records:write', 'acme:dns01'],
    cut: '{"subdomain":"n0.own.example.com","txt":"',
    credentials: (key) => ({ ...json, 'x-api-user': 'any', 'x-api-key': key }),
    call: (zone, n) => ({
      method: 'POST',
      path: '/acme-dns/update',
      body: JSON.stringify({ subdomain: `n${n}.${zone}`, txt: challenge(n) }),
    }),
    outcome: ({ status, body }) => `${status} ${body.error ?? 'ok'}`,
    ok: '200 ok',
    faults: {
      'no key': '401 forbidden',
      'bad key': '401 forbidden',
      'lacks permission': '403 forbidden',
      'zone not covered': '403 forbidden',
      'zone of another account': '404 not_found',
      'outside limits': '403 forbidden',
      'other address': '403 forbidden',
      'rate limit': '429 rate_limited',
      'plain HTTP': '403 forbidden',
      'database down': '503 db_error',
      'body too large': '413 payload_too_large',
      'body cut': '400 malformed_json_payload',
    },
  },
  acmeDnsRegister: { ...open, ok: '403', call: () => ({ method: 'POST', path: '/acme-dns/register' }) },
  connectSettings: { ...open, ok: '200', call: () => ({ path: `/v2/${shared}/settings` }) },
  connectTemplate: {
    ...open,
    ok: '200',
    call: () => ({ path: '/v2/domainTemplates/providers/service.example/services/open' }),
  },
  connectApply: {
    ...open,
    ok: '302',
    call: (zone) => ({ path: `/v2/domainTemplates/providers/service.example/services/open/apply?domain=${zone}` }),
  },
  acmeDnsHealth: { ...open, ok: '200', call: () => ({ path: '/acme-dns/health' }) },
}

const api = await startTestApi()
const { url } = api.database
const { db } = api.database
const owner = await api.account('owner@example.net')
const stranger = await api.account('stranger@example.net')
const rows = Object.entries(table)
const keyed = rows.filter(([, { opens }]) => opens !== 'public')
const [own, other, shared, foreign] = [
  'own.example.com',
  'other.example.com',
  'shared.example.org',
  'foreign.example.org',
]

before(async () => {
  for (const name of [own, other]) await api.zone(owner, name)
  for (const name of [shared, foreign]) await api.zone(stranger, name)
  // Changes of a pending zone do not wait for the nameservers, which this test lacks. A shared zone is live.
  await sql`update zones set state = 'pending' where name in (${own}, ${other})`.execute(db)
  await sql`insert into zone_managers (zone_id, account_id) select id, ${owner} from zones where name = ${shared}`.execute(
    db,
  )
})

let fresh = 0

/** The outcome of a request, and whether it has changed a record. */
async function knock(row: Row, zone: string, headers: Record<string, string>, at: TestApi = api) {
  const { path, method = 'GET', body } = row.call(zone, ++fresh)
  const before = await versions()
  const answer = await at.call(method, path, {
    prefix: '',
    headers,
    ...(body !== undefined && { body }),
  })
  return { outcome: row.outcome(answer), hasChanged: (await versions()) !== before, answer }
}

async function versions(): Promise<string | undefined> {
  const { rows } = await sql<{ sum: string }>`select sum(version) as sum from zones`.execute(db)
  return rows[0]?.sum
}

/** Checks each row with a key: its outcome, and that a refused request changes nothing. */
async function all(expected: (row: Row) => string, zone: string, key: string | undefined, at?: TestApi): Promise<void> {
  for (const [id, row] of keyed) {
    const headers = key === undefined ? without(row) : row.credentials(key)
    const { outcome, hasChanged } = await knock(row, zone, headers, at)
    assert.equal(outcome, expected(row), `${id} in ${zone}`)
    if (expected(row) !== row.ok) assert.equal(hasChanged, false, id)
  }
}

/** Sends a different body to each row with a key, which must have the outcome of a fault and change nothing. */
async function allWithBody(kind: Fault, bodyOf: (row: Row, maxBytes: number) => string): Promise<void> {
  const key = await api.key(owner)
  const before = await versions()
  for (const [id, row] of keyed) {
    const { maxBodyBytes } = api.server.doorRoutes.find((route) => route.id === id) ?? assert.fail()
    const path = row.call(own, ++fresh).path.split('?')[0] ?? ''
    const headers = { ...form, ...row.credentials(key) }
    const answer = await api.call('POST', path, { prefix: '', headers, body: bodyOf(row, maxBodyBytes) })
    assert.equal(row.outcome(answer), row.faults[kind], id)
  }
  assert.equal(await versions(), before)
}

/** The headers of a row without those of its key. */
function without(row: Row): Record<string, string> {
  const { authorization: _, 'x-api-key': __, ...rest } = row.credentials('')
  return rest
}

const ok = (row: Row): string => row.ok
const fault = (kind: Fault) => (row: Row) => row.faults[kind]

test('every route of a door has a row here, and every row has a route', () => {
  // PowerDNS routes have only live zones, and their own table (powerdns-door/who-may-call.test.ts).
  const here = api.server.doorRoutes.filter(({ id }) => !id.startsWith('powerdns'))
  assert.deepEqual(here.map(({ id }) => id).sort(), Object.keys(table).sort())
})

test('every body has a limit, which is small for public routes', () => {
  for (const { id, maxBodyBytes, who } of api.server.doorRoutes) {
    assert.ok(maxBodyBytes <= 16 * 1024 * 1024, id)
    if (who === 'public') assert.ok(maxBodyBytes <= maxPublicBodyBytes, id)
  }
})

test('a public route needs no key and ignores one', async () => {
  for (const [id, row] of rows.filter(([, { opens }]) => opens === 'public'))
    for (const headers of [{}, basic('svc_live_x'), basic(await api.key(owner))])
      assert.equal((await knock(row, own, headers)).outcome, row.ok, id)
})

test('without a key', () => all(fault('no key'), own, undefined))

test('with a key that is mistyped, revoked or expired, or of a deleted account', async () => {
  const revoked = await api.key(owner, { name: 'revoked' })
  await sql`update api_keys set revoked_at = app_now() where name = 'revoked'`.execute(db)
  const expired = await api.key(owner, { name: 'expired', expiresIn: '30d' })
  await sql`update api_keys set expires_at = app_now() - interval '1 s' where name = 'expired'`.execute(db)
  const gone = await api.account('gone@example.net')
  const orphan = await api.key(gone)
  await sql`update accounts set deleted_at = app_now(), deleted_email = email, email = 'deleted:' || id where id = ${gone}`.execute(
    db,
  )
  const good = await api.key(owner)
  const typed = good.slice(0, 20) + (good[20] === 'a' ? 'b' : 'a') + good.slice(21)
  for (const key of [typed, revoked, expired, orphan, 'x', 'svc_live_']) await all(fault('bad key'), own, key)
})

test('a session opens no door', async () => {
  for (const [id, row] of keyed) {
    const { outcome } = await knock(row, own, { ...without(row), cookie: 'zonewright.session_token=x' })
    assert.equal(outcome, row.faults['no key'], id)
  }
})

test('each permission opens exactly its own doors', async () => {
  for (const permission of permissions) {
    const key = await api.key(owner, { permissions: [permission] })
    for (const [id, row] of keyed) {
      const opens = row.opens.includes(permission)
      const { outcome, hasChanged } = await knock(row, own, row.credentials(key))
      assert.equal(outcome, opens ? row.ok : row.faults['lacks permission'], `${id} with ${permission}`)
      if (!opens) assert.equal(hasChanged, false, id)
    }
  }
})

test('a key covers the zones of its scope', async () => {
  const everything = await api.key(owner)
  const write: readonly Permission[] = ['records:write']
  const ofOwn = await api.key(owner, { permissions: write, picks: [own] })
  await all(ok, own, everything)
  await all(ok, other, everything)
  await all(fault('zone not covered'), shared, everything)
  await all(fault('zone of another account'), foreign, everything)
  await all(fault('zone of another account'), 'hosted.nowhere.example', everything)
  await all(ok, own, ofOwn)
  await all(fault('zone not covered'), other, ofOwn)
  await all(fault('zone of another account'), foreign, ofOwn)
  await all(fault('zone of another account'), own, await api.key(stranger))
})

test('a key with limits changes what they cover', async () => {
  const limits = [{ zone: own, names: ['*.in'], types: ['A', 'TXT'] }]
  const key = await api.key(owner, { permissions: ['records:write'], picks: [own], limits })
  await all(ok, `in.${own}`, key)
  await all(fault('outside limits'), own, key)
  await all(fault('outside limits'), `out.${own}`, key)
  await all(fault('zone not covered'), other, key)
})

test('a key for other addresses', async () =>
  all(fault('other address'), own, await api.key(owner, { addresses: ['203.0.113.9/32'] })))

test('a key that has used up its minute', async () => {
  const limited = await startTestApi({ databaseUrl: url, requestsPerMinute: 1 })
  for (const [id, row] of keyed) {
    const headers = row.credentials(await api.key(owner))
    assert.equal((await knock(row, own, headers, limited)).outcome, row.ok, id)
    const { outcome, hasChanged, answer } = await knock(row, own, headers, limited)
    assert.deepEqual([outcome, hasChanged], [row.faults['rate limit'], false], id)
    assert.ok(Number(answer.headers['retry-after']) > 0, id)
  }
})

test('a key that arrives over plain HTTP where there is TLS', async () => {
  const secure = await startTestApi({
    databaseUrl: url,
    publicUrl: 'https://dns.example.net',
    trustedProxies: ['127.0.0.1'],
  })
  const key = await api.key(owner, { name: 'in the clear' })
  await all(fault('plain HTTP'), own, key, secure)
  const { rows: entries } = await sql`
    select from audit_log where action = 'key.sent_in_clear' and actor_name = 'in the clear'`.execute(db)
  assert.equal(entries.length, 1)
  for (const [id, row] of keyed) {
    const headers = { ...row.credentials(key), 'x-forwarded-proto': 'https' }
    assert.equal((await knock(row, own, headers, secure)).outcome, row.ok, id)
  }
})

test('a database that is down', async () => {
  const proxy = await tcpProxy(url)
  const cut = await startTestApi({ databaseUrl: proxy.url })
  const key = await api.key(owner)
  await all(ok, own, key, cut)
  proxy.shut()
  await all(fault('database down'), own, key, cut)
  proxy.open()
  await all(ok, own, key, cut)
  await proxy.close()
})

test('a public route while the database is down', async () => {
  const proxy = await tcpProxy(url)
  const cut = await startTestApi({ databaseUrl: proxy.url })
  proxy.shut()
  for (const [id, row] of rows.filter(([, { opens }]) => opens === 'public'))
    assert.equal((await knock(row, own, {}, cut)).outcome, id === 'connectSettings' ? '503' : row.ok, id)
  await proxy.close()
})

test('requests to public routes and guesses of keys count toward the limit of their network', async () => {
  const limits = Object.fromEntries(
    Object.entries(memoryLimits).map(([name, limit]) => [name, { ...limit, most: name === 'address' ? 2 : 1_000_000 }]),
  ) as Record<MemoryLimit, RateLimit>
  for (const [id, row] of rows.filter(([id]) => id !== 'checkIp')) {
    const limited = await startTestApi({ databaseUrl: url, limits })
    const headers = row.opens === 'public' ? {} : row.credentials('svc_live_x')
    const outcomes: number[] = []
    for (let i = 0; i < 3; i++) outcomes.push((await knock(row, own, headers, limited)).answer.status)
    assert.equal(outcomes[2], 429, `${id}: ${outcomes.join()}`)
    assert.notEqual(outcomes[1], 429, id)
  }
})

test('a body that is too large or truncated', async () => {
  await allWithBody('body too large', (_, maxBytes) => 'x'.repeat(maxBytes + 1))
  await allWithBody('body cut', ({ cut }) => cut)
})

test('a connection that ends within a body changes nothing', async () => {
  await api.server.fastify.listen({ host: '127.0.0.1', port: 0 })
  const { port } = api.server.fastify.server.address() as AddressInfo
  const key = await api.key(owner)
  const before = await versions()
  for (const [, row] of keyed) {
    const { path, body = 'hostname=cut.own.example.com&myip=192.0.2.1' } = row.call(own, ++fresh)
    const headers = { ...form, ...row.credentials(key), host: 'dns.example.net', 'content-length': body.length + 1 }
    const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    const socket = connect(port, '127.0.0.1')
    // Sends all but the last byte.
    socket.end(`POST ${path.split('?')[0]} HTTP/1.1\r\n${head.join('')}\r\n${body}`)
    socket.resume()
    await once(socket, 'close')
  }
  assert.equal(await versions(), before)
})

test('a repeated request is answered again and applied once', async () => {
  const key = await api.key(owner)
  for (const [id, row] of keyed) {
    const once = { ...row, call: (zone: string) => row.call(zone, 1_000_000) }
    const first = await knock(once, own, row.credentials(key))
    const again = await knock(once, own, row.credentials(key))
    const same = id.startsWith('dyndns2') ? '200 nochg' : row.ok
    // The value to remove does not exist, and both paths of dyndns2 lead to one name.
    assert.equal(first.outcome, id === 'dyndns2UpdateV3' ? same : row.ok, id)
    assert.deepEqual([again.outcome, again.hasChanged], [same, false], id)
  }
})
