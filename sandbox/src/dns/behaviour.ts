import { behaviourReader, isBoolean, type Limited, wholeWithin } from '../behaviours.ts'

/** How a registry's server responds about a name. By default, it responds correctly. */
export interface Behaviour extends Limited {
  /** Do not respond. */
  readonly silent?: boolean
  /** Respond over UDP with a truncated empty message, so that the client uses TCP. */
  readonly truncate?: boolean
  /** Do not know the zone: refer to the root instead. */
  readonly lame?: boolean
  /** Respond with this code and no records: 2 is SERVFAIL, 5 is REFUSED. */
  readonly rcode?: number
  /** Wait this long before the response. */
  readonly delayMs?: number
}

export const readBehaviour = behaviourReader<Behaviour>({
  silent: isBoolean,
  truncate: isBoolean,
  lame: isBoolean,
  rcode: wholeWithin(0, 15),
  delayMs: wholeWithin(0, 60_000),
})
