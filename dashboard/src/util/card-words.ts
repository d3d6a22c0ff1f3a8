import type { WireCardSummary } from '@zonewright/contract'

const brands: Readonly<Record<string, string>> = { visa: 'Visa', mastercard: 'Mastercard', verve: 'Verve' }

/** A saved card as it is named everywhere: `Visa •••• 4081`. */
export function cardTitle({ brand, last4 }: Pick<WireCardSummary, 'brand' | 'last4'>): string {
  return `${brands[brand] ?? (brand === '' ? 'Card' : brand)} •••• ${last4}`
}

/** The end of its last month, as printed on cards: `08/2029`. */
export function cardExpiry({ expiry_month: month, expiry_year: year }: WireCardSummary): string {
  return `${String(month).padStart(2, '0')}/${year}`
}
