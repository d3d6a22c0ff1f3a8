// Checks each route of the PowerDNS door with each kind of key.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { test } from 'node:test'
import { doorRoutes, type Permission, permissions } from '@zonewright/contract'
import { sql } from '#platform/postgres/index.ts'
import { tcpProxy } from '#testing/tcp-proxy.ts'
import { startTestApi, type TestAnswer, type TestApi } from '#testing/test-api.ts'

const api = await startTestApi()
const account = await api.account('owner@example.net')
const stranger = await api.account('stranger@example.net')
const zone = await api.zone(account, 'example.com')
const foreign = await api.zone(stranger, 'other.example')

const reads: Permission[] = ['records:read', 'acme:dns01']
const changes: Permission[] = ['records:write', 'acme:dns01']
const challenge = { name: '_acme-challenge.example.com.', type: 'TXT', changetype: 'DELETE' }

interface Row {
  /** Any one of these permissions opens the route; `any`: every key does. */
  readonly opens: readonly Permission[] | 'any'
  readonly status: number
  readonly body?: object
  /** A key with limits cannot call it. */
  readonly wholeZone?: true
}

/** What the design allows, by the ids and methods of routes. */
const table: Readonly<Record<string, Row>> = {
  'GET powerdnsVersions': { opens: 'any', status: 200 },
  'GET powerdnsServers': { opens: 'any', status: 200 },
  'GET powerdnsServer': { opens: 'any', status: 200 },
  'GET powerdnsConfig': { opens: 'any', status: 200 },
  'GET powerdnsStatistics': { opens: 'any', status: 200 },
  'GET powerdnsListZones': { opens: reads, status: 200 },
  'POST powerdnsCreateZone': { opens: ['zones:manage'], status: 409, body: { name: 'example.com.' } },
  'GET powerdnsGetZone': { opens: reads, status: 200 },
  'PATCH powerdnsPatchZone': { opens: changes, status: 204, body: { rrsets: [challenge] } },
  'PUT powerdnsPutZone': { opens: ['records:write'], status: 204, body: {}, wholeZone: true },
  'DELETE powerdnsDeleteZone': { opens: 'any', status: 403 },
  'PUT powerdnsNotify': { opens: ['records:read', ...changes], status: 200 },
  'PUT powerdnsRectify': { opens: ['records:read', 'records:write'], status: 200 },
  'GET powerdnsExportZone': { opens: ['records:read'], status: 200, wholeZone: true },
  'GET powerdnsListKeys': { opens: ['records:read'], status: 200 },
  'GET powerdnsGetKey': { opens: ['records:read'], status: 404 },
  'POST powerdnsCreateKey': { opens: 'any', status: 403 },
  'PUT powerdnsChangeKey': { opens: 'any', status: 403 },
  'DELETE powerdnsChangeKey': { opens: 'any', status: 403 },
  ...Object.fromEntries(
    ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].map((method) => [
      `${method} powerdnsOther`,
      { opens: 'any', status: 404 } as const,
    ]),
  ),
}

const calls = doorRoutes
  .filter(({ id }) => id.startsWith('powerdns'))
  .flatMap((route) => route.methods.map((method) => ({ ...route, method })))

async function statusOf(call: (typeof calls)[number], key: string | undefined, name = zone.name): Promise<number> {
  return (await answerTo(call, key, name)).status
}

async function answerTo(
  { id, method, path }: (typeof calls)[number],
  key: string | undefined,
  name = zone.name,
  { at = api, headers = {} }: { at?: TestApi; headers?: Record<string, string> } = {},
): Promise<TestAnswer> {
  const url = path.replace('{zone}', `${name}.`).replace('{key}', '1').replace('*', 'nothing')
  const body = table[`${method} ${id}`]?.body
  const options = { prefix: '', headers: { ...headers, ...(key !== undefined && { 'x-api-key': key }) } }
  return at.call(method, url, { ...options, ...(body && { body }) })
}

const secretOf = async (options: Parameters<typeof api.key>[1]) => api.key(account, options)

test('every route has a row', () => {
  assert.deepEqual(calls.map(({ id, method }) => `${method} ${id}`).sort(), Object.keys(table).sort())
})

for (const call of calls) {
  const row = table[`${call.method} ${call.id}`] as Row
  const ofZone = call.path.includes('{zone}')

  test(`${call.method} ${call.path} is open only to the keys that the design allows`, async () => {
    for (const permission of permissions) {
      const everywhere = await secretOf({ permissions: [permission] })
      const opens = row.opens === 'any' || row.opens.includes(permission)
      // A key for all zones that can only change challenges has nothing to list.
      const isListless = call.id === 'powerdnsListZones' && permission === 'acme:dns01'
      assert.equal(await statusOf(call, everywhere), opens && !isListless ? row.status : 403, permission)
    }
    assert.equal(await statusOf(call, await secretOf({})), row.status, 'every permission')
    for (const key of [undefined, 'svc_live_mistyped', await deadKey('revoked_at'), await deadKey('expires_at')])
      assert.equal(await statusOf(call, key), 401, String(key))
  })

  test(`${call.method} ${call.path} applies the zones and the limits of a key`, async () => {
    const own: Permission[] = ['records:read', 'records:write', 'acme:dns01']
    const closed = row.opens !== 'any' && !row.opens.some((permission) => own.includes(permission))
    const inScope = await secretOf({ zones: [zone.id], permissions: own })
    assert.equal(await statusOf(call, inScope), closed ? 403 : row.status)
    const limits = [{ zone: zone.name, names: ['_acme-challenge'], types: ['TXT'] }]
    const limited = await secretOf({ picks: [zone.name], limits, permissions: own })
    assert.equal(await statusOf(call, limited), closed || row.wholeZone ? 403 : row.status, 'limited')
    if (!ofZone) return
    assert.equal(await statusOf(call, await secretOf({ zones: [], permissions: own })), 403, 'another zone')
    assert.equal(await statusOf(call, await secretOf({}), foreign.name), 404, 'a zone of another account')
    assert.equal(await statusOf(call, await api.key(stranger)), 404, 'a key of another account')
  })
}

/** Checks that every route refuses a key with this status, as text, and changes nothing. */
async function allRefuse(
  status: number,
  key: string | undefined,
  options?: Parameters<typeof answerTo>[3],
): Promise<void> {
  const before = await versions()
  for (const call of calls) {
    const { status: got, headers } = await answerTo(call, key, zone.name, options)
    assert.deepEqual([got, headers['content-type']], [status, 'text/plain; charset=utf-8'], `${call.method} ${call.id}`)
    if (status === 429 || status === 503) assert.ok(Number(headers['retry-after']) > 0)
    if (status === 401) assert.equal(headers['www-authenticate'], 'Bearer')
  }
  assert.equal(await versions(), before)
}

async function versions(): Promise<string | undefined> {
  const { rows } = await sql<{ sum: string }>`select sum(version) as sum from zones`.execute(api.database.db)
  return rows[0]?.sum
}

test('refuses a key of a deleted account, from another address, or over plain HTTP where there is TLS', async () => {
  const gone = await api.account('gone@example.net')
  const orphan = await api.key(gone)
  await sql`update accounts set deleted_at = app_now(), deleted_email = email, email = 'deleted:' || id where id = ${gone}`.execute(
    api.database.db,
  )
  await allRefuse(401, orphan)
  await allRefuse(401, undefined, { headers: { cookie: 'zonewright.session_token=x' } })
  await allRefuse(403, await secretOf({ addresses: ['203.0.113.9/32'] }))
  const databaseUrl = api.database.url
  const secure = await startTestApi({
    databaseUrl,
    publicUrl: 'https://dns.example.net',
    trustedProxies: ['127.0.0.1'],
  })
  await allRefuse(403, await secretOf({ name: 'in the clear' }), { at: secure })
  const { rows: entries } = await sql`
    select from audit_log where action = 'key.sent_in_clear' and actor_name = 'in the clear'`.execute(api.database.db)
  assert.equal(entries.length, 1)
})

test('a repeated change is made once, and a change whose connection ends within its body is not made', async () => {
  const key = await secretOf({})
  const rrset = { name: 'again.example.com.', type: 'A', ttl: 300, changetype: 'REPLACE' }
  const body = JSON.stringify({ rrsets: [{ ...rrset, records: [{ content: '192.0.2.1', disabled: false }] }] })
  await api.server.fastify.listen({ host: '127.0.0.1', port: 0 })
  const { port } = api.server.fastify.server.address() as AddressInfo
  const path = '/api/v1/servers/localhost/zones/example.com.'
  const head = `host: dns.example.net\r\nx-api-key: ${key}\r\ncontent-length: ${body.length}\r\n`
  const before = await versions()
  const socket = connect(port, '127.0.0.1')
  socket.end(`PATCH ${path} HTTP/1.1\r\n${head}\r\n${body.slice(0, -1)}`)
  socket.resume()
  await once(socket, 'close')
  assert.equal(await versions(), before)
  const patch = () => api.call('PATCH', path, { prefix: '', headers: { 'x-api-key': key }, body })
  assert.equal((await patch()).status, 204)
  const after = await versions()
  assert.notEqual(after, before)
  assert.equal((await patch()).status, 204)
  assert.equal(await versions(), after)
})

test('a key that has used up its minute, and a database that is down', async () => {
  const limited = await startTestApi({ databaseUrl: api.database.url, requestsPerMinute: 1 })
  const used = await secretOf({})
  assert.equal((await limited.call('GET', '/zones', { key: used })).status, 200)
  await allRefuse(429, used, { at: limited })
  const proxy = await tcpProxy(api.database.url)
  const cut = await startTestApi({ databaseUrl: proxy.url })
  const key = await secretOf({})
  assert.equal((await cut.call('GET', '/servers/localhost', { key })).status, 200)
  proxy.shut()
  await allRefuse(503, key, { at: cut })
  proxy.open()
  await proxy.close()
})

test('only a key for which a shared zone was picked covers it', async () => {
  await sql`insert into zone_managers (zone_id, account_id) values (${foreign.id}, ${account})`.execute(api.database.db)
  for (const call of calls.filter(({ path }) => path.includes('{zone}'))) {
    const { status } = table[`${call.method} ${call.id}`] as Row
    assert.equal(await statusOf(call, await secretOf({}), foreign.name), 403, call.id)
    const picked = await secretOf({
      picks: [foreign.name],
      permissions: ['records:read', 'records:write', 'acme:dns01'],
    })
    const outside = call.id === 'powerdnsPatchZone' ? 422 : status
    assert.equal(await statusOf(call, picked, foreign.name), outside, call.id)
  }
})

/** A key that was revoked, or has expired. */
async function deadKey(column: 'revoked_at' | 'expires_at'): Promise<string> {
  const name = `dead ${column} ${Math.random()}`
  const secret = await secretOf({ name })
  await sql`update api_keys set ${sql.ref(column)} = app_now() - interval '1 second' where name = ${name}`.execute(
    api.database.db,
  )
  return secret
}
