import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { lookup } from './lookup.ts'
import { parseName } from './name.ts'
import { type Rrset, recordsOf } from './rrset.ts'
import { parseType, RrType, typeToText } from './type.ts'
import type { Zone } from './zone.ts'
import { zoneFrom } from './zone-samples.test.ts'

/** The examples that RFC 4035 appendix B and RFC 5155 appendix B work through, on their zones. */

const sha1 = (bytes: Uint8Array) => createHash('sha1').update(bytes).digest()

/** A signature over a type. Its content does not matter here. */
const over = (types: string, ttl = 3600) =>
  types
    .split(' ')
    .map((type) => ` ${ttl} RRSIG ${type} 5 1 ${ttl} 20040509183619 20040409183619 38519 example. AQID\n`)
    .join('')

const records = `$TTL 3600
@ SOA ns1.example. bugs.x.w.example. 1 3600 300 3600000 3600
@ NS ns1.example.
@ NS ns2.example.
@ MX 1 xx.example.
@ DNSKEY 256 3 5 AQID
${over('SOA NS MX DNSKEY')}
a NS ns1.a.example.
a NS ns2.a.example.
a DS 57855 5 1 B6DCD485719ADCA18E5F3D48A2331627FDD3636B
${over('DS')}
ns1.a A 192.0.2.5
ns2.a A 192.0.2.6
ai A 192.0.2.9
ai AAAA 2001:db8::f00:baa9
${over('A AAAA')}
ns1 A 192.0.2.1
${over('A')}
ns2 A 192.0.2.2
${over('A')}
*.w MX 1 ai.example.
${over('MX')}
x.w MX 1 xx.example.
${over('MX')}
x.y.w MX 1 xx.example.
${over('MX')}
xx A 192.0.2.10
${over('A')}
`

const nsecZone = zoneFrom(
  `${records}
b NS ns1.b.example.
b NS ns2.b.example.
ns1.b A 192.0.2.7
ns2.b A 192.0.2.8
${[
  ['@', 'a', 'NS SOA MX RRSIG NSEC DNSKEY'],
  ['a', 'ai', 'NS DS RRSIG NSEC'],
  ['ai', 'b', 'A AAAA RRSIG NSEC'],
  ['b', 'ns1', 'NS RRSIG NSEC'],
  ['ns1', 'ns2', 'A RRSIG NSEC'],
  ['ns2', '*.w', 'A RRSIG NSEC'],
  ['*.w', 'x.w', 'MX RRSIG NSEC'],
  ['x.w', 'x.y.w', 'MX RRSIG NSEC'],
  ['x.y.w', 'xx', 'MX RRSIG NSEC'],
  ['xx', '@', 'A RRSIG NSEC'],
]
  .map(([owner, next, types]) => `${owner} NSEC ${next} ${types}\n${over('NSEC')}`)
  .join('')}`,
  parseName('example.'),
)

/** The hashes of RFC 5155 appendix A, with their names. */
const hashes = {
  '0p9mhaveqvm6t7vbl5lop2u3t2rp3tom': 'example',
  '2t7b4g4vsa5smi47k61mv5bv1a22bojr': 'ns1',
  '2vptu5timamqttgl4luu9kg21e0aor3s': 'x.y.w',
  '35mthgpgcu1qg68fab165klnsnk3dpvl': 'a',
  b4um86eghhds6nea196smvmlo4ors995: 'x.w',
  gjeqe526plbf1g8mklp59enfd789njgi: 'ai',
  ji6neoaepv8b5o6k4ev33abha8ht9fgc: 'y.w',
  k8udemvp1j2f7eg6jebps17vp3n8i58h: 'w',
  q04jkcevqvmu85r014c7dkba38o0ji5r: 'ns2',
  r53bq7cc2uvmubfu5ocmm6pers9tk9en: '*.w',
  t644ebqk9bibcna874givr6joj62mlhv: 'xx',
} as const
const chain = Object.keys(hashes)

const nsec3Zone = zoneFrom(
  `${records}
@ NSEC3PARAM 1 0 12 aabbccdd
${over('NSEC3PARAM')}
c NS ns1.c.example.
ns1.c A 192.0.2.7
${chain.map((hash, i) => `${hash} NSEC3 1 1 12 aabbccdd ${chain[(i + 1) % chain.length]} RRSIG\n${over('NSEC3')}`).join('')}`,
  parseName('example.'),
)

/** A short form of an answer: each rrset as its name and type, with `+` if its signature follows. */
function answer(zone: Zone, name: string, type: string): { rcode: number; answers: string; authorities: string } {
  const { rcode, answers, authorities } = lookup(zone, parseName(name), parseType(type), sha1)
  return { rcode, answers: inShort(answers), authorities: inShort(authorities) }
}

function inShort(rrsets: readonly Rrset[]): string {
  return rrsets
    .map(({ name, type, data }, index) => {
      if (type !== RrType.RRSIG) {
        const label = name.slice(0, name.indexOf('.'))
        return ` ${label in hashes ? `H(${hashes[label as keyof typeof hashes]})` : name} ${typeToText(type)}`
      }
      const [before] = rrsets.slice(Math.max(index - 1, 0))
      assert.equal(before?.name, name)
      assert.equal(((data[0]?.[0] ?? 0) << 8) | (data[0]?.[1] ?? 0), before.type)
      return '+'
    })
    .join('')
    .trim()
}

for (const [section, zone, name, type, rcode, answers, authorities] of [
  ['4035 B.1', nsecZone, 'x.w.example.', 'MX', 0, 'x.w.example. MX+', ''],
  ['4035 B.2', nsecZone, 'ml.example.', 'A', 3, '', 'example. SOA+ b.example. NSEC+ example. NSEC+'],
  ['4035 B.3', nsecZone, 'ns1.example.', 'MX', 0, '', 'example. SOA+ ns1.example. NSEC+'],
  ['4035 B.4', nsecZone, 'mc.a.example.', 'MX', 0, '', 'a.example. NS a.example. DS+'],
  ['4035 B.5', nsecZone, 'mc.b.example.', 'MX', 0, '', 'b.example. NS b.example. NSEC+'],
  ['4035 B.6', nsecZone, 'a.z.w.example.', 'MX', 0, 'a.z.w.example. MX+', 'x.y.w.example. NSEC+'],
  ['4035 B.7', nsecZone, 'a.z.w.example.', 'AAAA', 0, '', 'example. SOA+ x.y.w.example. NSEC+ *.w.example. NSEC+'],
  ['4035 B.8', nsecZone, 'example.', 'DS', 0, '', 'example. SOA+ example. NSEC+'],
  ['5155 B.1', nsec3Zone, 'a.c.x.w.example.', 'A', 3, '', 'example. SOA+ H(x.w) NSEC3+ H(example) NSEC3+ H(a) NSEC3+'],
  ['5155 B.2', nsec3Zone, 'ns1.example.', 'MX', 0, '', 'example. SOA+ H(ns1) NSEC3+'],
  ['5155 B.2.1', nsec3Zone, 'y.w.example.', 'A', 0, '', 'example. SOA+ H(y.w) NSEC3+'],
  ['5155 B.3', nsec3Zone, 'mc.c.example.', 'MX', 0, '', 'c.example. NS H(example) NSEC3+ H(a) NSEC3+'],
  ['5155 B.4', nsec3Zone, 'a.z.w.example.', 'MX', 0, 'a.z.w.example. MX+', 'H(ns2) NSEC3+'],
  ['5155 B.5', nsec3Zone, 'a.z.w.example.', 'AAAA', 0, '', 'example. SOA+ H(w) NSEC3+ H(ns2) NSEC3+ H(*.w) NSEC3+'],
  ['5155 B.6', nsec3Zone, 'example.', 'DS', 0, '', 'example. SOA+ H(example) NSEC3+'],
  ['5155 §7.2.7', nsec3Zone, 'mc.a.example.', 'MX', 0, '', 'a.example. NS a.example. DS+'],
  ['4035 §3.1.4.1', nsecZone, 'a.example.', 'DS', 0, 'a.example. DS+', ''],
  ['4035 §3.1.4.1', nsecZone, 'b.example.', 'DS', 0, '', 'example. SOA+ b.example. NSEC+'],
] as const) {
  test(`RFC ${section}: ${type} of ${name}`, () => {
    assert.deepEqual(answer(zone, name, type), { rcode, answers, authorities })
  })
}

test('without the DO bit, an answer has neither signatures nor proofs', () => {
  for (const zone of [nsecZone, nsec3Zone]) {
    assert.equal(lookup(zone, parseName('x.w.example.'), RrType.MX).answers.length, 1)
    assert.equal(lookup(zone, parseName('ml.example.'), RrType.A).authorities.length, 1)
    assert.equal(lookup(zone, parseName('mc.a.example.'), RrType.A).authorities.length, 1)
  }
})

test('a name that has only an NSEC3 record does not exist (RFC 5155 §7.2.8)', () => {
  const name = `${chain[1]}.example.`
  for (const type of ['NSEC3', 'A', 'RRSIG']) assert.equal(answer(nsec3Zone, name, type).rcode, 3)
  assert.equal(lookup(nsec3Zone, parseName(name), RrType.NSEC3).kind, 'nxdomain')
})

test('a direct query returns signatures, NSEC, and NSEC3PARAM with its signature', () => {
  assert.equal(answer(nsecZone, 'x.w.example.', 'NSEC').answers, 'x.w.example. NSEC+')
  assert.equal(answer(nsec3Zone, 'example.', 'NSEC3PARAM').answers, 'example. NSEC3PARAM+')
  const [rrsig] = lookup(nsecZone, parseName('ai.example.'), parseType('RRSIG'), sha1).answers
  assert.equal(rrsig?.data.length, 3)
})

test('ANY returns one rrset and the signature over it (RFC 8482)', () => {
  assert.equal(answer(nsecZone, 'ai.example.', 'ANY').answers, 'ai.example. A+')
})

test('in a chain with a DNAME and a wildcard, only the synthesized CNAME is unsigned, and expansions are proved', () => {
  const zone = zoneFrom(
    `$TTL 300
@ SOA a. b. 1 2 3 4 5
${over('SOA', 300)}
start CNAME x.moved
${over('CNAME', 300)}
moved DNAME wild
${over('DNAME', 300)}
*.wild CNAME gone
${over('CNAME', 300)}
@ NSEC moved SOA RRSIG NSEC
${over('NSEC', 300)}
moved NSEC start DNAME RRSIG NSEC
${over('NSEC', 300)}
start NSEC *.wild CNAME RRSIG NSEC
${over('NSEC', 300)}
*.wild NSEC @ CNAME RRSIG NSEC
${over('NSEC', 300)}`,
    parseName('example.'),
  )
  assert.deepEqual(answer(zone, 'start.example.', 'A'), {
    rcode: 3,
    answers: 'start.example. CNAME+ moved.example. DNAME+ x.moved.example. CNAME x.wild.example. CNAME+',
    authorities: 'example. SOA+ *.wild.example. NSEC+ example. NSEC+',
  })
})

test('signatures keep their TTLs, except that of a negative SOA, which has the TTL of this SOA', () => {
  const zone = zoneFrom(
    `@ 3600 SOA a. b. 1 2 3 4 5
@ 3600 RRSIG SOA 5 1 3600 20040509183619 20040409183619 38519 example. AQID
www 60 A 192.0.2.1
www 60 RRSIG A 5 2 60 20040509183619 20040409183619 38519 example. AQID
www 900 TXT x
www 900 RRSIG TXT 5 2 900 20040509183619 20040409183619 38519 example. AQID
`,
    parseName('example.'),
  )
  const ttls = (rrsets: readonly Rrset[]) => rrsets.flatMap(recordsOf).map(({ ttl }) => ttl)
  const find = (type: RrType) => lookup(zone, parseName('www.example.'), type, sha1)
  assert.deepEqual(
    [ttls(find(RrType.A).answers), ttls(find(RrType.TXT).answers)],
    [
      [60, 60],
      [900, 900],
    ],
  )
  assert.deepEqual(ttls(find(RrType.MX).authorities), [5, 5])
  assert.deepEqual(ttls(find(parseType('RRSIG')).answers), [60, 900])
})
