// Plants faults in a separate PostgreSQL, and checks what the doctor reports.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { after, test } from 'node:test'
import pg from 'pg'
import { migrate } from '#platform/postgres/migrate.ts'
import { eventually } from '#testing/eventually.ts'
import { startTestServer } from '#testing/platform/test-cluster.ts'
import { listen } from '#testing/webhook-http/test-receiver.ts'
import { databaseFindings } from './database-findings.ts'
import type { Finding } from './finding.ts'
import { serverFindings } from './server-findings.ts'

const server = await startTestServer()
const urlOf = (role: string): string =>
  Object.assign(new URL(server.url), { username: role, password: 'of-a-role' }).href
const [service, doctor] = [urlOf('zonewright_service'), urlOf('zonewright_doctor')]
await server.run(
  `create role zonewright_service login password 'of-a-role'; create role zonewright_doctor login password 'of-a-role'`,
)
await migrate(server.url, { serviceRole: 'zonewright_service', doctorRole: 'zonewright_doctor' })

/** The findings that are not ok, with the doctor's own role. */
async function said(): Promise<string[]> {
  const { findings } = await databaseFindings(service)
  return textOf([...findings, ...(await serverFindings(doctor, undefined))])
}

function textOf(findings: readonly Finding[]): string[] {
  return findings.filter(({ level }) => level !== 'ok').map(({ level, says }) => `${level}: ${says}`)
}

const set = (setting: string, value: string): Promise<unknown> =>
  server.run(`alter system set ${setting} = '${value}'`).then(() => server.run('select pg_reload_conf()'))
const reset = (setting: string): Promise<unknown> =>
  server.run(`alter system reset ${setting}`).then(() => server.run('select pg_reload_conf()'))

test('a healthy PostgreSQL has no findings, and the free space of its folder’s disk is reported', async () => {
  assert.deepEqual(await said(), [])
  const findings = await serverFindings(doctor, undefined)
  assert.match(findings.at(-1)?.says ?? '', /^The disk of PostgreSQL has [\d,]+ (MB|GB) of free space\.$/)
})

test('the doctor’s role can read sessions and settings, but no data', async () => {
  const client = new pg.Client({ connectionString: doctor })
  await client.connect()
  await assert.rejects(client.query('select from accounts'), { code: '42501' }).finally(() => client.end())
})

test('reports what the service’s role cannot see as unknown, not as in order', async () => {
  assert.deepEqual(textOf(await serverFindings(service, undefined)), [
    'warning: The role zonewright_service does not see the sessions of other roles, so it is unknown whether one holds others up.',
    'warning: The free space on the disk of PostgreSQL is unknown: the role of the doctor does not see its folder.',
  ])
})

test('settings that lose changes, an idle session, an abandoned slot and missing partitions are all reported', async () => {
  const idle = new pg.Client({ connectionString: server.url, application_name: 'psql' })
  await idle.connect()
  await idle.query('begin; select from accounts')
  await server.run(`select pg_create_physical_replication_slot('gone', true)`)
  for (const setting of ['fsync', 'full_page_writes']) await set(setting, 'off')
  await server.run('alter role zonewright_service set synchronous_commit = off')
  // This partition has the same name as one of the whole month would have.
  await server.run(`
    select ensure_partitions('events', 'day', day, day) from (select date_trunc('month', now() at time zone 'utc')::date as day) d`)
  const { rows } = await server.run(`
    select format('events_%s', to_char(day, 'YYYYMMDD')) as name, day::date::text as day
    from (select date_trunc('day', now() at time zone 'utc') + interval '1 day' as day) d`)
  await server.run(`drop table ${rows[0].name}`)
  const found = await eventually('the session has been idle for long', async () => {
    const all = await said()
    return all.some((each) => each.includes('idle')) ? all : undefined
  })
  const [pid] = found.flatMap((each) => /session (\d+)/.exec(each)?.[1] ?? [])
  const expected = [
    new RegExp(`^fault: The table events has no partition for ${rows[0].day}\\. From this day on, changes fail\\.$`),
    /^fault: fsync is off in PostgreSQL\. A crash of its machine can destroy the database\.$/,
    /^fault: full_page_writes is off in PostgreSQL\. /,
    /^fault: synchronous_commit is off in PostgreSQL\. A crash loses changes that were already confirmed\.$/,
    new RegExp(
      `^warning: The session ${pid} of zonewright at 127\\.0\\.0\\.1 \\(psql\\) has been idle in a transaction for \\d+ s\\.$`,
    ),
    /^warning: No one reads the replication slot gone, and PostgreSQL keeps .+ of WAL for it, /,
  ]
  assert.equal(found.length, expected.length, found.join('\n'))
  for (const [i, each] of expected.entries()) assert.match(found[i] ?? '', each)
  await idle.end()
  await server.run(`select pg_drop_replication_slot('gone')`)
  for (const setting of ['fsync', 'full_page_writes']) await reset(setting)
  await server.run('alter role zonewright_service reset synchronous_commit')
  await server.run('select ensure_all_partitions()')
  await eventually('all is in order', async () => (await said()).length === 0)
})

test('commits that hang are reported, with what they wait for', async () => {
  await set('synchronous_standby_names', 'nobody')
  await eventually('the setting is in force', async () => (await said()).length > 0)
  assert.deepEqual(await said(), ['fault: PostgreSQL has not committed within 1.5 s.'])
  await reset('synchronous_standby_names')
  await eventually('all is in order', async () => (await said()).length === 0)
})

test('a disk that has less room than WAL alone may need is reported', async () => {
  const { url } = await startTestServer({ max_wal_size: '1000TB' })
  const [says = ''] = textOf(await serverFindings(url, undefined))
  assert.match(
    says,
    /^fault: The disk of PostgreSQL has [\d,]+ [MG]B of free space\. WAL alone may need 1099512 GB \(max_wal_size\)\.$/,
  )
})

test('for a PostgreSQL on another machine, the free space comes from the metric with the configured labels', async () => {
  let page = ''
  const exporter = createServer((_, response) => response.end(page))
  after(() => exporter.close())
  const url = `http://127.0.0.1:${await listen(exporter)}/metrics`
  const ofDisk = async (...labels: string[]): Promise<string> => {
    const findings = await serverFindings(doctor, { url, name: 'node_filesystem_avail_bytes', labels })
    const { level, says } = findings.at(-1) ?? assert.fail()
    return `${level}: ${says}`
  }
  page = `# TYPE node_filesystem_avail_bytes gauge
node_filesystem_avail_bytes{device="/dev/sda",mountpoint="/"} 9e+09
node_filesystem_avail_bytes{device="/dev/sdb",mountpoint="/var/lib/postgresql"} 4.2e+07
node_filesystem_avail_bytes_of_others 1
`
  const mountpoint = 'mountpoint="/var/lib/postgresql"'
  assert.equal(await ofDisk('mountpoint="/"'), 'ok: The disk of PostgreSQL has 9,000 MB of free space.')
  assert.equal(
    await ofDisk(mountpoint),
    'fault: The disk of PostgreSQL has 42 MB of free space. WAL alone may need 134 MB (max_wal_size).',
  )
  page = page.replace('4.2e+07', '1.2e+08')
  assert.match(await ofDisk(mountpoint), /^warning: The disk of PostgreSQL has 120 MB/)
  assert.equal(
    await ofDisk('mountpoint="/srv"'),
    `warning: The free space on the disk of PostgreSQL is unknown: ${url} does not have node_filesystem_avail_bytes with these labels.`,
  )
})
