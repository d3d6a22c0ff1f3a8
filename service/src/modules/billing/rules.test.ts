import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { kobo, nairaText } from './kobo.ts'
import { discountOf, judgePromo, type PromoCode, type PromoStanding } from './rules.ts'

const promo: PromoCode = {
  code: 'WELCOME',
  percent: 50,
  fixedKobo: null,
  kinds: null,
  tlds: null,
  accountId: null,
  window: 'open',
  maxUses: null,
  onceAnAccount: false,
}
const unused: PromoStanding = { reserved: 0, consumed: 0, reservedByAccount: 0, consumedByAccount: 0 }
const wish = { accountId: 'ada', kind: 'register', tld: 'test' } as const
const judge = (change: Partial<PromoCode>, standing: Partial<PromoStanding> = {}) =>
  judgePromo({ ...promo, ...change }, wish, { ...unused, ...standing })?.code

test('a code applies only to its order kinds, TLDs and account, and only while it is valid', () => {
  assert.equal(judge({}), undefined)
  assert.equal(judge({ kinds: ['renew'] }), 'promo_invalid')
  assert.equal(judge({ kinds: ['renew', 'register'], tlds: ['test'] }), undefined)
  assert.equal(judge({ tlds: ['com.test'] }), 'promo_invalid')
  assert.equal(judge({ accountId: 'bob' }), 'promo_invalid')
  assert.equal(judge({ accountId: 'ada' }), undefined)
  for (const window of ['early', 'over', 'off'] as const) assert.equal(judge({ window }), 'promo_invalid', window)
})

test('someone else’s code looks the same as one that does not exist', () => {
  const none = judgePromo(undefined, wish, unused)
  assert.deepEqual(judgePromo({ ...promo, accountId: 'bob' }, wish, unused), none)
})

test('uses reserved by open orders are in use, and consumed uses are used up', () => {
  assert.equal(judge({ maxUses: 2 }, { reserved: 1 }), undefined)
  assert.equal(judge({ maxUses: 2 }, { reserved: 1, consumed: 1 }), 'promo_in_use')
  assert.equal(judge({ maxUses: 2 }, { consumed: 2 }), 'promo_invalid')
  assert.equal(judge({ onceAnAccount: true }, { reserved: 5, consumed: 5 }), undefined)
  assert.equal(judge({ onceAnAccount: true }, { reservedByAccount: 1 }), 'promo_in_use')
  assert.equal(judge({ onceAnAccount: true }, { consumedByAccount: 1 }), 'promo_invalid')
})

test('a discount is a whole number of kobo and never more than the price', () => {
  assert.equal(discountOf({ percent: 33, fixedKobo: null }, kobo(101)), 33)
  fc.assert(
    fc.property(
      fc.nat(1e12),
      fc.option(fc.integer({ min: 1, max: 100 })),
      fc.integer({ min: 1, max: 1e12 }),
      (price, percent, fixed) => {
        const discount = discountOf({ percent, fixedKobo: percent === null ? fixed : null }, kobo(price))
        return Number.isInteger(discount) && discount >= 0 && discount <= price
      },
    ),
  )
})

test('an amount is a whole number and never negative', () => {
  for (const bad of [-1, 0.5, Number.NaN, Infinity, 2 ** 53]) assert.throws(() => kobo(bad), RangeError)
  assert.equal(nairaText(123_450_005), '₦1,234,500.05')
})
