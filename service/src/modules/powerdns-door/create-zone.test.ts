import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '#platform/postgres/index.ts'
import { startTestApi, type TestAnswer, testNameservers } from '#testing/test-api.ts'

const api = await startTestApi()
const account = await api.account('owner@example.net')
const stranger = await api.account('stranger@example.net')
const key = await api.key(account)
const parent = await api.zone(account, 'example.com')

const create = (body: object, secret = key, query = ''): Promise<TestAnswer> =>
  api.call('POST', `/servers/localhost/zones${query}`, { headers: { 'x-api-key': secret }, body })
const read = (name: string): Promise<TestAnswer> =>
  api.call('GET', `/servers/localhost/zones/${name}`, { headers: { 'x-api-key': key } })

let zones = 0
const below = (): string => `zone${++zones}.${parent.name}.`
const elsewhere = (): string => `zone${++zones}.example.org.`
const www = (zone: string, content = '192.0.2.1') => ({
  ...{ name: `www.${zone}`, type: 'A', ttl: 300, changetype: 'REPLACE' },
  records: [{ content, disabled: false }],
})

/** Sets the TXT record that an error names. */
function prove({ body }: TestAnswer): void {
  const [, name = '', value = ''] = /(\S+)\. TXT "(.+)"$/.exec(body.error) ?? []
  api.dns.set(name, 'TXT', [`"${value}"`])
}

test('a zone below a zone of the account is live immediately, with its records, kind and account', async () => {
  const name = below()
  const own = testNameservers.map((host) => `${host}.`)
  const made = await create({ name, kind: 'Native', account: 'ada', nameservers: own, rrsets: [www(name)] })
  assert.deepEqual([made.status, made.headers['content-type']], [201, 'application/json'])
  assert.deepEqual([made.body.name, made.body.kind, made.body.account], [name, 'Native', 'ada'])
  assert.deepEqual(
    made.body.rrsets.map(({ type }: { type: string }) => type),
    ['SOA', 'NS', 'A'],
  )
  assert.deepEqual((await read(name)).body, made.body)
  const bare = await create({ name: below() }, key, '?rrsets=false')
  assert.deepEqual([bare.status, bare.body.kind, 'rrsets' in bare.body], [201, 'Master', false])
})

test('creating a zone that is already live is a conflict', async () => {
  const name = below()
  assert.equal((await create({ name })).status, 201)
  for (const body of [{ name }, { name: name.toUpperCase(), kind: 'Native' }, { name, rrsets: [www(name)] }]) {
    const again = await create(body)
    assert.deepEqual(
      [again.status, again.headers['content-type'], again.body],
      [409, 'application/json', { error: 'Conflict' }],
    )
  }
  assert.equal((await read(name)).body.rrsets.length, 2)
})

test('any other zone needs a TXT record first; the client repeats its request until the record exists', async () => {
  const name = elsewhere()
  const body = { name, kind: 'Native', nameservers: [], rrsets: [www(name)] }
  const first = await create(body)
  assert.deepEqual([first.status, first.headers['content-type']], [422, 'application/json'])
  assert.match(
    first.body.error,
    /^Control of zone\d+\.example\.org is not proved\. .*: _zonewright-challenge\.zone\d+\.example\.org\. TXT "zonewright-verification=[0-9a-f]{32}"$/,
  )
  assert.equal((await read(name)).status, 404)
  assert.deepEqual((await create(body)).body, first.body)
  const { rows } =
    await sql`select from zone_rrsets r join zones z on z.id = r.zone_id where z.name = ${name.slice(0, -1)}`.execute(
      api.database.db,
    )
  assert.equal(rows.length, 0, 'its records are not stored before')
  prove(first)
  const made = await create(body)
  assert.deepEqual(
    [made.status, made.body.kind, made.body.rrsets.length],
    [201, 'Native', 3],
    JSON.stringify(made.body),
  )
  assert.equal((await create(body)).status, 409)
})

test('a name that another account hosts is not a conflict, and stays with that account', async () => {
  const name = 'taken.example.net'
  await api.zone(stranger, name)
  const answer = await create({ name: `${name}.` })
  assert.equal(answer.status, 422)
  assert.match(answer.body.error, /is not proved/)
  const under = await create({ name: `sub.${name}.` })
  assert.equal(under.status, 422)
})

test('refuses records that the zone cannot have before it is added or goes live', async () => {
  const name = below()
  const wrong = [
    www(name, '192.0.2.256'),
    { ...www(name), name: `www.${name.slice(0, -1)}` },
    { ...www(name), name: 'www.example.net.' },
    { name, type: 'NS', ttl: 60, records: [{ content: 'ns.example.net.' }] },
    { name, type: 'CNAME', ttl: 60, records: [{ content: 'www.example.net.' }] },
  ]
  for (const rrset of wrong) assert.equal((await create({ name, rrsets: [rrset] })).status, 422, JSON.stringify(rrset))
  const both = [www(name), { ...www(name), type: 'CNAME', records: [{ content: 'x.example.net.' }] }]
  assert.equal((await create({ name, rrsets: both })).status, 422)
  assert.equal((await read(name)).status, 404)
  const outside = elsewhere()
  prove(await create({ name: outside }))
  const clash = [www(outside), { ...www(outside), type: 'CNAME', records: [{ content: 'x.example.net.' }] }]
  assert.equal((await create({ name: outside, rrsets: clash })).status, 422)
  assert.equal((await read(outside)).status, 404)
})

test('refuses a zone that cannot exist as requested, and adds nothing', async () => {
  for (const [more, error] of [
    [{ kind: 'Slave' }, /Native or Master/],
    [{ kind: 'Producer' }, /Native or Master/],
    [{ dnssec: true }, /DNSSEC/],
    [{ nsec3param: '1 0 1 ab' }, /DNSSEC/],
    [{ nameservers: ['ns1.example.net.'] }, /send exactly these: ns1\.zonewright\.test\. ns2/],
    [{ nameservers: ['ns1.zonewright.test'] }, /send exactly these/],
    [{ nameservers: ['ns1.zonewright.test.'] }, /send exactly these/],
    [{ nameservers: [...testNameservers, 'ns3.example.net'].map((host) => `${host}.`) }, /send exactly these/],
    [{ nameservers: 'ns1.zonewright.test.' }, /nameservers/],
    [{ zone: '@ 300 IN A 192.0.2.1' }, /zone file/],
    [{ rrsets: {} }, /rrsets/],
  ] as const) {
    const name = below()
    const { status, body } = await create({ name, ...more })
    assert.equal(status, 422, JSON.stringify(more))
    assert.match(body.error, error)
    assert.equal((await read(name)).status, 404)
  }
  for (const name of ['zone.example.com', 'com.', '.', '', 'not a name.', 'a..b.', 1, null])
    assert.equal((await create({ name })).status, 422, String(name))
})

test('ignores members that have no meaning here', async () => {
  const name = below()
  const made = await create({
    ...{
      name,
      type: 'Zone',
      kind: 'master',
      masters: [],
      soa_edit_api: 'DEFAULT',
      soa_edit: '',
      serial: 0,
      catalog: '',
    },
    ...{ api_rectify: true, dnssec: false, nsec3param: '', presigned: false, rrsets: null, account: null, zone: '' },
  })
  assert.equal(made.status, 201, JSON.stringify(made.body))
})

test('a key needs zones:manage, and records:write to add records with the zone', async () => {
  const manager = await api.key(account, { permissions: ['zones:manage'] })
  const name = below()
  const refused = await create({ name, rrsets: [www(name)] }, manager)
  assert.deepEqual([refused.status, refused.headers['content-type']], [403, 'text/plain; charset=utf-8'])
  assert.match(refused.body, /records:write/)
  const made = await create({ name, account: 'ada' }, manager)
  assert.deepEqual([made.status, made.body.serial, made.body.rrsets], [201, 0, []], 'it cannot read')
  const writer = await api.key(account, { permissions: ['records:read', 'records:write'] })
  assert.equal((await create({ name: below() }, writer)).status, 403)
})
