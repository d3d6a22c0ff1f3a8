/**
 * The gateway that takes cards, as a shop sees it. Amounts are whole kobo.
 *
 * What every caller must know:
 * - Nothing here rejects but `parseWebhook`. `unavailable` says nothing about what happened: ask again.
 * - A webhook is a hint: verify what it is about, then act.
 * - The gateway has no idempotency key for refunds: look for one before posting one.
 */
export interface Payments {
  /** Opens a page on which a person pays. One reference an attempt: letters, digits, `-`, `.` and `=`. */
  createCheckout(wanted: NewCheckout): Promise<Checkout | Unavailable>
  /** How an attempt stands. `unknown`: the gateway has none of that reference. */
  verify(reference: string): Promise<Verified | { readonly kind: 'unknown' } | Unavailable>
  /** Sends the money of a payment back. `refused`: it never will, perhaps because the money has gone back already. */
  refund(wanted: {
    readonly reference: string
    readonly amountKobo: number
  }): Promise<
    | { readonly kind: 'posted'; readonly refund: Refund }
    | { readonly kind: 'refused'; readonly why: string }
    | Unavailable
  >
  /** The refunds of a payment that there are already, the latest first; some may be of a part, made by hand. */
  findRefunds(reference: string): Promise<{ readonly kind: 'found'; readonly refunds: readonly Refund[] } | Unavailable>
  /** Null: there is none of this id. */
  getRefund(id: string): Promise<{ readonly kind: 'found'; readonly refund: Refund | null } | Unavailable>
  /** Reads a webhook. Throws `BadSignature` when it is not the gateway's. */
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

/** No answer, or one that cannot be used. `why` is for the log. */
export interface Unavailable {
  readonly kind: 'unavailable'
  readonly why: string
}

export interface Verified {
  readonly kind: 'verified'
  /** `open`: the payer may still pay. `failed`: no money is there, or none any more; another try of the payer's may still succeed. */
  readonly status: 'succeeded' | 'failed' | 'open'
  readonly amountKobo: number
  /** ISO 4217. */
  readonly currency: string
}

export interface Refund {
  readonly id: string
  /** `needs_attention`: the bank wants details of the payer. */
  readonly status: 'pending' | 'processed' | 'failed' | 'needs_attention'
  readonly amountKobo: number
}

/** What a webhook is about: a payment or its refund, by the payment's reference; null: nothing of ours. */
export interface GatewayNews {
  readonly reference: string | null
}

/** A webhook that somebody else has made up, or changed. */
export class BadSignature extends Error {}
