import type { z } from 'zod'
import type { ChangeSource } from './actor.ts'
import { type ErrorCode, errorStatuses } from './errors.ts'
import { maxJsonBytes, maxPublicBodyBytes, type OutsideKind } from './limits.ts'
import type { limitablePermissions, Permission } from './permissions.ts'

/**
 * Who may call a route: anyone, only a person signed in to the dashboard, or a key with any one of these permissions
 * (a person in the dashboard has all of them).
 */
export type Who = 'public' | 'session' | 'any-key' | readonly [Permission, ...Permission[]]

/** A key with limits may have a permission that opens routes of this kind. */
type OpensToLimited<W extends Who> = W extends 'any-key'
  ? true
  : W extends readonly (infer Opening)[]
    ? [Extract<Opening, (typeof limitablePermissions)[number]>] extends [never]
      ? false
      : true
    : false

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** The media type of a body that is not JSON, and its largest size. */
export interface RawBody {
  readonly raw: string
  readonly maxBytes: number
  /** The same as JSON, for callers that send JSON. */
  readonly json?: z.ZodType
}

/** Success status → the shape of its body, or null if it has none. */
export type Answers = Readonly<Record<number, z.ZodType | { readonly raw: string } | null>>

/**
 * One route of the API. The server, the OpenAPI document, the dashboard's client and the permission tests read only this.
 *
 * `path` is below `/api/v1`, with `{names}`; a path with `{zone}` is checked against the key's zone scope.
 */
export interface Route<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType | RawBody = z.ZodType | RawBody,
  Answered extends Answers = Answers,
> {
  readonly id: string
  readonly method: Method
  readonly path: string
  readonly who: Who
  /**
   * The call covers a whole zone, so a key with limits is refused. `false`: the handler applies the limits of the key, or shows no record
   * sets. Every route that such a key might call says which (`route`). Without a value, such a key is refused.
   */
  readonly wholeZone?: boolean
  readonly summary: string
  readonly description?: string
  readonly params?: Params
  readonly query?: Query
  readonly body?: Body
  /** Maximum bytes of a JSON body. Default: `maxJsonBytes`. */
  readonly maxBytes?: number
  readonly answers: Answered
  /** Another media type of the response, for callers that request it with `Accept`. */
  readonly alsoAs?: string
  /** The response contains a secret: it is not stored for a repeat with the same Idempotency-Key, which gets 409. */
  readonly secret?: true
  /** Its response may be too long to store for repeats, which then get `replayedSchema`. */
  readonly long?: true
  /** A POST that accepts no Idempotency-Key: its effect is the same however often it is sent. */
  readonly repeatable?: true
  /** A public route whose caller signs its requests: only requests that fail count toward their address's limit. */
  readonly signed?: true
  /** It changes nothing although it is not a GET: its body does not count toward the daily change budget. */
  readonly reads?: true
  /** Serving it contacts outside servers: an account's calls of this kind are limited (`outsideCallsPerMinute`). */
  readonly outside?: OutsideKind
  /** The source of the changes that are made through it. Default: `dashboard` for a session, `api` for a key. */
  readonly source?: ChangeSource
  /** Headers of its successful responses that do not follow from the rest. `Location` is sent only with 201. */
  readonly headers?: readonly ('ETag' | 'Location' | 'Content-Disposition')[]
  /** Codes beyond those that any route can return. */
  readonly errors?: readonly ErrorCode[]
}

/** Defines a route, keeping the exact types of its schemas. One that a key with limits might call must have `wholeZone`. */
export function route<
  const Params extends z.ZodType = z.ZodUndefined,
  const Query extends z.ZodType = z.ZodUndefined,
  const Body extends z.ZodType | RawBody = z.ZodUndefined,
  const Answered extends Answers = Answers,
  const W extends Who = Who,
>(
  definition: Route<Params, Query, Body, Answered> & { readonly who: W } & (OpensToLimited<W> extends true
      ? { readonly wholeZone: boolean }
      : unknown),
): Route<Params, Query, Body, Answered> {
  return definition
}

/**
 * Whether calls of a route count toward the daily change budget: those that may store something, from their body or from existing data.
 * Calls that only delete work even if no budget is left.
 */
export function countsBytes({ who, method, body, long, reads }: Route): boolean {
  const mayWrite = method !== 'GET' && method !== 'DELETE' && reads !== true
  return who !== 'public' && mayWrite && (body !== undefined || long === true)
}

/** Whether a repeat of a call of this route with the same Idempotency-Key gets the original response. */
export function takesIdempotencyKey({ method, repeatable }: Route): boolean {
  return method === 'POST' && repeatable === undefined
}

/** The errors that a route may return: its own and those of its kind. */
export function errorsOf(route: Route): ErrorCode[] {
  // 422 for all of them: a parameter that a route does not have is refused.
  const codes = new Set<ErrorCode>(['unavailable', 'validation_failed', 'rate_limited', ...(route.errors ?? [])])
  if (route.who !== 'public') for (const code of ['signed_out', 'invalid_key', 'forbidden'] as const) codes.add(code)
  if (route.path.includes('{')) codes.add('not_found').add('uri_too_long')
  if (route.method !== 'GET')
    for (const code of ['malformed_request', 'payload_too_large', 'unsupported_media_type'] as const) codes.add(code)
  if (countsBytes(route)) codes.add('quota_exceeded')
  if (takesIdempotencyKey(route)) codes.add('idempotency_mismatch').add('conflict')
  if (route.secret) codes.add('idempotency_replayed')
  return [...codes].sort((a, b) => errorStatuses[a] - errorStatuses[b] || (a < b ? -1 : 1))
}

/** Maximum bytes of a request's body. Larger ones are refused with `payload_too_large`. */
export function maxBodyBytes({ who, body, maxBytes }: Route): number {
  if (isRaw(body)) return body.maxBytes
  if (maxBytes !== undefined) return maxBytes
  return who === 'public' ? maxPublicBodyBytes : maxJsonBytes
}

/** Whether a request must have a body. It need not if every member is optional. */
export function needsBody(body: z.ZodType | RawBody | undefined): boolean {
  return body !== undefined && (isRaw(body) || !body.safeParse({}).success)
}

export function isRaw(body: z.ZodType | RawBody | undefined): body is RawBody {
  return body !== undefined && 'raw' in body
}
