import type { FailureWord } from '#ports/webhook-http.ts'

/** A lane that this process holds, with the deliveries to send next, if any. */
export interface LaneWork {
  readonly endpointId: string
  /** Changes with every record, so a worker with an old lease has lost the lane. */
  readonly lease: string
  /** When the lease was requested, by `performance.now()`. The lease lasts at least 30 s from then. */
  readonly leasedAtMs: number
  readonly struggling: boolean
  readonly url: string
  /** Sealed; newest first. */
  readonly secrets: readonly Buffer[]
  /** The fixed headers, sealed; null: there are none. */
  readonly headers: Buffer | null
  /** The database's time when this was read. */
  readonly now: Date
  /** The oldest due deliveries, in the order in which they are sent. */
  readonly deliveries: readonly DueDelivery[]
}

/** A due delivery of a lane. */
export interface DueDelivery {
  readonly id: string
  readonly eventDay: string
  readonly eventId: string
  readonly eventType: string
  readonly position: number
  /** Automatic attempts so far. */
  readonly attempts: number
  readonly manual: boolean
  /** Sent by the test operation: attempted once, and not counted for the endpoint's failures. */
  readonly isTest: boolean
  /** When it became due, as the database writes it; null: it was never attempted. */
  readonly dueAt: string | null
}

/** One HTTP request and its outcome. */
export interface Attempt {
  readonly startedAt: Date
  readonly durationMs: number
  readonly status: number | null
  /** Null: it succeeded. */
  readonly failure: FailureWord | null
  /** Why it failed, as one sentence. */
  readonly failureDetail: string | null
  /** The request was sent twice, because the reused connection broke. */
  readonly resent: boolean
  readonly requestHeaders: Readonly<Record<string, string>>
  readonly responseHeaders: Readonly<Record<string, string | string[]>> | null
  readonly responseBody: string | null
}

/** A delivery, and the attempt that was made for it. */
export interface Made {
  readonly delivery: DueDelivery
  readonly attempt: Attempt
}

/** A worker's result: a lane that it held, and the attempts that it made there, in order. All except the last one succeeded. */
export interface Done {
  readonly work: LaneWork
  readonly made: readonly Made[]
  /** Whether the worker wants to continue with the lane's next deliveries. */
  readonly keep: boolean
}

/** How the lane continues: with its next deliveries, which the worker that keeps the lane sends now, or with none. */
export interface Continuation {
  readonly next: LaneWork | null
  /** The lane was given back although it has a due delivery. */
  readonly due: boolean
}
