import type { Program } from '../../../tools/local/process.ts'
import { cpuSecondsOf } from '../dns/process-usage.ts'

/** Some `api` processes and where they listen, in the same order. */
export interface Apis {
  readonly apis: readonly Program[]
  readonly bases: readonly string[]
}

/** Each of them by itself. */
export function eachAlone({ apis, bases }: Apis): Apis[] {
  return apis.map((api, i) => ({ apis: [api], bases: bases.slice(i, i + 1) }))
}

/** The one whose turn it is in a round, by itself. */
export function alone(all: Apis, round: number): Apis {
  return eachAlone(all)[round % all.apis.length] ?? all
}

/** Processor time of all of them so far, in seconds. */
export function used(programs: readonly Program[]): number {
  return cpuSecondsOf(programs.map(({ pid }) => pid))
}
