import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** A program that was started separately, next to a world or without one. */
export interface HeardProgram {
  readonly process: ChildProcess
  /** Its output on standard error. */
  said(): string
  /** Its exit code, once all of its output was read. */
  readonly end: Promise<number | null>
}

/** Starts one of the repository's programs with these arguments of node. */
export function startHeard(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>> = {},
): HeardProgram {
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  return { process: child, said: () => said, end: once(child, 'close').then(([code]) => code) }
}
