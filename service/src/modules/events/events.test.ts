import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, beforeEach, test } from 'node:test'
import { eventSchema, zoneEventData } from '@zonewright/contract'
import { sql, type Tx } from '#platform/postgres/index.ts'
import { installTestClock, type TestClock } from '#testing/platform/test-clock.ts'
import { asAnotherProcess, cloneDatabase } from '#testing/platform/test-database.ts'
import { rowsRead } from '#testing/rows-read.ts'
import { untilBlocked } from '#testing/until-blocked.ts'
import {
  dropOldEvents,
  eventContents,
  eventStatements,
  heldZones,
  listEvents,
  type NewEvent,
  placeEvents,
  publish,
  releaseForDeletion,
  releaseServed,
} from './index.ts'
import { releaseOverdue } from './release.ts'
import { lockHeld, type PlacedEvent, releasePrefixes } from './store.ts'

const database = await cloneDatabase()
const elsewhere = asAnotherProcess(database.url)
const account = randomUUID()
let clock: TestClock

before(async () => {
  clock = await installTestClock(database.db)
})

beforeEach(async () => {
  await sql`truncate event_outbox, events`.execute(database.db)
})

function changed(zoneId: string, serial: number): NewEvent {
  return {
    type: 'zone.records_changed',
    recipients: [account],
    zoneId,
    serial,
    held: 'serial',
    data: {
      zone: { id: zoneId, name: 'example.com' },
      serial,
      replicated: false,
      changes: [{ name: 'example.com', type: 'TXT', ttl: 60, records: ['"\\"replicated\\":false"'] }],
    },
  }
}

function created(zoneId: string): NewEvent {
  return {
    ...changed(zoneId, 1),
    type: 'zone.created',
    held: 'everywhere',
    data: { zone: { id: zoneId, name: 'example.com' } },
  }
}

function atOnce(zoneId: string, type: NewEvent['type'] = 'zone.deleted'): NewEvent {
  return { type, recipients: [account], zoneId, held: null, data: { zone: { id: zoneId, name: 'example.com' } } }
}

async function write(...events: NewEvent[]): Promise<void> {
  for (const event of events) await database.transact((tx) => publish(tx, event))
}

interface Told {
  id: string
  type: string
  created_at: string
  data: { serial?: number; replicated?: boolean }
}

/** Places the released events and returns them as they will be sent. */
async function placed(): Promise<Told[]> {
  const events: PlacedEvent[] = []
  for (let isMore = true; isMore; ) {
    const some = await database.transact((tx) => placeEvents(tx, 1_000))
    events.push(...some.events)
    isMore = some.isMore
  }
  const contents = await eventContents(database.db, events, 64 * 1024)
  return events.map(({ id }) => {
    const told = eventSchema.strict().parse(JSON.parse(contents.get(id)?.body?.toString() ?? '')) as Told
    if (told.type in zoneEventData) zoneEventData[told.type as keyof typeof zoneEventData].strict().parse(told.data)
    return told
  })
}

function summary(events: readonly Told[]): string[] {
  return events.map(({ type, data }) =>
    [type, data.serial, data.replicated].filter((part) => part !== undefined).join(' '),
  )
}

const served = (zoneId: string, serial: number, everywhere = true) => ({ zoneId, serial, everywhere })

test('an event that waits for nothing is released when it is written, with the exact body that will be signed', async () => {
  const zone = randomUUID()
  await write(atOnce(zone))
  const { events } = await database.transact((tx) => placeEvents(tx, 10))
  const [event] = events
  assert.ok(event)
  const body = (await eventContents(database.db, [event], 64 * 1024)).get(event.id)?.body?.toString() ?? ''
  const at = (JSON.parse(body) as Told).created_at
  assert.equal(
    body,
    `{"id":"${event.id}","type":"zone.deleted","created_at":"${at}","data":{"zone":{"id":"${zone}","name":"example.com"}}}`,
  )
  assert.match(event.id, /^evt_[0-9a-f]{32}$/)
  assert.match(at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  assert.equal(new Date(Number.parseInt(event.id.slice(4, 16), 16)).toISOString(), at)
  assert.equal(event.day, at.slice(0, 10))
  assert.deepEqual(event.recipients, [account])
})

test('events that are written together have different ids', async () => {
  const events = Array.from({ length: 300 }, () => atOnce(randomUUID()))
  await database.transact((tx) => tx.runTogether(eventStatements(events)))
  const ids = (await placed()).map(({ id }) => id)
  assert.equal(new Set(ids).size, 300)
})

test('changes of a zone are released in serial order, as replicated, once their serials are served', async () => {
  const zone = randomUUID()
  await write(changed(zone, 2), changed(zone, 3), changed(zone, 4))
  assert.deepEqual(await placed(), [])
  assert.equal((await releaseServed(database, [served(zone, 3)])).length, 2)
  assert.deepEqual(summary(await placed()), ['zone.records_changed 2 true', 'zone.records_changed 3 true'])
  assert.equal((await releaseServed(database, [served(zone, 3)])).length, 0)
  assert.equal((await releaseServed(database, [served(zone, 9)])).length, 1)
  assert.deepEqual(summary(await placed()), ['zone.records_changed 4 true'])
})

test('an event whose release is lost in a failover is released again with the same id and body', async () => {
  const [zone, other, third] = [randomUUID(), randomUUID(), randomUUID()]
  await write(changed(zone, 7), created(other), atOnce(other), changed(third, 3))
  const { rows } = await sql`select * from event_outbox`.execute(database.db)
  const release = async (): Promise<Told[]> => {
    await clock.pass('5 s')
    await releaseServed(database, [served(zone, 7), served(other, 0), served(third, 3)])
    return placed()
  }
  const before = await release()
  assert.equal(before.length, 4)
  await sql`truncate event_outbox, events`.execute(database.db)
  await sql`insert into event_outbox overriding system value
    select * from json_populate_recordset(null::event_outbox, ${JSON.stringify(rows)}::json)`.execute(database.db)
  const byId = (events: readonly Told[]) => events.toSorted((a, b) => a.id.localeCompare(b.id))
  assert.deepEqual(byId(await release()), byId(before))
})

test('an event that has waited for over a day is released with a new id and time', async () => {
  const zone = randomUUID()
  await write(created(zone))
  const id = async () => (await sql<{ id: string }>`select id from event_outbox`.execute(database.db)).rows[0]?.id
  const written = await id()
  await clock.pass('25 hours')
  await releaseServed(database, [served(zone, 0)])
  assert.notEqual(await id(), written)
  const [event] = await placed()
  const { rows } = await sql<{ isLate: boolean }>`
    select ${event?.created_at}::timestamptz > app_now() - interval '1 minute' as "isLate"`.execute(database.db)
  assert.deepEqual(rows, [{ isLate: true }])
})

test('an event written by the previous version, without an id, gets one when it is released', async () => {
  const zone = randomUUID()
  await write(changed(zone, 7))
  await sql`update event_outbox set id = null, created_at = null`.execute(database.db)
  await releaseServed(database, [served(zone, 7)])
  assert.deepEqual(summary(await placed()), ['zone.records_changed 7 true'])
  // The worker of that version does not write a separate release time.
  await write(changed(zone, 8))
  await sql`update event_outbox set held = null, released_at = null`.execute(database.db)
  assert.deepEqual(summary(await placed()), ['zone.records_changed 8 false'])
})

test('a record that looks like the replication flag is not mistaken for it', async () => {
  const zone = randomUUID()
  await write(changed(zone, 2))
  await releaseServed(database, [served(zone, 2)])
  const [event] = await placed()
  assert.deepEqual(event?.data, { ...(changed(zone, 2).data as object), replicated: true })
})

test('a change that is not served within 30 s is released as not replicated', async () => {
  const zone = randomUUID()
  await write(changed(zone, 2))
  await clock.pass('29 s')
  await releaseOverdue(database)
  assert.deepEqual(await placed(), [])
  await clock.pass('1 s')
  await write(changed(zone, 3))
  await releaseOverdue(database)
  assert.deepEqual(summary(await placed()), ['zone.records_changed 2 false'])
  await clock.pass('30 s')
  await releaseOverdue(database)
  assert.deepEqual(summary(await placed()), ['zone.records_changed 3 false'])
})

test('while a nameserver is out of sync and does not count, changes are released as not replicated', async () => {
  const zone = randomUUID()
  await write(changed(zone, 2))
  await releaseServed(database, [{ ...served(zone, 2, false), replicated: false }])
  assert.deepEqual(summary(await placed()), ['zone.records_changed 2 false'])
})

test('zone.created waits until every nameserver serves the zone, however long, and later events wait behind it', async () => {
  const zone = randomUUID()
  await write(created(zone), changed(zone, 2), atOnce(zone))
  await clock.pass('1 day')
  await releaseOverdue(database)
  await releaseServed(database, [served(zone, 2, false)])
  assert.deepEqual(await placed(), [])
  await releaseServed(database, [served(zone, 1)])
  assert.deepEqual(summary(await placed()), ['zone.created'])
  // Their 30 s begin now.
  await clock.pass('29 s')
  await releaseOverdue(database)
  assert.deepEqual(await placed(), [])
  await clock.pass('1 s')
  await releaseOverdue(database)
  assert.deepEqual(summary(await placed()), ['zone.records_changed 2 false', 'zone.deleted'])
})

test('zone.created and the changes that are served by then are released together, in order', async () => {
  const zone = randomUUID()
  await write(created(zone), changed(zone, 2), atOnce(zone))
  await releaseServed(database, [served(zone, 2)])
  assert.deepEqual(summary(await placed()), ['zone.created', 'zone.records_changed 2 true', 'zone.deleted'])
})

test('an event of another zone never waits for a held one', async () => {
  const [held, other] = [randomUUID(), randomUUID()]
  await write(created(held), atOnce(other), changed(other, 2))
  await releaseServed(database, [served(other, 2, false)])
  assert.deepEqual(summary(await placed()), ['zone.deleted', 'zone.records_changed 2 true'])
})

test('the sweep releases an event whose turn came unnoticed', async () => {
  const zone = randomUUID()
  await write(changed(zone, 2))
  await write(atOnce(zone))
  // As if the release had been committed between the read of the queue and the insert.
  await sql`delete from event_outbox where held = 'serial'`.execute(database.db)
  assert.equal((await releaseOverdue(database)).length, 1)
  assert.deepEqual(summary(await placed()), ['zone.deleted'])
})

test('a change written while zone.created is being released waits at most its 30 s', async () => {
  const zone = randomUUID()
  await write(created(zone))
  let release: ReturnType<typeof releaseServed> | undefined
  await elsewhere.transact(async (tx: Tx) => {
    await publish(tx, changed(zone, 2))
    release = releaseServed(database, [served(zone, 1)])
    await untilBlocked(database.db)
  })
  assert.equal((await release)?.length, 1)
  const { rows } = await sql<{
    finite: boolean
  }>`select isfinite(held_since) as finite from event_outbox where held = 'serial'`.execute(database.db)
  assert.deepEqual(rows, [{ finite: true }])
})

test('deleting a zone releases its changes as not replicated, drops a held zone.created, and adds zone.deleted last', async () => {
  const zone = randomUUID()
  await write(created(zone), changed(zone, 2), changed(zone, 3))
  await database.transact(async (tx) => {
    await releaseForDeletion(tx, zone)
    await publish(tx, atOnce(zone, 'zone.deleted'))
  })
  assert.deepEqual(summary(await placed()), [
    'zone.records_changed 2 false',
    'zone.records_changed 3 false',
    'zone.deleted',
  ])
  const { rows } = await sql`select 1 from event_outbox`.execute(database.db)
  assert.equal(rows.length, 0)
})

test('concurrent releasers keep the order of the serials', async () => {
  const zone = randomUUID()
  await write(...Array.from({ length: 20 }, (_, i) => changed(zone, i + 2)))
  await Promise.all(Array.from({ length: 20 }, (_, i) => releaseServed(database, [served(zone, i + 2)])))
  const serials = (await placed()).map(({ data }) => data.serial)
  assert.deepEqual(
    serials,
    Array.from({ length: 20 }, (_, i) => i + 2),
  )
})

test('a releaser that waited for another one does not place its event before the other’s', async () => {
  const zone = randomUUID()
  await write(changed(zone, 2), changed(zone, 3))
  let later: ReturnType<typeof releaseServed> | undefined
  await elsewhere.transact(async (tx) => {
    await lockHeld(tx, [zone])
    later = releaseServed(database, [served(zone, 3)])
    await untilBlocked(database.db)
    await releasePrefixes(tx, [{ zoneId: zone, serial: 2, everywhere: false, replicated: true, overdue: false }])
  })
  assert.equal((await later)?.length, 1)
  assert.deepEqual(summary(await placed()), ['zone.records_changed 2 true', 'zone.records_changed 3 true'])
})

test('large events are released in batches of at most 64 MiB, or one of any size, until none is left to release', async () => {
  const [first, second] = [randomUUID(), randomUUID()].sort() as [string, string]
  await write(...[2, 3, 4, 5].map((serial) => changed(first, serial)), changed(second, 2), changed(second, 3))
  const { rows } = await sql`select from event_outbox where bytes = octet_length(data::text)`.execute(database.db)
  assert.equal(rows.length, 6, 'their size is known')
  // As if they were that large: four of the first zone, two of the second.
  await sql`
    update event_outbox set bytes = (array[40, 20, 70, 10, 60, 1])[place] * 1024 * 1024
    from (select seq as known, row_number() over (order by seq) as place from event_outbox) places where seq = known`.execute(
    database.db,
  )
  const releases = [
    { zoneId: first, serial: 5, everywhere: false, replicated: true, overdue: false },
    { zoneId: second, serial: 2, everywhere: false, replicated: true, overdue: false },
  ]
  const released = await database.transact((tx) => releasePrefixes(tx, releases))
  assert.deepEqual(
    released.map(({ zoneId, isMore }) => ({ zoneId, isMore })),
    Array(2).fill({ zoneId: first, isMore: true }),
  )
  assert.equal((await releaseServed(database, releases)).length, 3)
  assert.deepEqual((await placed()).map(({ data }) => data.serial).sort(), [2, 2, 3, 4, 5])
})

test('large events are placed in batches of at most 64 MiB, or one event of any size', async () => {
  for (const mebibytes of [40, 20, 70, 10, 1])
    await sql`
      insert into event_outbox (type, recipients, data, bytes, id, created_at)
      select 'zone.deleted', array[${account}]::uuid[], to_json(repeat('x', ${mebibytes}::int * 1024 * 1024 - 2)), ${mebibytes}::int * 1024 * 1024,
        new_id('evt', app_now()), app_now()`.execute(database.db)
  const batches: { placed: number; isMore: boolean }[] = []
  do {
    const { events, isMore } = await database.transact((tx) => placeEvents(tx, 500))
    batches.push({ placed: events.length, isMore })
  } while (batches.at(-1)?.isMore)
  assert.deepEqual(batches, [
    { placed: 2, isMore: true },
    { placed: 1, isMore: true },
    { placed: 2, isMore: false },
  ])
})

test('an event can be written in one round trip with other statements, and is rolled back with its transaction', async () => {
  const zone = randomUUID()
  await database.transact((tx) => tx.runTogether(eventStatements([changed(zone, 2), atOnce(randomUUID())])))
  await assert.rejects(
    database.transact(async (tx) => {
      await publish(tx, changed(zone, 3))
      throw new Error('no')
    }),
  )
  await releaseServed(database, [served(zone, 99)])
  assert.equal((await placed()).length, 2)
})

test('zones with events held for a second or longer are listed in pages', async () => {
  const zones = [randomUUID(), randomUUID()].sort()
  await write(changed(zones[0] ?? '', 2), created(zones[1] ?? ''), changed(zones[1] ?? '', 2))
  assert.deepEqual(await heldZones(database.db), [])
  await clock.pass('1 s')
  assert.deepEqual(await heldZones(database.db), zones)
  assert.deepEqual(await heldZones(database.db, zones[0]), zones.slice(1))
})

test('a page of events of managed zones reads only the days that it needs', async () => {
  const [owner, manager] = [randomUUID(), randomUUID()]
  await sql`select ensure_partitions('events', 'day', app_now()::date - 20, app_now()::date)`.execute(database.db)
  await sql`
    insert into events (event_day, id, type, recipients, created_at, body, position)
    select (at at time zone 'utc')::date, new_id('evt', at), 'zone.deleted', array[${owner}, ${manager}]::uuid[], at, '{"id":""}',
      nextval('event_positions')
    from generate_series(0, 19) as day, generate_series(1, 500) as n,
      lateral (select app_now() - make_interval(days => day) - n * interval '1 ms' as at) made`.execute(database.db)
  await sql`analyze events`.execute(database.db)
  const read = await rowsRead(database, 'events%', async (tx) => {
    const { events, next } = await listEvents(tx, manager, { before: null, type: null, since: null, limit: 50 })
    assert.deepEqual([events.length, next !== null], [50, true])
  })
  assert.ok(read > 0 && read <= 1_000, `${read} of 10,000 events`)
})

test('events are dropped by whole days once they are 30 days old', async () => {
  await write(atOnce(randomUUID()))
  await placed()
  await clock.pass('30 days')
  await dropOldEvents(database)
  const count = async () => (await sql`select 1 from events`.execute(database.db)).rows.length
  assert.equal(await count(), 1)
  await clock.pass('1 day')
  assert.ok((await dropOldEvents(database)).length > 0)
  assert.equal(await count(), 0)
})
