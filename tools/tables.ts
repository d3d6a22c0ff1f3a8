// Writes the table types of the service from the migrated schema; with --check, says whether they are what it says.
import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startEmbeddedPostgres } from '@zonewright/service/embedded-postgres'
import { createLogger } from '@zonewright/service/log'
import { migrate } from '@zonewright/service/migrate'

const root = fileURLToPath(new URL('..', import.meta.url))
const path = join(root, 'service/src/platform/tables.ts')
const generator = join(root, 'node_modules/kysely-codegen/dist/cli/bin.js')

const dataDir = await mkdtemp(join(tmpdir(), 'zonewright-tables-'))
const postgres = await startEmbeddedPostgres(dataDir, createLogger('tables', 'warn'), {
  settings: { listen_addresses: '127.0.0.1' },
})
try {
  await migrate(postgres.url)
  const generated = await generate(postgres.url)
  if (!process.argv.includes('--check')) await writeFile(path, generated)
  else if ((await readFile(path, 'utf8')) !== generated) {
    process.stderr.write('tables.ts is not what the migrations make: run `npm run tables`.\n')
    process.exitCode = 1
  }
} finally {
  await postgres.stop()
  await postgres.erase()
  await rm(dataDir, { recursive: true, force: true })
}

async function generate(url: string): Promise<string> {
  const out = join(dataDir, 'tables.ts')
  const types = ['--date-parser', 'string', '--type-mapping', '{"int8":"number"}']
  const args = [
    generator,
    '--dialect',
    'postgres',
    '--url',
    url,
    ...types,
    '--exclude-pattern',
    'schema_migrations',
    '--out-file',
    out,
  ]
  execFileSync(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] })
  return readFile(out, 'utf8')
}
