/** An endpoint is disabled after failing for this time (specification, "Webhook endpoint"). */
export const disableAfterMs = 3 * 86_400_000
/** Its owner gets a warning by email after this time. */
const warnAfterMs = 86_400_000

/** The time during which attempts of real events have failed at an endpoint, and nothing has succeeded. */
export interface FailingTime {
  /** When the first attempt of a real event failed, and the event. */
  readonly since: Date
  readonly eventId: string
  /** When the first attempt of another real event failed; null: none has. */
  readonly otherSince: Date | null
}

/** The relevant data of an attempt. */
export interface JudgedAttempt {
  readonly succeeded: boolean
  readonly eventId: string
  /** An automatic attempt of a real event: neither a test nor a resend. */
  readonly isReal: boolean
  /** Failed automatic attempts of its event, including this one. */
  readonly failures: number
}

export interface Judgement {
  readonly failing: FailingTime | null
  /** The action that the failure requires. Each failure repeats `warn`; the caller sends only one warning per failing time. */
  readonly verdict: 'none' | 'warn' | 'disable'
}

/**
 * How an attempt changes its endpoint's failing time (design: webhooks, "Lanes").
 *
 * Any success ends it. Only automatic attempts of real events start or extend it. The endpoint must be disabled if one of these attempts
 * fails, an attempt of another real event failed at least 3 days before, and the later event has failed at least twice: one failure after a
 * quiet week says nothing about that week.
 */
export function judge(failing: FailingTime | null, attempt: JudgedAttempt, now: Date): Judgement {
  if (attempt.succeeded) return { failing: null, verdict: 'none' }
  if (!attempt.isReal) return { failing, verdict: 'none' }
  if (failing === null) return { failing: { since: now, eventId: attempt.eventId, otherSince: null }, verdict: 'none' }
  const isFirst = attempt.eventId === failing.eventId
  const otherSince = failing.otherSince ?? (isFirst ? null : now)
  const elseSince = isFirst ? otherSince : failing.since
  return {
    failing: { ...failing, otherSince },
    verdict:
      attempt.failures < 2
        ? 'none'
        : elseSince !== null && isAgo(elseSince, disableAfterMs, now)
          ? 'disable'
          : isAgo(failing.since, warnAfterMs, now)
            ? 'warn'
            : 'none',
  }
}

function isAgo(at: Date, ms: number, now: Date): boolean {
  return now.getTime() - at.getTime() >= ms
}
