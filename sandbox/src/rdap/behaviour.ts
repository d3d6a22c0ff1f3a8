import { behaviourReader, isBoolean, type Limited, wholeWithin } from '../behaviours.ts'

/** How the RDAP server responds about a domain. By default, it responds correctly. */
export interface RdapBehaviour extends Limited {
  /** Respond with this status and an error body (RFC 9083 §6). */
  readonly status?: number
  /** The Retry-After of this response, in seconds. */
  readonly retryAfterS?: number
  /** Redirect to this Location. */
  readonly redirect?: string
  /** Do not respond. */
  readonly silent?: boolean
  /** Wait this long before the response. */
  readonly delayMs?: number
  /** Respond with this body instead, whatever it is. */
  readonly body?: string
  /** Append this many bytes to the response. */
  readonly padBytes?: number
}

const isText = (value: unknown): boolean => typeof value === 'string'

export const readRdapBehaviour = behaviourReader<RdapBehaviour>({
  status: wholeWithin(200, 599),
  retryAfterS: wholeWithin(0, 86_400),
  redirect: isText,
  silent: isBoolean,
  delayMs: wholeWithin(0, 60_000),
  body: isText,
  padBytes: wholeWithin(0, 100_000_000),
})
