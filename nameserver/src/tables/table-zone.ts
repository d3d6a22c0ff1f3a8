import {
  type DomainName,
  nameFromWire,
  nameToWire,
  type Rrset,
  type RrType,
  type Serial,
  type SoaData,
  soaFromRdata,
} from '@zonewright/dns'
import type { Owner } from './owners.ts'
import { readRrset } from './read-name.ts'
import type { Segments } from './segments.ts'
import type { ZoneBlock } from './zone-block.ts'
import { ownerRrsetsIn, ownersIn } from './zone-owners.ts'

const soaType = 6 as RrType

/** How a zone is looked up on each access. */
export interface ZoneSource {
  readonly segments: Segments
  /** The current block of the zone. */
  block(origin: DomainName): ZoneBlock | undefined
  /** The reference of a name in the zone of that block, or 0. */
  find(name: Uint8Array, zone: number): number
}

/** A zone in its current state, read from the tables by the thread that writes them. */
export class TableZone {
  readonly origin: DomainName
  readonly #source: ZoneSource

  constructor(origin: DomainName, source: ZoneSource) {
    this.origin = origin
    this.#source = source
  }

  /** @throws Error if the zone has no SOA: it was removed since the lookup */
  get soa(): SoaData {
    const data = this.#soa()?.data[0]
    if (data === undefined) throw new Error(`${this.origin} is not held`)
    return soaFromRdata(data)
  }

  get serial(): Serial {
    return this.soa.serial
  }

  get recordCount(): number {
    return this.#source.block(this.origin)?.records ?? 0
  }

  rrset(name: DomainName, type: RrType): Rrset | undefined {
    return this.rrsetsAt(name).find((rrset) => rrset.type === type)
  }

  /** The rrsets of a name by type; none for an empty non-terminal or a name that does not exist. */
  rrsetsAt(name: DomainName): Rrset[] {
    const block = this.#source.block(this.origin)
    if (block === undefined) return []
    const wire = nameToWire(name)
    const rrsets = ownerRrsetsIn(this.#source.segments, block, wire, this.#source.find(wire, block.ref))
    return rrsets.map((rrset) => ({ name, ...rrset }))
  }

  /** All rrsets in canonical order (RFC 4034 §6), the SOA before the rest of the apex. */
  *rrsets(): Generator<Rrset> {
    const soa = this.#soa()
    if (soa !== undefined) yield soa
    for (const { name: wire, rrsets } of this.owners()) {
      const name = nameFromWire(wire)
      for (const rrset of rrsets) if (rrset.type !== soaType || name !== this.origin) yield { name, ...rrset }
    }
  }

  /** All names that have rrsets, in canonical order. The zone must not be changed during the iteration. */
  *owners(): Generator<Owner> {
    const block = this.#source.block(this.origin)
    if (block !== undefined) yield* ownersIn(this.#source.segments, block)
  }

  #soa(): Rrset | undefined {
    const block = this.#source.block(this.origin)
    return block && readRrset(this.#source.segments, block.apex, this.origin, soaType)
  }
}
