import type { Program } from '../../../tools/local/process.ts'
import { type Bar, type Figure, median, peerOf } from '../report.ts'
import { loadPuts, type Writer } from '../writer.ts'
import { used } from './usage.ts'

const rounds = 5
const seconds = 4
/** More of them get no more out of one `api` here, nor out of two. */
const most = 960
const few = 32

/** Each client has one of its own: what is asked of one zone at once by two processes waits for its lock. */
export const fullLoadZones = most

interface Apis {
  readonly apis: readonly Program[]
  readonly bases: readonly string[]
}

interface Taken {
  readonly requestMs: number
  readonly perSecond: number
}

/**
 * What a request costs when each client sends its next once the one before is answered: by one `api` that has them all, each in its turn, and
 * by all together, that share them. Those that wait in an `api` at the same time share statements and transactions.
 */
export async function fullLoadFigures({ apis, bases, writer }: Apis & { writer: Writer }): Promise<Figure[]> {
  const alone = apis.map((api, i) => ({ apis: [api], bases: bases.slice(i, i + 1) }))
  for (const one of alone) await take(one, writer, most)
  const figures: Figure[] = []
  for (const clients of [most, few]) {
    const [own, its]: [Taken[], Taken[]] = [[], []]
    for (let round = 0; round < rounds; round++) {
      its.push(await take(alone[round % alone.length] ?? { apis, bases }, writer, clients))
      own.push(await take({ apis, bases }, writer, clients))
    }
    figures.push(costFigure(clients, own, its), rateFigure(clients, own, its))
  }
  return figures
}

async function take({ apis, bases }: Apis, writer: Writer, clients: number): Promise<Taken> {
  const before = used(apis)
  const { acceptedInAll, perSecond } = await loadPuts(bases, writer, { clients, seconds })
  return { requestMs: ((used(apis) - before) / acceptedInAll) * 1_000, perSecond }
}

function costFigure(clients: number, own: readonly Taken[], its: readonly Taken[]): Figure {
  const one = 'one api, the same clients'
  const samples = own.map(({ requestMs }) => requestMs)
  const beside = [
    peerOf(
      one,
      samples,
      its.map(({ requestMs }) => requestMs),
    ),
  ]
  const bar: Bar = { kind: 'at most', value: 1.1, against: one }
  const name = `processor time of a request of ${clients} clients, two api processes`
  return { name, unit: 'ms', value: median(samples), samples, ...(clients === most && { bar }), beside }
}

function rateFigure(clients: number, own: readonly Taken[], its: readonly Taken[]): Figure {
  const samples = own.map(({ perSecond }) => perSecond)
  const beside = [
    peerOf(
      'one api, the same clients',
      samples,
      its.map(({ perSecond }) => perSecond),
    ),
  ]
  return { name: `PUTs of ${clients} clients meanwhile`, unit: 'a second', value: median(samples), samples, beside }
}
