import type { CommandExtensions, ResponseExtensions } from '@zonewright/epp'
import type { Charged, Money } from '#ports/registry.ts'

type FeeCharged = ResponseExtensions['fee:creData']

/** What a command cost: the sum of its fees and credits. */
export function chargedOf(data: FeeCharged): Charged {
  const { currency, fees = [], credits = [], balance } = data ?? {}
  if (currency === undefined) return { fee: null, balance: null }
  return {
    fee: fees.length + credits.length === 0 ? null : { amount: sumOf([...fees, ...credits]), currency },
    balance: balance === undefined ? null : { amount: balance, currency },
  }
}

/** The fee that we agree to pay. */
export function agreed(fee: Money): NonNullable<CommandExtensions['fee:create']> {
  return { currency: fee.currency, fees: [{ amount: fee.amount }], credits: [] }
}

/** The exact sum of decimal amounts, with as many decimal places as the amount that has the most. */
export function sumOf(items: readonly { readonly amount: string }[]): string {
  const parts = items.map(({ amount }) => /^([+-]?)(\d*)\.?(\d*)$/.exec(amount) ?? [])
  const places = Math.max(0, ...parts.map(([, , , decimals = '']) => decimals.length))
  const total = parts.reduce((sum, [, sign = '', whole = '', decimals = '']) => {
    const units = BigInt(`${whole}${decimals.padEnd(places, '0')}` || '0')
    return sign === '-' ? sum - units : sum + units
  }, 0n)
  const digits = String(total < 0n ? -total : total).padStart(places + 1, '0')
  const text = places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`
  return total < 0n ? `-${text}` : text
}
