import { type Figure, median } from '../report.ts'
import { serverCore } from './cores.ts'
import type { LoadResult } from './load/udp-load.ts'
import { startOurSecondary } from './our-secondary.ts'
import { Churn } from './primary/churn.ts'
import { coreSeconds } from './process-usage.ts'
import { followWithNsd } from './servers/nsd.ts'
import { type StartedServer, Workplace } from './workplace.ts'
import { newestVersions, stillAndChanging } from './zones/questions.ts'

const zones = { count: 2_000, serial: 1, isChanging: true }
const changesPerSecond = 1_000
const rounds = 5
const secondsEach = 3

/** The measured values of one server in one state, one sample per round. */
interface Samples {
  readonly perCpuSecond: number[]
  wrongOrMissing: number
  answered: number
}

/**
 * A thousand zones change per second under a full load of queries: how many queries the server answers, whether the answers are right, and what
 * the changes cost.
 */
export function dnsChurn(): Promise<Figure[]> {
  return Workplace.open(async (place) => {
    const { server: ours, primary, following } = await startOurSecondary(place, 'ours', zones)
    const nsdFolder = place.newFolder('nsd')
    const nsd = await place.launchTimed((port) => followWithNsd(port, nsdFolder, zones, following.primary), zones)
    await place.untilComplete(nsd, zones)
    const churn = new Churn(primary, zones.count, changesPerSecond)
    const queries = place.queries('changing', stillAndChanging(zones))
    const ask = (server: StartedServer) => place.load.run({ queries, port: server.port, seconds: secondsEach })
    const still = { ours: newSamples(), nsd: newSamples() }
    const changing = { ours: newSamples(), nsd: newSamples() }
    const applied: number[] = []
    for (let round = 0; round <= rounds; round++) {
      const isCounted = round > 0
      await sample(() => ask(ours), isCounted ? still.ours : newSamples())
      const before = primary.differences
      await sample(() => churn.during(ours.port, () => ask(ours)), isCounted ? changing.ours : newSamples())
      if (isCounted) applied.push((primary.differences - before) / secondsEach)
      await sample(() => ask(nsd), isCounted ? still.nsd : newSamples())
      await sample(() => churn.during(nsd.port, () => ask(nsd)), isCounted ? changing.nsd : newSamples())
    }
    churn.tellAll(ours.port)
    await place.untilRight(
      ours.port,
      place.queries(
        'newest',
        newestVersions(zones, (zone) => primary.book.serialOf(zone)),
      ),
    )
    primary.stop()

    const ratios = (own: Samples, other: Samples) =>
      own.perCpuSecond.map((rate, round) => rate / (other.perCpuSecond[round] ?? Number.NaN))
    const [own, theirs] = [changing.ours, changing.nsd]
    return [
      {
        name: `queries while ${changesPerSecond} zones a second change`,
        unit: 'a CPU-second',
        value: median(own.perCpuSecond),
        bar: { kind: 'at least', value: 1, against: 'NSD' },
        beside: [{ name: 'NSD', value: median(theirs.perCpuSecond), ratio: median(ratios(own, theirs)) }],
        samples: own.perCpuSecond,
      },
      {
        name: `wrong or missing answers meanwhile, of ${own.answered}`,
        unit: '',
        value: own.wrongOrMissing,
        bar: { kind: 'at most', value: 0 },
        samples: [own.wrongOrMissing],
      },
      {
        name: `the same of NSD, of ${theirs.answered}`,
        unit: '',
        value: theirs.wrongOrMissing,
        samples: [theirs.wrongOrMissing],
      },
      { name: 'changes taken', unit: 'a second', value: median(applied), samples: applied },
      {
        name: 'queries a CPU-second, as a share of those without changes',
        unit: '',
        value: median(ratios(own, still.ours)),
        beside: [
          {
            name: 'NSD',
            value: median(ratios(theirs, still.nsd)),
            ratio: median(ratios(own, still.ours)) / median(ratios(theirs, still.nsd)),
          },
        ],
        samples: ratios(own, still.ours),
      },
    ]
  })
}

function newSamples(): Samples {
  return { perCpuSecond: [], wrongOrMissing: 0, answered: 0 }
}

async function sample(ask: () => Promise<LoadResult>, samples: Samples): Promise<void> {
  const before = coreSeconds(serverCore)
  const { answered, wrong, lost } = await ask()
  samples.perCpuSecond.push(answered / (coreSeconds(serverCore) - before))
  samples.wrongOrMissing += wrong + lost
  samples.answered += answered
}
