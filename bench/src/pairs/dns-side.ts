import { cpuSeconds } from '../dns/process-usage.ts'
import { oursOf } from '../dns/servers/ours.ts'
import type { RunningServer } from '../dns/servers/server.ts'
import { Workplace } from '../dns/workplace.ts'
import { questions } from '../dns/zones/questions.ts'
import { writeZoneFiles } from '../dns/zones/zone-files.ts'
import type { Checkout } from './checkout.ts'
import { type Both, type Comparison, onePair, type Pairs } from './in-turn.ts'

const zoneCount = 1_000
const queryCount = 100_000
const seconds = 3

const queries: Comparison = {
  name: `DNS queries for names that are there, ${zoneCount} zones`,
  unit: 'a CPU-second',
  bar: 0.97,
  better: 'more',
}

/** The nameservers, one process each, measured like `dns-speed`. */
export async function pairedDns(
  { own, other }: Both<Checkout>,
  pairs: number,
  wants: (comparison: Comparison) => boolean,
): Promise<Pairs[]> {
  if (!wants(queries)) return []
  return await Workplace.openAlone(async (place) => {
    const zones = writeZoneFiles({ count: zoneCount, serial: 1 }, `${place.folder}/zones`)
    const file = place.queries('direct', questions('direct', zones, queryCount))
    const both = {
      own: await place.start(oursOf('own', own.folder), zones),
      other: await place.start(oursOf('other', other.folder), zones),
    }
    const rate = async ({ pid, port }: RunningServer): Promise<number> => {
      const before = cpuSeconds(pid)
      const { answered, wrong, firstWrong } = await place.load.run({ queries: file, port, seconds })
      if (wrong > 0) throw new Error(`${wrong} of ${answered} answers were wrong, such as ${firstWrong}`)
      return answered / (cpuSeconds(pid) - before)
    }
    // In the first round, code is compiled and caches are filled.
    await rate(both.own)
    await rate(both.other)
    const measured: Pairs = { comparison: queries, own: [], its: [] }
    for (let pair = 0; pair < pairs; pair++) await onePair(pair, both, measured, rate)
    return [measured]
  })
}
