import { type DomainName, parentOf, RrType, rootName, type Zone } from '@zonewright/dns'

/** One zone as the doors see it. */
export interface ZoneEntry {
  readonly origin: DomainName
  /** `undefined` while there is nothing to answer with: not transferred yet, or expired (answered SERVFAIL). */
  readonly zone: Zone | undefined
  /** Private zones, such as the catalog, answer everybody the apex SOA and the rest to our key alone (RFC 9432 §7). */
  readonly isPrivate: boolean
}

/** Every zone this server answers for. All changes are one synchronous step, so no query ever sees half of one. */
export class ZoneTable {
  readonly #entries = new Map<DomainName, ZoneEntry>()

  /** How many zones the public is answered from, those without data at present included. */
  get publicSize(): number {
    let size = 0
    for (const entry of this.#entries.values()) if (!entry.isPrivate) size++
    return size
  }

  /** Answers `origin` from `zone` from now on. */
  publish(zone: Zone, isPrivate = false): void {
    this.#entries.set(zone.origin, { origin: zone.origin, zone, isPrivate })
  }

  /** Answers SERVFAIL for `origin` until it is published. */
  withhold(origin: DomainName, isPrivate = false): void {
    this.#entries.set(origin, { origin, zone: undefined, isPrivate })
  }

  remove(origin: DomainName): void {
    this.#entries.delete(origin)
  }

  get(origin: DomainName): ZoneEntry | undefined {
    return this.#entries.get(origin)
  }

  /** The closest zone that holds `name`. DS belongs to the parent's side of a cut (RFC 4035 §3.1.4.1). */
  find(name: DomainName, type: RrType): ZoneEntry | undefined {
    const own = this.#entries.get(name)
    if (own && type === RrType.DS) return this.#enclosing(name) ?? own
    return own ?? this.#enclosing(name)
  }

  #enclosing(name: DomainName): ZoneEntry | undefined {
    let at = name
    while (at !== rootName) {
      at = parentOf(at)
      const entry = this.#entries.get(at)
      if (entry) return entry
    }
    return undefined
  }
}
