import type { FailureWord } from '#ports/webhook-http.ts'

/** A lane that this process holds, with the delivery to send next, if any. */
export interface LaneWork {
  readonly endpointId: string
  /** Changes with every delivery: a worker with an old lease has lost the lane. */
  readonly lease: string
  readonly struggling: boolean
  readonly url: string
  /** Sealed; newest first. */
  readonly secrets: readonly Buffer[]
  /** The database's time when this was read. */
  readonly now: Date
  readonly delivery: DueDelivery | null
}

/** The oldest due delivery of a lane. */
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
  /** When it became due, as the database writes it; null: it was never tried. */
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

/** A worker's result: a lane that it held, and the attempt that it made there, if any. */
export interface Done {
  readonly work: LaneWork
  readonly attempt: Attempt | null
  /** Whether the worker wants to continue with the lane's next delivery. */
  readonly keep: boolean
}

/** What happens to the lane: its next delivery, to be sent now by the worker that keeps it, or none. */
export interface Continuation {
  readonly next: LaneWork | null
  /** The lane was given back although it has a due delivery. */
  readonly due: boolean
}
