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

/** A name of the zone. One without rrsets is an empty non-terminal: it exists because a name below it does (RFC 8020). */
interface ZoneNode {
  rrsets: readonly Rrset[]
  /** How many names exist directly below. */
  children: number
}

/** A difference of more rrsets rebuilds `names` instead of changing it. */
const maxIndexedChanges = 1000

/**
 * A zone in memory. Immutable by convention but for `apply`, which changes it in place.
 *
 * Every name that exists has a node, empty non-terminals too, so that "does it exist" is one step and the closest encloser
 * is found by walking up.
 */
export class Zone {
  readonly origin: DomainName
  readonly #nodes = new Map<DomainName, ZoneNode>()
  /** Built on first use; from then on it follows every change. */
  #names: NameIndex | undefined
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

  /**
   * The rrsets of a name as questions see them: without NSEC3 and its signatures, which a name that is a hash owns beside what else may be
   * there (RFC 5155 §7.2.8).
   */
  visibleAt(name: DomainName): readonly Rrset[] {
    const rrsets = this.rrsetsAt(name)
    const isHashed = rrsets.some(({ type }) => type === RrType.NSEC3) && hashInName(name, this.origin) !== undefined
    return isHashed ? splitNsec3(rrsets).others : rrsets
  }

  /**
   * Whether the name exists, empty non-terminals included. Wildcards are not considered. A name that has nothing but NSEC3
   * does not exist (RFC 5155 §7.2.8).
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
   * All names that exist in canonical order, empty non-terminals and names below cuts included. Made when it is first asked
   * for, it follows every `apply`.
   */
  get names(): SortedNames {
    this.#names ??= new NameIndex(this.#nodes.keys())
    return this.#names
  }

  /** All rrsets in canonical order (RFC 4034 §6), the SOA before the rest of the apex. Sorts the names, unless `names` has. */
  *rrsets(): Generator<Rrset> {
    const soa = this.rrset(this.origin, RrType.SOA)
    if (soa !== undefined) yield soa
    // A copy: the zone may change while this goes on.
    for (const name of [...(this.#names ?? new NameIndex(this.#nodes.keys()))]) {
      for (const rrset of this.rrsetsAt(name)) if (rrset !== soa) yield rrset
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

  /** Takes away a name that has nothing at it or below it, and then the empty ones above it. The apex stays. */
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
