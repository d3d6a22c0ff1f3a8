// `npm test`: units, properties, modules on a real PostgreSQL, flows on real processes. Arguments choose other files.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '@zonewright/service/embedded-postgres'
import { createLogger } from '@zonewright/service/log'
import { prepareTemplate } from '@zonewright/service/test-database'
import { runTests, type TestTally } from './local/test-run.ts'

const units = [
  'packages/**/*.test.ts',
  'nameserver/**/*.test.ts',
  'sandbox/**/*.test.ts',
  'service/**/*.test.ts',
  'tools/**/*.test.ts',
]
const flows = ['system-tests/flows/*.test.ts']

const chosen = process.argv.slice(2)
const dataDir = await mkdtemp(join(tmpdir(), 'zonewright-test-'))
const postgres = await startEmbeddedPostgres(dataDir, createLogger('test', 'warn'))
let tally: TestTally = { passed: 0, failed: 0 }
try {
  const server = postgres.url.replace(/[^/]+$/, 'postgres')
  await prepareTemplate(server)
  const env = { ZONEWRIGHT_TEST_POSTGRES: server }
  tally = await runTests(chosen.length > 0 ? chosen : units, { env })
  if (chosen.length === 0) tally = sum(tally, await runTests(flows, { env, concurrency: 1 }))
} finally {
  await postgres.stop()
  await postgres.erase()
  await rm(dataDir, { recursive: true, force: true })
}
process.stdout.write(`\n${tally.passed} passed, ${tally.failed} failed\n`)
process.exitCode = tally.failed === 0 ? 0 : 1

function sum(a: TestTally, b: TestTally): TestTally {
  return { passed: a.passed + b.passed, failed: a.failed + b.failed }
}
