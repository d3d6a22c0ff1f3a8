import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { dueOf, type Effect, firstMove, type Happening, type MovingOrder, planMove } from './moves.ts'

const happening: fc.Arbitrary<Happening> = fc.oneof(
  fc.boolean().map((canReopen) => ({ kind: 'card_paid', canReopen }) as const),
  ...(
    [
      'expired',
      'cancelled_by_owner',
      'registry_did',
      'registry_refused',
      'transfer_arrived',
      'transfer_rejected',
      'card_refunded',
      'not_refundable',
    ] as const
  ).map((kind) => fc.constant({ kind })),
)

const kinds = ['register', 'renew', 'transfer'] as const

test('in any order of events, the money received equals the money kept plus the money returned, and a promo code ends once', () => {
  const parts = fc.tuple(fc.constantFrom(...kinds), fc.nat(100), fc.nat(100), fc.nat(100))
  fc.assert(
    fc.property(parts, fc.array(happening, { maxLength: 25 }), ([kind, promoKobo, creditKobo, due], happenings) => {
      const amounts = { amountKobo: promoKobo + creditKobo + due, promoKobo, creditKobo }
      const begun = firstMove(amounts)
      let order: MovingOrder = { kind, status: begun.to, cancelledBy: null, ...amounts, cardKobo: 0, isSettled: false }
      const books = { order: 0, kept: 0, in: 0, back: 0 }
      let promo = 'reserved'
      const carryOut = (effect: Effect, cardKobo: number): void => {
        const move = (from: 'in' | 'order', to: 'order' | 'kept' | 'back', amount: number): void => {
          if (from === 'in') books.in += amount
          else books.order -= amount
          books[to] += amount
        }
        if (effect === 'spend_credit') move('in', 'order', creditKobo)
        if (effect === 'enter_card_payment') move('in', 'order', cardKobo)
        if (effect === 'earn') move('order', 'kept', cardKobo + creditKobo)
        if (effect === 'return_credit') move('order', 'back', creditKobo)
        if (effect === 'enter_refund' || effect === 'credit_card_part') move('order', 'back', cardKobo)
        if (effect === 'reserve_again') assert.equal(promo, 'freed')
        if (effect === 'free_promo' || effect === 'consume_promo') assert.equal(promo, 'reserved')
        promo = { reserve_again: 'reserved', free_promo: 'freed', consume_promo: 'consumed' }[effect as string] ?? promo
      }
      for (const effect of begun.effects) carryOut(effect, 0)
      for (const each of happenings) {
        const move = planMove(order, each)
        if (move === undefined) continue
        const cardKobo = each.kind === 'card_paid' ? dueOf(order) : order.cardKobo
        for (const effect of move.effects) carryOut(effect, cardKobo)
        const by = { expired: 'expiry', cancelled_by_owner: 'owner', registry_refused: 'refusal' } as const
        const cancelledBy =
          move.to === 'cancelled' ? (by[each.kind as keyof typeof by] ?? order.cancelledBy) : order.cancelledBy
        order = {
          ...order,
          status: move.to,
          cancelledBy,
          cardKobo,
          isSettled: order.isSettled || move.effects.includes('earn'),
        }
        assert.equal(books.in, books.order + books.kept + books.back)
        assert.ok(books.order >= 0)
      }
      if (order.status === 'refunded' || order.status === 'credited')
        assert.deepEqual([books.order, books.kept], [0, 0])
      if (order.isSettled) assert.deepEqual([books.order, promo], [0, 'consumed'])
    }),
    { numRuns: 10_000 },
  )
})

test('a final state never changes', () => {
  const order = {
    kind: 'register',
    cancelledBy: null,
    amountKobo: 5,
    promoKobo: 0,
    creditKobo: 0,
    cardKobo: 5,
  } as const
  fc.assert(
    fc.property(fc.constantFrom('refunded' as const, 'credited' as const), happening, (status, each) => {
      assert.equal(planMove({ ...order, status, isSettled: false }, each), undefined)
      assert.equal(planMove({ ...order, status: 'completed', isSettled: true }, each), undefined)
    }),
  )
})

test('each transition has the right effects on the money and the promo code of the order', () => {
  const paid = {
    kind: 'register',
    promoKobo: 1,
    creditKobo: 0,
    cardKobo: 0,
    cancelledBy: null,
    isSettled: false,
  } as const
  const byCard = { ...paid, amountKobo: 10, cardKobo: 9 }
  const byCredit = { ...paid, amountKobo: 10, creditKobo: 9 }
  const byBoth = { ...paid, amountKobo: 10, creditKobo: 4, cardKobo: 5 }
  const free = { ...paid, amountKobo: 1 }
  const unpaid = { ...paid, amountKobo: 10, creditKobo: 4, status: 'pending_payment' } as const
  const [earn, failed, refund] = [['earn', 'consume_promo'], ['free_promo', 'return_credit'], ['want_refund']]
  const did = { kind: 'registry_did' } as const
  const refused = { kind: 'registry_refused' } as const
  const transfer = { ...byBoth, kind: 'transfer' } as const
  const expired = { ...unpaid, status: 'cancelled', cancelledBy: 'expiry' } as const
  const late = (canReopen: boolean) => ({ kind: 'card_paid', canReopen }) as const
  for (const [order, what, to, effects] of [
    [{ ...byCard, status: 'processing' }, did, 'completed', earn],
    [{ ...transfer, status: 'processing' }, did, 'completed', []],
    [{ ...transfer, status: 'completed' }, { kind: 'transfer_arrived' }, 'completed', earn],
    [{ ...transfer, status: 'completed' }, { kind: 'transfer_rejected' }, 'failed', [...failed, ...refund]],
    [{ ...transfer, status: 'completed', isSettled: true }, { kind: 'transfer_rejected' }, undefined, undefined],
    [{ ...byBoth, status: 'processing' }, refused, 'failed', [...failed, ...refund]],
    [{ ...byCredit, status: 'processing' }, refused, 'failed', failed],
    [{ ...free, status: 'processing' }, refused, 'cancelled', ['free_promo']],
    [unpaid, { kind: 'expired' }, 'cancelled', ['free_promo', 'free_credit']],
    [unpaid, { kind: 'cancelled_by_owner' }, 'cancelled', ['free_promo', 'free_credit']],
    [expired, late(true), 'processing', ['reserve_again', 'spend_credit', 'enter_card_payment']],
    [expired, late(false), 'cancelled', ['enter_card_payment', ...refund]],
    [{ ...expired, cancelledBy: 'owner' }, late(true), 'cancelled', ['enter_card_payment', ...refund]],
    [{ ...byCredit, status: 'failed' }, { kind: 'card_refunded' }, undefined, undefined],
    [{ ...byCredit, status: 'failed' }, { kind: 'not_refundable' }, 'credited', []],
    [{ ...byBoth, status: 'failed' }, { kind: 'not_refundable' }, 'credited', ['credit_card_part']],
    [{ ...byBoth, status: 'failed' }, { kind: 'card_refunded' }, 'refunded', ['enter_refund']],
  ] as const) {
    const move = planMove(order, what)
    assert.deepEqual([move?.to, move?.effects], [to, effects], JSON.stringify([order, what]))
  }
})
