import type { RecordData } from '@zonewright/dns'
import type { Arena } from './arena.ts'
import type { NameCompiler } from './compile-name.ts'
import { HashFinder } from './hash-order.ts'
import { nodeHead, noRef, wordOf } from './layout.ts'
import { isInChain, splitOwner } from './nsec3-owner.ts'
import { insertInOrder, nameAfter, nameInOrder, removeFromOrder, replaceInOrder } from './order-index.ts'
import type { Owner } from './owners.ts'
import { ownerOf } from './read-name.ts'
import { labelStarts, maxNameBytes, sharedSuffixBytes } from './wire-name.ts'
import type { ZoneBlock } from './zone-block.ts'
import { ZoneHashing } from './zone-hashing.ts'

/** One step of a change in the index: a name comes (`before` 0), goes (`after` 0) or gets other rrsets. */
export interface NameOperation {
  readonly name: Uint8Array
  readonly before: number
  readonly after: number
}

/** The same of the NSEC3 records of a hash. */
export interface HashOperation {
  readonly hash: Int32Array
  readonly before: PlacedHash
  readonly after: PlacedHash
}

/** Where NSEC3 records are placed, 0 for nowhere; `isIdle`: among those that no answer uses. */
interface PlacedHash {
  readonly ref: number
  readonly isIdle: boolean
}

export interface ZonePlan {
  readonly operations: NameOperation[]
  readonly hashed: HashOperation[]
  readonly order: number
}

/**
 * Prepares a change of a zone: all names that come, go and change, their new blocks made, the canonical order brought up
 * to date. Empty non-terminals come with the first name below them and go with the last (RFC 8020).
 *
 * Readers see nothing of it: they find names by the index, and by the orders of denial, which change when the plan is carried out.
 */
export function planNames(
  arena: Arena,
  compiler: NameCompiler,
  zone: ZoneBlock,
  owners: readonly Owner[],
  announced: RecordData | undefined,
): ZonePlan {
  const plan = new Plan(arena, compiler, zone, announced)
  const split = owners.map((owner) => splitOwner(owner, plan.apexLength))
  for (const { name, hash, nsec3 } of split) if (hash !== undefined) plan.putHash(name, hash, nsec3)
  for (const { name, others } of split) if (others.length > 0) plan.put(name, others)
  // From below, so that a name is looked at when all below it have gone.
  for (const { name, others } of split.reverse()) if (others.length === 0) plan.clear(name)
  return plan
}

class Plan {
  readonly operations: NameOperation[] = []
  readonly hashed: HashOperation[] = []
  order: number
  readonly apexLength: number
  readonly #arena: Arena
  readonly #compiler: NameCompiler
  readonly #zone: ZoneBlock
  readonly #announced: RecordData | undefined
  readonly #hashing: ZoneHashing | undefined
  readonly #hashes: HashFinder
  readonly #starts = new Uint8Array(maxNameBytes)

  constructor(arena: Arena, compiler: NameCompiler, zone: ZoneBlock, announced: RecordData | undefined) {
    this.#arena = arena
    this.#compiler = compiler
    this.#zone = zone
    this.#announced = announced
    this.#hashing = announced && new ZoneHashing(announced)
    this.#hashes = new HashFinder(arena.segments)
    this.order = zone.order
    this.apexLength = ownerOf(arena.segments, zone.apex).length
  }

  /** Gives a hash these NSEC3 records, or none. */
  putHash(name: Uint8Array, hash: Int32Array, nsec3: Owner['rrsets']): void {
    const before = this.#placedHash(hash)
    if (before.ref === noRef && nsec3.length === 0) return
    const ref = nsec3.length === 0 ? noRef : this.#compiler.compile(this.#zone.ref, name, nsec3, false, undefined)
    this.hashed.push({ hash, before, after: { ref, isIdle: !isInChain(nsec3, this.#announced) } })
  }

  #placedHash(hash: Int32Array): PlacedHash {
    const used = this.#hashes.find(this.#zone.hashes, hash, 0)
    if (this.#hashes.isExact) return { ref: used, isIdle: false }
    const idle = this.#hashes.find(this.#zone.idleHashes, hash, 0)
    return { ref: this.#hashes.isExact ? idle : noRef, isIdle: true }
  }

  /** Gives a name these rrsets, and makes it and the names above it where they are missing. */
  put(name: Uint8Array, rrsets: Owner['rrsets']): void {
    const before = nameInOrder(this.#arena.segments, this.order, name)
    const after = this.#compile(name, rrsets)
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
    if (name.length === this.apexLength || this.#hasNamesBelow(name)) {
      this.put(name, [])
      return
    }
    this.operations.push({ name, before, after: noRef })
    removeFromOrder(this.#arena, this.order, name)
    const above = this.#parent(name)
    const ref = nameInOrder(this.#arena.segments, this.order, above)
    if (this.#isEmpty(ref) && above.length > this.apexLength && !this.#hasNamesBelow(above)) this.clear(above)
  }

  #compile(name: Uint8Array, rrsets: Owner['rrsets']): number {
    return this.#compiler.compile(this.#zone.ref, name, rrsets, name.length === this.apexLength, this.#hashing)
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
