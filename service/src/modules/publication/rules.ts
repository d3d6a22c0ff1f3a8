import type { CatalogEntry } from '#modules/primary/index.ts'
import type { ZoneMove } from '#modules/zones/index.ts'

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
  // The first one is also the SOA's mname; the order of the others is nowhere to be seen.
  return published[0] !== next[0] || published.length !== next.length || published.some((name) => !next.includes(name))
}
