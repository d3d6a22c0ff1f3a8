import type { Db } from '#platform/db.ts'
import { Refusal } from '#platform/errors.ts'
import { addTry, forgetTries, removeTry } from './tries-store.ts'

/** How often a thing may be tried within a window, by whom, and what its refusal says. */
interface TryLimit {
  readonly most: number
  readonly minutes: number
  readonly what: string
}

/**
 * Everything that can be guessed or abused by repeating it (design: accounts-and-keys). Subjects: an account's or an order's id, an
 * email address, a network.
 */
export const tryLimits = {
  /** Sign-ins with one email address that failed; a success forgets them. */
  'sign-in': { most: 10, minutes: 15, what: 'sign-ins for this address failed' },
  /** Sign-ins from one network that failed, or wait for their code. */
  'sign-in-from': { most: 100, minutes: 15, what: 'sign-ins from your network failed or wait for a code' },
  /** Wrong passwords given by somebody who is signed in to an account; a right one forgets them. */
  password: { most: 10, minutes: 15, what: 'passwords were wrong' },
  /** Wrong codes of one account, wherever they were asked for; a right one forgets them. */
  code: { most: 5, minutes: 15, what: 'codes were wrong' },
  /** Wrong codes from one network with which somebody signs in, of whichever accounts. */
  'code-from': { most: 100, minutes: 15, what: 'codes from your network were wrong' },
  /** Mails to one email address that anybody may ask for: confirmation, password reset. */
  mail: { most: 5, minutes: 60, what: 'mails were asked for' },
  /** Mails to addresses that one account has asked for as its own. */
  'mail-by': { most: 10, minutes: 60, what: 'mails were asked for' },
  /** Pay links that one account has had mailed to others; and those to one address, of whichever accounts. */
  'pay-link-by': { most: 30, minutes: 60, what: 'pay links were mailed' },
  'pay-link-to': { most: 5, minutes: 60, what: 'pay links were mailed to this address' },
  /** Payments by card that were begun of one order, and of all orders of one account: whoever has a pay link may begin them. */
  'checkout-of': { most: 10, minutes: 60, what: 'payments of this order were begun' },
  'checkout-by': { most: 300, minutes: 60, what: 'payments of this account were begun' },
  'sign-up-from': { most: 20, minutes: 60, what: 'accounts were opened from your network' },
} as const satisfies Record<string, TryLimit>

export type TryKind = keyof typeof tryLimits

/**
 * Counts one more try, before its outcome is known: many at once cannot all pass.
 *
 * Throws `rate_limited` with Retry-After when there were too many in the window.
 */
export async function takeTry(db: Db, kind: TryKind, subject: string): Promise<void> {
  const { most, minutes, what } = tryLimits[kind]
  const { tries, secondsLeft } = await addTry(db, kind, subject, minutes)
  if (tries <= most) return
  throw new Refusal('rate_limited', `Too many ${what}. Try again in ${Math.ceil(secondsLeft / 60)} minutes.`, {
    headers: { 'retry-after': String(secondsLeft) },
  })
}

/** A success: this one try does not count, and those before it do. */
export async function takeBackTry(db: Db, kind: TryKind, subject: string): Promise<void> {
  await removeTry(db, kind, subject)
}

/** A success: what was tried before does not count any more. */
export async function forgiveTries(db: Db, kind: TryKind, subject: string): Promise<void> {
  await forgetTries(db, kind, subject)
}
