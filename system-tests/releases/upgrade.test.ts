// The databases of earlier releases, migrated with the current code: see README.md.
import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { migrate } from '@zonewright/service/migrate'
import { migrationNames } from '@zonewright/service/migration-files'
import { createEmptyDatabase } from '@zonewright/service/test-database'
import pg from 'pg'
import { freePort } from '../../tools/local/addresses.ts'
import { Api, eventually, startHeard } from '../world/index.ts'
import { readSchema } from './schema.ts'

const folder = new URL('./', import.meta.url)
const maxBytes = 200_000
/** A role with the rights of the service's processes. Roles belong to the whole server. */
const role = `service_of_releases_${process.pid}`

/** Runs statements on a separate connection, because a dump leaves settings behind. */
async function query<Row extends pg.QueryResultRow>(url: string, text: string, values?: unknown[]): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Row>(text, values)).rows
  } finally {
    await client.end()
  }
}

const releases = await Promise.all(
  readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .map(async (file) => ({ file, url: await createEmptyDatabase() })),
)
const fresh = await createEmptyDatabase()
await query(fresh, `create role ${role}`)
await migrate(fresh, { serviceRole: role })
after(async () => {
  for (const url of [fresh, ...releases.map((each) => each.url)]) await query(url, `drop owned by ${role}`)
  await query(fresh, `drop role ${role}`)
})

/** How many rows each table has; partitions count with their parent. */
async function countRows(url: string): Promise<Map<string, number>> {
  const tables = await query<{ name: string }>(
    url,
    `select format('%I.%I', nspname, relname) as name from pg_class c join pg_namespace n on n.oid = relnamespace
    where nspname in ('public', 'pgboss') and relkind in ('r', 'p') and not relispartition order by name`,
  )
  const counts = new Map<string, number>()
  for (const { name } of tables) {
    const [row] = await query<{ n: number }>(url, `select count(*)::int as n from ${name}`)
    counts.set(name, row?.n ?? 0)
  }
  return counts
}

/** Tables that a migration has merged into another one, which then has their rows. */
const merged: Readonly<Record<string, string>> = {
  'public.registry_operations': 'public.registry_commands',
  'public.domain_operations': 'public.registry_commands',
}

/** The expected number of rows of each table after the migrations. */
function expectedCounts(before: ReadonlyMap<string, number>): Map<string, number> {
  const counts = new Map<string, number>()
  for (const [table, rows] of before) {
    const name = merged[table] ?? table
    counts.set(name, (counts.get(name) ?? 0) + rows)
  }
  return counts
}

/** The stored data of each registry command, before and after a migration merged the two tables of commands. */
async function commandsOf(url: string, isMerged: boolean): Promise<unknown[]> {
  const kept = 'cl_trid, state, sent_at, ended_at, reply_code, reply'
  const separate = `select order_id, null::bigint as change_id, id, command, attempt, null as subject, missed_at, ${kept} from registry_operations
    union all select null, act_id, id, step, null, subject, null, ${kept} from domain_operations`
  const columns = `order_id, change_id, command, attempt, subject, missed_at, ${kept}`
  return await query(
    url,
    `select ${columns} from (${isMerged ? 'select * from registry_commands' : separate}) c order by order_id, change_id, id`,
  )
}

/** The values that check constraints list for a column, such as the statuses of an order. */
async function listedValues(url: string): Promise<{ table: string; column: string; values: string[] }[]> {
  return await query(
    url,
    `select conrelid::regclass::text as table, attname as column,
      array(select (regexp_matches(pg_get_constraintdef(c.oid), '''([^'']*)''::text', 'g'))[1]) as values
    from pg_constraint c join pg_attribute on attrelid = conrelid and attnum = conkey[1]
    where contype = 'c' and connamespace = 'public'::regnamespace and coninhcount = 0 and cardinality(conkey) = 1
      and pg_get_constraintdef(c.oid) like '%= ANY (ARRAY[%' order by 1, 2`,
  )
}

test('the list includes a released database', () => assert.ok(releases.some(({ file }) => file === '18d4a2f.sql')))

for (const { file, url } of releases) {
  const release = file.replace('.sql', '')
  const dump = readFileSync(new URL(file, folder), 'utf8')
  let before = new Map<string, number>()

  test(`${release} has a row in every table and at most ${maxBytes} bytes`, async () => {
    assert.ok(Buffer.byteLength(dump) <= maxBytes)
    await query(url, dump)
    before = await countRows(url)
    assert.ok(before.size > 60)
    assert.deepEqual(
      [...before].filter(([, rows]) => rows === 0).map(([name]) => name),
      [],
    )
  })

  test(`${release} has every state that a check constraint lists`, async () => {
    const columns = await listedValues(url)
    const named = columns.map(({ table, column }) => `${table}.${column}`)
    const commands = named.includes('registry_commands.state') ? 'registry_commands.state' : 'registry_operations.state'
    const expected = ['orders.status', 'orders.stage', 'domain_acts.state', commands, 'zones.state']
    for (const name of expected) assert.ok(named.includes(name), name)
    for (const { table, column, values } of columns) {
      assert.ok(values.length > 1, `${table}.${column}`)
      const found = await query<{ value: string }>(url, `select distinct ${column} as value from ${table}`)
      const missing = values.filter((value) => !found.some((row) => row.value === value))
      assert.deepEqual(missing, [], `${table}.${column}`)
    }
  })

  test(`the migrated ${release} keeps every row, and has the schema and the rights of a new database`, async () => {
    const ran = await query<{ name: string }>(url, 'select name from public.schema_migrations order by name')
    const later = (await migrationNames()).filter((name) => !ran.some((row) => row.name === name))
    const commands = await commandsOf(
      url,
      ran.some(({ name }) => name === '0028-registry-commands.sql'),
    )
    assert.deepEqual(await migrate(url), later)
    assert.deepEqual(await commandsOf(url, true), commands)
    const counts = await countRows(url)
    const lost = [...expectedCounts(before)].filter(
      ([name, rows]) => name !== 'public.schema_migrations' && counts.get(name) !== rows,
    )
    assert.deepEqual(lost, [])
    await migrate(url, { serviceRole: role })
    const [upgraded, expected] = [await readSchema(url), await readSchema(fresh)]
    for (const kind of Object.keys(expected)) assert.deepEqual(upgraded[kind], expected[kind], kind)
  })

  test(`the service works with ${release}: it reads zones, orders and other data, and changes a record`, async () => {
    const known = JSON.parse(readFileSync(new URL(`${release}.json`, folder), 'utf8'))
    const dataDir = mkdtempSync(join(tmpdir(), 'zonewright-release-'))
    const address = `127.0.0.1:${await freePort()}`
    const program = startHeard(['--disable-warning=ExperimentalWarning', 'service/bin/api.ts'], {
      DATA_DIR: dataDir,
      DATABASE_URL: url,
      SECRET_KEY: known.secret_key,
      NAMESERVERS: known.nameservers,
      HTTP_LISTEN: address,
    })
    try {
      await eventually(
        () => `the API is ready; it said ${program.said()}`,
        async () => (await fetch(`http://${address}/readyz`).catch(() => undefined))?.ok,
      )
      await use(new Api(`http://${address}`, [known.api_key]), await storedSources(url))
    } finally {
      program.process.kill()
      await program.end
      rmSync(dataDir, { recursive: true })
    }
  })
}

interface List {
  readonly data: readonly Record<string, string>[]
}

interface Versions {
  readonly data: readonly {
    readonly version: number
    readonly actor: { readonly kind: string }
    readonly source: string
  }[]
}

/** The sources of the versions of example.test; null for those from before sources were stored. */
async function storedSources(url: string): Promise<ReadonlyMap<number, string | null>> {
  const rows = await query<{ version: number; source: string | null }>(
    url,
    `select c.version::int, c.source from zone_changes c join zones z on z.id = c.zone_id where z.name = 'example.test'`,
  )
  return new Map(rows.map(({ version, source }) => [version, source]))
}

/** Reads an account's data, and changes a record. */
async function use(api: Api, sources: ReadonlyMap<number, string | null>): Promise<void> {
  const read = async <T>(path: string): Promise<T> => {
    const { status, body } = await api.call<T>('GET', path)
    assert.equal(status, 200, `${path}: ${JSON.stringify(body)}`)
    return body
  }
  const lists = ['/zones', '/orders', '/domains', '/contacts', '/webhooks']
  for (const path of lists) assert.ok((await read<List>(path)).data.length > 0, path)
  for (const list of ['zones', 'orders', 'domains', 'webhooks'])
    for (const each of (await read<List>(`/${list}?limit=100`)).data)
      await read(`/${list}/${list === 'domains' ? each['name'] : each['id']}`)
  const [endpoint] = (await read<List>('/webhooks')).data
  await read(`/webhooks/${endpoint?.['id']}/deliveries`)
  await read('/webhooks/events')
  const zone = await read<{ version: number }>('/zones/example.test')
  const usual: Readonly<Record<string, string>> = {
    session: 'dashboard',
    key: 'api',
    system: 'system',
    operator: 'system',
  }
  const versions = (await read<Versions>('/zones/example.test/versions?limit=200')).data
  assert.ok(versions.length > 0)
  for (const { version, actor, source } of versions)
    assert.equal(source, sources.get(version) ?? usual[actor.kind], `the source of version ${version}`)
  await api.put('example.test', 'after-the-upgrade', 'TXT', ['"it works"'])
  assert.equal((await read<{ version: number }>('/zones/example.test')).version, zone.version + 1)
  const { records } = await read<{ records: string[] }>('/zones/example.test/rrsets/after-the-upgrade/TXT')
  assert.deepEqual(records, ['"it works"'])
}
