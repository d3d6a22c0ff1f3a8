import { Refusal } from '#platform/errors.ts'
import type { FoundKey } from './lookup-store.ts'

const windowS = 60

/** A key and the zone of its request, with the request's position in the key's minute. */
export interface CountedKey extends Pick<FoundKey, 'key' | 'zone'> {
  readonly minute: Minute
}

/**
 * The position of a request in its key's minute: the last 60 s, in all processes together (specification, "Limits").
 *
 * Refused requests are not counted: a caller that continues is admitted as soon as the oldest counted request is a minute old.
 */
export class Minute {
  readonly #limit: number
  readonly #remaining: number
  readonly #isAdmitted: boolean
  readonly #oldestLeavesInS: number

  constructor(limit: number, place: { remaining: number; isAdmitted: boolean; oldestLeavesInMs: number }) {
    this.#limit = limit
    this.#remaining = place.remaining
    this.#isAdmitted = place.isAdmitted
    this.#oldestLeavesInS = Math.min(windowS, Math.max(1, Math.ceil(place.oldestLeavesInMs / 1000)))
  }

  /** Assigns positions to the requests of a batch, in their order: the first requests of each key are admitted. */
  static ofBatch(found: readonly (FoundKey | undefined)[], limit: number): (CountedKey | undefined)[] {
    const seen = new Map<string, number>()
    return found.map((one) => {
      if (one === undefined) return undefined
      const { key, zone, window } = one
      const place = (seen.get(key.id) ?? 0) + 1
      seen.set(key.id, place)
      const { used, admitted, oldestLeavesInMs, most = limit } = window
      const remaining = Math.max(0, most - (used ?? 0) + (admitted ?? place) - place)
      const isAdmitted = admitted === null || place <= admitted
      const minute = new Minute(most, { remaining, isAdmitted, oldestLeavesInMs: oldestLeavesInMs ?? 0 })
      return { key, zone, minute }
    })
  }

  /** The headers about its limit in every response to a key (draft-ietf-httpapi-ratelimit-headers). */
  get headers(): Record<string, string> {
    return {
      'ratelimit-policy': `"minute";q=${this.#limit};w=${windowS}`,
      ratelimit: `"minute";r=${this.#remaining};t=${this.#oldestLeavesInS}`,
    }
  }

  /** Throws `rate_limited` if this request exceeds the limit. */
  refuseExcess(): void {
    if (this.#isAdmitted) return
    throw new Refusal(
      'rate_limited',
      `This key made ${this.#limit} requests in one minute, the maximum. Try again in ${this.#oldestLeavesInS} s.`,
      { headers: { ...this.headers, 'retry-after': String(this.#oldestLeavesInS) } },
    )
  }
}
