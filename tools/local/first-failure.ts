import { spawn } from 'node:child_process'
import type { Mutant } from './mutants.ts'

/** How test files ended: `failed` names the first test that did, at which the run was ended. */
export type TestEnd =
  | { readonly kind: 'passed'; readonly ms: number }
  | { readonly kind: 'failed'; readonly test: string }
  | { readonly kind: 'late' }

export interface TestPlace {
  readonly root: string
  readonly env: Readonly<Record<string, string>>
  readonly limitMs: number
  readonly signal?: AbortSignal | undefined
}

/** Runs test files until the first test fails, or the time is over. A run in which no test ran has failed. */
export async function runToFirstFailure(
  { tests, only }: Pick<Mutant, 'tests' | 'only'>,
  { root, env, limitMs, signal }: TestPlace,
): Promise<TestEnd> {
  const began = performance.now()
  const pattern = only === undefined ? [] : [`--test-name-pattern=${only}`]
  const args = ['--disable-warning=ExperimentalWarning', '--test', '--test-reporter=tap', '--test-concurrency=1']
  // A process group of its own: what the tests have started ends with them.
  const child = spawn(process.execPath, [...args, ...pattern, ...tests], {
    cwd: root,
    // A test of this would make its run part of its own.
    env: { ...process.env, NODE_TEST_CONTEXT: undefined, ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  })
  let failed: string | undefined
  let isLate = false
  let printed = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text
    failed ??= /^\s*not ok \d+ - (.*)$/m.exec(printed)?.[1]
    if (failed !== undefined) end()
  })
  const timer = setTimeout(() => {
    isLate = true
    end()
  }, limitMs)
  signal?.addEventListener('abort', end)
  if (signal?.aborted) end()
  const code = await new Promise<number | null>((resolve, reject) =>
    child.once('error', reject).once('close', (status) => resolve(status)),
  )
  clearTimeout(timer)
  signal?.removeEventListener('abort', end)
  if (failed !== undefined) return { kind: 'failed', test: failed }
  if (isLate) return { kind: 'late' }
  // A file of which no test runs is reported as a test of its own.
  const passed = [...printed.matchAll(/^\s*ok \d+ - (.*)$/gm)].filter(([, name = '']) => !tests.includes(name))
  if (code === 0 && passed.length > 0) return { kind: 'passed', ms: performance.now() - began }
  return { kind: 'failed', test: passed.length === 0 ? 'no test ran' : `exit code ${code}` }

  function end(): void {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    } catch {
      // It has ended by itself.
    }
  }
}
