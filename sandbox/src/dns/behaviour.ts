import { behaviourReader, isBoolean, type Limited, wholeWithin } from '../behaviours.ts'

/** How a registry's server answers about a name. Left to itself it answers what is true. */
export interface Behaviour extends Limited {
  /** Say nothing at all. */
  readonly silent?: boolean
  /** Answer by UDP with nothing but "too long, come by TCP". */
  readonly truncate?: boolean
  /** Know nothing of the zone: refer to the root instead. */
  readonly lame?: boolean
  /** Answer with this code and no records: 2 is SERVFAIL, 5 is REFUSED. */
  readonly rcode?: number
  /** Wait before the answer. */
  readonly delayMs?: number
}

export const readBehaviour = behaviourReader<Behaviour>({
  silent: isBoolean,
  truncate: isBoolean,
  lame: isBoolean,
  rcode: wholeWithin(0, 15),
  delayMs: wholeWithin(0, 60_000),
})
