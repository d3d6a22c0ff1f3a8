import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dnssecCrypto } from '../../../node/dnssec-crypto.ts'
import { newPrivateKey, signingKey } from '../../../node/signing-key.ts'
import { type Message, toWireRecord } from '../../message.ts'
import { type DomainName, parseName } from '../../name.ts'
import { rdataToText } from '../../rdata.ts'
import { groupRecords, type ResourceRecord, type Rrset, recordsOf } from '../../rrset.ts'
import { RrType } from '../../type.ts'
import { Zone } from '../../zone.ts'
import { recordsFrom } from '../../zone-samples.test.ts'
import { nsec3ToRdata } from '../denial-data.ts'
import { dnskeyFromRdata, dnskeyToRdata, keyTag } from '../dnskey.ts'
import { dsFromRdata } from '../ds.ts'
import { rrsigFromRdata } from '../rrsig.ts'
import { validationLimits } from './budget.ts'
import {
  dsRrset,
  hashedZone,
  now,
  type SampleZone,
  signature,
  signedZone,
  validity,
  World,
} from './validation-samples.test.ts'

/** Zones and responses with errors. None of them is ever secure, and none makes the validator work for long. */

const text = `www A 192.0.2.1
*.wild A 192.0.2.4
deep.ent.tree A 192.0.2.7
plain NS ns.plain
`
const origin = parseName('example.')
const good = signedZone('example.', text)
const hashed = hashedZone('example.', text)
const www = { name: parseName('www.example.'), type: RrType.A, ttl: 300, data: [Uint8Array.of(192, 0, 2, 1)] }

/** A zone in which other records replace those that `drop` selects. */
function edited(
  { zone, ds, key }: SampleZone,
  drop: (record: ResourceRecord) => boolean,
  added: readonly ResourceRecord[] = [],
): SampleZone {
  const records = [...zone.rrsets()].flatMap(recordsOf).filter((record) => !drop(record))
  return { zone: Zone.fromRrsets(zone.origin, groupRecords([...records, ...added])), ds, key }
}

const covers = (type: RrType, name?: string) => (record: ResourceRecord) =>
  record.type === RrType.RRSIG && rrsigFromRdata(record.data).covered === type && (name ?? record.name) === record.name
const ofWww = covers(RrType.A, 'www.example.')
const never = () => false

const status = (zone: SampleZone, name = 'www.example.', type = 'A') => new World([zone]).status(name, type)

test('a signature that covers no record has no effect', async () => {
  const stray = signature({ ...www, type: RrType.TXT }, origin)
  const zone = edited(good, never, [stray])
  assert.equal(await status(zone), 'secure')
  const change = (message: Message): Message => ({ ...message, answers: [...message.answers, toWireRecord(stray)] })
  assert.equal(await new World([good]).status('www.example.', 'A', { change }), 'secure')
})

test('an answer is bogus if its signatures are missing, expired, not yet valid, or by another key or algorithm', async () => {
  const other = signingKey(newPrivateKey())
  for (const [expected, ...signatures] of [
    ['bogus RRSIGS_MISSING'],
    ['bogus SIGNATURE_EXPIRED', signature(www, origin, { expiration: now - 1 })],
    ['bogus SIGNATURE_NOT_YET_VALID', signature(www, origin, { inception: now + 1 })],
    ['bogus DNSKEY_MISSING', signature(www, origin, {}, other)],
    ['bogus UNSUPPORTED_DNSKEY_ALGORITHM', signature(www, origin, { algorithm: 200 })],
    ['bogus UNSUPPORTED_DNSKEY_ALGORITHM', signature(www, origin, { algorithm: 5 })],
    ['bogus DNSSEC_BOGUS', signature(www, origin, { signature: new Uint8Array(64) })],
    ['bogus DNSSEC_BOGUS', signature(www, origin, { signature: new Uint8Array(0) })],
    ['bogus DNSSEC_BOGUS', signature(www, origin, { originalTtl: 299, signature: new Uint8Array(64) })],
    ['bogus RRSIGS_MISSING', signature(www, origin, { labels: 3 })],
    ['bogus RRSIGS_MISSING', signature(www, parseName('other.'))],
    ['bogus DNSSEC_BOGUS', signature(www, www.name)],
    ['bogus DNSSEC_BOGUS', signature(www, parseName('.')), signature(www, origin, { signature: new Uint8Array(64) })],
    ['secure', signature(www, origin), signature(www, origin, { expiration: now - 1 })],
    ['secure', signature(www, origin), signature(www, origin, { algorithm: 200 })],
    ['secure', signature(www, origin), signature(www, origin, { signature: new Uint8Array(64) })],
    ['secure', signature(www, origin), signature(www, origin, {}, other)],
  ] as const)
    assert.equal(await status(edited(good, ofWww, signatures)), expected)
})

test('the times of signatures wrap around (RFC 4034 §3.1.5)', async () => {
  const later = 2 ** 32 + now
  assert.equal(await new World([good]).status('www.example.', 'A', { unixSeconds: later }), 'secure')
  assert.equal(
    await new World([good]).status('www.example.', 'A', { unixSeconds: now + 2 ** 31 - 10 }),
    'bogus SIGNATURE_EXPIRED',
  )
})

test('changed data is bogus, and so is data of a wildcard that is presented as data of a name', async () => {
  const change = (message: Message): Message => ({
    ...message,
    answers: message.answers.map((record) =>
      record.type === RrType.A ? { ...record, data: Uint8Array.of(192, 0, 2, 99) } : record,
    ),
  })
  assert.equal(await new World([good]).status('www.example.', 'A', { change }), 'bogus DNSSEC_BOGUS')
  const wildcard = edited(good, ofWww, [signature(www, origin, { labels: 1 })])
  assert.equal(await status(wildcard), 'bogus NSEC_MISSING')
})

test('an unsigned CNAME is accepted only if it is synthesized from a DNAME (RFC 6672 §5.3.1)', async () => {
  const world = new World([signedZone('example.', 'moved DNAME kept\nhost.kept A 192.0.2.2\nother.kept A 192.0.2.3\n')])
  assert.equal(await world.status('host.moved.example.', 'A'), 'secure')
  const [alias] = recordsFrom('host.moved CNAME other.kept\n', origin)
  const change = (message: Message): Message => ({
    ...message,
    answers: message.answers.map((record) =>
      record.type === RrType.CNAME ? { ...record, data: alias?.data ?? record.data } : record,
    ),
  })
  assert.equal(await world.status('host.moved.example.', 'A', { change }), 'bogus RRSIGS_MISSING')
})

test('a response code that contradicts the records is bogus', async () => {
  const change = (message: Message): Message => (message.answers.length > 0 ? { ...message, rcode: 3 } : message)
  assert.equal(await new World([good]).status('www.example.', 'A', { change }), 'bogus DNSSEC_BOGUS')
})

test('an incomplete chain of NSEC or NSEC3 proves only what its records cover', async () => {
  const half = edited(good, ({ name, type }) => type === RrType.NSEC && name === 'plain.example.')
  assert.equal(await status(half, 'www.example.', 'MX'), 'secure')
  assert.equal(await status(half, 'nobody.example.'), 'secure')
  assert.equal(await status(half, 'q.example.'), 'bogus NSEC_MISSING')
  const [apex, ...chain] = [...hashed.zone.rrsets()].filter(({ type }) => type === RrType.NSEC3)
  for (const gone of [apex, ...chain]) {
    const part = edited(hashed, ({ name, type }) => type === RrType.NSEC3 && name === gone?.name)
    const world = new World([part])
    for (const [name, type] of [
      ['nobody.example.', 'A'],
      ['www.example.', 'MX'],
      ['x.wild.example.', 'A'],
      ['plain.example.', 'DS'],
    ] as const)
      assert.match(await world.status(name, type), /^(?:secure|bogus NSEC_MISSING)$/)
  }
})

test('denial records without signatures prove nothing', async () => {
  for (const [zone, type] of [
    [good, RrType.NSEC],
    [hashed, RrType.NSEC3],
  ] as const) {
    const bare = edited(zone, covers(type))
    assert.equal(await status(bare, 'nobody.example.'), 'bogus RRSIGS_MISSING')
    assert.equal(await status(bare, 'www.example.', 'MX'), 'bogus RRSIGS_MISSING')
  }
})

test('a denial is bogus if a record next to its proofs has an invalid signature', async () => {
  const optOut = hashedZone('example.', text, { flags: 1 })
  for (const zone of [hashed, optOut]) {
    const spans = [...zone.zone.rrsets()].filter(({ type }) => type === RrType.NSEC3)
    const change = (message: Message): Message => {
      if (message.questions[0]?.type !== RrType.A) return message
      const held = new Set(message.authorities.map(({ name }) => name))
      const beside = spans.find(({ name }) => !held.has(name)) ?? assert.fail()
      const wrong = signature(beside, origin, { signature: new Uint8Array(64) })
      return { ...message, authorities: [...message.authorities, ...[...recordsOf(beside), wrong].map(toWireRecord)] }
    }
    assert.equal(await new World([zone]).status('nobody.example.', 'A', { change }), 'bogus DNSSEC_BOGUS')
  }
})

test('a denial from an opt-out span needs its whole proof, including the record about the wildcard (RFC 5155 §8.4)', async () => {
  const world = new World([hashedZone('example.', text, { flags: 1 })])
  const owners = new Set<DomainName>()
  const listing = (message: Message): Message => {
    for (const { name, type } of message.authorities) if (type === RrType.NSEC3) owners.add(name)
    return message
  }
  assert.match(await world.status('nobody.example.', 'A', { change: listing }), /^insecure/)
  assert.ok(owners.size >= 2)
  for (const owner of owners) {
    const change = (message: Message): Message => ({
      ...message,
      authorities: message.authorities.filter(({ name }) => name !== owner),
    })
    assert.equal(await world.status('nobody.example.', 'A', { change }), 'bogus NSEC_MISSING', owner)
  }
})

test('NSEC records that were expanded from a wildcard prove nothing (RFC 4035 §5.4)', async () => {
  const nsec = good.zone.rrset(parseName('*.wild.example.'), RrType.NSEC) ?? assert.fail()
  const expanded = [...recordsOf(nsec), signature(nsec, origin)].map((record) => ({
    ...record,
    name: parseName('a.wild.example.'),
  }))
  const with_ = (records: readonly ResourceRecord[]) => (message: Message) =>
    message.answers.some(({ type }) => type === RrType.A)
      ? { ...message, authorities: records.map(toWireRecord) }
      : message
  const world = new World([good])
  const owned = [...recordsOf(nsec), signature(nsec, origin)]
  assert.equal(await world.status('b.wild.example.', 'A', { change: with_(owned) }), 'secure')
  assert.equal(await world.status('b.wild.example.', 'A', { change: with_(expanded) }), 'bogus NSEC_MISSING')
})

test('NSEC3 records prove nothing if their parameters differ (RFC 5155 §8.2)', async () => {
  const other = [...hashedZone('example.', text, { salt: Uint8Array.of(7) }).zone.rrsets()]
  const change = (message: Message): Message => {
    if (!message.authorities.some(({ type }) => type === RrType.NSEC3)) return message
    const beside = other.find(({ type }) => type === RrType.NSEC3) ?? assert.fail()
    const added = [...recordsOf(beside), signature(beside, origin)].map(toWireRecord)
    return { ...message, authorities: [...message.authorities, ...added] }
  }
  assert.equal(await new World([hashed]).status('nobody.example.', 'A', { change }), 'bogus DNSSEC_BOGUS')
})

test('more than 100 iterations make a denial insecure, and more than 500 make it bogus (RFC 9276 §3.2)', async () => {
  for (const [iterations, expected] of [
    [100, 'secure'],
    [101, 'insecure UNSUPPORTED_NSEC3_ITERATIONS'],
    [500, 'insecure UNSUPPORTED_NSEC3_ITERATIONS'],
    [501, 'bogus UNSUPPORTED_NSEC3_ITERATIONS'],
  ] as const) {
    const zone = hashedZone('example.', text, { iterations })
    assert.equal(await status(zone, 'nobody.example.'), expected)
    assert.equal(await status(zone, 'plain.example.', 'DS'), expected)
    assert.equal(await status(zone), 'secure', 'what needs no denial')
  }
})

test('NSEC3 records with unknown hashes or flags are ignored (RFC 5155 §8.1, §8.2)', async () => {
  for (const parameters of [{ algorithm: 2 }, { flags: 2 }])
    assert.equal(await status(hashedZone('example.', text, parameters), 'nobody.example.'), 'bogus NSEC_MISSING')
})

test('the child’s own NSEC does not prove an unsigned delegation, and the cut’s NSEC proves nothing below it', async () => {
  const apexOfPlain = signedZone('plain.example.', 'www A 192.0.2.9\n')
  const own = apexOfPlain.zone.rrset(parseName('plain.example.'), RrType.NSEC) ?? assert.fail()
  const change = (message: Message): Message =>
    message.questions[0]?.type === RrType.DS
      ? { ...message, authorities: [...recordsOf(own), signature(own, parseName('plain.example.'))].map(toWireRecord) }
      : message
  const world = new World([good, apexOfPlain])
  assert.equal(await world.status('www.plain.example.', 'A', { change }), 'bogus NSEC_MISSING')
  const signedAbove = (message: Message): Message =>
    message.questions[0]?.type === RrType.DS
      ? { ...message, authorities: [...recordsOf(own), signature(own, origin)].map(toWireRecord) }
      : message
  assert.equal(await world.status('www.plain.example.', 'A', { change: signedAbove }), 'bogus NSEC_MISSING')
  const cut = good.zone.rrset(parseName('plain.example.'), RrType.NSEC) ?? assert.fail()
  const denied = (message: Message): Message => ({
    ...message,
    rcode: 3,
    authorities: [...recordsOf(cut), signature(cut, origin)].map(toWireRecord),
  })
  const only = (message: Message): Message => (message.questions[0]?.type === RrType.A ? denied(message) : message)
  assert.equal(await world.status('x.plain.example.', 'A', { change: only }), 'bogus NSEC_MISSING')
})

test('DS records are matched with keys as RFC 4035 §5.2 and RFC 4509 require', async () => {
  const right = dsRrset(origin, good.key.dnskey).data[0] ?? assert.fail()
  const sha1 = dsRrset(origin, good.key.dnskey, 1).data[0] ?? assert.fail()
  const with_ = (at: number, byte: number, of = right) => Uint8Array.from(of, (each, i) => (i === at ? byte : each))
  for (const [expected, ...data] of [
    ['secure', right],
    ['secure', sha1],
    ['secure', right, sha1],
    ['secure', dsRrset(origin, good.key.dnskey, 4).data[0] ?? assert.fail()],
    ['secure', with_(3, 99), right],
    ['secure', with_(2, 200), right],
    ['insecure UNSUPPORTED_DNSKEY_ALGORITHM', with_(2, 200), with_(2, 5)],
    ['insecure UNSUPPORTED_DS_DIGEST_TYPE', with_(3, 99), with_(3, 3)],
    ['bogus DNSKEY_MISSING', with_(35, (right[35] ?? 0) ^ 1)],
    ['bogus DNSKEY_MISSING', with_(35, (right[35] ?? 0) ^ 1), sha1],
    ['bogus DNSKEY_MISSING', with_(0, (right[0] ?? 0) ^ 1)],
  ] as const)
    assert.equal(await new World([good], [{ ...good.ds, data }]).status('www.example.', 'A'), expected)
})

test('a key that no trusted key has signed is not trusted', async () => {
  const other = signingKey(newPrivateKey())
  const added = { name: origin, type: RrType.DNSKEY, ttl: 300, data: other.dnskey }
  const zone = edited(good, ofWww, [added, signature(www, origin, {}, other)])
  assert.equal(await status(zone), 'bogus DNSSEC_BOGUS')
  const own = [added, ...recordsOf(good.zone.rrset(origin, RrType.DNSKEY) ?? assert.fail())].map(({ data }) => data)
  const keys = { name: origin, type: RrType.DNSKEY, ttl: 300, data: own }
  const bySelf = edited(good, covers(RrType.DNSKEY), [added, signature(keys, origin, {}, other)])
  assert.equal(await status(bySelf), 'bogus DNSKEY_MISSING', 'signed by itself')
  const vouched = edited(zone, covers(RrType.DNSKEY), [signature(keys, origin)])
  assert.equal(await status(vouched), 'secure')
})

test('a key must be a zone key and must not be revoked', async () => {
  for (const [flags, protocol, expected] of [
    [257, 3, 'secure'],
    [256, 3, 'secure'],
    [1, 3, 'bogus NO_ZONE_KEY_BIT_SET'],
    [257 | 0x80, 3, 'bogus NO_ZONE_KEY_BIT_SET'],
    [257, 2, 'bogus NO_ZONE_KEY_BIT_SET'],
  ] as const) {
    const dnskey = dnskeyToRdata({ ...dnskeyFromRdata(good.key.dnskey), flags, protocol })
    const zone = signedZone('example.', text, { key: { ...good.key, dnskey }, keys: [dnskey] })
    assert.equal(await status(zone), expected)
  }
})

/** A DNSKEY with the tag of another. */
function sameTag(dnskey: Uint8Array, seed: number): Uint8Array {
  const forged = Uint8Array.from(dnskey, (byte, at) => (at < 4 ? byte : (byte + seed + at) & 0xff))
  for (let low = 0; low < 0x10000; low++) {
    forged.set([low >> 8, low & 0xff], forged.length - 2)
    if (keyTag(forged) === keyTag(dnskey)) return forged
  }
  return assert.fail('no key has the tag')
}

test('tries up to four keys with the same tag in turn, and rejects more (CVE-2023-50387)', async () => {
  for (const [others, expected] of [
    [1, 'secure'],
    [3, 'secure'],
    [4, 'bogus DNSSEC_BOGUS'],
  ] as const) {
    const forged = Array.from({ length: others }, (_, i) => sameTag(good.key.dnskey, i + 1))
    const name = origin
    const rrset: Rrset = { name, type: RrType.DNSKEY, ttl: 300, data: [...forged, good.key.dnskey] }
    const zone = edited(good, (record) => record.type === RrType.DNSKEY || covers(RrType.DNSKEY)(record), [
      ...recordsOf(rrset),
      signature(rrset, origin),
    ])
    assert.equal(await status(zone), expected)
  }
})

test('stops early if there are many wrong signatures (CVE-2023-50387)', async () => {
  const wrong = (i: number) => Uint8Array.from({ length: 64 }, (_, at) => (at === 0 ? i : 1))
  const signatures = Array.from({ length: 200 }, (_, i) => signature(www, origin, { signature: wrong(i + 1) }))
  const zone = edited(good, ofWww, signatures)
  let checks = 0
  const verify: typeof dnssecCrypto.verify = (...of) => {
    checks++
    return dnssecCrypto.verify(...of)
  }
  const crypto = { ...dnssecCrypto, verify }
  assert.equal(await new World([zone]).status('www.example.', 'A', { crypto }), 'bogus DNSSEC_BOGUS')
  assert.ok(checks <= validationLimits.failedChecks + 1, `${checks} signatures were verified`)
})

test('limits the number of hashes for a name with many labels (CVE-2023-50868)', async () => {
  let hashes = 0
  const sha1: typeof dnssecCrypto.sha1 = (data) => {
    hashes++
    return dnssecCrypto.sha1(data)
  }
  const zone = hashedZone('example.', text, { iterations: 100 })
  const world = new World([zone])
  const options = { crypto: { ...dnssecCrypto, sha1 } }
  assert.equal(await world.status(`${'a.'.repeat(34)}example.`, 'A', options), 'secure')
  hashes = 0
  assert.equal(await world.status(`${'a.'.repeat(120)}example.`, 'A', options), 'bogus DNSSEC_BOGUS')
  assert.ok(hashes <= validationLimits.hashes * 101, `${hashes} hashes were made`)
})

test('a missing response or an error code is neither secure nor bogus', async () => {
  const world = new World([good])
  const silent = (message: Message) => (message.questions[0]?.type === RrType.DNSKEY ? undefined : message)
  assert.equal(await world.status('www.example.', 'A', { change: silent }), 'indeterminate NO_REACHABLE_AUTHORITY')
  for (const rcode of [2, 5]) {
    const failed = (message: Message): Message => ({ ...message, rcode, answers: [] })
    assert.equal(await world.status('www.example.', 'A', { change: failed }), 'indeterminate NO_REACHABLE_AUTHORITY')
  }
  const empty = (message: Message): Message => ({ ...message, answers: [], authorities: [] })
  assert.equal(await world.status('www.example.', 'A', { change: empty }), 'bogus DNSKEY_MISSING')
})

test('no removed or added record can hide the DS records of a delegation', async () => {
  const sub = signedZone('sub.example.', 'www A 192.0.2.3\n')
  const ds = rdataToText(RrType.DS, sub.ds.data[0] ?? assert.fail())
  const parent = signedZone('example.', `${text}sub NS ns.sub\nsub DS ${ds}\n`)
  const world = new World([parent, sub])
  assert.equal(await world.status('www.sub.example.', 'A'), 'secure')
  assert.equal(dsFromRdata(sub.ds.data[0] ?? assert.fail()).keyTag, keyTag(sub.key.dnskey))
  const hidden = (change: (message: Message) => Partial<Message>) => (message: Message) =>
    message.questions[0]?.type === RrType.DS ? { ...message, ...change(message) } : message
  const plainCut = parent.zone.rrset(parseName('plain.example.'), RrType.NSEC) ?? assert.fail()
  const forged = { ...plainCut, name: parseName('sub.example.') }
  const wrong = signature(forged, origin, { signature: new Uint8Array(64) })
  for (const change of [
    () => ({ answers: [], authorities: [...recordsOf(forged), wrong].map(toWireRecord) }),
    () => ({ answers: [], authorities: recordsOf(forged).map(toWireRecord) }),
    () => ({ answers: [], authorities: [] }),
    (message: Message) => ({ answers: message.answers.filter(({ type }) => type !== RrType.RRSIG) }),
    () => ({ answers: [], authorities: [...recordsOf(plainCut), signature(plainCut, origin)].map(toWireRecord) }),
    () => ({ answers: [], rcode: 3 }),
  ])
    assert.match(await world.status('www.sub.example.', 'A', { change: hidden(change) }), /^bogus/)
})

test('NSEC3 records with an incomplete next hash prove nothing', async () => {
  const change = (message: Message): Message => ({
    ...message,
    authorities: message.authorities.flatMap((record) => {
      if (record.type !== RrType.NSEC3) return [record]
      const data = nsec3ToRdata({
        algorithm: 1,
        flags: 0,
        iterations: 0,
        salt: new Uint8Array(0),
        next: new Uint8Array(3),
        types: [],
      })
      const rrset = { name: record.name, type: record.type, ttl: record.ttl, data: [data] }
      return [...recordsOf(rrset), signature(rrset, origin, validity)].map(toWireRecord)
    }),
  })
  assert.match(await new World([hashed]).status('nobody.example.', 'A', { change }), /^bogus/)
})
