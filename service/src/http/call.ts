import type { RecordLimit, Route } from '@zonewright/contract'
import type { z } from 'zod'
import type { Actor, Caller } from '#platform/caller.ts'
import type { IfMatch } from '#platform/http/etag.ts'
import type { Statement, Tx } from '#platform/postgres/index.ts'
import type { ListRequest } from './list-request.ts'

/** The zone that `{zone}` names, as far as the caller may know of it. */
export interface CalledZone {
  readonly id: string
  readonly name: string
  readonly state: 'pending' | 'live'
  readonly role: 'owner' | 'manager'
  /** Does the caller's key cover it? A person's session covers every zone that it can see. */
  readonly covered: boolean
  /** The record sets in it that the caller's key is limited to; null: the caller has no limits. */
  readonly limits?: readonly RecordLimit[] | null
  /** The preloaded data of the zone, for the module that requested it (`MountOptions`). */
  readonly preload?: unknown
}

/**
 * What a route reads of the zone in its path in the statement that looks up the key (docs/decisions/0017). Only the module that makes it
 * knows what it is.
 */
export interface Preload {
  /**
   * SQL: a value of type `json` about the zone `z`, by the arguments `asked.args[1]`, `asked.args[2]` … All preloads of one kind have the
   * same one.
   */
  readonly column: Statement
  readonly args: readonly string[]
  /** Turns the value into what handlers get as `zone.preload`. */
  readonly read: (value: unknown) => unknown
  /** The request changes what is read. Of two such requests for one zone at once, neither preloads. */
  readonly isForChange: boolean
}

/** What a request shows of who makes it. */
export interface Credentials {
  readonly method: string
  /** All Authorization headers, with commas between: more than one is as bad as none of the right form. */
  readonly authorization: string | undefined
  readonly cookie: string | undefined
  /** Of the page that a browser sent it from. */
  readonly origin: string | undefined
  /** The `{zone}` of the path. */
  readonly zoneRef: string | undefined
  /** In place of `zoneRef`, for a door: an owner name, without its final dot. It selects the closest zone at or above it that the account can see. */
  readonly nameInZone?: string | undefined
  readonly preload?: Preload | undefined
  readonly address: string
  /** The request was let in before its body was there: it is looked at again, and not counted again. */
  readonly wasAdmitted?: boolean
}

/**
 * Finds out who makes a request and, for `{zone}` paths, what the caller may know of that zone. Throws a Refusal (401, 403, 429).
 *
 * `headers` go with the answer, whatever it is.
 */
export type Authenticate = (credentials: Credentials) => Promise<{
  readonly caller: Caller
  readonly zone: CalledZone | undefined
  readonly headers?: Readonly<Record<string, string>>
}>

/** The caller of a request, and the zone that it names. `atMs`: when that had been found, by `performance.now()`. */
export interface Admitted {
  readonly atMs: number
  readonly caller: Caller | undefined
  readonly zone: CalledZone | undefined
}

/** What a handler answers. A body is JSON unless `type` says otherwise. A `Readable` is sent as it comes. */
export interface Answer {
  readonly status: number
  readonly body?: unknown
  readonly type?: string
  /** The cursor of the next page, for a response that is not JSON. JSON has it as `next_cursor`. Either becomes the `Link`. */
  readonly nextCursor?: string | null
  readonly headers?: Readonly<Record<string, string>>
  /** The path of what was made, below `/api/v1`: it becomes the `Location`. */
  readonly location?: string
  /** The serial, in full, that a zone has by what was done: `Prefer: wait` is for it. Kept for repeats, and not sent. */
  readonly zoneSerial?: number
  /** Bytes written, if they may be far more than the body has. 0: nothing was changed. Counted for the daily change budget, not sent. */
  readonly writtenBytes?: number
}

/** Adds to an answer what is so as it is sent, to a kept one (Idempotency-Key) each time that it is given again. */
export type Finish = (
  call: {
    readonly zone: CalledZone
    /** For so many seconds the caller would wait for the nameservers (`Prefer: wait`, RFC 7240); undefined: not at all. */
    readonly waitS: number | undefined
    /** Aborted once the process is to stop: who waits is answered with what is so then. */
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

/** Work in several transactions, each of which keeps how far the work is. */
export interface Steps<Done> {
  /** How far an earlier call with the same Idempotency-Key came before its process ended. Undefined: this is the first call. */
  readonly done: Done | undefined
  /**
   * One step: runs the work in a transaction, in the turn of a key if one is given (`Database.transactInTurn`), and keeps there how far all work is then.
   *
   * @throws Refusal `conflict` if another process has taken over, because this one was silent for too long; nothing of the step is kept
   */
  step(work: (tx: Tx) => Promise<Done>, turn?: string): Promise<void>
}

/** One authorised and parsed request. */
export interface Call<R extends Route = Route> {
  readonly caller: Caller
  readonly actor: Actor
  readonly zone: CalledZone
  readonly params: Output<NonNullable<R['params']>>
  readonly query: Output<NonNullable<R['query']>>
  readonly body: Output<NonNullable<R['body']>>
  /** For a route whose query has `limit`: the requested page. */
  readonly list: ListRequest
  /** The media type that the caller prefers to JSON, of those that the route has. */
  readonly accept: string | undefined
  /** The versions that If-Match names: refuse to change a zone that has another one. */
  readonly ifMatch: IfMatch
  /** A header of the request, as it came. */
  readonly header: (name: string) => string | undefined
  /** The answer is kept for a repeat with the same Idempotency-Key: the work must be done by `transact`. */
  readonly isKept: boolean
  /**
   * Runs the work in one transaction. On a POST with an Idempotency-Key its answer is kept in the same transaction,
   * and a repeat gets that answer without the work being done again.
   */
  transact(work: (tx: Tx) => Promise<Answer>): Promise<Answer>
  /**
   * Runs work that asks the network outside any transaction. On a POST with an Idempotency-Key its answer is kept, and a repeat
   * gets it; while it is under way a repeat is refused with `conflict` and Retry-After.
   */
  once(work: () => Promise<Answer>): Promise<Answer>
  /**
   * Runs work that is too much for one transaction in several. On a POST with an Idempotency-Key, each of them keeps how far the work is, so a
   * repeat continues if the first call failed or its process ended. A repeat while it is in progress is refused as above.
   */
  inSteps<Done>(work: (steps: Steps<Done>) => Promise<Answer>): Promise<Answer>
}

export type Handler<R extends Route = Route> = (call: Call<R>) => Promise<Answer>

/** What a route may want beyond the usual. */
export interface MountOptions {
  /** What may be preloaded, by the path: it comes as `zone.preload`. */
  readonly preload?: (params: Readonly<Record<string, string>>) => Preload | undefined
  /** The scope within which an Idempotency-Key of a public route is unique, in place of the caller's id. No caller has it as its id. */
  readonly idempotencyScope?: (params: Readonly<Record<string, string>>) => Promise<string>
  readonly finish?: Finish
  /** Refuses a request of a public route by its path, before its body is read. */
  readonly admit?: (params: Readonly<Record<string, string>>) => Promise<unknown>
}
