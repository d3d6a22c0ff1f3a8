// `npm test`: units, properties, modules on a real PostgreSQL, flows on real processes. Arguments name the files and folders to run, and
// can be options of `node --test`, such as `--watch`. Options without files apply to all units. TEST_POSTGRES (a superuser's URL) names a server
// to use instead of the one that npm installs.
import { statSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ImportGraph } from './local/import-graph.ts'
import { needsDatabase } from './local/needs-database.ts'
import { groupTests } from './local/test-groups.ts'
import { runTests, stopSignal, sumOf, type TestTally, testLane } from './local/test-run.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const graph = new ImportGraph(root)

/** The longest first and the shortest last, so that all lanes end at the same time. */
const units = [
  'service/**/*.test.ts',
  'nameserver/**/*.test.ts',
  'sandbox/**/*.test.ts',
  'tools/**/*.test.ts',
  'packages/**/*.test.ts',
  'dashboard/**/*.test.ts',
]
/** They share an installation: system-tests/README.md. */
const sharingFlows = ['a-!(first-key)', 'an-event-is-delivered', 'change-a-record', 'the-dashboard'].map(
  (name) => `system-tests/flows/${name}.test.ts`,
)
const flows = ['system-tests/flows/*.test.ts', 'system-tests/releases/*.test.ts']

/** `--watch` continues until it is stopped: the tests end first, then their PostgreSQL. */
const signal = stopSignal()

const chosen = process.argv.slice(2)
const tally = chosen.length === 0 ? await onPostgres(runAll) : await runChosen()
process.stdout.write(`\n${tally.passed} passed, ${tally.failed} failed\n`)
process.exitCode = tally.failed === 0 ? 0 : 1

async function runAll(env: Readonly<Record<string, string>>): Promise<TestTally> {
  // In parallel: the units use the processor time that the flows leave.
  const lane = testLane(groupTests(filesOf(units)), { env, yields: true, signal, withinMinutes: 10 })
  return sumOf(await Promise.all([lane(), lane(), lane(), lane(), lane(), runFlows(env)]))
}

/** One file at a time. */
async function runFlows(env: Readonly<Record<string, string>>): Promise<TestTally> {
  const sharing = filesOf(sharingFlows)
  const others = filesOf(flows).filter((file) => !sharing.includes(file))
  const first = await runTests(sharing, { env, oneProcess: true, printsAtEnd: true, signal })
  const second = await runTests(others, { env, concurrency: 1, printsAtEnd: true, signal })
  return sumOf([first, second])
}

async function runChosen(): Promise<TestTally> {
  const options = chosen.filter((argument) => argument.startsWith('-'))
  const named = chosen
    .filter((argument) => !argument.startsWith('-'))
    .map((path) => relative(root, resolve(testsIn(path))))
  const files = named.length === 0 ? units : named
  // Another process for a single file would only take longer to start.
  const oneProcess = options.length === 0 && filesOf(files).length === 1
  const run = (env: Readonly<Record<string, string>>) => runTests([...options, ...files], { env, oneProcess, signal })
  return needsDatabase(graph, files) ? await onPostgres(run) : await run({})
}

function filesOf(globs: readonly string[]): string[] {
  return globs.flatMap((glob) => graph.files(glob, { tests: true }))
}

/** The test files of a folder, as a glob; any other path or glob unchanged. */
function testsIn(path: string): string {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ? `${path}/**/*.test.ts` : path
}

/** Loaded only now, because the driver and the server's start would take longer than many tests. */
async function onPostgres(run: (env: Readonly<Record<string, string>>) => Promise<TestTally>): Promise<TestTally> {
  const { withTestPostgres } = await import('./local/test-postgres.ts')
  return await withTestPostgres(process.env['TEST_POSTGRES'], (server) => run({ ZONEWRIGHT_TEST_POSTGRES: server }))
}
