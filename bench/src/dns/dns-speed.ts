import type { Figure } from '../report.ts'
import { type Contender, floorName, pairedRounds, rateFigure } from './paired-rounds.ts'
import { bind } from './servers/bind.ts'
import { startEcho } from './servers/echo.ts'
import { knot } from './servers/knot.ts'
import { nsd } from './servers/nsd.ts'
import { ours } from './servers/ours.ts'
import { powerdns } from './servers/powerdns.ts'
import { Workplace } from './workplace.ts'
import { type QuestionKind, questions } from './zones/questions.ts'
import { writeZoneFiles } from './zones/zone-files.ts'

const zoneCount = 1_000
const queryCount = 100_000
const rounds = 5
/** Queries for existing names have more rounds: if rounds differ by a sixth, only more of them can distinguish a bar of 1.2 from 1.15. */
const directRounds = 15
const secondsEach = 1.5
const otherKinds: readonly QuestionKind[] = ['random NXDOMAIN names', 'wildcards', 'mixed', 'edns']

/** How many queries a server answers per CPU-second, compared with others on the same core in the same minutes. */
export function dnsSpeed(): Promise<Figure[]> {
  return Workplace.open(async (place) => {
    const zones = writeZoneFiles({ count: zoneCount, serial: 1 }, `${place.folder}/zones`)
    const contenders: Contender[] = []
    for (const server of [ours, nsd, knot, bind, powerdns]) {
      contenders.push({ name: server.name, server: await place.start(server, zones) })
    }
    contenders.push({ name: floorName, server: await place.launch(startEcho) })
    const measure = (kind: QuestionKind, among: readonly Contender[], times = rounds) => {
      const queries = place.queries(kind, questions(kind, zones, queryCount))
      return pairedRounds(place.load, among, { rounds: times, secondsEach, queries })
    }

    const direct = await measure('direct', contenders, directRounds)
    const figures = [
      rateFigure(`names that are there, ${zoneCount} zones`, direct, { kind: 'at least', value: 1.2, against: 'NSD' }),
      rateFigure('the same', direct, { kind: 'at least', value: 1.2, against: 'Knot' }),
    ]
    const closest = contenders.filter(({ name }) => ['ours', 'NSD', 'Knot'].includes(name))
    for (const kind of otherKinds) {
      figures.push(rateFigure(kind, await measure(kind, closest), { kind: 'at least', value: 1, against: 'NSD' }))
    }
    return figures
  })
}
