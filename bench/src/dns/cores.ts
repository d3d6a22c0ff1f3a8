/** The server that is measured has this core for itself. */
export const serverCore = 0

/** Everything else, the load first of all, runs on the other one. */
export const loadCore = 1

/** A command that runs on one core, with all the threads and processes that it starts. */
export function onCore(core: number, command: string, args: readonly string[]): [command: string, args: string[]] {
  return ['taskset', ['-c', String(core), command, ...args]]
}
