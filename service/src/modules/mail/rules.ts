import type { MailFailure } from '#ports/mail.ts'

const minuteS = 60
const hourS = 60 * minuteS

/** How long a mail is worth sending, when it does not say so itself: two days (RFC 5321 §4.5.4.1 has four to five). */
export const keepTryingS = 48 * hourS

/** Quick at first, since somebody may be waiting for a link; 47 hours in all. */
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

/** Why an attempt failed: a word of the mail server's, or what it says cannot be read, since SECRET_KEY is another one. */
export type Failure = MailFailure | 'unreadable'

/** How many seconds to wait after a failed attempt, or null when it was the last: a mail refused for good is not tried again. */
export function retryDelayS(attemptsMade: number, failure: Failure): number | null {
  return failure === 'refused' ? null : (retryDelaysS[attemptsMade - 1] ?? null)
}

/** What was sent or given up is remembered so long, without its content: whether a mail went out is asked later. */
export const rememberDays = 30
