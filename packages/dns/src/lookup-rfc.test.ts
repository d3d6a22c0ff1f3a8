import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lookup } from './lookup.ts'
import { parseName } from './name.ts'
import { rdataToText } from './rdata.ts'
import { parseType, RrType } from './type.ts'
import { linesOf, zoneFrom } from './zone-samples.test.ts'

/** The examples that the RFCs work through. */

const wildcards = zoneFrom(
  `$TTL 3600
@ SOA ns.example.com. host.example. 1 2 3 4 5
@ NS ns.example.com.
@ NS ns.example.net.
* TXT "this is a wildcard"
* MX 10 host1
sub.* TXT "this is not a wildcard"
host1 A 192.0.2.1
_ssh._tcp.host1 SRV 0 0 22 host1
_ssh._tcp.host2 SRV 0 0 22 host2
subdel NS ns.example.com.
subdel NS ns.example.net.
`,
  parseName('example.'),
)

for (const [name, type, kind, why] of [
  ['host3.example.', 'MX', 'answer', 'host3.example. does not exist'],
  ['host3.example.', 'A', 'nodata', 'the wildcard has no A'],
  ['foo.bar.example.', 'TXT', 'answer', 'bar.example. does not exist either'],
  ['host1.example.', 'MX', 'nodata', 'host1.example. exists'],
  ['sub.*.example.', 'MX', 'nodata', 'sub.*.example. exists'],
  ['_telnet._tcp.host1.example.', 'SRV', 'nxdomain', '_tcp.host1.example. exists'],
  ['host.subdel.example.', 'A', 'referral', 'subdel.example. is a cut'],
  ['ghost.*.example.', 'MX', 'nxdomain', '*.example. exists'],
  ['*.example.', 'TXT', 'answer', 'it is asked for itself'],
  ['host2.example.', 'TXT', 'nodata', 'it is an empty non-terminal'],
] as const) {
  test(`RFC 4592 §2.2.1: ${type} of ${name} gives ${kind}, because ${why}`, () => {
    const found = lookup(wildcards, parseName(name), parseType(type))
    assert.equal(found.kind, kind)
    if (kind === 'answer') assert.ok(linesOf(found.answers).every((line) => line.startsWith(`${name} 3600 ${type} `)))
  })
}

test('a wildcard without records of its own hides the wildcard above it', () => {
  const zone = zoneFrom('$TTL 5\n@ SOA a. b. 1 2 3 4 5\n* TXT outer\nx.*.sub TXT inner\n')
  assert.equal(lookup(zone, parseName('a.sub.example.com.'), RrType.TXT).kind, 'nodata')
  assert.equal(lookup(zone, parseName('a.other.example.com.'), RrType.TXT).kind, 'answer')
})

for (const [name, owner, target, result] of [
  ['example.com.', 'example.com.', 'example.net.', undefined],
  ['a.example.com.', 'example.com.', 'example.net.', 'a.example.net.'],
  ['a.b.example.com.', 'example.com.', 'example.net.', 'a.b.example.net.'],
  ['ab.example.com.', 'b.example.com.', 'example.net.', undefined],
  ['foo.example.com.', 'example.com.', 'example.net.', 'foo.example.net.'],
  ['a.x.example.com.', 'x.example.com.', 'example.net.', 'a.example.net.'],
  ['a.example.com.', 'example.com.', 'y.example.net.', 'a.y.example.net.'],
  ['cyc.example.com.', 'example.com.', 'example.com.', 'cyc.example.com.'],
  ['cyc.example.com.', 'example.com.', 'c.example.com.', 'cyc.c.example.com.'],
  ['shortloop.x.x.', 'x.', '.', 'shortloop.x.'],
  ['shortloop.x.', 'x.', '.', 'shortloop.'],
] as const) {
  test(`RFC 6672 §2.2: DNAME ${target} at ${owner} turns ${name} into ${result ?? 'nothing else'}`, () => {
    const origin = owner === 'x.' ? parseName('x.') : parseName('example.com.')
    const zone = zoneFrom(`$TTL 5\n@ SOA a. b. 1 2 3 4 5\n${owner} DNAME ${target}\n`, origin)
    const { answers } = lookup(zone, parseName(name), RrType.A)
    const made = answers.find((rrset) => rrset.type === RrType.CNAME && rrset.name === name)
    assert.equal(made === undefined ? undefined : rdataToText(RrType.CNAME, made.data[0] ?? new Uint8Array(0)), result)
  })
}

/** The zone of RFC 1034 §6.1, as far as its questions need it. */
const root = zoneFrom(
  `$TTL 86400
. SOA SRI-NIC.ARPA. HOSTMASTER.SRI-NIC.ARPA. 870611 1800 300 604800 86400
. NS A.ISI.EDU.
. NS C.ISI.EDU.
. NS SRI-NIC.ARPA.
MIL. NS SRI-NIC.ARPA.
MIL. NS A.ISI.EDU.
EDU. NS SRI-NIC.ARPA.
EDU. NS C.ISI.EDU.
SRI-NIC.ARPA. A 26.0.0.73
SRI-NIC.ARPA. A 10.0.0.51
SRI-NIC.ARPA. MX 0 SRI-NIC.ARPA.
SRI-NIC.ARPA. HINFO DEC-2060 TOPS20
USC-ISIC.ARPA. CNAME C.ISI.EDU.
A.ISI.EDU. A 26.3.0.103
C.ISI.EDU. A 10.0.0.52
`,
  parseName('.'),
)

for (const [section, name, type, expected] of [
  ['6.2.1', 'SRI-NIC.ARPA.', 'A', ['answer', true, 2, 0, 0]],
  ['6.2.2', 'SRI-NIC.ARPA.', 'ANY', ['answer', true, 2, 0, 0]],
  ['6.2.3', 'SRI-NIC.ARPA.', 'MX', ['answer', true, 1, 0, 0]],
  ['6.2.4', 'SRI-NIC.ARPA.', 'NS', ['nodata', true, 0, 1, 0]],
  ['6.2.5', 'SIR-NIC.ARPA.', 'A', ['nxdomain', true, 0, 1, 0]],
  ['6.2.6', 'BRL.MIL.', 'A', ['referral', false, 0, 2, 3]],
  ['6.2.7', 'USC-ISIC.ARPA.', 'A', ['referral', true, 1, 2, 3]],
  ['6.2.8', 'USC-ISIC.ARPA.', 'CNAME', ['answer', true, 1, 0, 0]],
] as const) {
  test(`RFC 1034 §${section}: ${type} of ${name}`, () => {
    const found = lookup(root, parseName(name), parseType(type))
    const counts = [found.answers, found.authorities, found.additionals].map((rrsets) => linesOf(rrsets).length)
    assert.deepEqual([found.kind, found.aa, ...counts], expected)
  })
}
