import { displayQuoted, isSubscribable } from '@zonewright/contract'
import { firstCharacters } from '#platform/bounded-text.ts'
import type { FaultDetail } from '#platform/errors.ts'

/** Endpoints an account may have (specification, "Limits"). */
export const maxEndpoints = 10

/** Secrets that sign at once: each rotation within another's overlap adds one, and each costs every request a signature. */
export const maxLiveSecrets = 4

const minuteS = 60
const hourS = 60 * minuteS

/** The waits between the eight automatic attempts of a delivery, in seconds (specification, "Limits"). */
const retryDelaysS = [minuteS, 5 * minuteS, 30 * minuteS, 2 * hourS, 5 * hourS, 10 * hourS, 24 * hourS]

/** Automatic attempts of a delivery (specification, "Limits"). */
export const maxAttempts = retryDelaysS.length + 1

/**
 * How long a resend waits for others, so that resends requested together are sent oldest event first, whatever the order of the requests.
 * One that is requested while others still wait takes its place among them.
 */
export const gatherMs = 500

/** Deliveries that one call of recover resends; `more` says that there are others. */
export const maxRecovered = 10_000

/** Latest attempts that a delivery is shown with: there may be any number of manual ones, and each may have 32 KiB. */
export const maxShownAttempts = 100

/**
 * How many seconds to wait after a failed attempt, or null once the eight attempts are spent.
 *
 * The wait is counted from the end of the failed attempt, so a slow receiver is never hurried.
 */
export function retryDelayS(attemptsMade: number): number | null {
  return retryDelaysS[attemptsMade - 1] ?? null
}

/** A response that takes longer puts its lane among the slow and failing ones, which have separate slots. */
export const slowAfterMs = 1_000

/** What is wrong with an endpoint's event types. */
export function faultsOfEvents(events: readonly string[]): FaultDetail[] {
  return events.flatMap((text, i) =>
    isSubscribable(text)
      ? []
      : [
          {
            path: `/events/${i}`,
            code: 'unknown_event',
            message: `${displayQuoted(firstCharacters(text))} is not an event type, such as zone.created, or a group, such as order.*.`,
          },
        ],
  )
}
