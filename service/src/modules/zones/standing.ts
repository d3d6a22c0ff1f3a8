import { type Db, type Statement, sql } from '#platform/postgres/index.ts'

/** What is known about a zone besides its own row: in its parent zone, at the registry, and about presets. */
export interface Standing {
  readonly expiresAt: Date | null
  readonly hasDs: boolean | null
  readonly presets: readonly string[]
}

// Each is a subquery about one zone `z`, so that a list reads them only for the zones that it checks.

/** The state of its delegation. */
export const delegationOf: Statement = sql`
  coalesce((select g.state from zone_delegations g where g.zone_id = z.id), 'waiting')`

/** When its registration expires: the domain that is registered here, or what the registry last answered. */
export const expiryOf: Statement = sql`coalesce(
  (select d.expires_at from domains d where d.name = z.name and d.state <> 'gone'),
  (select g.registry_expires_at from zone_delegations g where g.zone_id = z.id))`

/** Whether its parent zone has DS records for it: at the registry of a domain that is registered here, or in the zone here above it. */
export const dsOf: Statement = sql`coalesce(
  (select d.has_ds from domains d where d.name = z.name and d.state <> 'gone'),
  case when z.parent_id is not null then
    exists (select from zone_rrsets r where r.zone_id = z.parent_id and r.name = z.name and r.type = 'DS') end)`

export async function standingsOf(db: Db, zoneIds: readonly string[]): Promise<ReadonlyMap<string, Standing>> {
  const { rows } = await sql<Standing & { id: string }>`
    select z.id, ${expiryOf} as "expiresAt", ${dsOf} as "hasDs",
      array(select p.preset_id from zone_presets p where p.zone_id = z.id order by p.applied_at desc, p.preset_id) as presets
    from zones z where z.id = any(${[...zoneIds]}::uuid[])`.execute(db)
  return new Map(rows.map(({ id, ...standing }) => [id, standing]))
}
