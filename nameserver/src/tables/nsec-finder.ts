import { nodeHead, nodeName, noRef, wordOf } from './layout.ts'
import type { NameFinder } from './name-finder.ts'
import { isBranch, orderCount, orderRef } from './order-index.ts'
import { byteOf } from './segments.ts'
import { lowerWord, maxNameBytes } from './wire-name.ts'

const mostLabels = 127

/**
 * Finds the last name of an order that is equal to or before another name, for one reader and without allocating. It does not compare the apex, which
 * is part of all names of a zone.
 */
export class NsecFinder {
  readonly #finder: NameFinder
  /** The name to find, in lower case, and the offsets of its labels before the apex. */
  readonly #name = new Uint8Array(maxNameBytes + 8)
  readonly #words = new DataView(this.#name.buffer)
  readonly #starts = new Uint8Array(mostLabels + 1)
  readonly #otherStarts = new Uint8Array(mostLabels + 1)
  #labels = 0
  #apexLength = 0
  /** Whether the name is probably the first one after the apex. */
  #isEarly = false

  constructor(finder: NameFinder) {
    this.#finder = finder
  }

  /** Sets the name to find: `length` bytes at `at`, in any case. */
  take(at: number, length: number, apexLength: number): void {
    this.#copy(at, length, 0)
    this.#split(length, apexLength)
  }

  /** Sets the wildcard below that name. If the wildcard is too long, the name itself is used, which would come just before it. */
  takeWildcard(at: number, length: number, apexLength: number): void {
    if (length + 2 > maxNameBytes) {
      this.take(at, length, apexLength)
      return
    }
    this.#copy(at, length, 2)
    this.#name[0] = 1
    this.#name[1] = 0x2a
    this.#split(length + 2, apexLength)
    // Few names begin with a byte before the asterisk.
    this.#isEarly = length === apexLength
  }

  /** The reference of the last name that is equal to or before the given one, or 0. */
  find(root: number): number {
    let block = root
    let words = this.#finder.segment(block)
    while (isBranch(words, wordOf(block))) {
      const child = Math.max(this.#placeBehind(words, wordOf(block), true) - 1, 0)
      block = orderRef(words, wordOf(block), child)
      words = this.#finder.segment(block)
    }
    const place = this.#placeBehind(words, wordOf(block), false)
    return place === 0 ? noRef : orderRef(words, wordOf(block), place - 1)
  }

  #placeBehind(words: Int32Array, at: number, isAbove: boolean): number {
    let [low, high] = [0, orderCount(words, at)]
    let middle = this.#isEarly && high > 1 ? 1 : high >> 1
    while (low < high) {
      let ref = orderRef(words, at, middle)
      if (isAbove) ref = orderRef(this.#finder.segment(ref), wordOf(ref), 0)
      if (this.#isAtOrBefore(ref)) low = middle + 1
      else high = middle
      middle = (low + high) >> 1
    }
    return low
  }

  /** Whether the name of a block is equal to or before the given one in canonical order (RFC 4034 §6.1). */
  #isAtOrBefore(ref: number): boolean {
    const words = this.#finder.segment(ref)
    const length = (words[wordOf(ref) + nodeHead] ?? 0) & 0xff
    const bytes = this.#finder.segments.bytesOf(ref)
    const from = byteOf(ref) + nodeName * 4
    let others = 0
    for (let at = 0; at < length - this.#apexLength; at += (bytes[from + at] ?? 0) + 1) this.#otherStarts[others++] = at
    const shared = Math.min(others, this.#labels)
    for (let label = 1; label <= shared; label++) {
      const own = this.#starts[this.#labels - label] ?? 0
      const other = from + (this.#otherStarts[others - label] ?? 0)
      const [ownSize, otherSize] = [this.#name[own] ?? 0, bytes[other] ?? 0]
      const size = ownSize < otherSize ? ownSize : otherSize
      for (let index = 1; index <= size; index++) {
        const difference = (bytes[other + index] ?? 0) - (this.#name[own + index] ?? 0)
        if (difference !== 0) return difference < 0
      }
      if (ownSize !== otherSize) return otherSize < ownSize
    }
    return others <= this.#labels
  }

  #copy(at: number, length: number, to: number): void {
    for (let done = 0; done < length; done += 4) {
      this.#words.setInt32(to + done, lowerWord(this.#finder.bytes.getInt32(at + done)))
    }
  }

  #split(length: number, apexLength: number): void {
    this.#apexLength = apexLength
    this.#isEarly = false
    this.#labels = 0
    for (let at = 0; at < length - apexLength; at += (this.#name[at] ?? 0) + 1) this.#starts[this.#labels++] = at
  }
}
