/**
 * The card gateway, as a shop uses it. Amounts are whole kobo.
 *
 * What every caller must know:
 * - Only `parseWebhook` rejects. `unavailable` says nothing about what happened: query again.
 * - A webhook is a hint: verify what it is about, then act.
 * - The gateway has no idempotency key for refunds: look up existing refunds before posting one.
 * - A reference counts once, for checkouts and for charges: a repeat with the same reference takes no more money.
 */
export interface Payments {
  /** Opens a page on which a person pays. One reference per attempt: letters, digits, `-`, `.` and `=`. */
  createCheckout(wanted: NewCheckout): Promise<Checkout | Unavailable>
  /** The state of an attempt. `unknown`: the gateway has none with that reference. */
  verify(reference: string): Promise<Verified | { readonly kind: 'unknown' } | Unavailable>
  /** Charges a saved card without its owner. `verify` then returns the outcome. */
  charge(wanted: NewCharge): Promise<Charged | Unavailable>
  /** Makes an authorization unusable. One that the gateway does not know counts as done. */
  deactivate(authorization: string): Promise<{ readonly kind: 'done' } | Unavailable>
  /** Refunds a payment. `refused`: it never will, perhaps because the payment was already refunded. */
  refund(wanted: {
    readonly reference: string
    readonly amountKobo: number
  }): Promise<
    | { readonly kind: 'posted'; readonly refund: Refund }
    | { readonly kind: 'refused'; readonly why: string }
    | Unavailable
  >
  /** The existing refunds of a payment, latest first; some may be manual ones for a part. */
  findRefunds(reference: string): Promise<{ readonly kind: 'found'; readonly refunds: readonly Refund[] } | Unavailable>
  /** Null: there is none with this id. */
  getRefund(id: string): Promise<{ readonly kind: 'found'; readonly refund: Refund | null } | Unavailable>
  /** Parses a webhook. Throws `BadSignature` if it is not the gateway's. */
  parseWebhook(rawBody: string, signature: string | undefined): GatewayNews
  close(): Promise<void>
}

export interface NewCheckout {
  readonly reference: string
  readonly amountKobo: number
  readonly email: string
  /** Where the payer's browser goes afterwards. */
  readonly returnUrl: string
}

export interface Checkout {
  readonly kind: 'open'
  readonly url: string
}

export interface NewCharge {
  readonly reference: string
  readonly amountKobo: number
  /** The email address that was used when the card was paid with and saved. */
  readonly email: string
  readonly authorization: string
}

/**
 * `sent`: the gateway has a transaction with this reference. `challenged`: it has one, and the bank requires the card's owner to confirm
 * it. `refused`: the gateway created no transaction for this call, perhaps because it already has one with this reference; `why` is its
 * reason.
 */
export type Charged =
  | { readonly kind: 'sent' | 'challenged' }
  | {
      readonly kind: 'refused'
      readonly why: string
    }

/** A card that was paid with, and that can be charged again. */
export interface ReusableCard {
  /** A secret: with it, the card can be charged. */
  readonly authorization: string
  /** The same for the same card. */
  readonly signature: string
  /** Lower-case, such as `visa`. */
  readonly brand: string
  readonly last4: string
  /** 1 to 12; it can be charged until the end of this month. */
  readonly expiryMonth: number
  readonly expiryYear: number
}

/** No answer, or an unusable one. `why` is for the log. */
export interface Unavailable {
  readonly kind: 'unavailable'
  readonly why: string
}

export interface Verified {
  readonly kind: 'verified'
  /** `open`: the payer may still pay. `failed`: nothing was paid, or it was returned; another attempt of the payer may still succeed. */
  readonly status: 'succeeded' | 'failed' | 'open'
  readonly amountKobo: number
  /** ISO 4217. */
  readonly currency: string
  /** The gateway's reason why the card was declined, empty if it gave none; null: no card was declined. */
  readonly declineReason: string | null
  /** The card of a payment that succeeded, if the gateway can charge it again; null: it cannot. */
  readonly card: ReusableCard | null
}

export interface Refund {
  readonly id: string
  /** `needs_attention`: the bank needs details of the payer. */
  readonly status: 'pending' | 'processed' | 'failed' | 'needs_attention'
  readonly amountKobo: number
}

/** What a webhook is about: a payment or its refund, by the payment's reference; null if it is not about one of ours. */
export interface GatewayNews {
  readonly reference: string | null
}

/** A webhook that someone else has forged or changed. */
export class BadSignature extends Error {}
