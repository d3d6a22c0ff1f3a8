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

/** One step of a change in the index: a name is added (`before` 0), is removed (`after` 0) or gets other rrsets. */
export interface NameOperation {
  readonly name: Uint8Array
  readonly before: number
  readonly after: number
}

/** The same for the NSEC3 records of a hash. */
export interface HashOperation {
  readonly hash: Int32Array
  readonly before: PlacedHash
  readonly after: PlacedHash
}

/** The reference of NSEC3 records, 0 if there are none. `isIdle`: no answer uses them. */
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
 * Prepares a change of a zone: finds all names that are added, removed or changed, builds their new blocks, and updates the canonical order. Empty
 * non-terminals are added with the first name below them and removed with the last (RFC 8020).
 *
 * Readers do not see this. They find names by the index and the orders of denial, which change when the plan is applied.
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
  // From the bottom up, so that a name is checked after all names below it were removed.
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

  /** Sets the NSEC3 records of a hash, or removes them. */
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

  /** Sets the rrsets of a name. Creates the name and its ancestors if they are missing. */
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

  /** Removes the rrsets of a name. The name stays as an empty non-terminal if there are names below it. */
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
