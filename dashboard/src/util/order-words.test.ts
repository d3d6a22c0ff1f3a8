import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type OrderOnItsWay, stepsOf } from './order-words.ts'

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
  stage_message: 'The order waits for its payment.',
  act_by: null,
  expires_at: '2026-01-02T00:00:00Z',
}
const paid = { ...unpaid, paid_at: '2026-01-01T01:00:00Z' }
const shape = (order: OrderOnItsWay) => stepsOf(order).map(({ title, state }) => `${title}: ${state}`)

test('an unpaid order says until when it waits, and what is to come', () => {
  assert.deepEqual(shape(unpaid), ['Ordered: done', 'Payment: now', 'At the registry: ahead', 'Completed: ahead'])
  assert.equal(stepsOf(unpaid)[1]?.by, unpaid.expires_at)
})

test('a paid order says how it was paid', () => {
  const steps = stepsOf({ ...paid, status: 'processing', stage: 'sending', stage_message: 'It is being asked.' })
  assert.equal(steps[1]?.says, '₦7.00 by card and ₦2.00 by credit.')
  assert.equal(steps[2]?.says, 'It is being asked.')
  const free = { ...paid, status: 'processing', promo_kobo: 1_000, credit_kobo: 0 } as const
  assert.equal(stepsOf(free)[1]?.says, 'The promo code covers it.')
})

test('a transfer is completed, and yet under way, until it has arrived', () => {
  const begun = { ...paid, kind: 'transfer', status: 'completed', stage: 'registry_pending' } as const
  assert.deepEqual(shape(begun), ['Ordered: done', 'Paid: done', 'Transfer begun: done', 'Transfer: now'])
  assert.deepEqual(shape({ ...begun, stage: null }), ['Ordered: done', 'Paid: done', 'Completed: done'])
})

test('a failed order says why, and what becomes of the money', () => {
  const failed = { ...paid, status: 'failed', stage: 'refunding', last_error: 'Taken.' } as const
  assert.deepEqual(shape(failed), ['Ordered: done', 'Paid: done', 'Not carried out: failed', 'Money back: now'])
  assert.equal(stepsOf(failed)[2]?.says, 'Taken.')
  assert.deepEqual(shape({ ...failed, status: 'credited', stage: null }).at(-1), 'Credited: done')
  assert.deepEqual(shape({ ...failed, status: 'refunded', stage: null }).at(-1), 'Refunded: done')
})

test('a cancelled order was paid only if it was', () => {
  assert.deepEqual(shape({ ...unpaid, status: 'cancelled', stage: null }), ['Ordered: done', 'Cancelled: failed'])
})
