import { SharedSecrets } from './shared-secrets.ts'
import { sipHash24 } from './siphash.ts'

/** The result of checking a query's COOKIE option. `none`: there was no option. */
export const CookieVerdict = { none: 0, clientOnly: 1, valid: 2, invalid: 3, malformed: 4 } as const

/** Length of the COOKIE option in an answer, including its code and length field. */
export const cookieOptionBytes = 28

const clientBytes = 8
const interoperableBytes = 24
const cookieCode = 10
const version = 1
// RFC 9018 §4.3: a cookie is valid for an hour, may be five minutes ahead because clocks differ, and is renewed after half an hour.
const [maxAgeS, maxAheadS, renewAfterS] = [3600, 300, 1800]
// Words of the hashed message and of the baked cookie; the tail is the address in the message and the hash in the cookie.
const [clientWord, versionWord, timeWord, tailWord] = [0, 2, 3, 4]

/**
 * DNS cookies (RFC 7873) with interoperable server cookies (RFC 9018): one jar per thread, all with the same secrets.
 *
 * `inspect` reads the option of the query and prepares that of the answer, which `write` writes. In between, the query's
 * bytes may be overwritten, so that an answer can be built in place. Neither function allocates memory.
 */
export class CookieJar {
  readonly #secrets: SharedSecrets
  /** Client cookie, version and reserved, timestamp, address: the hashed bytes, in wire order. */
  readonly #words = new Int32Array(8)
  readonly #hash = new Int32Array(2)
  /** Client and server cookie of the answer. */
  readonly #baked = new Int32Array(6)

  /** The memory that all jars of a nameserver share. `keepCookieSecrets` must fill it before the first query. */
  static allocate(): SharedArrayBuffer {
    return SharedSecrets.allocate()
  }

  constructor(shared: SharedArrayBuffer) {
    this.#secrets = new SharedSecrets(shared)
  }

  /**
   * Checks the option data of `length` bytes at `at`, sent from the address of 4 or 16 bytes at `addressAt`.
   *
   * @param nowS seconds since 1970; only the low 32 bits are used.
   * @returns a `CookieVerdict`. After `malformed` the answer is FORMERR without a cookie (RFC 7873 §5.2.2); after
   *   every other verdict, `write` has the cookie for the answer.
   */
  inspect(
    packet: DataView,
    at: number,
    length: number,
    addresses: DataView,
    addressAt: number,
    addressBytes: number,
    nowS: number,
  ): number {
    if (length < clientBytes || length > 40 || (length > clientBytes && length < 16)) return CookieVerdict.malformed
    this.#secrets.follow()
    this.#words[clientWord] = packet.getInt32(at, true)
    this.#words[clientWord + 1] = packet.getInt32(at + 4, true)
    for (let word = 0; 4 * word < addressBytes; word++) {
      this.#words[tailWord + word] = addresses.getInt32(addressAt + 4 * word, true)
    }
    // The hash reads eight bytes at a time. Without this, the rest of an earlier IPv6 address would follow an IPv4 address.
    if (addressBytes === 4) this.#words[tailWord + 1] = 0
    const messageBytes = 16 + addressBytes
    if (length === interoperableBytes && this.#accept(packet, at + clientBytes, messageBytes, nowS)) {
      return CookieVerdict.valid
    }
    this.#bakeAnew(messageBytes, nowS)
    return length === clientBytes ? CookieVerdict.clientOnly : CookieVerdict.invalid
  }

  /** Writes the option that the last `inspect` prepared, `cookieOptionBytes` long. @returns where it ends. */
  write(target: DataView, at: number): number {
    target.setInt32(at, (cookieCode << 16) | interoperableBytes)
    for (let word = 0; word < 6; word++) target.setInt32(at + 4 + 4 * word, this.#baked[word] ?? 0, true)
    return at + cookieOptionBytes
  }

  /** Whether the server cookie at `at` is ours and current; if so, prepares the answer's. */
  #accept(packet: DataView, at: number, messageBytes: number, nowS: number): boolean {
    const ageS = (nowS - packet.getInt32(at + 4)) | 0
    if (packet.getUint8(at) !== version || ageS > maxAgeS || ageS < -maxAheadS) return false
    // The hash covers the reserved bytes as received, whatever their values (RFC 9018 §4.2).
    this.#words[versionWord] = packet.getInt32(at, true)
    this.#words[timeWord] = packet.getInt32(at + 4, true)
    const low = packet.getInt32(at + 8, true)
    const high = packet.getInt32(at + 12, true)
    const isMade = this.#isHash(0, messageBytes, low, high)
    if (!isMade && !(this.#secrets.hasAccepted && this.#isHash(4, messageBytes, low, high))) return false
    if (isMade && ageS < renewAfterS) this.#bake()
    else this.#bakeAnew(messageBytes, nowS)
    return true
  }

  #isHash(keyAt: number, messageBytes: number, low: number, high: number): boolean {
    sipHash24(this.#secrets.keys, keyAt, this.#words, messageBytes, this.#hash)
    return (((this.#hash[0] ?? 0) ^ low) | ((this.#hash[1] ?? 0) ^ high)) === 0
  }

  #bakeAnew(messageBytes: number, nowS: number): void {
    this.#words[versionWord] = version
    this.#words[timeWord] = swapBytes(nowS)
    sipHash24(this.#secrets.keys, 0, this.#words, messageBytes, this.#hash)
    this.#bake()
  }

  #bake(): void {
    for (let word = 0; word < tailWord; word++) this.#baked[word] = this.#words[word] ?? 0
    this.#baked[tailWord] = this.#hash[0] ?? 0
    this.#baked[tailWord + 1] = this.#hash[1] ?? 0
  }
}

/** Reverses the byte order. */
function swapBytes(word: number): number {
  return (word << 24) | ((word << 8) & 0xff0000) | ((word >>> 8) & 0xff00) | (word >>> 24)
}
