import { spawn } from 'node:child_process'

/** How a run of node's test runner ended. */
export interface TestTally {
  readonly passed: number
  readonly failed: number
}

/**
 * Runs test files with node's own runner, in this order of concurrency, printing what it prints.
 *
 * A skipped, to-do or cancelled test counts as failed, and so does a run in which no test ran: a test that does not
 * run proves nothing.
 */
export async function runTests(
  globs: readonly string[],
  options: { env?: Readonly<Record<string, string>>; concurrency?: number } = {},
): Promise<TestTally> {
  const args = [
    '--disable-warning=ExperimentalWarning',
    '--test',
    '--test-reporter=spec',
    `--test-concurrency=${options.concurrency ?? 2}`,
  ]
  const child = spawn(process.execPath, [...args, ...globs], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...options.env },
  })
  let printed = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text
    process.stdout.write(text)
  })
  const code = await new Promise<number>((resolve) => child.once('close', (status) => resolve(status ?? 1)))
  const count = (what: string): number => Number(new RegExp(`^ℹ ${what} (\\d+)$`, 'm').exec(printed)?.[1] ?? 0)
  const passed = count('pass')
  const notRun = count('skipped') + count('todo') + count('cancelled')
  const failed = count('fail') + notRun
  if (notRun > 0)
    process.stdout.write(`${notRun} tests were skipped, marked to do or cancelled: they count as failed.\n`)
  return { passed, failed: failed === 0 && (code !== 0 || passed === 0) ? 1 : failed }
}
