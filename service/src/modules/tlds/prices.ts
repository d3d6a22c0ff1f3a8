import type { OrderKind } from '@zonewright/contract'
import type { TldSetting } from '#platform/settings/registries-setting.ts'
import type { DomainCheck, Money } from '#ports/registry.ts'

/** The price of an order at the registry, and here. */
export interface Price {
  /** The registry has a special price for the name, which its command must include. */
  readonly isPremium: boolean
  /** Undefined: it cannot be sold, because the registry gave no fee, or one in a currency without a rate. */
  readonly kobo: number | undefined
  /** The fee that the command must include. */
  readonly fee: Money | null
}

/**
 * The price of an order of a name for the number of years for which its fees were requested: from the TLD's list or, if the command
 * is premium, from the registry's own fee, converted into kobo with the TLD's rates.
 */
export function priceOf(tld: TldSetting, check: DomainCheck, kind: OrderKind, years: number): Price {
  const command = commands[kind]
  if (!check.isPremium[command]) return { isPremium: false, kobo: listPrice(tld, kind, years), fee: null }
  const fee = check.fees[command]
  // The fee is for the whole term.
  return { isPremium: true, kobo: fee === null ? undefined : koboOf(fee, tld.premiumKoboPerUnit), fee }
}

const commands = { register: 'create', renew: 'renew', transfer: 'transfer' } as const

/** The list price of an order for this number of years. A transfer adds one year, whatever was requested. */
export function listPrice(
  { registerKobo, renewKobo, transferKobo }: TldSetting,
  kind: OrderKind,
  years: number,
): number {
  if (kind === 'transfer') return transferKobo
  return (kind === 'register' ? registerKobo : renewKobo) * years
}

/** Rounded up, so that nothing is sold below its cost. Undefined: the currency has no rate, or the text is not an amount. */
function koboOf({ amount, currency }: Money, rates: Readonly<Record<string, number>>): number | undefined {
  const rate = rates[currency]
  const [, whole, fraction = ''] = /^(\d{1,12})(?:\.(\d{1,6}))?$/.exec(amount) ?? []
  if (rate === undefined || whole === undefined) return undefined
  const scale = 10 ** fraction.length
  return Math.ceil((Number(whole + fraction) * rate) / scale)
}
