import type { CatalogEntry } from '#modules/primary/index.ts'
import type { ZoneMove } from '#modules/zones/index.ts'
import { type Statement, sql } from '#platform/postgres/index.ts'

/** A member and which zone it is. */
export interface Member extends CatalogEntry {
  readonly zoneId: string
}

/** How a batch of changes affects the catalog. */
export interface CatalogPlan {
  readonly removed: readonly Member[]
  readonly added: readonly Member[]
}

/**
 * The net effect of catalog changes, in their order, on the current members with these names. A zone that was removed and added again with
 * another label is in both lists: its secondaries reset it (RFC 9432 §5.4).
 */
export function planCatalog(moves: readonly ZoneMove[], members: readonly Member[]): CatalogPlan {
  const before = new Map(members.map((member) => [member.zone, member]))
  const after = new Map(before)
  for (const move of moves) {
    if (move.live) after.set(move.zoneName, { label: move.catalogLabel, zone: move.zoneName, zoneId: move.zoneId })
    else if (after.get(move.zoneName)?.zoneId === move.zoneId) after.delete(move.zoneName)
  }
  return {
    removed: [...before.values()].filter(({ zone, label }) => after.get(zone)?.label !== label),
    added: [...after.values()].filter(({ zone, label }) => before.get(zone)?.label !== label),
  }
}

/** Whether the nameservers that `next` names in every zone differ from those that `published` zones name. */
export function namesDiffer(published: readonly string[], next: readonly string[]): boolean {
  // The first one is also the SOA's mname; the order of the others is not visible anywhere.
  return published[0] !== next[0] || published.length !== next.length || published.some((name) => !next.includes(name))
}

/**
 * Whether a nameserver serves a change of a zone. `seen`: the serial that the nameserver was seen to serve; null: none. `wanted`: the serial of
 * the change. `present`: the zone's own serial, read after the sighting.
 *
 * A nameserver with a serial that the zone does not have yet is ahead of the database, which lost changes in a failover or a restore. What
 * such a nameserver serves is unknown, so it serves no change.
 */
export function isServing(seen: number | null, wanted: number, present: number): boolean {
  return seen !== null && wanted <= seen && seen <= present
}

/** `isServing` as SQL, of columns that are read together. */
export function serving(seen: Statement, wanted: Statement, present: Statement): Statement {
  return sql`coalesce(${seen} between ${wanted} and ${present}, false)`
}
