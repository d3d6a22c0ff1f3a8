/** An amount in the form that orders and receipts also use. Kobo: hundredths of a naira. */
export function naira(kobo: number): string {
  const amount = Math.abs(kobo) / 100
  const digits = amount.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
  return `${kobo < 0 ? '−' : ''}₦${digits}`
}
