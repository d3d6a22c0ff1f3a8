import { type DomainName, nameToWire, type RecordData } from '@zonewright/dns'
import type { Arena } from './arena.ts'
import { type NameCompiler, retireName } from './compile-name.ts'
import { announcedBy, type DenialChoice, denialChoices } from './denial-choice.ts'
import { hasNsec } from './denial-orders.ts'
import { buildHashOrder, type HashedRef, HashFinder, inHashOrder, retireHashOrder } from './hash-order.ts'
import {
  flagHidden,
  hashesAt,
  nodeHead,
  noRef,
  wordOf,
  zoneHashes,
  zoneHashing,
  zoneIdleHashes,
  zoneNsecs,
  zoneOrder,
} from './layout.ts'
import type { NameIndex } from './name-index.ts'
import { isInChain, splitOwner } from './nsec3-owner.ts'
import { buildOrder, inOrder, retireOrder } from './order-index.ts'
import type { Owner, OwnerRrset } from './owners.ts'
import { ownerOf } from './read-name.ts'
import { labelStarts, maxNameBytes, sharedSuffixBytes } from './wire-name.ts'
import { ZoneBlock } from './zone-block.ts'
import { retireHashing, ZoneHashing } from './zone-hashing.ts'
import { ownersIn } from './zone-owners.ts'

/** Builds zones next to those that are served, and removes zones. */
export class ZoneBuilder {
  readonly #arena: Arena
  readonly #index: NameIndex
  readonly #compiler: NameCompiler
  readonly #hashOf: (name: Uint8Array) => number

  constructor(arena: Arena, index: NameIndex, compiler: NameCompiler, hashOf: (name: Uint8Array) => number) {
    this.#arena = arena
    this.#index = index
    this.#compiler = compiler
    this.#hashOf = hashOf
  }

  /**
   * Builds a zone that no reader sees yet. `owners` are in canonical order, the apex first.
   *
   * @throws DnsFault `too_many_iterations`, and what `owners` throws; the zone is then removed completely
   */
  build(origin: DomainName, owners: Iterable<Owner>, flags: number): ZoneBlock {
    const apex = nameToWire(origin)
    const rest = owners[Symbol.iterator]()
    const { value: first, done } = rest.next()
    const isEmpty = done === true
    const choices = denialChoices(!isEmpty && first.name.length === apex.length ? first : { name: apex, rrsets: [] })
    const [preferred = 'none', ...others] = choices
    let built = this.#buildBy(preferred, apex, isEmpty ? [] : withFirst(first, rest), flags)
    for (const choice of others) {
      if (this.#isWhole(built)) break
      const next = this.#buildBy(choice, apex, ownersIn(this.#arena.segments, built), flags)
      this.discard(built)
      built = next
    }
    return built
  }

  /** Removes a zone from the index, and frees its memory. */
  discard(block: ZoneBlock): void {
    const { segments } = this.#arena
    block.setFlag(flagHidden, true)
    // Readers that have found the zone start over while its names disappear one by one.
    block.settle()
    for (const ref of inOrder(segments, block.order)) {
      this.#index.remove(this.#hashOf(ownerOf(segments, ref)), ref)
      retireName(this.#arena, ref)
    }
    retireOrder(this.#arena, block.order)
    if (block.nsecs !== noRef) retireOrder(this.#arena, block.nsecs)
    for (const hashes of [block.hashes, block.idleHashes]) {
      for (const ref of inHashOrder(segments, hashes)) retireName(this.#arena, ref)
      retireHashOrder(this.#arena, hashes)
    }
    retireHashing(this.#arena, block.hashing)
    block.retire()
  }

  #buildBy(choice: DenialChoice, apex: Uint8Array, owners: Iterable<Owner>, flags: number): ZoneBlock {
    const zone = new UnfinishedZone(this.#arena, this.#index, this.#compiler, this.#hashOf, apex, flags, choice)
    try {
      for (const owner of owners) zone.add(owner)
    } catch (error) {
      this.discard(zone.finish())
      throw error
    }
    return zone.finish()
  }

  /** Whether the apex is part of the chain by which the zone denies. */
  #isWhole(block: ZoneBlock): boolean {
    if (block.hashing === noRef) return true
    const { segments } = this.#arena
    const words = segments.wordsOf(block.apex)
    const at = wordOf(block.apex)
    const finder = new HashFinder(segments)
    finder.find(block.hashes, words, hashesAt(at, words[at + nodeHead] ?? 0))
    return finder.isExact
  }
}

class UnfinishedZone {
  readonly #arena: Arena
  readonly #index: NameIndex
  readonly #compiler: NameCompiler
  readonly #hashOf: (name: Uint8Array) => number
  readonly #apex: Uint8Array
  readonly #block: ZoneBlock
  readonly #announced: RecordData | undefined
  readonly #hashing: ZoneHashing | undefined
  readonly #deniesByNsec: boolean
  readonly #names: number[] = []
  readonly #nsecs: number[] = []
  readonly #hashes: HashedRef[] = []
  readonly #idleHashes: HashedRef[] = []
  readonly #starts = new Uint8Array(maxNameBytes)
  #before: Uint8Array

  constructor(
    arena: Arena,
    index: NameIndex,
    compiler: NameCompiler,
    hashOf: (name: Uint8Array) => number,
    apex: Uint8Array,
    flags: number,
    choice: DenialChoice,
  ) {
    this.#arena = arena
    this.#index = index
    this.#compiler = compiler
    this.#hashOf = hashOf
    this.#apex = apex
    this.#before = apex
    this.#announced = announcedBy(choice)
    this.#hashing = this.#announced && new ZoneHashing(this.#announced)
    this.#deniesByNsec = choice === 'nsec'
    this.#block = ZoneBlock.create(arena, apex.length, flags | flagHidden)
  }

  /** Adds a name. Call this in canonical order. */
  add(owner: Owner): void {
    const { name, hash, nsec3, others } = splitOwner(owner, this.#apex.length)
    if (hash !== undefined && nsec3.length > 0) this.#putNsec3(name, hash, nsec3)
    if (others.length === 0) return
    if (this.#names.length === 0 && name.length !== this.#apex.length) this.#put(this.#apex, [])
    for (const missing of this.#namesBetween(this.#before, name)) this.#put(missing, [])
    this.#put(name, others)
    this.#before = name
  }

  /** The zone with the names that were added so far, and always with an apex. */
  finish(): ZoneBlock {
    if (this.#names.length === 0) this.#put(this.#apex, [])
    const block = this.#block
    block.set(zoneOrder, buildOrder(this.#arena, this.#names))
    if (this.#deniesByNsec) block.set(zoneNsecs, buildOrder(this.#arena, this.#nsecs))
    if (this.#hashes.length > 0) block.set(zoneHashes, buildHashOrder(this.#arena, this.#hashes))
    if (this.#idleHashes.length > 0) block.set(zoneIdleHashes, buildHashOrder(this.#arena, this.#idleHashes))
    if (this.#hashing !== undefined) block.set(zoneHashing, this.#hashing.place(this.#arena))
    block.setApex(this.#names[0] ?? noRef)
    return block
  }

  #put(name: Uint8Array, rrsets: readonly OwnerRrset[]): void {
    const ref = this.#compiler.compile(this.#block.ref, name, rrsets, this.#names.length === 0, this.#hashing)
    this.#index.insert(this.#hashOf(name), ref)
    this.#block.count(ref, 1)
    this.#names.push(ref)
    if (this.#deniesByNsec && hasNsec(this.#arena.segments, ref)) this.#nsecs.push(ref)
  }

  #putNsec3(name: Uint8Array, hash: Int32Array, nsec3: readonly OwnerRrset[]): void {
    const ref = this.#compiler.compile(this.#block.ref, name, nsec3, false, undefined)
    this.#block.countRecords(ref, 1)
    const list = isInChain(nsec3, this.#announced) ? this.#hashes : this.#idleHashes
    list.push({ hash, ref })
  }

  /** The empty non-terminals that `name` creates. `name` follows `before` in canonical order. */
  #namesBetween(before: Uint8Array, name: Uint8Array): Uint8Array[] {
    const shared = sharedSuffixBytes(before, name)
    const missing: Uint8Array[] = []
    for (let label = labelStarts(name, 0, this.#starts) - 1; label > 0; label--) {
      const start = this.#starts[label] ?? 0
      if (name.length - start > shared) missing.push(name.subarray(start))
    }
    return missing
  }
}

function* withFirst(first: Owner, rest: Iterator<Owner>): Generator<Owner> {
  yield first
  for (let next = rest.next(); !next.done; next = rest.next()) yield next.value
}
