/** An amount of money in kobo, a hundredth of a naira: a whole number, never negative. */
export type Kobo = number & { readonly __kobo: true }

/** Checks that a number is an amount. Throws otherwise, which would be a bug. */
export function kobo(amount: number): Kobo {
  if (!Number.isSafeInteger(amount) || amount < 0) throw new RangeError(`${amount} is not an amount in kobo`)
  return amount as Kobo
}

export const noKobo = kobo(0)

/** `₦1,234.50`, for people. */
export function nairaText(amountKobo: number): string {
  const naira = Math.floor(amountKobo / 100).toLocaleString('en')
  return `₦${naira}.${String(amountKobo % 100).padStart(2, '0')}`
}
