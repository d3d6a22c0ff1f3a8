import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { ImportGraph } from './import-graph.ts'
import { needsDatabase } from './needs-database.ts'

const graph = new ImportGraph(fileURLToPath(new URL('../..', import.meta.url)))

const withDatabase = [
  'service/src/platform/postgres/db.test.ts',
  'service/src/platform/postgres/statement-names.test.ts',
  'service/src/modules/records/import-zone.test.ts',
  'service/src/testing/fuzz/*.fuzz.ts',
  'system-tests/flows/change-a-record.test.ts',
  'system-tests/releases/*.test.ts',
  'packages/**/*.test.ts service/**/*.test.ts',
  'packages/dns/src/name.test.ts service/src/platform/postgres/db.test.ts',
]
const withoutDatabase = [
  'packages/**/*.test.ts',
  'packages/dns/src/name.test.ts',
  'nameserver/**/*.test.ts',
  'dashboard/**/*.test.ts',
  'service/src/modules/records/rules.test.ts',
  'tools/run.test.ts',
  'tools/webhook-verify-installed.test.ts',
  'no/such/file.test.ts',
]

for (const globs of withDatabase)
  test(`${globs} needs a database`, () => assert.equal(needsDatabase(graph, globs.split(' ')), true))

for (const globs of withoutDatabase)
  test(`${globs} needs no database`, () => assert.equal(needsDatabase(graph, globs.split(' ')), false))
