import type { Arena } from './arena.ts'
import { controlIndex, indexMask, indexSlots, noRef, tombstone, wordOf } from './layout.ts'

const leastSlots = 1024
/** Searches for missing names are still short if two thirds of the slots are in use. */
const fullest = 2 / 3

/**
 * The writer's side of the index: a flat hash table of hashes and references, with open addressing and linear probing.
 *
 * A name has one entry for each zone that has it. Readers may read at any time: a slot is filled with the hash first, and emptied by clearing its
 * reference, so that readers find a complete entry or none.
 */
export class NameIndex {
  readonly #arena: Arena
  #words: Int32Array
  #at: number
  #ref: number
  #mask: number
  #entries = 0
  #tombstones = 0

  constructor(arena: Arena) {
    this.#arena = arena
    const { ref, words, at } = this.#allocate(leastSlots)
    this.#ref = ref
    this.#words = words
    this.#at = at
    this.#mask = leastSlots - 1
    this.#publish()
  }

  /** Reserves space for the given number of names, so that the index does not grow repeatedly for a large zone. */
  reserve(more: number): void {
    const slots = this.#mask + 1
    if (this.#entries + this.#tombstones + more <= slots * fullest) return
    let needed = slots
    while ((this.#entries + more) * 1.2 > needed * fullest) needed *= 2
    this.#rebuild(needed)
  }

  insert(hash: number, ref: number): void {
    this.reserve(1)
    this.#put(hash, ref)
    this.#entries++
  }

  /** Replaces `before`, which has the same name, by `ref`. */
  replace(hash: number, before: number, ref: number): void {
    Atomics.store(this.#words, this.#slotOf(hash, before) + 1, ref)
  }

  remove(hash: number, ref: number): void {
    const words = this.#words
    let slot = this.#slotOf(hash, ref)
    this.#entries--
    this.#tombstones++
    Atomics.store(words, slot + 1, tombstone)
    // If the next slot is empty, no search needs to continue, here and at the tombstones before.
    if (words[this.#after(slot) + 1] !== noRef) return
    while (words[slot + 1] === tombstone) {
      words[slot + 1] = noRef
      this.#tombstones--
      slot = this.#at + indexSlots + (((slot - this.#at - indexSlots - 2) >>> 0) & (this.#mask * 2 + 1))
    }
  }

  #put(hash: number, ref: number): void {
    const words = this.#words
    let slot = this.#first(hash)
    for (let there = words[slot + 1]; there !== noRef && there !== tombstone; there = words[slot + 1])
      slot = this.#after(slot)
    if (words[slot + 1] === tombstone) this.#tombstones--
    words[slot] = hash
    Atomics.store(words, slot + 1, ref)
  }

  #slotOf(hash: number, ref: number): number {
    const signed = ref | 0
    for (let slot = this.#first(hash); ; slot = this.#after(slot)) {
      const there = this.#words[slot + 1]
      if (there === signed) return slot
      if (there === noRef) throw new Error('a name is missing in the index')
    }
  }

  #first(hash: number): number {
    return this.#at + indexSlots + (hash & this.#mask) * 2
  }

  #after(slot: number): number {
    return this.#at + indexSlots + ((slot - this.#at - indexSlots + 2) & (this.#mask * 2 + 1))
  }

  /** A new table is filled, and then replaces the old one in one step. */
  #rebuild(slots: number): void {
    const { ref: oldRef, words, at } = { ref: this.#ref, words: this.#words, at: this.#at }
    const oldSlots = this.#mask + 1
    const fresh = this.#allocate(slots)
    this.#ref = fresh.ref
    this.#words = fresh.words
    this.#at = fresh.at
    this.#mask = slots - 1
    this.#tombstones = 0
    for (let slot = at + indexSlots; slot < at + indexSlots + oldSlots * 2; slot += 2) {
      const ref = words[slot + 1] ?? noRef
      if (ref !== noRef && ref !== tombstone) this.#put(words[slot] ?? 0, ref)
    }
    this.#publish()
    this.#arena.retire(oldRef, bytesFor(oldSlots))
  }

  #allocate(slots: number): { ref: number; words: Int32Array; at: number } {
    const ref = this.#arena.allocate(bytesFor(slots))
    const words = this.#arena.segments.wordsOf(ref)
    const at = wordOf(ref)
    words.fill(0, at, at + indexSlots + slots * 2)
    words[at + indexMask] = slots - 1
    return { ref, words, at }
  }

  #publish(): void {
    Atomics.store(this.#arena.segments.control, controlIndex, this.#ref)
  }
}

function bytesFor(slots: number): number {
  return (indexSlots + slots * 2) * 4
}
