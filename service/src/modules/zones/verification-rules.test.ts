import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isAtOrAbovePublicSuffix } from './public-suffix.ts'
import {
  challengeOf,
  nextCheckS,
  type Proof,
  planContestEnd,
  planProof,
  proofIn,
  type Standing,
  verificationDays,
} from './verification-rules.ts'

const token = 'ab'.repeat(16)
const challenge = challengeOf('example.com', token, 'ns1.zonewright.test')
const ours = ['ns1.zonewright.test', 'ns2.zonewright.test']
const pending: Standing = { state: 'pending', rival: false, barred: false, contested: false }

test('only the exact TXT value or the one-time nameserver proves control', () => {
  assert.deepEqual(challenge, {
    txtName: '_zonewright-challenge.example.com',
    txtValue: `zonewright-verification=${token}`,
    nameserver: `${token}.verify.zonewright.test`,
  })
  assert.equal(proofIn(challenge, ['v=spf1 -all', challenge.txtValue], [], ours), 'txt')
  assert.equal(proofIn(challenge, [], ['ns1.example.org', challenge.nameserver], ours), 'ns')
  assert.equal(proofIn(challenge, 'unknown', [challenge.nameserver], ours), 'ns')
  for (const text of [token, `${challenge.txtValue} `, challenge.txtValue.toUpperCase(), ''])
    assert.equal(proofIn(challenge, [text], [], ours), 'absent', text)
  assert.equal(proofIn(challenge, [], ours, ours), 'absent', 'delegation is no proof')
})

test('an unknown result does not count as missing', () => {
  const txt = { seen: [challenge.txtValue], missing: ['v=spf1 -all'], unknown: 'unknown' } as const
  const ns = { seen: [challenge.nameserver], missing: ['ns1.example.org'], ours, unknown: 'unknown' } as const
  for (const [texts, nameservers, expected] of [
    ['seen', 'seen', 'txt'],
    ['seen', 'missing', 'txt'],
    ['seen', 'ours', 'txt_here'],
    ['seen', 'unknown', 'txt_somewhere'],
    ['missing', 'seen', 'ns'],
    ['missing', 'ours', 'absent'],
    ['unknown', 'seen', 'ns'],
    ['missing', 'missing', 'absent'],
    ['missing', 'unknown', 'no_txt'],
    ['unknown', 'missing', 'unknown'],
    ['unknown', 'unknown', 'unknown'],
  ] as const)
    assert.equal(
      proofIn(challenge, txt[texts], ns[nameservers], ours),
      expected,
      `TXT ${texts}, nameserver ${nameservers}`,
    )
})

test('a proof makes a pending zone live, unless someone else has the name or a zone above it', () => {
  for (const proof of ['txt', 'txt_here', 'txt_somewhere', 'ns'] as const) {
    assert.deepEqual(planProof(pending, proof), { kind: 'live' })
    assert.deepEqual(planProof({ ...pending, barred: true }, proof), { kind: 'note', outcome: 'refused' })
    assert.deepEqual(planProof({ ...pending, state: 'live', contested: true }, proof), { kind: 'hold' })
  }
  assert.deepEqual(planProof({ ...pending, rival: true }, 'txt'), { kind: 'contest' })
  assert.deepEqual(planProof({ ...pending, rival: true }, 'ns'), { kind: 'note', outcome: 'refused' })
  assert.deepEqual(planProof({ ...pending, rival: true, contested: true }, 'txt'), { kind: 'note', outcome: 'refused' })
  for (const proof of ['absent', 'unknown'] as const)
    assert.deepEqual(planProof({ ...pending, rival: true }, proof), { kind: 'note', outcome: proof })
  assert.deepEqual(
    planProof(pending, 'no_txt'),
    { kind: 'note', outcome: 'absent' },
    'the TXT record is known to be missing',
  )
})

test('against a live zone, a TXT record that may be in that zone itself does not count', () => {
  const rival = { ...pending, rival: true }
  assert.deepEqual(planProof(rival, 'txt_here'), { kind: 'note', outcome: 'refused' })
  assert.deepEqual(planProof(rival, 'txt_somewhere'), { kind: 'note', outcome: 'unknown' })
  assert.equal(planContestEnd('absent', 'txt_here', false), 'hold')
  assert.equal(planContestEnd('absent', 'txt_somewhere', false), 'wait')
  assert.equal(planContestEnd('absent', 'txt_somewhere', true), 'hold')
})

test('a contest moves the zone only if the challenger’s proof is found and the owner’s is known to be missing', () => {
  const shown: readonly Proof[] = ['txt', 'txt_here', 'txt_somewhere', 'ns']
  const proofs: readonly Proof[] = [...shown, 'absent', 'no_txt', 'unknown']
  for (const owner of proofs)
    for (const challenger of proofs)
      for (const graceIsOver of [false, true]) {
        const end = planContestEnd(owner, challenger, graceIsOver)
        if (owner === 'absent' && challenger === 'txt') assert.equal(end, 'move')
        else assert.notEqual(end, 'move', `${owner} ${challenger}`)
        if (shown.includes(owner) || graceIsOver) assert.notEqual(end, 'wait')
      }
  for (const owner of ['unknown', 'no_txt'] as const) {
    assert.equal(planContestEnd(owner, 'txt', false), 'wait', owner)
    assert.equal(planContestEnd(owner, 'txt', true), 'hold', owner)
    assert.equal(planContestEnd(owner, 'absent', false), 'hold', 'there is nobody to whom it could go')
    assert.equal(planContestEnd(owner, 'no_txt', false), 'hold', 'against a live zone the TXT record alone counts')
  }
  assert.equal(planContestEnd('absent', 'unknown', false), 'wait')
  assert.equal(planContestEnd('absent', 'absent', false), 'hold')
})

test('checks are frequent at first, then less and less often, and fewer than a hundred in the 14 days', () => {
  assert.deepEqual([1, 2, 3, 4, 5].map(nextCheckS), [60, 60, 60, 60, 60])
  let [checks, ageS] = [0, 0]
  for (; ageS < verificationDays * 86_400; checks++) {
    assert.ok(nextCheckS(checks + 1) >= nextCheckS(checks))
    ageS += nextCheckS(checks)
  }
  assert.ok(checks > 60 && checks < 100, `${checks}`)
  assert.equal(nextCheckS(10_000), 6 * 3_600)
})

test('names at and above public suffixes belong to no one, even at private suffixes', () => {
  for (const name of [
    'com',
    'co.uk',
    'uk',
    'github.io',
    'amazonaws.com',
    's3.amazonaws.com',
    'kawasaki.jp',
    'a.kawasaki.jp',
  ])
    assert.equal(isAtOrAbovePublicSuffix(name), true, name)
  for (const name of ['example.com', 'example.co.uk', 'someone.github.io', 'city.kawasaki.jp', 'example.amazonaws.com'])
    assert.equal(isAtOrAbovePublicSuffix(name), false, name)
})
