import type { CatalogEntry } from '#modules/primary/index.ts'
import type { ZoneMove } from '#modules/zones/index.ts'

/** A member and which zone it is. */
export interface Member extends CatalogEntry {
  readonly zoneId: string
}

/** What a batch of moves does to the catalog. */
export interface CatalogPlan {
  readonly removed: readonly Member[]
  readonly added: readonly Member[]
}

/**
 * The net effect of moves, in their order, on the members that have these names now. A zone that left and came again with
 * another label is in both lists: its secondaries start it afresh (RFC 9432 §5.4).
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

/** The nameservers that `next` names in every zone are not those that `published` zones name. */
export function namesDiffer(published: readonly string[], next: readonly string[]): boolean {
  // The first one is also the SOA's mname; the order of the others is nowhere to be seen.
  return published[0] !== next[0] || published.length !== next.length || published.some((name) => !next.includes(name))
}
