// How many updates and queries a key may send, and many keys at once.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseMessage, Rcode } from '@zonewright/dns'
import { mostPerMinute } from '#modules/api-keys/index.ts'
import { sql } from '#platform/postgres/index.ts'
import { add, question, signed, startTestDoor, updateOf } from '#testing/dns-door/test-door.ts'
import { eventually } from '#testing/eventually.ts'
import { stopClock } from '#testing/move-clock.ts'
import { startTestApi } from '#testing/test-api.ts'

const api = await startTestApi({ requestsPerMinute: 300 })
const { db } = api.database
const owner = await api.account('owner@example.net')
const door = await startTestDoor(api, { updatesPerMinute: 300 })
const clients = await Promise.all(Array.from({ length: 8 }, () => door.connect()))
const clientOf = (i: number) => clients[i % clients.length] ?? assert.fail('there are clients')

const countOf = async (zoneId: string): Promise<number> => {
  const { rows } = await sql<{ n: number }>`
    select coalesce(sum(cardinality(records)), 0)::int as n from zone_rrsets where zone_id = ${zoneId} and type = 'A'`.execute(
    db,
  )
  return rows[0]?.n ?? 0
}

test('none of 400 concurrent adds with many keys is lost, at one name and at many', async () => {
  await stopClock(api.database)
  const zone = await api.zone(owner, 'many.example')
  const keys = await Promise.all(Array.from({ length: 16 }, () => door.key(owner)))
  const answers = await Promise.all(
    Array.from({ length: 400 }, (_, i) => {
      const name = i % 2 === 0 ? 'same.many.example' : `n${i}.many.example`
      const change = add(name, 'A', `10.0.${Math.floor(i / 200)}.${i % 200}`)
      return clientOf(i).ask(updateOf('many.example', [change]), (keys[i % 16] ?? assert.fail()).tsig)
    }),
  )
  assert.deepEqual([...new Set(answers.map(({ rcode }) => rcode))], [Rcode.NOERROR])
  assert.equal(await countOf(zone.id), 400)
  const { rows } = await sql<{ version: number }>`select version from zones where id = ${zone.id}`.execute(db)
  assert.equal(rows[0]?.version, 400)
})

test('of 400 adds with one key, 300 succeed and 100 are refused, and the API shares the limit', async () => {
  await stopClock(api.database)
  const zone = await api.zone(owner, 'one.example')
  const key = await door.key(owner)
  const answers = await Promise.all(
    Array.from({ length: 400 }, (_, i) =>
      clientOf(i).ask(updateOf('one.example', [add(`n${i}.one.example`, 'A', '192.0.2.1')]), key.tsig),
    ),
  )
  const refused = answers.filter(({ rcode }) => rcode === Rcode.REFUSED)
  assert.equal(answers.filter(({ rcode }) => rcode === Rcode.NOERROR).length, 300)
  assert.equal(refused.length, 100)
  for (const { reasons } of refused)
    assert.match(reasons[0] ?? '', /^This key made 300 requests in one minute, the maximum\. Try again in \d+ s\.$/)
  assert.equal(await countOf(zone.id), 300)
  assert.equal((await api.call('GET', '/api-keys/current', { key: key.secret })).status, 429)
  // What was refused is not stored: the same message passes later.
  const { wire } = signed(updateOf('one.example', [add('later.one.example', 'A', '192.0.2.1')]), key.tsig)
  assert.equal(parseMessage(await clientOf(0).send(wire)).rcode, Rcode.REFUSED)
  await stopClock(api.database, '61 seconds')
  assert.equal(parseMessage(await clientOf(0).send(wire)).rcode, Rcode.NOERROR)
})

test('updates of a constantly changing zone do not wait for the nameservers', async () => {
  await stopClock(api.database)
  const zone = await api.zone(owner, 'busy.example')
  await sql`insert into nameservers (name, address, position) values ('ns1.zonewright.test', '127.0.0.1:9', 1)`.execute(
    db,
  )
  const keys = await Promise.all(Array.from({ length: 4 }, () => door.key(owner)))
  const [answered, began]: [number[], number] = [[], performance.now()]
  const sent = Array.from({ length: 400 }, async (_, i) => {
    const update = updateOf('busy.example', [add(`n${i}.busy.example`, 'A', '192.0.2.1')])
    const { rcode } = await clientOf(i).ask(update, (keys[i % keys.length] ?? assert.fail()).tsig)
    answered.push(performance.now() - began)
    return rcode
  })
  await eventually('all are made', async () => (await countOf(zone.id)) === 400)
  const waiting = 400 - answered.length
  assert.ok(waiting <= 200, `${waiting} of 400 wait`)
  assert.deepEqual([...new Set(await Promise.all(sent))], [Rcode.NOERROR])
  assert.ok(Math.max(...answered) >= 5_000, 'the first ones wait in vain, for 5 s')
  assert.equal(await countOf(zone.id), 400)
  await sql`delete from nameservers`.execute(db)
})

test('a repeated message does not count, and is answered even if its key is at its limit', async () => {
  await stopClock(api.database)
  await api.zone(owner, 'again.example')
  const key = await door.key(owner)
  const { wire } = signed(updateOf('again.example', [add('first.again.example', 'A', '192.0.2.1')]), key.tsig)
  for (let i = 0; i < 3; i++) assert.equal(parseMessage(await clientOf(i).send(wire)).rcode, Rcode.NOERROR)
  const others = await Promise.all(
    Array.from({ length: 300 }, (_, i) =>
      clientOf(i).ask(updateOf('again.example', [add(`n${i}.again.example`, 'A', '192.0.2.1')]), key.tsig),
    ),
  )
  assert.equal(others.filter(({ rcode }) => rcode === Rcode.REFUSED).length, 1)
  assert.equal(parseMessage(await clientOf(0).send(wire)).rcode, Rcode.NOERROR)
})

test('an operator can allow the keys of an account more updates, but not more requests', async () => {
  await stopClock(api.database)
  const dhcp = await api.account('dhcp@example.net')
  await api.zone(dhcp, 'lan.example')
  await sql`update accounts set updates_per_minute = ${mostPerMinute} where id = ${dhcp}`.execute(db)
  const key = await door.key(dhcp)
  const answers = await Promise.all(
    Array.from({ length: mostPerMinute + 10 }, (_, i) =>
      clientOf(i).ask(updateOf('lan.example', [add(`n${i}.lan.example`, 'A', '192.0.2.1')]), key.tsig),
    ),
  )
  assert.equal(answers.filter(({ rcode }) => rcode === Rcode.NOERROR).length, mostPerMinute)
  const reasons = new Set(answers.flatMap(({ reasons: [reason] }) => reason?.slice(0, 41) ?? []))
  assert.deepEqual([...reasons], ['This key made 1000 requests in one minute'])
  assert.equal((await api.call('GET', '/api-keys/current', { key: key.secret })).status, 429)
})

test('a key may send 50 signed queries a second, which do not count as requests', async () => {
  await api.zone(owner, 'asked.example')
  const key = await door.key(owner)
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, i) => clientOf(i).ask(question('www.asked.example.', 'A'), key.tsig)),
  )
  const refused = answers.filter(({ rcode }) => rcode === Rcode.REFUSED)
  // A second may end while they are sent.
  const seconds = Math.ceil((answers.length - refused.length) / 50)
  assert.ok(refused.length >= 50 && seconds <= 3, `${refused.length} were refused`)
  assert.equal(refused[0]?.reasons[0], 'This key sent 50 queries in one second, the maximum.')
  const { rows } = await sql`select 1 from api_key_windows where key_id = ${key.id}`.execute(db)
  assert.deepEqual(rows, [])
})
