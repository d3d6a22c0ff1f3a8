import { behaviourReader, isBoolean, type Limited, wholeWithin } from '../behaviours.ts'

/** How the RDAP server answers about a domain. Left to itself it answers what is true. */
export interface RdapBehaviour extends Limited {
  /** Answer with this status; the body is an error's (RFC 9083 §6). */
  readonly status?: number
  /** With that status: when to come again, in seconds. */
  readonly retryAfterS?: number
  /** Send them elsewhere: a Location. */
  readonly redirect?: string
  /** Say nothing at all. */
  readonly silent?: boolean
  /** Wait before the answer. */
  readonly delayMs?: number
  /** Answer with this instead, whatever it is. */
  readonly body?: string
  /** So many more bytes than there are to say. */
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
