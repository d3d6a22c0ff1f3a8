import { setTimeout as delay } from 'node:timers/promises'
import { askUdp, startWorld, type World } from '@zonewright/system-tests/world'
import type pg from 'pg'
import { withDatabase } from '../database.ts'
import { hostedZone, hostZones } from '../dns/hosted-zones.ts'
import { cpuSecondsOf } from '../dns/process-usage.ts'
import { LeanClient } from '../lean-client.ts'
import { type Figure, median } from '../report.ts'
import { makeKeys } from '../writer.ts'
import { movingTtl, TargetServer, usualTtl } from './target-server.ts'

const zoneCount = 10_000
const aliasCount = 100_000
/** Targets that change during the measurement, each in a zone of its own. */
const movingCount = 50
/** Long enough that every target is due once. */
const measuredS = 330
/** How often a nameserver is queried for a new address, and the timeout. */
const askEveryMs = 100
const giveUpMs = 120_000
const email = 'alias@zonewright.test'

/**
 * How soon both nameservers serve a change at the target of an ALIAS, while the same worker follows 100,000 other targets with a TTL of
 * 300 s.
 */
export async function alias(): Promise<Figure[]> {
  const targets = await TargetServer.start()
  const world = await startWorld({ env: { ALIAS_RESOLVER: targets.address } })
  try {
    await world.admin('account', 'create', email)
    await hostZones(world, zoneCount, email)
    const moving = await makeMoving(world, targets)
    return await withDatabase(world.databaseUrl, async (database) => {
      await fillAliases(database)
      // Targets that became due while the database was being filled are looked up first.
      while ((await lateness(database)) > 1) await delay(1_000)
      return await measured(world, targets, database, moving)
    })
  } finally {
    await world.stop()
    await targets.close()
  }
}

/** An ALIAS whose target changes. */
interface Moving {
  readonly name: string
  readonly host: number
}

/** Writes the ALIAS records through the API, and waits until both nameservers serve their addresses. */
async function makeMoving(world: World, targets: TargetServer): Promise<Moving[]> {
  const keys = await makeKeys(world, email, 4)
  const client = new LeanClient(world.facts.base_url)
  const moving = Array.from({ length: movingCount }, (_, i): Moving => {
    return { name: `moving.${hostedZone(i * 100)}`, host: aliasCount + i }
  })
  for (const [i, { host }] of moving.entries()) {
    const body = JSON.stringify({ ttl: 3_600, records: [`t${host}.moving.example.net.`] })
    const path = `/api/v1/zones/${hostedZone(i * 100)}/rrsets/moving/ALIAS`
    const status = await client.request('PUT', path, keys[i % keys.length] ?? '', body)
    if (status !== 201) throw new Error(`an ALIAS was answered ${status}`)
  }
  client.close()
  for (const each of moving) await served(world, each.name, targets.addressOf(each.host))
  return moving
}

/** Waits until both nameservers answer with an address. */
async function served(world: World, name: string, address: string): Promise<void> {
  const untilMs = performance.now() + giveUpMs
  for (const nameserver of world.facts.nameservers)
    while (!(await askUdp(nameserver.address, name, 'A')).answers.includes(address)) {
      if (performance.now() > untilMs) throw new Error(`${nameserver.address} does not answer ${name} with ${address}`)
      await delay(askEveryMs)
    }
}

/** Makes the other ALIAS records look as if they had existed for a long time: their lookups are due at any time within their TTL. */
async function fillAliases(database: pg.Client): Promise<void> {
  await database.query(
    `with numbered as (
      select i, 't' || i || '.fill.example.net' as target, '93.' || ((i >> 16) & 255) || '.' || ((i >> 8) & 255) || '.' || (i & 255) as address,
        z.id as zone_id, 'a' || i || '.' || z.name as name
      from generate_series(0, $1::int - 1) i join zones z on z.name = 'hosted' || (i % $2::int) || '.test'
    ), records as (
      insert into zone_rrsets (zone_id, name, type, ttl, records)
      select zone_id, name, 'ALIAS', 3600, array[target || '.'] from numbered
    ), published as (
      insert into zone_aliases (zone_id, name, target, rrset_ttl, ttl, a, aaaa, revision)
      select zone_id, name, target, 3600, $3::int, array[address], '{}', 1 from numbered
    )
    insert into alias_targets (target, a, found, ttl, checked_at, due_at)
    select target, array[address], 1, $3::int, now(), now() + random() * $3::int * interval '1 s' from numbered`,
    [aliasCount, zoneCount, usualTtl],
  )
  await database.query('analyze')
}

/** How long the most overdue lookup has waited, in seconds. */
async function lateness(database: pg.Client): Promise<number> {
  const { rows } = await database.query<{ late: number }>(
    'select greatest(0, extract(epoch from app_now() - min(due_at)))::float8 as late from alias_targets',
  )
  return rows[0]?.late ?? 0
}

async function measured(
  world: World,
  targets: TargetServer,
  database: pg.Client,
  moving: readonly Moving[],
): Promise<Figure[]> {
  const service = world.programs.service.pid
  const [beganMs, cpuBefore, queriesBefore] = [performance.now(), cpuSecondsOf([service]), targets.queries]
  const endMs = beganMs + measuredS * 1_000
  const late: number[] = []
  const watching = (async () => {
    while (performance.now() < endMs) {
      late.push(await lateness(database))
      await delay(1_000)
    }
  })()
  const changes = moving.map(async ({ name, host }, i) => {
    await delay((i * (measuredS - 60) * 1_000) / moving.length)
    const movedMs = performance.now()
    await served(world, name, targets.move(host))
    return (performance.now() - movedMs) / 1_000
  })
  const [delays] = await Promise.all([Promise.all(changes), watching])
  const seconds = (performance.now() - beganMs) / 1_000
  const lookups = (targets.queries - queriesBefore) / 2
  const cpu = (cpuSecondsOf([service]) - cpuBefore) / seconds
  const figure = (name: string, unit: string, value: number, samples: readonly number[] = [value]): Figure => {
    return { name, unit, value, samples }
  }
  const what = `change at a target with a TTL of ${movingTtl} s → answered by both nameservers`
  return [
    {
      ...figure(`${what}, the longest of ${moving.length}`, 's', Math.max(...delays), delays),
      bar: atMost(movingTtl + 5),
    },
    figure('the same, p50', 's', median(delays), delays),
    { ...figure('how late the latest lookup is', 's', Math.max(...late), late), bar: atMost(5) },
    {
      ...figure('lookups of targets', 'a second', lookups / seconds),
      bar: { kind: 'at least', value: aliasCount / usualTtl },
    },
    figure('cores that the service uses', '', cpu),
  ]
}

function atMost(value: number): { kind: 'at most'; value: number } {
  return { kind: 'at most', value }
}
