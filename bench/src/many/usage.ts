import type { Program } from '../../../tools/local/process.ts'
import { cpuSeconds } from '../dns/process-usage.ts'

/** Processor time of all of them so far, in seconds. */
export function used(programs: readonly Program[]): number {
  return programs.reduce((sum, { pid }) => sum + cpuSeconds(pid ?? 0), 0)
}
