import { type DomainName, isWithin, parentOf } from '@zonewright/dns'
import { absolute } from '#modules/zones/index.ts'

/** The records at the names of a zone, or of its known part (`readOutline`). */
export class ZoneNames {
  readonly origin: DomainName
  readonly #types = new Map<DomainName, Set<string>>()
  /** Names that exist, including empty non-terminals (RFC 4592 §2.2.2). */
  readonly #existing: Set<DomainName>
  #hasDname = false

  constructor(origin: DomainName, rrsets: Iterable<{ readonly name: string; readonly type: string }>) {
    this.origin = origin
    this.#existing = new Set([origin])
    for (const { name, type } of rrsets) {
      if (type === 'DNAME') this.#hasDname = true
      const at = absolute(name)
      this.#types.set(at, (this.#types.get(at) ?? new Set()).add(type))
      for (let name = at; !this.#existing.has(name); name = parentOf(name)) this.#existing.add(name)
    }
  }

  isAlias(name: DomainName): boolean {
    return this.#types.get(name)?.has('CNAME') ?? false
  }

  /** The nearest name above, in this zone, that has a DNAME. */
  dnameAbove(name: DomainName): DomainName | undefined {
    if (!this.#hasDname || name === this.origin) return undefined
    const above = parentOf(name)
    return this.#types.get(above)?.has('DNAME') ? above : this.dnameAbove(above)
  }

  /** Whether the name is in this zone, not below a delegation, and has no address, not even from a wildcard (RFC 4592). */
  lacksAddress(name: DomainName): boolean {
    if (!isWithin(name, this.origin) || this.#isDelegated(name)) return false
    const answering = this.#types.get(this.#existing.has(name) ? name : this.#wildcardFor(name))
    return !['A', 'AAAA', 'CNAME', 'ALIAS'].some((type) => answering?.has(type))
  }

  /**
   * Whether the name matches something in the zone: it or a name below it exists, a wildcard covers it, or it is below a delegation or a DNAME.
   */
  leadsSomewhere(name: DomainName): boolean {
    if (!isWithin(name, this.origin)) return false
    if (this.exists(name) || this.#isDelegated(name) || this.dnameAbove(name) !== undefined) return true
    return this.#types.has(this.#wildcardFor(name))
  }

  /** Whether there is a record at the name or below it. */
  exists(name: DomainName): boolean {
    return this.#existing.has(name)
  }

  #isDelegated(name: DomainName): boolean {
    for (let at = name; at !== this.origin; at = parentOf(at)) if (this.#types.get(at)?.has('NS')) return true
    return false
  }

  /** The closest name that exists decides which wildcard counts (RFC 4592 §3.3.1). */
  #wildcardFor(name: DomainName): DomainName {
    let at = parentOf(name)
    while (!this.#existing.has(at)) at = parentOf(at)
    return `*.${at}` as DomainName
  }
}

/** The ancestor of a name, or the name itself, that is directly below `origin`; the name must be below it. */
export function childAbove(name: DomainName, origin: DomainName): DomainName {
  let child = name
  for (let above = parentOf(name); above !== origin; above = parentOf(above)) child = above
  return child
}
