// kill -9 of random processes of an installation on Patroni's PostgreSQL, while callers change records: DRILL_KILLS of them. DRILL_SEED repeats a run.
import assert from 'node:assert/strict'
import { createHash, randomInt } from 'node:crypto'
import { test } from 'node:test'
import { freeAddresses } from '../../tools/local/addresses.ts'
import { mostGapMs, startFailoverWorld } from '../conformance/peers/failover-world.ts'
import type { DatabaseMachines } from '../conformance/peers/patroni.ts'
import { type HeardEvent, HeardEvents, textsStored, untilServedAsStored } from '../conformance/peers/steady-puts.ts'
import { Api, eventually, type World } from '../world/index.ts'
import { type AcknowledgedChange, CheckedLoad } from './checked-load.ts'

const kills = Number(process.env['DRILL_KILLS'] ?? 100)
const seed = process.env['DRILL_SEED'] ?? String(randomInt(1_000_000))
/** Every tenth victim is this one. */
const leader = 'the leader of PostgreSQL'
/** The limit for other victims, because callers have the other API. */
const mostOtherGapMs = 1_500
/** The maximum number of changes between the recovery of a process and the next kill. */
const mostChangesBetween = 100

/** Kills a process, and waits until it runs again. */
type Kill = () => Promise<unknown>

test(`${kills} random kills lose no acknowledged change, and callers notice only kills of PostgreSQL`, async (t) => {
  t.diagnostic(`DRILL_SEED=${seed}`)
  const second = await freeAddresses()
  const { database, world, api, keys } = await startFailoverWorld(t, 'HAProxy', { standbyPrimary: second.primary })
  const zone = world.facts.zone.name
  const zones = [zone, `one.${zone}`, `two.${zone}`]
  for (const name of zones.slice(1)) assert.equal((await api.call('POST', '/zones', { name })).body['state'], 'live')
  const victims = await startVictims(world, database, second)
  const leaderKill = () => killLeader(database)
  await database.untilWhole()

  const apis = [api, new Api(`http://${second.http}`, keys)]
  const nameservers = world.facts.nameservers.map(({ address }) => address)
  const heard = new HeardEvents(world.received)
  const load = new CheckedLoad({ apis, zones, nameservers })
  const strikes: { victim: string; atMs: number }[] = []
  const strike = async (): Promise<number> => {
    for (let i = 0; i < kills; i++) {
      await load.untilAcknowledged(draw(`changes before ${i}`, mostChangesBetween))
      const drawn = [...victims][draw(`victim ${i}`, victims.size)]
      const [victim, kill] = i % 10 === 5 || drawn === undefined ? [leader, leaderKill] : drawn
      strikes.push({ victim, atMs: performance.now() })
      await kill()
    }
    await load.untilAcknowledged(mostChangesBetween)
    return performance.now()
  }
  const endedMs = await strike().finally(() => load.stop())

  const { acknowledged } = load
  // Deliveries of a killed worker are repeated after its lease of 30 s has expired.
  await eventually(
    () => `every event arrives; ${missing(heard.requests, acknowledged).slice(0, 3)} did not`,
    async () => missing(heard.requests, acknowledged).length === 0,
  ).catch((error: Error) => t.diagnostic(error.message))
  await heard.stop()
  const numbers = heard.requests.map(({ number }) => number)
  const lost = await changesLost(world, acknowledged)
  const gaps = strikes.map(({ victim, atMs }, i) => {
    const untilMs = strikes[i + 1]?.atMs ?? endedMs
    const refused = load.refused.filter((one) => one.endedMs > atMs && one.endedMs < untilMs).length
    return { victim, refused, gapMs: load.longestGapMs(atMs, untilMs) }
  })
  const events = judge(heard.requests)
  const lostEvents = missing(heard.requests, acknowledged)
  for (const [victim, of] of [...Map.groupBy(gaps, ({ victim }) => victim)].sort()) {
    const longest = Math.max(...of.map(({ gapMs }) => gapMs))
    const refused = of.reduce((sum, one) => sum + one.refused, 0)
    t.diagnostic(
      `${victim}: ${of.length} kills, longest gap ${(longest / 1_000).toFixed(2)} s, ${refused} requests refused`,
    )
  }
  const answers = Map.groupBy(load.refused, ({ answer }) => answer)
  for (const [answer, refused] of answers) t.diagnostic(`refused ${refused.length} times: ${answer}`)
  const seconds = (endedMs - (strikes[0]?.atMs ?? 0)) / 1_000
  t.diagnostic(
    [
      `${acknowledged.length} changes acknowledged in ${Math.round(seconds)} s, ${lost.length} lost`,
      `${heard.requests.length} deliveries, ${lostEvents.length} events lost, ${events.repeats} repeats, ${events.outOfOrder.length} out of order`,
      `${load.counts.queries} queries, ${load.wrong.length} wrong answers, ${load.counts.unanswered} unanswered, ${load.counts.confirmed} changes confirmed meanwhile`,
    ].join('; '),
  )
  assert.equal(
    numbers.length,
    (numbers.at(-1) ?? 0) - (numbers[0] ?? 0) + 1,
    'the log was read before it forgot a request',
  )
  assert.deepEqual(lost, [])
  assert.deepEqual(lostEvents, [])
  assert.deepEqual([events.outOfOrder, events.altered], [[], []])
  assert.deepEqual(load.wrong, [])
  assert.ok(load.counts.confirmed > 0)
  assert.deepEqual(
    [...answers.keys()].filter((answer) => answer !== '503, to be tried again' && answer !== 'the connection is gone'),
    [],
  )
  assert.deepEqual(
    gaps.filter(({ victim, gapMs }) => gapMs > (victim === leader ? mostGapMs : mostOtherGapMs)),
    [],
  )
})

/** An integer below a bound, from the seed. */
function draw(what: string, below: number): number {
  return createHash('sha256').update(`${seed} ${what}`).digest().readUInt32BE() % below
}

/**
 * Runs two of each part of the service, one with HAProxy and one with a list of hosts, instead of one process with all parts. Returns what can be
 * killed besides PostgreSQL.
 */
async function startVictims(
  world: World,
  { hostsUrl }: DatabaseMachines,
  second: { readonly http: string; readonly primary: string },
): Promise<Map<string, Kill>> {
  const byHosts = { DATABASE_URL: hostsUrl }
  const { service, ns1, ns2 } = world.programs
  const seconds = {
    'second API': await world.alsoRun('api', { ...byHosts, HTTP_LISTEN: second.http }),
    'second worker': await world.alsoRun('worker', byHosts),
    'second primary': await world.alsoRun('primary', { ...byHosts, PRIMARY_LISTEN: second.primary }),
  }
  await service.stop()
  const programs = {
    'first API': await world.alsoRun('api', {}),
    'first worker': await world.alsoRun('worker', {}),
    'first primary': await world.alsoRun('primary', {}),
    ...seconds,
    ns1,
    ns2,
  }
  return new Map(
    Object.entries(programs).map(([name, program]) => [
      name,
      async () => {
        const { pid = 0 } = program
        process.kill(pid, 'SIGKILL')
        await eventually(`${name} is started again`, async () => program.pid !== pid)
        await program.ready()
      },
    ]),
  )
}

/** Kills the leader, and waits until another machine leads, the killed one follows it, and one of the two standbys is synchronous. */
async function killLeader(database: DatabaseMachines): Promise<void> {
  const former = await eventually('a machine leads', () => database.leader())
  former.kill()
  await eventually('another machine leads', async () => {
    const next = await database.leader()
    return next !== undefined && next !== former
  })
  former.start()
  await database.untilWhole()
}

/** The names whose last acknowledged change is not in the database. Waits until both nameservers serve what is stored. */
async function changesLost(world: World, acknowledged: readonly AcknowledgedChange[]): Promise<string[]> {
  const lost: string[] = []
  for (const [zone, changes] of Map.groupBy(acknowledged, ({ zone }) => zone)) {
    const last = new Map(changes.map(({ name, version }) => [name, `${version}`]))
    const stored = await textsStored(world, zone)
    for (const [name, version] of last)
      if (stored.get(name) !== version) lost.push(`${name}.${zone}: ${stored.get(name)} instead of ${version}`)
    await untilServedAsStored(world, zone, [...last.keys()], stored)
  }
  return lost
}

/** Acknowledged changes whose event did not arrive. */
function missing(heard: readonly HeardEvent[], acknowledged: readonly AcknowledgedChange[]): string[] {
  const arrived = new Set(
    heard.flatMap(({ event }) => changesOf(event).map(({ name, records }) => `${name} ${records}`)),
  )
  return acknowledged
    .map(({ zone, name, version }) => `${name}.${zone} "${version}"`)
    .filter((change) => !arrived.has(change))
}

function changesOf({ type, data }: HeardEvent['event']): { name: string; records: string[] }[] {
  return type === 'zone.records_changed' ? data.changes : []
}

/** Events that first arrived after one with a later serial of their zone, and those that were repeated with another body. */
function judge(heard: readonly HeardEvent[]) {
  const outOfOrder: string[] = []
  const altered: string[] = []
  const bodies = new Map<string, string>()
  const latest = new Map<string, number>()
  let repeats = 0
  for (const { body, event } of heard.filter(({ event }) => changesOf(event).length > 0)) {
    const { id, data } = event
    const before = bodies.get(id)
    if (before !== undefined) {
      repeats++
      if (before !== body) altered.push(`${id}: ${before}, then ${body}`)
      continue
    }
    bodies.set(id, body)
    const last = latest.get(data.zone.name) ?? 0
    if (data.serial <= last) outOfOrder.push(`${data.zone.name} ${data.serial} after ${last}`)
    latest.set(data.zone.name, Math.max(last, data.serial))
  }
  return { outOfOrder, altered, repeats }
}
