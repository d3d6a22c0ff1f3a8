import { spawn } from 'node:child_process'
import { setPriority } from 'node:os'
import { endChild, endOf } from './child-end.ts'

/** How a run of node's test runner ended. */
export interface TestTally {
  readonly passed: number
  readonly failed: number
}

export interface TestRunOptions {
  readonly env?: Readonly<Record<string, string>>
  /** The number of files that run at once. */
  readonly concurrency?: number
  /** All files run in one process, one after the other, so that their imports are loaded once. */
  readonly oneProcess?: boolean
  /** Runs at a low priority. */
  readonly yields?: boolean
  /** Prints everything at its end, so that the lines of parallel runs are not mixed. */
  readonly printsAtEnd?: boolean
  /** Ends the run early. */
  readonly signal?: AbortSignal
  /** A run that takes longer is stopped, and has failed. If left out, there is no limit. */
  readonly withinMinutes?: number
}

export function sumOf(tallies: readonly TestTally[]): TestTally {
  const total = (count: (tally: TestTally) => number) => tallies.reduce((sum, tally) => sum + count(tally), 0)
  return { passed: total(({ passed }) => passed), failed: total(({ failed }) => failed) }
}

/** Aborted when this process has to stop, or its parent is gone. Everything that it has started ends first. */
export function stopSignal(): AbortSignal {
  const stopped = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopped.abort())
  process.on('disconnect', () => stopped.abort())
  // Listening alone would keep this process running once all is done.
  process.channel?.unref()
  return stopped.signal
}

/**
 * Runs test files with Node's own runner, `concurrency` of them at once, and prints its output.
 *
 * A skipped, to-do or cancelled test counts as failed, and so does a run in which no test ran, because a test that does not
 * run proves nothing.
 */
export async function runTests(globs: readonly string[], options: TestRunOptions = {}): Promise<TestTally> {
  const args = [
    '--disable-warning=ExperimentalWarning',
    '--test',
    '--test-reporter=spec',
    options.oneProcess ? '--test-isolation=none' : `--test-concurrency=${options.concurrency ?? 2}`,
  ]
  const child = spawn(process.execPath, [...args, ...globs], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...options.env },
  })
  // When Node is stopped, it prints which tests were running.
  const end = (): void => endChild(child, stopMs)
  let isLate = false
  const late = (): void => {
    isLate = true
    end()
  }
  const { withinMinutes } = options
  const limit = withinMinutes === undefined ? undefined : setTimeout(late, withinMinutes * 60_000)
  options.signal?.addEventListener('abort', end)
  if (options.signal?.aborted) end()
  if (options.yields && child.pid !== undefined) setPriority(child.pid, 5)
  let printed = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text
    if (!options.printsAtEnd) process.stdout.write(text)
  })
  const code = await endOf(child)
  clearTimeout(limit)
  if (options.printsAtEnd) process.stdout.write(printed)
  options.signal?.removeEventListener('abort', end)
  const count = (what: string): number => Number(new RegExp(`^ℹ ${what} (\\d+)$`, 'm').exec(printed)?.[1] ?? 0)
  const passed = count('pass')
  const notRun = count('skipped') + count('todo') + count('cancelled')
  const failed = count('fail') + notRun
  if (notRun > 0)
    process.stdout.write(`${notRun} tests were skipped, marked to do or cancelled: they count as failed.\n`)
  if (isLate) process.stdout.write(`Ended after ${withinMinutes} minutes: a test hangs, or has left something open.\n`)
  // In one process, Node lists a hook that failed, but does not count it, and exits with 0.
  const isFailed = isLate || code !== 0 || passed === 0 || printed.includes('\n✖ failing tests:\n')
  return { passed, failed: failed === 0 && isFailed ? 1 : failed }
}

/** The time that a run may take to stop. */
const stopMs = 10_000

/**
 * A lane, which runs groups of test files, each in one process, one after the other until no group is left. Lanes that run in parallel
 * share the groups.
 */
export function testLane(groups: readonly (readonly string[])[], options: TestRunOptions): () => Promise<TestTally> {
  const waiting = [...groups]
  return async () => {
    const tallies: TestTally[] = []
    for (let group = waiting.shift(); group !== undefined && !options.signal?.aborted; group = waiting.shift())
      tallies.push(await runTests(group, { ...options, oneProcess: true, printsAtEnd: true }))
    return sumOf(tallies)
  }
}
