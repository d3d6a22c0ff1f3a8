import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/** A test file of the repository with this source, in a folder that Git ignores. */
function planted(t: TestContext, source: string): string {
  mkdirSync(join(root, '.cache'), { recursive: true })
  const folder = mkdtempSync(join(root, '.cache/planted-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'planted.test.ts')
  writeFileSync(file, source)
  return relative(root, file)
}

/** Prints the PostgreSQL that it was given. */
const tells = `
import { test } from 'node:test'
test('it', (t) => t.diagnostic(\`given \${process.env.ZONEWRIGHT_TEST_POSTGRES}.\`))
`

interface Run {
  readonly child: ChildProcess
  readonly ended: Promise<number | null>
  printed(): string
  /** The PostgreSQL of each of its runs; waits until there are this many. */
  given(times: number): Promise<string[]>
}

function npmTest(t: TestContext, ...args: string[]): Run {
  // These reveal the run that this test is a part of.
  const { ZONEWRIGHT_TEST_POSTGRES: _, TEST_POSTGRES: __, NODE_TEST_CONTEXT: ___, ...env } = process.env
  const command = ['tools/run.cjs', 'tools/test.ts', ...args]
  const child = spawn(process.execPath, command, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
  t.after(() => child.kill('SIGKILL'))
  let printed = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text
    })
  const said = (): string[] => [...printed.matchAll(/given (\S+)\.$/gm)].map(([, url = '']) => url)
  return {
    child,
    ended: new Promise((resolve) => child.once('close', resolve)),
    printed: () => printed,
    async given(times) {
      for (const deadline = Date.now() + 60_000; said().length < times && Date.now() < deadline; ) await delay(50)
      assert.ok(said().length >= times, printed)
      return said()
    },
  }
}

test('a test file that needs no database runs without PostgreSQL', async (t) => {
  const run = npmTest(t, planted(t, tells))
  assert.equal(await run.ended, 0, run.printed())
  assert.deepEqual(await run.given(1), ['undefined'])
  assert.match(run.printed(), /^1 passed, 0 failed$/m)
})

test('a failed or skipped test, or a missing file, fails the run', async (t) => {
  for (const [file, tally] of [
    [
      planted(t, `import { test } from 'node:test'\ntest('it', () => { throw new Error('no') })\n`),
      '0 passed, 1 failed',
    ],
    [planted(t, `import { test } from 'node:test'\ntest.skip('it', () => {})\n`), '0 passed, 1 failed'],
    ['no/such/file.test.ts', '0 passed, 1 failed'],
  ] as const) {
    const run = npmTest(t, file)
    assert.equal(await run.ended, 1, run.printed())
    assert.match(run.printed(), new RegExp(`^${tally}$`, 'm'))
  }
})

test('a program that a test leaves running does not delay the end of the run', { timeout: 60_000 }, async (t) => {
  const lasts = 'setTimeout(() => {}, 300_000)'
  const leaves = planted(
    t,
    `import { spawn } from 'node:child_process'
import { test } from 'node:test'
test('it', (t) => {
  const child = spawn(process.execPath, ['--eval', '${lasts}'], { stdio: 'inherit' })
  t.diagnostic(\`given \${child.pid}.\`)
  child.unref()
})
`,
  )
  const run = npmTest(t, leaves)
  const [pid] = await run.given(1)
  t.after(() => process.kill(Number(pid), 'SIGKILL'))
  await once(run.child, 'exit')
  assert.equal(run.child.exitCode, 0, run.printed())
})

test('a run that is stopped says which test was running', { timeout: 60_000 }, async (t) => {
  const hangs = planted(
    t,
    `import { test } from 'node:test'\ntest('hangs', () => new Promise(() => {
  setInterval(() => {}, 1_000)
  console.log('given up.')
}))\n`,
  )
  const run = npmTest(t, hangs)
  await run.given(1)
  run.child.kill('SIGTERM')
  assert.equal(await run.ended, 1, run.printed())
  assert.match(run.printed(), /Interrupted while running:\s+⚠ hangs/)
})

test('a failed hook fails the run, also in one process', async (t) => {
  const fails = planted(
    t,
    `import { after, test } from 'node:test'\nafter(() => { throw new Error('no') })\ntest('it', () => {})\n`,
  )
  const passes = planted(t, `import { test } from 'node:test'\ntest('another', () => {})\n`)
  const run = npmTest(t, '--test-isolation=none', fails, passes)
  assert.equal(await run.ended, 1, run.printed())
  assert.match(run.printed(), /^2 passed, 1 failed$/m)
})

test('--watch runs a changed file again on the same PostgreSQL, which ends with the run', async (t) => {
  const database = "import '../../service/src/testing/platform/test-database.ts'\n"
  const file = planted(t, database + tells)
  const run = npmTest(t, '--watch', file)
  const [first = ''] = await run.given(1)
  assert.match(first, /^postgres:/)
  // Saved each second, as a person would, because Node misses a change that is saved before it watches the file.
  const saving = setInterval(() => appendFileSync(join(root, file), '// changed\n'), 1_000)
  t.after(() => clearInterval(saving))
  const [, second] = await run.given(2)
  clearInterval(saving)
  assert.equal(second, first)

  const socketFolder = decodeURIComponent(new URL(first).hostname)
  assert.ok(existsSync(dirname(socketFolder)))
  assert.ok(existsSync(socketFolder), socketFolder)
  run.child.kill('SIGINT')
  await run.ended
  assert.ok(!existsSync(socketFolder), 'its PostgreSQL is still there')
})
