/** A promo code of which nothing is limited, but for its name: all of the price. */
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
