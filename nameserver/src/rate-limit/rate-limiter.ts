import { randomBytes } from 'node:crypto'
import { type AddressPrefix, prefixMask } from './address-prefix.ts'
import { halfSipHash13 } from './half-siphash.ts'

export interface RateLimits {
  /** Answers of one kind from one zone to one prefix of clients; as many may come at once after a quiet second. */
  readonly answersPerSecond: number
  /** One limited answer in so many is sent truncated instead of dropped: 1 for each, 0 for none. */
  readonly slip: number
  /** How much of a client's address counts: 1 to 32 bits. */
  readonly ipv4PrefixBits: number
  /** 1 to 64 bits. */
  readonly ipv6PrefixBits: number
  /** Clients that are never limited. */
  readonly allow: readonly AddressPrefix[]
}

/** 200 answers and a slip of 2 are NSD's defaults; /24 and /56 are BIND's. */
export const usualRateLimits: RateLimits = {
  answersPerSecond: 200,
  slip: 2,
  ipv4PrefixBits: 24,
  ipv6PrefixBits: 56,
  allow: [],
}

/** What is counted apart. Referrals and wildcard answers are positive; NODATA and NXDOMAIN are negative. */
export const AnswerKind = { positive: 0, negative: 1, error: 2 } as const

/** `slip`: an empty answer with TC, so that a client that is really there comes by TCP. `drop`: silence. */
export const RateVerdict = { send: 0, slip: 1, drop: 2 } as const

const usualBuckets = 2 ** 20
const [rateAt, slipAt, ipv4BitsAt, ipv6BitsAt, seedAt, setsAt, allowCountAt, allowAt] = [0, 1, 2, 3, 4, 6, 7, 8]
const [allowBytesAt, allowBitsAt, allowAddressAt, allowWords] = [0, 1, 2, 6]
// A set is the 64 bytes that the processor fetches at once.
const [waysPerSet, bucketWords, setWords] = [4, 4, 16]
const [tagAt, filledUntilAt, limitedAt] = [0, 1, 2]

/**
 * Response rate limiting: keeps the nameserver from being the amplifier of an attack with forged sender addresses.
 *
 * Each client prefix has a bucket for each zone and kind of answer (errors: one for all zones). An answer puts a drop
 * in; a bucket holds as many as may be sent in a second and leaks as fast. Time is counted in drops: the one number of
 * a bucket says when it will have run dry.
 *
 * The table of buckets is shared by all threads and never grows. A keyed hash leads to four of them. Where all four
 * are taken, the emptiest gets a new owner and keeps its drops: crowding the table makes no more room than it has. Two
 * clients are in each other's way only when their hashes are equal in 32 bits, or when four busy ones are there already.
 *
 * Drops are added by compare-and-exchange: the limit holds over all threads together. Owners are written plainly: of
 * two threads that give one bucket away at once, one may put its drop into the other's bucket, and no more.
 */
export class RateLimiter {
  readonly #table: Int32Array
  readonly #rate: number
  readonly #slip: number
  readonly #ipv4Mask: number
  readonly #ipv6Masks: readonly [number, number]
  readonly #setMask: number
  readonly #firstSet: number
  readonly #key = new Int32Array(4)
  /** Drops that a bucket would have leaked since the beginning of time, modulo 2^32. */
  #now = 0

  /** The memory that all limiters of a nameserver attach to: 16 bytes a bucket, used only once it is touched. */
  static allocate(limits: RateLimits, buckets = usualBuckets): SharedArrayBuffer {
    const sets = 2 ** Math.ceil(Math.log2(Math.max(buckets / waysPerSet, 1)))
    const words = firstSetOf(limits.allow.length) + sets * setWords
    const shared = new SharedArrayBuffer(words * Int32Array.BYTES_PER_ELEMENT)
    const table = new Int32Array(shared)
    table[rateAt] = limits.answersPerSecond
    table[slipAt] = limits.slip
    table[ipv4BitsAt] = limits.ipv4PrefixBits
    table[ipv6BitsAt] = limits.ipv6PrefixBits
    table.set(new Int32Array(new Uint8Array(randomBytes(8)).buffer), seedAt)
    table[setsAt] = sets
    table[allowCountAt] = limits.allow.length
    for (const [index, prefix] of limits.allow.entries()) table.set(wordsOf(prefix), allowAt + index * allowWords)
    return shared
  }

  constructor(shared: SharedArrayBuffer) {
    const table = new Int32Array(shared)
    const ipv6Bits = table[ipv6BitsAt] ?? 0
    this.#table = table
    this.#rate = table[rateAt] ?? 0
    this.#slip = table[slipAt] ?? 0
    this.#ipv4Mask = prefixMask(table[ipv4BitsAt] ?? 0, 0)
    this.#ipv6Masks = [prefixMask(ipv6Bits, 0), prefixMask(ipv6Bits, 1)]
    this.#setMask = (table[setsAt] ?? 0) - 1
    this.#firstSet = firstSetOf(table[allowCountAt] ?? 0)
  }

  /** Tells the time, once for each batch of queries: milliseconds of a clock that all threads share (`Date.now()`). */
  tick(nowMs: number): void {
    const wholeS = Math.floor(nowMs / 1000)
    this.#now = (wholeS * this.#rate + Math.floor(((nowMs - wholeS * 1000) * this.#rate) / 1000)) | 0
  }

  /**
   * Whether an answer may go to the address of 4 or 16 bytes at `addressAt`. Not to be asked over TCP, nor for a client
   * with a valid cookie: their addresses are not forged.
   *
   * @param kind an `AnswerKind`.
   * @param zone what stands for the zone, any 32-bit number; 0 for errors.
   * @returns a `RateVerdict`.
   */
  judge(kind: number, zone: number, addresses: DataView, addressAt: number, addressBytes: number): number {
    const bucket = this.#bucketOf(this.#hash(kind, zone, addresses, addressAt, addressBytes))
    if (this.#fill(bucket)) return RateVerdict.send
    if (this.#isAllowed(addresses, addressAt, addressBytes)) return RateVerdict.send
    if (this.#slip === 0) return RateVerdict.drop
    const limited = Atomics.add(this.#table, bucket + limitedAt, 1)
    return limited % this.#slip === 0 ? RateVerdict.slip : RateVerdict.drop
  }

  #hash(kind: number, zone: number, addresses: DataView, addressAt: number, addressBytes: number): number {
    const key = this.#key
    let words = 0
    if (addressBytes === 4) {
      key[words++] = addresses.getInt32(addressAt) & this.#ipv4Mask
    } else {
      key[words++] = addresses.getInt32(addressAt) & this.#ipv6Masks[0]
      key[words++] = addresses.getInt32(addressAt + 4) & this.#ipv6Masks[1]
    }
    key[words++] = zone
    key[words] = kind
    return halfSipHash13(this.#table[seedAt] ?? 0, this.#table[seedAt + 1] ?? 0, key, 4 * words + 1)
  }

  /** The bucket with this tag, or else the emptiest of its set, given that tag. */
  #bucketOf(tag: number): number {
    const table = this.#table
    const set = this.#firstSet + ((tag & this.#setMask) << 4)
    for (let bucket = set; bucket < set + setWords; bucket += bucketWords) {
      if (table[bucket + tagAt] === tag) return bucket
    }
    let emptiest = set
    for (let bucket = set + bucketWords; bucket < set + setWords; bucket += bucketWords) {
      const [drops, fewest] = [table[bucket + filledUntilAt] ?? 0, table[emptiest + filledUntilAt] ?? 0]
      if (this.#dropsIn(drops) < this.#dropsIn(fewest)) emptiest = bucket
    }
    table[emptiest + tagAt] = tag
    return emptiest
  }

  /** Adds a drop, unless the bucket is full. */
  #fill(bucket: number): boolean {
    for (;;) {
      const filledUntil = Atomics.load(this.#table, bucket + filledUntilAt)
      const drops = this.#dropsIn(filledUntil)
      if (drops >= this.#rate) return false
      const next = (this.#now + drops + 1) | 0
      if (Atomics.compareExchange(this.#table, bucket + filledUntilAt, filledUntil, next) === filledUntil) return true
    }
  }

  #dropsIn(filledUntil: number): number {
    const drops = (filledUntil - this.#now) | 0
    // It ran dry so long ago that the count has wrapped, or the clock went back.
    if (drops < 0 || drops > 2 * this.#rate) return 0
    // A little more than the bucket holds: a thread that told itself the time later has filled it.
    return Math.min(drops, this.#rate)
  }

  #isAllowed(addresses: DataView, addressAt: number, addressBytes: number): boolean {
    const table = this.#table
    const end = allowAt + (table[allowCountAt] ?? 0) * allowWords
    for (let entry = allowAt; entry < end; entry += allowWords) {
      if (table[entry + allowBytesAt] !== addressBytes) continue
      const bits = table[entry + allowBitsAt] ?? 0
      let differing = 0
      for (let word = 0; 4 * word < addressBytes; word++) {
        const difference = addresses.getInt32(addressAt + 4 * word) ^ (table[entry + allowAddressAt + word] ?? 0)
        differing |= difference & prefixMask(bits, word)
      }
      if (differing === 0) return true
    }
    return false
  }
}

/** Where the first set begins: behind the settings, at a multiple of its size. */
function firstSetOf(allowCount: number): number {
  return Math.ceil((allowAt + allowCount * allowWords) / setWords) * setWords
}

function wordsOf({ address, bits }: AddressPrefix): number[] {
  const words = Array.from({ length: address.byteLength / 4 }, (_, word) => address.getInt32(4 * word))
  return [address.byteLength, bits, ...words]
}
