import { displayQuoted, isSubscribable } from '@zonewright/contract'
import { firstCharacters } from '#platform/bounded-text.ts'
import type { FaultDetail } from '#platform/errors.ts'
import type { Attempt, LaneWork, Made } from './attempt.ts'

/** Maximum number of endpoints per account (specification, "Limits"). */
export const maxEndpoints = 10

/** Maximum number of secrets that sign: each rotation within another's overlap adds one, and each costs every request a signature. */
export const maxLiveSecrets = 4

const minuteS = 60
const hourS = 60 * minuteS

/** The waits between the eight automatic attempts of a delivery, in seconds (specification, "Limits"). */
const retryDelaysS = [minuteS, 5 * minuteS, 30 * minuteS, 2 * hourS, 5 * hourS, 10 * hourS, 24 * hourS]

/** Maximum number of automatic attempts of a delivery (specification, "Limits"). */
export const maxAttempts = retryDelaysS.length + 1

/**
 * How long a resend waits for others, so that resends requested together are sent oldest event first, whatever the order of the requests.
 * One that is requested while others still wait takes its place among them.
 */
export const gatherMs = 500

/** Maximum number of deliveries that one call of recover resends; `more` says that there are others. */
export const maxRecovered = 10_000

/** How many of its latest attempts a delivery shows: there may be any number of manual ones, and each may have 32 KiB. */
export const maxShownAttempts = 100

/**
 * How many seconds to wait after a failed attempt, or null after the eight attempts.
 *
 * The wait is counted from the end of the failed attempt, so a slow receiver is never rushed.
 */
export function retryDelayS(attemptsMade: number): number | null {
  return retryDelaysS[attemptsMade - 1] ?? null
}

/** A response that takes longer puts its lane among the slow and failing ones, which have separate slots. */
export const slowAfterMs = 1_000

/** How many deliveries of a lane may be sent before the first of them is recorded, and for how long. After a crash, up to this many are resent. */
export const aheadLimits = { deliveries: 16, ms: 200 }

/** The same for the first deliveries after a claim, and while other lanes wait for the slot of this one. */
export const sharedLimits = { deliveries: 4, ms: 50 }

/** How long a claimed lane belongs to its worker: longer than a request and recording it can take, so that no heartbeat is needed. */
export const leaseMs = 30_000

/** How long before the end of the lease nothing more is sent: a request takes at most 10 s, and recording it has 2 s. */
const unsentMs = 12_000

/** A lane that this process holds. */
export interface HeldLane {
  readonly endpointId: string
  /**
   * Since the lane was last read, something was resent, or the endpoint was changed, paused or deleted. Nothing more is sent before it is read again.
   */
  isChanged: boolean
}

/** Deliveries that the holder of a lane sends one after the other and records together. */
export interface Group {
  readonly lane: Readonly<HeldLane>
  readonly work: LaneWork
  /** What was sent, in this order. */
  readonly made: readonly Made[]
  /** When the first of them was sent, by `performance.now()`. */
  readonly beganAtMs: number
}

/** Until when the holder of a lane may send, by `performance.now()`. */
export function sendUntilMs({ leasedAtMs }: Pick<LaneWork, 'leasedAtMs'>): number {
  return leasedAtMs + leaseMs - unsentMs
}

/** Whether the next delivery of a group may be sent although those before it are not recorded. */
export function maySend({ lane, work, made, beganAtMs }: Group, nowMs: number, limits = aheadLimits): boolean {
  if (lane.isChanged || nowMs >= sendUntilMs(work)) return false
  const last = made.at(-1)?.attempt
  if (last === undefined) return true
  const isRoom = made.length < limits.deliveries && nowMs - beganAtMs < limits.ms
  return isRoom && last.failure === null && isStruggling(last) === work.struggling
}

/** Whether an attempt puts its lane among the slow and failing ones. */
export function isStruggling({ failure, durationMs }: Pick<Attempt, 'failure' | 'durationMs'>): boolean {
  return failure !== null || durationMs >= slowAfterMs
}

/** The error if an endpoint that is limited to zones subscribes to no event of a zone: it would get nothing. */
export function faultsOfSubscription(events: readonly string[] | null, isLimited: boolean): FaultDetail[] {
  if (!isLimited || events === null || events.some((event) => event.startsWith('zone.'))) return []
  const message = 'An endpoint that is limited to zones gets only the events of zones. Add an event such as zone.*.'
  return [{ path: '/events', code: 'no_zone_event', message }]
}

/** The errors in an endpoint's event types. */
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
