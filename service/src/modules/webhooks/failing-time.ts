/** An endpoint is disabled when it has failed for so long (specification, "Webhook endpoint"). */
export const disableAfterMs = 3 * 86_400_000
/** Its owner is warned by email after this. */
const warnAfterMs = 86_400_000

/** Attempts of real events have failed at an endpoint, and nothing of any kind has succeeded since. */
export interface FailingTime {
  /** When an attempt of a real event first failed, and which event that was. */
  readonly since: Date
  readonly eventId: string
  /** When an attempt of another real event first failed; null: none has. */
  readonly otherSince: Date | null
}

/** An attempt, as far as it matters here. */
export interface JudgedAttempt {
  readonly succeeded: boolean
  readonly eventId: string
  /** An automatic attempt of a real event: neither a test nor a resend. */
  readonly isReal: boolean
  /** Automatic attempts of its event that have failed, this one included. */
  readonly failures: number
}

export interface Judgement {
  readonly failing: FailingTime | null
  /** What the failure calls for. `warn` is repeated by each failure: one warning per failing time is up to the caller. */
  readonly verdict: 'none' | 'warn' | 'disable'
}

/**
 * What an attempt makes of its endpoint's failing time (design: webhooks, "Lanes").
 *
 * Any success ends it. Only automatic attempts of real events start or extend it. The endpoint is to be disabled when such an attempt fails, an
 * attempt of another real event failed 3 days or more before, and the later event has failed at least twice: one failure after a quiet week
 * says nothing about that week.
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
