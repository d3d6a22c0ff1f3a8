import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** The server that is measured has this core for itself. */
export const serverCore = 0

/** Everything else, the load first of all, runs on the other one. */
export const loadCore = 1

/** The cores that this process may run on, as `taskset` lists them. */
export function ownCores(): string {
  return /^Cpus_allowed_list:\s*(\S+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? ''
}

/** Lets this process, and what it starts from now on, run on these cores alone. */
export function moveTo(cores: string): void {
  execFileSync('taskset', ['-a', '-c', '-p', cores, String(process.pid)], { stdio: 'ignore' })
}

/** A command that runs on one core, with all the threads and processes that it starts. */
export function onCore(core: number, command: string, args: readonly string[]): [command: string, args: string[]] {
  return ['taskset', ['-c', String(core), command, ...args]]
}
