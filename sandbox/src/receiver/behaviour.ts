import { behaviourReader, isBoolean, type Limited, wholeWithin } from '../behaviours.ts'

/**
 * How a receiver responds. By default, it returns 200 to requests that it verified, or cannot verify because it has no secret, and 400 to all others.
 */
export interface Behaviour extends Limited {
  /** Respond with this status, whatever the signature. */
  readonly status?: number
  /** Wait this long before the response. */
  readonly delayMs?: number
  /** Redirect to this Location, with 302 unless `status` says otherwise. */
  readonly redirect?: string
  /** Never respond, and keep the connection open. */
  readonly hang?: boolean
  /** Close the connection instead of responding. */
  readonly reset?: boolean
  /** Respond with a body that is sent one byte at a time for a minute, or with 256 MiB as fast as the client reads them. */
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
