import type { RecordLimit, Route } from '@zonewright/contract'
import type { z } from 'zod'
import type { Actor, Caller } from '#platform/caller.ts'
import type { IfMatch } from '#platform/http/etag.ts'
import type { Statement, Tx } from '#platform/postgres/index.ts'
import type { ListRequest } from './list-request.ts'

/** What the caller may know about the zone that `{zone}` names. */
export interface CalledZone {
  readonly id: string
  readonly name: string
  readonly state: 'pending' | 'live'
  readonly role: 'owner' | 'manager'
  /** Whether the caller's key covers it. A person's session covers every zone that it can see. */
  readonly covered: boolean
  /** The record sets in it that the caller's key is limited to; null: the caller has no limits. */
  readonly limits?: readonly RecordLimit[] | null
  /** The preloaded data of the zone, for the module that requested it (`MountOptions`). */
  readonly preload?: unknown
}

/**
 * The data about the zone in its path that a route reads in the statement that looks up the key (docs/decisions/0017). Only the module that creates
 * it knows its content.
 */
export interface Preload {
  /**
   * SQL: a value of type `json` about the zone `z`, computed from the arguments `asked.args[1]`, `asked.args[2]` … All preloads of one kind share the
   * same SQL.
   */
  readonly column: Statement
  readonly args: readonly string[]
  /** Turns the value into what handlers get as `zone.preload`. */
  readonly read: (value: unknown) => unknown
  /** Whether the request changes what is read. If two of these requests for one zone run at once, neither preloads. */
  readonly isForChange: boolean
}

/** What a request reveals about its caller. */
export interface Credentials {
  readonly method: string
  /** All Authorization headers, joined with commas: more than one is as bad as none of the right form. */
  readonly authorization: string | undefined
  readonly cookie: string | undefined
  /** The origin of the page from which a browser sent it. */
  readonly origin: string | undefined
  /** The `{zone}` of the path. */
  readonly zoneRef: string | undefined
  /** In place of `zoneRef`, for a door: an owner name, without its final dot. It selects the closest zone at or above it that the account can see. */
  readonly nameInZone?: string | undefined
  readonly preload?: Preload | undefined
  readonly address: string
  /** The request was admitted before its body arrived: it is checked again, but not counted again. */
  readonly wasAdmitted?: boolean
}

/**
 * Finds out who makes a request and, for `{zone}` paths, what the caller may know of that zone. Throws a Refusal (401, 403, 429).
 *
 * `headers` are added to the response, whatever it is.
 */
export type Authenticate = (credentials: Credentials) => Promise<{
  readonly caller: Caller
  readonly zone: CalledZone | undefined
  readonly headers?: Readonly<Record<string, string>>
}>

/** The caller of a request, and the zone that it names. `atMs`: when they had been looked up, by `performance.now()`. */
export interface Admitted {
  readonly atMs: number
  readonly caller: Caller | undefined
  readonly zone: CalledZone | undefined
}

/** The response from a handler. A body is JSON unless `type` says otherwise. A `Readable` is streamed. */
export interface Answer {
  readonly status: number
  readonly body?: unknown
  readonly type?: string
  /** The cursor of the next page, for a response that is not JSON. JSON has it as `next_cursor`. Either becomes the `Link`. */
  readonly nextCursor?: string | null
  readonly headers?: Readonly<Record<string, string>>
  /** The path of the created resource, below `/api/v1`. It becomes the `Location`. */
  readonly location?: string
  /** The zone's full serial after the change, for `Prefer: wait`. Stored for repeats, but not sent. */
  readonly zoneSerial?: number
  /** Bytes written, if they may be many more than the body has. 0: nothing was changed. Counted toward the daily change budget, but not sent. */
  readonly writtenBytes?: number
}

/** Adds to a response what is known only when it is sent. For a stored response (Idempotency-Key), this happens at each repeat. */
export type Finish = (
  call: {
    readonly zone: CalledZone
    /** How many seconds the caller is willing to wait for the nameservers (`Prefer: wait`, RFC 7240); undefined: it does not wait. */
    readonly waitS: number | undefined
    /** Aborted when the process is about to stop: waiting callers then get a response with the current state. */
    readonly leaving: AbortSignal
  },
  answer: Answer,
) => Promise<Answer>

type Output<S> = S extends z.ZodType
  ? z.output<S>
  : S extends { raw: string; json: infer J extends z.ZodType }
    ? string | z.output<J>
    : S extends { raw: string }
      ? string
      : undefined

/** Work in several transactions, each of which stores the progress of the work. */
export interface Steps<Done> {
  /** The progress that an earlier call with the same Idempotency-Key made before its process ended. Undefined: this is the first call. */
  readonly done: Done | undefined
  /**
   * One step: runs the work in a transaction, in the turn of a key if one is given (`Database.transactInTurn`), and stores the progress of all work
   * in it.
   *
   * @throws Refusal `conflict` if another process has taken over, because this one was silent for too long; nothing of the step is kept
   */
  step(work: (tx: Tx) => Promise<Done>, turn?: string): Promise<void>
}

/** One authorized and parsed request. */
export interface Call<R extends Route = Route> {
  readonly caller: Caller
  readonly actor: Actor
  readonly zone: CalledZone
  readonly params: Output<NonNullable<R['params']>>
  readonly query: Output<NonNullable<R['query']>>
  readonly body: Output<NonNullable<R['body']>>
  /** For a route whose query has `limit`: the requested page. */
  readonly list: ListRequest
  /** The media type of the route that the caller prefers to JSON. */
  readonly accept: string | undefined
  /** The versions that If-Match names: refuse to change a zone that has another one. */
  readonly ifMatch: IfMatch
  /** A header of the request, as received. */
  readonly header: (name: string) => string | undefined
  /** The response is stored for a repeat with the same Idempotency-Key, so the work must be done by `transact`. */
  readonly isKept: boolean
  /**
   * Runs the work in one transaction. On a POST with an Idempotency-Key, the response is stored in the same transaction, and a repeat gets that
   * response without repeating the work.
   */
  transact(work: (tx: Tx) => Promise<Answer>): Promise<Answer>
  /**
   * Runs work that uses the network, outside any transaction. On a POST with an Idempotency-Key, the response is stored, and a repeat gets it. While
   * the work is in progress, a repeat is refused with `conflict` and Retry-After.
   */
  once(work: () => Promise<Answer>): Promise<Answer>
  /**
   * Runs work that is too large for one transaction in several. On a POST with an Idempotency-Key, each of them stores the progress, so a repeat
   * continues if the first call failed or its process ended. A repeat while it is in progress is refused as above.
   */
  inSteps<Done>(work: (steps: Steps<Done>) => Promise<Answer>): Promise<Answer>
}

export type Handler<R extends Route = Route> = (call: Call<R>) => Promise<Answer>

/** Optional settings of a route. */
export interface MountOptions {
  /** What may be preloaded, depending on the path. Handlers get it as `zone.preload`. */
  readonly preload?: (params: Readonly<Record<string, string>>) => Preload | undefined
  /** The scope within which an Idempotency-Key of a public route is unique, in place of the caller's id. No caller has it as its id. */
  readonly idempotencyScope?: (params: Readonly<Record<string, string>>) => Promise<string>
  readonly finish?: Finish
  /** Refuses a request of a public route by its path, before its body is read. */
  readonly admit?: (params: Readonly<Record<string, string>>) => Promise<unknown>
}
