import { configuredNames } from '#modules/primary/index.ts'
import { type Db, sql, type Tx } from '#platform/postgres/index.ts'

/** The configured nameservers in the stored form of an NS rrset. */
const configuredRecords = sql`(
  select array_agg(name || '.' order by (name || '.') collate "C") from nameservers where retired_at is null)`

/**
 * Records every delegation between zones here that names other nameservers than the configured ones and the secondaries of its zone. This also finds
 * delegations that a process with an old configuration wrote.
 */
export async function keepFormerCuts(tx: Tx): Promise<void> {
  await sql`
    insert into former_cuts (zone_id, name)
    select r.zone_id, r.name from zone_rrsets r
    left join zones below on below.name = r.name and below.state = 'live' and below.secondary_names is not null
    where r.managed and r.type = 'NS' and r.records <> case when below.id is null then ${configuredRecords} else array(
      select host || '.' from unnest(${configuredNames} || below.secondary_names) host order by (host || '.') collate "C") end
    on conflict do nothing`.execute(tx)
}

/** A delegation that still names former nameservers: its zone and its name. */
export interface FormerCut {
  readonly zoneId: string
  readonly name: string
}

/** The next ones after `after`, by zone and name. */
export async function pageOfFormerCuts(db: Db, after: FormerCut | undefined, limit: number): Promise<FormerCut[]> {
  const { rows } = await sql<FormerCut>`
    select zone_id as "zoneId", name from former_cuts
    where ${after === undefined} or (zone_id, name) > (${after?.zoneId ?? null}::uuid, ${after?.name ?? null}::text)
    order by zone_id, name limit ${limit}`.execute(db)
  return rows
}

/**
 * Those of these delegations of one zone, whose row must be locked, whose zone below already names the configured nameservers.
 * Removed delegations are forgotten.
 */
export async function readyCuts(tx: Tx, zoneId: string, names: readonly string[]): Promise<string[]> {
  await sql`
    delete from former_cuts f where f.zone_id = ${zoneId} and f.name = any(${[...names]}) and not exists (
      select from zone_rrsets r where r.zone_id = f.zone_id and r.name = f.name and r.type = 'NS' and r.managed)`.execute(
    tx,
  )
  const { rows } = await sql<{ name: string }>`
    select f.name from former_cuts f where f.zone_id = ${zoneId} and f.name = any(${[...names]}) and not exists (
      select from former_nameservers below join zones z on z.id = below.zone_id
      where z.name = f.name and z.state = 'live')`.execute(tx)
  return rows.map(({ name }) => name)
}

export async function forgetFormerCuts(tx: Tx, zoneId: string, names: readonly string[]): Promise<void> {
  await sql`delete from former_cuts where zone_id = ${zoneId} and name = any(${[...names]})`.execute(tx)
}
