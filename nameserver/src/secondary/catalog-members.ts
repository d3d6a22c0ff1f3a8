import {
  type CatalogMember,
  catalogMemberOf,
  catalogMembers,
  type DomainName,
  joinName,
  type ResourceRecord,
  RrType,
  type Zone,
  type ZoneDiff,
} from '@zonewright/dns'

/** Which zones came and went. A zone whose unique label changed is in both: it starts afresh (RFC 9432 §5.6). */
export interface CatalogChange {
  readonly removed: readonly CatalogMember[]
  readonly added: readonly CatalogMember[]
}

/** The catalog breaks RFC 9432 and is not applied; the members stay as they were. */
export class CatalogBroken extends Error {
  override readonly name = 'CatalogBroken'
}

/**
 * The members of the catalog zone as they are in force.
 *
 * A difference that only adds and removes members costs in proportion to itself; anything else, and whatever follows
 * a broken catalog, is compared as a whole.
 */
export class CatalogMembers {
  readonly #labels: Map<DomainName, string>
  #isWholeNeeded = true

  /** `known` are the members in force so far. */
  constructor(known: Iterable<CatalogMember>) {
    this.#labels = new Map(Array.from(known, ({ zone, label }) => [zone, label]))
  }

  /**
   * Takes over the catalog as it now is; `diff` is how it came to be that, where that is known.
   *
   * @throws CatalogBroken with nothing taken over.
   */
  follow(catalog: Zone, diff?: ZoneDiff): CatalogChange {
    const isSmall = diff !== undefined && !this.#isWholeNeeded && !touchesVersion(catalog, diff)
    this.#isWholeNeeded = true
    const change = isSmall ? this.#changeBy(catalog, diff) : this.#changeTo(membersOf(catalog))
    for (const { zone } of change.removed) this.#labels.delete(zone)
    for (const { zone, label } of change.added) this.#labels.set(zone, label)
    this.#isWholeNeeded = false
    return change
  }

  #changeTo(members: ReadonlyMap<DomainName, CatalogMember>): CatalogChange {
    const removed = [...this.#labels]
      .filter(([zone, label]) => members.get(zone)?.label !== label)
      .map(([zone, label]) => ({ zone, label }))
    const added = [...members.values()].filter(({ zone, label }) => this.#labels.get(zone) !== label)
    return { removed, added }
  }

  #changeBy(catalog: Zone, diff: ZoneDiff): CatalogChange {
    const zonesName = joinName('zones', catalog.origin)
    const gone = membersIn(catalog.origin, diff.removed)
    const come = membersIn(catalog.origin, diff.added)
    // A record whose TTL alone changed is in both, and its member stays as it is.
    const removed = gone.filter((member) => !come.some((other) => isSame(member, other)))
    const added = come.filter((member) => !gone.some((other) => isSame(member, other)))
    const leaving = new Set(removed.map(({ zone }) => zone))
    const arriving = new Set<DomainName>()
    for (const { zone, label } of added) {
      const isTwice = arriving.has(zone) || (this.#labels.has(zone) && !leaving.has(zone))
      const isAlone = catalog.rrset(joinName(label, zonesName), RrType.PTR)?.data.length === 1
      if (isTwice || !isAlone) throw new CatalogBroken(`member ${zone} is not listed exactly once`)
      arriving.add(zone)
    }
    return { removed, added }
  }
}

function membersOf(catalog: Zone): ReadonlyMap<DomainName, CatalogMember> {
  try {
    return catalogMembers(catalog)
  } catch (error) {
    throw new CatalogBroken(error instanceof Error ? error.message : String(error), { cause: error })
  }
}

function touchesVersion(catalog: Zone, diff: ZoneDiff): boolean {
  const versionName = joinName('version', catalog.origin)
  return [...diff.removed, ...diff.added].some(({ name }) => name === versionName)
}

function membersIn(origin: DomainName, records: readonly ResourceRecord[]): CatalogMember[] {
  return records.flatMap((record) => catalogMemberOf(origin, record) ?? [])
}

function isSame(a: CatalogMember, b: CatalogMember): boolean {
  return a.zone === b.zone && a.label === b.label
}
