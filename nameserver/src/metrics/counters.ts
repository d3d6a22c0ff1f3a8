import { parseType, Rcode, RrType, supportedTypes, typeToText } from '@zonewright/dns'
import type { Family, Sample } from './exposition.ts'

/** How a query arrived: by UDP through the fast or the portable door, or by TCP. */
export const CountedDoor = { fast: 0, portable: 1, tcp: 2 } as const

/** Why a query was not answered. `notAQuery`: shorter than a header, or itself an answer. */
export const Silence = { notAQuery: 0, rateLimit: 1, sendFault: 2 } as const

/** What was sent instead of an answer above the rate limit. */
export const LimitedTo = { silence: 0, truncated: 1, badCookie: 2 } as const

const doors = ['fast', 'portable', 'tcp']
const silences = ['not_a_query', 'rate_limit', 'send_fault']
const limits = ['silence', 'truncated', 'badcookie']
const limiters = ['zone', 'prefix']
const verdicts = ['none', 'client_only', 'valid', 'invalid', 'malformed']
const rcodes = Array.from({ length: 24 }, (_, code) => rcodeName(code))

const asked = [RrType.ANY, RrType.AXFR, RrType.IXFR]
const types = ['other', ...new Set([...supportedTypes(), ...asked].map(typeToText))]
/** The index in `types`, by type number. */
const typeSlots = new Uint8Array(65536)
for (const [slot, text] of types.entries()) if (slot > 0) typeSlots[parseType(text)] = slot

const queriesAt = 0
const responsesAt = queriesAt + doors.length * types.length
const truncatedAt = responsesAt + rcodes.length
const silencesAt = truncatedAt + 1
const limitsAt = silencesAt + silences.length
const verdictsAt = limitsAt + limiters.length * limits.length
/** A multiple of two cache lines, so that threads do not write to each other's cache lines. */
const rowLength = Math.ceil((verdictsAt + verdicts.length) / 16) * 16

/**
 * The counts of one thread. Each thread writes its own row in shared memory, in a nanosecond per count; `CounterTotals`
 * reads them all. A thread that takes over a row after a crash continues its counts.
 *
 * Counts are doubles: exact up to 2^53, and written atomically by every 64-bit machine.
 */
export class Counters {
  readonly #row: Float64Array

  /** Allocates the memory for the given number of threads. */
  static allocate(threads: number): SharedArrayBuffer {
    return new SharedArrayBuffer(threads * rowLength * Float64Array.BYTES_PER_ELEMENT)
  }

  /** `thread` counts from 0. */
  constructor(shared: SharedArrayBuffer, thread: number) {
    this.#row = new Float64Array(shared, thread * rowLength * Float64Array.BYTES_PER_ELEMENT, rowLength)
  }

  /** A query whose question could be read. `door` is a `CountedDoor`, `type` the number of the queried type. */
  query(door: number, type: number): void {
    this.#count(queriesAt + door * types.length + (typeSlots[type] ?? 0))
  }

  /** An answer that went out, truncated or not. `rcode` has all its 12 bits. */
  response(rcode: number): void {
    if (rcode < rcodes.length) this.#count(responsesAt + rcode)
  }

  /** An answer that was truncated to the size that the client accepts over UDP. `limited` counts those of the rate limiter. */
  truncated(): void {
    this.#count(truncatedAt)
  }

  /** A query without an answer. `why` is a `Silence`. */
  silent(why: number): void {
    this.#count(silencesAt + why)
  }

  /** An answer above the rate limit. `by` is a `LimitedBy`, `to` a `LimitedTo`. */
  limited(by: number, to: number): void {
    this.#count(limitsAt + by * limits.length + to)
  }

  /** A query with a cookie. `verdict` is a `CookieVerdict`. */
  cookie(verdict: number): void {
    this.#count(verdictsAt + verdict)
  }

  #count(at: number): void {
    this.#row[at] = (this.#row[at] ?? 0) + 1
  }
}

/** The sums over all threads. */
export class CounterTotals {
  readonly #rows: Float64Array

  constructor(shared: SharedArrayBuffer) {
    this.#rows = new Float64Array(shared)
  }

  families(): Family[] {
    return [
      {
        name: 'zonewright_nameserver_queries_total',
        type: 'counter',
        help: 'Queries, by door (fast and portable are UDP) and query type.',
        samples: this.#queries(),
      },
      {
        name: 'zonewright_nameserver_responses_total',
        type: 'counter',
        help: 'Answers sent, by response code.',
        samples: this.#group(responsesAt, 'rcode', rcodes).filter(
          ({ value }, code) => value > 0 || code <= Rcode.REFUSED,
        ),
      },
      {
        name: 'zonewright_nameserver_responses_truncated_total',
        type: 'counter',
        help: 'Answers truncated to the size that the client accepts over UDP, not counting those of the rate limiter.',
        samples: [{ value: this.#sum(truncatedAt) }],
      },
      {
        name: 'zonewright_nameserver_queries_unanswered_total',
        type: 'counter',
        help: 'Messages without an answer, by reason: not a query, above a rate limit, or a failure to send the answer.',
        samples: this.#group(silencesAt, 'reason', silences),
      },
      {
        name: 'zonewright_nameserver_rate_limited_total',
        type: 'counter',
        help: 'Answers above a rate limit, by the limit that was exceeded and what was sent instead.',
        samples: limiters.flatMap((by, index) =>
          this.#group(limitsAt + index * limits.length, 'sent', limits).map(({ labels, value }) => ({
            labels: { by, ...labels },
            value,
          })),
        ),
      },
      {
        name: 'zonewright_nameserver_cookies_total',
        type: 'counter',
        help: 'Queries with a DNS cookie, by the result of checking it.',
        samples: this.#group(verdictsAt, 'verdict', verdicts).slice(1),
      },
    ]
  }

  /** Only types that were queried, because there are many. */
  #queries(): Sample[] {
    const samples = doors.flatMap((door, index) =>
      this.#group(queriesAt + index * types.length, 'type', types).map(({ labels, value }) => ({
        labels: { door, ...labels },
        value,
      })),
    )
    return samples.filter(({ value }) => value > 0)
  }

  #group(from: number, label: string, names: readonly string[]): Sample[] {
    return names.map((name, index) => ({ labels: { [label]: name }, value: this.#sum(from + index) }))
  }

  #sum(at: number): number {
    let sum = 0
    for (let row = 0; row < this.#rows.length; row += rowLength) sum += this.#rows[row + at] ?? 0
    return sum
  }
}

function rcodeName(code: number): string {
  const [name] = Object.entries(Rcode).find(([, value]) => value === code) ?? [`RCODE${code}`]
  return name
}
