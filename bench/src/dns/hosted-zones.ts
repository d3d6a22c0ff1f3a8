import type { World } from '@zonewright/system-tests/world'
import pg from 'pg'
import { eventually } from '../../../system-tests/world/eventually.ts'

const longestFillMs = 250_000

export function hostedZone(zone: number): string {
  return `hosted${zone}.test`
}

/**
 * Has an installation host so many zones, as the modules zones and records would leave them, and waits until both
 * nameservers serve all. They belong to the account of this address.
 */
export async function hostZones(world: World, count: number, email: string): Promise<void> {
  const database = new pg.Client({ connectionString: world.databaseUrl })
  await database.connect()
  try {
    await database.query(
      `with account as (select id from accounts where email = $2), made as (
        insert into zones (name, account_id, state, origin, serial, rrset_count, catalog_label, live_at)
        select 'hosted' || i || '.test', account.id, 'live', 'added', 1000, 2, md5('hosted' || i), now()
        from account, generate_series(0, $1 - 1) i returning id, name, catalog_label
      ), records as (
        insert into zone_rrsets (zone_id, name, type, ttl, records)
        select id, host || name, 'A', 300, array['192.0.2.1'] from made, unnest(array['', 'www.']) host
      )
      insert into zone_moves (zone_id, zone_name, catalog_label, live) select id, name, catalog_label, true from made`,
      [count, email],
    )
    await database.query('analyze')
    await database.query("select pg_notify('catalog_changed', '')")
    const served = async (): Promise<boolean> => {
      const { rows } = await database.query(
        `select count(*)::int as sightings from zone_sightings s join zones z on z.id = s.zone_id where z.name like 'hosted%'`,
      )
      return rows[0].sightings === count * world.facts.nameservers.length
    }
    await eventually(`both nameservers serve ${count} zones`, served, longestFillMs)
  } finally {
    await database.end()
  }
}
