import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { diffRrsets, parseName, type ResourceRecord, type Zone } from '@zonewright/dns'
import { record, signed } from '../testing/bad-signed-zones.ts'
import { zoneWith } from '../testing/zone-of.ts'
import { ownersOf } from './owners.ts'
import { Tables } from './tables.ts'

const origin = parseName('ex.')
const hash = '0p9mhaveqvm6t7vbl5lop2u3t2rp3tom'
const nsec3 = `1 0 0 - ${hash} A`
/** 300 bytes, so that 240 of them are too long. */
const signature = (covered: string, tag: number) =>
  record(origin, 'www', 'RRSIG', `${covered} 13 2 300 20300101000000 20200101000000 ${tag} ex. ${'A'.repeat(360)}`)

/** Records `name TYPE data`. */
function records(...lines: readonly string[]): ResourceRecord[] {
  return lines.map((line) => {
    const [name = '', type = '', ...data] = line.split(' ')
    return record(origin, name, type, data.join(' '))
  })
}

const refused: readonly [string, readonly ResourceRecord[], RegExp][] = [
  ['two CNAME records', records('x CNAME a', 'x CNAME b'), /^x\.ex\. has 2 CNAME records; a name can have only one\.$/],
  ['two DNAME records', records('x DNAME a', 'x DNAME b'), /^x\.ex\. has 2 DNAME records; a name can have only one\.$/],
  [
    'a CNAME beside other data',
    records('x CNAME a', 'x A 192.0.2.1', 'x NSEC y A', 'x TXT t'),
    /^x\.ex\. has a CNAME record and records of other types: A, TXT\.$/,
  ],
  ['a DNAME beside a CNAME', records('x DNAME a', 'x CNAME b'), /^x\.ex\. has a CNAME .* of other types: DNAME\.$/],
  ['a CNAME at the apex', records('@ CNAME b'), /^ex\. has a CNAME record and records of other types: NS, SOA, MX\.$/],
  [
    'a CNAME beside very many types',
    [
      ...records('x CNAME a'),
      ...Array.from({ length: 12 }, (_, i) => record(origin, 'x', `TYPE${65_300 + i}`, '\\# 0')),
    ],
    /: (TYPE\d+, ){10}2 more\.$/,
  ],
  ['an NSEC3 at a name', records(`x NSEC3 ${nsec3}`), /^x\.ex\. has an NSEC3 record, but is not a hash directly below/],
  ['an NSEC3 at the apex', records(`@ NSEC3 ${nsec3}`), /^ex\. has an NSEC3 record/],
  ['an NSEC3 too deep', records(`${hash}.x NSEC3 ${nsec3}`), /\.x\.ex\. has an NSEC3 record/],
  ['an NSEC3 at no hash', records(`${'z'.repeat(32)} NSEC3 ${nsec3}`), /z\.ex\. has an NSEC3 record/],
  [
    'signatures of one rrset that fit into no answer',
    Array.from({ length: 240 }, (_, tag) => signature('A', tag)),
    /^www\.ex\. has \d+ bytes of signatures over A; at most 65535 fit into an answer\.$/,
  ],
]

const accepted: readonly [string, readonly ResourceRecord[]][] = [
  [
    'a CNAME beside what DNSSEC adds',
    [
      ...records('x CNAME a', 'x NSEC y CNAME', 'x KEY 256 3 13 AQID', `${hash} CNAME a`, `${hash} NSEC3 ${nsec3}`),
      record(origin, 'x', 'RRSIG', `CNAME 13 2 300 20300101000000 20200101000000 1 ex. AQID`),
    ],
  ],
  ['a DNAME beside other data', records('x DNAME a', 'x A 192.0.2.1', '@ DNAME elsewhere.')],
  [
    'signatures of two rrsets, each of which fits',
    Array.from({ length: 240 }, (_, tag) => signature(tag % 2 === 0 ? 'A' : 'AAAA', tag)),
  ],
]

function zone(serial: number, others: readonly ResourceRecord[] = []): Zone {
  return zoneWith(origin, signed(origin, { kind: 'nsec' }, [], serial).concat(others))
}

describe('the records of a name', () => {
  for (const [what, others, message] of refused) {
    it(`are refused: ${what}`, () => {
      const [good, bad] = [zone(1), zone(2, others)]
      const fault = { code: 'bad_zone', message }
      const tables = new Tables()
      tables.publish(origin, good.rrsets())
      const before = tables.usedBytes
      assert.throws(() => tables.publish(origin, bad.rrsets()), fault)
      assert.throws(() => tables.apply(origin, diffRrsets(good.rrsets(), bad.rrsets())), fault)
      assert.equal(tables.usedBytes, before)
      assert.throws(() => tables.publishOwners(origin, ownersOf(bad.rrsets())), fault)
      assert.deepEqual([...(tables.zone(origin)?.rrsets() ?? [])], [...good.rrsets()])
    })
  }

  for (const [what, others] of accepted) {
    it(`are accepted: ${what}`, () => {
      const [before, after] = [zone(1), zone(2, others)]
      const tables = new Tables()
      tables.publish(origin, before.rrsets())
      tables.apply(origin, diffRrsets(before.rrsets(), after.rrsets()))
      assert.deepEqual([...(tables.zone(origin)?.rrsets() ?? [])], [...after.rrsets()])
      tables.publish(origin, after.rrsets())
      assert.deepEqual([...(tables.zone(origin)?.rrsets() ?? [])], [...after.rrsets()])
    })
  }
})
