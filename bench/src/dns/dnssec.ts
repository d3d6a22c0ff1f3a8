import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { dnssecPrograms } from '../../../tools/local/dns-programs.ts'
import type { Bar, Figure } from '../report.ts'
import { type Contender, pairedRounds, type Rates, rateFigure } from './paired-rounds.ts'
import { memoryBytes } from './process-usage.ts'
import { knot } from './servers/knot.ts'
import { nsd } from './servers/nsd.ts'
import { ours } from './servers/ours.ts'
import { type StartedServer, Workplace } from './workplace.ts'
import { type SignedKind, signedQuestions } from './zones/signed-questions.ts'
import { copySignedZoneFiles, type SignedZoneFiles, writeSignedZoneFiles } from './zones/signed-zone-files.ts'
import type { ZoneFiles } from './zones/zone-files.ts'

const zoneCount = 1_000
/** The memory of a few zones would be lost in that of the program. */
const memoryZoneCount = 20_000
const queryCount = 100_000
const rounds = 7
const secondsEach = 1.5
const servers = [ours, nsd, knot]
const fast: readonly Bar[] = [
  { kind: 'at least', value: 1.2, against: 'NSD' },
  { kind: 'at least', value: 1.2, against: 'Knot' },
]

/**
 * Zones that ldns-signzone signed, queried with the DO bit: how many queries per CPU-second the server answers, how much memory a record takes, and
 * how large answers are, compared with NSD and Knot with the same zones.
 */
export function dnssec(): Promise<Figure[]> {
  return Workplace.open(async (place) => {
    const byNsec = writeSignedZoneFiles({ count: zoneCount, serial: 1 }, `${place.folder}/nsec`, 'nsec')
    const byNsec3 = writeSignedZoneFiles({ count: zoneCount, serial: 1 }, `${place.folder}/nsec3`, 'nsec3')
    const figures: Figure[] = []

    const nsecServers = await startAll(place, 'nsec', byNsec)
    for (const kind of ['positive', 'NXDOMAIN', 'referral', 'mixed'] as const) {
      const rates = await measure(place, kind, byNsec, nsecServers)
      figures.push(...fast.map((bar) => rateFigure(`${kind}, NSEC`, rates, bar)))
    }
    const sizes = await answerSizes(byNsec, nsecServers)
    for (const { server } of nsecServers) await server.stop()

    const nsec3Servers = await startAll(place, 'nsec3', byNsec3)
    for (const kind of ['NXDOMAIN', 'referral'] as const) {
      const rates = await measure(place, kind, byNsec3, nsec3Servers)
      figures.push(...fast.map((bar) => rateFigure(`${kind}, NSEC3`, rates, bar)))
    }
    const flood = await measure(place, 'flood', byNsec3, nsec3Servers)
    const bar: Bar = { kind: 'at least', value: 1, against: 'NSD' }
    figures.push(rateFigure('known names and three times as many random ones, NSEC3', flood, bar))
    const nsec3Sizes = await answerSizes(byNsec3, nsec3Servers)
    for (const { server } of nsec3Servers) await server.stop()

    figures.push(...sizeFigures([...sizes, ...nsec3Sizes]), await memoryFigure(place, byNsec))
    return figures
  }, dnssecPrograms)
}

async function startAll(place: Workplace, name: string, zones: ZoneFiles): Promise<Contender[]> {
  const contenders: Contender[] = []
  for (const server of servers) {
    contenders.push({ name: server.name, server: await place.start(server, zones, `${server.name}-${name}`) })
  }
  return contenders
}

function measure(
  place: Workplace,
  kind: SignedKind,
  zones: SignedZoneFiles,
  contenders: readonly Contender[],
): Promise<Rates> {
  const queries = place.queries(kind, signedQuestions(kind, zones, queryCount))
  return pairedRounds(place.load, contenders, { rounds, secondsEach, queries })
}

/** Bytes of a query and of its answer by UDP. */
interface Exchange {
  readonly asked: number
  readonly answered: number
}

/** What our server answers to some queries of every kind. */
async function answerSizes(zones: SignedZoneFiles, [own]: readonly Contender[]): Promise<Exchange[]> {
  const exchanges: Exchange[] = []
  const socket = createSocket('udp4')
  for (const kind of ['positive', 'NXDOMAIN', 'referral', 'mixed'] as const) {
    for (const { packet } of signedQuestions(kind, zones, 500)) {
      const answered = once(socket, 'message', { signal: AbortSignal.timeout(5_000) })
      socket.send(packet, own?.server.port ?? 0, '127.0.0.1')
      const [answer] = (await answered) as [Uint8Array]
      exchanges.push({ asked: packet.length, answered: answer.length })
    }
  }
  socket.close()
  return exchanges
}

function sizeFigures(exchanges: readonly Exchange[]): Figure[] {
  const largest = Math.max(...exchanges.map(({ answered }) => answered))
  const amplification = Math.max(...exchanges.map(({ asked, answered }) => answered / asked))
  return [
    {
      name: 'largest UDP answer',
      unit: 'bytes',
      value: largest,
      bar: { kind: 'at most', value: 1232 },
      samples: [largest],
    },
    {
      name: 'largest answer divided by its query',
      unit: '×',
      value: amplification,
      bar: { kind: 'at most', value: 25 },
      samples: [amplification],
    },
  ]
}

/** Memory per record: what each server uses beyond its own usage with one zone. */
async function memoryFigure(place: Workplace, signed: SignedZoneFiles): Promise<Figure> {
  const few = copySignedZoneFiles(signed, 1, `${place.folder}/one`)
  const many = copySignedZoneFiles(signed, memoryZoneCount, `${place.folder}/many`)
  const bytes = new Map<string, number>()
  for (const server of servers) {
    const empty = await memoryOf(place.start(server, few, `${server.name}-one`))
    const filled = await memoryOf(place.start(server, many, `${server.name}-many`))
    bytes.set(server.name, (filled - empty) / many.records)
  }
  const value = bytes.get('ours') ?? Number.NaN
  const peers = [...bytes].filter(([name]) => name !== 'ours')
  return {
    name: `memory for a record of ${memoryZoneCount} signed zones`,
    unit: 'bytes',
    value,
    bar: { kind: 'at most', value: 0.6, against: 'NSD' },
    beside: peers.map(([name, theirs]) => ({ name, value: theirs, ratio: value / theirs })),
    samples: [value],
  }
}

async function memoryOf(starting: Promise<StartedServer>): Promise<number> {
  const server = await starting
  const bytes = memoryBytes(server.pid)
  await server.stop()
  return bytes
}
