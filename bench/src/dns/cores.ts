import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** The core that only the measured server uses. */
export const serverCore = 0

/** The core for everything else, especially the load. */
export const loadCore = 1

/** The cores that this process can run on, as `taskset` lists them. */
export function ownCores(): string {
  return /^Cpus_allowed_list:\s*(\S+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? ''
}

/** Restricts this process, and those that it starts from now on, to these cores. */
export function moveTo(cores: string): void {
  execFileSync('taskset', ['-a', '-c', '-p', cores, String(process.pid)], { stdio: 'ignore' })
}

/** A command that runs on one core, with all threads and processes that it starts. */
export function onCore(core: number, command: string, args: readonly string[]): [command: string, args: string[]] {
  return ['taskset', ['-c', String(core), command, ...args]]
}
