import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAccount } from '#modules/accounts/index.ts'
import { delegateTo } from '#modules/records/index.ts'
import { actorNamed } from '#platform/caller.ts'
import { type Database, openDatabase, sql } from '#platform/postgres/index.ts'
import { moveClock } from '#testing/move-clock.ts'
import { cloneDatabase } from '#testing/platform/test-database.ts'
import { takingParts } from '#testing/taking-parts.ts'
import { addLiveZone, createZone } from './create-zone.ts'
import { deleteZone } from './delete-zone.ts'
import { readAvailability } from './read-availability.ts'
import { usualZonesPerAccount } from './rules.ts'
import { liveZoneNamed, readZone, takeMoves, type ZoneRow } from './store.ts'

const database = await cloneDatabase()
const { db } = database
const actor = actorNamed('operator', 'root@host')
const serviceDomains = ['ns1.zonewright.test']
const delegate = delegateTo(['ns1.zonewright.test', 'ns2.zonewright.test'])
const parts = takingParts(delegate)

const account = async (email: string): Promise<string> =>
  (await database.transact((tx) => createAccount(tx, actor, { email, name: '' }))).id
const owner = await account('owner@example.net')
const other = await account('other@example.net')

const pending = (name: string, accountId = owner) =>
  database.transact((tx) => createZone(tx, parts, { actor, accountId, serviceDomains }, name))
const live = (name: string, accountId = owner) =>
  database.transact((tx) => addLiveZone(tx, parts, { actor, accountId, serviceDomains }, name))
const remove = (zone: ZoneRow) => database.transact((tx) => deleteZone(tx, actor, zone.id, delegate))

async function movesOf(zone: ZoneRow) {
  const { rows } = await sql<{ live: boolean; label: string }>`
    select live, catalog_label as label from zone_moves where zone_id = ${zone.id} order by id`.execute(db)
  return rows
}

async function eventsOf(zone: ZoneRow) {
  const { rows } = await sql<{ type: string; held: string | null; data: unknown }>`
    select type, held, data from event_outbox where zone_id = ${zone.id} order by seq`.execute(db)
  return rows
}

async function auditOf(zone: ZoneRow) {
  const { rows } = await sql<{ action: string; actor: string; summary: string }>`
    select action, actor_name as actor, summary from audit_log where zone_id = ${zone.id} order by id`.execute(db)
  return rows
}

test('a new zone is pending: nothing is published and no one is notified', async () => {
  const zone = await pending('pending.example.com')
  assert.deepEqual([zone.state, zone.origin, zone.version, zone.rrsetCount], ['pending', 'added', 0, 0])
  assert.deepEqual(await movesOf(zone), [])
  assert.deepEqual(await eventsOf(zone), [])
  assert.deepEqual(await auditOf(zone), [
    { action: 'zone.added', actor: 'root@host', summary: 'Zone pending.example.com was added (pending)' },
  ])
  assert.equal(await liveZoneNamed(db, 'pending.example.com'), undefined)
})

test('a live zone goes into the catalog, and zone.created waits until every nameserver serves it', async () => {
  const zone = await live('live.example.com')
  assert.equal(zone.state, 'live')
  assert.deepEqual(await movesOf(zone), [{ live: true, label: zone.catalogLabel }])
  assert.deepEqual(await eventsOf(zone), [
    { type: 'zone.created', held: 'everywhere', data: { zone: { id: zone.id, name: zone.name } } },
  ])
  assert.deepEqual((await liveZoneNamed(db, 'live.example.com'))?.id, zone.id)
})

test('a deleted zone leaves the catalog and every key’s scope, and its owner is notified immediately', async () => {
  const zone = await live('gone.example.com')
  await sql`insert into api_keys (id, account_id, name, hint, secret_sha256, all_zones, permissions)
    values ('key_gone', ${owner}, 'picked', 'abcd', 'x', false, '{records:read}')`.execute(db)
  await sql`insert into api_key_zones values ('key_gone', ${zone.id})`.execute(db)
  assert.equal(await remove(zone), true)
  assert.deepEqual(
    (await movesOf(zone)).map(({ live }) => live),
    [true, false],
  )
  const told = (await eventsOf(zone)).map(({ type, held }) => ({ type, held }))
  assert.deepEqual(told, [{ type: 'zone.deleted', held: null }], 'a zone.created that never became true is dropped')
  assert.deepEqual((await sql`select * from api_key_zones where key_id = 'key_gone'`.execute(db)).rows, [])
  assert.equal(await readZone(db, zone.id), undefined)
  assert.deepEqual(
    (await auditOf(zone)).map(({ action }) => action),
    ['zone.added', 'zone.deleted'],
  )
  assert.equal(await remove(zone), false, 'there is nothing to delete a second time')
})

test('deleting a pending zone notifies no one', async () => {
  const zone = await pending('never-live.example.com')
  await remove(zone)
  assert.deepEqual([await movesOf(zone), await eventsOf(zone)], [[], []])
})

test('a zone that is added again continues its serials, under a new label, whoever adds it', async () => {
  const first = await live('again.example.com')
  const ahead = first.serial + 5_000
  await sql`update zones set serial = ${ahead} where id = ${first.id}`.execute(db)
  await remove(first)
  const second = await live('again.example.com', other)
  assert.equal(second.serial, ahead + 1)
  assert.notEqual(second.catalogLabel, first.catalogLabel)
  assert.notEqual(second.id, first.id)
})

test('the first serial of a zone is the time of the database’s clock', async () => {
  await moveClock(database, '20 days')
  const { rows } = await sql<{ now: number }>`select floor(extract(epoch from app_now()))::bigint as now`.execute(db)
  const zone = await pending('timely.example.com')
  await moveClock(database, '0 seconds')
  assert.ok(zone.serial - (rows[0]?.now ?? 0) < 5 && zone.serial >= (rows[0]?.now ?? 0))
})

test('an account can have a name once, and several accounts can have it pending', async () => {
  await pending('wanted.example.com')
  await assert.rejects(pending('WANTED.example.com.'), { code: 'zone_exists' })
  await pending('wanted.example.com', other)
  await live('hosted.example.com')
  await assert.rejects(pending('hosted.example.com'), { code: 'zone_exists' })
  await assert.rejects(live('hosted.example.com', other), { code: 'zone_exists' })
  await pending('hosted.example.com', other)
})

test('no one can add a zone under another account’s live zone; the account itself can', async () => {
  await live('parent.example.org')
  await pending('child.parent.example.org')
  await assert.rejects(pending('child.parent.example.org', other), { code: 'conflict' })
  await assert.rejects(pending('deep.down.parent.example.org', other), { code: 'conflict' })
  await pending('notparent.example.org', other)
  await pending('parked.example.org')
  await pending('under.parked.example.org', other)
})

test('the service’s own names and public suffixes are refused', async () => {
  for (const name of ['ns1.zonewright.test', 'zonewright.test', 'co.uk', 'github.io', 'under_score.example.com'])
    await assert.rejects(pending(name), { code: 'validation_failed' }, name)
})

test('an account can have a thousand zones and no more, not counting deleted ones', async () => {
  const account1000 = await account('many@example.net')
  await sql`insert into zones (name, account_id, state, origin, serial, catalog_label)
    select 'z' || n || '.example.net', ${account1000}, case when n > 10 then 'pending' else 'deleted' end, 'added', 1, n::text
    from generate_series(1, ${usualZonesPerAccount + 9}) n`.execute(db)
  const results = await Promise.allSettled(
    ['a', 'b', 'c'].map((name) => pending(`${name}.many.example.net`, account1000)),
  )
  assert.deepEqual(
    results.map(({ status }) => status).sort(),
    ['fulfilled', 'rejected', 'rejected'],
    'also when they come at once',
  )
  await assert.rejects(pending('d.many.example.net', account1000), { code: 'zone_limit' })
})

test('one of two concurrent additions of a name is refused with a reason', async () => {
  const twice = await Promise.allSettled([live('race.example.com'), live('race.example.com')])
  const ofTwo = await Promise.allSettled([live('race2.example.com'), live('race2.example.com', other)])
  for (const results of [twice, ofTwo]) {
    const refused = results.filter((result) => result.status === 'rejected')
    assert.equal(refused.length, 1)
    assert.equal(refused[0]?.reason.code, 'zone_exists')
  }
})

test('moves are taken in order, each once, and are available again if the taker fails', async () => {
  await sql`delete from zone_moves`.execute(db)
  const zones = [await live('m1.example.com'), await live('m2.example.com'), await live('m3.example.com')]
  await assert.rejects(
    database.transact(async (tx) => {
      assert.equal((await takeMoves(tx, 10)).length, 3)
      throw new Error('crashed')
    }),
    /crashed/,
  )
  const taken = await database.transact((tx) => takeMoves(tx, 2))
  assert.deepEqual(
    taken.map(({ zoneName }) => zoneName),
    ['m1.example.com', 'm2.example.com'],
  )
  assert.deepEqual(
    (await database.transact((tx) => takeMoves(tx, 2))).map(({ zoneId }) => zoneId),
    [zones[2]?.id],
  )
  assert.deepEqual(await database.transact((tx) => takeMoves(tx, 2)), [])
})

test('listeners are notified after a commit, and not if there was none', async () => {
  const told: string[] = []
  const wake = { tell: (channel: string, item = '') => told.push(`${channel} ${item}`) }
  const listening: Database = openDatabase(database.url, {
    application: 'zonewright test',
    connections: 1,
    wake: wake as never,
  })
  try {
    const zone = await listening.transact((tx) =>
      addLiveZone(tx, parts, { actor, accountId: owner, serviceDomains }, 'told.example.com'),
    )
    assert.deepEqual(told, ['catalog_changed '])
    told.length = 0
    await assert.rejects(
      listening.transact(async (tx) => {
        await deleteZone(tx, actor, zone.id, delegate)
        throw new Error('crashed')
      }),
      /crashed/,
    )
    assert.deepEqual(told, [])
  } finally {
    await listening.close()
  }
})

test('a name is available if adding it would succeed, and otherwise the answer says why', async () => {
  await live('hosted.example.org', other)
  await pending('mine.example.org')
  const of = async (name: string) => await readAvailability(db, owner, name, serviceDomains)
  assert.deepEqual(await of('New.example.org.'), {
    name: 'new.example.org',
    available: true,
    reason: null,
    message: null,
  })
  const reasons: Record<string, string> = {
    'hosted.example.org': 'hosted',
    'below.hosted.example.org': 'taken',
    'mine.example.org': 'yours',
    'ns1.zonewright.test': 'reserved',
    'not a name': 'invalid',
    'co.uk': 'invalid',
  }
  for (const [name, reason] of Object.entries(reasons)) {
    const answer = await of(name)
    assert.equal(answer.reason, reason, name)
    assert.ok(answer.message, name)
    const isAdded = await pending(name).then(
      () => true,
      () => false,
    )
    assert.equal(answer.available, isAdded, name)
  }
})
