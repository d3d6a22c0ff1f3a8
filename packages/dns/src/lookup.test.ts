import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lookup } from './lookup.ts'
import { parseName, rootName } from './name.ts'
import { parseType } from './type.ts'
import { example, linesOf, soaLine, zoneFrom } from './zone-samples.test.ts'

const digest = 'ab'.repeat(32)
const zone = zoneFrom(`${soaLine(1)}
@ NS ns1.example.net.
@ A 192.0.2.1
www A 192.0.2.2
www AAAA 2001:db8::2
alias CNAME www
far CNAME www.example.net.
chain CNAME alias
lost CNAME missing
loop CNAME pool
pool CNAME loop
deep.under.here TXT x
*.wild TXT any
host.wild A 192.0.2.3
*.star CNAME www
sub NS ns.sub
sub NS ns1.example.net.
sub NS www
sub DS 1 8 2 ${digest}
ns.sub A 192.0.2.53
ns.sub AAAA 2001:db8::53
hidden.sub A 192.0.2.54
moved DNAME elsewhere.example.net.
inside DNAME wild
hidden.inside A 192.0.2.55
into-sub CNAME www.sub
`)

function ask(name: string, type: string) {
  return lookup(zone, parseName(name, example), parseType(type))
}

const negative = ['example.com. 300 SOA ns1.example.net. host.example.net. 1 14400 3600 1209600 300']

test('an existing rrset is returned without additional records', () => {
  const found = ask('www', 'A')
  assert.equal(found.kind, 'answer')
  assert.equal(found.aa, true)
  assert.deepEqual(linesOf(found.answers), ['www.example.com. 300 A 192.0.2.2'])
  assert.deepEqual([found.authorities, found.additionals], [[], []])
})

test('a name without the type gives NODATA with the SOA, cached no longer than its minimum', () => {
  const found = ask('www', 'MX')
  assert.deepEqual([found.kind, found.rcode, found.aa], ['nodata', 0, true])
  assert.deepEqual(linesOf(found.authorities), negative)
})

test('a name that does not exist gives NXDOMAIN, but a name above an existing one does not', () => {
  assert.deepEqual([ask('nothing', 'A').kind, ask('nothing', 'A').rcode], ['nxdomain', 3])
  assert.deepEqual(linesOf(ask('nothing', 'A').authorities), negative)
  assert.equal(ask('under.here', 'TXT').kind, 'nodata')
  assert.equal(ask('x.under.here', 'TXT').kind, 'nxdomain')
})

test('follows aliases inside the zone, and the last name determines the result', () => {
  assert.deepEqual(linesOf(ask('chain', 'A').answers), [
    'chain.example.com. 300 CNAME alias.example.com.',
    'alias.example.com. 300 CNAME www.example.com.',
    'www.example.com. 300 A 192.0.2.2',
  ])
  assert.deepEqual(linesOf(ask('alias', 'CNAME').answers), ['alias.example.com. 300 CNAME www.example.com.'])
  assert.deepEqual(linesOf(ask('far', 'A').answers), ['far.example.com. 300 CNAME www.example.net.'])
  assert.equal(ask('alias', 'MX').kind, 'nodata')
  assert.deepEqual([ask('lost', 'A').kind, ask('lost', 'A').rcode, ask('lost', 'A').answers.length], ['nxdomain', 3, 1])
})

test('stops at a loop of aliases', () => {
  assert.equal(ask('loop', 'A').answers.length, 2)
  assert.equal(ask('loop', 'A').rcode, 0)
})

test('a wildcard answers queries for names that do not exist, under the query name', () => {
  assert.deepEqual(linesOf(ask('x.wild', 'TXT').answers), ['x.wild.example.com. 300 TXT "any"'])
  assert.deepEqual(linesOf(ask('x.y.wild', 'TXT').answers), ['x.y.wild.example.com. 300 TXT "any"'])
  assert.equal(ask('x.wild', 'A').kind, 'nodata')
  assert.equal(ask('host.wild', 'TXT').kind, 'nodata')
  assert.equal(ask('x.host.wild', 'TXT').kind, 'nxdomain')
  assert.deepEqual(linesOf(ask('*.wild', 'TXT').answers), ['*.wild.example.com. 300 TXT "any"'])
  assert.deepEqual(linesOf(ask('x.star', 'A').answers), [
    'x.star.example.com. 300 CNAME www.example.com.',
    'www.example.com. 300 A 192.0.2.2',
  ])
})

test('a query at or below a zone cut gets a referral with the nameserver addresses in this zone', () => {
  for (const name of ['sub', 'hidden.sub', 'x.y.sub']) {
    const found = ask(name, 'A')
    assert.deepEqual([found.kind, found.rcode, found.aa], ['referral', 0, false])
    assert.equal(found.authorities[0]?.data.length, 3)
    assert.deepEqual(linesOf(found.additionals).sort(), [
      'ns.sub.example.com. 300 A 192.0.2.53',
      'ns.sub.example.com. 300 AAAA 2001:db8::53',
      'www.example.com. 300 A 192.0.2.2',
      'www.example.com. 300 AAAA 2001:db8::2',
    ])
  }
  assert.equal(ask('sub', 'NS').kind, 'referral')
})

test('the parent zone answers a query for the DS of a delegation', () => {
  assert.deepEqual(linesOf(ask('sub', 'DS').answers), [`sub.example.com. 300 DS 1 8 2 ${digest}`])
  assert.equal(ask('x.sub', 'DS').kind, 'referral')
})

test('an alias into a delegation is authoritative and ends in the referral', () => {
  const found = ask('into-sub', 'A')
  assert.deepEqual([found.kind, found.aa, found.answers.length], ['referral', true, 1])
})

test('a DNAME redirects the names below it, but not its own name', () => {
  assert.deepEqual(linesOf(ask('a.b.moved', 'A').answers), [
    'moved.example.com. 300 DNAME elsewhere.example.net.',
    'a.b.moved.example.com. 300 CNAME a.b.elsewhere.example.net.',
  ])
  assert.equal(ask('moved', 'A').kind, 'nodata')
  assert.equal(ask('hidden.inside', 'A').answers.length, 2)
  assert.equal(linesOf(ask('x.inside', 'TXT').answers).at(-1), 'x.wild.example.com. 300 TXT "any"')
  assert.equal(ask('x.inside', 'CNAME').answers.length, 2)
})

test('a DNAME whose result is too long gives YXDOMAIN', () => {
  const long = `${'a'.repeat(63)}.`.repeat(3)
  const found = ask(`${long}${'b'.repeat(40)}.moved`, 'A')
  assert.deepEqual([found.rcode, found.answers.length], [6, 1])
})

test('a DNAME that points below itself is followed once', () => {
  const circular = zoneFrom(`${soaLine(1)}@ DNAME deeper\n`)
  assert.equal(lookup(circular, parseName('x', example), parseType('A')).answers.length, 2)
})

test('follows a DNAME again only for a name with fewer bytes, even if escapes make its text longer', () => {
  const inChain = (first: string, second: string) => {
    const twice = zoneFrom(`${soaLine(1)}d DNAME e\n${first}.e CNAME ${second}.d\n${second}.e A 192.0.2.1\n`)
    return lookup(twice, parseName(`${first}.d`, example), parseType('A')).answers.at(-1)?.type
  }
  assert.equal(inChain('aaaaa', '\\000\\000'), parseType('A'))
  assert.equal(inChain('\\000\\000', 'aaaaa'), parseType('CNAME'))
})

test('ANY returns one rrset', () => {
  assert.equal(ask('www', 'ANY').answers.length, 1)
  assert.deepEqual(linesOf(ask('alias', 'ANY').answers), ['alias.example.com. 300 CNAME www.example.com.'])
  assert.equal(ask('nothing', 'ANY').kind, 'nxdomain')
  assert.equal(ask('under.here', 'ANY').kind, 'nodata')
})

test('a query for the DS of the apex, which belongs to the parent, gets an authoritative NODATA', () => {
  assert.deepEqual([ask('@', 'DS').kind, ask('@', 'DS').aa], ['nodata', true])
})

test('a query for RRSIG or NSEC at an alias returns the records of the alias itself', () => {
  const signed = zoneFrom(`${soaLine(1)}
a CNAME b
a NSEC b CNAME RRSIG NSEC
a RRSIG CNAME 13 3 300 20300101000000 20200101000000 1 @ AQPA
b A 192.0.2.1
`)
  for (const type of ['NSEC', 'RRSIG']) {
    const { answers } = lookup(signed, parseName('a', example), parseType(type))
    assert.deepEqual(
      answers.map((rrset) => rrset.type),
      [parseType(type)],
    )
  }
})

test('follows at most 16 aliases of a chain', () => {
  const lines = Array.from({ length: 100 }, (_, index) => `a${index} CNAME a${index + 1}\n`)
  const found = lookup(zoneFrom(soaLine(1) + lines.join('')), parseName('a0', example), parseType('A'))
  assert.deepEqual([found.kind, found.answers.length], ['answer', 16])
})

test('names outside the zone are refused', () => {
  assert.deepEqual([ask('www.example.net.', 'A').rcode, ask('com.', 'A').rcode], [5, 5])
})

test('the root can be a zone', () => {
  const root = zoneFrom('$TTL 300\n@ 5 SOA a. b. 1 2 3 4 5\n@ NS a.\ncom NS ns.com.\n* TXT x\n', rootName)
  assert.equal(lookup(root, parseName('x.com.'), parseType('A')).kind, 'referral')
  assert.deepEqual(linesOf(lookup(root, parseName('net.'), parseType('TXT')).answers), ['net. 300 TXT "x"'])
  assert.equal(lookup(root, rootName, parseType('SOA')).kind, 'answer')
})
