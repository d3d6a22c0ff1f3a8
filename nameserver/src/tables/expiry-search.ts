import { hashLeaf } from './hash-order.ts'
import { refsAfter } from './order-index.ts'
import { ownerOf, signaturesAt } from './read-name.ts'
import type { Segments } from './segments.ts'
import type { ZoneBlock } from './zone-block.ts'

/**
 * Searches for the signature of a zone that expires first, a few names at a time. The zone may change between the steps. The search continues after
 * the last name that it read, and the zone records signatures that are added.
 */
export class ExpirySearch {
  readonly #segments: Segments
  readonly #zone: ZoneBlock
  readonly #reads: Generator<number>
  #isDone = false

  constructor(segments: Segments, zone: ZoneBlock) {
    this.#segments = segments
    this.#zone = zone
    this.#reads = this.#readAll()
    zone.beginSearch()
  }

  get isDone(): boolean {
    return this.#isDone
  }

  /** Reads the given number of names, or up to one block of an order more. @returns how many it read. */
  advance(names: number): number {
    let count = 0
    while (count < names && !this.#isDone) {
      const { value, done } = this.#reads.next()
      if (done !== true) count += value
      else this.#isDone = true
    }
    if (this.#isDone) this.#zone.endSearch()
    return count
  }

  /** Reads the names of one block at each step. No reference is kept from one step to the next. */
  *#readAll(): Generator<number> {
    for (let last: Uint8Array | undefined; ; ) {
      const refs = refsAfter(this.#segments, this.#zone.order, last)
      const lastRef = refs.at(-1)
      if (lastRef === undefined) break
      last = ownerOf(this.#segments, lastRef).slice()
      yield this.#read(refs)
    }
    for (const order of ['hashes', 'idleHashes'] as const) {
      for (let first: number | undefined = 0; first !== undefined; ) {
        const { refs, next } = hashLeaf(this.#segments, this.#zone[order], first)
        first = next
        yield this.#read(refs)
      }
    }
  }

  #read(refs: readonly number[]): number {
    for (const ref of refs) {
      const { count, expiry } = signaturesAt(this.#segments, ref)
      if (count > 0) this.#zone.findExpiry(expiry)
    }
    return refs.length
  }
}
