import { startWorld, type World } from '@zonewright/system-tests/world'
import { withDatabase } from './database.ts'
import { type Figure, median } from './report.ts'

/** The zones of an agency, and the account that it may grow to. */
const agencyZones = 300
const large = { zones: 10_000, rrsetsEach: 20 }
const rounds = 5
/** No round takes this long. */
const bars = { planMs: 2_000, applyMs: 10_000 }

/**
 * Replaces one address in 300 zones: the time until the plan can be reviewed, and until it is applied. Then the same in an account
 * with 10,000 zones and 200,000 record sets.
 */
export async function plans(): Promise<Figure[]> {
  const world = await startWorld()
  try {
    await addZones(world, 0, agencyZones, 1)
    await give(world)
    const agency = await replaceRounds(world)
    await addZones(world, agencyZones, large.zones, large.rrsetsEach)
    const grown = await replaceRounds(world)
    const what = `an address is replaced in ${agencyZones} zones`
    const in_ = `of ${large.zones.toLocaleString('en')} zones with ${(large.zones * large.rrsetsEach).toLocaleString('en')} record sets`
    return [
      figure(`${what}: planned`, agency.planMs, bars.planMs),
      figure(`${what}: applied`, agency.applyMs, bars.applyMs),
      figure(`the same ${in_}: planned`, grown.planMs, bars.planMs),
      figure(`the same ${in_}: applied`, grown.applyMs, bars.applyMs),
    ]
  } finally {
    await world.stop()
  }
}

function figure(name: string, samples: readonly number[], mostMs: number): Figure {
  return { name, unit: 'ms', value: median(samples), bar: { kind: 'at most', value: mostMs }, samples }
}

/** Adds live zones, which the nameservers serve, each with this many addresses. */
async function addZones(world: World, first: number, past: number, rrsetsEach: number): Promise<void> {
  await withDatabase(world.databaseUrl, async (client) => {
    await client.query(
      `with added as (
        insert into zones (name, account_id, state, origin, serial, catalog_label, live_at)
        select 'client' || n || '.test', (select id from accounts where email = $1), 'live', 'added', 1, 'client' || n, app_now()
        from generate_series($2::int, $3::int - 1) n returning *
      ), moved as (
        insert into zone_moves (zone_id, zone_name, catalog_label, live) select id, name, catalog_label, true from added
      ), records as (
        insert into zone_rrsets (zone_id, name, type, ttl, records)
        select id, 'h' || r || '.' || name, 'A', 3600, array['198.51.100.' || r] from added, generate_series(1, $4::int) r
        returning zone_id, name
      )
      select count(*) from records`,
      [world.facts.account.email, first, past, rrsetsEach],
    )
    await client.query(
      `update zones z set rrset_count = own.count, bytes = own.bytes from (
        select zone_id, count(*)::int as count, sum(length(name) + 4) as bytes from zone_rrsets group by zone_id
      ) own where own.zone_id = z.id and z.name like 'client%'`,
    )
    await client.query('analyze')
  })
}

/** Gives each zone of the agency the address that is replaced, with plans. */
async function give(world: World): Promise<void> {
  for (let first = 0; first < agencyZones; first += 150) {
    const zones = Array.from({ length: 150 }, (_, i) => ({
      zone: `client${first + i}.test`,
      changes: [{ name: 'www', type: 'A', records: ['192.0.2.1'] }],
      if_match: 0,
    }))
    const { status, body } = await world.api.call('POST', '/plans/apply', { zones })
    if (status !== 200) throw new Error(`the zones were answered ${status}: ${JSON.stringify(body)}`)
  }
}

/** Replaces the address back and forth, and checks that every zone was changed. */
async function replaceRounds(world: World): Promise<{ planMs: number[]; applyMs: number[] }> {
  const [planMs, applyMs]: [number[], number[]] = [[], []]
  for (let round = 0; round < rounds * 2; round++) {
    const [from, to] = round % 2 === 0 ? ['192.0.2.1', '192.0.2.2'] : ['192.0.2.2', '192.0.2.1']
    const replace = { type: 'A', from, to }
    const plannedMs = performance.now()
    const plan = await world.api.call<{ zones: { zone_id: string; version: number }[] }>('POST', '/plans', {
      replace,
      zones: 'all',
    })
    planMs.push(performance.now() - plannedMs)
    const zones = plan.body.zones.map(({ zone_id, version }) => ({ zone: zone_id, if_match: version }))
    const headers = { 'idempotency-key': `plans ${plannedMs}` }
    const appliedMs = performance.now()
    const applied = await world.api.call<{ zones: { status: string }[] }>(
      'POST',
      '/plans/apply',
      { replace, zones },
      headers,
    )
    applyMs.push(performance.now() - appliedMs)
    const changed = applied.body.zones.filter(({ status }) => status === 'applied').length
    if (changed !== agencyZones) throw new Error(`${changed} of ${agencyZones} zones were changed`)
  }
  return { planMs, applyMs }
}
