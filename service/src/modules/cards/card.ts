import type { WireCardSummary } from '@zonewright/contract'

/** The public data of a saved card. */
export interface CardLook {
  readonly id: string
  readonly brand: string
  readonly last4: string
  readonly expiryMonth: number
  readonly expiryYear: number
  /** Its last month is over (UTC). */
  readonly isExpired: boolean
}

/** Maximum number of saved cards of an account. */
export const maxCards = 10

/** A card as the API shows it. */
export function cardToWire({ id, brand, last4, expiryMonth, expiryYear, isExpired }: CardLook): WireCardSummary {
  return { id, brand, last4, expiry_month: expiryMonth, expiry_year: expiryYear, expired: isExpired }
}

const brands: Readonly<Record<string, string>> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  verve: 'Verve',
  'american express': 'American Express',
}

/** A card in a sentence: `Visa ending in 4081`. */
export function cardInWords({ brand, last4 }: Pick<CardLook, 'brand' | 'last4'>): string {
  return `${brands[brand] ?? (brand === '' ? 'card' : brand)} ending in ${last4}`
}
