import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { newPrivateKey, signingKey } from '../../node/signing-key.ts'
import { diffRrsets } from '../diff.ts'
import { type DomainName, parseName } from '../name.ts'
import { groupRecords, recordsOf } from '../rrset.ts'
import { RrType } from '../type.ts'
import type { Zone } from '../zone.ts'
import { linesOf, recordsFrom, zoneFrom } from '../zone-samples.test.ts'
import { nsecFromRdata } from './denial-data.ts'
import { planSigning } from './plan-signing.ts'
import { zoneText } from './random-zones.test.ts'
import { rrsigFromRdata } from './rrsig.ts'

const origin = parseName('example.')
const key = signingKey(newPrivateKey())
const rules = { keys: [key.dnskey], inception: 1_000_000, expiration: 2_000_000 }
const head = '$TTL 300\n@ 3600 SOA ns.example. host.example. 1 2 3 4 300\n@ 300 NS ns.example.\n'

function sign(zone: Zone, names: Iterable<DomainName>): Zone {
  const plan = planSigning(zone, names, rules)
  return zone.apply(plan.diff(plan.requests.map(({ message }) => key.sign(message))))
}

/** The content of a zone, with signatures identified by what they cover, because each ECDSA signature is different. */
function shape(zone: Zone): string[] {
  return [...zone.rrsets()]
    .flatMap((rrset) =>
      rrset.type === RrType.RRSIG
        ? recordsOf(rrset).map(({ name, ttl, data }) => `${name} ${ttl} RRSIG ${rrsigFromRdata(data).covered}`)
        : linesOf([rrset]),
    )
    .sort()
}

test('a delegation has signatures only over its NSEC and DS records; glue has neither signatures nor NSEC', () => {
  const ds = `b DS 1 13 2 ${'00'.repeat(32)}`
  const zone = zoneFrom(
    `${head}a NS ns.a
ns.a A 192.0.2.1
b NS ns.b
${ds}
c DNAME d
x.c A 192.0.2.2
`,
    origin,
  )
  sign(zone, zone.names)
  assert.deepEqual(
    shape(zone).filter((line) => /RRSIG|NSEC/.test(line)),
    [
      'a.example. 300 NSEC b.example. NS RRSIG NSEC',
      'a.example. 300 RRSIG 47',
      'b.example. 300 NSEC c.example. NS DS RRSIG NSEC',
      'b.example. 300 RRSIG 43',
      'b.example. 300 RRSIG 47',
      'c.example. 300 NSEC example. DNAME RRSIG NSEC',
      'c.example. 300 RRSIG 39',
      'c.example. 300 RRSIG 47',
      'example. 300 NSEC a.example. NS SOA RRSIG NSEC',
      'example. 300 RRSIG 2',
      'example. 300 RRSIG 47',
      'example. 3600 RRSIG 6',
    ],
  )
})

test('the NSEC chain is closed: it visits each name with authority once, in order, and returns to the apex', () => {
  fc.assert(
    fc.property(zoneText, (text) => {
      const zone = zoneFrom(head + text, origin)
      sign(zone, zone.names)
      const chain = [...zone.rrsets()].filter(({ type }) => type === RrType.NSEC)
      const owners = chain.map(({ name }) => name)
      const nexts = chain.map(({ data }) => nsecFromRdata(data[0] ?? assert.fail()).next)
      assert.deepEqual([...nexts.slice(0, -1), nexts.at(-1)], [...owners.slice(1), origin])
      for (const { name, data } of chain) {
        const has = zone.rrsetsAt(name).map(({ type }) => type)
        const isCut = name !== origin && has.includes(RrType.NS)
        const listed = has.filter((type) => !isCut || [RrType.NS, RrType.DS, RrType.NSEC, RrType.RRSIG].includes(type))
        assert.deepEqual(nsecFromRdata(data[0] ?? assert.fail()).types, listed)
      }
    }),
  )
})

test('signing only the changed names gives the same zone as signing all names', () => {
  fc.assert(
    fc.property(zoneText, zoneText, (before, after) => {
      const zone = zoneFrom(head + before, origin)
      sign(zone, zone.names)
      const unsigned = (each: Zone) =>
        [...each.rrsets()].filter(({ type }) => type !== RrType.RRSIG && type !== RrType.NSEC)
      const changed = diffRrsets(unsigned(zone), groupRecords(recordsFrom(head + after, origin)))
      zone.apply(changed)
      const names = new Set([...changed.removed, ...changed.added].map(({ name }) => name))
      sign(zone, names)
      const whole = zoneFrom(head + after, origin)
      assert.deepEqual(shape(zone), shape(sign(whole, whole.names)))
    }),
  )
})

test('adding a zone cut or a DNAME hides the names below it, and removing it shows them again', () => {
  const below = 'a.x A 192.0.2.1\nb.a.x TXT "x"\ny A 192.0.2.1\n'
  for (const hiding of ['x 300 NS ns.elsewhere.\n', 'x 300 DNAME y\n']) {
    const zone = zoneFrom(head + below, origin)
    sign(zone, zone.names)
    const before = shape(zone)
    const records = recordsFrom(hiding, origin)
    zone.apply({ removed: [], added: records })
    const whole = zoneFrom(head + below + hiding, origin)
    assert.deepEqual(shape(sign(zone, [parseName('x.example.')])), shape(sign(whole, whole.names)))
    zone.apply({ removed: records, added: [] })
    assert.deepEqual(shape(sign(zone, [parseName('x.example.')])), before)
  }
})

test('a new name needs three signatures in addition to that of the SOA, and a new value needs two', () => {
  const zone = zoneFrom(`${head}a A 192.0.2.1\nm A 192.0.2.1\nm TXT "x"\nz A 192.0.2.1\n`, origin)
  sign(zone, zone.names)
  const added = (line: string) => {
    const records = recordsFrom(line, origin)
    zone.apply({ removed: [], added: records })
    return planSigning(zone, [records[0]?.name ?? assert.fail()], rules).requests.length
  }
  assert.equal(added('n 300 A 192.0.2.2\n'), 3)
  sign(zone, [parseName('n.example.')])
  // The signature of the value, and that of the NSEC record of the name.
  assert.equal(added('z 300 A 192.0.2.2\n'), 2)
})
