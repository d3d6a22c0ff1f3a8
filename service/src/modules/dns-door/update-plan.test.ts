import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Prerequisite, parseName, parseRdata, parseType, Rcode, type UpdateChange } from '@zonewright/dns'
import type { StoredRrset } from '#modules/records/index.ts'
import { Refusal } from '#platform/errors.ts'
import { withoutPauses } from '#platform/work/slices.ts'
import { PrerequisiteFailed, planUpdate, readUpdateOf, type UpdateAccess } from './update-plan.ts'

const zone = { name: 'example.com', serial: 7 }
const nameservers = ['ns1.zonewright.test', 'ns2.zonewright.test']
const everything: UpdateAccess = { refuseRead: () => undefined, refuseChange: () => undefined, types: undefined }

const name = (text: string) => parseName(text === '@' ? 'example.com.' : `${text}.example.com.`)
const stored = (owner: string, type: string, ...records: string[]): StoredRrset => ({
  name: owner === '@' ? 'example.com' : `${owner}.example.com`,
  type,
  ttl: 300,
  records,
})
const add = (owner: string, type: string, value: string, ttl = 300): UpdateChange => ({
  kind: 'add-record',
  record: { name: name(owner), type: parseType(type), ttl, data: parseRdata(parseType(type), value) },
})
const removeName = (owner: string): UpdateChange => ({ kind: 'delete-name', name: name(owner) })
const removeRrset = (owner: string, type: string): UpdateChange => ({
  kind: 'delete-rrset',
  name: name(owner),
  type: parseType(type),
})
const removeValue = (owner: string, type: string, value: string): UpdateChange => ({
  kind: 'delete-record',
  name: name(owner),
  type: parseType(type),
  data: parseRdata(parseType(type), value),
})

/** The result of an update of a zone, as `name type ttl value,value`; a removed record set has no values. */
function outcome(
  there: readonly StoredRrset[],
  changes: readonly UpdateChange[],
  prerequisites: readonly Prerequisite[] = [],
  access = everything,
): string[] {
  const update = withoutPauses(readUpdateOf('example.com', prerequisites, changes))
  return planUpdate(update, zone, there, { access, nameservers }).map(({ name, type, ttl, ask }) => {
    assert.equal(ask.kind, 'replace')
    const values = ask.kind === 'replace' ? ask.records.join(',') : ''
    return `${name} ${type} ${ttl ?? '-'} ${values}`
  })
}

function rcodeOf(there: readonly StoredRrset[], prerequisites: readonly Prerequisite[]): number {
  try {
    outcome(there, [], prerequisites)
    return Rcode.NOERROR
  } catch (error) {
    assert.ok(error instanceof PrerequisiteFailed)
    return error.rcode
  }
}

function refusalOf(work: () => unknown): string {
  try {
    work()
  } catch (error) {
    assert.ok(error instanceof Refusal)
    return `${error.code}: ${error.message}`
  }
  return assert.fail('nothing was refused')
}

const www = stored('www', 'A', '192.0.2.1', '192.0.2.2')

test('each prerequisite that does not hold gets its response code (RFC 2136 §2.4, §3.2.5)', () => {
  const typed = (kind: 'rrset-exists' | 'rrset-missing', owner: string, type: string): Prerequisite => ({
    kind,
    name: name(owner),
    type: parseType(type),
  })
  const named = (kind: 'name-in-use' | 'name-not-in-use', owner: string): Prerequisite => ({ kind, name: name(owner) })
  const value = (owner: string, type: string, text: string): Prerequisite => ({
    kind: 'record-exists',
    name: name(owner),
    type: parseType(type),
    data: parseRdata(parseType(type), text),
  })
  const rows: [prerequisites: Prerequisite[], rcode: number][] = [
    [[named('name-in-use', 'www')], Rcode.NOERROR],
    [[named('name-in-use', 'nothing')], Rcode.NXDOMAIN],
    [[named('name-in-use', '@')], Rcode.NOERROR],
    [[named('name-not-in-use', 'nothing')], Rcode.NOERROR],
    [[named('name-not-in-use', 'www')], Rcode.YXDOMAIN],
    [[named('name-not-in-use', '@')], Rcode.YXDOMAIN],
    [[typed('rrset-exists', 'www', 'A')], Rcode.NOERROR],
    [[typed('rrset-exists', 'www', 'TXT')], Rcode.NXRRSET],
    [[typed('rrset-exists', '@', 'SOA')], Rcode.NOERROR],
    [[typed('rrset-missing', 'www', 'TXT')], Rcode.NOERROR],
    [[typed('rrset-missing', 'www', 'A')], Rcode.YXRRSET],
    [[typed('rrset-missing', '@', 'NS')], Rcode.YXRRSET],
    [[value('www', 'A', '192.0.2.1'), value('www', 'A', '192.0.2.2')], Rcode.NOERROR],
    [[value('www', 'A', '192.0.2.2'), value('www', 'A', '192.0.2.1')], Rcode.NOERROR],
    [[value('www', 'A', '192.0.2.1')], Rcode.NXRRSET],
    [[value('www', 'A', '192.0.2.1'), value('www', 'A', '192.0.2.3')], Rcode.NXRRSET],
    [['1', '2', '3'].map((host) => value('www', 'A', `192.0.2.${host}`)), Rcode.NXRRSET],
    [[value('nothing', 'A', '192.0.2.1')], Rcode.NXRRSET],
    [[value('@', 'NS', 'ns2.zonewright.test.'), value('@', 'NS', 'ns1.zonewright.test.')], Rcode.NOERROR],
    [[value('@', 'NS', 'ns1.zonewright.test.')], Rcode.NXRRSET],
    // The first one that does not hold decides, and those with values come last (§3.2.5).
    [[named('name-in-use', 'nothing'), typed('rrset-missing', 'www', 'A')], Rcode.NXDOMAIN],
    [[value('www', 'A', '192.0.2.1'), typed('rrset-missing', 'www', 'A')], Rcode.YXRRSET],
  ]
  for (const [prerequisites, rcode] of rows)
    assert.equal(rcodeOf([www], prerequisites), rcode, JSON.stringify(prerequisites))
})

test('applies changes in their order: an addition that is then removed is gone, and the reverse stays', () => {
  assert.deepEqual(outcome([], [add('a', 'A', '192.0.2.1'), removeName('a')]), [])
  assert.deepEqual(outcome([], [removeName('a'), add('a', 'A', '192.0.2.1')]), ['a.example.com A 300 192.0.2.1'])
  assert.deepEqual(outcome([www], [removeRrset('www', 'A'), add('www', 'A', '192.0.2.9')]), [
    'www.example.com A 300 192.0.2.9',
  ])
  assert.deepEqual(outcome([www], [add('www', 'A', '192.0.2.9'), removeRrset('www', 'A')]), ['www.example.com A - '])
})

test('an update that ends in the original state changes nothing', () => {
  assert.deepEqual(outcome([www], [add('www', 'A', '192.0.2.1')]), [])
  assert.deepEqual(outcome([www], [removeValue('www', 'A', '192.0.2.1'), add('www', 'A', '192.0.2.1')]), [])
  assert.deepEqual(outcome([www], [removeValue('www', 'A', '192.0.2.7'), removeRrset('nothing', 'A')]), [])
  assert.deepEqual(outcome([www], [removeName('nothing')]), [])
})

test('a value is added to or removed from its record set; removing the last one removes the record set', () => {
  assert.deepEqual(outcome([www], [add('www', 'A', '192.0.2.9')]), [
    'www.example.com A 300 192.0.2.1,192.0.2.2,192.0.2.9',
  ])
  assert.deepEqual(outcome([www], [removeValue('www', 'A', '192.0.2.1')]), ['www.example.com A 300 192.0.2.2'])
  assert.deepEqual(outcome([www], [removeValue('www', 'A', '192.0.2.1'), removeValue('www', 'A', '192.0.2.2')]), [
    'www.example.com A - ',
  ])
})

test('the last TTL that is sent becomes the TTL of the record set, limited to 30 to 604800', () => {
  assert.deepEqual(outcome([www], [add('www', 'A', '192.0.2.1', 60)]), ['www.example.com A 60 192.0.2.1,192.0.2.2'])
  assert.deepEqual(outcome([], [add('a', 'A', '192.0.2.1', 0)]), ['a.example.com A 30 192.0.2.1'])
  assert.deepEqual(outcome([], [add('a', 'A', '192.0.2.1', 0x7fffffff)]), ['a.example.com A 604800 192.0.2.1'])
  assert.deepEqual(outcome([], [add('a', 'A', '192.0.2.1', 60), add('a', 'A', '192.0.2.2', 90)]), [
    'a.example.com A 90 192.0.2.1,192.0.2.2',
  ])
})

test('a CNAME next to other records, or the reverse, is left out; a CNAME replaces a CNAME (§3.4.2.2)', () => {
  const alias = stored('alias', 'CNAME', 'a.example.net.')
  assert.deepEqual(outcome([www], [add('www', 'CNAME', 'a.example.net.')]), [])
  assert.deepEqual(outcome([alias], [add('alias', 'A', '192.0.2.1')]), [])
  assert.deepEqual(outcome([alias], [add('alias', 'CNAME', 'b.example.net.')]), [
    'alias.example.com CNAME 300 b.example.net.',
  ])
  assert.deepEqual(outcome([alias], [removeRrset('alias', 'CNAME'), add('alias', 'A', '192.0.2.1')]), [
    'alias.example.com A 300 192.0.2.1',
    'alias.example.com CNAME - ',
  ])
})

test('a CNAME or addresses next to an ALIAS are left to the rules for records, which refuse them', () => {
  const alias = stored('lb', 'ALIAS', 'host.example.net.')
  const mail = stored('lb', 'MX', '10 mail.example.net.')
  assert.deepEqual(outcome([alias, mail], [add('lb', 'CNAME', 'a.example.net.')]), [
    'lb.example.com CNAME 300 a.example.net.',
  ])
  assert.deepEqual(outcome([alias], [add('lb', 'A', '192.0.2.1')]), ['lb.example.com A 300 192.0.2.1'])
  assert.deepEqual(outcome([alias], [add('lb', 'TXT', '"x"')]), ['lb.example.com TXT 300 "x"'])
})

test('removing a name removes all of its record sets, except those of the service at the apex', () => {
  const txt = stored('www', 'TXT', '"x"')
  assert.deepEqual(outcome([www, txt], [removeName('www')]).sort(), ['www.example.com A - ', 'www.example.com TXT - '])
  assert.deepEqual(outcome([stored('@', 'MX', '10 mail.example.com.')], [removeName('@')]), ['example.com MX - '])
})

test('at the apex, the service’s own SOA and NS are accepted, others refused, and removing all of them ignored', () => {
  const soa = (serial: number, mname = 'ns1.zonewright.test.') =>
    `${mname} hostmaster.zonewright.test. ${serial} 14400 3600 1209600 300`
  const accepted: UpdateChange[] = [
    add('@', 'SOA', soa(7)),
    add('@', 'SOA', soa(99), 5),
    add('@', 'NS', 'ns2.zonewright.test.', 5),
    removeRrset('@', 'NS'),
    removeRrset('@', 'SOA'),
    removeValue('@', 'SOA', soa(7)),
    removeValue('@', 'NS', 'ns9.example.net.'),
  ]
  for (const change of accepted) assert.deepEqual(outcome([], [change]), [], JSON.stringify(change))
  for (const change of [
    add('@', 'SOA', soa(7, 'ns9.example.net.')),
    add('@', 'NS', 'ns9.example.net.'),
    removeValue('@', 'NS', 'ns1.zonewright.test.'),
  ])
    assert.match(
      refusalOf(() => outcome([], [change])),
      /^service_owned: The service manages the (SOA|NS) records/,
    )
})

test('refuses what the API refuses, and reports every fault at once', () => {
  const rows: [change: UpdateChange, message: RegExp][] = [
    [add('@', 'CNAME', 'a.example.net.'), /cannot have a CNAME at its own name/],
    [add('sub', 'SOA', 'a. b. 1 1 1 1 1'), /SOA/],
    [add('www', 'RRSIG', 'A 8 3 300 20300101000000 20200101000000 1 example.com. AAAA'), /RRSIG/],
  ]
  for (const [change, message] of rows)
    assert.match(
      refusalOf(() => outcome([], [change])),
      message,
    )
  assert.match(
    refusalOf(() => outcome([], [add('@', 'CNAME', 'a.example.net.'), add('sub', 'SOA', 'a. b. 1 1 1 1 1')])),
    /\(and 1 more\)$/,
  )
})

test('a DHCID record is stored in its text form (RFC 4701)', () => {
  const value = 'AAIBY2/AuCccgoJbsaxcQc9TUapptP69lOjxfNuVAA2kjEA='
  assert.deepEqual(outcome([], [add('host', 'DHCID', value)]), [`host.example.com DHCID 300 ${value}`])
})

/** A key for some types of one name. */
function limitedTo(owner: string, ...types: string[]): UpdateAccess {
  const refuse = (target: { name: string; type: string }): void => {
    if (target.name !== `${owner}.example.com` || !types.includes(target.type))
      throw new Refusal('forbidden', `limited to ${owner}`)
  }
  return { refuseRead: refuse, refuseChange: refuse, types }
}

test('a key with limits can act on a whole name only if it may use all record sets there, and learns of no others', () => {
  const access = limitedTo('www', 'A', 'AAAA')
  const txt = stored('www', 'TXT', '"x"')
  const inUse = (owner: string): Prerequisite => ({ kind: 'name-in-use', name: name(owner) })
  assert.deepEqual(outcome([www], [removeName('www')], [inUse('www')], access), ['www.example.com A - '])
  assert.deepEqual(outcome([], [removeName('www')], [], access), [])
  const refused = 'forbidden: limited to www'
  const attempts: [there: StoredRrset[], changes: UpdateChange[], prerequisites: Prerequisite[]][] = [
    [[www, txt], [removeName('www')], []],
    [[www, txt], [], [inUse('www')]],
    [[], [removeName('other')], []],
    [[stored('other', 'A', '192.0.2.1')], [removeName('other')], []],
    [[], [], [inUse('other')]],
    [[], [removeRrset('www', 'TXT')], []],
    [[], [removeValue('other', 'A', '192.0.2.1')], []],
    [[], [add('www', 'TXT', '"x"')], []],
    [[], [], [{ kind: 'rrset-missing', name: name('www'), type: parseType('TXT') }]],
    [
      [],
      [],
      [
        {
          kind: 'record-exists',
          name: name('other'),
          type: parseType('A'),
          data: parseRdata(parseType('A'), '192.0.2.1'),
        },
      ],
    ],
  ]
  for (const [there, changes, prerequisites] of attempts)
    assert.equal(
      refusalOf(() => outcome(there, changes, prerequisites, access)),
      refused,
    )
})
