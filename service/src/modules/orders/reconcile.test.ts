import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DomainInfo, Reading, Transfer, TransferStatus } from '#ports/registry.ts'
import { refused, reply, shown, silence } from '../../testing/registry-readings.ts'
import { judgeSight, judgeTransfer, type Operation, type Sight } from './reconcile.ts'

const sentAt = new Date('2026-03-01T12:00:00Z')
const minutesBefore = (minutes: number): Date => new Date(sentAt.getTime() - minutes * 60_000)

function transferred(status: TransferStatus, more: Partial<Transfer> = {}): Reading<Transfer> {
  const actBy = new Date('2026-03-06T12:00:00Z')
  const by = { requestedBy: 'us', requestedAt: sentAt, actor: 'them', actBy, expiresAt: null }
  return { kind: 'done', value: { name: 'shop.test', status, ...by, ...more }, reply }
}

test('a transfer that has begun is lost only when the registry says so, and arrived when the domain is ours', () => {
  const standing = (transfer: Reading<Transfer>, info: Reading<DomainInfo>, wasDoubted = false) =>
    judgeTransfer(transfer, info, { registrarId: 'us', wasDoubted })
  const [later, soon] = [
    { kind: 'awaited', afterS: 3_600 },
    { kind: 'awaited', afterS: 60 },
  ]
  const arrived = { kind: 'arrived', expiresAt: null }
  const doubted = { ...soon, isDoubted: true }
  for (const [what, transfer, info, expected] of [
    ['under way', transferred('pending'), shown('them'), later],
    ['approved by the registry, and here', transferred('serverApproved'), shown('us'), arrived],
    ['approved between the two looks', transferred('pending'), shown('us'), arrived],
    ['here, in another letter case', transferred('serverApproved'), shown('US'), arrived],
    ['approved, in another letter case', transferred('serverApproved', { requestedBy: 'Us' }), shown('them'), soon],
    ['approved, and shown as it was', transferred('clientApproved'), shown('them'), soon],
    ['approved by the registry, and shown as it was', transferred('serverApproved'), shown('them'), soon],
    ['approved, and the domain is not told', transferred('clientApproved'), silence, soon],
    ['rejected', transferred('clientRejected'), shown('them'), { kind: 'lost' }],
    ['cancelled', transferred('serverCancelled'), shown('them'), { kind: 'lost' }],
    ['rejected, and the domain is not told', transferred('clientRejected'), silence, later],
    [
      'rejected, and the domain is not ours to ask about',
      transferred('clientRejected'),
      refused(2201),
      { kind: 'lost' },
    ],
    ['neither is ours to ask about', refused(2201), refused(2201), doubted],
    ['under way, and the domain is not ours to ask about', transferred('pending'), refused(2201), later],
    ['the domain is gone', refused(2303), refused(2303), { kind: 'missing' }],
    ['nothing is told', silence, silence, later],
    ['nothing is told of the transfer', silence, shown('them'), later],
    ['transfers that are over are not told', refused(2301), shown('them'), doubted],
    ['the latest transfer is another’s', transferred('clientApproved', { requestedBy: 'it' }), shown('it'), doubted],
    ['another’s is under way', transferred('pending', { requestedBy: 'it' }), shown('them'), later],
  ] as const)
    assert.deepEqual(standing(transfer, info), expected, what)
  assert.deepEqual(standing(refused(2301), shown('them'), true), { kind: 'lost' }, 'two looks show it alike')
  assert.deepEqual(standing(refused(2301), shown('us'), true), arrived)
  assert.deepEqual(standing(transferred('clientApproved'), shown('them'), true), soon, 'however often')
})

const operation: Operation = {
  id: 1,
  command: 'transfer',
  attempt: 1,
  state: 'unknown',
  clTrid: 'ZW-1',
  sentAt,
  replyCode: null,
  missedForS: null,
}

function endOf(sight: Partial<Sight>, missedForS: number | null = null): string {
  const full: Sight = {
    info: shown('them'),
    transfer: undefined,
    contact: undefined,
    firstSentAt: sentAt,
    registrarId: 'us',
    isHeld: false,
    registrantId: null,
    oldExpiry: null,
    ...sight,
  }
  return judgeSight({ ...operation, missedForS }, full).end
}

test('a transfer that had come to nothing before the order asked is none; clocks may differ by ten minutes', () => {
  for (const status of ['clientRejected', 'clientCancelled', 'serverCancelled'] as const) {
    const before = transferred(status, { requestedAt: minutesBefore(11) })
    assert.equal(endOf({ transfer: before }), 'unknown', status)
    assert.equal(endOf({ transfer: before }, 61), 'again', 'two looks')
    assert.equal(endOf({ transfer: transferred(status, { requestedAt: minutesBefore(9) }) }), 'refused', status)
    assert.equal(endOf({ transfer: transferred(status) }), 'refused', status)
    // An earlier attempt of this order has got through after all.
    assert.equal(endOf({ transfer: before, firstSentAt: minutesBefore(11) }), 'refused', status)
  }
  assert.equal(endOf({ transfer: transferred('pending') }), 'did')
})

test('a domain that another order has, or brings, is not an order’s own, whatever the registry tells', () => {
  for (const transfer of [transferred('pending'), transferred('clientApproved'), refused(2301), silence])
    assert.equal(endOf({ transfer, isHeld: true }), 'refused')
  assert.equal(endOf({ transfer: refused(2301), info: shown('us'), isHeld: true }), 'refused')
})
