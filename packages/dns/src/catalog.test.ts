import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  catalogMemberOf,
  catalogMemberRecord,
  catalogMembers,
  catalogRrsets,
  parseName,
  soaFromRdata,
  Zone,
} from './index.ts'
import { linesOf, recordsFrom, soaLine, zoneFrom } from './zone-samples.test.ts'

const origin = parseName('catalog.invalid.')
const soa = soaFromRdata(recordsFrom(soaLine(1))[0]?.data ?? new Uint8Array())
const members = [
  { label: 'm1', zone: parseName('example.com.') },
  { label: 'm2', zone: parseName('example.net.') },
]

test('a catalog lists its members under their labels', () => {
  const rrsets = catalogRrsets(origin, soa, members)
  assert.deepEqual(linesOf(rrsets).slice(1), [
    'catalog.invalid. 0 NS invalid.',
    'version.catalog.invalid. 0 TXT "2"',
    'm1.zones.catalog.invalid. 0 PTR example.com.',
    'm2.zones.catalog.invalid. 0 PTR example.net.',
  ])
  assert.deepEqual([...catalogMembers(Zone.fromRrsets(origin, rrsets)).values()], members)
})

test('the records of a difference identify the members that were added and removed', () => {
  for (const member of members) assert.deepEqual(catalogMemberOf(origin, catalogMemberRecord(origin, member)), member)
  const [group] = recordsFrom('group.m1.zones PTR x.\n', origin)
  assert.ok(group !== undefined)
  assert.equal(catalogMemberOf(origin, group), undefined)
})

const version = 'version TXT 2\n'
for (const [what, text] of [
  ['without a version', 'm1.zones PTR a.\n'],
  ['of another version', 'version TXT 1\nm1.zones PTR a.\n'],
  ['of two versions', `${version}version TXT 1\n`],
  ['that lists two zones under a label', `${version}m1.zones PTR a.\nm1.zones PTR b.\n`],
  ['that lists a zone twice', `${version}m1.zones PTR a.\nm2.zones PTR a.\n`],
] as const) {
  test(`a catalog ${what} is rejected`, () => {
    assert.throws(() => catalogMembers(zoneFrom(soaLine(1) + text, origin)), { code: 'bad_catalog' })
  })
}

test('ignores properties and other records of a catalog', () => {
  const zone = zoneFrom(`${soaLine(1)}${version}coo.m1.zones PTR other.\nm1.zones PTR a.\nfoo.ext TXT x\n`, origin)
  assert.deepEqual([...catalogMembers(zone).keys()], ['a.'])
})
