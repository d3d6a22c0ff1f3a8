import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAccount } from '#modules/accounts/index.ts'
import { createZone } from '#modules/zones/create-zone.ts'
import { addLiveZone, type ZoneRow } from '#modules/zones/index.ts'
import { actorNamed } from '#platform/caller.ts'
import { Refusal } from '#platform/errors.ts'
import { sql } from '#platform/postgres/index.ts'
import { moveClock } from '#testing/move-clock.ts'
import { cloneDatabase } from '#testing/platform/test-database.ts'
import { takingParts } from '#testing/taking-parts.ts'
import { changeRecords } from './change-records.ts'
import { previewChange } from './preview-change.ts'
import type { RrsetChange } from './rrset-change.ts'
import type { ChangeRequest } from './zone-draft.ts'

const database = await cloneDatabase()
const { db } = database
const operator = actorNamed('operator', 'test')
const key = {
  kind: 'key',
  name: 'deploy bot',
  id: 'key_1',
  source: 'api',
  requestId: 'req_1',
  address: '198.51.100.7',
} as const
const account = await database.transact((tx) =>
  createAccount(tx, operator, { email: 'owner@example.net', name: 'Owner' }),
)
const owner = { actor: operator, accountId: account.id, serviceDomains: [] }
let zones = 0

function newZone(): Promise<ZoneRow> {
  return database.transact((tx) => addLiveZone(tx, takingParts(), owner, `zone${++zones}.example.com`))
}

function replace(zone: ZoneRow, name: string, type: string, records: readonly string[], ttl?: number): RrsetChange {
  return { name: `${name}.${zone.name}`, type, ttl, ask: { kind: 'replace', records } }
}

function wish(zone: ZoneRow, changes: readonly RrsetChange[], options: Partial<ChangeRequest> = {}): ChangeRequest {
  return { zoneId: zone.id, actor: key, changes, ifMatch: undefined, pathOf: String, ...options }
}

function change(zone: ZoneRow, changes: readonly RrsetChange[], options: Partial<ChangeRequest> = {}) {
  return database.transact((tx) => changeRecords(tx, wish(zone, changes, options)))
}

/** Everything that a change writes, for the assertion that nothing was written. */
async function written(zone: ZoneRow) {
  const { rows } = await sql<{ everything: unknown }>`select json_build_object(
    'zone', (select json_build_array(version, serial, rrset_count) from zones where id = ${zone.id}),
    'rrsets', (select json_agg(r order by name, type) from zone_rrsets r where zone_id = ${zone.id}),
    'changes', (select json_agg(c order by version) from zone_changes c where zone_id = ${zone.id}),
    'journal', (select json_agg(j order by to_serial) from zone_journal j where zone_id = ${zone.id}),
    'audit', (select json_agg(a order by id) from audit_log a where zone_id = ${zone.id}),
    'outbox', (select json_agg(e order by seq) from event_outbox e where zone_id = ${zone.id})) as everything`.execute(
    db,
  )
  return rows[0]?.everything
}

async function rowsOf<T>(table: string, zone: ZoneRow, order: string): Promise<T[]> {
  return (
    await sql<T>`select * from ${sql.table(table)} where zone_id = ${zone.id} order by ${sql.ref(order)}`.execute(db)
  ).rows
}

test('one change writes records, version, serial, both histories, the audit entry and the held event', async () => {
  const zone = await newZone()
  const name = `www.${zone.name}`
  await change(zone, [replace(zone, 'www', 'A', ['192.0.2.1'], 300)])
  const result = await change(zone, [
    replace(zone, 'www', 'A', ['192.0.2.2', '192.0.2.3']),
    replace(zone, 'mail', 'TXT', ['"x"']),
  ])
  assert.equal(result.version, 2)

  const { rows } = await sql<{ version: number; serial: number; count: number }>`
    select version, serial, rrset_count as count from zones where id = ${zone.id}`.execute(db)
  assert.deepEqual(rows, [{ version: 2, serial: result.serial, count: 2 }])

  const before = { ttl: 300, records: ['192.0.2.1'] }
  const after = { ttl: 300, records: ['192.0.2.2', '192.0.2.3'] }
  const text = { ttl: 3_600, records: ['"x"'] }
  const rrsets = await rowsOf<{ name: string; type: string; ttl: number; records: string[]; updated_at: Date }>(
    'zone_rrsets',
    zone,
    'name',
  )
  assert.deepEqual(
    rrsets.map(({ name, type, ttl, records, updated_at }) => ({ name, type, ttl, records, updated_at })),
    [
      { name: `mail.${zone.name}`, type: 'TXT', ...text, updated_at: result.at },
      { name, type: 'A', ...after, updated_at: result.at },
    ],
  )

  const changes = await rowsOf<Record<string, unknown>>('zone_changes', zone, 'version')
  const { at, ...last } = changes[1] ?? {}
  assert.deepEqual(at, result.at)
  assert.deepEqual(last, {
    zone_id: zone.id,
    version: 2,
    serial: result.serial,
    actor_kind: 'key',
    source: 'api',
    actor_name: 'deploy bot',
    actor_id: 'key_1',
    changes_count: 2,
    changes: [
      { name, type: 'A', before, after },
      { name: `mail.${zone.name}`, type: 'TXT', before: null, after: text },
    ],
  })

  const journal = await rowsOf<{ from_serial: number; to_serial: number; removed: unknown; added: unknown }>(
    'zone_journal',
    zone,
    'to_serial',
  )
  const [first, second] = journal
  assert.equal(first?.from_serial, zone.serial)
  assert.equal(second?.from_serial, first?.to_serial, 'the journal has no gaps')
  assert.equal(second?.to_serial, result.serial)
  assert.deepEqual(second?.removed, [{ name, type: 'A', ...before }])
  assert.deepEqual(second?.added, [
    { name, type: 'A', ...after },
    { name: `mail.${zone.name}`, type: 'TXT', ...text },
  ])

  const audit = await rowsOf<Record<string, unknown>>('audit_log', zone, 'id')
  const { id: _, at: __, ...entry } = audit.at(-1) ?? {}
  assert.deepEqual(entry, {
    account_id: account.id,
    actor_kind: 'key',
    source: 'api',
    actor_name: 'deploy bot',
    actor_id: 'key_1',
    action: 'records.changed',
    zone_id: zone.id,
    zone_name: zone.name,
    domain: null,
    summary: '2 record sets were changed',
    reference: { version: 2, serial: result.serial },
    request_id: 'req_1',
    address: '198.51.100.7',
  })

  const [, , event] = await rowsOf<Record<string, unknown>>('event_outbox', zone, 'seq')
  assert.equal(event?.type, 'zone.records_changed')
  assert.equal(event.held, 'serial')
  assert.equal(event.serial, result.serial)
  assert.deepEqual(event.recipients, [account.id])
  assert.deepEqual(event.data, {
    zone: { id: zone.id, name: zone.name },
    serial: result.serial,
    replicated: false,
    changes: [
      { name, type: 'A', ...after },
      { name: `mail.${zone.name}`, type: 'TXT', ...text },
    ],
  })
})

test('the event of a deleted rrset has its last TTL and no records', async () => {
  const zone = await newZone()
  await change(zone, [replace(zone, 'www', 'A', ['192.0.2.1'], 77)])
  await change(zone, [replace(zone, 'www', 'A', [])])
  const events = await rowsOf<{ data: { changes?: unknown } }>('event_outbox', zone, 'seq')
  assert.deepEqual(events.at(-1)?.data.changes, [{ name: `www.${zone.name}`, type: 'A', ttl: 77, records: [] }])
  assert.deepEqual(await rowsOf('zone_rrsets', zone, 'name'), [])
})

test('if any of its statements fails, a change stores nothing', async () => {
  for (const table of ['zone_rrsets', 'zone_changes', 'zone_journal', 'audit_log', 'event_outbox']) {
    const zone = await newZone()
    const before = await written(zone)
    await sql`create function refuse() returns trigger language plpgsql as $$ begin raise exception 'planted'; end $$`.execute(
      db,
    )
    await sql`create trigger planted before insert on ${sql.table(table)} for each row execute function refuse()`.execute(
      db,
    )
    try {
      await assert.rejects(change(zone, [replace(zone, 'www', 'A', ['192.0.2.1'])]), /planted/, table)
    } finally {
      await sql`drop function refuse cascade`.execute(db)
    }
    assert.deepEqual(await written(zone), before, table)
  }
})

test('a change without effect writes nothing and returns the current version and serial', async () => {
  const zone = await newZone()
  const first = await change(zone, [replace(zone, 'www', 'A', ['192.0.2.1'], 300)])
  const before = await written(zone)
  for (const changes of [[replace(zone, 'www', 'A', ['192.0.2.1'])], [replace(zone, 'gone', 'A', [])], []]) {
    const { version, serial, moves } = await change(zone, changes)
    assert.deepEqual({ version, serial, moves }, { version: first.version, serial: first.serial, moves: [] })
  }
  assert.deepEqual(await written(zone), before)
})

test('a preview shows what would change and writes nothing', async () => {
  const zone = await newZone()
  const before = await written(zone)
  const { moves } = await previewChange(db, wish(zone, [replace(zone, 'www', 'A', ['192.0.2.1'])]))
  assert.equal(moves.length, 1)
  assert.deepEqual(await written(zone), before)
})

test('a preview finds the same errors', async () => {
  const zone = await newZone()
  const wrong = [replace(zone, 'www', 'A', ['192.0.2.1']), replace(zone, 'www', 'CNAME', ['x.example.net.'])]
  await assert.rejects(previewChange(db, wish(zone, wrong)), { code: 'validation_failed' })
  await assert.rejects(previewChange(db, wish(zone, [], { ifMatch: [5] })), { code: 'precondition_failed' })
})

test('a replacement deletes everything that the request does not name', async () => {
  const zone = await newZone()
  await change(zone, [
    replace(zone, 'a', 'A', ['192.0.2.1']),
    replace(zone, 'b', 'A', ['192.0.2.1']),
    replace(zone, 'c', 'A', ['192.0.2.1']),
  ])
  const { moves } = await change(
    zone,
    [replace(zone, 'b', 'A', ['192.0.2.1']), replace(zone, 'd', 'A', ['192.0.2.1'])],
    { replaceAll: true },
  )
  assert.deepEqual(
    moves.map(({ name, after }) => [name.slice(0, 1), after === null]),
    [
      ['d', false],
      ['a', true],
      ['c', true],
    ],
  )
  const rrsets = await rowsOf<{ name: string }>('zone_rrsets', zone, 'name')
  assert.deepEqual(
    rrsets.map(({ name }) => name.slice(0, 1)),
    ['b', 'd'],
  )
})

test('eight clients that add to one rrset at once lose none of 400 values', async () => {
  const zone = await newZone()
  const name = `pool.${zone.name}`
  const client = async (c: number): Promise<void> => {
    for (let i = 0; i < 50; i++)
      await change(zone, [
        { name, type: 'A', ttl: undefined, ask: { kind: 'edit', add: [`10.0.${c}.${i}`], remove: [] } },
      ])
  }
  await Promise.all(Array.from({ length: 8 }, (_, c) => client(c)))
  const [rrset] = await rowsOf<{ records: string[] }>('zone_rrsets', zone, 'name')
  assert.equal(rrset?.records.length, 400)
  const changes = await rowsOf<{ version: number; serial: number }>('zone_changes', zone, 'version')
  assert.deepEqual(
    changes.map(({ version }) => version),
    Array.from({ length: 400 }, (_, i) => i + 1),
  )
  assert.ok(
    changes.every(({ serial }, i) => serial > (changes[i - 1]?.serial ?? zone.serial)),
    'the serial grows with each change',
  )
  const events = await rowsOf<{ serial: number }>('event_outbox', zone, 'seq')
  assert.deepEqual(
    events.slice(1).map(({ serial }) => serial),
    changes.map(({ serial }) => serial),
    'events keep the order of the changes',
  )
})

test('one of two writers with the same version is refused', async () => {
  const zone = await newZone()
  const { version } = await change(zone, [replace(zone, 'www', 'A', ['192.0.2.1'])])
  const results = await Promise.allSettled(
    ['192.0.2.2', '192.0.2.3'].map((address) =>
      change(zone, [replace(zone, 'www', 'A', [address])], { ifMatch: [version] }),
    ),
  )
  const refused = results.filter((result) => result.status === 'rejected').map(({ reason }) => reason as unknown)
  assert.equal(refused.length, 1)
  assert.ok(refused[0] instanceof Refusal)
  assert.equal(refused[0].code, 'precondition_failed')
})

test('the precondition is checked before anything else of the zone, even if nothing would change', async () => {
  const zone = await newZone()
  await assert.rejects(change(zone, [], { ifMatch: [5] }), { code: 'precondition_failed' })
  assert.equal((await change(zone, [], { ifMatch: [0] })).version, 0)
})

test('a pending zone has no history for secondaries, and its event is released immediately', async () => {
  const zone = await database.transact((tx) => createZone(tx, takingParts(), owner, `pending${++zones}.example.com`))
  await change(zone, [replace(zone, 'www', 'A', ['192.0.2.1'])])
  assert.deepEqual(await rowsOf('zone_journal', zone, 'to_serial'), [])
  const events = await rowsOf<{ held: string | null; replicated: boolean }>('event_outbox', zone, 'seq')
  assert.deepEqual(
    events.map(({ held, replicated }) => ({ held, replicated })),
    [{ held: null, replicated: false }],
  )
})

test('records of a deleted zone cannot be changed', async () => {
  const zone = await newZone()
  await assert.rejects(change({ ...zone, id: '00000000-0000-4000-8000-000000000000' }, []), { code: 'not_found' })
  await sql`update zones set state = 'deleted' where id = ${zone.id}`.execute(db)
  await assert.rejects(change(zone, [replace(zone, 'www', 'A', ['192.0.2.1'])]), { code: 'not_found' })
})

test('a change of every rrset of a large zone is one version, one serial and one event', async () => {
  const zone = await newZone()
  const changes = Array.from({ length: 3_000 }, (_, i) => replace(zone, `host${i}`, 'A', ['192.0.2.1']))
  const { version, moves } = await change(zone, changes)
  assert.deepEqual([version, moves.length], [1, 3_000])
  assert.equal((await rowsOf('event_outbox', zone, 'seq')).length, 2)
})

test('the serial continues past 2^32, and the event shows the serial of the DNS', async () => {
  const zone = await newZone()
  await sql`update zones set serial = ${2 ** 32 - 1} where id = ${zone.id}`.execute(db)
  const { serial } = await change(zone, [replace(zone, 'www', 'A', ['192.0.2.1'])])
  assert.equal(serial, 2 ** 32)
  const events = await rowsOf<{ serial: number; data: { serial?: number } }>('event_outbox', zone, 'seq')
  assert.deepEqual([events.at(-1)?.serial, events.at(-1)?.data.serial], [2 ** 32, 0])
})

test('the serial always increases and is never behind the clock', async () => {
  const zone = await newZone()
  let last = zone.serial
  for (const ahead of ['0 seconds', '0 seconds', '10 days', '10 days', '0 seconds']) {
    await moveClock(database, ahead)
    const { rows } = await sql<{ now: number }>`select floor(extract(epoch from app_now()))::bigint as now`.execute(db)
    const { serial } = await change(zone, [replace(zone, 'tick', 'TXT', [`"${last}"`])])
    assert.ok(serial > last, `${serial} comes after ${last}`)
    assert.ok(serial >= (rows[0]?.now ?? Number.NaN), `${serial} is behind the clock`)
    last = serial
  }
})

test('a change through the database is committed alone or with others; a change in a transaction is part of that transaction', async () => {
  const zone = await newZone()
  const adds = Array.from({ length: 20 }, (_, i) =>
    wish(zone, [
      {
        name: `www.${zone.name}`,
        type: 'A',
        ttl: undefined,
        ask: { kind: 'edit', add: [`192.0.2.${i + 1}`], remove: [] },
      },
    ]),
  )
  const versions = (await Promise.all(adds.map((add) => changeRecords(database, add)))).map(({ version }) => version)
  assert.equal(new Set(versions).size, 20)
  const rrsets = await rowsOf<{ records: string[] }>('zone_rrsets', zone, 'name')
  assert.equal(rrsets[0]?.records.length, 20)
  const { rows } = await sql<{ n: number }>`
    select count(distinct xmin::text)::int as n from zone_changes where zone_id = ${zone.id}`.execute(db)
  assert.ok((rows[0]?.n ?? 20) < 20, 'none shared a transaction')
  const before = await written(zone)
  const undone = database.transact(async (tx) => {
    await changeRecords(tx, wish(zone, [replace(zone, 'mail', 'A', ['192.0.2.1'])]))
    throw new Error('the transaction failed')
  })
  await assert.rejects(undone, /the transaction failed/)
  assert.deepEqual(await written(zone), before)
})

test('both ways to commit refuse a deleted zone and a change with one invalid part, and write nothing', async () => {
  const zone = await newZone()
  const ways = [
    (request: ChangeRequest) => changeRecords(database, request),
    (request: ChangeRequest) => database.transact((tx) => changeRecords(tx, request)),
  ]
  const before = await written(zone)
  for (const commit of ways) {
    const gone = {
      ...wish(zone, [replace(zone, 'www', 'A', ['192.0.2.1'])]),
      zoneId: '00000000-0000-7000-8000-000000000009',
    }
    await assert.rejects(commit(gone), { code: 'not_found' })
    const both = [replace(zone, 'www', 'A', ['192.0.2.1']), replace(zone, 'www', 'CNAME', ['example.net.'])]
    await assert.rejects(commit(wish(zone, both)), { code: 'validation_failed' })
    await assert.rejects(commit(wish(zone, both.slice(0, 1), { ifMatch: [99] })), { code: 'precondition_failed' })
    assert.deepEqual(await written(zone), before)
  }
})
