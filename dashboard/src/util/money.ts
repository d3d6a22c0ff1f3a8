/** An amount as people read it; orders and receipts say it the same way. Kobo: hundredths of a naira. */
export function naira(kobo: number): string {
  const amount = Math.abs(kobo) / 100
  const digits = amount.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
  return `${kobo < 0 ? '−' : ''}₦${digits}`
}
