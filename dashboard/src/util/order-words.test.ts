import assert from 'node:assert/strict'
import { test } from 'node:test'
import { declineText, isMoving, type OrderOnItsWay, payAction, statusOf, stepsOf, yearsText } from './order-words.ts'

const unpaid: OrderOnItsWay = {
  kind: 'register',
  status: 'pending_payment',
  amount_kobo: 1_000,
  promo_kobo: 100,
  credit_kobo: 200,
  created_at: '2026-01-01T00:00:00Z',
  paid_at: '',
  finished_at: '',
  last_error: '',
  stage: 'awaiting_payment',
  stage_message: 'Waiting for payment.',
  act_by: null,
  expires_at: '2026-01-02T00:00:00Z',
}
const paid = { ...unpaid, paid_at: '2026-01-01T01:00:00Z' }
const shape = (order: OrderOnItsWay) => stepsOf(order).map(({ title, state }) => `${title}: ${state}`)

test('an unpaid order shows its deadline and the next step', () => {
  assert.deepEqual(shape(unpaid), [
    'Ordered: done',
    'Payment: now',
    'Waiting for the registry: ahead',
    'Completed: ahead',
  ])
  assert.equal(stepsOf(unpaid)[1]?.by, unpaid.expires_at)
})

test('a paid order shows how it was paid', () => {
  const steps = stepsOf({ ...paid, status: 'processing', stage: 'sending', stage_message: 'It is being asked.' })
  assert.equal(steps[1]?.says, '₦7.00 by card and ₦2.00 by credit.')
  assert.equal(steps[2]?.says, 'It is being asked.')
  const free = { ...paid, status: 'processing', promo_kobo: 1_000, credit_kobo: 0 } as const
  assert.equal(stepsOf(free)[1]?.says, 'The promo code covers it.')
})

test('a transfer is completed but still in progress until it has arrived', () => {
  const begun = { ...paid, kind: 'transfer', status: 'completed', stage: 'registry_pending' } as const
  assert.deepEqual(shape(begun), ['Ordered: done', 'Paid: done', 'Transfer started: done', 'Transfer: now'])
  assert.deepEqual(shape({ ...begun, stage: null }), ['Ordered: done', 'Paid: done', 'Completed: done'])
  assert.deepEqual(
    [statusOf(begun).label, statusOf({ ...begun, stage: null }).label],
    ['Transfer in progress', 'Completed'],
  )
})

test('a failed order shows the reason and what happens to the money', () => {
  const failed = { ...paid, status: 'failed', stage: 'refunding', last_error: 'Taken.' } as const
  assert.deepEqual(shape(failed), ['Ordered: done', 'Paid: done', 'Failed: failed', 'Refund: now'])
  assert.equal(stepsOf(failed)[2]?.says, 'Taken.')
  assert.deepEqual(shape({ ...failed, status: 'credited', stage: null }).at(-1), 'Credited: done')
  assert.deepEqual(shape({ ...failed, status: 'refunded', stage: null }).at(-1), 'Refunded: done')
})

test('a cancelled order is shown as paid only if it was paid', () => {
  assert.deepEqual(shape({ ...unpaid, status: 'cancelled', stage: null }), ['Ordered: done', 'Cancelled: failed'])
})

test('an unpaid order with an earlier deadline shows it', () => {
  const soon = '2026-01-01T12:00:00Z'
  assert.equal(stepsOf({ ...unpaid, act_by: soon })[1]?.by, soon)
})

test('an order is paid by card, by credit, by both or by neither', () => {
  const saidOf = (amounts: Partial<OrderOnItsWay>) => stepsOf({ ...paid, status: 'processing', ...amounts })[1]?.says
  const free = saidOf({ promo_kobo: 1_000, credit_kobo: 0 })
  assert.equal(saidOf({ promo_kobo: 0, credit_kobo: 0 }), '₦10.00 by card.')
  assert.equal(saidOf({ promo_kobo: 0, credit_kobo: 1_000 }), '₦10.00 by credit.')
  assert.equal(saidOf({ promo_kobo: 999, credit_kobo: 0 }), '₦0.01 by card.')
  assert.equal(saidOf({ promo_kobo: 400, credit_kobo: 600 }), '₦6.00 by credit.')
  assert.ok(free && !/₦/.test(free))
})

test('a cancelled order shows why it was cancelled, or else that it was not paid', () => {
  const lastOf = (lastError: string) =>
    stepsOf({ ...paid, status: 'cancelled', stage: null, last_error: lastError }).at(-1)?.says
  assert.equal(lastOf('Withdrawn.'), 'Withdrawn.')
  assert.match(lastOf('') ?? '', /not paid/)
})

test('the page of an order refreshes while the order continues automatically', () => {
  const moving = (status: OrderOnItsWay['status'], stage: string | null = null) => isMoving({ status, stage })
  assert.deepEqual([moving('pending_payment'), moving('processing'), moving('failed', 'refunding')], [true, true, true])
  assert.deepEqual(
    [moving('completed'), moving('failed'), moving('cancelled'), moving('refunded'), moving('credited')],
    [false, false, false, false, false],
  )
})

test('only one year is written in the singular', () => {
  assert.deepEqual([0, 1, 2, 10].map(yearsText), ['0 years', '1 year', '2 years', '10 years'])
})

test('after a declined card, the gateway’s reason is shown and another card is offered', () => {
  assert.equal(declineText('Insufficient Funds'), 'The card gateway gives this reason: Insufficient Funds.')
  assert.equal(declineText('Card expired.'), 'The card gateway gives this reason: Card expired.')
  assert.equal(declineText(''), 'The card gateway gave no reason.')
  assert.equal(payAction(70_000, false, ''), 'Try another card')
  assert.equal(payAction(70_000, true, null), 'Continue to pay ₦700.00')
  assert.equal(payAction(70_000, false, null), 'Pay ₦700.00 by card')
})
