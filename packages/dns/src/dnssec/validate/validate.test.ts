import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseName } from '../../name.ts'
import { rdataToText } from '../../rdata.ts'
import { RrType } from '../../type.ts'
import { hashedZone, now, signedZone, World } from './validation-samples.test.ts'

/** Correctly signed zones, and the verdicts of the validator on their responses. */

const sub = signedZone('sub.example.', 'www A 192.0.2.3\n*.wild TXT "x"\n')
const ds = `sub DS ${rdataToText(RrType.DS, sub.ds.data[0] ?? assert.fail())}`

const text = `www A 192.0.2.1
alias CNAME www
out CNAME www.sub
lost CNAME nobody
far CNAME www.elsewhere.
loop CNAME loop
moved DNAME kept
host.kept A 192.0.2.2
*.wild A 192.0.2.4
*.*.wild A 192.0.2.5
host.wild A 192.0.2.6
*.alias CNAME www
deep.ent.tree A 192.0.2.7
sub NS ns.sub
${ds}
plain NS ns.plain
ns.plain A 192.0.2.8
orphan DS 1 13 2 ${'00'.repeat(32)}
both NS ns.both
cut NS ns.cut
both DNAME kept
`

const plain = signedZone('plain.example.', 'www A 192.0.2.9\n')

/** Question, and the verdicts with NSEC, with NSEC3, and with NSEC3 and opt-out. */
const questions: readonly (readonly [string, string, string, string?])[] = [
  ['www.example.', 'A', 'secure'],
  ['WWW.example.', 'A', 'secure'],
  ['example.', 'SOA', 'secure'],
  ['example.', 'DNSKEY', 'secure'],
  ['www.example.', 'ANY', 'secure'],
  ['www.example.', 'MX', 'secure'],
  ['nobody.example.', 'A', 'secure', 'insecure OTHER'],
  ['a.b.c.www.example.', 'A', 'secure', 'insecure OTHER'],
  ['alias.example.', 'A', 'secure'],
  ['alias.example.', 'CNAME', 'secure'],
  ['alias.example.', 'DS', 'secure'],
  ['out.example.', 'A', 'secure'],
  ['far.example.', 'A', 'secure'],
  ['loop.example.', 'A', 'secure'],
  ['lost.example.', 'A', 'secure', 'insecure OTHER'],
  ['host.moved.example.', 'A', 'secure'],
  ['nobody.moved.example.', 'A', 'secure', 'insecure OTHER'],
  ['moved.example.', 'DNAME', 'secure'],
  ['moved.example.', 'A', 'secure'],
  ['x.wild.example.', 'A', 'secure', 'insecure OTHER'],
  ['x.y.wild.example.', 'A', 'secure', 'insecure OTHER'],
  ['x.*.wild.example.', 'A', 'secure', 'insecure OTHER'],
  ['*.wild.example.', 'A', 'secure'],
  ['*.*.wild.example.', 'A', 'secure'],
  ['x.wild.example.', 'MX', 'secure', 'insecure OTHER'],
  ['x.wild.example.', 'DS', 'secure', 'insecure OTHER'],
  ['x.alias.example.', 'A', 'secure', 'insecure OTHER'],
  ['host.wild.example.', 'A', 'secure'],
  ['x.host.wild.example.', 'A', 'secure', 'insecure OTHER'],
  ['wild.example.', 'A', 'secure'],
  ['tree.example.', 'A', 'secure'],
  ['ent.tree.example.', 'ANY', 'secure'],
  ['x.ent.tree.example.', 'A', 'secure', 'insecure OTHER'],
  ['sub.example.', 'DS', 'secure'],
  ['sub.example.', 'NS', 'secure'],
  ['www.sub.example.', 'A', 'secure'],
  ['x.wild.sub.example.', 'TXT', 'secure'],
  ['nobody.sub.example.', 'A', 'secure'],
  ['sub.example.', 'A', 'secure'],
  ['plain.example.', 'DS', 'secure', 'insecure OTHER'],
  ['plain.example.', 'NS', 'insecure OTHER'],
  ['www.plain.example.', 'A', 'insecure OTHER'],
  ['nobody.plain.example.', 'A', 'insecure OTHER'],
  ['www.plain.example.', 'DS', 'insecure OTHER'],
  ['x.cut.example.', 'A', 'indeterminate NOT_AUTHORITATIVE'],
  ['orphan.example.', 'DS', 'secure'],
  ['both.example.', 'DS', 'secure', 'insecure OTHER'],
  ['www.example.', 'RRSIG', 'insecure OTHER'],
  ['nobody.example.', 'RRSIG', 'secure', 'insecure OTHER'],
]

for (const [kind, example] of [
  ['NSEC', signedZone('example.', text)],
  ['NSEC3', hashedZone('example.', text, { iterations: 3, salt: Uint8Array.of(1, 2) })],
  ['NSEC3 with opt-out', hashedZone('example.', text, { flags: 1 })],
] as const) {
  const world = new World([example, sub, plain])
  test(`responses of a zone with ${kind} get the correct verdict`, async () => {
    for (const [name, type, secure, withOptOut = secure] of questions) {
      const expected = kind === 'NSEC3 with opt-out' ? withOptOut : secure
      assert.equal(await world.status(name, type), expected, `${name} ${type}`)
    }
  })
}

test('a verdict gives its reason in one sentence and says how long a secure response may be kept', async () => {
  const world = new World([signedZone('example.', 'www 600 A 192.0.2.1\n', { expiration: now + 120 })])
  assert.deepEqual(await world.verdict('www.example.', 'A'), {
    status: 'secure',
    reason: 'The zone example. has signed the A records of www.example.',
    maxTtl: 120,
  })
  const denied = await world.verdict('nobody.example.', 'A')
  assert.deepEqual(denied, {
    status: 'secure',
    reason: 'The zone example. proves that nobody.example. does not exist.',
    maxTtl: 120,
  })
})

test('only names at or below a trust anchor can be validated, and the closest anchor is used', async () => {
  const example = signedZone('example.', text)
  assert.equal(await new World([example], []).status('www.example.', 'A'), 'indeterminate DNSSEC_INDETERMINATE')
  const island = new World([signedZone('example.', 'plain NS ns.plain\n'), plain], [example.ds, plain.ds])
  assert.equal(await island.status('www.plain.example.', 'A'), 'secure')
  assert.deepEqual(island.asked, [`plain.example. ${RrType.DNSKEY}`])
})

test('the root is validated like any other zone', async () => {
  const root = signedZone('.', 'example NS ns.example.\n*.wild A 192.0.2.1\n')
  const world = new World([root, signedZone('example.', text)])
  assert.equal(await world.status('.', 'DS'), 'indeterminate NO_REACHABLE_AUTHORITY')
  for (const [name, type, status] of [
    ['.', 'SOA', 'secure'],
    ['nobody.', 'A', 'secure'],
    ['x.wild.', 'A', 'secure'],
    ['www.example.', 'A', 'insecure OTHER'],
    ['example.', 'DS', 'secure'],
  ] as const)
    assert.equal(await world.status(name, type), status, `${name} ${type}`)
})

test('queries the DS records of each name on the way down once', async () => {
  const world = new World([signedZone('example.', text), sub])
  await world.verdict('nobody.sub.example.', 'A')
  assert.deepEqual(world.asked, [
    `example. ${RrType.DNSKEY}`,
    `sub.example. ${RrType.DS}`,
    `sub.example. ${RrType.DNSKEY}`,
  ])
  assert.equal(parseName('sub.example.'), sub.zone.origin)
})
