import { type Statement, sql } from '#platform/postgres/index.ts'

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
