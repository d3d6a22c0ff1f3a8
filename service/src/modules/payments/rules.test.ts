import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Refund } from '#ports/payments.ts'
import { giveUpDays, judgePayment, nextLookS, planRefund, refundRetryS } from './rules.ts'

const paid = 1_000

function refund(status: Refund['status'], amountKobo = paid): Refund {
  return { id: `${status} ${amountKobo}`, status, amountKobo }
}

test('the rest of a payment is refunded until the card has all of it or a refund has failed', () => {
  const post = (amountKobo: number) => ({ do: 'post', amountKobo })
  const end = (returnedKobo: number) => ({ do: 'end', returnedKobo })
  for (const [what, refunds, expected] of [
    ['none yet', [], post(1_000)],
    ['all of it', [refund('processed')], end(1_000)],
    ['it failed', [refund('failed')], end(0)],
    ['a part', [refund('processed', 400)], post(600)],
    ['two parts', [refund('processed', 400), refund('processed', 600)], end(1_000)],
    ['more than was paid', [refund('processed', 400), refund('processed')], end(1_000)],
    ['a part, and the rest failed', [refund('failed', 600), refund('processed', 400)], end(400)],
    ['it failed, and went another way', [refund('processed'), refund('failed')], end(1_000)],
  ] as const)
    assert.deepEqual(planRefund(refunds, paid), expected, what)
  for (const status of ['pending', 'needs_attention'] as const) {
    const underWay = refund(status, 400)
    assert.deepEqual(planRefund([underWay, refund('processed', 300)], paid), { do: 'wait', refund: underWay })
  }
})

test('a payment counts for its order only if it is exactly the amount due, in naira', () => {
  const amountKobo = 1_250_000
  assert.equal(judgePayment({ amountKobo }, { amountKobo, currency: 'NGN' }), 'due')
  for (const [other, currency] of [
    [amountKobo - 1, 'NGN'],
    [amountKobo + 1, 'NGN'],
    [2 * amountKobo, 'NGN'],
    [amountKobo / 100, 'NGN'],
    [100 * amountKobo, 'NGN'],
    [0, 'NGN'],
    [amountKobo, 'USD'],
    [amountKobo, 'ngn'],
    [amountKobo, ''],
  ] as const)
    assert.equal(judgePayment({ amountKobo }, { amountKobo: other, currency }), 'wrong', `${other} ${currency}`)
})

test('the gateway is queried about an unpaid attempt at growing intervals of up to an hour, for eight days', () => {
  assert.deepEqual(
    [0, 1, 2, 3, 4, 5, 6, 7, 1_000].map((tries) => nextLookS(tries, 60)),
    [30, 60, 120, 300, 900, 1_800, 3_600, 3_600, 3_600],
  )
  const day = 86_400
  assert.equal(giveUpDays, 8, 'a day longer than a pay link works')
  assert.equal(nextLookS(0, giveUpDays * day), 30)
  assert.equal(nextLookS(0, giveUpDays * day + 1), null)
  assert.equal(nextLookS(1_000, giveUpDays * day + 1), null)
})

test('a refund is retried at doubling intervals of up to an hour', () => {
  assert.deepEqual(
    [0, 1, 2, 3, 9, 10, 11, 1_000].map((tries) => refundRetryS(tries)),
    [5, 10, 20, 40, 2_560, 3_600, 3_600, 3_600],
  )
})
