// Writes docs/tables.md, the tables of the service, from the migrated schema; with --check, says whether it is up to date.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '@zonewright/service/embedded-postgres'
import { createLogger } from '@zonewright/service/log'
import { migrate } from '@zonewright/service/migrate'
import pg from 'pg'
import { readTables, type Table } from './local/tables.ts'
import { writeOrCheck } from './local/written-files.ts'

const heading = `# Tables

This page lists the columns, constraints and indexes of every table. \`npm run tables\` generates it from the migrations. Comments in the migrations
(\`service/migrations\`) explain the tables. The README of each module (\`service/src/modules\`) lists the tables that belong to it.
`

const dataDir = await mkdtemp(join(tmpdir(), 'zonewright-tables-'))
const postgres = await startEmbeddedPostgres(dataDir, createLogger('tables', 'warn'), {
  settings: { listen_addresses: '127.0.0.1' },
})
try {
  await migrate(postgres.url)
  const client = new pg.Client({ connectionString: postgres.url })
  await client.connect()
  const page = [heading, ...(await readTables(client)).map(section)].join('\n')
  await client.end()
  writeOrCheck({ 'docs/tables.md': page }, 'npm run tables')
} finally {
  await postgres.stop()
  await postgres.erase()
  await rm(dataDir, { recursive: true, force: true })
}

function section({ name, columns, constraints, indexes }: Table): string {
  const parts = [columns, constraints, indexes].filter((lines) => lines.length > 0)
  return `## ${name}\n\n\`\`\`sql\n${parts.map((lines) => lines.join('\n')).join('\n\n')}\n\`\`\`\n`
}
