import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { diffRrsets, type Rrset, rdataToText, type Serial, type Zone } from '@zonewright/dns'
import { Tables } from '../tables/tables.ts'
import { cpuMs } from '../testing/cpu-ms.ts'
import { zoneOf } from '../testing/zone-of.ts'
import { type DiffStep, fitDiff } from './fit-diff.ts'

const before = () => zoneOf('example.', 1, ['www A 192.0.2.1', 'old A 192.0.2.9'])
const between = zoneOf('example.', 2, ['www A 192.0.2.2', 'brief A 192.0.2.5'])
const after = zoneOf('example.', 3, ['www A 192.0.2.1', 'last TXT "x"'])

function step(from: Zone, to: Zone): DiffStep {
  return { from: from.serial, to: to.serial, ...diffRrsets(from.rrsets(), to.rrsets()) }
}

function texts(rrsets: Iterable<Rrset>): string[] {
  return [...rrsets].map(({ name, type, ttl, data }) => `${name} ${ttl} ${data.map((each) => rdataToText(type, each))}`)
}

describe('steps of an IXFR', () => {
  it('become one change, in which additions and removals of the same record cancel out', () => {
    const zone = before()
    const diff = fitDiff(zone, [step(before(), between), step(between, after)])
    assert.ok(typeof diff !== 'string', String(diff))
    assert.ok(![...diff.removed, ...diff.added].some(({ name }) => /^(www|brief)/.test(name)))
    assert.deepEqual(texts(zone.apply(diff).rrsets()), texts(after.rrsets()))
  })

  it('that change only a TTL are applied', () => {
    const zone = before()
    const { removed, added, ...serials } = step(before(), between)
    const faster = { ...serials, removed, added: added.map((record) => ({ ...record, ttl: 60 })) }
    const diff = fitDiff(zone, [faster])
    assert.ok(typeof diff !== 'string')
    assert.equal(zone.apply(diff).rrset(between.origin, 6 as Rrset['type'])?.ttl, 60)
  })

  it('that do not fit are rejected before anything is changed', () => {
    const zone = before()
    const good = step(before(), between)
    const elsewhere = step(between, after)
    const misfits: DiffStep[][] = [
      [elsewhere],
      [good, good],
      [good, { ...elsewhere, from: 9 as Serial }],
      [{ ...good, removed: [...good.removed, ...good.removed] }],
      [{ ...good, added: [...good.added, ...good.added] }],
      [{ ...good, removed: good.removed.filter(({ type }) => type !== 6) }],
      [],
    ]
    for (const steps of misfits) assert.equal(typeof fitDiff(zone, steps), 'string')
    assert.deepEqual(texts(zone.rrsets()), texts(before().rrsets()))
    assert.match(
      String(fitDiff(zone, [{ ...good, added: [...good.added, ...good.added] }])),
      / the [A-Z]+ record of \S+, /,
    )
  })

  it('cost in proportion to their size, however large the rrsets are whose records they add and remove', () => {
    const small = Math.min(...[1, 2, 3].map(() => fitMs(500)))
    const large = fitMs(2_000)
    // Four times as many records. Reading an rrset again for each of its records would take sixteen times as long, about 10 s.
    assert.ok(large < 9 * small, `${large.toFixed()} ms for four times what takes ${small.toFixed()} ms`)
  })
})

/** The processor time for a step that adds and removes twenty rrsets with this many records. */
function fitMs(recordCount: number): number {
  const rrsetCount = 20
  const versionOf = (serial: number, network: number) =>
    zoneOf(
      'example.',
      serial,
      Array.from({ length: rrsetCount * recordCount }, (_, i) => {
        const record = i % recordCount
        return `a${Math.floor(i / recordCount)} A ${network}.0.${record >> 8}.${record & 0xff}`
      }),
    )
  const [from, to] = [versionOf(1, 10), versionOf(2, 11)]
  const tables = new Tables()
  tables.publish(from.origin, from.rrsets())
  const held = tables.zone(from.origin)
  assert.ok(held)
  const steps = [step(from, to)]
  const { result: diff, tookMs } = cpuMs(() => fitDiff(held, steps))
  assert.ok(typeof diff !== 'string', String(diff))
  const records = rrsetCount * recordCount + 1
  assert.deepEqual([diff.removed.length, diff.added.length], [records, records])
  return tookMs
}
