import type { MailFailure } from '#ports/mail.ts'

const minuteS = 60
const hourS = 60 * minuteS

/** How long an email is useful by default: two days (RFC 5321 §4.5.4.1 suggests four to five). */
export const keepTryingS = 48 * hourS

/** Short delays at first, because someone may be waiting for a link; 47 hours in total. */
const retryDelaysS = [
  15,
  45,
  4 * minuteS,
  10 * minuteS,
  45 * minuteS,
  hourS,
  2 * hourS,
  4 * hourS,
  8 * hourS,
  8 * hourS,
  12 * hourS,
  11 * hourS,
]

/** Why an attempt failed: a code for the mail server's response, or unreadable content because SECRET_KEY has changed. */
export type Failure = MailFailure | 'unreadable'

/** Seconds to wait after a failed attempt, or null after the last one. An email that was refused permanently is not retried. */
export function retryDelayS(attemptsMade: number, failure: Failure): number | null {
  return failure === 'refused' ? null : (retryDelaysS[attemptsMade - 1] ?? null)
}

/** How long the row of a sent or given-up email is kept, without its content, so that its outcome can be looked up. */
export const rememberDays = 30
