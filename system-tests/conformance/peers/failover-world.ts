import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { Api, eventually, startWorld, type World, type WorldOptions } from '../../world/index.ts'
import type { DatabaseMachine } from './database-machine.ts'
import { MachineWatch } from './machine-watch.ts'
import { DatabaseMachines } from './patroni.ts'
import { assertNothingTwice, HeardEvents, SteadyPuts, textsStored, untilServedAsStored } from './steady-puts.ts'

export const perSecond = 40
/** Etcd gives up a killed leader after 20 s. */
export const mostGapMs = 30_000
/** How far serials move at a new timeline, less the seconds that they may have been ahead of the clock. */
const leastStep = 900_000

/** An installation on a PostgreSQL of three machines. */
export interface FailoverWorld {
  readonly database: DatabaseMachines
  readonly world: World
  readonly api: Api
  /** The key that `api` uses. Others may also use it. */
  readonly keys: readonly string[]
}

/** Causes the fault; returns its time, and a function that repairs it. */
type Fault = (leader: DatabaseMachine, puts: SteadyPuts) => Promise<{ atMs: number; repair: () => void }>

/** Starts both, and stops them after the test. */
export async function startFailoverWorld(
  t: TestContext,
  way: 'HAProxy' | 'a list of hosts',
  options: WorldOptions = {},
): Promise<FailoverWorld> {
  const database = await DatabaseMachines.start()
  let world: World | undefined
  t.after(async () => {
    await world?.stop()
    database.stop()
  })
  world = await startWorld({ ...options, databaseUrl: way === 'HAProxy' ? database.haproxyUrl : database.hostsUrl })
  const made = await world.admin('key', 'create', world.facts.account.email, 'drill', '--copies', '20')
  const keys = (JSON.parse(made) as { secret: string }[]).map(({ secret }) => secret)
  return { database, world, api: new Api(world.facts.base_url, keys), keys }
}

/**
 * Makes changes while the fault strikes, another machine leads, and the fault is repaired. Returns the names whose changes were acknowledged and are
 * lost, and the time between the moment at which the next leader accepts writes and the first change there.
 *
 * For every fault, it checks that callers get only 503 in the meantime, and not for long; that two machines never accept writes; that no serial and
 * no event id is used twice; and that the nameservers serve the content of the database.
 */
export async function changesLost(
  t: TestContext,
  failover: FailoverWorld,
  name: string,
  fault: Fault,
): Promise<{ lost: string[]; fenceMs: number }> {
  const { database, world, api } = failover
  const zone = world.facts.zone.name
  const isSynchronous = name !== 'behind'
  const former = await database.untilWhole(isSynchronous)
  const puts = new SteadyPuts(api, zone, `${name}-`, perSecond)
  const watch = new MachineWatch(database.machines)
  const heard = new HeardEvents(world.received)
  const strike = async () => {
    await puts.untilAcknowledged(perSecond)
    const { atMs, repair } = await fault(former, puts)
    const next = await eventually('another machine leads', async () => {
      const leader = await database.leader()
      return leader !== former && leader
    })
    await puts.untilAcknowledged(perSecond)
    repair()
    await database.untilWhole(isSynchronous)
    await puts.untilAcknowledged(perSecond)
    return { atMs, next }
  }
  const { atMs, next } = await strike().finally(() => Promise.all([puts.stop(), watch.stop()]))
  const stored = await textsStored(world, zone)
  await untilServedAsStored(world, zone, puts.names, stored)
  const { writableMs, adoptedMs } = watch.firstOf(next.name, atMs)
  const accepted = puts.acknowledged.filter(({ sentMs }) => sentMs > writableMs)
  const first = Math.min(...accepted.map(({ endedMs }) => endedMs))
  const lost = puts.acknowledged.map(({ name }) => name).filter((name) => !stored.has(name))
  const answers = Map.groupBy(puts.refused, ({ answer }) => answer)
  const seconds = (ms: number) => (ms / 1_000).toFixed(1)
  t.diagnostic(
    [
      `${puts.acknowledged.length} acknowledged, ${lost.length} lost, ${puts.refused.length} refused`,
      `gap ${seconds(puts.longestGapMs(atMs))} s`,
      `the next leader could be written after ${seconds(writableMs - atMs)} s, its timeline was adopted ${seconds(adoptedMs - writableMs)} s later`,
      `the first change was acknowledged ${seconds(first - writableMs)} s later`,
    ].join('; '),
  )
  assert.deepEqual(
    [...answers.keys()].filter((answer) => answer !== '503, to be tried again'),
    [],
  )
  assert.ok(puts.longestGapMs(atMs) <= mostGapMs)
  assert.deepEqual(
    watch.rounds.filter(({ writable }) => writable.length > 1),
    [],
    'two machines accept writes',
  )
  // The change of serials is in the transaction that adopts the timeline: no change was accepted before it.
  const before = Math.max(...puts.acknowledged.filter(({ sentMs }) => sentMs < atMs).map(({ serial }) => serial))
  assert.ok(accepted.length > 0 && accepted.every(({ serial }) => serial > before + leastStep))
  assertNothingTwice(puts.acknowledged, await heard.stop())
  return { lost, fenceMs: first - writableMs }
}
