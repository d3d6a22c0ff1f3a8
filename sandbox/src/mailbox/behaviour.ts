import { behaviourReader, isBoolean, type Limited, wholeWithin } from '../behaviours.ts'

/** The SMTP steps at which a server can reject a message: MAIL FROM, RCPT TO, and the end of DATA (RFC 5321 §3.3). */
export type Step = 'sender' | 'recipient' | 'message'

/** How the mailbox responds. By default, it accepts every message. */
export interface Behaviour extends Limited {
  /** Reject the message at this step. The recipient is not known at the step `sender`. */
  readonly refuse?: Step
  /** The code of the rejection. Default: 550 (permanent). 4xx means "try again later". */
  readonly code?: number
  /** Wait this long before the response to the message. */
  readonly delayMs?: number
  /** Store the message, and close the connection instead of responding. */
  readonly drop?: boolean
}

export const readBehaviour = behaviourReader<Behaviour>({
  refuse: (value) => value === 'sender' || value === 'recipient' || value === 'message',
  code: wholeWithin(400, 599),
  delayMs: wholeWithin(0, 120_000),
  drop: isBoolean,
})

/** Whether the behavior applies at this step, at which it counts messages. */
export function actsAt(step: Step): (behaviour: Behaviour) => boolean {
  return ({ refuse = 'message' }) => refuse === step
}
