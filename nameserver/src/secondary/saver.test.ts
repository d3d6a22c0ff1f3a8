import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { describe, it, type TestContext } from 'node:test'
import { diffRrsets, nameFromWire, parseName, type Rrset, rdataToText, type Zone } from '@zonewright/dns'
import { readStore } from '../store/open-store.ts'
import type { StoreChange, StoredZone } from '../store/store.ts'
import { openStoreWriter } from '../store/store-writer.ts'
import { Tables } from '../tables/tables.ts'
import { eventually } from '../testing/eventually.ts'
import { keptLog } from '../testing/kept-log.ts'
import { temporaryDirectory } from '../testing/run-secondary.ts'
import { zoneOf } from '../testing/zone-of.ts'
import { Saver } from './saver.ts'
import { SecondaryZone } from './secondary-zone.ts'

const origin = parseName('example.')
/** A zone that contains it cannot be saved. */
const refusedSerial = 666
/** Long enough, however slow the disk is. */
const patienceMs = 60_000
const many = Array.from({ length: 300 }, (_, index) => `n${index}.deep A 192.0.2.9`)

async function saving(test: TestContext, lines = ['www A 192.0.2.1', 'old A 192.0.2.9']) {
  const directory = temporaryDirectory(test)
  const log = keptLog()
  const read = () => readStore(directory, log, (zones) => Array.from(zones, kept))
  const { file } = read()
  refuseSerial(file, refusedSerial)
  const writer = await openStoreWriter(file)
  const batches: (readonly StoreChange[])[] = []
  const settled: Promise<unknown>[] = []
  const watched = {
    ...writer,
    save: (changes: readonly StoreChange[]) => {
      batches.push(changes)
      const saved = writer.save(changes)
      settled.push(saved.catch(() => {}))
      return saved
    },
  }
  const zones = new Map<typeof origin, SecondaryZone>()
  const tables = new Tables()
  const saver = new Saver(watched, tables, zones, log)
  const held = new SecondaryZone(origin, 'label')
  const first = zoneOf(origin, 1, lines)
  tables.publish(origin, first.rrsets())
  held.hold(first.soa)
  held.contactAtMs = 1000
  zones.set(origin, held)
  saver.whole(origin)
  await eventually('it is saved', () => batches.length === 1)
  const change = (next: Zone) => {
    const diff = diffRrsets(tables.zone(origin)?.rrsets() ?? [], next.rrsets())
    tables.apply(origin, diff)
    held.hold(next.soa)
    saver.records(origin, diff.removed, diff.added)
  }
  const reread = async () => {
    await saver.close(patienceMs)
    return read().taken
  }
  const content = () => texts(tables.zone(origin)?.rrsets() ?? [])
  const batchSettled = async (index: number) => {
    await settled[index]
    await new Promise(setImmediate)
  }
  return { saver, zones, held, batches, batchSettled, change, reread, content, log }
}

/** Makes the store fail as a full disk does: SQLite refuses a whole batch that has the zone at this serial. */
function refuseSerial(file: string, serial: number): void {
  const db = new DatabaseSync(file)
  db.exec(`create trigger no_room before insert on zones when new.serial = ${serial}
    begin select raise(abort, 'no room'); end`)
  db.close()
}

/** A stored zone with its names, which can be read only during the iteration. */
function kept({ isWhole, ...zone }: StoredZone) {
  const owners = [...zone.owners]
  assert.ok(isWhole())
  return { ...zone, owners }
}

function texts(rrsets: Iterable<Rrset>): string[] {
  return Array.from(rrsets, ({ name, type, ttl, data }) =>
    [name, ttl, type, ...data.map((each) => rdataToText(type, each))].join(' '),
  ).sort()
}

function textsOf(stored: ReturnType<typeof kept> | undefined): string[] {
  return texts(
    stored?.owners.flatMap(({ name, rrsets }) => rrsets.map((rrset) => ({ name: nameFromWire(name), ...rrset }))) ?? [],
  )
}

describe('saving', () => {
  it('many changes of a zone in a short time become one small batch with the latest state', async (test) => {
    const { batches, change, reread, content } = await saving(test)
    for (let serial = 2; serial <= 20; serial++) change(zoneOf(origin, serial, [`www A 192.0.2.${serial}`]))
    const [stored] = await reread()
    assert.equal(batches.length, 2)
    assert.deepEqual(
      batches[1]?.map(({ kind }) => kind),
      ['whole'],
    )
    assert.deepEqual(textsOf(stored), content())
    assert.deepEqual([stored?.label, stored?.contactAtMs], ['label', 1000])
  })

  it('only the changed names of a large zone are written', async (test) => {
    const { batches, change, reread, content } = await saving(test, many)
    // Two changes before it is saved: the names of both are written.
    change(zoneOf(origin, 2, many.slice(1)))
    change(zoneOf(origin, 3, [...many.slice(1), 'new.deep TXT "x"']))
    const [stored] = await reread()
    assert.deepEqual(batches[1]?.map(({ kind }) => kind).sort(), ['large', 'name', 'name', 'no_name'])
    assert.deepEqual(textsOf(stored), content())
    assert.equal(stored?.isByName, true)
  })

  it('a zone changes its form on disk when it grows large and when it shrinks', async (test) => {
    const { change, reread, content, batches } = await saving(test, many.slice(0, 90))
    change(zoneOf(origin, 2, many))
    await eventually('it is saved', () => batches.length === 2)
    change(zoneOf(origin, 3, many.slice(0, 299)))
    await eventually('it is saved', () => batches.length === 3)
    assert.ok((batches[2]?.length ?? 0) < 5)
    change(zoneOf(origin, 4, ['www A 192.0.2.1']))
    const [stored] = await reread()
    assert.deepEqual(textsOf(stored), content())
    assert.equal(stored?.isByName, false)
  })

  it('a zone that grows large is saved with all its names, not only the added ones', async (test) => {
    const { change, reread, content } = await saving(test, many.slice(0, 90))
    change(zoneOf(origin, 2, many))
    const [stored] = await reread()
    assert.deepEqual(textsOf(stored), content())
    assert.equal(stored?.isByName, true)
  })

  it('a contact is saved without the records', async (test) => {
    const { saver, batches, reread, held } = await saving(test)
    held.contactAtMs = 5000
    saver.contact(origin)
    assert.equal((await reread())[0]?.contactAtMs, 5000)
    assert.deepEqual(batches[1], [{ kind: 'contact', origin, contactAtMs: 5000 }])
  })

  it('a removed zone is deleted, and a reset zone is kept without data', async (test) => {
    const { saver, zones, reread } = await saving(test)
    zones.delete(origin)
    saver.whole(origin)
    const reset = new SecondaryZone(parseName('reset.'), 'new')
    zones.set(reset.origin, reset)
    saver.whole(reset.origin)
    assert.deepEqual(await reread(), [
      { origin: 'reset.', label: 'new', serial: undefined, contactAtMs: 0, isByName: false, owners: [] },
    ])
  })
})

describe('a failed write', () => {
  it('is retried automatically after five seconds, with the current content of the zone', async (test) => {
    const { batches, batchSettled, change, held, log, content, saver, reread } = await saving(test)
    await batchSettled(0)
    test.mock.timers.enable({ apis: ['setTimeout'] })
    change(zoneOf(origin, refusedSerial, ['www A 192.0.2.6']))
    test.mock.timers.tick(50)
    await batchSettled(1)
    assert.deepEqual(
      log.lines.map(({ level, msg, reason }) => [level, msg, reason]),
      [['error', 'store not written: retrying', 'no room']],
    )
    // Changes that arrive in the meantime do not shorten the wait: only the timer starts the next attempt.
    held.contactAtMs = 5_000
    saver.contact(origin)
    test.mock.timers.tick(4_999)
    assert.equal(batches.length, 2)
    test.mock.timers.tick(1)
    assert.equal(batches.length, 3)
    await batchSettled(2)
    assert.equal(log.lines.length, 2, 'it fails again')
    change(zoneOf(origin, 667, ['www A 192.0.2.7']))
    test.mock.timers.tick(5_000)
    assert.equal(batches.length, 4)
    await batchSettled(3)
    test.mock.timers.tick(60_000)
    assert.equal(batches.length, 4, 'nothing is left to save')
    test.mock.timers.reset()
    const [stored] = await reread()
    assert.deepEqual([stored?.serial, stored?.contactAtMs], [667, 5_000])
    assert.deepEqual(textsOf(stored), content())
  })

  it('is retried when the saver closes', async (test) => {
    const { batchSettled, change, content, reread, batches } = await saving(test)
    await batchSettled(0)
    change(zoneOf(origin, refusedSerial, ['www A 192.0.2.6', 'more A 192.0.2.7']))
    await eventually('it was tried', () => batches.length === 2)
    await batchSettled(1)
    change(zoneOf(origin, 667, ['www A 192.0.2.6', 'more A 192.0.2.7', 'most A 192.0.2.8']))
    const [stored] = await reread()
    assert.deepEqual(textsOf(stored), content())
  })

  it('leaves no partial zone if it grew in the meantime: all its names are written, not only the next changes', async (test) => {
    // The zone is one row on disk. The change that makes it large leaves most of its names unchanged.
    const { batchSettled, change, content, reread, batches } = await saving(test, many.slice(0, 90))
    await batchSettled(0)
    change(zoneOf(origin, refusedSerial, many))
    await eventually('it was tried', () => batches.length === 2)
    await batchSettled(1)
    change(zoneOf(origin, 667, many.slice(1)))
    const [stored] = await reread()
    assert.equal(stored?.isByName, true)
    assert.deepEqual(textsOf(stored), content())
  })

  it('does not prevent other zones from being saved afterwards', async (test) => {
    const { saver, zones, batchSettled, change, reread, batches } = await saving(test)
    await batchSettled(0)
    const other = new SecondaryZone(parseName('other.'), 'other-label')
    zones.set(other.origin, other)
    saver.whole(other.origin)
    change(zoneOf(origin, refusedSerial, []))
    await eventually('it was tried', () => batches.length === 2)
    await batchSettled(1)
    zones.delete(origin)
    saver.whole(origin)
    assert.deepEqual(
      (await reread()).map((stored) => [stored.origin, stored.label]),
      [['other.', 'other-label']],
    )
  })
})
