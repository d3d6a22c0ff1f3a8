import { cpuSeconds } from '../dns/process-usage.ts'
import { oursOf } from '../dns/servers/ours.ts'
import type { RunningServer } from '../dns/servers/server.ts'
import { Workplace } from '../dns/workplace.ts'
import { type QuestionKind, questions } from '../dns/zones/questions.ts'
import { writeZoneFiles } from '../dns/zones/zone-files.ts'
import type { ZoneSet } from '../dns/zones/zone-set.ts'
import type { Checkout } from './checkout.ts'
import { type Both, type Comparison, onePair, type Pairs } from './in-turn.ts'

const zoneCount = 1_000
const queryCount = 100_000
const seconds = 3

type DnsComparison = Comparison & { readonly kind: QuestionKind }

const common = { unit: 'a CPU-second', bar: 0.97, better: 'more' } as const
const comparisons: readonly DnsComparison[] = [
  { name: `DNS queries for names that are there, ${zoneCount} zones`, kind: 'direct', ...common },
  { name: 'DNS queries with the DO bit, for the same unsigned zones', kind: 'edns', ...common },
]

/** The nameservers, one process each, measured like `dns-speed`. */
export async function pairedDns(
  { own, other }: Both<Checkout>,
  pairs: number,
  wants: (comparison: Comparison) => boolean,
): Promise<Pairs[]> {
  const wanted = comparisons.filter(wants)
  if (wanted.length === 0) return []
  return await Workplace.openAlone(async (place) => {
    const zones = writeZoneFiles({ count: zoneCount, serial: 1 }, `${place.folder}/zones`)
    const both = {
      own: await place.start(oursOf('own', own.folder), zones),
      other: await place.start(oursOf('other', other.folder), zones),
    }
    const all: Pairs[] = []
    for (const comparison of wanted) all.push(await pairedRates(place, zones, both, pairs, comparison))
    return all
  })
}

async function pairedRates(
  place: Workplace,
  zones: ZoneSet,
  both: Both<RunningServer>,
  pairs: number,
  { kind, ...comparison }: DnsComparison,
): Promise<Pairs> {
  const file = place.queries(kind, questions(kind, zones, queryCount))
  const rate = async ({ pid, port }: RunningServer): Promise<number> => {
    const before = cpuSeconds(pid)
    const { answered, wrong, firstWrong } = await place.load.run({ queries: file, port, seconds })
    if (wrong > 0) throw new Error(`${wrong} of ${answered} answers were wrong, such as ${firstWrong}`)
    return answered / (cpuSeconds(pid) - before)
  }
  // In the first round, code is compiled and caches are filled.
  await rate(both.own)
  await rate(both.other)
  const measured: Pairs = { comparison, own: [], its: [] }
  for (let pair = 0; pair < pairs; pair++) await onePair(pair, both, measured, rate)
  return measured
}
