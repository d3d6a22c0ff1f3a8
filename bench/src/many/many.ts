import { eventually, type ReceivedRequest, startWorld, type World } from '@zonewright/system-tests/world'
import { freeAddresses } from '../../../tools/local/addresses.ts'
import type { Program } from '../../../tools/local/process.ts'
import { cpuSeconds } from '../dns/process-usage.ts'
import { type Figure, median } from '../report.ts'
import { runProgram } from '../run-program.ts'
import { makeKeys } from '../writer.ts'
import type { EvenLoadResult } from './even-load.ts'

const rounds = 5
const warmRounds = 4
const seconds = 4
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

/**
 * What two `api` and two `worker` processes cost beside one of each: processor time a request and a delivery, at the same rate, and
 * whether each event came to each endpoint once.
 */
export async function many(): Promise<Figure[]> {
  const world = await startWorld()
  try {
    const email = world.facts.account.email
    const keys = await makeKeys(world, email, 150)
    await world.admin('zone', 'add', email, ...zoneNames)
    await eventually('the zones are told', async () => {
      const told = (await world.received.events()).filter(({ type }) => type === 'zone.created')
      return told.length >= zoneNames.length
    })
    for (let i = 1; i < endpoints; i++) await addEndpoint(world, i)
    // The three in one process, which every world has, are replaced by a process each.
    await world.programs.service.stop()
    const free = await freeAddresses()
    await world.alsoRun('primary', {})
    const apis = [await world.alsoRun('api', {})]
    const workers = [await world.alsoRun('worker', {})]
    const bases = [world.facts.base_url, `http://${free.http}`]
    // Not in turn: a process that has just been started compiles its code, and that would be what is measured.
    const alone = { apis, workers, bases: bases.slice(0, 1), keys }
    const one = await measureWarm(world, alone)
    const both = {
      apis: [...apis, await world.alsoRun('api', { HTTP_LISTEN: free.http })],
      workers: [...workers, await world.alsoRun('worker', {})],
      bases,
      keys,
    }
    const two = await measureWarm(world, both)
    return [
      figure('processor time of a request', 'requestMs', one, two),
      figure('processor time of a delivery', 'deliveryMs', one, two),
    ]
  } finally {
    await world.stop()
  }
}

async function measureWarm(world: World, setting: Setting): Promise<Cost[]> {
  // Each process has seen as much before it is measured, however many share it.
  for (let round = 0; round < warmRounds * setting.apis.length; round++) await measure(world, setting)
  const costs: Cost[] = []
  for (let round = 0; round < rounds; round++) costs.push(await measure(world, setting))
  return costs
}

interface Setting {
  readonly apis: readonly Program[]
  readonly workers: readonly Program[]
  readonly bases: readonly string[]
  readonly keys: readonly string[]
}

/** Changes records at a rate for some seconds; ends once all deliveries have come. */
async function measure(world: World, { apis, workers, bases, keys }: Setting): Promise<Cost> {
  const used = (programs: readonly Program[]): number =>
    programs.reduce((sum, { pid }) => sum + cpuSeconds(pid ?? 0), 0)
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
  const args = [bases, keys, zoneNames, changesASecond, seconds].map(String)
  const { accepted } = await runProgram<EvenLoadResult>(new URL('./even-load.ts', import.meta.url), args)
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

function figure(name: string, which: keyof Cost, one: readonly Cost[], two: readonly Cost[]): Figure {
  const [base, own] = [one, two].map((costs) => costs.map((cost) => cost[which])) as [number[], number[]]
  const ratio = median(own.map((value, i) => value / (base[i] ?? Number.NaN)))
  const peer = { name: 'one of each', value: median(base), ratio }
  return {
    name: `${name}, two api and two worker processes`,
    unit: 'ms',
    value: median(own),
    samples: own,
    bar: { kind: 'at most', value: 1.1, against: peer.name },
    beside: [peer],
  }
}
