import { eventually, type ReceivedRequest, startWorld, type World } from '@zonewright/system-tests/world'
import { freeAddresses } from '../../../tools/local/addresses.ts'
import type { Program } from '../../../tools/local/process.ts'
import { type Figure, median, peerOf } from '../report.ts'
import { runProgram } from '../run-program.ts'
import { makeKeys, makeWriter, type Writer } from '../writer.ts'
import type { EvenLoadResult } from './even-load.ts'
import { fullLoadFigures, fullLoadZones } from './full-load.ts'
import { type Apis, alone, eachAlone, used } from './processes.ts'
import { restedCaches } from './rested-caches.ts'

const rounds = 5
const warmRounds = 4
const seconds = 4
/** Of an installation whose changes are delivered; one `api` that is as busy as each of two has half of it. Of requests alone: of each `api`. */
const changesASecond = 120
/** Changed in turn: what is asked of one zone at once by two processes waits for its lock, and they are not to be measured waiting. */
const zoneNames = Array.from({ length: 50 }, (_, i) => `many${i}.test`)
/** Of the account whose records change: each change is so many deliveries. */
const endpoints = 4

/** What the processes used for one request and one delivery, in milliseconds of a processor. */
interface Cost {
  readonly requestMs: number
  readonly deliveryMs: number
}

/** An installation with a process for each role, and what its load needs. */
interface Installation extends Setting {
  readonly world: World
  readonly writer: Writer
}

/** Measured in turn, one for each round: two of each, and one of each that is as busy as each of these or takes as much as both. */
interface Rounds<Measured> {
  readonly two: readonly Measured[]
  readonly asBusy: readonly Measured[]
  readonly sameRate: readonly Measured[]
}

interface Setting extends Apis {
  readonly workers: readonly Program[]
  readonly keys: readonly string[]
}

/**
 * What two `api` and two `worker` processes cost beside one of each, and whether each event came to each endpoint once.
 *
 * What a request costs depends on how many a second its process takes (METHOD.md): two `api` are compared with one that is as busy as
 * each of them. One that takes as many as both stands beside it, and in the end what a rest costs here whoever only reads memory.
 */
export async function many(): Promise<Figure[]> {
  const worlds = [await startWorld(), await startWorld()] as const
  try {
    const one = await installation(worlds[0], 1)
    const two = await installation(worlds[1], 2)
    const costs = await inTurn(one, two)
    return [
      await requestFigure(two),
      ...(await fullLoadFigures(two)),
      comparison(
        'processor time of a delivery, two api and two worker processes',
        'sameRate',
        ofEach(costs, ({ deliveryMs }) => deliveryMs),
      ),
      comparison(
        'processor time of a request meanwhile',
        'asBusy',
        ofEach(costs, ({ requestMs }) => requestMs),
      ),
      await restFigure(),
    ]
  } finally {
    for (const world of worlds) await world.stop()
  }
}

/** Its zones and endpoints; then the three in one process, which every world has, are replaced by processes of each kind. */
async function installation(world: World, processes: number): Promise<Installation> {
  const email = world.facts.account.email
  const keys = await makeKeys(world, email, 150)
  await world.admin('zone', 'add', email, ...zoneNames)
  await eventually('the zones are told', async () => {
    const told = (await world.received.events()).filter(({ type }) => type === 'zone.created')
    return told.length >= zoneNames.length
  })
  for (let i = 1; i < endpoints; i++) await addEndpoint(world, i)
  const writer = await makeWriter(world, fullLoadZones)
  await world.programs.service.stop()
  await world.alsoRun('primary', {})
  const apis = [await world.alsoRun('api', {})]
  const workers = [await world.alsoRun('worker', {})]
  const bases = [world.facts.base_url]
  for (let i = 1; i < processes; i++) {
    const free = await freeAddresses()
    apis.push(await world.alsoRun('api', { HTTP_LISTEN: free.http }))
    workers.push(await world.alsoRun('worker', {}))
    bases.push(`http://${free.http}`)
  }
  return { world, writer, apis, workers, bases, keys }
}

/** Both kinds stand side by side, and one has the load at a time: what the machine does at some moment happens to both. */
async function inTurn(one: Installation, two: Installation): Promise<Rounds<Cost>> {
  const [asBusy, ofTwo, sameRate]: [Cost[], Cost[], Cost[]] = [[], [], []]
  // Each process has seen as much before it is measured, however many share it.
  for (const each of [one, two])
    for (let round = 0; round < warmRounds * each.apis.length; round++) await measure(each, changesASecond)
  for (let round = 0; round < rounds; round++) {
    asBusy.push(await measure(one, changesASecond / two.apis.length))
    ofTwo.push(await measure(two, changesASecond))
    sameRate.push(await measure(one, changesASecond))
  }
  return { two: ofTwo, asBusy, sameRate }
}

/**
 * Requests alone: of an account without endpoints. Each `api` by itself and both together take turns, so that all have had the same
 * rest and the same work; one without requests uses next to nothing.
 */
async function requestFigure({ apis, bases, writer }: Installation): Promise<Figure> {
  const few = { ...writer, zones: writer.zones.slice(0, zoneNames.length) }
  const both = { apis, bases }
  const [asBusy, two, sameRate]: [number[], number[], number[]] = [[], [], []]
  for (let round = 0; round < rounds; round++) {
    const each: number[] = []
    for (const one of eachAlone(both)) each.push(await requestMs(one, few, changesASecond))
    asBusy.push(each.reduce((sum, ms) => sum + ms, 0) / each.length)
    two.push(await requestMs(both, few, changesASecond * apis.length))
    sameRate.push(await requestMs(alone(both, round), few, changesASecond * apis.length))
  }
  return comparison('processor time of a request, two api and two worker processes', 'asBusy', {
    two,
    asBusy,
    sameRate,
  })
}

/** What rests longer costs more, also where nothing but memory is read: at the rate of each of two, and of one that takes as much as both. */
async function restFigure(): Promise<Figure> {
  const [own, its]: [number[], number[]] = [[], []]
  for (let round = 0; round < rounds; round++) {
    own.push(await restedCaches(changesASecond / 2, seconds))
    its.push(await restedCaches(changesASecond, seconds))
  }
  const name = `reading 256 KiB, ${changesASecond / 2} times a second, p50`
  return { name, unit: 'ms', value: median(own), samples: own, beside: [peerOf(`${changesASecond} times`, own, its)] }
}

async function requestMs({ apis, bases }: Apis, { keys, zones }: Writer, rate: number): Promise<number> {
  const before = used(apis)
  const accepted = await change({ bases, keys, zones, rate })
  return ((used(apis) - before) / accepted) * 1_000
}

/** Changes records at a rate for some seconds; ends once all deliveries have come. */
async function measure({ world, apis, workers, bases, keys }: Installation, rate: number): Promise<Cost> {
  const seen = (await world.received.requests()).at(-1)?.number ?? 0
  const [apisBefore, workersBefore] = [used(apis), used(workers)]
  // The receiver's log keeps the last thousand: it is read while they come.
  const received = new Map<number, ReceivedRequest>()
  const collect = async (): Promise<number> => {
    for (const request of await world.received.requests())
      if (request.number > seen) received.set(request.number, request)
    return received.size
  }
  const collecting = setInterval(() => void collect(), 300)
  const accepted = await change({ bases, keys, zones: zoneNames, rate })
  const expected = accepted * endpoints
  await eventually('all deliveries have come', async () => (await collect()) >= expected, 60_000)
  clearInterval(collecting)
  const cost = {
    requestMs: ((used(apis) - apisBefore) / accepted) * 1_000,
    deliveryMs: ((used(workers) - workersBefore) / expected) * 1_000,
  }
  const once = new Set([...received.values()].map(({ receiver, body }) => `${receiver} ${JSON.parse(body).id}`))
  if (received.size !== expected || once.size !== expected)
    throw new Error(`${expected} deliveries were due, ${received.size} came, ${once.size} of them for the first time`)
  return cost
}

async function addEndpoint(world: World, i: number): Promise<void> {
  const url = world.facts.receiver_url.replace('/demo', `/many${i}`)
  const { status } = await world.api.call('POST', '/webhooks', { url })
  if (status !== 201) throw new Error(`an endpoint was refused: ${status}`)
}

/** Changes records evenly for some seconds, by a process of its own; returns how many. */
async function change(load: {
  readonly bases: readonly string[]
  readonly keys: readonly string[]
  readonly zones: readonly string[]
  readonly rate: number
}): Promise<number> {
  const args = [load.bases, load.keys, load.zones, load.rate, seconds].map(String)
  return (await runProgram<EvenLoadResult>(new URL('./even-load.ts', import.meta.url), args)).accepted
}

function ofEach({ two, asBusy, sameRate }: Rounds<Cost>, msOf: (cost: Cost) => number): Rounds<number> {
  return { two: two.map(msOf), asBusy: asBusy.map(msOf), sameRate: sameRate.map(msOf) }
}

/** Milliseconds beside those of others, round by round; at most 1.1 times those of the one that they are held against. */
function comparison(name: string, against: 'asBusy' | 'sameRate', { two, asBusy, sameRate }: Rounds<number>): Figure {
  const names = { asBusy: 'one of each, as busy', sameRate: 'one of each, at the same rate' }
  const beside = [peerOf(names.asBusy, two, asBusy), peerOf(names.sameRate, two, sameRate)]
  const bar = { kind: 'at most', value: 1.1, against: names[against] } as const
  return { name, unit: 'ms', value: median(two), samples: two, bar, beside }
}
