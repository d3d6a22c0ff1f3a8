import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { ChecklistItem } from '@zonewright/contract'
import { buildResponse, parseMessage, Rcode, responseTo } from '@zonewright/dns'
import { startDnsServer } from '@zonewright/sandbox'
import { sql } from '#platform/postgres/index.ts'
import { startTestApi } from '#testing/test-api.ts'

/** A public resolver: names that begin with `gone` do not exist, and those that begin with `silent` get no response. */
const asked: string[] = []
const resolver = await startDnsServer('127.0.0.1:0', async (wire) => {
  const query = parseMessage(wire)
  const name = query.questions[0]?.name ?? ''
  asked.push(name)
  const rcode = name.startsWith('gone') ? Rcode.NXDOMAIN : name.startsWith('silent') ? Rcode.SERVFAIL : Rcode.NOERROR
  return buildResponse(wire, responseTo(query, { ra: true, rcode }))
})
after(() => resolver.close())
const api = await startTestApi({ resolvers: [{ host: '127.0.0.1', port: Number(resolver.address.split(':')[1]) }] })
const account = await api.account('owner@example.net')
const key = await api.key(account)
const zone = await api.zone(account, 'example.com')

const look = async (name = zone.name, as = key): Promise<Map<string, ChecklistItem>> => {
  const { status, body } = await api.call('GET', `/zones/${name}/checklist`, { key: as })
  assert.equal(status, 200)
  return new Map(body.items.map((item: ChecklistItem) => [item.id, item]))
}
const put = (name: string, type: string, ...records: string[]) =>
  api.call('PUT', `/zones/${zone.name}/rrsets/${name}/${type}`, { key, body: { records } })

test('the items have a fixed order, say what to do unless they are done, and follow the records', async () => {
  const items = await look()
  assert.deepEqual([...items.keys()].slice(0, 5), ['verified', 'delegated', 'replicated', 'apex', 'www'])
  for (const item of items.values()) assert.equal(item.fix === null, item.state === 'done', item.id)
  assert.equal(items.get('apex')?.state, 'todo')
  await put('@', 'A', '192.0.2.1')
  assert.equal((await look()).get('apex')?.state, 'done')
})

test('finds aliases to names elsewhere that do not exist, and ignores those without a clear answer', async () => {
  await put('shop', 'CNAME', 'gone.shop.example.')
  await put('docs', 'CNAME', 'there.docs.example.')
  await put('blog', 'CNAME', 'silent.blog.example.')
  const aliases = (await look()).get('aliases')
  assert.equal(aliases?.state, 'warning')
  assert.equal(aliases?.detail, 'shop.example.com points to gone.shop.example, which does not exist.')
})

test('MX targets elsewhere are queried, and mail that cannot arrive is never done', async () => {
  const mx = async (...targets: string[]) => {
    await put('@', 'MX', ...targets.map((target) => `10 ${target}.mail.example.`))
    return (await look()).get('mx')
  }
  assert.equal((await mx('gone'))?.detail, 'Mail to example.com may not arrive: gone.mail.example does not exist.')
  assert.match((await mx('there'))?.detail ?? '', /there\.mail\.example has no A or AAAA record/)
  assert.equal((await mx('silent'))?.state, 'done', 'nobody can tell')
  await api.call('DELETE', `/zones/${zone.name}/rrsets/@/MX`, { key })
})

test('queries at most fifty names', async () => {
  const changes = Array.from({ length: 120 }, (_, n) => ({
    name: `a${n}`,
    type: 'CNAME',
    ttl: 300,
    records: [`gone${n}.many.example.`],
  }))
  assert.equal((await api.call('PATCH', `/zones/${zone.name}/rrsets`, { key, body: { changes } })).status, 200)
  asked.length = 0
  const aliases = (await look()).get('aliases')
  assert.equal(aliases?.state, 'warning')
  assert.ok(new Set(asked).size <= 50, `${new Set(asked).size}`)
})

test('reports which nameservers have the zone, as publication has seen it', async () => {
  await sql`insert into nameservers (name, address, position) values ('ns1.zonewright.test', '127.0.0.1:9', 1)`.execute(
    api.database.db,
  )
  assert.match((await look()).get('replicated')?.detail ?? '', /not served yet by ns1\.zonewright\.test\./)
  const { db } = api.database
  await sql`insert into zones_behind (zone_id, nameserver, serial, since)
    select id, 'ns1.zonewright.test', serial, app_now() - interval '1 minute' from zones where id = ${zone.id}`.execute(
    db,
  )
  assert.match(
    (await look()).get('replicated')?.detail ?? '',
    /not served yet by ns1\.zonewright\.test\./,
    'that may be a slow transfer',
  )
  await sql`update zones_behind set since = app_now() - interval '3 minutes'`.execute(db)
  assert.match((await look()).get('replicated')?.detail ?? '', /^ns1\.zonewright\.test has not updated the zone since /)
  await sql`insert into zone_sightings (zone_id, nameserver, serial, seen_at)
    select id, 'ns1.zonewright.test', serial, app_now() from zones where id = ${zone.id}`.execute(api.database.db)
  assert.equal((await look()).get('replicated')?.state, 'done')
})

test('the owner of a pending zone sees what would prove control; no one else sees the zone', async () => {
  const { body } = await api.call('POST', '/zones', { key, body: { name: 'pending.example.org' } })
  const verified = (await look('pending.example.org')).get('verified')
  assert.equal(verified?.state, 'todo')
  assert.ok(verified?.fix?.includes(body.verification.txt.value))
  const stranger = await api.key(await api.account('stranger@example.net'))
  assert.equal((await api.call('GET', '/zones/pending.example.org/checklist', { key: stranger })).status, 404)
})
