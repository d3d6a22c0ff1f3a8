import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refused, requestedAt, shown, silence, transferred } from '#testing/registry-readings.ts'
import { type Command, judgeAnswer, judgeSight, type Operation, type Sight, type Verdict } from './reconcile.ts'

const sentAt = requestedAt
const minutesBefore = (minutes: number): Date => new Date(sentAt.getTime() - minutes * 60_000)

const operation: Operation = {
  id: 1,
  command: 'transfer',
  subject: null,
  state: 'unknown',
  clTrid: 'ZW-1',
  sentAt,
  sentForS: 1,
  replyCode: null,
  reply: '',
  missedForS: null,
}

function verdictOf(of: Operation, sight: Partial<Sight>): Verdict {
  const full: Sight = {
    info: shown('them'),
    transfer: undefined,
    contact: undefined,
    earlier: [],
    registrarId: 'us',
    isHeld: false,
    registrantId: null,
    oldExpiry: null,
    years: 1,
    ...sight,
  }
  return judgeSight(of, full)
}

function endOf(sight: Partial<Sight>, missedForS: number | null = null): string {
  return verdictOf({ ...operation, missedForS }, sight).state
}

test('a transfer that ended before the order requested its own does not count; clocks may differ by ten minutes', () => {
  for (const status of ['clientRejected', 'clientCancelled', 'serverCancelled'] as const) {
    const before = transferred(status, { requestedAt: minutesBefore(11) })
    assert.equal(endOf({ transfer: before }), 'unknown', status)
    assert.equal(endOf({ transfer: before }, 61), 'not_done', 'two looks')
    assert.equal(endOf({ transfer: transferred(status, { requestedAt: minutesBefore(9) }) }), 'refused', status)
    assert.equal(endOf({ transfer: transferred(status) }), 'refused', status)
    // An earlier attempt of this order reached the registry after all.
    assert.equal(endOf({ transfer: before, earlier: [{ ...operation, sentAt: minutesBefore(11) }] }), 'refused', status)
  }
  assert.equal(endOf({ transfer: transferred('pending') }), 'done')
})

test('a transfer can be lost and requested again, even if a registry shows nothing about domains of other registrars', () => {
  for (const transfer of [refused(2201), refused(2202), refused(2301)]) {
    assert.equal(endOf({ transfer, info: refused(2201) }), 'unknown')
    assert.equal(endOf({ transfer, info: refused(2201) }, 59), 'unknown')
    assert.equal(endOf({ transfer, info: refused(2201) }, 60), 'not_done')
  }
  assert.equal(endOf({ transfer: transferred('pending'), info: refused(2201) }, 60), 'done')
  assert.equal(endOf({ transfer: silence, info: refused(2201) }, 60), 'unknown')
  assert.equal(endOf({ transfer: refused(2301), info: refused(2306) }, 60), 'unknown')
})

test('a domain that belongs to another order, or is being transferred by one, is never assigned to this order', () => {
  for (const transfer of [transferred('pending'), transferred('clientApproved'), refused(2301), silence])
    assert.equal(endOf({ transfer, isHeld: true }), 'refused')
  assert.equal(endOf({ transfer: refused(2301), info: shown('us'), isHeld: true }), 'refused')
})

/** The verdict on a first attempt that is refused with this code, after a lookup shows this. */
function afterEcho(command: Command, code: number, sight: Partial<Sight>): Verdict {
  const answer = judgeAnswer(command, { hasFee: false, earlier: [] }, refused(code))
  return answer.state === 'unknown' && answer.afterS === 0
    ? verdictOf({ ...operation, command, replyCode: code, reply: 'no' }, { registrantId: 'C-1', ...sight })
    : answer
}

test('a refusal that may be an echo, after an attempt with an unknown outcome, is final once two lookups have found nothing', () => {
  for (const [command, code, sight] of [
    ['transfer', 2304, { transfer: refused(2301), info: shown('them') }],
    ['create', 2302, { info: refused(2303) }],
  ] as const) {
    const of: Operation = { ...operation, command, replyCode: code, reply: 'no' }
    const seen = { ...sight, earlier: [{ ...of, missedForS: 61 }] }
    const looked = (missedForS: number | null) => verdictOf({ ...of, missedForS }, seen)
    assert.equal(looked(null).state, 'unknown', command)
    const verdict = looked(60)
    assert.ok(verdict.state === 'refused' && verdict.message.includes(`(${code})`), JSON.stringify(verdict))
    assert.equal(verdictOf({ ...of, replyCode: null, missedForS: 60 }, seen).state, 'not_done')
  }
})

test('"object exists" in response to a first attempt is checked, because a restored database may have forgotten an earlier attempt', () => {
  const expiresAt = new Date('2027-03-01T12:00:00Z')
  const did = { state: 'done', expiresAt }
  const taken = {
    state: 'refused',
    message: 'Someone else registered the name first. The registry says: no (2302).',
  }
  for (const [what, sight, expected] of [
    ['ours', { info: shown('us', { registrant: 'C-1', expiresAt }) }, did],
    ['ours, in another letter case', { info: shown('US', { registrant: 'c-1', expiresAt }) }, did],
    ['another order’s of ours', { info: shown('us', { registrant: 'C-2', expiresAt }) }, taken],
    ['ours, for nobody knows which order', { info: shown('us', { expiresAt }) }, taken],
    [
      'the same, after an attempt that may have got through',
      { info: shown('us', { expiresAt }), earlier: [{ ...operation, missedForS: 61 }] },
      did,
    ],
    ['held by another order', { info: shown('us', { registrant: 'C-1', expiresAt }), isHeld: true }, taken],
    ['another registrar’s', { info: shown('them') }, taken],
    ['another’s, and not ours to ask about', { info: refused(2201) }, taken],
    ['kept back by the registry', { info: refused(2303) }, taken],
    ['not told', { info: silence }, { state: 'unknown', afterS: 30 }],
  ] as const)
    assert.deepEqual(afterEcho('create', 2302, sight), expected, what)
})

test('a renewal refused at its first attempt is checked: it is done if the expiry has moved by all its years', () => {
  const oldExpiry = new Date('2028-02-29T12:00:00Z')
  const moved = new Date('2030-03-01T12:00:00Z')
  const byOne = new Date('2029-02-28T12:00:00Z')
  const renewal = { oldExpiry, years: 2 }
  for (const code of [2105, 2304, 2306, 2308]) {
    const seen = (expiresAt: Date): Verdict =>
      afterEcho('renew', code, { ...renewal, info: shown('us', { expiresAt }) })
    assert.deepEqual(seen(moved), { state: 'done', expiresAt: moved }, `${code}`)
    for (const expiresAt of [oldExpiry, byOne]) {
      const verdict = seen(expiresAt)
      assert.ok(verdict.state === 'refused' && verdict.message.endsWith(`The registry says: no (${code}).`), `${code}`)
    }
    assert.equal(afterEcho('renew', code, { ...renewal, info: shown('them') }).state, 'refused')
    assert.equal(afterEcho('renew', code, { ...renewal, info: refused(2201) }).state, 'unknown')
    assert.equal(afterEcho('renew', code, { ...renewal, info: silence }).state, 'unknown')
  }
})

test('a transfer refused at its first attempt is refused, because nothing shows which order requested another transfer', () => {
  for (const code of [2106, 2300, 2304]) {
    assert.equal(afterEcho('transfer', code, { transfer: transferred('pending') }).state, 'refused')
    assert.equal(
      judgeAnswer('transfer', { hasFee: false, earlier: [{ ...operation, missedForS: 61 }] }, refused(code)).state,
      'unknown',
    )
  }
})

test('a renewal that gets a server error is not refused: it is resent once two lookups a minute apart show the old expiry', () => {
  const oldExpiry = new Date('2028-02-29T12:00:00Z')
  const info = shown('us', { expiresAt: oldExpiry })
  // An unreadable answer (1000), trouble at the registry, and no answer at all.
  for (const replyCode of [1000, 1500, 2400, 2500, 2501, 2502, 2999, null]) {
    const of: Operation = { ...operation, command: 'renew', replyCode, reply: 'no' }
    const looked = (missedForS: number | null, sight: Partial<Sight> = {}) =>
      verdictOf({ ...of, missedForS }, { oldExpiry, info, ...sight })
    assert.deepEqual(looked(null), { state: 'unknown', afterS: 60, missed: true }, `${replyCode}`)
    assert.deepEqual(looked(60), { state: 'not_done', afterS: 0 }, `${replyCode}`)
    const expiresAt = new Date('2029-02-28T12:00:00Z')
    assert.deepEqual(looked(60, { info: shown('us', { expiresAt }) }), { state: 'done', expiresAt }, `${replyCode}`)
  }
})

test('a pending command counts as rejected after two lookups that show neither the command nor a coming decision', () => {
  const oldExpiry = new Date('2028-02-29T12:00:00Z')
  const old = { oldExpiry, expiresAt: oldExpiry }
  const pending = (command: Command, missedForS: number | null, sight: Partial<Sight>): Verdict =>
    verdictOf(
      { ...operation, command, state: 'pending', replyCode: 1001, missedForS },
      { oldExpiry, registrantId: 'C-1', ...sight },
    )
  const gone: [Command, Partial<Sight>][] = [
    ['create', { info: refused(2303) }],
    ['renew', { info: shown('us', old) }],
    ['contact', { contact: refused(2303) }],
  ]
  for (const [command, sight] of gone) {
    assert.deepEqual(pending(command, null, sight), { state: 'pending', afterS: 600, missed: true }, command)
    assert.deepEqual(pending(command, 400, sight), { state: 'pending', afterS: 200, missed: true }, command)
    const message = 'The registry rejected the request.'
    assert.deepEqual(pending(command, 600, sight), { state: 'refused', message }, command)
    // No answer proves nothing, and undoes nothing.
    const silent = pending(command, 600, { info: silence, contact: silence })
    assert.deepEqual(silent, { state: 'pending', afterS: 600 }, command)
  }
  for (const [command, info] of [
    ['create', shown('us', { registrant: 'C-1', statuses: ['pendingCreate'] })],
    ['renew', shown('us', { ...old, statuses: ['pendingRenew'] })],
    ['renew', shown('us', { ...old, statuses: ['ok', 'pendingUpdate'] })],
  ] as const)
    assert.deepEqual(pending(command, 600, { info }), { state: 'pending', afterS: 600, missed: false }, command)
})

test('a command that cannot be sent is retried after growing pauses of at most five minutes', () => {
  const failed: Operation = { ...operation, command: 'renew', state: 'not_done' }
  const unsent = { kind: 'not_sent', why: 'no session' } as const
  const pauseAfter = (earlier: readonly Operation[]) => judgeAnswer('renew', { hasFee: false, earlier }, unsent)
  assert.deepEqual(pauseAfter([]), { state: 'not_done', afterS: 5 })
  assert.deepEqual(pauseAfter([failed, failed]), { state: 'not_done', afterS: 20 })
  assert.deepEqual(pauseAfter(Array.from({ length: 500 }, () => failed)), { state: 'not_done', afterS: 300 })
  assert.deepEqual(pauseAfter([{ ...operation, command: 'contact', state: 'done' }]), { state: 'not_done', afterS: 5 })
})

test('a renewal of a domain that now belongs to another customer is refused, whatever the registry shows', () => {
  const of: Operation = { ...operation, command: 'renew' }
  const seen = { info: shown('us', { expiresAt: new Date('2030-01-01T00:00:00Z') }), isHeld: true }
  assert.deepEqual(verdictOf(of, seen), { state: 'refused', message: 'The domain is now in another account.' })
})

test('a single answer that the domain is unknown or not visible does not refuse a renewal, because it may be done', () => {
  const of: Operation = { ...operation, command: 'renew' }
  const pending: Operation = { ...of, state: 'pending' }
  for (const [code, message] of [
    [2303, 'The domain no longer exists.'],
    [2201, 'The domain is now with another registrar.'],
  ] as const) {
    const unseen = { info: refused(code) }
    assert.deepEqual(verdictOf(of, unseen), { state: 'unknown', afterS: 60, missed: true })
    assert.deepEqual(verdictOf({ ...of, missedForS: 60 }, unseen), { state: 'refused', message })
    assert.deepEqual(verdictOf(pending, unseen), { state: 'pending', afterS: 600, missed: true })
    assert.deepEqual(verdictOf({ ...pending, missedForS: 600 }, unseen), { state: 'refused', message })
  }
  const message = 'The domain is now with another registrar.'
  assert.deepEqual(verdictOf(of, { info: shown('them') }), { state: 'refused', message }, 'it is shown with them')
})

test('after a server error, a contact is resent only after a pause', () => {
  const of: Operation = { ...operation, command: 'contact', replyCode: 2400 }
  assert.deepEqual(verdictOf(of, { contact: refused(2303) }), { state: 'not_done', afterS: 30 })
})
