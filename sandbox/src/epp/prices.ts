import type { CommandExtensions, ResponseExtensions } from '@zonewright/epp'
import { RefusedCommand } from './reply.ts'

/** The registry's currency. Internally, amounts are in hundredths: kobo. */
export const currency = 'NGN'

/** The prices of a standard name: per year, except `restore`. */
const standard = { create: 500_000, renew: 500_000, transfer: 500_000, restore: 2_000_000 }

export type Priced = keyof typeof standard

/** Names with these prefixes cost ten times as much. The client must agree to the price with each command, or only with the first one. */
const premiumPrefix = 'premium'
const premiumOncePrefix = 'golden'
const premiumFactor = 10

function isPremium(command: Priced, domain: string): boolean {
  return domain.startsWith(premiumPrefix) || (command === 'create' && domain.startsWith(premiumOncePrefix))
}

export function priceOf(command: Priced, domain: string, years: number): number {
  const price = standard[command] * (isPremium(command, domain) ? premiumFactor : 1)
  return command === 'restore' ? price : price * years
}

/** `12.50`. */
export function amountOf(kobo: number): string {
  const sign = kobo < 0 ? '-' : ''
  const digits = String(Math.abs(kobo)).padStart(3, '0')
  return `${sign}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/** An amount such as `12.5` in kobo; NaN if it has more than two decimal places. */
export function koboOf(amount: string): number {
  const [, whole, places = ''] = /^(-?\d+)(?:\.(\d{1,2}))?$/.exec(amount) ?? []
  return whole === undefined ? Number.NaN : Number(`${whole}${places.padEnd(2, '0')}`)
}

/**
 * The amount to pay. If a command states a fee, it must be correct (2004). A command about a premium name must state the fee (2003). See RFC 8748
 * §5.2.
 */
export function agreedPrice(
  command: Priced,
  domain: string,
  years: number,
  agreed: CommandExtensions['fee:create'],
): number {
  const price = priceOf(command, domain, years)
  if (agreed === undefined) {
    if (isPremium(command, domain)) throw new RefusedCommand(2003, `${domain} is a premium name: state its fee`)
    return price
  }
  if (agreed.currency !== undefined && agreed.currency !== currency)
    throw new RefusedCommand(2004, `Fees are in ${currency}`)
  const stated = agreed.fees.reduce((sum, { amount }) => sum + koboOf(amount), 0)
  if (stated !== price) throw new RefusedCommand(2004, `The fee is ${amountOf(price)} ${currency}`)
  return price
}

type FeeItems = NonNullable<ResponseExtensions['fee:chkData']>['items']

/** The fees that a check requested, for each name. */
export function feeItems(domains: readonly string[], asked: NonNullable<CommandExtensions['fee:check']>): FeeItems {
  return domains.map((domain) => ({
    object: { element: 'name', id: domain },
    isAvailable: true,
    class: isPremium('create', domain) ? 'premium' : 'standard',
    commands: asked.commands.map(({ name, period }) => {
      const isPriced = name in standard
      const years = period?.length ?? 1
      const fee = { amount: isPriced ? amountOf(priceOf(name as Priced, domain, years)) : '0.00' }
      return {
        name,
        ...(period && { period }),
        isStandard: !isPriced || !isPremium(name as Priced, domain),
        fees: [fee],
        credits: [],
      }
    }),
  }))
}
