import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { World } from '@zonewright/system-tests/world'
import pg from 'pg'
import { eventually } from '../../../system-tests/world/eventually.ts'
import { fillStore } from './fill-store.ts'
import { cpuSecondsOf } from './process-usage.ts'

const template = 'template.test'

export function hostedZone(zone: number): string {
  return `hosted${zone}.test`
}

/**
 * Makes an installation host the given number of zones for the account with this address. Each zone has one address, `www`.
 *
 * The zones are written to the database in the state in which the modules zones, records and publication leave them, and to the stores of both
 * nameservers, which are stopped in the meantime. Transferring them one by one would take ten minutes.
 */
export async function hostZones(world: World, count: number, email: string): Promise<void> {
  const { ns1, ns2 } = world.programs
  const database = new pg.Client({ connectionString: world.databaseUrl })
  await database.connect()
  try {
    await world.admin('zone', 'add', email, template)
    await eventually(`${template} is served`, async () => (await sightingsOf(database, template)) === 2)
    await Promise.all([ns1.stop(), ns2.stop()])
    await fillDatabase(database, count)
  } finally {
    await database.end()
  }
  const zones = Array.from({ length: count }, (_, zone) => hostedZone(zone))
  for (const name of ['ns1', 'ns2']) fillStore(join(world.dataDir, name, 'zones.sqlite'), template, zones)
  await Promise.all([ns1.start(), ns2.start()])
  await untilIdle([ns1.pid, ns2.pid])
}

async function sightingsOf(database: pg.Client, zone: string): Promise<number> {
  const { rows } = await database.query(
    `select count(*)::int as sightings from zone_sightings s join zones z on z.id = s.zone_id
     where z.name = $1 and s.serial >= z.serial`,
    [zone],
  )
  return rows[0].sightings
}

/** All zones have the serial of the first one. The next serial of the catalog contains them, and no IXFR step leads to it. */
async function fillDatabase(database: pg.Client, count: number): Promise<void> {
  await database.query(
    `with first as (select * from zones where name = $2), made as (
      insert into zones (name, account_id, state, origin, serial, rrset_count, bytes, catalog_label, live_at)
      select 'hosted' || i || '.test', account_id, 'live', origin, serial, 1, length('www.hosted' || i || '.test') + 28, 'hosted' || i, now()
      from first, generate_series(0, $1::int - 1) i returning *
    ), records as (
      insert into zone_rrsets (zone_id, name, type, ttl, records)
      select id, 'www.' || name, 'A', 300, array['192.0.2.1'] from made
    ), sightings as (
      insert into zone_sightings (zone_id, nameserver, serial)
      select made.id, nameservers.name, made.serial from made, nameservers
    ), members as (
      insert into catalog_members (zone_name, label, zone_id) select name, catalog_label, id from made
    )
    update catalog set serial = serial + 1, member_count = member_count + $1::int`,
    [count, template],
  )
  await database.query('analyze')
}

/** Waits until the nameservers have compared all their serials with the primary's. */
async function untilIdle(pids: readonly (number | undefined)[]): Promise<void> {
  for (let before = Number.NEGATIVE_INFINITY; ; ) {
    const now = cpuSecondsOf(pids)
    if (now - before < 0.1) return
    before = now
    await delay(1_000)
  }
}
