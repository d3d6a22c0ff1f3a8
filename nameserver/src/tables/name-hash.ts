import { maxNameBytes } from './wire-name.ts'

/** Words of a hash: 20 bytes of SHA-1, each word in network order. */
export const hashWords = 5
const hashBytes = 20
const blockBytes = 64
const longestSalt = 255
/** Space for a name, a salt, the padding bit and their length, in whole blocks. */
const messageBytes = Math.ceil((maxNameBytes + longestSalt + 9) / blockBytes) * blockBytes

/**
 * Hashes names for NSEC3 (RFC 5155 §5) without allocating: `words` is overwritten by each hash.
 *
 * SHA-1 is implemented here, because a call of node:crypto costs more than the hash of a name.
 */
export class NameHash {
  readonly words = new Int32Array(hashWords)
  readonly #message = new Uint8Array(messageBytes)
  readonly #blocks = new DataView(this.#message.buffer)
  readonly #schedule = new Int32Array(80)

  /** Hashes the name of `length` bytes in wire form and lower case. The salt has `saltLength` bytes at `saltAt` in `salt`. */
  hash(
    name: Uint8Array,
    at: number,
    length: number,
    iterations: number,
    salt: Uint8Array,
    saltAt = 0,
    saltLength = salt.length,
  ): void {
    const message = this.#message
    for (let index = 0; index < length; index++) message[index] = name[at + index] ?? 0
    this.#digest(length, salt, saltAt, saltLength)
    for (let round = 0; round < iterations; round++) {
      for (let word = 0; word < hashWords; word++) this.#blocks.setInt32(word * 4, this.words[word] ?? 0)
      this.#digest(hashBytes, salt, saltAt, saltLength)
    }
  }

  /** SHA-1 (FIPS 180-4 §6.1) of the first `length` bytes of the message and the salt. */
  #digest(length: number, salt: Uint8Array, saltAt: number, saltLength: number): void {
    const message = this.#message
    let end = length
    for (let index = 0; index < saltLength; index++) message[end++] = salt[saltAt + index] ?? 0
    const bits = end * 8
    message[end++] = 0x80
    while ((end & (blockBytes - 1)) !== blockBytes - 8) message[end++] = 0
    this.#blocks.setInt32(end, 0)
    this.#blocks.setInt32(end + 4, bits)
    end += 8
    const { words } = this
    words[0] = 0x67452301
    words[1] = 0xefcdab89
    words[2] = 0x98badcfe
    words[3] = 0x10325476
    words[4] = 0xc3d2e1f0
    for (let block = 0; block < end; block += blockBytes) this.#compress(block)
  }

  /** The four kinds of rounds are separate loops, because a branch in each round would take longer than the round. */
  #compress(block: number): void {
    const { words } = this
    const schedule = this.#schedule
    for (let t = 0; t < 16; t++) schedule[t] = this.#blocks.getInt32(block + t * 4)
    for (let t = 16; t < 80; t++) {
      const mixed = (schedule[t - 3] ?? 0) ^ (schedule[t - 8] ?? 0) ^ (schedule[t - 14] ?? 0) ^ (schedule[t - 16] ?? 0)
      schedule[t] = (mixed << 1) | (mixed >>> 31)
    }
    let a = words[0] ?? 0
    let b = words[1] ?? 0
    let c = words[2] ?? 0
    let d = words[3] ?? 0
    let e = words[4] ?? 0
    let t = 0
    for (; t < 20; t++) {
      const next = (rotated5(a) + (d ^ (b & (c ^ d))) + e + 0x5a827999 + (schedule[t] ?? 0)) | 0
      e = d
      d = c
      c = rotated30(b)
      b = a
      a = next
    }
    for (; t < 40; t++) {
      const next = (rotated5(a) + (b ^ c ^ d) + e + 0x6ed9eba1 + (schedule[t] ?? 0)) | 0
      e = d
      d = c
      c = rotated30(b)
      b = a
      a = next
    }
    for (; t < 60; t++) {
      const next = (rotated5(a) + ((b & c) | (d & (b | c))) + e + 0x8f1bbcdc + (schedule[t] ?? 0)) | 0
      e = d
      d = c
      c = rotated30(b)
      b = a
      a = next
    }
    for (; t < 80; t++) {
      const next = (rotated5(a) + (b ^ c ^ d) + e + 0xca62c1d6 + (schedule[t] ?? 0)) | 0
      e = d
      d = c
      c = rotated30(b)
      b = a
      a = next
    }
    words[0] = ((words[0] ?? 0) + a) | 0
    words[1] = ((words[1] ?? 0) + b) | 0
    words[2] = ((words[2] ?? 0) + c) | 0
    words[3] = ((words[3] ?? 0) + d) | 0
    words[4] = ((words[4] ?? 0) + e) | 0
  }
}

function rotated5(word: number): number {
  return (word << 5) | (word >>> 27)
}

function rotated30(word: number): number {
  return (word << 30) | (word >>> 2)
}

/** The length of a hash as a label in base 32 (RFC 5155 §3.3). */
export const hashLabelBytes = 32

/** The value of each character in base 32, and -1 for other bytes. The table avoids branches that the processor cannot predict. */
const base32Values = Int8Array.from({ length: 256 }, (_, byte) =>
  '0123456789abcdefghijklmnopqrstuv'.indexOf(String.fromCharCode(byte)),
)

/** Decodes the label of base 32 that begins the name at `at`, in lower case, into `words`. @returns false if it is not a hash. */
export function readHashLabel(bytes: Uint8Array, at: number, words: Int32Array): boolean {
  if (bytes[at] !== hashLabelBytes) return false
  let word = 0
  let held = 0
  let bits = 0
  for (let index = 1; index <= hashLabelBytes; index++) {
    const value = base32Values[bytes[at + index] ?? 0] ?? -1
    if (value < 0) return false
    // A character has five bits, which may be in two words.
    const room = 32 - bits
    if (room > 5) {
      held |= value << (room - 5)
      bits += 5
      continue
    }
    words[word++] = held | (value >>> (5 - room))
    bits = 5 - room
    held = bits === 0 ? 0 : value << (32 - bits)
  }
  return true
}

/** Compares two hashes as unsigned numbers. */
export function compareHashes(a: Int32Array, aAt: number, b: Int32Array, bAt: number): number {
  for (let word = 0; word < hashWords; word++) {
    const difference = ((a[aAt + word] ?? 0) >>> 0) - ((b[bAt + word] ?? 0) >>> 0)
    if (difference !== 0) return difference
  }
  return 0
}
