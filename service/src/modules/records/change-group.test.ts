import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAccount } from '#modules/accounts/index.ts'
import { addLiveZone, type ZoneRow } from '#modules/zones/index.ts'
import { actorNamed } from '#platform/caller.ts'
import { Refusal } from '#platform/errors.ts'
import { sql } from '#platform/postgres/index.ts'
import { eventually } from '#testing/eventually.ts'
import { asAnotherProcess, cloneDatabase } from '#testing/platform/test-database.ts'
import { takingParts } from '#testing/taking-parts.ts'
import { untilBlocked } from '#testing/until-blocked.ts'
import { ChangeGroup } from './change-group.ts'
import { changeRecords } from './change-records.ts'
import { freshMs, ZonePreload } from './preload.ts'
import { namesAboveOwner } from './rules.ts'
import { type ZonePreloadRow, zonePreloadColumn } from './store.ts'
import type { ChangeRequest, ChangeResult } from './zone-draft.ts'

const database = await cloneDatabase()
const { db } = database
const elsewhere = asAnotherProcess(database.url)
const operator = actorNamed('operator', 'test')
const account = await database.transact((tx) =>
  createAccount(tx, operator, { email: 'owner@example.net', name: 'Owner' }),
)
const group = new ChangeGroup(database)
let zones = 0

function newZone(): Promise<ZoneRow> {
  return database.transact((tx) =>
    addLiveZone(
      tx,
      takingParts(),
      { actor: operator, accountId: account.id, serviceDomains: [] },
      `group${++zones}.example.com`,
    ),
  )
}

function adding(zone: ZoneRow, name: string, record: string, options: Partial<ChangeRequest> = {}): ChangeRequest {
  return {
    zoneId: zone.id,
    actor: operator,
    changes: [
      { name: `${name}.${zone.name}`, type: 'A', ttl: undefined, ask: { kind: 'edit', add: [record], remove: [] } },
    ],
    ifMatch: undefined,
    pathOf: String,
    ...options,
  }
}

async function recordsOf(zone: ZoneRow): Promise<Record<string, string[]>> {
  const { rows } = await sql<{ name: string; records: string[] }>`
    select name, records from zone_rrsets where zone_id = ${zone.id} order by name`.execute(db)
  return Object.fromEntries(rows.map(({ name, records }) => [name.split('.')[0], records]))
}

/** Transactions that wrote an audit entry about these zones. */
async function commitsOf(all: readonly ZoneRow[]): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(distinct a.xmin::text)::int as n from audit_log a
    where action = 'records.changed' and zone_id = any(${all.map(({ id }) => id)}::uuid[])`.execute(db)
  return rows[0]?.n ?? 0
}

test('many concurrent requests share few commits, and each change has its own version, history, audit entry and event', async () => {
  const many = await Promise.all(Array.from({ length: 20 }, newZone))
  const results = await Promise.all(many.map((zone, i) => group.change(adding(zone, 'www', `192.0.2.${i}`))))
  assert.deepEqual(
    results.map(({ version }) => version),
    many.map(() => 1),
  )
  for (const [i, zone] of many.entries()) assert.deepEqual(await recordsOf(zone), { www: [`192.0.2.${i}`] })
  const traces = {
    zone_changes: sql`true`,
    zone_journal: sql`true`,
    audit_log: sql`action = 'records.changed'`,
    event_outbox: sql`type = 'zone.records_changed'`,
  }
  for (const [table, ofChange] of Object.entries(traces)) {
    const { rows } = await sql<{ zone_id: string }>`
      select zone_id from ${sql.table(table)} where zone_id = any(${many.map(({ id }) => id)}::uuid[]) and ${ofChange}`.execute(
      db,
    )
    assert.deepEqual(rows.map(({ zone_id }) => zone_id).sort(), many.map(({ id }) => id).sort(), table)
  }
  assert.ok((await commitsOf(many)) <= 3, 'shared commits')
})

test('changes of one zone in one commit build on each other in the order of the requests', async () => {
  const zone = await newZone()
  const other = await newZone()
  const first = group.change(adding(other, 'hold', '192.0.2.1'))
  const results = await Promise.all(
    Array.from({ length: 30 }, (_, i) => group.change(adding(zone, 'all', `192.0.2.${i}`))),
  )
  await first
  assert.deepEqual(
    results.map(({ version }) => version),
    Array.from({ length: 30 }, (_, i) => i + 1),
  )
  assert.equal((await recordsOf(zone)).all?.length, 30)
  const { rows } = await sql<{ from_serial: number; to_serial: number }>`
    select from_serial, to_serial from zone_journal where zone_id = ${zone.id} order by to_serial`.execute(db)
  assert.equal(rows.length, 30)
  assert.equal(rows[0]?.from_serial, zone.serial)
  for (const [i, { from_serial }] of rows.entries())
    if (i > 0) assert.equal(from_serial, rows[i - 1]?.to_serial, 'no gap')
  assert.equal(rows.at(-1)?.to_serial, results.at(-1)?.serial)
})

test('a refused change does not affect the other changes in its commit', async () => {
  const zone = await newZone()
  const [kept, refused, last] = await Promise.allSettled([
    group.change(adding(zone, 'kept', '192.0.2.1')),
    group.change(adding(zone, 'late', '192.0.2.1', { ifMatch: [0] })),
    group.change(adding(zone, 'last', '192.0.2.1', { ifMatch: [1] })),
  ])
  assert.equal(kept.status, 'fulfilled')
  assert.ok(refused.status === 'rejected' && refused.reason instanceof Refusal)
  assert.equal(refused.reason.code, 'precondition_failed')
  assert.ok(last.status === 'fulfilled' && last.value.version === 2)
  assert.deepEqual(await recordsOf(zone), { kept: ['192.0.2.1'], last: ['192.0.2.1'] })
})

test('an rrset that is created and deleted within one commit is gone', async () => {
  const zone = await newZone()
  const gone = adding(zone, 'brief', '192.0.2.1')
  const away = gone.changes.map((change) => ({
    ...change,
    ask: { kind: 'edit', add: [], remove: ['192.0.2.1'] } as const,
  }))
  await Promise.all([group.change(gone), group.change({ ...gone, changes: away })])
  assert.deepEqual(await recordsOf(zone), {})
  const { rows } = await sql<{ rrset_count: number; version: number }>`
    select rrset_count, version from zones where id = ${zone.id}`.execute(db)
  assert.deepEqual(rows, [{ rrset_count: 0, version: 2 }])
})

test('a change of one zone does not wait for another zone that is locked', async () => {
  const [busy, idle] = [await newZone(), await newZone()]
  let letGo = (): void => undefined
  const held = new Promise<void>((resolve) => {
    letGo = resolve
  })
  let isLocked = (): void => undefined
  const locked = new Promise<void>((resolve) => {
    isLocked = resolve
  })
  const holder = database.transact(async (tx) => {
    await sql`select from zones where id = ${busy.id} for update`.execute(tx)
    isLocked()
    await held
  })
  await locked
  let isBusyDone = false
  const waiting = group.change(adding(busy, 'www', '192.0.2.1')).then((result) => {
    isBusyDone = true
    return result
  })
  await group.change(adding(idle, 'www', '192.0.2.1'))
  assert.equal(isBusyDone, false)
  letGo()
  await holder
  assert.equal((await waiting).version, 1)
})

test('however many requests wait for one zone, other requests get connections', async () => {
  const [busy, idle] = [await newZone(), await newZone()]
  const gate = Promise.withResolvers<void>()
  const locked = Promise.withResolvers<void>()
  const holder = database.transact(async (tx) => {
    await sql`select from zones where id = ${busy.id} for update`.execute(tx)
    locked.resolve()
    await gate.promise
  })
  await locked.promise
  const waiting = Array.from({ length: 20 }, (_, i) =>
    group.change(adding(busy, `www${i}`, '192.0.2.1', { replaceAll: true })),
  )
  await untilBlocked(db)
  await group.change(adding(idle, 'www', '192.0.2.1'))
  gate.resolve()
  await holder
  const versions = (await Promise.all(waiting)).map(({ version }) => version)
  assert.deepEqual(
    versions,
    Array.from({ length: 20 }, (_, i) => i + 1),
  )
})

test('a change that the database refuses does not fail the others', async () => {
  const [good, bad] = [await newZone(), await newZone()]
  const unfit = { ...operator, address: 'no address' }
  const [kept, refused] = await Promise.allSettled([
    group.change(adding(good, 'www', '192.0.2.1')),
    group.change(adding(bad, 'www', '192.0.2.1', { actor: unfit })),
  ])
  assert.equal(kept.status, 'fulfilled')
  assert.equal(refused.status, 'rejected')
  assert.deepEqual(await recordsOf(good), { www: ['192.0.2.1'] })
  assert.deepEqual(await recordsOf(bad), {})
})

test('a zone that does not exist is reported as missing', async () => {
  const zone = await newZone()
  const nowhere = { ...zone, id: '00000000-0000-4000-8000-000000000000' }
  await assert.rejects(group.change(adding(nowhere, 'www', '192.0.2.1')), { code: 'not_found' })
})

/** Preloads a zone, as for a request about one owner name. */
async function preloadZone(zone: ZoneRow, name: string): Promise<ZonePreload> {
  const ownerName = `${name}.${zone.name}`
  const { rows } = await sql<{ preload: ZonePreloadRow }>`
    select ${zonePreloadColumn(sql`${ownerName}::text`, sql`${namesAboveOwner(ownerName)}::text[]`)} as preload from zones z where z.id = ${zone.id}`.execute(
    db,
  )
  assert.ok(rows[0])
  return new ZonePreload(ownerName, rows[0].preload)
}

test('a preload includes a DNAME above the name, and nothing can be added below it', async () => {
  const zone = await newZone()
  const dname = { name: `old.${zone.name}`, type: 'DNAME', ttl: undefined }
  await group.change({
    ...adding(zone, 'www', '192.0.2.1'),
    changes: [{ ...dname, ask: { kind: 'replace', records: ['example.net.'] } }],
  })
  const isBelow = (error: { code: string; details: { code: string }[] }) =>
    error.code === 'validation_failed' && error.details.every(({ code }) => code === 'below_dname')
  for (const name of ['a.old', 'b.a.old']) {
    const preload = await preloadZone(zone, name)
    await assert.rejects(group.change(adding(zone, name, '192.0.2.1', { preload })), isBelow)
    await assert.rejects(group.change(adding(zone, name, '192.0.2.1')), isBelow)
    await assert.rejects(
      database.transact((tx) => changeRecords(tx, adding(zone, name, '192.0.2.1'))),
      isBelow,
    )
  }
  await group.change(adding(zone, 'xold', '192.0.2.1'))
})

test('a DNAME cannot be added above existing names, however large the zone', async () => {
  const zone = await newZone()
  await group.change(adding(zone, 'a.deep.old', '192.0.2.1'))
  const dname = (name: string) => ({
    ...adding(zone, 'www', '192.0.2.1'),
    changes: [
      {
        name: `${name}.${zone.name}`,
        type: 'DNAME',
        ttl: undefined,
        ask: { kind: 'create', records: ['example.net.'] } as const,
      },
    ],
  })
  for (const name of ['old', 'deep.old'])
    await assert.rejects(
      group.change(dname(name)),
      (error: { details: { code: string; message: string }[] }) =>
        error.details[0]?.code === 'dname_above_records' &&
        error.details[0].message.includes(`a.deep.old.${zone.name} A`),
    )
  await group.change(dname('b.old'))
})

/**
 * Changes this many zones at once, planned on preloads. In the meantime, each zone got another value without a new serial, so a change that reads
 * again finds two values. Repeats if a busy machine took longer than the preloads are valid.
 */
function changedAfterPreload(count: number): Promise<{ zones: ZoneRow[]; results: ChangeResult[] }> {
  return eventually('changes soon after the reading', async () => {
    const zones = await Promise.all(Array.from({ length: count }, newZone))
    for (const zone of zones) await group.change(adding(zone, 'www', '192.0.2.1'))
    const readAtMs = performance.now()
    const preloads = await Promise.all(zones.map((zone) => preloadZone(zone, 'www')))
    const ids = zones.map(({ id }) => id)
    await sql`update zone_rrsets set records = '{192.0.2.1,192.0.2.9}' where zone_id = any(${ids}::uuid[])`.execute(db)
    const results = await Promise.all(
      zones.map((zone, i) => group.change(adding(zone, 'www', '192.0.2.2', { preload: preloads[i] }))),
    )
    return performance.now() - readAtMs < freshMs ? { zones, results } : undefined
  })
}

test('a single change is planned on its preload', async () => {
  const { zones, results } = await changedAfterPreload(1)
  assert.deepEqual(
    results.map(({ version, moves }) => [version, moves[0]?.before?.records]),
    [[2, ['192.0.2.1']]],
  )
  for (const zone of zones) assert.deepEqual(await recordsOf(zone), { www: ['192.0.2.1', '192.0.2.2'] })
})

test('concurrent changes of different zones are planned on their preloads', async () => {
  const { zones, results } = await changedAfterPreload(2)
  for (const { moves } of results) assert.deepEqual(moves[0]?.before?.records, ['192.0.2.1'])
  for (const zone of zones) assert.deepEqual(await recordsOf(zone), { www: ['192.0.2.1', '192.0.2.2'] })
  assert.equal(await commitsOf(zones), 2 + 1, 'one for each record that was there, and one for both')
})

test('if one of several zones has changed since the preload, all are read again, and each change is made once', async () => {
  const [moved, other] = [await newZone(), await newZone()]
  const [first, second] = [await preloadZone(moved, 'www'), await preloadZone(other, 'www')]
  await database.transact((tx) => changeRecords(tx, adding(moved, 'www', '192.0.2.1')))
  const results = await Promise.all([
    group.change(adding(moved, 'www', '192.0.2.2', { preload: first })),
    group.change(adding(other, 'www', '192.0.2.3', { preload: second })),
  ])
  assert.deepEqual(
    results.map(({ version }) => version),
    [2, 1],
  )
  assert.deepEqual(await recordsOf(moved), { www: ['192.0.2.1', '192.0.2.2'] })
  assert.deepEqual(await recordsOf(other), { www: ['192.0.2.3'] })
})

test('two concurrent changes of one zone build on each other, whatever was preloaded', async () => {
  const zone = await newZone()
  const preload = await preloadZone(zone, 'www')
  await Promise.all(['192.0.2.1', '192.0.2.2'].map((record) => group.change(adding(zone, 'www', record, { preload }))))
  assert.deepEqual(await recordsOf(zone), { www: ['192.0.2.1', '192.0.2.2'] })
})

test('a preload is valid only briefly', async () => {
  const zone = await newZone()
  const preload = await preloadZone(zone, 'www')
  const names = [`www.${zone.name}`]
  assert.equal(preload.zoneFor(zone.id, names, performance.now()), undefined, 'the zone has changed since')
  await eventually('it is too old', () => preload.zoneFor(zone.id, names) === undefined, 10_000)
})

/** A group, and the number of its transactions that were rolled back. */
function countingGroup(): { readonly counted: ChangeGroup; givenUp(): number } {
  let count = 0
  const transact: typeof database.transact = (work) =>
    database.transact(work).catch((error: unknown) => {
      count += 1
      throw error
    })
  return { counted: new ChangeGroup({ ...database, transact }), givenUp: () => count }
}

test('for a second after one of several zones has changed, changes of several zones do not use preloads', async () => {
  const [moving, other] = [await newZone(), await newZone()]
  const { counted, givenUp } = countingGroup()
  let n = 0
  /** Two changes with preloads; one of their zones has changed since then. */
  const both = async (): Promise<void> => {
    const [first, second] = [await preloadZone(moving, 'www'), await preloadZone(other, 'www')]
    await database.transact((tx) => changeRecords(tx, adding(moving, 'other', `192.0.2.${n++}`)))
    await Promise.all([
      counted.change(adding(moving, 'www', `192.0.2.${n}`, { preload: first })),
      counted.change(adding(other, 'www', `192.0.2.${n}`, { preload: second })),
    ])
  }
  // On a busy machine, the preloads may be too old, and the second may be over.
  await eventually('two batches within a second', async () => {
    const [startMs, before] = [performance.now(), givenUp()]
    await both()
    const isGivenUp = givenUp() > before
    await both()
    if (!isGivenUp || performance.now() - startMs > 900) return false
    assert.equal(givenUp(), before + 1)
    return true
  })
})

test('two concurrent changes of one zone and one of another are each made in their own zone', async () => {
  for (const order of [
    [0, 0, 1],
    [0, 1, 0],
    [1, 0, 0],
  ]) {
    const zones = [await newZone(), await newZone()] as const
    const preloads = await Promise.all(zones.map((zone) => preloadZone(zone, 'www')))
    // A new group has seen no changed zone yet, so it plans on preloads of several zones.
    const group = new ChangeGroup(database)
    const results = await Promise.all(
      order.map((at, i) =>
        group.change(adding(zones[at] ?? assert.fail(), 'www', `192.0.2.${i}`, { preload: preloads[at] })),
      ),
    )
    for (const [at, zone] of zones.entries()) {
      const own = order.flatMap((each, i) => (each === at ? [i] : []))
      const { rows } = await sql<{ name: string; records: string[] }>`
        select name, records from zone_rrsets where zone_id = ${zone.id}`.execute(db)
      assert.deepEqual(rows, [{ name: `www.${zone.name}`, records: own.map((i) => `192.0.2.${i}`) }], `${order}`)
      assert.deepEqual(
        own.map((i) => results[i]?.version),
        own.map((_, n) => n + 1),
      )
    }
  }
})

test('a preload from before another writer’s change is discarded and read again', async () => {
  const zone = await newZone()
  const preload = await preloadZone(zone, 'www')
  await group.change(adding(zone, 'www', '192.0.2.1'))
  const { version } = await group.change(adding(zone, 'www', '192.0.2.2', { preload }))
  assert.equal(version, 2)
  assert.deepEqual(await recordsOf(zone), { www: ['192.0.2.1', '192.0.2.2'] })
})

test('a zone that was deleted since it was preloaded accepts no change', async () => {
  const zone = await newZone()
  const preload = await preloadZone(zone, 'www')
  await sql`update zones set state = 'deleted', deleted_at = app_now() where id = ${zone.id}`.execute(db)
  await assert.rejects(group.change(adding(zone, 'www', '192.0.2.1', { preload })), { code: 'not_found' })
  assert.deepEqual(await recordsOf(zone), {})
})

test('a single change waits for the writer that has locked the zone, and loses none of its changes', async () => {
  const zone = await newZone()
  const preload = await preloadZone(zone, 'www')
  let mine: Promise<unknown> | undefined
  await elsewhere.transact(async (tx) => {
    await changeRecords(tx, adding(zone, 'www', '192.0.2.1'))
    mine = group.change(adding(zone, 'www', '192.0.2.2', { preload }))
    await untilBlocked(db)
  })
  await mine
  assert.deepEqual(await recordsOf(zone), { www: ['192.0.2.1', '192.0.2.2'] })
})

test('a preload is only for its zone and owner name', async () => {
  const [zone, other] = [await newZone(), await newZone()]
  const preload = await preloadZone(zone, 'www')
  assert.equal(preload.zoneFor(zone.id, [`www.${zone.name}`])?.name, zone.name)
  assert.equal(preload.zoneFor(zone.id, [`mail.${zone.name}`]), undefined)
  assert.equal(preload.zoneFor(zone.id, undefined), undefined)
  assert.equal(preload.zoneFor(other.id, [`www.${zone.name}`]), undefined)
})

test('two writers that change one zone without a pause never plan on outdated data', async () => {
  const zone = await newZone()
  const { counted, givenUp } = countingGroup()
  await Promise.all(
    ['a', 'b'].map(async (name) => {
      for (let i = 0; i < 20; i++)
        await counted.change(adding(zone, name, `192.0.2.${i}`, { preload: await preloadZone(zone, name) }))
    }),
  )
  const { a, b } = await recordsOf(zone)
  assert.deepEqual([a?.length, b?.length], [20, 20])
  // A preload that was read during the other's commit and seen after it. This can happen, but only rarely.
  assert.ok(givenUp() <= 10, `${givenUp()} of 40 transactions were given up`)
})
