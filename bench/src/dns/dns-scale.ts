import { type Figure, median } from '../report.ts'
import { startOurSecondary, untilSaved } from './our-secondary.ts'
import { pairedRounds, rateFigure } from './paired-rounds.ts'
import { memoryBytes } from './process-usage.ts'
import { knot } from './servers/knot.ts'
import { nsd } from './servers/nsd.ts'
import { type Following, followWithOurs } from './servers/ours.ts'
import { type StartedServer, Workplace } from './workplace.ts'
import { everyRrset, questions } from './zones/questions.ts'
import { writeZoneFiles } from './zones/zone-files.ts'
import { recordsPerZone, type ZoneSet } from './zones/zone-set.ts'

const zoneCount = 100_000
const recordCount = zoneCount * recordsPerZone
const queryCount = 300_000
const rounds = 5
const secondsEach = 2

/**
 * A hundred thousand zones of ten records each: how many queries per CPU-second the server answers, how much memory a record takes, and how soon
 * a restarted nameserver answers for all zones.
 */
export function dnsScale(): Promise<Figure[]> {
  return Workplace.open(async (place) => {
    const zones = { count: zoneCount, serial: 1 }
    const emptyBytes = await memoryOfEmpty(place)
    const bytesPerRecord = ({ pid }: StartedServer) => (memoryBytes(pid) - emptyBytes) / recordCount

    const { server: filled, primary, following } = await startOurSecondary(place, 'filled', zones)
    await untilSaved(following)
    const filledBytes = bytesPerRecord(filled)
    primary.stop()
    await filled.stop()
    const restarted = await restartOurs(place, zones, following)
    const restartedBytes = bytesPerRecord(restarted.server)

    const files = writeZoneFiles(zones, `${place.folder}/zones`)
    const peers = [
      { name: 'NSD', server: await place.start(nsd, files) },
      { name: 'Knot', server: await place.start(knot, files) },
    ]
    const queries = place.queries('direct', questions('direct', zones, queryCount))
    const contenders = [{ name: 'ours', server: restarted.server }, ...peers]
    const rates = await pairedRounds(place.load, contenders, { rounds, secondsEach, queries })
    const beside = (value: number, theirs: (server: StartedServer) => number) =>
      peers.map(({ name, server }) => ({ name, value: theirs(server), ratio: value / theirs(server) }))
    return [
      rateFigure(`names that are there, ${zoneCount} zones`, rates, { kind: 'at least', value: 1.5, against: 'NSD' }),
      {
        ...single('memory for a record, over an empty process', 'bytes', restartedBytes),
        bar: { kind: 'at most', value: 150 },
        beside: beside(restartedBytes, ({ pid }) => memoryBytes(pid) / recordCount),
      },
      {
        ...single('the same just after all zones were transferred', 'bytes', filledBytes),
        bar: { kind: 'at most', value: 150 },
      },
      single('the first transfer of all zones', 's', filled.startSeconds),
      {
        name: 'restart until every answer is right (the others: out of zone files)',
        unit: 's',
        value: median(restarted.seconds),
        bar: { kind: 'at most', value: 5 },
        beside: beside(median(restarted.seconds), ({ startSeconds }) => startSeconds),
        samples: restarted.seconds,
      },
    ]
  })
}

function single(name: string, unit: string, value: number): Figure {
  return { name, unit, value, samples: [value] }
}

async function memoryOfEmpty(place: Workplace): Promise<number> {
  // One zone, to detect when it answers.
  const { server, primary } = await startOurSecondary(place, 'empty', { count: 1, serial: 1 })
  const bytes = memoryBytes(server.pid)
  await server.stop()
  primary.stop()
  return bytes
}

/** Starts our nameserver repeatedly and kills each one before the next, while the primary is unavailable. The last one continues to run. */
async function restartOurs(
  place: Workplace,
  zones: ZoneSet,
  following: Following,
): Promise<{ readonly server: StartedServer; readonly seconds: readonly number[] }> {
  const queries = place.queries('every-rrset', everyRrset(zones))
  const seconds: number[] = []
  for (;;) {
    const server = await place.launchTimed((port) => followWithOurs(port, following), zones)
    const { wrong, firstWrong } = await place.load.run({ queries, port: server.port, seconds: 'once' })
    if (wrong > 0) throw new Error(`after a restart ${wrong} answers were wrong, such as ${firstWrong}`)
    seconds.push(server.startSeconds)
    if (seconds.length === rounds) return { server, seconds }
    process.kill(server.pid, 'SIGKILL')
    await server.stop()
  }
}
