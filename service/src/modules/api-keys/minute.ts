import { Refusal } from '#platform/errors.ts'
import type { FoundKey } from './lookup-store.ts'

const windowS = 60

/**
 * One request's place in its key's minute: the last 60 s, at any moment, in all processes together (specification, "Limits").
 *
 * Refused requests are not counted: whoever goes on asking is let in as soon as the oldest counted one is a minute old.
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

  /** Gives the requests of a batch their places, in the order of asking: the first of each key are those let in. */
  static ofBatch(
    found: readonly (FoundKey | undefined)[],
    limit: number,
  ): ({ key: FoundKey; minute: Minute } | undefined)[] {
    const seen = new Map<string, number>()
    return found.map((key) => {
      if (key === undefined) return undefined
      const place = (seen.get(key.id) ?? 0) + 1
      seen.set(key.id, place)
      const { used, admitted, oldestLeavesInMs } = key
      const remaining = Math.max(0, limit - (used ?? 0) + (admitted ?? place) - place)
      const isAdmitted = admitted === null || place <= admitted
      return { key, minute: new Minute(limit, { remaining, isAdmitted, oldestLeavesInMs: oldestLeavesInMs ?? 0 }) }
    })
  }

  /** What every answer to a key says of its limit (draft-ietf-httpapi-ratelimit-headers). */
  get headers(): Record<string, string> {
    return {
      'ratelimit-policy': `"minute";q=${this.#limit};w=${windowS}`,
      ratelimit: `"minute";r=${this.#remaining};t=${this.#oldestLeavesInS}`,
    }
  }

  /** Throws `rate_limited` when this request is one too many. */
  refuseExcess(): void {
    if (this.#isAdmitted) return
    throw new Refusal(
      'rate_limited',
      `This key made ${this.#limit} requests in one minute, the maximum. Try again in ${this.#oldestLeavesInS} s.`,
      { headers: { ...this.headers, 'retry-after': String(this.#oldestLeavesInS) } },
    )
  }
}
