import type { OrderKind } from '@zonewright/contract'
import type { TldSetting } from '#platform/registries-setting.ts'
import type { DomainCheck, Money } from '#ports/registry.ts'

/** What one year of each kind costs, in kobo. A transfer costs once. */
export interface YearPrices {
  readonly register: number
  readonly renew: number
  readonly transfer: number
}

export function listPrices({ registerKobo, renewKobo, transferKobo }: TldSetting): YearPrices {
  return { register: registerKobo, renew: renewKobo, transfer: transferKobo }
}

/**
 * What a premium name costs: the registry's own fees, turned into kobo by the TLD's rates. Undefined: it cannot be sold, since
 * the registry told no fee, or one in a currency that has no rate.
 */
export function premiumPrices(tld: TldSetting, { fees }: DomainCheck): YearPrices | undefined {
  const of = (fee: Money | null): number | undefined => (fee === null ? undefined : koboOf(fee, tld.premiumKoboPerUnit))
  const [register, renew = register, transfer = renew] = [of(fees.create), of(fees.renew), of(fees.transfer)]
  if (register === undefined || renew === undefined || transfer === undefined) return undefined
  return { register, renew, transfer }
}

/** The price of an order of so many years. A transfer brings one year, whatever is asked. */
export function priceOf(prices: YearPrices, kind: OrderKind, years: number): number {
  return kind === 'transfer' ? prices.transfer : prices[kind] * years
}

/** Rounded up: nothing is sold below what it costs. Undefined: the currency has no rate, or the amount is none. */
function koboOf({ amount, currency }: Money, rates: Readonly<Record<string, number>>): number | undefined {
  const rate = rates[currency]
  const [, whole, fraction = ''] = /^(\d{1,12})(?:\.(\d{1,6}))?$/.exec(amount) ?? []
  if (rate === undefined || whole === undefined) return undefined
  const scale = 10 ** fraction.length
  return Math.ceil((Number(whole + fraction) * rate) / scale)
}
