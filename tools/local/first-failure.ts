import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Mutant } from './mutants.ts'

/** How a run of test files ended. `failed`: it was stopped at its first failed test, which `test` names. */
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

/** Runs test files until the first test fails, or for at most `limitMs`. A run in which no test ran has failed. */
export async function runToFirstFailure(
  { tests, only }: Pick<Mutant, 'tests' | 'only'>,
  { root, env, limitMs, signal }: TestPlace,
): Promise<TestEnd> {
  const began = performance.now()
  const pattern = only === undefined ? [] : [`--test-name-pattern=${only}`]
  const args = ['--disable-warning=ExperimentalWarning', '--test', '--test-reporter=tap', '--test-concurrency=1']
  // In a process group of its own, which `end` kills together with all programs that the tests have started.
  const child = spawn(process.execPath, [...args, ...pattern, ...tests], {
    cwd: root,
    // With this variable, a run that a test starts would report to the run of that test.
    env: { ...process.env, NODE_TEST_CONTEXT: undefined, ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  })
  let failed: string | undefined
  let isLate = false
  let passed = 0
  createInterface({ input: child.stdout }).on('line', (line) => {
    const [, not, name] = /^\s*(not )?ok \d+ - (.*)$/.exec(line) ?? []
    if (name === undefined) return
    if (not !== undefined) {
      failed ??= name
      end()
      return
    }
    // Node reports a file in which no test ran as a test with the name of the file.
    if (!tests.includes(name)) passed += 1
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
  if (code === 0 && passed > 0) return { kind: 'passed', ms: performance.now() - began }
  return { kind: 'failed', test: passed === 0 ? 'no test ran' : `exit code ${code}` }

  function end(): void {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    } catch {
      // The group has already ended.
    }
  }
}
