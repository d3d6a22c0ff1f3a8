import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseName, recordsOf, soaFromRdata, Zone } from '@zonewright/dns'
import fc from 'fast-check'
import { type StoredRrset, toWireRrset } from '#modules/records/index.ts'
import { apexRrsets } from '#modules/zones/index.ts'
import { lines } from '#testing/primary/test-secondary.ts'
import { a } from '#testing/primary/test-zones.ts'
import { apexStep, condense, ixfrStep, type ZoneStep } from './zone-steps.ts'

const name = 'example.test'
const record = (serial: number): ZoneStep => ({
  from: serial,
  to: serial + 1,
  removed: [],
  added: [a(`h${serial}.${name}`, '192.0.2.1')],
})
const move = (serial: number, from: string[], to: string[]): ZoneStep =>
  apexStep({ name, serial, serialClock: 0 }, from, to)

test('a nameserver that stays is in no difference, and each SOA names the first nameserver at its serial', () => {
  const hosts = ['ns3.test', 'ns1.test']
  const [sum = record(0)] = condense([record(1), move(2, ['ns1.test', 'ns2.test'], hosts), record(3)])
  const step = ixfrStep(name, sum, hosts)
  assert.deepEqual(
    [step.oldSoa, step.newSoa].map(({ data }) => soaFromRdata(data).mname),
    ['ns1.test.', 'ns3.test.'],
  )
  assert.deepEqual(lines(step.removed), [`${name}. NS ns2.test.`])
  assert.deepEqual(lines(step.added).toSorted(), [
    `${name}. NS ns3.test.`,
    `h1.${name}. A 192.0.2.1`,
    `h3.${name}. A 192.0.2.1`,
  ])
})

test('a new first nameserver among the same ones changes only the SOA', () => {
  const step = ixfrStep(name, move(1, ['ns1.test', 'ns2.test'], ['ns2.test', 'ns1.test']), ['ns2.test', 'ns1.test'])
  assert.deepEqual([[...step.removed], [...step.added]], [[], []])
  assert.notDeepEqual(soaFromRdata(step.oldSoa.data).mname, soaFromRdata(step.newSoa.data).mname)
})

test('only the added and removed values of a large rrset are sent, unless its TTL changed', () => {
  const values = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => `192.0.2.${from + i}`)
  const rrset = (ttl: number, records: string[]) => ({ ...a(`many.${name}`, '192.0.2.1'), ttl, records })
  const sent = (ttl: number) => {
    const step = { from: 1, to: 2, removed: [rrset(300, values(0, 100))], added: [rrset(ttl, values(1, 101))] }
    const { removed, added } = ixfrStep(name, step, ['ns1.test'])
    return [[...removed].length, [...added].length]
  }
  assert.deepEqual(sent(300), [1, 1])
  assert.deepEqual(sent(60), [100, 100])
})

test('a large difference is generated while it is sent, separately for each requester', () => {
  const added = Array.from({ length: 30 }, (_, i) => ({
    ...a(`h${i}.${name}`, '192.0.2.1'),
    records: Array.from({ length: 100 }, (_, j) => `10.0.${i}.${j}`),
  }))
  const step = ixfrStep(name, { from: 1, to: 2, removed: [], added }, ['ns1.test'])
  const [first, second] = [step.added, step.added].map((records) => records[Symbol.iterator]())
  assert.deepEqual(first?.next().value, second?.next().value)
  assert.equal([...step.added].length, 3_000)
  assert.deepEqual(lines(step.added).slice(100, 101), [`h1.${name}. A 10.0.1.0`])
  assert.equal(Array.isArray(step.added), false)
})

test('what was added and removed in between is not sent', () => {
  const one = [a(`h.${name}`, '192.0.2.1')]
  const two = [a(`h.${name}`, '192.0.2.2')]
  const journal = (...sides: (typeof one)[]) =>
    sides.slice(1).map((added, i) => ({ from: i + 1, to: i + 2, removed: sides[i] ?? [], added }))
  assert.deepEqual(condense(journal([], one, [])), [{ from: 1, to: 3, removed: [], added: [] }])
  assert.deepEqual(condense(journal(one, two, one)), [{ from: 1, to: 3, removed: [], added: [] }])
  assert.deepEqual(condense(journal(one, [], two)), [{ from: 1, to: 3, removed: one, added: two }])
  assert.deepEqual(condense(journal([], one, two)), [{ from: 1, to: 3, removed: [], added: two }])
})

test('the NS records of a delegation do not count as the apex', () => {
  const delegation = (hosts: string[]) => ({ name: `sub.${name}`, type: 'NS', ttl: 300, records: hosts })
  const [before, after] = [delegation(['ns8.test.', 'ns9.test.']), delegation(['ns7.test.', 'ns9.test.'])]
  for (const [removed, added, sent] of [
    [[], [after], [0, 2]],
    [[before], [], [2, 0]],
    [[before], [after], [1, 1]],
  ] as const) {
    const step = ixfrStep(name, { from: 1, to: 2, removed, added }, ['ns1.test', 'ns2.test'])
    assert.deepEqual([[...step.removed].length, [...step.added].length], sent)
    for (const soa of [step.oldSoa, step.newSoa]) assert.equal(soaFromRdata(soa.data).mname, 'ns1.test.')
  }
  // Neither do records of another type at the apex. Next to either, the apex NS rrset counts.
  const others = [before, { name, type: 'MX', ttl: 300, records: ['10 mail.test.'] }]
  const moved = move(1, ['ns3.test', 'ns1.test'], ['ns1.test', 'ns3.test'])
  for (const [removed, mname] of [
    [others, 'ns1.test.'],
    [[...others, ...moved.removed], 'ns3.test.'],
  ] as const) {
    const { oldSoa } = ixfrStep(name, { from: 1, to: 2, removed, added: moved.added }, ['ns1.test', 'ns3.test'])
    assert.equal(soaFromRdata(oldSoa.data).mname, mname)
  }
})

test('whatever the changes, the one step leads from the zone as it was to the zone as it is', () => {
  const hosts = fc.uniqueArray(fc.constantFrom('ns1.test', 'ns2.test', 'ns3.test', 'ns4.test'), { minLength: 1 })
  const owners = fc.constantFrom('a', 'b', 'c')
  const values = fc.uniqueArray(fc.constantFrom('192.0.2.1', '192.0.2.2', '192.0.2.3'))
  const change = fc.oneof(hosts, fc.record({ owner: owners, ttl: fc.constantFrom(60, 300), records: values }))
  fc.assert(
    fc.property(hosts, fc.array(change, { minLength: 1 }), (first, changes) => {
      let named = first
      const rrsets = new Map<string, StoredRrset>()
      const journal = changes.map((to, i): ZoneStep => {
        if (Array.isArray(to)) {
          const step = move(i + 1, named, to)
          named = to
          return step
        }
        const before = rrsets.get(to.owner)
        const after = { name: `${to.owner}.${name}`, type: 'A', ttl: to.ttl, records: to.records.toSorted() }
        if (to.records.length > 0) rrsets.set(to.owner, after)
        else rrsets.delete(to.owner)
        const added = to.records.length > 0 ? [after] : []
        return { from: i + 1, to: i + 2, removed: before ? [before] : [], added }
      })
      const zone = Zone.fromRrsets(parseName(`${name}.`), apexRrsets({ name, serial: 1 }, first))
      const [sum = record(0)] = condense(journal)
      const { oldSoa, removed, newSoa, added } = ixfrStep(name, sum, named)
      zone.apply({ removed: [oldSoa, ...removed], added: [newSoa, ...added] })
      const wanted = [
        ...apexRrsets({ name, serial: journal.length + 1 }, named),
        ...[...rrsets.values()].map(toWireRrset),
      ].flatMap(recordsOf)
      assert.deepEqual(lines([...zone.rrsets()].flatMap(recordsOf)).toSorted(), lines(wanted).toSorted())
      assert.equal(zone.soa.mname, `${named[0]}.`)
    }),
  )
})
