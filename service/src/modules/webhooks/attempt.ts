import type { FailureWord } from '#ports/webhook-http.ts'

/** A lane that this process holds, with the delivery to send next, if there is one. */
export interface LaneWork {
  readonly endpointId: string
  /** Changes with every delivery: who holds an old one has been fenced out. */
  readonly lease: string
  readonly struggling: boolean
  readonly url: string
  /** Sealed; the newest first. */
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
  /** Automatic attempts made so far. */
  readonly attempts: number
  readonly manual: boolean
  /** Sent by the test operation: attempted once, and says nothing about the endpoint's failures. */
  readonly isTest: boolean
  /** When it fell due, as the database writes it; null: it was never tried. */
  readonly dueAt: string | null
}

/** One HTTP request and what came of it. */
export interface Attempt {
  readonly startedAt: Date
  readonly durationMs: number
  readonly status: number | null
  /** Null: it succeeded. */
  readonly failure: FailureWord | null
  /** Why it failed, as one sentence. */
  readonly failureDetail: string | null
  /** The request was sent twice, because the kept connection that it was first written to broke. */
  readonly resent: boolean
  readonly requestHeaders: Readonly<Record<string, string>>
  readonly responseHeaders: Readonly<Record<string, string | string[]>> | null
  readonly responseBody: string | null
}

/** What a worker hands in: a lane it held, and the attempt it made there, if it made one. */
export interface Done {
  readonly work: LaneWork
  readonly attempt: Attempt | null
  /** Does the worker want to go on with the lane's next delivery? */
  readonly keep: boolean
}

/** What becomes of the lane: its next delivery, to be sent now by the worker that kept it, or none. */
export interface Continuation {
  readonly next: LaneWork | null
  /** The lane was given back although it has something due. */
  readonly due: boolean
}
