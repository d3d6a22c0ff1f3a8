import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { buildResponse, parseMessage, parseRdata, Rcode, RrType, responseTo } from '@zonewright/dns'
import { startDnsServer } from '@zonewright/sandbox'
import { ZoneSource } from '#modules/primary/index.ts'
import { absolute } from '#modules/zones/index.ts'
import { sql } from '#platform/postgres/index.ts'
import { type SigningKey, signingKey } from '#testing/dns-door/test-door.ts'
import { startTestApi, testNameservers } from '#testing/test-api.ts'
import { TestPerson } from '#testing/test-person.ts'

/** A server that answers SOA queries with a serial; undefined: it does not know the zone. */
async function soaServer(): Promise<{ readonly address: string; serial: number | undefined }> {
  const server = await startDnsServer('127.0.0.1:0', async (wire) => {
    const query = parseMessage(wire)
    const name = query.questions[0]?.name
    if (name === undefined || now.serial === undefined)
      return buildResponse(wire, responseTo(query, { rcode: Rcode.REFUSED }))
    const data = parseRdata(RrType.SOA, `ns1.zonewright.test. hostmaster.zonewright.test. ${now.serial} 1 1 1 1`)
    return buildResponse(
      wire,
      responseTo(query, { aa: true, answers: [{ name, type: RrType.SOA, class: 1, ttl: 300, data }] }),
    )
  })
  const now: { readonly address: string; serial: number | undefined } = { address: server.address, serial: undefined }
  after(() => server.close())
  return now
}

const [ns1, ns2, secondary] = [await soaServer(), await soaServer(), await soaServer()]
const port = Number(secondary.address.split(':')[1])

const api = await startTestApi({ trustedTargets: [secondary.address] })
const { database } = api
await sql`insert into nameservers (name, address, position) values
  ('ns1.zonewright.test', ${ns1.address}, 1), ('ns2.zonewright.test', ${ns2.address}, 2)`.execute(database.db)
const person = await TestPerson.secured(api, 'owner@example.net')
const owner: string = (await person.call('GET', '/account')).body.id
const stranger = await api.account('stranger@example.net')
const key = await signingKey(api, owner)
const strangersKey = await signingKey(api, stranger)

let zones = 0
const freshZone = () => api.zone(owner, `zone${++zones}.example.org`)

const wanted = (more: object = {}, by: SigningKey = key) => ({
  address: '127.0.0.1',
  port,
  key_id: by.id,
  ...more,
})
const put = (zone: string, ...secondaries: object[]) =>
  person.call('PUT', `/zones/${zone}/secondaries`, { body: { secondaries } })
const get = async (zone: string) => (await person.call('GET', `/zones/${zone}/secondaries`)).body.secondaries
const faultsOf = (body: { error: { details: { path: string; code: string }[] } }) =>
  body.error.details.map(({ path, code }) => `${path} ${code}`)

test('the owner saves a list, reads it back, and empties it', async () => {
  const { name } = await freshZone()
  assert.deepEqual(await get(name), [])
  const saved = await put(name, wanted())
  assert.equal(saved.status, 200)
  assert.deepEqual(saved.body.secondaries, await get(name))
  const [{ key_name, ...shown }] = saved.body.secondaries
  assert.equal(typeof key_name, 'string')
  assert.deepEqual(shown, {
    address: '127.0.0.1',
    port,
    key_id: key.id,
    ns_name: null,
    state: 'active',
    key_expires_at: null,
    notified_at: null,
    notify_outcome: null,
    read_at: null,
  })
  assert.equal((await put(name)).status, 200)
  assert.deepEqual(await get(name), [])
  const audit = await person.call('GET', `/audit-log?zone=${name}&action=zone.secondaries_changed`)
  assert.deepEqual(
    audit.body.data.map(({ summary }: { summary: string }) => summary),
    [`The secondaries of ${name} were removed`, `The secondaries of ${name} were set to 127.0.0.1`],
  )
})

test('a secondary cannot have an address that webhooks may not be sent to', async () => {
  const { name } = await freshZone()
  const private4 = ['127.0.0.1', '10.1.2.3', '172.16.0.1', '192.168.1.1', '169.254.169.254', '100.64.0.1', '0.0.0.0']
  const special4 = ['224.0.0.1', '255.255.255.255', '192.0.2.1', '198.18.0.1']
  const private6 = [
    '::1',
    '::',
    'fe80::1',
    'fc00::1',
    'ff02::1',
    '::ffff:8.8.8.8',
    '64:ff9b::a00:1',
    '2002:a00:1::',
    '2001:db8::1',
  ]
  for (const address of [...private4, ...special4, ...private6]) {
    const { status, body } = await put(name, wanted({ address, port: 53 }))
    assert.deepEqual([status, faultsOf(body)], [422, ['/secondaries/0/address not_public']], address)
  }
  assert.deepEqual(await get(name), [])
})

test('invalid bodies are refused and change nothing', async () => {
  const { name } = await freshZone()
  await put(name, wanted())
  const nine = Array.from({ length: 9 }, (_, i) => wanted({ address: `8.8.8.${i}` }))
  const bodies = [
    {},
    { secondaries: null },
    { secondaries: 'none' },
    { secondaries: nine },
    { secondaries: [{ address: '8.8.8.8' }] },
    { secondaries: [{ ...wanted(), port: 0 }] },
    { secondaries: [{ ...wanted(), port: 65_536 }] },
    { secondaries: [{ ...wanted(), port: '53' }] },
    { secondaries: [{ ...wanted(), state: 'active' }] },
    { secondaries: [{ ...wanted(), ns_name: 'a'.repeat(300) }] },
  ]
  for (const body of bodies)
    assert.equal((await person.call('PUT', `/zones/${name}/secondaries`, { body })).status, 422, JSON.stringify(body))
  assert.equal((await get(name)).length, 1)
})

test('a key that cannot transfer the zone is refused', async () => {
  const { name } = await freshZone()
  const other = await freshZone()
  const unsigned = await api.key(owner, { name: 'without a secret' })
  const { rows } = await sql<{ id: string }>`select id from api_keys where hint = ${unsigned.slice(-4)}`.execute(
    database.db,
  )
  const revoked = await signingKey(api, owner)
  await sql`update api_keys set revoked_at = app_now() where id = ${revoked.id}`.execute(database.db)
  const expired = await signingKey(api, owner, { expiresIn: '30d' })
  await sql`update api_keys set expires_at = app_now() where id = ${expired.id}`.execute(database.db)
  const limits = [{ zone: name, names: ['*', '@'], types: ['A'] }]
  const keys = {
    'of no one': 'key_0123456789abcdef',
    'not an id': '',
    'of another account': strangersKey.id,
    'without a TSIG secret': rows[0]?.id ?? '',
    revoked: revoked.id,
    expired: expired.id,
    limited: (await signingKey(api, owner, { picks: [name], limits, permissions: ['records:read'] })).id,
    'without records:read': (await signingKey(api, owner, { permissions: ['records:write'] })).id,
    'of another zone': (await signingKey(api, owner, { picks: [other.name], permissions: ['records:read'] })).id,
  }
  for (const [which, id] of Object.entries(keys)) {
    const { status, body } = await put(name, wanted({ key_id: id }))
    assert.deepEqual([status, faultsOf(body)], [422, ['/secondaries/0/key_id bad_key']], which)
  }
  const picked = await signingKey(api, owner, { picks: [name], permissions: ['records:read'] })
  assert.equal((await put(name, wanted({ key_id: picked.id }))).status, 200)
})

test('a secondary whose key ends is shown as cut off', async () => {
  const { id, name } = await freshZone()
  const stateWith = async (change: string): Promise<string> => {
    const ending = await signingKey(api, owner, { picks: [name], permissions: ['records:read'] })
    assert.equal((await put(name, wanted({}, ending))).body.secondaries[0].state, 'active')
    await sql.raw(change.replaceAll('KEY', `'${ending.id}'`).replaceAll('ZONE', `'${id}'`)).execute(database.db)
    return (await get(name))[0].state
  }
  for (const change of [
    'update api_keys set revoked_at = app_now() where id = KEY',
    'update api_keys set expires_at = app_now() where id = KEY',
    `update api_keys set permissions = '{records:write}' where id = KEY`,
    'update api_keys set is_limited = true where id = KEY',
    'delete from api_key_tsig where key_id = KEY',
    'delete from api_key_zones where key_id = KEY and zone_id = ZONE',
  ])
    assert.equal(await stateWith(change), 'cut_off', change)
  assert.equal(await stateWith(`update api_keys set name = 'other' where id = KEY`), 'active')
})

test('a secondary whose key ended stays in the list, and the others can be changed', async () => {
  const { name } = await freshZone()
  const ending = await signingKey(api, owner, { picks: [name], permissions: ['records:read'] })
  assert.equal((await put(name, wanted({}, ending))).status, 200)
  await sql`update api_keys set revoked_at = app_now() where id = ${ending.id}`.execute(database.db)
  const kept = await put(name, wanted({}, ending))
  assert.deepEqual([kept.status, kept.body.secondaries[0].state], [200, 'cut_off'])
  const other = await signingKey(api, owner, { picks: [name], permissions: ['records:read'] })
  await sql`update api_keys set revoked_at = app_now() where id = ${other.id}`.execute(database.db)
  const { status, body } = await put(name, wanted({}, other))
  assert.deepEqual([status, faultsOf(body)], [422, ['/secondaries/0/key_id bad_key']])
})

test('only the owner changes the list, and only in the dashboard', async () => {
  const zone = await freshZone()
  const manager = await TestPerson.secured(api, 'manager@example.net')
  const { id: managerId } = (await manager.call('GET', '/account')).body
  await sql`insert into zone_managers (zone_id, account_id) values (${zone.id}, ${managerId})`.execute(database.db)
  const path = `/zones/${zone.name}/secondaries`
  const body = { secondaries: [] }
  assert.equal((await manager.call('GET', path)).status, 200)
  assert.equal((await manager.call('PUT', path, { body })).status, 403)
  assert.equal((await api.call('PUT', path, { key: key.secret, body })).status, 403)
  assert.equal((await api.call('GET', path, { key: key.secret })).status, 200)
  assert.equal((await api.call('GET', path, { key: strangersKey.secret })).status, 404)
})

/** The NS records of a zone, as the nameservers fetch them. */
async function publishedHosts(zone: string): Promise<string[]> {
  const rrsets = await new ZoneSource(database.db).whole(absolute(zone))
  const ns = [...(rrsets ?? [])].find(({ name, type }) => type === RrType.NS && name === absolute(zone))
  return ns?.data.map((data) => new TextDecoder('latin1').decode(data).slice(1, 4)) ?? []
}

test('a name in the zone must have an address, and then belongs to the NS records and the expected delegation', async () => {
  const { id, name, serial } = await freshZone()
  const nsName = `ns3.${name}`
  const missing = await put(name, wanted({ ns_name: nsName }))
  assert.deepEqual([missing.status, faultsOf(missing.body)], [422, ['/secondaries/0/ns_name no_address']])
  const rrset = { ttl: 300, records: ['192.0.2.53'] }
  assert.equal((await person.call('PUT', `/zones/${name}/rrsets/ns3/A`, { body: rrset })).status, 201)
  const before = (await person.call('GET', `/zones/${name}`)).body
  assert.equal((await put(name, wanted({ ns_name: `NS3.${name}.` }))).status, 200)

  const expected = [...testNameservers, nsName]
  const ns = (await person.call('GET', `/zones/${name}/rrsets/@/NS`)).body
  assert.deepEqual([ns.managed, ns.records], [true, expected.map((host) => `${host}.`)])
  assert.deepEqual((await person.call('GET', `/zones/${name}/delegation`)).body.expected, expected)
  const exported = (await person.call('GET', `/zones/${name}/export`)).body
  assert.match(exported, /NS\s+ns3[.\s]/)

  const after = (await person.call('GET', `/zones/${name}`)).body
  assert.ok(after.serial > before.serial && before.serial > serial)
  assert.equal(after.version, before.version, 'it is no change of the records')
  const { rows } = await sql<{ from: string; to: string; removed: object[]; added: object[] }>`
    select from_serial as from, to_serial as to, removed, added from zone_journal where zone_id = ${id}
    order by to_serial desc limit 1`.execute(database.db)
  assert.deepEqual([Number(rows[0]?.from), Number(rows[0]?.to)], [before.serial, after.serial])
  assert.deepEqual(rows[0]?.added, [{ name, type: 'NS', ttl: 3_600, records: expected.map((host) => `${host}.`) }])

  // Saved again without a change of the names, the zone keeps its serial.
  await put(name, wanted({ ns_name: nsName }))
  assert.equal((await person.call('GET', `/zones/${name}`)).body.serial, after.serial)
  await put(name)
  assert.deepEqual((await person.call('GET', `/zones/${name}/delegation`)).body.expected, testNameservers)
  assert.ok((await person.call('GET', `/zones/${name}`)).body.serial > after.serial)
})

test('the address of a name in the zone can change, but not be deleted while the name is in the list', async () => {
  const { name } = await freshZone()
  const path = `/zones/${name}/rrsets/ns3`
  const records = (...values: string[]) => ({ body: { ttl: 300, records: values } })
  await person.call('PUT', `${path}/A`, records('192.0.2.53'))
  await put(name, wanted({ ns_name: `ns3.${name}` }))
  assert.equal((await person.call('PUT', `${path}/A`, records('192.0.2.54'))).status, 200)
  const deletions = [
    person.call('DELETE', `${path}/A`),
    person.call('PUT', `/zones/${name}/rrsets`, { body: { rrsets: [] } }),
    person.call('PATCH', `/zones/${name}/rrsets`, {
      body: {
        changes: [
          { name: 'ns3', type: 'A', records: [] },
          { name: 'ns3', type: 'CNAME', ttl: 300, records: ['www.example.net.'] },
        ],
      },
    }),
  ]
  for (const { status, body } of await Promise.all(deletions))
    assert.deepEqual(
      [status, body.error.details.map(({ code }: { code: string }) => code)],
      [422, ['secondary_address']],
    )
  await person.call('PUT', `${path}/AAAA`, records('2001:db8::53'))
  assert.equal((await person.call('DELETE', `${path}/A`)).status, 204)
  assert.equal((await person.call('DELETE', `${path}/AAAA`)).status, 422)
  await put(name, wanted())
  assert.equal((await person.call('DELETE', `${path}/AAAA`)).status, 204)
})

test('a zone is transferred with the names of its secondaries', async () => {
  const { name } = await freshZone()
  await person.call('PUT', `/zones/${name}/rrsets/abc/A`, { body: { ttl: 300, records: ['192.0.2.53'] } })
  await put(name, wanted({ ns_name: `abc.${name}` }))
  assert.deepEqual(await publishedHosts(name), ['ns1', 'ns2', 'abc'])
})

test('a name outside the zone must have an address', async () => {
  const { name } = await freshZone()
  const { status, body } = await put(name, wanted({ ns_name: 'ns3.elsewhere.test' }))
  assert.deepEqual([status, faultsOf(body)], [422, ['/secondaries/0/ns_name no_address']])
  const other = await freshZone()
  await person.call('PUT', `/zones/${other.name}/rrsets/ns/AAAA`, {
    body: { ttl: 300, records: ['2001:4860:4860::8888'] },
  })
  const listed = wanted({ ns_name: `ns.${other.name}` })
  assert.equal((await put(name, listed)).status, 200)
  // While it is in the list, it is not looked up again: its DNS may be down.
  await person.call('DELETE', `/zones/${other.name}/rrsets/ns/AAAA`)
  assert.equal((await put(name, listed)).status, 200)
  assert.equal((await put(name)).status, 200)
  assert.equal((await put(name, listed)).status, 422)
})

test('a zone above that is hosted here also delegates to the names of the secondaries', async () => {
  const above = await freshZone()
  const below = (await person.call('POST', '/zones', { body: { name: `child.${above.name}` } })).body
  assert.equal(below.state, 'live')
  await person.call('PUT', `/zones/${below.name}/rrsets/ns/A`, { body: { ttl: 300, records: ['192.0.2.53'] } })
  await put(below.name, wanted({ ns_name: `ns.${below.name}` }))
  const cut = async () => (await person.call('GET', `/zones/${above.name}/rrsets/child/NS`)).body.records.toSorted()
  assert.deepEqual(await cut(), [...testNameservers, `ns.${below.name}`].map((host) => `${host}.`).toSorted())
  await put(below.name)
  assert.deepEqual(
    await cut(),
    testNameservers.map((host) => `${host}.`),
  )
})

test('propagation shows the serial of a secondary, which never decides whether a change is replicated', async () => {
  const { name } = await freshZone()
  await put(name, wanted())
  const seen = async () => {
    const { replicated, secondaries } = (await person.call('GET', `/zones/${name}/propagation`)).body
    const [{ serial, in_sync, error }] = secondaries
    return { replicated, serial, in_sync, error }
  }
  const { serial } = (await person.call('GET', `/zones/${name}`)).body
  ns1.serial = serial
  ns2.serial = serial
  assert.deepEqual(await seen(), { replicated: true, serial: null, in_sync: false, error: 'refused' })
  secondary.serial = serial - 1
  assert.deepEqual(await seen(), { replicated: true, serial: serial - 1, in_sync: false, error: null })
  secondary.serial = serial
  ns2.serial = serial - 1
  assert.deepEqual(await seen(), { replicated: false, serial, in_sync: true, error: null })
})

test('a key with limits sees no secondaries in propagation', async () => {
  const { name } = await freshZone()
  await put(name, wanted())
  const seenBy = async (limits: { zone: string; names: string[]; types: string[] }[] | undefined) => {
    const by = await api.key(owner, { picks: [name], permissions: ['records:read'], ...(limits && { limits }) })
    return (await api.call('GET', `/zones/${name}/propagation`, { key: by })).body.secondaries.length
  }
  assert.equal(await seenBy(undefined), 1)
  assert.equal(await seenBy([{ zone: name, names: ['*'], types: ['A'] }]), 0)
})

test('a secondary whose address may no longer be reached is not queried', async () => {
  const { id, name } = await freshZone()
  await put(name, wanted())
  await sql`update zone_secondaries set port = ${Number(ns1.address.split(':')[1])} where zone_id = ${id}`.execute(
    database.db,
  )
  ns1.serial = (await person.call('GET', `/zones/${name}`)).body.serial
  const [{ serial, error }] = (await person.call('GET', `/zones/${name}/propagation`)).body.secondaries
  assert.deepEqual([serial, error], [null, 'refused'])
})

test('each program has a configuration with the name of the key, the door and the zone, and without the secret', async () => {
  const { name } = await freshZone()
  const config = (query: string) => person.call('GET', `/zones/${name}/secondaries/config?${query}`)
  assert.equal((await config('for=bind')).status, 404)
  await put(name, wanted())
  const secret = Buffer.from(key.tsig.secret).toString('base64')
  for (const program of ['bind', 'knot', 'nsd', 'powerdns']) {
    const { status, body } = await config(`for=${program}`)
    assert.equal(status, 200)
    for (const part of [name, key.id.replace('_', '-'), '127.0.0.1', '5305', 'SECRET'])
      assert.ok(body.includes(part), `${program} lacks ${part}`)
    assert.ok(!body.includes(secret))
  }
  assert.equal((await config('for=bind&address=127.0.0.1')).status, 200)
  assert.equal((await config('for=bind&address=127.0.0.2')).status, 404)
  for (const query of ['', 'for=certbot', 'for=bind&for=knot', 'for=bind&key=x'])
    assert.equal((await config(query)).status, 422, query)
})
