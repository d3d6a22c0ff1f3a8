import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Faults } from '#platform/errors.ts'
import { withoutPauses } from '#platform/work/slices.ts'
import { checkOwn, withoutOwn } from './own-rrsets.ts'
import type { EntryChange } from './read-entries.ts'

const nameservers = ['ns1.zonewright.test', 'ns2.zonewright.test']
const zone = { name: 'example.com', serial: 2 ** 32 + 7 }
const soa = 'ns1.zonewright.test. hostmaster.zonewright.test. 7 14400 3600 1209600 300'

const entry = (type: string, ask: EntryChange['ask'], name = 'example.com.'): EntryChange => ({
  name,
  type,
  ask,
  place: 3,
})
const replace = (type: string, ...records: string[]) => entry(type, { kind: 'replace', records })
const extend = (type: string, ...add: string[]) => entry(type, { kind: 'edit', add, remove: [] })
const prune = (type: string, ...remove: string[]) => entry(type, { kind: 'edit', add: [], remove })

/** The messages about entries. */
function faultsOf(...entries: EntryChange[]): string[] {
  const faults = new Faults()
  checkOwn(zone, nameservers, entries, faults)
  try {
    faults.refuseAny()
    return []
  } catch (error) {
    return (error as { details: { message: string }[] }).details.map(({ message }) => message)
  }
}

test('the service owns only the SOA and the NS at the apex, in any spelling of name and type', () => {
  const own = [
    entry('SOA', { kind: 'replace', records: [] }),
    entry('ns', { kind: 'replace', records: [] }, 'EXAMPLE.com.'),
    entry('NS', { kind: 'replace', records: [] }, '@'),
  ]
  const others = [
    entry('A', { kind: 'replace', records: [] }),
    entry('NS', { kind: 'replace', records: [] }, 'sub.example.com.'),
    entry('SOA', { kind: 'replace', records: [] }, 'sub.example.com.'),
    entry('NS', { kind: 'replace', records: [] }, 'example.net.'),
    entry('NS', { kind: 'replace', records: [] }, 'a..b.'),
  ]
  assert.deepEqual(withoutPauses(withoutOwn('example.com', [...own, ...others])), { own, others })
})

test('a client can send them back as it read them, in any order and case, and with any serial', () => {
  assert.deepEqual(faultsOf(), [])
  assert.deepEqual(faultsOf(replace('SOA', soa)), [])
  assert.deepEqual(faultsOf(replace('soa', soa.replace(' 7 ', ' 0 ').toUpperCase())), [])
  assert.deepEqual(faultsOf(replace('NS', 'NS2.zonewright.test.', 'ns1.zonewright.test.')), [])
  assert.deepEqual(faultsOf(extend('NS', 'ns1.zonewright.test.')), [])
  assert.deepEqual(faultsOf(prune('NS', 'ns9.example.net.')), [])
})

test('a client can delete them together with all others, which changes nothing', () => {
  assert.deepEqual(faultsOf(replace('SOA'), replace('NS')), [])
  assert.deepEqual(faultsOf(replace('NS'), replace('NS', 'ns1.zonewright.test.', 'ns2.zonewright.test.')), [])
  assert.deepEqual(faultsOf(prune('NS', 'ns1.zonewright.test.', 'ns2.zonewright.test.')), [])
})

test('any other change of them is an error that says what to send', () => {
  const ns =
    'The service manages the NS records at the apex. Leave them out, or send exactly these: ns1.zonewright.test. ns2.zonewright.test.'
  for (const entries of [
    [replace('NS', 'ns1.example.net.', 'ns2.example.net.')],
    [replace('NS', 'ns1.zonewright.test.')],
    [replace('NS', 'ns1.zonewright.test.', 'ns2.zonewright.test.', 'ns3.zonewright.test.')],
    [extend('NS', 'ns3.example.net.')],
    [prune('NS', 'ns1.zonewright.test.')],
    [replace('NS'), extend('NS', 'ns1.zonewright.test.')],
    [replace('NS', 'not a name')],
  ])
    assert.deepEqual(faultsOf(...entries), [ns])
  const changed = 'The service manages the SOA. Leave it out, or send it as the service returns it.'
  assert.deepEqual(faultsOf(replace('SOA', soa.replace('14400', '7200'))), [changed])
  assert.deepEqual(faultsOf(replace('SOA', soa.replace('hostmaster', 'ada'))), [changed])
  assert.deepEqual(faultsOf(replace('SOA', soa, soa.replace('300', '301'))), [changed])
  assert.deepEqual(faultsOf(replace('SOA', 'nonsense'), replace('NS', 'x.')), [changed, ns])
})
