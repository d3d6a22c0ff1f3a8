import { visibleIds } from '#modules/zones/index.ts'
import type { Caller } from '#platform/caller.ts'
import { type Db, sql } from '#platform/postgres/index.ts'
import type { Replacement } from './rules.ts'

/** A zone in a search, and how many record sets the search reads for it. */
export interface SearchedZone {
  readonly id: string
  readonly name: string
  readonly rrsetCount: number
}

/** The next zones that a caller can see, by name, after a name and an id. */
export async function nextZones(
  db: Db,
  caller: Caller,
  after: readonly string[] | undefined,
  limit: number,
): Promise<SearchedZone[]> {
  const { rows } = await sql<SearchedZone>`
    select z.id, z.name, z.rrset_count as "rrsetCount" from zones z
    where z.id in (${visibleIds(caller)}) and z.state <> 'deleted'
      and (${after?.[0] ?? null}::text is null or (z.name, z.id::text collate "C") > (${after?.[0] ?? null}, ${after?.[1] ?? null}))
    order by z.name, z.id limit ${limit}`.execute(db)
  return rows
}

/** Which of some zones have a value, each with the owner names of its record sets. Reads them by the key of the table, never by their text. */
export async function namesWith(
  db: Db,
  zoneIds: readonly string[],
  { type, from }: Replacement,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const { rows } = await sql<{ zoneId: string; names: string[] }>`
    select asked.id as "zoneId", found.names from unnest(${[...zoneIds]}::uuid[]) asked(id)
    cross join lateral (
      select array_agg(name order by name) as names from zone_rrsets
      where zone_id = asked.id and type = ${type} and records @> array[${from}] and not managed
    ) found where found.names is not null`.execute(db)
  return new Map(rows.map(({ zoneId, names }) => [zoneId, names]))
}

/** The versions of zones, by their ids. */
export async function versionsOf(db: Db, zoneIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ id: string; version: number }>`
    select id, version from zones where id = any(${[...zoneIds]}::uuid[]) and state <> 'deleted'`.execute(db)
  return new Map(rows.map(({ id, version }) => [id, version]))
}
