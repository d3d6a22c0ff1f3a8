import { behaviourReader, isBoolean, type Limited, wholeWithin } from '../behaviours.ts'

/** How a receiver answers. Left to itself: 200 to what it verified, or cannot verify for want of a secret; 400 to the rest. */
export interface Behaviour extends Limited {
  /** Answer with this status, whatever the signature. */
  readonly status?: number
  /** Wait before the answer. */
  readonly delayMs?: number
  /** Send the caller elsewhere: the Location header, with 302 unless `status` says otherwise. */
  readonly redirect?: string
  /** Never answer; keep the connection open. */
  readonly hang?: boolean
  /** Close the connection instead of answering. */
  readonly reset?: boolean
  /** Answer with a body that comes a byte at a time for a minute, or with 256 MiB as fast as they are taken. */
  readonly pour?: 'drip' | 'flood'
}

export const readBehaviour = behaviourReader<Behaviour>({
  status: wholeWithin(200, 599),
  delayMs: wholeWithin(0, 120_000),
  redirect: (value) => typeof value === 'string' && !/[^\x21-\x7e]/.test(value),
  hang: isBoolean,
  reset: isBoolean,
  pour: (value) => value === 'drip' || value === 'flood',
})
