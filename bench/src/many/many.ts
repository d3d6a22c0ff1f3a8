import { eventually, type ReceivedRequest } from '@zonewright/system-tests/world'
import { type Bar, type Figure, median, peerOf } from '../report.ts'
import { runProgram } from '../run-program.ts'
import { loadPuts, type Writer } from '../writer.ts'
import type { EvenLoadResult } from './even-load.ts'
import { type Installation, startOf, used } from './installation.ts'

const rounds = 5
const warmRounds = 4
const seconds = 4
/** Only requests. */
const requestsASecond = 240
/** Each of them is delivered to all endpoints. */
const changesASecond = 120
/** Fewer than one `api` handles at once, and far more. */
const clientCounts = [32, 960]
/** A zone of its own for each client, because concurrent changes of one zone by two processes wait for its lock. */
const writerZones = Math.max(...clientCounts)
/** As many as a single client changes one after another. */
const evenZones = 50

const one = 'one of each'
const evenly = 'the two asked in turn, without the proxy'
const bar: Bar = { kind: 'at most', value: 1.1, against: one }

/** The load of an installation, and its result. */
interface Taken {
  readonly accepted: number
  /** Set if clients send as many requests as are answered. */
  readonly perSecond?: number
}

/** Sends changes to the APIs at these addresses. */
type Load = (bases: readonly string[], writer: Writer) => Promise<Taken>

interface RequestCost {
  /** Milliseconds of processor time, of all `api` processes together. */
  readonly ms: number
  readonly perSecond: number | undefined
}

/** The processor time for one request and one delivery, in milliseconds. */
interface Cost {
  readonly requestMs: number
  readonly deliveryMs: number
}

/**
 * Compares the cost of two `api` and two `worker` processes with that of one of each under the same load, and checks that each event arrived at each
 * endpoint once.
 *
 * Both installations run behind the proxy of the deployment (docs/decisions/0020) at the same time, and get the load in turn, so that other load on
 * the machine affects both. The output also has the cost of the two processes if each gets every other request.
 */
export async function many(): Promise<Figure[]> {
  const single = await startOf(1, writerZones)
  try {
    const double = await startOf(2, writerZones)
    try {
      return await compare(single, double)
    } finally {
      await double.stop()
    }
  } finally {
    await single.stop()
  }
}

async function compare(single: Installation, double: Installation): Promise<Figure[]> {
  const told = await deliveryFigures(single, double)
  for (const { bases, writer } of [single, double]) for (const base of bases) await full(writerZones)([base], writer)
  const figures = await requestFigures(`${requestsASecond} a second`, paced(requestsASecond), single, double)
  for (const clients of clientCounts)
    figures.push(...(await requestFigures(`of ${clients} clients`, full(clients), single, double)))
  return [...figures, ...told]
}

/** Only requests. */
async function requestFigures(
  which: string,
  load: Load,
  single: Installation,
  double: Installation,
): Promise<Figure[]> {
  const [own, its, shared]: [RequestCost[], RequestCost[], RequestCost[]] = [[], [], []]
  for (let round = 0; round < rounds; round++) {
    its.push(await request(single, [single.proxy], load))
    own.push(await request(double, [double.proxy], load))
    shared.push(await request(double, double.bases, load))
  }
  const figure = (measured: (cost: RequestCost) => number): Pick<Figure, 'value' | 'samples' | 'beside'> => {
    const samples = own.map(measured)
    const beside = [peerOf(one, samples, its.map(measured)), peerOf(evenly, samples, shared.map(measured))]
    return { value: median(samples), samples, beside }
  }
  const cost: Figure = { name: `processor time of a request, ${which}`, unit: 'ms', bar, ...figure(({ ms }) => ms) }
  if (own.some(({ perSecond }) => perSecond === undefined)) return [cost]
  const taken = figure(({ perSecond = Number.NaN }) => perSecond)
  return [cost, { name: `PUTs ${which} meanwhile`, unit: 'a second', ...taken }]
}

async function request({ apis, writer }: Installation, bases: readonly string[], load: Load): Promise<RequestCost> {
  const before = used(apis)
  const { accepted, perSecond } = await load(bases, writer)
  return { ms: ((used(apis) - before) / accepted) * 1_000, perSecond }
}

/** A fixed number per second, each at its own time, from a separate process. */
function paced(rate: number): Load {
  return (bases, { keys, zones }) => {
    const args = [bases, keys, zones.slice(0, evenZones), rate, seconds].map(String)
    return runProgram<EvenLoadResult>(new URL('./even-load.ts', import.meta.url), args)
  }
}

/** As many as this many clients can send, each of which sends its next request after the previous response. */
function full(clients: number): Load {
  return async (bases, writer) => {
    const { acceptedInAll, perSecond } = await loadPuts(bases, writer, { clients, seconds })
    return { accepted: acceptedInAll, perSecond }
  }
}

async function deliveryFigures(single: Installation, double: Installation): Promise<Figure[]> {
  // Each process has handled the same number before it is measured, however many processes share the load.
  for (const each of [single, double])
    for (let round = 0; round < warmRounds * each.workers.length; round++) await deliver(each)
  const [own, its]: [Cost[], Cost[]] = [[], []]
  for (let round = 0; round < rounds; round++) {
    its.push(await deliver(single))
    own.push(await deliver(double))
  }
  const figure = (name: string, measured: (cost: Cost) => number): Figure => {
    const samples = own.map(measured)
    return { name, unit: 'ms', value: median(samples), samples, bar, beside: [peerOf(one, samples, its.map(measured))] }
  }
  return [
    figure(`processor time of a delivery, ${changesASecond} changes a second`, ({ deliveryMs }) => deliveryMs),
    figure('processor time of a request meanwhile', ({ requestMs }) => requestMs),
  ]
}

/** Changes that each endpoint receives; ends once all deliveries have arrived. */
async function deliver({ world, apis, workers, proxy, told }: Installation): Promise<Cost> {
  const seen = (await world.received.requests()).at(-1)?.number ?? 0
  const [apisBefore, workersBefore] = [used(apis), used(workers)]
  // The receiver's log keeps only the last thousand, so it is read during the deliveries.
  const received = new Map<number, ReceivedRequest>()
  const collect = async (): Promise<number> => {
    for (const request of await world.received.requests())
      if (request.number > seen) received.set(request.number, request)
    return received.size
  }
  const collecting = setInterval(() => void collect(), 300)
  const { accepted } = await paced(changesASecond)([proxy], told)
  const expected = accepted * told.endpoints
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
