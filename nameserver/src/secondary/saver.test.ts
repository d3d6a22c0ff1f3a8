import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { diffRrsets, parseName, type Zone } from '@zonewright/dns'
import { readStore } from '../open-store.ts'
import type { StoreChange } from '../store.ts'
import { openStoreWriter } from '../store-writer.ts'
import { eventually } from '../testing/eventually.ts'
import { keptLog } from '../testing/kept-log.ts'
import { temporaryDirectory } from '../testing/run-secondary.ts'
import { zoneOf } from '../testing/zone-of.ts'
import { Saver } from './saver.ts'
import { SecondaryZone } from './secondary-zone.ts'

const origin = parseName('example.')

async function saving(test: TestContext) {
  const directory = temporaryDirectory(test)
  const log = keptLog()
  const writer = await openStoreWriter(readStore(directory, log).file)
  const batches: (readonly StoreChange[])[] = []
  const watched = {
    ...writer,
    save: (changes: readonly StoreChange[]) => {
      batches.push(changes)
      return writer.save(changes)
    },
  }
  const zones = new Map<typeof origin, SecondaryZone>()
  const saver = new Saver(watched, zones, log)
  const held = new SecondaryZone(origin, 'label')
  held.zone = zoneOf(origin, 1, ['www A 192.0.2.1', 'old A 192.0.2.9'])
  held.contactAtMs = 1000
  zones.set(origin, held)
  saver.whole(origin)
  await eventually('it is saved', () => batches.length === 1)
  const change = (next: Zone) => {
    const diff = diffRrsets(held.zone?.rrsets() ?? [], next.rrsets())
    held.zone?.apply(diff)
    saver.records(origin, diff.removed, diff.added)
  }
  const reread = async () => {
    await saver.close()
    return readStore(directory, log).zones
  }
  return { saver, zones, held, batches, change, reread }
}

function names(rrsets: Iterable<{ name: string; type: number }>): string[] {
  return Array.from(rrsets, ({ name, type }) => `${name} ${type}`).sort()
}

describe('saving', () => {
  it('many changes of a zone in a short time are one small batch with the newest state', async (test) => {
    const { batches, change, reread, held } = await saving(test)
    for (let serial = 2; serial <= 20; serial++) change(zoneOf(origin, serial, [`www A 192.0.2.${serial}`]))
    const [stored] = await reread()
    assert.equal(batches.length, 2)
    assert.ok((batches[1] ?? []).length <= 4, JSON.stringify(batches[1]?.map(({ kind }) => kind)))
    assert.ok(stored && held.zone)
    assert.deepEqual(names(stored.rrsets), names(held.zone.rrsets()))
    assert.deepEqual([stored.label, stored.contactAtMs], ['label', 1000])
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
      { origin: 'reset.', label: 'new', serial: undefined, contactAtMs: 0, rrsets: [] },
    ])
  })
})
