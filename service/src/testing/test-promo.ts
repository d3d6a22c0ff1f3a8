/** A promo code for the whole price, without limits. */
export const testPromo = {
  percent: 100,
  fixedKobo: null,
  kinds: null,
  tlds: null,
  accountId: null,
  startsAt: null,
  endsAt: null,
  maxUses: null,
  onceAnAccount: false,
} as const
