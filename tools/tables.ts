// Writes docs/tables.md, the tables of the service, from the migrated schema; with --check, says whether it is what it says.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startEmbeddedPostgres } from '@zonewright/service/embedded-postgres'
import { createLogger } from '@zonewright/service/log'
import { migrate } from '@zonewright/service/migrate'
import pg from 'pg'

const path = fileURLToPath(new URL('../docs/tables.md', import.meta.url))

const heading = `# Tables

Written by \`npm run tables\` from the migrations (\`service/migrations\`), which say why each is as it is. Whose a table is, is in the
README of its module (\`service/src/modules\`).
`

/** A table, in PostgreSQL's own words. */
interface Table {
  readonly name: string
  readonly columns: readonly string[]
  /** Keys, references and checks. */
  readonly constraints: readonly string[]
  /** Those that no constraint has made. */
  readonly indexes: readonly string[]
}

const dataDir = await mkdtemp(join(tmpdir(), 'zonewright-tables-'))
const postgres = await startEmbeddedPostgres(dataDir, createLogger('tables', 'warn'), {
  settings: { listen_addresses: '127.0.0.1' },
})
try {
  await migrate(postgres.url)
  const page = [heading, ...(await readTables(postgres.url)).map(section)].join('\n')
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

async function readTables(url: string): Promise<Table[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<Table>(`
      select
        c.relname as name,
        array(
          select concat_ws(' ', quote_ident(attname), format_type(atttypid, atttypmod),
            case when attnotnull then 'not null' end,
            case when attgenerated = 's' then format('generated always as (%s) stored', pg_get_expr(adbin, adrelid))
              when attidentity <> '' then 'generated as identity'
              when adbin is not null then 'default ' || pg_get_expr(adbin, adrelid) end)
          from pg_attribute left join pg_attrdef on adrelid = attrelid and adnum = attnum
          where attrelid = c.oid and attnum > 0 and not attisdropped order by attnum
        ) as columns,
        array(
          select pg_get_constraintdef(oid, true) from pg_constraint
          where conrelid = c.oid and contype <> 'n' order by contype = 'p' desc, contype, pg_get_constraintdef(oid, true)
        ) as constraints,
        array(
          select pg_get_indexdef(indexrelid) from pg_index
          where indrelid = c.oid and not exists (select from pg_constraint where conindid = indexrelid and conrelid = c.oid)
          order by indexrelid::regclass::text
        ) as indexes
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition
      order by c.relname`)
    return rows
  } finally {
    await client.end()
  }
}

function section({ name, columns, constraints, indexes }: Table): string {
  const parts = [columns, constraints, indexes].filter((lines) => lines.length > 0)
  return `## ${name}\n\n\`\`\`sql\n${parts.map((lines) => lines.join('\n')).join('\n\n')}\n\`\`\`\n`
}
