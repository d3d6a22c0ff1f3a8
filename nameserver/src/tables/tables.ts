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
import { announcedBy, isSameChoice } from './denial-choice.ts'
import { changeHashes, changeNsecs } from './denial-orders.ts'
import { choiceAfter, currentChoice } from './denial-state.ts'
import { flagHidden, flagPrivate, flagWithheld, noRef, withheldFlags, zoneFlags, zoneOrder } from './layout.ts'
import { NameFinder } from './name-finder.ts'
import { NameIndex } from './name-index.ts'
import { type Owner, ownersOf } from './owners.ts'
import type { Segments } from './segments.ts'
import { type SignedFigures, SignedZones } from './signed-zones.ts'
import { TableZone, type ZoneSource } from './table-zone.ts'
import { hashName, maxNameBytes } from './wire-name.ts'
import { ZoneBlock } from './zone-block.ts'
import { ZoneBuilder } from './zone-builder.ts'
import { changedOwners } from './zone-change.ts'
import { ownersAfter, ownersIn } from './zone-owners.ts'
import { planNames, type ZonePlan } from './zone-plan.ts'

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
  readonly #builder: ZoneBuilder
  readonly #finder: NameFinder
  /** How many zones lie below each name that any lies below. */
  readonly #below = new Map<DomainName, number>()
  readonly #source: ZoneSource
  readonly #signed: SignedZones
  #publicSize = 0
  #recordCount = 0

  constructor({ segmentBytes, onSegment = () => {} }: TablesOptions = {}) {
    this.#arena = new Arena(onSegment, segmentBytes)
    this.#index = new NameIndex(this.#arena)
    this.#compiler = new NameCompiler(this.#arena)
    this.#builder = new ZoneBuilder(this.#arena, this.#index, this.#compiler, (name) => this.#hash(name))
    this.#finder = new NameFinder(this.segments, new DataView(new ArrayBuffer(maxNameBytes + 9)), () => {})
    this.#signed = new SignedZones(this.segments)
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

  /** What is served of signed zones at this time; see `SignedZones.figures`. */
  signed(nowS: number, names?: number): SignedFigures {
    return this.#signed.figures(nowS, names)
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
   * @throws DnsFault `out_of_zone`, `bad_zone` when a name has too many types, `too_many_iterations`; Error when an rrset comes twice
   */
  publish(origin: DomainName, rrsets: Iterable<Rrset>, isPrivate = false): void {
    const owners = ownersOf(within(origin, rrsets))
    for (const { name, rrsets } of owners) refuseManyTypes(name, rrsets)
    this.publishOwners(origin, owners, isPrivate)
  }

  /** As `publish`, with the rrsets gathered by name already: in canonical order, each name once, the apex first. */
  publishOwners(origin: DomainName, owners: Iterable<Owner>, isPrivate = false): void {
    this.#replace(origin, this.#builder.build(origin, owners, isPrivate ? flagPrivate : 0))
  }

  /**
   * Changes a zone in place, at a cost in proportion to the difference. A TTL that is added wins over that of the records
   * already there. Nothing is changed when it throws.
   *
   * @throws DnsFault `bad_zone` when a record to remove is not there, one to add already is, or a name gets too many types;
   * `too_many_iterations`; `out_of_zone`
   */
  apply(origin: DomainName, diff: ZoneDiff): void {
    const block = this.#block(origin)
    if (block === undefined) throw new DnsFault('bad_zone', `${origin} is not held.`)
    const zone = new TableZone(origin, this.#source)
    const owners = changedOwners(origin, diff, (name) => zone.rrsetsAt(name))
    for (const { name, rrsets } of owners) refuseManyTypes(name, rrsets)
    const choice = choiceAfter(this.segments, block, owners)
    if (!isSameChoice(choice, currentChoice(this.segments, block))) {
      // What denies changes for all names at once.
      const after = ownersAfter(ownersIn(this.segments, block), owners)
      this.#replace(origin, this.#builder.build(origin, after, block.get(zoneFlags)))
      return
    }
    const plan = planNames(this.#arena, this.#compiler, block, owners, announcedBy(choice))
    block.set(zoneOrder, plan.order)
    this.#execute(block, plan)
    this.#signed.note(origin, block)
  }

  /**
   * Answers SERVFAIL for `origin` until it is published or resumed, with the extended error `why` (RFC 8914). What is held of it
   * stays.
   */
  withhold(origin: DomainName, why: number, isPrivate = false): void {
    const block = this.#block(origin)
    if (block === undefined) {
      this.#replace(origin, this.#builder.build(origin, [], withheldFlags(why) | (isPrivate ? flagPrivate : 0)))
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
    this.#signed.forget(origin)
    this.#builder.discard(block)
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

  /** Puts a zone in force in one step, and then takes away what was there before. */
  #replace(origin: DomainName, block: ZoneBlock): void {
    const before = this.#block(origin)
    if (before === undefined) this.#countZone(origin, block.has(flagPrivate), 1)
    else if (before.has(flagPrivate) !== block.has(flagPrivate)) this.#publicSize += block.has(flagPrivate) ? -1 : 1
    block.subzones = this.#below.get(origin) ?? 0
    this.#recordCount += block.records - (before?.records ?? 0)
    block.reveal(flagHidden)
    this.#signed.note(origin, block)
    if (before !== undefined) this.#builder.discard(before)
    this.#arena.reclaim()
  }

  /** Carries a change out: the only moment in which readers of this zone start over. */
  #execute(block: ZoneBlock, { operations, hashed }: ZonePlan): void {
    this.#index.reserve(operations.length)
    const hashes = operations.map(({ name }) => this.#hash(name))
    this.#recordCount -= block.records
    block.disturb()
    try {
      for (const [each, operation] of operations.entries()) {
        const { before, after } = operation
        const hash = hashes[each] ?? 0
        if (before === noRef) this.#index.insert(hash, after)
        else if (after === noRef) this.#index.remove(hash, before)
        else this.#index.replace(hash, before, after)
        if (before !== noRef) block.count(before, -1)
        if (after !== noRef) block.count(after, 1)
        if (before === block.apex) block.setApex(after)
        changeNsecs(this.#arena, block, operation)
      }
      for (const operation of hashed) {
        if (operation.before.ref !== noRef) block.countRecords(operation.before.ref, -1)
        if (operation.after.ref !== noRef) block.countRecords(operation.after.ref, 1)
        changeHashes(this.#arena, block, operation)
      }
    } finally {
      block.settle()
      this.#recordCount += block.records
    }
    for (const { before } of operations) if (before !== noRef) retireName(this.#arena, before)
    for (const { before } of hashed) if (before.ref !== noRef) retireName(this.#arena, before.ref)
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
