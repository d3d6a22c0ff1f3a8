// Writes docs/tables.md, the tables of the service, from the migrated schema; with --check, says whether it is what it says.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startEmbeddedPostgres } from '@zonewright/service/embedded-postgres'
import { createLogger } from '@zonewright/service/log'
import { migrate } from '@zonewright/service/migrate'
import pg from 'pg'
import { readTables, type Table } from './local/tables.ts'

const path = fileURLToPath(new URL('../docs/tables.md', import.meta.url))

const heading = `# Tables

Written by \`npm run tables\` from the migrations (\`service/migrations\`), which say why each is as it is. Whose a table is, is in the
README of its module (\`service/src/modules\`).
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
  if (!process.argv.includes('--check')) await writeFile(path, page)
  else if ((await readFile(path, 'utf8').catch(() => '')) !== page) {
    process.stderr.write('docs/tables.md is not what the migrations make: run `npm run tables`.\n')
    process.exitCode = 1
  }
} finally {
  await postgres.stop()
  await postgres.erase()
  await rm(dataDir, { recursive: true, force: true })
}

function section({ name, columns, constraints, indexes }: Table): string {
  const parts = [columns, constraints, indexes].filter((lines) => lines.length > 0)
  return `## ${name}\n\n\`\`\`sql\n${parts.map((lines) => lines.join('\n')).join('\n\n')}\n\`\`\`\n`
}
