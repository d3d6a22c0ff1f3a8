import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type DelegationState, delegationStates } from '@zonewright/contract'
import fc from 'fast-check'
import type { ParentAnswer } from '#ports/parent-dns.ts'
import { judge, type KnownDelegation } from './rules.ts'

const ours = ['ns1.zonewright.test', 'ns2.zonewright.test']
const known = (state: DelegationState, more: Partial<KnownDelegation> = {}): KnownDelegation => ({
  state,
  stateAgeS: 100_000,
  candidate: null,
  candidateAgeS: null,
  isLive: true,
  ...more,
})
const said = (...nameservers: string[]): ParentAnswer => ({ kind: 'nameservers', nameservers, isConfirmed: true })
const missing: ParentAnswer = { kind: 'missing', isConfirmed: true }
const silent: ParentAnswer = { kind: 'no_answer', failure: 'timeout' }
const agreeing = (state: DelegationState, candidate: DelegationState, candidateAgeS = 60): KnownDelegation =>
  known(state, { candidate, candidateAgeS })

const answers: Readonly<Record<Exclude<DelegationState, 'waiting'>, ParentAnswer>> = {
  live: said(...ours),
  partial: said('ns1.zonewright.test', 'ns.other.example'),
  lost: said('ns.other.example'),
  missing,
}

test('a waiting zone becomes live as soon as the parent has all our nameservers and no others', () => {
  assert.deepEqual(judge(known('waiting'), answers.live, ours), {
    move: 'live',
    candidate: null,
    isEvent: true,
    isDoubted: false,
    nextCheckS: 6 * 3_600,
  })
})

test('live from only one of several servers is never believed, however often it says so', () => {
  const answer: ParentAnswer = { kind: 'nameservers', nameservers: ours, isConfirmed: false }
  for (const state of ['waiting', 'partial', 'lost', 'missing'] as const)
    for (const from of [known(state), agreeing(state, 'live'), agreeing(state, 'live', 100_000)]) {
      const { move, candidate, isDoubted, nextCheckS } = judge(from, answer, ours)
      assert.deepEqual([move, candidate, isDoubted], [null, null, true], state)
      assert.ok(nextCheckS >= 300, 'and it is not asked on and on')
    }
  const stays = judge(known('live'), answer, ours)
  assert.deepEqual([stays.move, stays.isDoubted], [null, false], 'what is known already needs no second voice')
})

test('every other change of state needs two matching checks a minute apart', () => {
  for (const from of delegationStates)
    for (const [to, answer] of Object.entries(answers) as [DelegationState, ParentAnswer][]) {
      if (to === from || (from === 'waiting' && to !== 'partial')) continue
      const first = judge(known(from), answer, ours)
      assert.deepEqual([first.move, first.candidate, first.nextCheckS], [null, to, 60], `${from} → ${to}`)
      const early = judge(agreeing(from, to, 20), answer, ours)
      assert.deepEqual([early.move, early.candidate, early.nextCheckS], [null, to, 40], `${from} → ${to}`)
      assert.equal(judge(agreeing(from, to), answer, ours).move, to, `${from} → ${to}`)
    }
})

test('a check with a different state restarts the confirmation, and one with the current state ends it', () => {
  const other = judge(agreeing('live', 'lost'), answers.partial, ours)
  assert.deepEqual([other.move, other.candidate], [null, 'partial'])
  assert.equal(judge(agreeing('live', 'lost'), answers.live, ours).candidate, null)
})

test('some of our nameservers, or all of them with another one, are partial', () => {
  for (const nameservers of [[ours[0] ?? ''], [...ours, 'ns3.other.example'], answersOf(answers.partial)])
    assert.equal(judge(known('live'), said(...nameservers), ours).candidate, 'partial', nameservers.join())
})

test('a zone that was never delegated here stays waiting, whatever the parent answers instead', () => {
  for (const answer of [answers.lost, missing, said()]) {
    const { move, candidate } = judge(agreeing('waiting', 'lost'), answer, ours)
    assert.deepEqual([move, candidate], [null, null])
  }
})

test('moves among waiting, lost and missing create no event, and all others do', () => {
  assert.equal(judge(agreeing('lost', 'missing'), missing, ours).isEvent, false)
  assert.equal(judge(agreeing('missing', 'lost'), answers.lost, ours).isEvent, false)
  const told: [DelegationState, DelegationState][] = [
    ['waiting', 'partial'],
    ['live', 'partial'],
    ['live', 'lost'],
    ['live', 'missing'],
    ['partial', 'live'],
    ['partial', 'lost'],
    ['lost', 'live'],
    ['missing', 'partial'],
  ]
  for (const [from, to] of told)
    assert.equal(judge(agreeing(from, to), answers[to as 'live'], ours).isEvent, true, `${from} → ${to}`)
})

test('a missing answer changes no state, and keeps the state that earlier checks indicated', () => {
  for (const state of delegationStates) {
    const { move, candidate, nextCheckS } = judge(agreeing(state, 'lost'), silent, ours)
    assert.deepEqual([move, candidate], [null, 'lost'])
    assert.ok(nextCheckS <= 900)
  }
})

test('a zone is checked every 5 minutes on its first day, then hourly, and every 6 hours while live', () => {
  const next = (state: DelegationState, stateAgeS: number): number =>
    judge(known(state, { stateAgeS }), state === 'live' ? answers.live : said(), ours).nextCheckS
  assert.equal(next('waiting', 86_399), 300)
  assert.equal(next('waiting', 86_400), 3_600)
  assert.equal(next('lost', 10), 3_600)
  assert.equal(next('live', 10), 21_600)
})

test('a zone that is not live does not change its state', () => {
  const { move, candidate } = judge(known('waiting', { isLive: false }), answers.live, ours)
  assert.deepEqual([move, candidate], [null, null])
})

test('whatever the answers, a zone becomes live only with exactly our nameservers', () => {
  const name = fc.constantFrom(...ours, 'ns.other.example', 'ns1.zonewright.test.evil.example')
  const answer = fc.oneof(
    fc.constant(missing),
    fc.constant(silent),
    fc.record({
      kind: fc.constant('nameservers' as const),
      nameservers: fc.uniqueArray(name),
      isConfirmed: fc.boolean(),
    }),
  )
  const state = fc.constantFrom(...delegationStates)
  fc.assert(
    fc.property(state, fc.option(state), fc.nat(200), answer, (from, candidate, candidateAgeS, given) => {
      const { move, nextCheckS } = judge(known(from, { candidate, candidateAgeS }), given, ours)
      if (move === 'live') assert.deepEqual(answersOf(given).toSorted(), ours)
      if (move === 'live') assert.ok(given.kind === 'nameservers' && given.isConfirmed)
      assert.notEqual(move, from)
      assert.notEqual(move, 'waiting')
      assert.ok(nextCheckS >= 0 && nextCheckS <= 21_600)
    }),
  )
})

function answersOf(answer: ParentAnswer): string[] {
  return answer.kind === 'nameservers' ? [...answer.nameservers] : []
}
