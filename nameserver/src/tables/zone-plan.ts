import type { Arena } from './arena.ts'
import type { NameCompiler } from './compile-name.ts'
import { nodeHead, noRef, wordOf } from './layout.ts'
import { insertInOrder, nameAfter, nameInOrder, removeFromOrder, replaceInOrder } from './order-index.ts'
import type { Owner } from './owners.ts'
import { ownerOf } from './read-name.ts'
import { labelStarts, maxNameBytes, sharedSuffixBytes } from './wire-name.ts'
import type { ZoneBlock } from './zone-block.ts'

/** One step of a change in the index: a name comes (`before` 0), goes (`after` 0) or gets other rrsets. */
export interface NameOperation {
  readonly name: Uint8Array
  readonly before: number
  readonly after: number
}

/**
 * Prepares a change of a zone: all names that come, go and change, their new blocks made, the canonical order brought up
 * to date. Empty non-terminals come with the first name below them and go with the last (RFC 8020).
 *
 * Readers see nothing of it: they find names by the index alone.
 */
export function planNames(
  arena: Arena,
  compiler: NameCompiler,
  zone: ZoneBlock,
  owners: readonly Owner[],
): { readonly operations: NameOperation[]; readonly order: number } {
  const plan = new Plan(arena, compiler, zone)
  for (const { name, rrsets } of owners) if (rrsets.length > 0) plan.put(name, rrsets)
  // From below, so that a name is looked at when all below it have gone.
  for (const { name, rrsets } of [...owners].reverse()) if (rrsets.length === 0) plan.clear(name)
  return { operations: plan.operations, order: plan.order }
}

class Plan {
  readonly operations: NameOperation[] = []
  order: number
  readonly #arena: Arena
  readonly #compiler: NameCompiler
  readonly #zone: number
  readonly #apexLength: number
  readonly #starts = new Uint8Array(maxNameBytes)

  constructor(arena: Arena, compiler: NameCompiler, zone: ZoneBlock) {
    this.#arena = arena
    this.#compiler = compiler
    this.#zone = zone.ref
    this.order = zone.order
    this.#apexLength = ownerOf(arena.segments, zone.apex).length
  }

  /** Gives a name these rrsets, and makes it and the names above it where they are missing. */
  put(name: Uint8Array, rrsets: Owner['rrsets']): void {
    const before = nameInOrder(this.#arena.segments, this.order, name)
    const after = this.#compiler.compile(this.#zone, name, rrsets, name.length === this.#apexLength)
    this.operations.push({ name, before, after })
    if (before !== noRef) {
      replaceInOrder(this.#arena.segments, this.order, after, name)
      return
    }
    this.order = insertInOrder(this.#arena, this.order, after, name)
    const above = this.#parent(name)
    if (nameInOrder(this.#arena.segments, this.order, above) === noRef) this.put(above, [])
  }

  /** Takes the rrsets of a name away; it stays as an empty non-terminal where names lie below it. */
  clear(name: Uint8Array): void {
    const before = nameInOrder(this.#arena.segments, this.order, name)
    if (before === noRef) return
    if (name.length === this.#apexLength || this.#hasNamesBelow(name)) {
      this.put(name, [])
      return
    }
    this.operations.push({ name, before, after: noRef })
    removeFromOrder(this.#arena, this.order, name)
    const above = this.#parent(name)
    const ref = nameInOrder(this.#arena.segments, this.order, above)
    if (this.#isEmpty(ref) && above.length > this.#apexLength && !this.#hasNamesBelow(above)) this.clear(above)
  }

  #hasNamesBelow(name: Uint8Array): boolean {
    const next = nameAfter(this.#arena.segments, this.order, name)
    return next !== noRef && sharedSuffixBytes(ownerOf(this.#arena.segments, next), name) === name.length
  }

  #isEmpty(ref: number): boolean {
    return (this.#arena.segments.wordsOf(ref)[wordOf(ref) + nodeHead] ?? 0) >>> 16 === 0
  }

  #parent(name: Uint8Array): Uint8Array {
    const labels = labelStarts(name, 0, this.#starts)
    return name.subarray(labels > 1 ? this.#starts[1] : name.length - 1)
  }
}
