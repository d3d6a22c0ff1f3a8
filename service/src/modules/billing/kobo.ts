/** An amount of money in kobo (1/100 naira): a whole number, never negative. */
export type Kobo = number & { readonly __kobo: true }

/** Checks that a number is a valid amount. Throws if it is not, which would be a bug. */
export function kobo(amount: number): Kobo {
  if (!Number.isSafeInteger(amount) || amount < 0) throw new RangeError(`${amount} is not an amount in kobo`)
  return amount as Kobo
}

export const noKobo = kobo(0)

/** Formats an amount for people, such as `₦1,234.50`. */
export function nairaText(amountKobo: number): string {
  const naira = Math.floor(amountKobo / 100).toLocaleString('en')
  return `₦${naira}.${String(amountKobo % 100).padStart(2, '0')}`
}
