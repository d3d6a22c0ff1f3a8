import assert from 'node:assert/strict'
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
/** However slow the disk is. */
const patienceMs = 60_000
const many = Array.from({ length: 300 }, (_, index) => `n${index}.deep A 192.0.2.9`)

async function saving(test: TestContext, lines = ['www A 192.0.2.1', 'old A 192.0.2.9']) {
  const directory = temporaryDirectory(test)
  const log = keptLog()
  const read = () => readStore(directory, log, (zones) => Array.from(zones, kept))
  const writer = await openStoreWriter(read().file)
  const batches: (readonly StoreChange[])[] = []
  const watched = {
    ...writer,
    save: (changes: readonly StoreChange[]) => {
      batches.push(changes)
      return writer.save(changes)
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
  return { saver, zones, held, batches, change, reread, content }
}

/** With its names, which are there only as long as it is read. */
function kept(zone: StoredZone) {
  return { ...zone, owners: [...zone.owners] }
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
  it('many changes of a zone in a short time are one small batch with the newest state', async (test) => {
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

  it('of a large zone only the names that changed are written', async (test) => {
    const { batches, change, reread, content } = await saving(test, many)
    change(zoneOf(origin, 2, [...many.slice(1), 'new.deep TXT "x"']))
    const [stored] = await reread()
    assert.deepEqual(batches[1]?.map(({ kind }) => kind).sort(), ['large', 'name', 'name', 'no_name'])
    assert.deepEqual(textsOf(stored), content())
    assert.equal(stored?.isByName, true)
  })

  it('a zone that grows large, and one that shrinks, change their form on disk', async (test) => {
    const { change, reread, content, batches } = await saving(test)
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

  it('contact is saved without the records', async (test) => {
    const { saver, batches, reread, held } = await saving(test)
    held.contactAtMs = 5000
    saver.contact(origin)
    assert.equal((await reread())[0]?.contactAtMs, 5000)
    assert.deepEqual(batches[1], [{ kind: 'contact', origin, contactAtMs: 5000 }])
  })

  it('a zone that is gone is deleted, and one that was reset is kept by name alone', async (test) => {
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
