import { type Figure, median } from '../report.ts'
import { openIdleConnections } from './load/idle-connections.ts'
import { sendMalformed } from './load/malformed.ts'
import { cpuSeconds, memoryBytes } from './process-usage.ts'
import { startEcho } from './servers/echo.ts'
import { ours } from './servers/ours.ts'
import type { RunningServer } from './servers/server.ts'
import { type StartedServer, Workplace } from './workplace.ts'
import { questions } from './zones/questions.ts'
import { writeZoneFiles } from './zones/zone-files.ts'

const zoneCount = 1_000
const queryCount = 100_000
const slices = 5
const sliceSeconds = 1
const fullLoadSeconds = 60
const malformedCount = 20_000
const connectionCount = 10_000
/** The memory and file descriptors of a process. */
const growthMiB = 8

/** A minute of full load, then malformed packets, then idle TCP connections: nothing grows, crashes or gets slower. */
export function dnsSoak(): Promise<Figure[]> {
  return Workplace.open(async (place) => {
    const zones = writeZoneFiles({ count: zoneCount, serial: 1 }, `${place.folder}/zones`)
    const server = await place.start(ours, zones)
    const echo = await place.launch(startEcho)
    const queries = place.queries('mixed', questions('mixed', zones, queryCount))
    let [wrong, lost] = [0, 0]
    /** Queries per CPU-second that a server answers under this load. */
    const load = async (seconds: number, { pid, port }: RunningServer = server): Promise<number> => {
      const before = cpuSeconds(pid)
      const result = await place.load.run({ queries, port, seconds })
      if (pid === server.pid) {
        wrong += result.wrong
        lost += result.lost
      }
      return result.answered / (cpuSeconds(pid) - before)
    }
    /** Each as a share of the echo's rate at the same time, because other work of the machine affects both. */
    const rates = async (): Promise<number[]> => {
      const samples: number[] = []
      for (let slice = 0; slice < slices; slice++) {
        const floor = await load(sliceSeconds, echo)
        samples.push((await load(sliceSeconds)) / floor)
      }
      return samples
    }
    await load(5) // warm up
    const before = await rates()
    const figures: Figure[] = []
    /** Runs the work, and then sends the same queries as before: has memory grown, and is UDP as fast as before? */
    const stage = async (name: string, work: () => Promise<unknown>): Promise<void> => {
      const bytes = memoryBytes(server.pid)
      await work()
      figures.push(share(`queries a CPU-second after ${name}, as a share of those before all`, await rates(), before))
      const grown = (memoryBytes(server.pid) - bytes) / 2 ** 20
      figures.push({ ...single(`growth by ${name}`, 'MiB', grown), bar: { kind: 'at most', value: growthMiB } })
    }
    await stage('a minute of full load', () => load(fullLoadSeconds))
    await stage(`${malformedCount} malformed packets`, () => sendMalformed(server.port, malformedCount))
    await stage(`${connectionCount} idle TCP connections`, async () => {
      const connections = await openIdleConnections(server.port, connectionCount)
      figures.push(share('queries a CPU-second with them, as a share of those before all', await rates(), before))
      const taken = single('of these connections, taken', '', connections.opened)
      figures.push({ ...taken, bar: { kind: 'at least', value: connectionCount } })
      connections.close()
    })
    return [
      ...figures,
      { ...single('wrong answers to all that load', '', wrong), bar: none },
      single('answers to it that did not come within 200 ms', '', lost),
      { ...single('crashes of the process or of one of its threads', '', crashes(server)), bar: none },
    ]
  })
}

const none = { kind: 'at most', value: 0 } as const

function single(name: string, unit: string, value: number): Figure {
  return { name, unit, value, samples: [value] }
}

function share(name: string, rates: readonly number[], before: readonly number[]): Figure {
  const usual = median(before)
  const ratios = rates.map((rate) => rate / usual)
  return { name, unit: '', value: median(ratios), bar: { kind: 'at least', value: 0.9 }, samples: ratios }
}

/** Each event has its line in the log; a process that has ended has no memory. */
function crashes(server: StartedServer): number {
  const told = server
    .said()
    .split('\n')
    .filter((line) => line.includes('"level":"error"')).length
  return told + Number(memoryBytes(server.pid) === 0)
}
