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
import { NameCompiler, retireName } from './compile-name.ts'
import { announcedBy, isSameChoice } from './denial-choice.ts'
import { changeHashes, changeNsecs } from './denial-orders.ts'
import { choiceAfter, currentChoice } from './denial-state.ts'
import { flagHidden, flagPrivate, flagWithheld, noRef, withheldFlags, zoneFlags, zoneOrder } from './layout.ts'
import { NameFinder } from './name-finder.ts'
import { NameIndex } from './name-index.ts'
import { type Owner, ownersOf } from './owners.ts'
import { refuseOwner } from './refuse-owner.ts'
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
  /** The size of a segment of shared memory, in bytes. */
  readonly segmentBytes?: number
  /** Called for each new segment before anything is placed in it, so that the segment can be passed to other threads. */
  readonly onSegment?: (buffer: SharedArrayBuffer) => void
}

/**
 * Every zone this server answers for, in shared memory: written by one thread, read by all without locks.
 *
 * A published zone is built next to the previous one, which it then replaces in one step. A difference changes only the names that it mentions. No
 * query ever sees a partial change.
 */
export class Tables {
  readonly #arena: Arena
  readonly #index: NameIndex
  readonly #compiler: NameCompiler
  readonly #builder: ZoneBuilder
  readonly #finder: NameFinder
  /** How many zones are below each name. Names without zones below them are left out. */
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

  /** The number of public zones, including those that currently have no data. */
  get publicSize(): number {
    return this.#publicSize
  }

  /** Records of all zones. */
  get recordCount(): number {
    return this.#recordCount
  }

  /** Metrics of the signed zones at the given time; see `SignedZones.figures`. */
  signed(nowS: number, names?: number): SignedFigures {
    return this.#signed.figures(nowS, names)
  }

  /** Bytes in use, of those reserved. */
  get usedBytes(): number {
    return this.#arena.usedBytes
  }

  /** Bytes of address space. Only bytes that were used at least once take memory. */
  get reservedBytes(): number {
    return this.segments.bytes.reduce((sum, { byteLength }) => sum + byteLength, 0)
  }

  /**
   * Serves `origin` from these rrsets from now on, and replaces its previous content.
   *
   * @throws DnsFault `out_of_zone`, `bad_zone` for what `refuseOwner` refuses, `too_many_iterations`; Error if an rrset appears twice
   */
  publish(origin: DomainName, rrsets: Iterable<Rrset>, isPrivate = false): void {
    // As a list: nothing is placed unless all names are accepted.
    this.#publish(origin, [...accepted(origin, ownersOf(within(origin, rrsets)))], isPrivate)
  }

  /** Like `publish`, with rrsets that are already grouped by name: in canonical order, each name once, the apex first. */
  publishOwners(origin: DomainName, owners: Iterable<Owner>, isPrivate = false): void {
    this.#publish(origin, accepted(origin, owners), isPrivate)
  }

  /**
   * Changes a zone in place, at a cost in proportion to the difference. The TTL of an added record replaces that of the existing records. If it
   * throws, nothing is changed.
   *
   * @throws DnsFault `bad_zone` if a record to remove does not exist, a record to add already exists, or for what `refuseOwner` refuses;
   * `too_many_iterations`; `out_of_zone`
   */
  apply(origin: DomainName, diff: ZoneDiff): void {
    const block = this.#block(origin)
    if (block === undefined) throw new DnsFault('bad_zone', `${origin} is not held.`)
    const zone = new TableZone(origin, this.#source)
    const changed = changedOwners(origin, diff, (name) => zone.rrsetsAt(name))
    const owners = [...accepted(origin, changed)]
    const choice = choiceAfter(this.segments, block, owners)
    if (!isSameChoice(choice, currentChoice(this.segments, block))) {
      // The kind of denial changes for all names at once.
      const after = ownersAfter(ownersIn(this.segments, block), owners)
      this.#replace(origin, this.#builder.build(origin, after, block.get(zoneFlags)))
      return
    }
    const plan = planNames(this.#arena, this.#compiler, block, owners, announcedBy(choice))
    block.set(zoneOrder, plan.order)
    this.#execute(block, plan)
    this.#signed.note(origin, block)
  }

  /** Answers SERVFAIL for `origin` until it is published or resumed, with the extended error `why` (RFC 8914). Its data stays. */
  withhold(origin: DomainName, why: number, isPrivate = false): void {
    const block = this.#block(origin)
    if (block === undefined) {
      this.#replace(origin, this.#builder.build(origin, [], withheldFlags(why) | (isPrivate ? flagPrivate : 0)))
    } else {
      block.withhold(why)
    }
  }

  /** Serves `origin` again from its data. */
  resume(origin: DomainName): void {
    const block = this.#block(origin)
    if (block !== undefined && block.records > 0) block.setFlag(flagWithheld, false)
  }

  /** Removes `origin` from our zones. */
  remove(origin: DomainName): void {
    const block = this.#block(origin)
    if (block === undefined) return
    this.#recordCount -= block.records
    this.#signed.forget(origin)
    this.#builder.discard(block)
    this.#countZone(origin, block.has(flagPrivate), -1)
    this.#arena.reclaim()
  }

  /** The data of a zone, whether it is currently served or not; `undefined` if there is none. */
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

  #publish(origin: DomainName, owners: Iterable<Owner>, isPrivate: boolean): void {
    this.#replace(origin, this.#builder.build(origin, owners, isPrivate ? flagPrivate : 0))
  }

  /** Activates a zone in one step, and then removes the previous one. */
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

  /** Applies a change. Readers of this zone start over only during this step. */
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

  /** Updates the number of zones below each parent zone. */
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

/** Passes the names on while `refuseOwner` accepts them. */
function* accepted(origin: DomainName, owners: Iterable<Owner>): Generator<Owner> {
  const apexLength = nameToWire(origin).length
  for (const owner of owners) {
    refuseOwner(owner, apexLength)
    yield owner
  }
}

function* within(origin: DomainName, rrsets: Iterable<Rrset>): Generator<Rrset> {
  for (const rrset of rrsets) {
    if (!isWithin(rrset.name, origin)) throw new DnsFault('out_of_zone', `${rrset.name} is not within ${origin}`)
    yield rrset
  }
}
