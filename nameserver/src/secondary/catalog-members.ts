import {
  type CatalogMember,
  catalogMemberOf,
  type DomainName,
  equalData,
  joinName,
  parseRdata,
  type ResourceRecord,
  RrType,
  recordsOf,
  type ZoneDiff,
} from '@zonewright/dns'
import type { TableZone } from '../tables/table-zone.ts'

/** The supported version (RFC 9432 §4.2.1). */
const schemaVersion = parseRdata(RrType.TXT, '"2"')

/** Which zones were added and removed. A zone whose unique label changed is in both: it starts over (RFC 9432 §5.6). */
export interface CatalogChange {
  readonly removed: readonly CatalogMember[]
  readonly added: readonly CatalogMember[]
}

/** The catalog breaks RFC 9432 and is not applied; the members stay as they were. */
export class CatalogBroken extends Error {
  override readonly name = 'CatalogBroken'
}

/** The members that are currently served. */
export interface MembersInForce {
  /** The unique label of a member, `undefined` for any other zone. */
  labelOf(zone: DomainName): string | undefined
  all(): Iterable<CatalogMember>
}

/**
 * Determines which members are added and removed when the catalog zone changes.
 *
 * A difference that only adds and removes members costs in proportion to its size. Anything else, and whatever follows
 * a broken catalog, is compared as a whole.
 */
export class CatalogMembers {
  readonly #inForce: MembersInForce
  #isWholeNeeded = true

  /** The caller has to update the served members with what `follow` returns. */
  constructor(inForce: MembersInForce) {
    this.#inForce = inForce
  }

  /**
   * Determines the member changes from the current catalog. `diff` is the difference that led to it, if it is known.
   *
   * @throws CatalogBroken: the caller must not change anything
   */
  follow(catalog: TableZone, diff?: ZoneDiff): CatalogChange {
    const isSmall = diff !== undefined && !this.#isWholeNeeded && !touchesVersion(catalog, diff)
    this.#isWholeNeeded = true
    const change = isSmall ? this.#changeBy(catalog, diff) : this.#changeTo(membersOf(catalog))
    this.#isWholeNeeded = false
    return change
  }

  #changeTo(members: ReadonlyMap<DomainName, string>): CatalogChange {
    const removed = [...this.#inForce.all()].filter(({ zone, label }) => members.get(zone) !== label)
    const added = [...members]
      .filter(([zone, label]) => this.#inForce.labelOf(zone) !== label)
      .map(([zone, label]) => ({ zone, label }))
    return { removed, added }
  }

  #changeBy(catalog: TableZone, diff: ZoneDiff): CatalogChange {
    const zonesName = joinName('zones', catalog.origin)
    const gone = membersIn(catalog.origin, diff.removed)
    const come = membersIn(catalog.origin, diff.added)
    // A record of which only the TTL changed is in both, and its member stays unchanged.
    const removed = without(gone, come)
    const added = without(come, gone)
    const leaving = new Set(removed.map(({ zone }) => zone))
    const arriving = new Set<DomainName>()
    for (const { zone, label } of added) {
      const isTwice = arriving.has(zone) || (this.#inForce.labelOf(zone) !== undefined && !leaving.has(zone))
      const isAlone = catalog.rrset(joinName(label, zonesName), RrType.PTR)?.data.length === 1
      if (isTwice || !isAlone) throw new CatalogBroken(`member ${zone} is not listed exactly once`)
      arriving.add(zone)
    }
    return { removed, added }
  }
}

/**
 * The members of a catalog, as `catalogMembers` of packages/dns finds them.
 *
 * @throws CatalogBroken if its version is not 2, a label lists two zones, or a zone is listed twice (RFC 9432 §5.1)
 */
function membersOf(catalog: TableZone): Map<DomainName, string> {
  checkVersion(catalog)
  const members = new Map<DomainName, string>()
  for (const rrset of catalog.rrsets()) {
    const [record, ...others] = rrset.type === RrType.PTR ? recordsOf(rrset) : []
    const member = record && catalogMemberOf(catalog.origin, record)
    if (!member) continue
    if (others.length > 0) throw new CatalogBroken(`several zones are listed under ${rrset.name}`)
    if (members.has(member.zone)) throw new CatalogBroken(`member ${member.zone} is listed twice`)
    members.set(member.zone, member.label)
  }
  return members
}

function checkVersion(catalog: TableZone): void {
  const [version, ...others] = catalog.rrset(joinName('version', catalog.origin), RrType.TXT)?.data ?? []
  if (version && others.length === 0 && equalData(version, schemaVersion)) return
  throw new CatalogBroken('the catalog is not of version 2')
}

function touchesVersion(catalog: TableZone, diff: ZoneDiff): boolean {
  const versionName = joinName('version', catalog.origin)
  return [...diff.removed, ...diff.added].some(({ name }) => name === versionName)
}

function membersIn(origin: DomainName, records: readonly ResourceRecord[]): CatalogMember[] {
  return records.flatMap((record) => catalogMemberOf(origin, record) ?? [])
}

function without(members: readonly CatalogMember[], others: readonly CatalogMember[]): CatalogMember[] {
  const known = new Set(others.map(keyOf))
  return members.filter((member) => !known.has(keyOf(member)))
}

/** Names contain no spaces. */
function keyOf({ zone, label }: CatalogMember): string {
  return `${zone} ${label}`
}
