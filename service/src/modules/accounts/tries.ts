import { Refusal } from '#platform/errors.ts'
import type { Db } from '#platform/postgres/index.ts'
import { addTry } from './tries-store.ts'

/** How often something may be attempted within a window, by whom, and the message of the refusal. */
interface TryLimit {
  readonly most: number
  readonly minutes: number
  readonly what: string
}

/**
 * Limits for actions that can be abused by repeating them. Subjects: an account's or an order's id, an email address, a network. Passwords and
 * codes have delays instead (`guessDelays`), because with a limit, anyone could lock an account's owner out.
 */
export const tryLimits = {
  /** Emails to one address that anyone can request, each kind separately: sign-ups must not use up the owner's password resets. */
  'sign-up-mail': { most: 5, minutes: 60, what: 'emails were requested' },
  'reset-mail': { most: 5, minutes: 60, what: 'emails were requested' },
  'address-mail': { most: 5, minutes: 60, what: 'emails were requested' },
  /** Emails to an account about sign-ins from new devices. */
  'device-mail': { most: 20, minutes: 24 * 60, what: 'emails about new devices were sent' },
  /** Emails to addresses that one account wants as its own. */
  'mail-by': { most: 10, minutes: 60, what: 'emails were requested' },
  /** Payment links that one account has sent by email; and those to one address, from all accounts. */
  'pay-link-by': { most: 30, minutes: 60, what: 'payment links were emailed' },
  'pay-link-to': { most: 5, minutes: 60, what: 'payment links were emailed to this address' },
  /** Card payments that were started for one order, and for all orders of one account. Anyone with a payment link can start them. */
  'checkout-of': { most: 10, minutes: 60, what: 'payments were started for this order' },
  'checkout-by': { most: 300, minutes: 60, what: 'payments were started for this account' },
  /** Answers of sign-in providers that came from one network: each one sends a request to the provider. */
  'provider-answer': { most: 100, minutes: 10, what: 'sign-ins came from your network' },
  'sign-up-from': { most: 20, minutes: 60, what: 'sign-ups came from your network' },
} as const satisfies Record<string, TryLimit>

export type TryKind = keyof typeof tryLimits

/**
 * Counts an attempt before its outcome is known, so that concurrent attempts cannot all pass.
 *
 * Throws `rate_limited` with Retry-After if there were too many in the window.
 */
export async function takeTry(db: Db, kind: TryKind, subject: string): Promise<void> {
  const { most, minutes, what } = tryLimits[kind]
  const { tries, secondsLeft } = await addTry(db, kind, subject, minutes)
  if (tries <= most) return
  throw new Refusal('rate_limited', `Too many ${what}. Try again in ${Math.ceil(secondsLeft / 60)} minutes.`, {
    headers: { 'retry-after': String(secondsLeft) },
  })
}

/** The same for actions that are skipped above the limit. Returns whether to perform the action. */
export async function mayTry(db: Db, kind: TryKind, subject: string): Promise<boolean> {
  const { most, minutes } = tryLimits[kind]
  return (await addTry(db, kind, subject, minutes)).tries <= most
}
