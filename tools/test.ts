// `npm test`: units, properties, modules on a real PostgreSQL, flows on real processes. Arguments choose other files;
// TEST_POSTGRES (a superuser's URL) another server than the one that comes by npm.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '@zonewright/service/embedded-postgres'
import { createLogger } from '@zonewright/service/log'
import { dropTestDatabases, prepareTemplate } from '@zonewright/service/test-database'
import { runTests, type TestTally } from './local/test-run.ts'

const units = [
  'packages/**/*.test.ts',
  'nameserver/**/*.test.ts',
  'sandbox/**/*.test.ts',
  'service/**/*.test.ts',
  'dashboard/**/*.test.ts',
  'tools/**/*.test.ts',
]
const flows = ['system-tests/flows/*.test.ts', 'system-tests/releases/*.test.ts']

/** Nobody needs its data after a crash, and an autovacuum would look at a hundred databases in turn. */
const settings = { fsync: 'off', full_page_writes: 'off', autovacuum: 'off' }

const chosen = process.argv.slice(2)
const given = process.env['TEST_POSTGRES']
const tally = given === undefined ? await onOurPostgres(run) : await run(given).finally(() => dropTestDatabases(given))
process.stdout.write(`\n${tally.passed} passed, ${tally.failed} failed\n`)
process.exitCode = tally.failed === 0 ? 0 : 1

async function run(server: string): Promise<TestTally> {
  await prepareTemplate(server)
  const env = { ZONEWRIGHT_TEST_POSTGRES: server }
  if (chosen.length > 0) return await runTests(chosen, { env })
  // Beside each other: the units have what the flows, one after the other, leave of the processor. What the flows print comes after.
  const first = runTests(units, { env, concurrency: 4, yields: true })
  const second = runTests(flows, { env, concurrency: 1, printAfter: first })
  return sum(await first, await second)
}

async function onOurPostgres<T>(work: (server: string) => Promise<T>): Promise<T> {
  const dataDir = await mkdtemp(join(tmpdir(), 'zonewright-test-'))
  const postgres = await startEmbeddedPostgres(dataDir, createLogger('test', 'warn'), { settings })
  try {
    return await work(postgres.url.replace(/[^/]+$/, 'postgres'))
  } finally {
    await postgres.stop()
    await postgres.erase()
    await rm(dataDir, { recursive: true, force: true })
  }
}

function sum(a: TestTally, b: TestTally): TestTally {
  return { passed: a.passed + b.passed, failed: a.failed + b.failed }
}
