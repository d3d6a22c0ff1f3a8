import { randomBytes, randomUUID } from 'node:crypto'
import type { StoredRrset } from '#modules/records/index.ts'
import { type Database, sql } from '#platform/postgres/index.ts'

/** A zone that is written directly to the tables, as the modules zones and records would do it. */
export interface PlantedZone {
  readonly id: string
  readonly name: string
  readonly label: string
}

/** Creates a live zone with the catalog entry that announces it, and its rrsets at this serial. */
export async function plantZone(
  database: Database,
  name: string,
  options: { serial?: number; rrsets?: readonly StoredRrset[] } = {},
): Promise<PlantedZone> {
  const { serial = 1_000, rrsets = [] } = options
  const zone = { id: randomUUID(), name, label: randomBytes(8).toString('hex') }
  await database.transact(async (tx) => {
    const account = randomUUID()
    await sql`insert into accounts (id, email) values (${account}, ${`${account}@example.com`})`.execute(tx)
    await sql`
      insert into zones (id, name, account_id, state, origin, serial, rrset_count, catalog_label, live_at)
      values (${zone.id}, ${name}, ${account}, 'live', 'added', ${serial}, ${rrsets.length}, ${zone.label}, app_now())`.execute(
      tx,
    )
    await sql`
      insert into zone_rrsets (zone_id, name, type, ttl, records)
      select ${zone.id}::uuid, r.* from jsonb_to_recordset(${JSON.stringify(rrsets)}::jsonb)
        as r(name text, type text, ttl int, records text[])`.execute(tx)
    await sql`insert into zone_moves (zone_id, zone_name, catalog_label, live)
      values (${zone.id}, ${name}, ${zone.label}, true)`.execute(tx)
  })
  return zone
}

/** Publishes one change: the removed and added rrsets, and the journal's row. Returns the new serial. */
export async function plantChange(
  database: Database,
  zone: PlantedZone,
  change: { removed?: readonly StoredRrset[]; added?: readonly StoredRrset[] },
): Promise<number> {
  const { removed = [], added = [] } = change
  return database.transact(async (tx) => {
    const { rows } = await sql<{ serial: number }>`select serial from zones where id = ${zone.id} for update`.execute(
      tx,
    )
    const from = rows[0]?.serial ?? 0
    for (const { name, type } of removed) {
      await sql`delete from zone_rrsets where zone_id = ${zone.id} and name = ${name} and type = ${type}`.execute(tx)
    }
    for (const { name, type, ttl, records } of added) {
      await sql`insert into zone_rrsets (zone_id, name, type, ttl, records)
        values (${zone.id}, ${name}, ${type}, ${ttl}, ${[...records]})`.execute(tx)
    }
    await sql`insert into zone_journal (zone_id, from_serial, to_serial, removed, added)
      values (${zone.id}, ${from}, ${from + 1}, ${JSON.stringify(removed)}::json, ${JSON.stringify(added)}::json)`.execute(
      tx,
    )
    await sql`update zones set serial = ${from + 1},
      rrset_count = rrset_count + ${added.length - removed.length} where id = ${zone.id}`.execute(tx)
    return from + 1
  })
}

/** Creates this many live zones of four records each, `PREFIX0.test` and so on, at serial 1,000. Returns their ids. */
export async function plantZones(database: Database, prefix: string, count: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with account as (
      insert into accounts (email) values (${`${prefix}@example.com`}) returning id
    ), made as (
      insert into zones (name, account_id, state, origin, serial, rrset_count, catalog_label, live_at)
      select ${prefix}::text || i || '.test', account.id, 'live', 'added', 1000, 4, md5(${prefix}::text || i), app_now()
      from account cross join generate_series(0, ${count - 1}::int) i returning id, name, catalog_label
    ), records as (
      insert into zone_rrsets (zone_id, name, type, ttl, records)
      select id, 'h' || host || '.' || name, 'A', 300, array['192.0.2.' || host] from made cross join generate_series(1, 4) host
    )
    insert into zone_moves (zone_id, zone_name, catalog_label, live)
    select id, name, catalog_label, true from made returning zone_id as id`.execute(database.db)
  return rows.map(({ id }) => id)
}

/** Publishes one more change of each of these zones. */
export async function plantChanges(database: Database, zoneIds: readonly string[]): Promise<void> {
  await sql`
    with changed as (
      update zones set serial = serial + 1, rrset_count = rrset_count + 1 where id = any(${zoneIds}::uuid[])
      returning id, serial, json_build_object('name', 'n' || serial || '.' || name, 'type', 'A', 'ttl', 300,
        'records', json_build_array('192.0.2.9')) as rrset
    ), records as (
      insert into zone_rrsets (zone_id, name, type, ttl, records)
      select id, rrset ->> 'name', 'A', 300, array['192.0.2.9'] from changed
    )
    insert into zone_journal (zone_id, from_serial, to_serial, removed, added)
    select id, serial - 1, serial, '[]', json_build_array(rrset) from changed`.execute(database.db)
}

export async function plantDeletion(database: Database, zone: PlantedZone): Promise<void> {
  await database.transact(async (tx) => {
    await sql`update zones set state = 'deleted', deleted_at = app_now() where id = ${zone.id}`.execute(tx)
    await sql`insert into zone_moves (zone_id, zone_name, catalog_label, live)
      values (${zone.id}, ${zone.name}, ${zone.label}, false)`.execute(tx)
  })
}

export function a(name: string, ...records: string[]): StoredRrset {
  return { name, type: 'A', ttl: 300, records }
}
