import { type Bar, type Figure, median, peerOf } from '../report.ts'
import { loadPuts, type Writer } from '../writer.ts'
import { type Apis, alone, eachAlone, used } from './processes.ts'

const rounds = 5
const seconds = 4
/** One `api` makes fewer changes a second for so many here than for half of them. */
const most = 960
const few = 32
const oneApi = 'one api, the same clients'

/** Each client has one of its own: what is asked of one zone at once by two processes waits for its lock. */
export const fullLoadZones = most

interface Taken {
  readonly requestMs: number
  readonly perSecond: number
}

/**
 * What a request costs when each client sends its next once the one before is answered: by one `api` that has them all, each in its turn, and
 * by all together, that share them. Those that wait in an `api` at the same time share statements and transactions.
 */
export async function fullLoadFigures({ apis, bases, writer }: Apis & { writer: Writer }): Promise<Figure[]> {
  const both = { apis, bases }
  for (const one of eachAlone(both)) await load(one, writer, most)
  const cost = await underLoad(both, writer, most)
  const bar: Bar = { kind: 'at most', value: 1.1, against: oneApi }
  return [{ ...cost[0], bar }, cost[1], ...(await underLoad(both, writer, few))]
}

/** What a request of so many clients takes, and how many are taken. */
async function underLoad(both: Apis, writer: Writer, clients: number): Promise<[Figure, Figure]> {
  const [own, its]: [Taken[], Taken[]] = [[], []]
  for (let round = 0; round < rounds; round++) {
    its.push(await load(alone(both, round), writer, clients))
    own.push(await load(both, writer, clients))
  }
  const figure = (name: string, unit: string, measured: (taken: Taken) => number): Figure => {
    const samples = own.map(measured)
    return { name, unit, value: median(samples), samples, beside: [peerOf(oneApi, samples, its.map(measured))] }
  }
  return [
    figure(`processor time of a request of ${clients} clients, two api processes`, 'ms', ({ requestMs }) => requestMs),
    figure(`PUTs of ${clients} clients meanwhile`, 'a second', ({ perSecond }) => perSecond),
  ]
}

async function load({ apis, bases }: Apis, writer: Writer, clients: number): Promise<Taken> {
  const before = used(apis)
  const { acceptedInAll, perSecond } = await loadPuts(bases, writer, { clients, seconds })
  return { requestMs: ((used(apis) - before) / acceptedInAll) * 1_000, perSecond }
}
