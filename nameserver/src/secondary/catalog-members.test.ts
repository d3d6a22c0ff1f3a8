import assert from 'node:assert/strict'
import { it } from 'node:test'
import {
  type CatalogMember,
  catalogMemberRecord,
  catalogRrsets,
  parseName,
  recordsOf,
  soaFromRdata,
  toSerial,
} from '@zonewright/dns'
import { Tables } from '../tables/tables.ts'
import { cpuMs } from '../testing/cpu-ms.ts'
import { zoneOf } from '../testing/zone-of.ts'
import { CatalogBroken, CatalogMembers } from './catalog-members.ts'

const origin = parseName('catalog.test.')
const [soaRrset] = zoneOf(origin, 1, []).rrsets()
const soa = soaFromRdata(soaRrset?.data[0] ?? new Uint8Array())

function catalogOf(members: readonly CatalogMember[], serial: number) {
  const tables = new Tables()
  tables.publish(origin, catalogRrsets(origin, { ...soa, serial: toSerial(serial) }, members))
  const zone = tables.zone(origin)
  assert.ok(zone)
  return zone
}

function membersNamed(prefix: string, count: number): CatalogMember[] {
  return Array.from({ length: count }, (_, i) => ({ label: `${prefix}${i}`, zone: parseName(`${prefix}${i}.test.`) }))
}

it('a large difference costs in proportion to its size, and a zone stays if only its TTL changes', () => {
  const small = Math.min(...[1, 2, 3].map(() => followMs(5_000)))
  const large = followMs(20_000)
  // Four times as many zones. Comparing all pairs would take sixteen times as long, about 30 s.
  assert.ok(large < 9 * small, `${large.toFixed()} ms for four times what takes ${small.toFixed()} ms`)
})

/** The processor time for a difference that removes this many zones and adds as many. */
function followMs(count: number): number {
  const [stay] = membersNamed('stays', 1)
  assert.ok(stay)
  const [gone, come] = [membersNamed('gone', count), membersNamed('come', count)]
  const inForce = new Map([stay, ...gone].map((member) => [member.zone, member]))
  const members = new CatalogMembers({ labelOf: (zone) => inForce.get(zone)?.label, all: () => inForce.values() })
  assert.deepEqual(members.follow(catalogOf([stay, ...gone], 1)), { removed: [], added: [] })

  const record = (member: CatalogMember) => catalogMemberRecord(origin, member)
  const diff = {
    removed: [{ ...record(stay), ttl: 1 }, ...gone.map(record)],
    added: [record(stay), ...come.map(record)],
  }
  const after = catalogOf([stay, ...come], 2)
  const { result, tookMs } = cpuMs(() => members.follow(after, diff))
  assert.deepEqual([result.removed.length, result.added.length], [count, count])
  return tookMs
}

const version = 'version TXT "2"'
const [a, b] = ['la.zones PTR a.test.', 'lb.zones PTR b.test.']

/** A catalog with these lines, as the tables hold it. */
function catalogWith(lines: readonly string[]) {
  const tables = new Tables()
  tables.publish(origin, zoneOf(origin, 1, lines).rrsets())
  return tables.zone(origin) ?? assert.fail('it is not held')
}

/** The records of these lines. */
function recordsWith(lines: readonly string[]) {
  const rrsets = [...zoneOf(origin, 1, lines).rrsets()]
  return rrsets.filter(({ name }) => name !== origin).flatMap(recordsOf)
}

/** Follows a catalog from one state to the next as a nameserver would. */
class Follower {
  readonly #inForce = new Map<string, CatalogMember>()
  readonly #members = new CatalogMembers({
    labelOf: (zone) => this.#inForce.get(zone)?.label,
    all: () => this.#inForce.values(),
  })

  /** The members that are removed and added, as `-LABEL ZONE` and `+LABEL ZONE`. With `from`, a difference led to this catalog. */
  to(lines: readonly string[], from?: readonly string[]): string[] | 'broken' {
    const without = (some: readonly string[], others: readonly string[]) =>
      recordsWith(some.filter((line) => !others.includes(line)))
    const diff = from && { removed: without(from, lines), added: without(lines, from) }
    try {
      const { removed, added } = this.#members.follow(catalogWith(lines), diff)
      for (const { zone } of removed) this.#inForce.delete(zone)
      for (const member of added) this.#inForce.set(member.zone, member)
      const told = (sign: string) => (member: CatalogMember) => `${sign}${member.label} ${member.zone}`
      return [...removed.map(told('-')), ...added.map(told('+'))].sort()
    } catch (error) {
      assert.ok(error instanceof CatalogBroken)
      return 'broken'
    }
  }
}

for (const [what, before, after, expected] of [
  ['a zone comes', [a], [a, b], ['+lb b.test.']],
  ['a zone goes', [a, b], [b], ['-la a.test.']],
  ['a zone gets another label', [a, b], ['lc.zones PTR a.test.', b], ['+lc a.test.', '-la a.test.']],
  ['a label gets another zone', [a], ['la.zones PTR b.test.'], ['+la b.test.', '-la a.test.']],
  [
    'two zones exchange their labels',
    [a, b],
    ['lb.zones PTR a.test.', 'la.zones PTR b.test.'],
    ['+la b.test.', '+lb a.test.', '-la a.test.', '-lb b.test.'],
  ],
  ['a property comes and another record goes', [a, 'x TXT "x"'], [a, 'group.la.zones TXT "g"'], []],
  ['a PTR that is no member comes', [a], [a, 'coo.la.zones PTR b.test.', 'other PTR b.test.'], []],
  ['a zone is listed a second time', [a], [a, 'lb.zones PTR a.test.'], 'broken'],
  ['a zone comes twice', [], [a, 'lb.zones PTR a.test.'], 'broken'],
  ['a label lists a second zone', [a], [a, 'la.zones PTR b.test.'], 'broken'],
  ['a label comes with two zones', [], [a, 'la.zones PTR b.test.'], 'broken'],
] as const) {
  for (const isByDifference of [true, false])
    it(`${what}, ${isByDifference ? 'by a difference' : 'by the whole'}`, () => {
      const follower = new Follower()
      const from = [version, ...before]
      follower.to(from)
      assert.deepEqual(follower.to([version, ...after], isByDifference ? from : undefined), expected)
    })
}

for (const [what, lines] of [
  ['another version', ['version TXT "1"', a]],
  ['two versions', [version, 'version TXT "1"', a]],
  ['no version', [a]],
] as const)
  it(`a catalog with ${what} is broken, and the next one is compared as a whole`, () => {
    const follower = new Follower()
    assert.equal(follower.to(lines), 'broken')
    assert.deepEqual(follower.to([version, a]), ['+la a.test.'])
    assert.equal(follower.to(lines, [version, a]), 'broken')
    assert.deepEqual(follower.to([version, b], lines), ['+lb b.test.', '-la a.test.'])
  })

it('the additions of a broken difference take effect once the catalog is valid again', () => {
  const follower = new Follower()
  follower.to([version, a])
  const broken = [version, a, b, 'lc.zones PTR a.test.']
  assert.equal(follower.to(broken, [version, a]), 'broken')
  assert.deepEqual(follower.to([version, a, b], broken), ['+lb b.test.'])
})
