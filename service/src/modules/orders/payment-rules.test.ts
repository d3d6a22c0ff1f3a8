import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Refund } from '#ports/payments.ts'
import { planRefund } from './payment-rules.ts'

const paid = 1_000

function refund(status: Refund['status'], amountKobo = paid): Refund {
  return { id: `${status} ${amountKobo}`, status, amountKobo }
}

test('of a payment that has to go back the rest is refunded, until it is all on the card or the gateway has failed to', () => {
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
