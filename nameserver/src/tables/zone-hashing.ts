import { nsec3ParametersFromRdata, nsec3ParametersToRdata, type RecordData } from '@zonewright/dns'
import type { Arena } from './arena.ts'
import { hashingIterations, hashingSalt, hashingSaltLength, noRef, wordOf } from './layout.ts'
import { hashWords, NameHash } from './name-hash.ts'
import { byteOf, type Segments } from './segments.ts'
import { maxNameBytes } from './wire-name.ts'

/** How a zone that denies by NSEC3 hashes its names, for the thread that writes it. */
export class ZoneHashing {
  readonly #iterations: number
  readonly #salt: Uint8Array
  readonly #hash = new NameHash()
  readonly #wildcard = new Uint8Array(maxNameBytes)

  /** `nsec3param` is the record that announces the chain. */
  constructor(nsec3param: RecordData) {
    const { iterations, salt } = nsec3ParametersFromRdata(nsec3param)
    this.#iterations = iterations
    this.#salt = salt.slice()
  }

  /** Writes the hash of a name to `words`. */
  hash(name: Uint8Array, words: Int32Array, at: number): void {
    this.#hash.hash(name, 0, name.length, this.#iterations, this.#salt)
    words.set(this.#hash.words, at)
  }

  /** Writes the hash of the wildcard below a name; zeros if it would be too long. */
  hashWildcard(name: Uint8Array, words: Int32Array, at: number): void {
    if (name.length + 2 > maxNameBytes) {
      words.fill(0, at, at + hashWords)
      return
    }
    this.#wildcard[0] = 1
    this.#wildcard[1] = 0x2a
    this.#wildcard.set(name, 2)
    this.#hash.hash(this.#wildcard, 0, name.length + 2, this.#iterations, this.#salt)
    words.set(this.#hash.words, at)
  }

  /** Stores what readers need to hash names. */
  place(arena: Arena): number {
    const ref = arena.allocate(hashingSalt * 4 + this.#salt.length)
    const words = arena.segments.wordsOf(ref)
    words[wordOf(ref) + hashingIterations] = this.#iterations
    words[wordOf(ref) + hashingSaltLength] = this.#salt.length
    arena.segments.bytesOf(ref).set(this.#salt, byteOf(ref) + hashingSalt * 4)
    return ref
  }
}

/** The NSEC3PARAM with the stored parameters; `undefined` for a zone that does not deny with NSEC3. */
export function placedHashing(segments: Segments, ref: number): RecordData | undefined {
  if (ref === noRef) return undefined
  const words = segments.wordsOf(ref)
  const iterations = words[wordOf(ref) + hashingIterations] ?? 0
  const length = words[wordOf(ref) + hashingSaltLength] ?? 0
  const from = byteOf(ref) + hashingSalt * 4
  const salt = segments.bytesOf(ref).subarray(from, from + length)
  return nsec3ParametersToRdata({ algorithm: 1, flags: 0, iterations, salt })
}

export function retireHashing(arena: Arena, ref: number): void {
  if (ref === noRef) return
  const length = arena.segments.wordsOf(ref)[wordOf(ref) + hashingSaltLength] ?? 0
  arena.retire(ref, hashingSalt * 4 + length)
}
