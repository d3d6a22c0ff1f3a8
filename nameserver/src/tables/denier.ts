import { HashFinder } from './hash-order.ts'
import {
  hashesAt,
  hashingIterations,
  hashingSalt,
  hashingSaltLength,
  nodeHasNsec,
  nodeHead,
  nodeIsHashed,
  noRef,
  wordOf,
  zoneHashes,
  zoneHashing,
  zoneNsecs,
} from './layout.ts'
import type { NameFinder } from './name-finder.ts'
import { hashWords, NameHash } from './name-hash.ts'
import { NsecFinder } from './nsec-finder.ts'
import { byteOf } from './segments.ts'
import { lowerWord, maxNameBytes } from './wire-name.ts'

/** A chain of aliases has 17 names; the proofs of each have three parts at most. */
const mostProofs = 64

/**
 * Finds the proof that a name of a signed zone does not exist, or does not have the query type. Allocates nothing.
 *
 * With NSEC, this is the last name in canonical order before the missing one (RFC 4035 §3.1.3). With NSEC3, it is the last one before its hash (RFC
 * 5155 §7.2). Existing names are stored with their hash and that of the wildcard below them, so at most one name is hashed for each queried name.
 */
export class Denier {
  /** The blocks of NSEC or NSEC3 that go into the answer, each once. */
  readonly proofs = new Uint32Array(mostProofs)
  count = 0
  /** The zone has no record for some part of the proof. */
  isIncomplete = false
  readonly #finder: NameFinder
  readonly #hashes: HashFinder
  readonly #nsecs: NsecFinder
  readonly #hash = new NameHash()
  readonly #name = new Uint8Array(maxNameBytes + 4)
  readonly #nameWords = new DataView(this.#name.buffer)
  #zone: number = noRef
  #apexLength = 0
  #nsecRoot = 0
  #hashRoot = 0
  #hashing = 0
  /** Reference of the closest encloser that was proved last. */
  #closest = 0

  constructor(finder: NameFinder) {
    this.#finder = finder
    this.#hashes = new HashFinder(finder.segments, (ref) => finder.segment(ref))
    this.#nsecs = new NsecFinder(finder)
  }

  begin(zone: number, words: Int32Array, at: number, apexLength: number): void {
    this.count = 0
    this.isIncomplete = false
    this.#zone = zone
    this.#apexLength = apexLength
    this.#nsecRoot = (words[at + zoneNsecs] ?? 0) >>> 0
    this.#hashRoot = (words[at + zoneHashes] ?? 0) >>> 0
    this.#hashing = (words[at + zoneHashing] ?? 0) >>> 0
  }

  /** The name of `node`, `length` bytes at `at`, exists without the type; or it is a delegation without DS. */
  noData(node: number, at: number, length: number): void {
    if (this.#hashing !== noRef) {
      if (!this.#match(node)) this.#proveEncloser(node, at, length, length)
    } else if (this.#nsecRoot !== noRef) {
      this.#noDataByNsec(node, at, length)
    } else {
      this.isIncomplete = true
    }
  }

  /** The name of `length` bytes at `at` does not exist. Its closest encloser is the last `encloserLength` bytes. */
  noName(at: number, length: number, encloserLength: number): void {
    if (this.#hashing !== noRef) this.#coverNextCloser(at, length, encloserLength)
    else this.#coverByNsec(at, length)
  }

  /** The same, and the wildcard below `encloser` does not exist either. */
  nameError(at: number, length: number, encloser: number, encloserLength: number): void {
    if (this.#hashing !== noRef) {
      this.#proveEncloser(encloser, at, length, encloserLength)
      const words = this.#finder.segment(this.#closest)
      const closestAt = wordOf(this.#closest)
      this.#cover(words, hashesAt(closestAt, words[closestAt + nodeHead] ?? 0) + hashWords)
      return
    }
    this.#coverByNsec(at, length)
    if (this.#nsecRoot === noRef) return
    this.#nsecs.takeWildcard(at + length - encloserLength, encloserLength, this.#apexLength)
    this.#add(this.#nsecs.find(this.#nsecRoot))
  }

  /** The name does not exist, and `wildcard`, the one below `encloser`, does not have the type. */
  wildcardNoData(at: number, length: number, encloser: number, encloserLength: number, wildcard: number): void {
    if (this.#hashing !== noRef) {
      this.#proveEncloser(encloser, at, length, encloserLength)
      if (!this.#match(wildcard)) this.isIncomplete = true
      return
    }
    this.#coverByNsec(at, length)
    if (this.#nsecRoot === noRef) return
    if (this.#hasNsec(wildcard)) {
      this.#add(wildcard)
      return
    }
    this.#nsecs.takeWildcard(at + length - encloserLength, encloserLength, this.#apexLength)
    this.#addUnlessData(wildcard)
  }

  #noDataByNsec(node: number, at: number, length: number): void {
    if (this.#hasNsec(node)) {
      this.#add(node)
      return
    }
    this.#nsecs.take(at, length, this.#apexLength)
    this.#addUnlessData(node)
  }

  /** An empty non-terminal has no NSEC of its own; another name without one has no proof. */
  #addUnlessData(node: number): void {
    const head = this.#finder.segment(node)[wordOf(node) + nodeHead] ?? 0
    this.#add(head >>> 16 === 0 ? this.#nsecs.find(this.#nsecRoot) : noRef)
  }

  #coverByNsec(at: number, length: number): void {
    if (this.#nsecRoot === noRef) {
      this.isIncomplete = true
      return
    }
    this.#nsecs.take(at, length, this.#apexLength)
    this.#add(this.#nsecs.find(this.#nsecRoot))
  }

  /** Proves the closest encloser with NSEC3, from `node` upwards, and that the next closer name does not exist (RFC 5155 §7.2.1). */
  #proveEncloser(node: number, at: number, length: number, nodeLength: number): void {
    const finder = this.#finder
    let closest = node
    let below: number = noRef
    let closestLength = nodeLength
    while (!this.#match(closest) && closestLength > this.#apexLength) {
      below = closest
      closestLength -= finder.bytes.getUint8(at + length - closestLength) + 1
      closest = finder.find(at + length - closestLength, closestLength, this.#zone)
    }
    this.#closest = closest
    if (below === noRef) {
      this.#coverNextCloser(at, length, closestLength)
      return
    }
    const words = finder.segment(below)
    this.#cover(words, hashesAt(wordOf(below), words[wordOf(below) + nodeHead] ?? 0))
  }

  /** Hashes the name that is one label longer than the encloser. */
  #coverNextCloser(at: number, length: number, encloserLength: number): void {
    const { bytes } = this.#finder
    let next = at
    let left = length
    for (;;) {
      const label = bytes.getUint8(next) + 1
      if (left - label <= encloserLength) break
      next += label
      left -= label
    }
    for (let done = 0; done < left; done += 4) {
      this.#nameWords.setInt32(done, lowerWord(bytes.getInt32(next + done)))
    }
    const words = this.#finder.segment(this.#hashing)
    const hashingAt = wordOf(this.#hashing)
    const salt = this.#finder.segments.bytesOf(this.#hashing)
    const saltAt = byteOf(this.#hashing) + hashingSalt * 4
    const iterations = words[hashingAt + hashingIterations] ?? 0
    this.#hash.hash(this.#name, 0, left, iterations, salt, saltAt, words[hashingAt + hashingSaltLength] ?? 0)
    this.#cover(this.#hash.words, 0)
  }

  /** Adds the NSEC3 of a name that exists. @returns false if it has none. */
  #match(node: number): boolean {
    const words = this.#finder.segment(node)
    const at = wordOf(node)
    const head = words[at + nodeHead] ?? 0
    if ((head & nodeIsHashed) === 0) return false
    const found = this.#hashes.find(this.#hashRoot, words, hashesAt(at, head))
    if (this.#hashes.isExact) this.#add(found)
    return this.#hashes.isExact
  }

  /** Adds the NSEC3 whose span has the hash at `at`. */
  #cover(words: Int32Array, at: number): void {
    this.#add(this.#hashes.find(this.#hashRoot, words, at))
  }

  #hasNsec(node: number): boolean {
    return ((this.#finder.segment(node)[wordOf(node) + nodeHead] ?? 0) & nodeHasNsec) !== 0
  }

  #add(proof: number): void {
    if (proof === noRef) {
      this.isIncomplete = true
      return
    }
    for (let index = 0; index < this.count; index++) if (this.proofs[index] === proof >>> 0) return
    if (this.count < mostProofs) this.proofs[this.count++] = proof
  }
}
