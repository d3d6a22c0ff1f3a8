import { textOfTxt } from '#modules/presets/index.ts'
import type { StoredRrset } from '#modules/records/index.ts'

/** A zone's records, with lookups by name. Names without their trailing dot. */
export class ZoneContent {
  readonly zone: string
  readonly rrsets: readonly StoredRrset[]
  readonly #at: ReadonlyMap<string, readonly StoredRrset[]>
  /** Existing names, including those between a record and the apex (RFC 4592 §2.2.2). */
  readonly #names: Set<string>

  constructor(zone: string, rrsets: readonly StoredRrset[]) {
    this.zone = zone
    this.rrsets = rrsets
    this.#at = Map.groupBy(rrsets, ({ name }) => name)
    this.#names = new Set([zone])
    for (const rrset of rrsets) {
      for (let name = rrset.name; this.covers(name) && !this.#names.has(name); name = above(name)) this.#names.add(name)
    }
  }

  /** Whether the name is in this zone. */
  covers(name: string): boolean {
    return name === this.zone || name.endsWith(`.${this.zone}`)
  }

  /** The records of a type that a query for the name would find: its own, or those of a wildcard (RFC 4592). */
  records(name: string, type: string): readonly string[] {
    return this.#answering(name).find((rrset) => rrset.type === type)?.records ?? []
  }

  /** The texts of the TXT records at a name. */
  texts(name: string): string[] {
    return this.records(name, 'TXT').map(textOfTxt)
  }

  /** Whether others answer for the name: it is delegated, there or above, or it is below a DNAME (RFC 6672), which leads elsewhere. */
  isElsewhere(name: string): boolean {
    for (let at = name; at !== this.zone && this.covers(at); at = above(at))
      if (this.#has(at, 'NS') || this.#has(above(at), 'DNAME')) return true
    return false
  }

  /** Whether the name exists here, itself or through a wildcard. */
  exists(name: string): boolean {
    return this.#names.has(name) || this.#answering(name).length > 0 || this.isElsewhere(name)
  }

  #has(name: string, type: string): boolean {
    return this.#at.get(name)?.some((rrset) => rrset.type === type) ?? false
  }

  #answering(name: string): readonly StoredRrset[] {
    if (this.#names.has(name)) return this.#at.get(name) ?? []
    // The closest existing name decides which wildcard applies (RFC 4592 §3.3.1).
    let at = above(name)
    while (this.covers(at) && !this.#names.has(at)) at = above(at)
    return this.#at.get(`*.${at}`) ?? []
  }
}

function above(name: string): string {
  return name.slice(name.indexOf('.') + 1)
}
