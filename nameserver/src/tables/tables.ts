import {
  DnsFault,
  type DomainName,
  isWithin,
  nameToWire,
  parentOf,
  type Rrset,
  rootName,
  type ZoneDiff,
} from '@zonewright/dns'
import { Arena } from './arena.ts'
import { NameCompiler, refuseManyTypes, retireName } from './compile-name.ts'
import { flagHidden, flagPrivate, flagWithheld, noRef, withheldFlags, zoneOrder } from './layout.ts'
import { NameFinder } from './name-finder.ts'
import { NameIndex } from './name-index.ts'
import { buildOrder, inOrder, retireOrder } from './order-index.ts'
import { type Owner, type OwnerRrset, ownersOf } from './owners.ts'
import { ownerOf } from './read-name.ts'
import type { Segments } from './segments.ts'
import { TableZone, type ZoneSource } from './table-zone.ts'
import { hashName, labelStarts, maxNameBytes, sharedSuffixBytes } from './wire-name.ts'
import { ZoneBlock } from './zone-block.ts'
import { changedOwners } from './zone-change.ts'
import { type NameOperation, planNames } from './zone-plan.ts'

export interface TablesOptions {
  /** Shared memory is reserved in pieces of so many bytes. */
  readonly segmentBytes?: number
  /** Hears of each further piece before anything is placed in it: other threads have to be given it. */
  readonly onSegment?: (buffer: SharedArrayBuffer) => void
}

/**
 * Every zone this server answers for, in shared memory: written by one thread, read by all without locks.
 *
 * A zone that is published is built beside the one before and comes into force in one step. A difference touches only
 * the names it is about. No query ever sees half of either.
 */
export class Tables {
  readonly #arena: Arena
  readonly #index: NameIndex
  readonly #compiler: NameCompiler
  readonly #finder: NameFinder
  readonly #starts = new Uint8Array(maxNameBytes)
  /** How many zones lie below each name that any lies below. */
  readonly #below = new Map<DomainName, number>()
  readonly #source: ZoneSource
  #publicSize = 0
  #recordCount = 0

  constructor({ segmentBytes, onSegment = () => {} }: TablesOptions = {}) {
    this.#arena = new Arena(onSegment, segmentBytes)
    this.#index = new NameIndex(this.#arena)
    this.#compiler = new NameCompiler(this.#arena)
    this.#finder = new NameFinder(this.segments, new DataView(new ArrayBuffer(maxNameBytes + 9)), () => {})
    this.#source = {
      segments: this.segments,
      block: (origin) => this.#block(origin),
      find: (name, zone) => this.#find(name, zone),
    }
  }

  get segments(): Segments {
    return this.#arena.segments
  }

  /** The number of zones that the public is answered from, including those that currently have no data. */
  get publicSize(): number {
    return this.#publicSize
  }

  /** Records of all zones. */
  get recordCount(): number {
    return this.#recordCount
  }

  /** Bytes in use, of those reserved. */
  get usedBytes(): number {
    return this.#arena.usedBytes
  }

  /** Bytes of address space; of memory, they take only what was once in use. */
  get reservedBytes(): number {
    return this.segments.bytes.reduce((sum, { byteLength }) => sum + byteLength, 0)
  }

  /**
   * Answers `origin` from these rrsets from now on, whatever it was answered from before.
   *
   * @throws DnsFault `out_of_zone`, `bad_zone` when a name has too many types; Error when an rrset comes twice
   */
  publish(origin: DomainName, rrsets: Iterable<Rrset>, isPrivate = false): void {
    const owners = ownersOf(within(origin, rrsets))
    for (const { name, rrsets } of owners) refuseManyTypes(name, rrsets)
    this.publishOwners(origin, owners, isPrivate)
  }

  /** As `publish`, with the rrsets gathered by name already: in canonical order, each name once, the apex first. */
  publishOwners(origin: DomainName, owners: Iterable<Owner>, isPrivate = false): void {
    this.#replace(origin, this.#build(origin, owners, isPrivate ? flagPrivate : 0))
  }

  /**
   * Changes a zone in place, at a cost in proportion to the difference. A TTL that is added wins over that of the records
   * already there. Nothing is changed when it throws.
   *
   * @throws DnsFault `bad_zone` when a record to remove is not there, one to add already is, or a name gets too many types;
   * `out_of_zone`
   */
  apply(origin: DomainName, diff: ZoneDiff): void {
    const block = this.#block(origin)
    if (block === undefined) throw new DnsFault('bad_zone', `${origin} is not held.`)
    const zone = new TableZone(origin, this.#source)
    const owners = changedOwners(origin, diff, (name) => zone.rrsetsAt(name))
    for (const { name, rrsets } of owners) refuseManyTypes(name, rrsets)
    const plan = planNames(this.#arena, this.#compiler, block, owners)
    block.set(zoneOrder, plan.order)
    this.#execute(block, plan.operations)
  }

  /**
   * Answers SERVFAIL for `origin` until it is published or resumed, with the extended error `why` (RFC 8914). What is held of it
   * stays.
   */
  withhold(origin: DomainName, why: number, isPrivate = false): void {
    const block = this.#block(origin)
    if (block === undefined) {
      this.#replace(origin, this.#build(origin, [], withheldFlags(why) | (isPrivate ? flagPrivate : 0)))
    } else {
      block.withhold(why)
    }
  }

  /** Answers `origin` again from what is held. */
  resume(origin: DomainName): void {
    const block = this.#block(origin)
    if (block !== undefined && block.records > 0) block.setFlag(flagWithheld, false)
  }

  /** `origin` is not one of our zones any longer. */
  remove(origin: DomainName): void {
    const block = this.#block(origin)
    if (block === undefined) return
    this.#recordCount -= block.records
    this.#unlink(block)
    this.#countZone(origin, block.has(flagPrivate), -1)
    this.#arena.reclaim()
  }

  /** What is held of a zone, answered at present or not; `undefined` while there are no data. */
  zone(origin: DomainName): TableZone | undefined {
    const block = this.#block(origin)
    return block === undefined || block.records === 0 ? undefined : new TableZone(origin, this.#source)
  }

  #block(origin: DomainName): ZoneBlock | undefined {
    const name = nameToWire(origin)
    this.#write(name)
    this.#finder.begin()
    if (this.#finder.findApex(0, name.length) === noRef) return undefined
    return new ZoneBlock(this.#arena, (this.#finder.words[this.#finder.at] ?? 0) >>> 0)
  }

  #find(name: Uint8Array, zone: number): number {
    this.#write(name)
    this.#finder.begin()
    return this.#finder.find(0, name.length, zone) >>> 0
  }

  #hash(name: Uint8Array): number {
    this.#write(name)
    return hashName(this.#finder.bytes, 0, name.length, this.segments.hashKeys)
  }

  #write(name: Uint8Array): void {
    for (let index = 0; index < name.length; index++) this.#finder.bytes.setUint8(index, name[index] ?? 0)
  }

  /** A zone beside what is answered from, which no reader sees yet. */
  #build(origin: DomainName, owners: Iterable<Owner>, flags: number): ZoneBlock {
    const apex = nameToWire(origin)
    const names: number[] = []
    let block: ZoneBlock | undefined
    const add = (name: Uint8Array, rrsets: readonly OwnerRrset[]) => {
      block ??= ZoneBlock.create(this.#arena, apex.length, flags | flagHidden)
      const ref = this.#compiler.compile(block.ref, name, rrsets, names.length === 0)
      this.#index.insert(this.#hash(name), ref)
      block.count(ref, 1)
      names.push(ref)
      return block
    }
    let before = apex
    for (const { name, rrsets } of owners) {
      if (names.length === 0 && name.length !== apex.length) add(apex, [])
      for (const missing of this.#namesBetween(before, name)) add(missing, [])
      add(name, rrsets)
      before = name
    }
    const built = block ?? add(apex, [])
    built.set(zoneOrder, buildOrder(this.#arena, names))
    built.setApex(names[0] ?? noRef)
    return built
  }

  /** The empty non-terminals that come into being with `name`, which follows `before` in canonical order. */
  #namesBetween(before: Uint8Array, name: Uint8Array): Uint8Array[] {
    const shared = sharedSuffixBytes(before, name)
    const missing: Uint8Array[] = []
    for (let label = labelStarts(name, 0, this.#starts) - 1; label > 0; label--) {
      const start = this.#starts[label] ?? 0
      if (name.length - start > shared) missing.push(name.subarray(start))
    }
    return missing
  }

  /** Puts a zone in force in one step, and then takes away what was there before. */
  #replace(origin: DomainName, block: ZoneBlock): void {
    const before = this.#block(origin)
    if (before === undefined) this.#countZone(origin, block.has(flagPrivate), 1)
    else if (before.has(flagPrivate) !== block.has(flagPrivate)) this.#publicSize += block.has(flagPrivate) ? -1 : 1
    block.subzones = this.#below.get(origin) ?? 0
    this.#recordCount += block.records - (before?.records ?? 0)
    block.reveal(flagHidden)
    if (before !== undefined) this.#unlink(before)
    this.#arena.reclaim()
  }

  /** Takes a zone out of the index, and gives its memory back. */
  #unlink(block: ZoneBlock): void {
    block.setFlag(flagHidden, true)
    // Readers that have found it start over, while its names disappear one by one.
    block.settle()
    for (const ref of inOrder(this.segments, block.order)) {
      this.#index.remove(this.#hash(ownerOf(this.segments, ref)), ref)
      retireName(this.#arena, ref)
    }
    retireOrder(this.#arena, block.order)
    block.retire()
  }

  /** Carries a change out: the only moment in which readers of this zone start over. */
  #execute(block: ZoneBlock, operations: readonly NameOperation[]): void {
    this.#index.reserve(operations.length)
    const hashes = operations.map(({ name }) => this.#hash(name))
    this.#recordCount -= block.records
    block.disturb()
    try {
      for (const [each, { before, after }] of operations.entries()) {
        const hash = hashes[each] ?? 0
        if (before === noRef) this.#index.insert(hash, after)
        else if (after === noRef) this.#index.remove(hash, before)
        else this.#index.replace(hash, before, after)
        if (before !== noRef) block.count(before, -1)
        if (after !== noRef) block.count(after, 1)
        if (before === block.apex) block.setApex(after)
      }
    } finally {
      block.settle()
      this.#recordCount += block.records
    }
    for (const { before } of operations) if (before !== noRef) retireName(this.#arena, before)
    this.#arena.reclaim()
  }

  /** Lets the zones above know how many there are below them. */
  #countZone(origin: DomainName, isPrivate: boolean, sign: 1 | -1): void {
    if (!isPrivate) this.#publicSize += sign
    for (let name = origin; name !== rootName; ) {
      name = parentOf(name)
      const count = (this.#below.get(name) ?? 0) + sign
      if (count === 0) this.#below.delete(name)
      else this.#below.set(name, count)
      const above = this.#block(name)
      if (above !== undefined) above.subzones = count
    }
  }
}

function* within(origin: DomainName, rrsets: Iterable<Rrset>): Generator<Rrset> {
  for (const rrset of rrsets) {
    if (!isWithin(rrset.name, origin)) throw new DnsFault('out_of_zone', `${rrset.name} is not within ${origin}`)
    yield rrset
  }
}
