import { DnsFault } from './faults.ts'
import { type DomainName, isWithin, parentOf } from './name.ts'
import { compareData, equalData, type RecordData } from './rdata-wire.ts'
import { type ResourceRecord, type Rrset, sortedByName, sortedData } from './rrset.ts'
import type { Serial } from './serial.ts'
import { type SoaData, soaFromRdata } from './soa.ts'
import { RrType, typeToText } from './type.ts'

/** The difference between two states of a zone; the SOA is included on both sides when the serial moves. */
export interface ZoneDiff {
  readonly removed: readonly ResourceRecord[]
  readonly added: readonly ResourceRecord[]
}

/** A name of the zone. One without rrsets is an empty non-terminal: it exists because a name below it does (RFC 8020). */
interface ZoneNode {
  rrsets: readonly Rrset[]
  /** How many names exist directly below. */
  children: number
}

/**
 * A zone in memory. Immutable by convention but for `apply`, which changes it in place.
 *
 * Every name that exists has a node, empty non-terminals too, so that "does it exist" is one step and the closest encloser
 * is found by walking up.
 */
export class Zone {
  readonly origin: DomainName
  readonly #nodes = new Map<DomainName, ZoneNode>()
  #recordCount = 0

  private constructor(origin: DomainName) {
    this.origin = origin
    this.#nodes.set(origin, { rrsets: [], children: 0 })
  }

  /**
   * A zone out of its rrsets, in any order. It need not have a SOA yet; only `soa` and `serial` ask for it.
   *
   * @throws DnsFault `out_of_zone`; `bad_zone` when an rrset comes twice
   */
  static fromRrsets(origin: DomainName, rrsets: Iterable<Rrset>): Zone {
    const zone = new Zone(origin)
    for (const rrset of rrsets) {
      zone.#checkWithin(rrset.name)
      if (zone.rrset(rrset.name, rrset.type) !== undefined) {
        throw new DnsFault('bad_zone', `${typeToText(rrset.type)} of ${rrset.name} comes twice.`)
      }
      if (rrset.data.length > 0) zone.#set({ ...rrset, data: sortedData(rrset.data) })
    }
    return zone
  }

  /** @throws DnsFault `bad_zone` when the zone has no SOA */
  get soa(): SoaData {
    const data = this.rrset(this.origin, RrType.SOA)?.data[0]
    if (data === undefined) throw new DnsFault('bad_zone', `The zone ${this.origin} has no SOA.`)
    return soaFromRdata(data)
  }

  /** The serial of the SOA; throws as `soa` does. */
  get serial(): Serial {
    return this.soa.serial
  }

  get recordCount(): number {
    return this.#recordCount
  }

  rrset(name: DomainName, type: RrType): Rrset | undefined {
    return this.#nodes.get(name)?.rrsets.find((rrset) => rrset.type === type)
  }

  /** The rrsets of a name by type number; none for an empty non-terminal or a name that does not exist. */
  rrsetsAt(name: DomainName): readonly Rrset[] {
    return this.#nodes.get(name)?.rrsets ?? []
  }

  /** Whether the name exists, empty non-terminals included. Wildcards are not considered. */
  has(name: DomainName): boolean {
    return this.#nodes.has(name)
  }

  /** The longest ancestor of `name` that exists, or `name` itself (RFC 4592 §3.3.1); `name` must be within the zone. */
  closestEncloser(name: DomainName): DomainName {
    let ancestor = name
    while (!this.#nodes.has(ancestor)) ancestor = parentOf(ancestor)
    return ancestor
  }

  /** All rrsets in canonical order (RFC 4034 §6), the SOA before the rest of the apex. Sorts the names anew each time. */
  *rrsets(): Generator<Rrset> {
    const soa = this.rrset(this.origin, RrType.SOA)
    if (soa !== undefined) yield soa
    for (const [, node] of sortedByName(this.#nodes)) {
      for (const rrset of node.rrsets) if (rrset !== soa) yield rrset
    }
  }

  /** All rrsets in no order, without the cost of sorting. */
  *unorderedRrsets(): Generator<Rrset> {
    for (const node of this.#nodes.values()) yield* node.rrsets
  }

  /**
   * Changes this zone in place and returns it, at a cost in proportion to the difference. A TTL that is added wins over
   * that of the records already there. Nothing is changed when it throws.
   *
   * @throws DnsFault `bad_zone` when a record to remove is not there, or one to add already is; `out_of_zone`
   */
  apply(diff: ZoneDiff): Zone {
    const changed = this.#changedRrsets(diff)
    for (const rrset of changed) this.#checkWithin(rrset.name)
    for (const rrset of changed) this.#set(rrset)
    return this
  }

  #changedRrsets(diff: ZoneDiff): Rrset[] {
    const changes = new Map<string, RrsetChange>()
    const changeOf = (record: ResourceRecord): RrsetChange => {
      const key = `${record.type} ${record.name}`
      let change = changes.get(key)
      if (change === undefined) {
        const before = this.rrset(record.name, record.type)
        change = { name: record.name, type: record.type, ttl: before?.ttl ?? 0, before, removed: [], added: [] }
        changes.set(key, change)
      }
      return change
    }
    for (const record of diff.removed) changeOf(record).removed.push(record.data)
    for (const record of diff.added) {
      const change = changeOf(record)
      change.added.push(record.data)
      change.ttl = record.ttl
    }
    return Array.from(changes.values(), changedRrset)
  }

  #checkWithin(name: DomainName): void {
    if (!isWithin(name, this.origin)) throw new DnsFault('out_of_zone', `${name} is not within ${this.origin}`)
  }

  /** Puts an rrset in place of the one there was; one without data goes away. */
  #set(rrset: Rrset): void {
    const before = this.#nodes.get(rrset.name)?.rrsets ?? []
    const others = before.filter((other) => other.type !== rrset.type)
    this.#recordCount += rrset.data.length - (before.find((other) => other.type === rrset.type)?.data.length ?? 0)
    if (rrset.data.length === 0) {
      const node = this.#nodes.get(rrset.name)
      if (node !== undefined) node.rrsets = others
      this.#prune(rrset.name)
    } else {
      this.#nodeAt(rrset.name).rrsets = [...others, rrset].sort((a, b) => a.type - b.type)
    }
  }

  /** The node of a name; it and the empty non-terminals above it come into being when they are missing. */
  #nodeAt(name: DomainName): ZoneNode {
    const existing = this.#nodes.get(name)
    if (existing !== undefined) return existing
    const node: ZoneNode = { rrsets: [], children: 0 }
    this.#nodes.set(name, node)
    let isNew = true
    for (let parent = parentOf(name); isNew; parent = parentOf(parent)) {
      const above = this.#nodes.get(parent)
      isNew = above === undefined
      if (above === undefined) this.#nodes.set(parent, { rrsets: [], children: 1 })
      else above.children++
    }
    return node
  }

  /** Takes away a name that has nothing at it or below it, and then the empty ones above it. The apex stays. */
  #prune(from: DomainName): void {
    for (let name = from; name !== this.origin; name = parentOf(name)) {
      const node = this.#nodes.get(name)
      if (node === undefined || node.rrsets.length > 0 || node.children > 0) return
      this.#nodes.delete(name)
      const parent = this.#nodes.get(parentOf(name))
      if (parent !== undefined) parent.children--
    }
  }
}

interface RrsetChange {
  readonly name: DomainName
  readonly type: RrType
  readonly before: Rrset | undefined
  readonly removed: RecordData[]
  readonly added: RecordData[]
  ttl: number
}

function changedRrset(change: RrsetChange): Rrset {
  const { name, type, ttl } = change
  const refuse = (why: string) => new DnsFault('bad_zone', `A ${typeToText(type)} record of ${name} to ${why}.`)
  const kept = without(change.before?.data ?? [], change.removed)
  if (kept === undefined) throw refuse('remove is not there')
  const data = sortedData([...kept, ...change.added])
  if (data.length < kept.length + change.added.length) throw refuse('add is already there')
  return { name, type, ttl, data }
}

/** `data`, which is sorted, without `removed`; `undefined` when one of these is not in it. */
function without(data: readonly RecordData[], removed: readonly RecordData[]): RecordData[] | undefined {
  const leaving = [...removed].sort(compareData)
  let next = 0
  const kept = data.filter((item) => {
    const goes = leaving[next]
    const isLeaving = goes !== undefined && equalData(item, goes)
    if (isLeaving) next++
    return !isLeaving
  })
  return next === leaving.length ? kept : undefined
}
