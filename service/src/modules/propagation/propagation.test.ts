import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { buildResponse, parseMessage, parseName, parseRdata, Rcode, RrType, responseTo } from '@zonewright/dns'
import { startDnsServer, startResolver } from '@zonewright/sandbox'
import { sql } from '#platform/postgres/index.ts'
import { startTestApi } from '#testing/test-api.ts'
import { serialIn, widened } from './rules.ts'

/** A nameserver of one zone with one address. Its state can be changed. */
async function nameserver() {
  const now = {
    serial: 0,
    address: '192.0.2.1',
    /** Where `alias` leads. */
    alias: 'host.elsewhere.test.',
    /** It has the zone that `cut` is delegated to. */
    isChild: false,
    isSilent: false,
    rcode: Rcode.NOERROR as number,
    soaOf: '',
    beforeAnswer: async (): Promise<void> => undefined,
  }
  const server = await startDnsServer('127.0.0.1:0', async (wire) => {
    if (now.isSilent) return undefined
    await now.beforeAnswer()
    const query = parseMessage(wire)
    const [question] = query.questions
    const name = question?.name ?? ('.' as never)
    const soa = `ns1.zonewright.test. hostmaster.zonewright.test. ${now.serial} 1 1 1 1`
    const [type, data] = question?.type === RrType.SOA ? [RrType.SOA, soa] : [RrType.A, now.address]
    if (now.rcode !== Rcode.NOERROR) return buildResponse(wire, responseTo(query, { rcode: now.rcode }))
    if (now.soaOf === 'nobody') return buildResponse(wire, responseTo(query, { aa: true }))
    if (name.startsWith('alias.')) {
      const data = parseRdata(RrType.CNAME, now.alias)
      return buildResponse(
        wire,
        responseTo(query, { aa: true, answers: [{ name, type: RrType.CNAME, class: 1, ttl: 300, data }] }),
      )
    }
    if (name.startsWith('cut.') && !now.isChild) {
      const data = parseRdata(RrType.NS, 'ns.child.test.')
      return buildResponse(
        wire,
        responseTo(query, { authorities: [{ name, type: RrType.NS, class: 1, ttl: 300, data }] }),
      )
    }
    const owner = now.soaOf === '' ? name : parseName(now.soaOf)
    const answers = [{ name: owner, type, class: 1, ttl: 300, data: parseRdata(type, data) }]
    return buildResponse(wire, responseTo(query, { aa: true, rcode: Rcode.NOERROR, answers }))
  })
  after(() => server.close())
  return { ...server, now }
}

const [ns1, ns2] = [await nameserver(), await nameserver()]
const child = await nameserver()
child.now.isChild = true
const resolver = await startResolver({
  listen: '127.0.0.1:0',
  tops: { test: ns1.address },
  nameservers: { 'ns.child.test': child.address },
})
after(() => resolver.close())
const at = { host: '127.0.0.1', port: Number(resolver.address.split(':')[1]) }
const api = await startTestApi({ resolvers: [at] })
const account = await api.account('owner@example.net')
const key = await api.key(account)
const zone = await api.zone(account, 'domain.test')
await sql`insert into nameservers (name, address, position) values
  ('ns1.zonewright.test', ${ns1.address}, 1), ('ns2.zonewright.test', ${ns2.address}, 2)`.execute(api.database.db)
ns1.now.serial = zone.serial
ns2.now.serial = zone.serial

const look = async (query = '') => (await api.call('GET', `/zones/${zone.name}/propagation${query}`, { key })).body

test('each nameserver is shown with the serial that it currently serves', async () => {
  ns2.now.serial = zone.serial - 1
  const { serial, replicated, nameservers, resolvers } = await look()
  assert.deepEqual([serial, replicated, resolvers], [zone.serial, false, []])
  assert.deepEqual(
    nameservers.map((each: { serial: number; in_sync: boolean }) => [each.serial, each.in_sync]),
    [
      [zone.serial, true],
      [zone.serial - 1, false],
    ],
  )
  assert.equal((await look(`?serial=${zone.serial - 1}`)).replicated, true)
  ns2.now.serial = zone.serial
  assert.equal((await look()).replicated, true)
})

test('a nameserver that is ahead of the database is not in sync', async () => {
  ns2.now.serial = zone.serial + 1
  for (const query of ['', `?serial=${zone.serial - 1}`]) {
    const { replicated, nameservers } = await look(query)
    assert.deepEqual(
      [replicated, nameservers[1].serial, nameservers[1].in_sync],
      [false, zone.serial + 1, false],
      query,
    )
  }
  ns2.now.serial = zone.serial
})

test('a nameserver that serves a change made during the check is in sync', async () => {
  const set = (serial: number) =>
    sql`update zones set serial = ${serial} where id = ${zone.id}`.execute(api.database.db)
  ns2.now.beforeAnswer = async () => {
    await set(zone.serial + 1)
    ns2.now.serial = zone.serial + 1
  }
  const { replicated, nameservers } = await look()
  assert.deepEqual([replicated, nameservers[1].serial, nameservers[1].in_sync], [true, zone.serial + 1, true])
  ns2.now.beforeAnswer = async () => undefined
  ns2.now.serial = zone.serial
  await set(zone.serial)
})

test('a silent nameserver is shown with the serial that it was last seen to serve', async () => {
  ns2.now.isSilent = true
  const before = await look()
  assert.deepEqual(
    [before.nameservers[1].serial, before.nameservers[1].error, before.replicated],
    [null, 'timeout', false],
  )
  await sql`insert into zone_sightings (zone_id, nameserver, serial) values (${zone.id}, 'ns2.zonewright.test', ${zone.serial})`.execute(
    api.database.db,
  )
  const { nameservers, replicated } = await look()
  assert.deepEqual([nameservers[1].serial, nameservers[1].in_sync, replicated], [zone.serial, true, true])
  ns2.now.isSilent = false
})

test('a nameserver that answers without the zone is not in sync, whatever it was last seen to serve', async () => {
  await sql`insert into zone_sightings (zone_id, nameserver, serial) values (${zone.id}, 'ns2.zonewright.test', ${zone.serial})
    on conflict do nothing`.execute(api.database.db)
  const answers = [
    [{ rcode: Rcode.REFUSED }, 'refused'],
    [{ rcode: Rcode.SERVFAIL }, 'refused'],
    [{ soaOf: 'nobody' }, null],
    [{ soaOf: 'other.test.' }, null],
  ] as const
  for (const [answer, error] of answers) {
    Object.assign(ns2.now, { rcode: Rcode.NOERROR, soaOf: '', ...answer })
    const { nameservers, replicated } = await look()
    const [, second] = nameservers
    const shown = [second.serial, second.in_sync, second.error, replicated]
    assert.deepEqual(shown, [null, false, error, false], JSON.stringify(answer))
  }
  Object.assign(ns2.now, { rcode: Rcode.NOERROR, soaOf: '' })
  assert.equal((await look()).replicated, true)
})

test('a resolver is in sync once it gives the same answer as our nameservers', async () => {
  const query = '?name=www&type=A'
  const [fresh] = (await look(query)).resolvers
  assert.deepEqual([fresh.answer, fresh.in_sync, fresh.ttl], [['192.0.2.1'], true, 300])
  for (const each of [ns1, ns2]) each.now.address = '192.0.2.2'
  const [stale] = (await look(query)).resolvers
  assert.deepEqual([stale.answer, stale.in_sync], [['192.0.2.1'], false])
  assert.ok(stale.ttl <= 300)
})

test('only the alias is compared if it leads out of the zone, and nothing at a delegated name', async () => {
  for (const each of [ns1, ns2, child]) each.now.address = '192.0.2.9'
  const query = '?name=alias&type=A'
  const [fresh] = (await look(query)).resolvers
  assert.deepEqual([fresh.answer, fresh.in_sync], [['192.0.2.9'], true])
  for (const each of [ns1, ns2]) each.now.alias = 'new.elsewhere.test.'
  const [stale] = (await look(query)).resolvers
  assert.deepEqual([stale.answer, stale.in_sync], [['192.0.2.9'], false])
  const [referred] = (await look('?name=cut&type=A')).resolvers
  assert.deepEqual([referred.answer, referred.in_sync], [['192.0.2.9'], true])
  child.now.rcode = Rcode.SERVFAIL
  const [unknown] = (await look('?name=cut&type=AAAA')).resolvers
  assert.deepEqual([unknown.answer, unknown.in_sync], [null, false])
})

test('name and type are required together, and must be valid', async () => {
  for (const query of [
    '?name=www',
    '?type=A',
    '?name=www&type=NO%20TYPE',
    '?name=www&type=ANY',
    '?name=a..b&type=A',
    '?serial=-1',
  ])
    assert.equal((await api.call('GET', `/zones/${zone.name}/propagation${query}`, { key })).status, 422, query)
})

test('a serial on the wire is widened to the one nearest to the zone’s own', () => {
  const near = 2 ** 32 + 5
  assert.equal(widened(6, near), near + 1)
  assert.equal(widened(2 ** 32 - 1, near), near - 6)
  assert.equal(widened(5, 5), 5)
  assert.equal(serialIn({ kind: 'failure', failure: 'timeout' }, 5), undefined)
})
