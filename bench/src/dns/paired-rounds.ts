import { type Bar, type Figure, median, peerOf } from '../report.ts'
import type { LoadProcess } from './load/load-process.ts'
import { cpuSeconds } from './process-usage.ts'
import type { RunningServer } from './servers/server.ts'

/** A server in a comparison. */
export interface Contender {
  readonly name: string
  readonly server: RunningServer
}

/** Queries per CPU-second of each contender, by its name: one sample per round. */
export type Rates = ReadonlyMap<string, readonly number[]>

export interface Rounds {
  readonly rounds: number
  readonly secondsEach: number
  /** A file of `writeQueries`. */
  readonly queries: string
}

/**
 * Sends the same queries to each contender for some seconds, in turn, for this many rounds, so that other work of the machine affects all of
 * them. A warm-up round is not counted.
 *
 * @throws Error if any contender other than the echo answers wrong
 */
export async function pairedRounds(
  load: LoadProcess,
  contenders: readonly Contender[],
  { rounds, secondsEach, queries }: Rounds,
): Promise<Rates> {
  const rates = new Map<string, number[]>(contenders.map(({ name }) => [name, []]))
  for (let round = 0; round <= rounds; round++) {
    for (const { name, server } of contenders) {
      const before = cpuSeconds(server.pid)
      const result = await load.run({ queries, port: server.port, seconds: secondsEach })
      const spent = cpuSeconds(server.pid) - before
      if (result.wrong > 0 && name !== floorName) {
        throw new Error(`${name} answered ${result.wrong} of ${result.answered} wrong, such as ${result.firstWrong}`)
      }
      if (round > 0) rates.get(name)?.push(result.answered / spent)
    }
  }
  return rates
}

/** The program that only receives and sends. */
export const floorName = 'bare echo'

/** Our rate next to all others, as the medians of the rounds. The bar is for the ratio to one of them. */
export function rateFigure(name: string, rates: Rates, bar?: Bar): Figure {
  const own = rates.get('ours') ?? []
  const others = [...rates].filter(([contender]) => contender !== 'ours')
  const beside = others.map(([contender, theirs]) => peerOf(contender, own, theirs))
  return { name, value: median(own), unit: 'a CPU-second', ...(bar && { bar }), beside, samples: own }
}
