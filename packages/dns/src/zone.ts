import { changedRrsets } from './changed-rrsets.ts'
import { sortedData } from './data-set.ts'
import type { ZoneDiff } from './diff.ts'
import { hashInName } from './dnssec/nsec3-chain-records.ts'
import { splitNsec3 } from './dnssec/split-nsec3.ts'
import { DnsFault } from './faults.ts'
import { type DomainName, isWithin, parentOf } from './name.ts'
import { NameIndex, type SortedNames } from './name-index.ts'
import type { Rrset } from './rrset.ts'
import type { Serial } from './serial.ts'
import { type SoaData, soaFromRdata } from './soa.ts'
import { RrType, typeToText } from './type.ts'

/** A name of the zone. A name without rrsets is an empty non-terminal, which exists because a name below it exists (RFC 8020). */
interface ZoneNode {
  rrsets: readonly Rrset[]
  /** How many names exist directly below. */
  children: number
}

/** A difference of more rrsets rebuilds `names` instead of changing it. */
const maxIndexedChanges = 1000

/**
 * A zone in memory. It is immutable by convention, except for `apply`, which changes it in place.
 *
 * Every existing name has a node, including empty non-terminals. So one step shows whether a name exists, and the closest encloser is found by going
 * up.
 */
export class Zone {
  readonly origin: DomainName
  readonly #nodes = new Map<DomainName, ZoneNode>()
  /** Built on first use; from then on, every change updates it. */
  #names: NameIndex | undefined
  #recordCount = 0

  private constructor(origin: DomainName) {
    this.origin = origin
    this.#nodes.set(origin, { rrsets: [], children: 0 })
  }

  /**
   * Creates a zone from its rrsets, in any order. It need not have a SOA yet: only `soa` and `serial` require it.
   *
   * @throws DnsFault `out_of_zone`; `bad_zone` if an rrset appears twice
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

  /** @throws DnsFault `bad_zone` if the zone has no SOA */
  get soa(): SoaData {
    const data = this.rrset(this.origin, RrType.SOA)?.data[0]
    if (data === undefined) throw new DnsFault('bad_zone', `The zone ${this.origin} has no SOA.`)
    return soaFromRdata(data)
  }

  /** The serial of the SOA. Throws like `soa`. */
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

  /**
   * The rrsets of a name for lookups, without NSEC3 and its signatures, which a name that is a hash may have in addition to other rrsets (RFC 5155
   * §7.2.8).
   */
  visibleAt(name: DomainName): readonly Rrset[] {
    const rrsets = this.rrsetsAt(name)
    const isHashed = rrsets.some(({ type }) => type === RrType.NSEC3) && hashInName(name, this.origin) !== undefined
    return isHashed ? splitNsec3(rrsets).others : rrsets
  }

  /**
   * Whether the name exists, empty non-terminals included. Wildcards are not considered. A name that has only NSEC3 does not exist (RFC 5155 §7.2.8).
   */
  has(name: DomainName): boolean {
    const node = this.#nodes.get(name)
    if (node === undefined) return false
    return node.children > 0 || node.rrsets.length === 0 || this.visibleAt(name).length > 0
  }

  /** The longest ancestor of `name` that exists, or `name` itself (RFC 4592 §3.3.1); `name` must be within the zone. */
  closestEncloser(name: DomainName): DomainName {
    let ancestor = name
    while (!this.has(ancestor)) ancestor = parentOf(ancestor)
    return ancestor
  }

  /**
   * All existing names in canonical order, including empty non-terminals and names below zone cuts. The list is created on first use, and every
   * `apply` updates it.
   */
  get names(): SortedNames {
    this.#names ??= new NameIndex(this.#nodes.keys())
    return this.#names
  }

  /** All rrsets in canonical order (RFC 4034 §6), the SOA before the rest of the apex. Sorts the names, unless `names` has. */
  *rrsets(): Generator<Rrset> {
    const soa = this.rrset(this.origin, RrType.SOA)
    if (soa !== undefined) yield soa
    // A copy, because the zone may change during the iteration.
    for (const name of [...(this.#names ?? new NameIndex(this.#nodes.keys()))]) {
      for (const rrset of this.rrsetsAt(name)) if (rrset !== soa) yield rrset
    }
  }

  /** All rrsets in undefined order, without the cost of sorting. */
  *unorderedRrsets(): Generator<Rrset> {
    for (const node of this.#nodes.values()) yield* node.rrsets
  }

  /**
   * Changes this zone in place and returns it, at a cost in proportion to the difference. The TTL of an added record replaces that of the existing
   * records. If it throws, nothing is changed.
   *
   * @throws DnsFault `bad_zone` if a record to remove does not exist, or a record to add already exists; `out_of_zone`
   */
  apply(diff: ZoneDiff): Zone {
    const changed = changedRrsets(diff, (name, type) => this.rrset(name, type))
    for (const rrset of changed) this.#checkWithin(rrset.name)
    // Sorting once more is then cheaper than moving names many times.
    if (changed.length > maxIndexedChanges) this.#names = undefined
    for (const rrset of changed) this.#set(rrset)
    return this
  }

  #checkWithin(name: DomainName): void {
    if (!isWithin(name, this.origin)) throw new DnsFault('out_of_zone', `${name} is not within ${this.origin}`)
  }

  /** Replaces an rrset. An rrset without data is removed. */
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

  /** The node of a name. Creates it and the empty non-terminals above it if they are missing. */
  #nodeAt(name: DomainName): ZoneNode {
    const existing = this.#nodes.get(name)
    if (existing !== undefined) return existing
    const node = this.#addNode(name, 0)
    let isNew = true
    for (let parent = parentOf(name); isNew; parent = parentOf(parent)) {
      const above = this.#nodes.get(parent)
      isNew = above === undefined
      if (above === undefined) this.#addNode(parent, 1)
      else above.children++
    }
    return node
  }

  #addNode(name: DomainName, children: number): ZoneNode {
    const node: ZoneNode = { rrsets: [], children }
    this.#nodes.set(name, node)
    this.#names?.add(name)
    return node
  }

  /** Removes a name without rrsets and without names below it, and then the empty names above it. The apex stays. */
  #prune(from: DomainName): void {
    for (let name = from; name !== this.origin; name = parentOf(name)) {
      const node = this.#nodes.get(name)
      if (node === undefined || node.rrsets.length > 0 || node.children > 0) return
      this.#nodes.delete(name)
      this.#names?.delete(name)
      const parent = this.#nodes.get(parentOf(name))
      if (parent !== undefined) parent.children--
    }
  }
}
