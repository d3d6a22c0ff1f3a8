import { behaviourReader, isBoolean, type Limited, wholeWithin } from '../behaviours.ts'

/** The steps of a mail at which a server may say no: MAIL FROM, RCPT TO, and the end of DATA (RFC 5321 §3.3). */
export type Step = 'sender' | 'recipient' | 'message'

/** How the mailbox answers. Left to itself it takes every mail. */
export interface Behaviour extends Limited {
  /** Say no at this step. Nothing is known of the recipient at the step `sender`. */
  readonly refuse?: Step
  /** With this code: 550 (for good) unless it is told otherwise; 4xx means "not now". */
  readonly code?: number
  /** Wait before the answer to the message. */
  readonly delayMs?: number
  /** Keep the mail, and close the connection instead of saying so. */
  readonly drop?: boolean
}

export const readBehaviour = behaviourReader<Behaviour>({
  refuse: (value) => value === 'sender' || value === 'recipient' || value === 'message',
  code: wholeWithin(400, 599),
  delayMs: wholeWithin(0, 120_000),
  drop: isBoolean,
})

/** Whether it acts at this step; it counts its mails there. */
export function actsAt(step: Step): (behaviour: Behaviour) => boolean {
  return ({ refuse = 'message' }) => refuse === step
}
