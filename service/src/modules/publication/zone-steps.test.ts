import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseName, RrType, recordsOf, soaFromRdata, Zone } from '@zonewright/dns'
import fc from 'fast-check'
import { apexRrsets } from '#modules/zones/index.ts'
import { lines } from './test-secondary.ts'
import { a } from './test-zones.ts'
import { apexStep, ixfrSteps, type ZoneStep } from './zone-steps.ts'

const name = 'example.test'
const record = (serial: number): ZoneStep => ({
  from: serial,
  to: serial + 1,
  removed: [],
  added: [a(`h${serial}.${name}`, '192.0.2.1')],
})
const move = (serial: number, from: string[], to: string[]): ZoneStep =>
  apexStep({ name, serial, unixSeconds: 0 }, from, to)

test('a nameserver that stays is in no difference, and the SOA names the first one of its time', () => {
  const journal = [record(1), move(2, ['ns1.test', 'ns2.test'], ['ns3.test', 'ns1.test']), record(3)]
  const steps = [...ixfrSteps(name, journal, ['ns3.test', 'ns1.test'])]
  assert.deepEqual(
    steps.map(({ oldSoa, newSoa }) => [oldSoa, newSoa].map(({ data }) => soaFromRdata(data).mname)),
    [
      ['ns1.test.', 'ns1.test.'],
      ['ns1.test.', 'ns3.test.'],
      ['ns3.test.', 'ns3.test.'],
    ],
  )
  assert.deepEqual(lines(steps[1]?.removed ?? []), [`${name}. NS ns2.test.`])
  assert.deepEqual(lines(steps[1]?.added ?? []), [`${name}. NS ns3.test.`])
})

test('a new first nameserver among the same ones changes nothing but the SOA', () => {
  const [step] = ixfrSteps(
    name,
    [move(1, ['ns1.test', 'ns2.test'], ['ns2.test', 'ns1.test'])],
    ['ns2.test', 'ns1.test'],
  )
  assert.deepEqual([[...(step?.removed ?? [])], [...(step?.added ?? [])]], [[], []])
})

test('a delegation’s NS records are no apex', () => {
  const delegation = { name: `sub.${name}`, type: 'NS', ttl: 300, records: ['ns1.test.', 'ns9.test.'] }
  const [step] = ixfrSteps(name, [{ from: 1, to: 2, removed: [], added: [delegation] }], ['ns1.test', 'ns2.test'])
  assert.equal([...(step?.added ?? [])].length, 2)
  assert.equal(step?.newSoa.type, RrType.SOA)
})

test('whatever changes came, the steps lead from the zone as it was to the zone as it is', () => {
  const hosts = fc.uniqueArray(fc.constantFrom('ns1.test', 'ns2.test', 'ns3.test', 'ns4.test'), { minLength: 1 })
  fc.assert(
    fc.property(hosts, fc.array(fc.option(hosts)), (first, changes) => {
      let now = first
      const journal = changes.map((to, i) => {
        if (to === null) return record(i + 1)
        const step = move(i + 1, now, to)
        now = to
        return step
      })
      const zone = Zone.fromRrsets(parseName(`${name}.`), apexRrsets({ name, serial: 1 }, first))
      for (const { oldSoa, removed, newSoa, added } of ixfrSteps(name, journal, now))
        zone.apply({ removed: [oldSoa, ...removed], added: [newSoa, ...added] })
      const wanted = apexRrsets({ name, serial: journal.length + 1 }, now).flatMap(recordsOf)
      const apex = [...zone.rrsets()].filter((rrset) => rrset.name === `${name}.`).flatMap(recordsOf)
      assert.deepEqual(lines(apex), lines(wanted))
      assert.equal(zone.soa.mname, `${now[0]}.`)
    }),
  )
})
