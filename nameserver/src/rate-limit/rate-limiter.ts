import { randomBytes } from 'node:crypto'
import { type AddressPrefix, isMappedIpv4, prefixMask } from './address-prefix.ts'
import { Buckets, bucketTableWords } from './buckets.ts'
import { halfSipHash13 } from './half-siphash.ts'

export interface RateLimits {
  /** Answers per second of one kind from one zone to one client prefix; after a second without responses, as many may be sent at once. */
  readonly answersPerSecond: number
  /** Answers per second to one client prefix, of all kinds and zones together. */
  readonly answersPerPrefix: number
  /** One in this many limited responses is sent truncated instead of dropped: 1 for all, 0 for none. */
  readonly slip: number
  /** Length of an IPv4 client prefix: 1 to 32 bits. */
  readonly ipv4PrefixBits: number
  /** 1 to 64 bits. */
  readonly ipv6PrefixBits: number
  /** Clients that are never limited. */
  readonly allow: readonly AddressPrefix[]
}

/**
 * A tenth more than one zone may send. Many zones together then amplify barely more than one, and a flood of queries for one zone leaves its clients
 * some answers from other zones.
 */
export function usualAnswersPerPrefix(answersPerSecond: number): number {
  return Math.floor((answersPerSecond * 11) / 10)
}

/** 200 answers are NSD's default, a slip of 1 is Knot's, /24 and /56 are BIND's. */
export const usualRateLimits: RateLimits = {
  answersPerSecond: 200,
  answersPerPrefix: usualAnswersPerPrefix(200),
  slip: 1,
  ipv4PrefixBits: 24,
  ipv6PrefixBits: 56,
  allow: [],
}

/** Kinds that are counted separately. Referrals and wildcard answers are positive; NODATA and NXDOMAIN are negative. */
export const AnswerKind = { positive: 0, negative: 1, error: 2 } as const

/** `slip`: an empty answer with TC, so that a real client retries over TCP. `drop`: no answer. */
export const RateVerdict = { send: 0, slip: 1, drop: 2 } as const

/** Which limit was reached: that of answers of one kind from one zone, or that of all answers to the prefix. */
export const LimitedBy = { zone: 0, prefix: 1 } as const

const usualBuckets = 2 ** 20
/** There are far fewer prefixes than pairs of a prefix and a zone. */
const zoneBucketsPerPrefixBucket = 4
const [rateAt, prefixRateAt, slipAt, ipv4BitsAt, ipv6BitsAt, seedAt] = [0, 1, 2, 3, 4, 5]
const [zoneWordsAt, prefixWordsAt, allowCountAt, allowAt] = [7, 8, 9, 10]
const [allowBytesAt, allowBitsAt, allowAddressAt, allowWords] = [0, 1, 2, 6]
const cacheLineWords = 16

/**
 * Response rate limiting: keeps the nameserver from being the amplifier of an attack with forged sender addresses.
 *
 * Each client prefix has a bucket for each zone and kind of answer (errors: one for all zones), and one for all its
 * answers: otherwise an attacker would get a new limit with each zone. An answer is sent in full if it fits into both. What
 * a zone's bucket refuses does not count for the prefix, so a flood for one zone does not use up the answers of others.
 *
 * Buckets are in two tables of fixed size (see `Buckets`) that all threads share. Their tags come from a keyed hash of the
 * prefix. Two clients affect each other only if their 32-bit tags are equal, or if their set of four buckets is full; with a
 * slip of 1, even those get an answer to each query, some of them over TCP.
 */
export class RateLimiter {
  readonly #settings: Int32Array
  readonly #zones: Buckets
  readonly #prefixes: Buckets
  readonly #slip: number
  readonly #ipv4Mask: number
  readonly #ipv6Masks: readonly [number, number]
  readonly #key = new Int32Array(2)
  /** A `LimitedBy`: the limit that caused the last verdict, if it was not `send`. */
  limitedBy: number = LimitedBy.zone

  /**
   * Allocates the memory that all limiters of a nameserver share. A bucket has 16 bytes, which take memory only once the bucket is used. For each
   * four of `buckets`, there is one bucket that counts all responses to a prefix.
   */
  static allocate(limits: RateLimits, buckets = usualBuckets): SharedArrayBuffer {
    const zoneWords = bucketTableWords(buckets)
    const prefixWords = bucketTableWords(buckets / zoneBucketsPerPrefixBucket)
    const words = tablesAt(limits.allow.length) + zoneWords + prefixWords
    const shared = new SharedArrayBuffer(words * Int32Array.BYTES_PER_ELEMENT)
    const settings = new Int32Array(shared)
    settings[rateAt] = limits.answersPerSecond
    settings[prefixRateAt] = limits.answersPerPrefix
    settings[slipAt] = limits.slip
    settings[ipv4BitsAt] = limits.ipv4PrefixBits
    settings[ipv6BitsAt] = limits.ipv6PrefixBits
    settings.set(new Int32Array(new Uint8Array(randomBytes(8)).buffer), seedAt)
    settings[zoneWordsAt] = zoneWords
    settings[prefixWordsAt] = prefixWords
    settings[allowCountAt] = limits.allow.length
    for (const [index, prefix] of limits.allow.entries()) settings.set(wordsOf(prefix), allowAt + index * allowWords)
    return shared
  }

  constructor(shared: SharedArrayBuffer) {
    const settings = new Int32Array(shared)
    const zonesAt = tablesAt(settings[allowCountAt] ?? 0)
    const prefixesAt = zonesAt + (settings[zoneWordsAt] ?? 0)
    const end = prefixesAt + (settings[prefixWordsAt] ?? 0)
    const ipv6Bits = settings[ipv6BitsAt] ?? 0
    this.#settings = settings
    this.#zones = new Buckets(settings.subarray(zonesAt, prefixesAt), settings[rateAt] ?? 0)
    this.#prefixes = new Buckets(settings.subarray(prefixesAt, end), settings[prefixRateAt] ?? 0)
    this.#slip = settings[slipAt] ?? 0
    this.#ipv4Mask = prefixMask(settings[ipv4BitsAt] ?? 0, 0)
    this.#ipv6Masks = [prefixMask(ipv6Bits, 0), prefixMask(ipv6Bits, 1)]
  }

  /** Sets the time, once for each batch of queries, in milliseconds of a clock that all threads share (`Date.now()`). */
  tick(nowMs: number): void {
    this.#zones.tick(nowMs)
    this.#prefixes.tick(nowMs)
  }

  /**
   * Whether an answer may go to the address of 4 or 16 bytes at `addressAt`. Do not call this for TCP or for a client with a valid cookie, because
   * their addresses are not forged.
   *
   * @param kind an `AnswerKind`.
   * @param zone any 32-bit number that identifies the zone; 0 for errors.
   * @returns a `RateVerdict`.
   */
  judge(kind: number, zone: number, addresses: DataView, addressAt: number, addressBytes: number): number {
    if (isMappedIpv4(addresses, addressAt, addressBytes)) {
      return this.#judge(kind, zone, addresses, addressAt + 12, 4)
    }
    return this.#judge(kind, zone, addresses, addressAt, addressBytes)
  }

  #judge(kind: number, zone: number, addresses: DataView, addressAt: number, addressBytes: number): number {
    const prefixTag = this.#hash(addresses, addressAt, addressBytes)
    const prefixBucket = this.#prefixes.find(prefixTag)
    const prefixState = this.#prefixes.read(prefixBucket)
    let limitedBy: number = LimitedBy.prefix
    let buckets = this.#prefixes
    let bucket = prefixBucket
    // Checked first, so that responses that the prefix may not get anyway take no space among the buckets of zones.
    if (!this.#prefixes.isFull(prefixState)) {
      const zoneBucket = this.#zones.find(zoneTag(prefixTag, zone, kind))
      if (!this.#zones.fill(zoneBucket, this.#zones.read(zoneBucket))) {
        limitedBy = LimitedBy.zone
        buckets = this.#zones
        bucket = zoneBucket
      } else if (this.#prefixes.fill(prefixBucket, prefixState)) {
        return RateVerdict.send
      }
    }
    if (this.#isAllowed(addresses, addressAt, addressBytes)) return RateVerdict.send
    this.limitedBy = limitedBy
    if (this.#slip === 0) return RateVerdict.drop
    return buckets.countLimited(bucket) % this.#slip === 0 ? RateVerdict.slip : RateVerdict.drop
  }

  /** The tag of the client's prefix, which clients cannot predict. */
  #hash(addresses: DataView, addressAt: number, addressBytes: number): number {
    const key = this.#key
    if (addressBytes === 4) {
      key[0] = addresses.getInt32(addressAt) & this.#ipv4Mask
    } else {
      key[0] = addresses.getInt32(addressAt) & this.#ipv6Masks[0]
      key[1] = addresses.getInt32(addressAt + 4) & this.#ipv6Masks[1]
    }
    const settings = this.#settings
    return halfSipHash13(settings[seedAt] ?? 0, settings[seedAt + 1] ?? 0, key, addressBytes === 4 ? 4 : 8)
  }

  #isAllowed(addresses: DataView, addressAt: number, addressBytes: number): boolean {
    const settings = this.#settings
    const end = allowAt + (settings[allowCountAt] ?? 0) * allowWords
    for (let entry = allowAt; entry < end; entry += allowWords) {
      if (settings[entry + allowBytesAt] !== addressBytes) continue
      const bits = settings[entry + allowBitsAt] ?? 0
      let differing = 0
      for (let word = 0; 4 * word < addressBytes; word++) {
        const difference = addresses.getInt32(addressAt + 4 * word) ^ (settings[entry + allowAddressAt + word] ?? 0)
        differing |= difference & prefixMask(bits, word)
      }
      if (differing === 0) return true
    }
    return false
  }
}

/**
 * The tag of a zone and kind for one prefix. The prefix's own tag is secret and random. Mixed with a zone, it is as hard to predict, without another
 * hash. The multipliers are odd, so different zones never collide; the rest is MurmurHash3's finalizer.
 */
function zoneTag(prefixTag: number, zone: number, kind: number): number {
  let tag = (prefixTag + Math.imul(zone, 0x9e3779b1) + Math.imul(kind, 0x7f4a7c15)) | 0
  tag = Math.imul(tag ^ (tag >>> 16), 0x85ebca6b)
  tag = Math.imul(tag ^ (tag >>> 13), 0xc2b2ae35)
  return tag ^ (tag >>> 16)
}

/** The offset of the first table: after the settings, at a multiple of a cache line. */
function tablesAt(allowCount: number): number {
  return Math.ceil((allowAt + allowCount * allowWords) / cacheLineWords) * cacheLineWords
}

function wordsOf({ address, bits }: AddressPrefix): number[] {
  const words = Array.from({ length: address.byteLength / 4 }, (_, word) => address.getInt32(4 * word))
  return [address.byteLength, bits, ...words]
}
