import { setTimeout as delay } from 'node:timers/promises'
import { Api, startWorld, type World } from '@zonewright/system-tests/world'
import { setCommitDelay, withDatabase } from '../database.ts'
import { LeanClient } from '../lean-client.ts'
import { type Bar, type Figure, median, peerOf } from '../report.ts'
import { loadPuts, makeWriter, type Writer } from '../writer.ts'
import { Pgbench } from './pgbench.ts'
import { PowerdnsApi } from './powerdns-api.ts'

const rounds = 5
const clients = 32
const zoneCount = 96
const loadSeconds = 4
const peerSeconds = 3

const pgbenchName = 'pgbench, the same SQL'
const slowName = 'with commit_delay=2000'
const tpcbName = "pgbench's TPC-B, for the machine's speed"
const powerdnsName = "PowerDNS's API"

/**
 * Changes and reads of records over the API of a whole installation with durable commits, next to PostgreSQL alone and
 * PowerDNS's API on the same PostgreSQL, round by round.
 */
export async function records(): Promise<Figure[]> {
  const world = await startWorld()
  const pgbench = await Pgbench.prepare(world.databaseUrl)
  const powerdns = await PowerdnsApi.start(world.databaseUrl, zoneCount)
  try {
    const writer = await makeWriter(world, zoneCount)
    await loadPuts([world.facts.base_url], writer, { clients, seconds: 10 }) // warm up: code is compiled, caches are filled, every rrset exists
    await pgbench.perSecond(clients, 2)
    const rates = await measureRates(world, writer, { pgbench, powerdns })
    const alone = await measureAlone(world, writer, { pgbench, powerdns })
    const api = new Api(world.facts.base_url, writer.keys)
    return [
      ...rateFigures(rates),
      ...alone,
      figure('a PATCH of 1,000 rrsets', 'ms', await samples((round) => bulk(api, round)), {
        kind: 'at most',
        value: 250,
      }),
      figure(`GETs of one rrset with ${clients} clients`, 'a second', await samples(() => reads(world, writer, 2)), {
        kind: 'at least',
        value: 5_000,
      }),
      figure('an import of 10,000 records', 'ms', await samples((round) => importFile(api, round)), {
        kind: 'at most',
        value: 3_000,
      }),
    ]
  } finally {
    await powerdns.stop()
    await world.stop()
  }
}

interface Rates {
  readonly own: number[]
  readonly pgbench: number[]
  readonly slow: number[]
  readonly tpcb: number[]
  readonly powerdns: number[]
}

/** Changes per second of each in turn, so that other work of the machine affects all. */
async function measureRates(
  world: World,
  writer: Writer,
  peers: { pgbench: Pgbench; powerdns: PowerdnsApi },
): Promise<Rates> {
  const rates: Rates = { own: [], pgbench: [], slow: [], tpcb: [], powerdns: [] }
  const own = async () => {
    await untilSettled(world)
    const { perSecond } = await loadPuts([world.facts.base_url], writer, { clients, seconds: loadSeconds })
    await untilDone(world)
    return perSecond
  }
  for (let round = 0; round < rounds; round++) {
    rates.own.push(await own())
    rates.pgbench.push(await peers.pgbench.perSecond(clients, peerSeconds))
    rates.tpcb.push(await peers.pgbench.tpcbPerSecond(clients, peerSeconds))
    rates.powerdns.push(await peers.powerdns.changesPerSecond(clients, peerSeconds))
    await setCommitDelay(world.databaseUrl, 2_000)
    rates.slow.push(await own())
    await setCommitDelay(world.databaseUrl, 0)
  }
  return rates
}

/**
 * The changes of one client, in turn with those of one client of the peers. They show what a change waits for in addition to PostgreSQL, on any
 * machine. On the machine on which the bar was set, PowerDNS made 87 changes a second, 11.5 ms each. Here, the share of the time of PowerDNS must be
 * the same.
 */
async function measureAlone(
  world: World,
  writer: Writer,
  peers: { pgbench: Pgbench; powerdns: PowerdnsApi },
): Promise<Figure[]> {
  const [own, pgbenchMs, powerdnsMs]: [number[], number[], number[]] = [[], [], []]
  for (let round = 0; round < rounds; round++) {
    await untilSettled(world)
    own.push((await loadPuts([world.facts.base_url], writer, { clients: 1, seconds: 2 })).p50Ms)
    await untilDone(world)
    pgbenchMs.push(1_000 / (await peers.pgbench.perSecond(1, 2)))
    powerdnsMs.push(1_000 / (await peers.powerdns.changesPerSecond(1, 2)))
  }
  const [sameSql, api] = [`${pgbenchName}, mean`, `${powerdnsName}, mean`]
  const beside = [peerOf(sameSql, own, pgbenchMs), peerOf(api, own, powerdnsMs)]
  return [
    { ...figure('a PUT of one client, p50', 'ms', own, { kind: 'at most', value: 1.5 }), beside },
    {
      ...figure('the same', 'ms', own, { kind: 'at most', value: 0.13, against: api }),
      beside,
    },
  ]
}

/** Waits until all changes are announced and their events placed, so that our follow-up work does not slow down a peer. */
export function untilDone(world: World): Promise<void> {
  return untilNone(world, 'select from event_outbox limit 1')
}

/** Waits until the peers' data is written and cleaned up, so that their follow-up work does not slow us down. */
export async function untilSettled(world: World): Promise<void> {
  await withDatabase(world.databaseUrl, (client) => client.query('checkpoint'))
  await untilNone(world, "select from pg_stat_activity where backend_type = 'autovacuum worker'")
}

/** Waits until a query returns no row. */
export async function untilNone(world: World, query: string): Promise<void> {
  await withDatabase(world.databaseUrl, async (client) => {
    while ((await client.query(query)).rowCount !== 0) await delay(50)
  })
}

function rateFigures(rates: Rates): Figure[] {
  const beside = [
    peerOf(pgbenchName, rates.own, rates.pgbench),
    peerOf(powerdnsName, rates.own, rates.powerdns),
    peerOf(tpcbName, rates.own, rates.tpcb),
  ]
  const name = `PUTs of one rrset with ${clients} clients`
  const own = { unit: 'a second', value: median(rates.own), samples: rates.own }
  const share = rates.slow.map((rate, i) => rate / (rates.own[i] ?? Number.NaN))
  return [
    { name, ...own, bar: { kind: 'at least', value: 2_500 }, beside },
    { name: 'the same', ...own, bar: { kind: 'at least', value: 0.4, against: pgbenchName }, beside },
    { name: 'the same', ...own, bar: { kind: 'at least', value: 10, against: powerdnsName }, beside },
    figure(`the same ${slowName}, as a share of it`, '', share, { kind: 'at least', value: 0.8 }),
  ]
}

/** A PATCH of 1,000 rrsets, each of which changes in every round. Milliseconds. */
export async function bulk(api: Api, round: number, zone = 'bench0.test'): Promise<number> {
  const changes = Array.from({ length: 1_000 }, (_, i) => ({
    ...{ name: `bulk${i}`, type: 'A', ttl: 300 },
    records: [`10.1.${round}.${i % 250}`, `10.2.${i >> 8}.${i & 255}`],
  }))
  return timed(() => api.call('PATCH', `/zones/${zone}/rrsets`, { changes }))
}

/** An import of 10,000 records in 5,000 rrsets that replaces the zone's records. Milliseconds. */
export async function importFile(api: Api, round: number, zone = 'bench1.test'): Promise<number> {
  const lines = Array.from({ length: 5_000 }, (_, i) => {
    const address = `10.${round}.${i >> 8}.${i & 255}`
    return `host${i} 300 IN A ${address}\nhost${i} 300 IN A 192.0.2.${1 + (i % 250)}\n`
  })
  return timed(() => api.call('POST', `/zones/${zone}/import?mode=replace`, lines.join('')))
}

async function timed(call: () => ReturnType<Api['call']>): Promise<number> {
  const began = performance.now()
  const { status, body } = await call()
  if (status >= 300) throw new Error(`${status}: ${JSON.stringify(body).slice(0, 500)}`)
  return performance.now() - began
}

/** Writes what `reads` reads, if no load has done so. */
export async function writeForReads(world: World, { keys, zones }: Writer): Promise<void> {
  const api = new Api(world.facts.base_url, keys)
  for (const [i, zone] of zones.entries()) await api.put(zone, `c${i % clients}-0`, 'A', ['192.0.2.1'])
}

/** Each client reads one rrset after another that the load has written. */
export async function reads(world: World, { keys, zones }: Writer, seconds: number): Promise<number> {
  const end = performance.now() + seconds * 1_000
  let made = 0
  const read = async (client: number): Promise<void> => {
    const http = new LeanClient(world.facts.base_url)
    for (let i = 0; performance.now() < end; i++, made++) {
      const zone = zones[(client + i * clients) % zones.length]
      const path = `/api/v1/zones/${zone}/rrsets/c${client}-0/A`
      const status = await http.request('GET', path, keys[(client + i * clients) % keys.length] ?? '', '')
      if (status !== 200) throw new Error(`GET ${path} was answered ${status}`)
    }
    http.close()
  }
  await Promise.all(Array.from({ length: clients }, (_, client) => read(client)))
  return made / seconds
}

async function samples<T>(measure: (round: number) => Promise<T>): Promise<T[]> {
  const taken: T[] = []
  for (let round = 0; round < rounds; round++) taken.push(await measure(round))
  return taken
}

function figure(name: string, unit: string, samples: readonly number[], bar: Bar): Figure {
  return { name, unit, value: median(samples), bar, samples }
}
