import type { OrderKind } from '@zonewright/contract'
import type { TldSetting } from '#platform/settings/registries-setting.ts'
import type { DomainCheck, Money } from '#ports/registry.ts'

/** What an order costs at the registry, and us. */
export interface Price {
  /** The registry has a price of its own for it, which its command must state. */
  readonly isPremium: boolean
  /** Undefined: it cannot be sold, since the registry told no fee for it, or one in a currency that has no rate. */
  readonly kobo: number | undefined
  /** What the command must state. */
  readonly fee: Money | null
}

/**
 * The price of an order of a name of so many years, those that its fees were asked for: by the TLD's list, or where the command that
 * it takes is premium by the registry's own fee, turned into kobo by the TLD's rates.
 */
export function priceOf(tld: TldSetting, check: DomainCheck, kind: OrderKind, years: number): Price {
  const command = commands[kind]
  if (!check.isPremium[command]) return { isPremium: false, kobo: listPrice(tld, kind, years), fee: null }
  const fee = check.fees[command]
  // The fee is that of the whole term.
  return { isPremium: true, kobo: fee === null ? undefined : koboOf(fee, tld.premiumKoboPerUnit), fee }
}

const commands = { register: 'create', renew: 'renew', transfer: 'transfer' } as const

/** What an order of so many years costs as a rule. A transfer brings one year, whatever is asked. */
export function listPrice(
  { registerKobo, renewKobo, transferKobo }: TldSetting,
  kind: OrderKind,
  years: number,
): number {
  if (kind === 'transfer') return transferKobo
  return (kind === 'register' ? registerKobo : renewKobo) * years
}

/** Rounded up: nothing is sold below what it costs. Undefined: the currency has no rate, or the amount is none. */
function koboOf({ amount, currency }: Money, rates: Readonly<Record<string, number>>): number | undefined {
  const rate = rates[currency]
  const [, whole, fraction = ''] = /^(\d{1,12})(?:\.(\d{1,6}))?$/.exec(amount) ?? []
  if (rate === undefined || whole === undefined) return undefined
  const scale = 10 ** fraction.length
  return Math.ceil((Number(whole + fraction) * rate) / scale)
}
