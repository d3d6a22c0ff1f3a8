import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { CannotStart } from '#platform/cannot-start.ts'
import { unarchivedSince } from '#platform/figures/archive.ts'
import { askHost, reasonOf } from '#platform/postgres/ask-host.ts'
import { compareRights, lacksOfDoor } from '#platform/postgres/grant-service.ts'
import { largeCommit, maxConnections, wakeApplication } from '#platform/postgres/index.ts'
import { LeaderHost } from '#platform/postgres/leader-host.ts'
import { migrationsOf, oldestPostgres } from '#platform/postgres/migrate.ts'
import { poolerBefore, sessionPooler, transactionPooler } from '#platform/postgres/pooler.ts'
import { hostText, parseDatabaseUrl } from '#platform/settings/database-url.ts'
import { clockDriftS, type Finding, fault, ok, warning } from './finding.ts'

/** The same limit as in the service's processes: a longer commit counts as hanging. */
const slowCommitMs = 1_500

/** Examines the database as the service's processes see it. `isFit`: the database is usable, so the other checks can query it. */
export async function databaseFindings(url: string): Promise<{ findings: Finding[]; isFit: boolean }> {
  const warnings: Finding[] = []
  const leader = new LeaderHost(url, (sentence) => warnings.push(warning(sentence, listAdvice)))
  const client = new leader.Client({ connectionTimeoutMillis: connectWithinMs, application_name: 'zonewright doctor' })
  try {
    await client.connect()
  } catch (error) {
    const says = error instanceof CannotStart ? error.message : `The database cannot be reached: ${reasonOf(error)}.`
    const advice = 'Start it, or correct DATABASE_URL (hosts, ports, name, role and password).'
    return { findings: [...warnings, fault(says, advice)], isFit: false }
  }
  try {
    const pooler = await poolerBefore(client, (settings) => new leader.Client(settings))
    if (pooler === 'transaction') return { findings: [fault(transactionPooler, poolerAdvice)], isFit: false }
    const between = pooler === undefined ? [] : [warning(sessionPooler, poolerAdvice)]
    const schema = await schemaFindings(client)
    const isFit = schema.every(({ level }) => level !== 'fault')
    const data = isFit
      ? [await clockFinding(client), ...(await partitionFindings(client)), ...(await doorRoleFindings(client))]
      : []
    const server = [await versionFinding(client), await connectionsFinding(client), await writesFinding(leader, client)]
    const hosts = [...warnings, ...(await hostFindings(url)), ...between]
    const safety = [...(await durabilityFindings(client)), ...(await archiveFindings(client))]
    return { findings: [...hosts, ...server, ...schema, ...data, ...safety], isFit }
  } finally {
    await client.end()
  }
}

const connectWithinMs = 5_000
const listAdvice = 'See docs/runbooks/high-availability.md, "A list of hosts".'
const poolerAdvice = 'See docs/runbooks/high-availability.md, "Connection poolers".'

/** The state of each host in a list. A single host is examined anyway. */
async function hostFindings(url: string): Promise<Finding[]> {
  const { hosts, connection } = parseDatabaseUrl(url)
  if (hosts.length === 1) return []
  const reports = await Promise.all(hosts.map((host) => askHost(host, connection, connectWithinMs)))
  return reports.map(({ host, fault, isReached }) => {
    const says = `The PostgreSQL host ${hostText(host)} ${fault ?? 'accepts writes'}.`
    return isReached ? ok(says) : warning(says, 'Start it, or remove it from DATABASE_URL.')
  })
}

async function versionFinding(client: pg.Client): Promise<Finding> {
  const startedMs = performance.now()
  const { rows } = await client.query<{ server_version: string }>('show server_version')
  const tookMs = Math.round(performance.now() - startedMs)
  const version = rows[0]?.server_version ?? ''
  if (Number.parseInt(version, 10) < oldestPostgres)
    return fault(`PostgreSQL ${version} is too old.`, `Upgrade it to ${oldestPostgres} or newer.`)
  const says = `PostgreSQL ${version} answers in ${tookMs} ms.`
  return tookMs < 50
    ? ok(says)
    : warning(says, 'It is far away or overloaded. Each request needs several such round trips.')
}

/** Whether PostgreSQL commits and has room on its disk. The service's processes make the same commit all the time; it leaves nothing behind. */
async function writesFinding(leader: LeaderHost, client: pg.Client): Promise<Finding> {
  const writer = new leader.Client({ connectionTimeoutMillis: connectWithinMs, application_name: 'zonewright doctor' })
  const refused = await writer.connect().then(() => undefined, reasonOf)
  if (refused !== undefined)
    return fault(
      `PostgreSQL refuses another connection: ${refused}.`,
      'Raise max_connections, or the limit of the role or the database.',
    )
  const { rows: sessions } = await writer.query<{ pid: number }>('select pg_backend_pid() as pid')
  const committing = writer.query(largeCommit).then(
    () => 'ok' as const,
    (error: Error) => error,
  )
  const isLate = delay(slowCommitMs, 'late' as const, { ref: false })
  const outcome = await Promise.race([committing, isLate])
  if (outcome === 'late') {
    // Otherwise it would wait for the standby and keep its connection. If the disk hangs, nothing can be canceled.
    await client.query('select pg_cancel_backend($1)', [sessions[0]?.pid])
    await Promise.race([committing, delay(slowCommitMs, undefined, { ref: false })])
  }
  await writer.end()
  if (outcome === 'ok') return ok('PostgreSQL commits, and has room on its disk.')
  const page = 'docs/runbooks/what-to-do-when-it-breaks.md, "Writes fail"'
  if (outcome !== 'late')
    return fault(`PostgreSQL cannot store anything: ${outcome.message}.`, `Free space on its disk (${page}).`)
  const { rows } = await client.query<{ names: string }>(`select current_setting('synchronous_standby_names') as names`)
  const names = rows[0]?.names ?? ''
  return fault(
    `PostgreSQL has not committed within ${slowCommitMs / 1_000} s.`,
    names === ''
      ? `Its disk is too slow, or does not respond (${page}).`
      : `It waits for a standby (synchronous_standby_names is ${names}). Start the standby, or remove it from this setting (${page}).`,
  )
}

/** Whether all running processes can get as many connections as they may need, next to the other users of the server. */
async function connectionsFinding(client: pg.Client): Promise<Finding> {
  const { rows } = await client.query<{ room: number; processes: number }>(
    `with sessions as (
      select application_name as name, datname = current_database() and application_name like 'zonewright %' as is_ours
      from pg_stat_activity where datname is not null and usename is not null
    )
    select (select count(*)::int from sessions where is_ours and name = $1) as processes,
      least(
        current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
          - coalesce(current_setting('reserved_connections', true)::int, 0) - (select count(*)::int from sessions where not is_ours),
        (select nullif(rolconnlimit, -1) from pg_roles where rolname = current_user),
        (select nullif(datconnlimit, -1) from pg_database where datname = current_database())
      ) as room`,
    [wakeApplication],
  )
  const { room, processes } = rows[0] ?? { room: 0, processes: 0 }
  const needed = processes * maxConnections
  const says = `PostgreSQL allows the service ${room} connections. The running processes (${processes}) use at most ${needed}.`
  return needed <= room
    ? ok(says)
    : warning(
        says,
        'Raise max_connections, or the limit of the role or the database. A process without a connection answers 503 (docs/runbooks/deploy.md, "The database and its roles").',
      )
}

async function schemaFindings(client: pg.Client): Promise<Finding[]> {
  const { rows } = await client.query<{ is: boolean }>(`select to_regclass('schema_migrations') is not null as is`)
  if (rows[0]?.is !== true) return [fault('The database is empty: no migration has run.', migrate)]
  const rights = await rightsFinding(client)
  // Tables that the role may not read cannot be compared.
  return rights.level === 'fault' ? [rights] : [await migrationsFinding(client), rights]
}

const migrate = 'Run service/bin/migrate.ts as the owner of the schema (docs/runbooks/deploy.md).'

async function migrationsFinding(client: pg.Client): Promise<Finding> {
  const { missing, unknown } = await migrationsOf(client)
  if (missing.length > 0)
    return fault(`The database is older than this code: ${missing.join(', ')} has not run.`, migrate)
  if (unknown.length > 0)
    return warning(
      `The database is newer than this code: it has run ${unknown.join(', ')}.`,
      'Run the newer version here too.',
    )
  return ok('The schema is at this version.')
}

/** The rights that the service's role lacks, and whether it has more than it needs. */
async function rightsFinding(client: pg.Client): Promise<Finding> {
  const { rows } = await client.query<{ role: string; super: boolean; owns: boolean }>(`
    select current_user as role, (select rolsuper from pg_roles where rolname = current_user) as super,
      has_schema_privilege('public', 'create') as owns`)
  const { role, super: isSuper, owns } = rows[0] ?? { role: '', super: false, owns: false }
  const { lacking, excess } = await compareRights(client)
  if (lacking.length > 0)
    return fault(
      `The role ${role} lacks rights to ${listed(lacking)}.`,
      'Run service/bin/migrate.ts as the owner of the schema, with DATABASE_ROLE set to this role.',
    )
  const least =
    'Let the processes run with a role of least privilege (docs/runbooks/deploy.md, "The database and its roles").'
  if (isSuper || owns)
    return warning(
      `The role ${role} may change the schema${isSuper ? ', and anything else of the server' : ''}.`,
      least,
    )
  if (excess.length > 0) return warning(`The role ${role} has more rights than it needs on ${listed(excess)}.`, least)
  return ok(`The role ${role} has exactly the rights that it needs.`)
}

/** The rights that the roles of the currently connected DNS doors lack. */
async function doorRoleFindings(client: pg.Client): Promise<Finding[]> {
  const { rows } = await client.query<{ role: string }>(
    `select distinct usename as role from pg_stat_activity
    where datname = current_database() and application_name = 'zonewright dns-door' and usename is not null order by role`,
  )
  const findings: Finding[] = []
  for (const { role } of rows) {
    const lacking = await lacksOfDoor(client, role)
    if (lacking.length === 0) continue
    findings.push(
      fault(
        `The role ${role} of the DNS door lacks rights to ${listed(lacking)}, so DNS updates fail.`,
        'Run service/bin/migrate.ts as the owner of the schema, with DATABASE_DOOR_ROLE set to this role (docs/runbooks/deploy.md, "The DNS door").',
      ),
    )
  }
  return findings
}

/** The first few names, and the number of the others. */
function listed(names: readonly string[]): string {
  const more = names.length - 5
  return more > 1 ? `${names.slice(0, 5).join(', ')} and ${more} more` : names.join(', ')
}

async function clockFinding(client: pg.Client): Promise<Finding> {
  const startedMs = Date.now()
  const { rows } = await client.query<{ now: Date }>('select clock_timestamp() as now')
  const here = (startedMs + Date.now()) / 2
  const driftS = Math.abs((rows[0]?.now.getTime() ?? 0) - here) / 1_000
  const says = `This machine's clock and the database's are ${driftS.toFixed(1)} s apart.`
  const advice =
    'Synchronize both with NTP (chrony, systemd-timesyncd). If they drift two minutes further apart, nameservers refuse all transfers.'
  if (driftS > clockDriftS.fault) return fault(says, advice)
  return driftS > clockDriftS.warning ? warning(says, advice) : ok(says)
}

/** The service makes them for a week ahead (`ensure_all_partitions`). */
async function partitionFindings(client: pg.Client): Promise<Finding[]> {
  // Compares bounds, because the partition of the first day of a month has the name that a partition of the whole month would have.
  const { rows } = await client.query<{ name: string; day: string; soon: boolean }>(`
    select parent.oid::regclass::text as name, min(day)::date::text as day, min(day) < today + interval '2 days' as soon
    from (select oid from pg_class where relkind = 'p' and relnamespace = 'public'::regnamespace) parent,
      (select date_trunc('day', app_now() at time zone 'utc') as today) t, generate_series(today, today + interval '5 days', '1 day') as day
    where not exists (
      select from pg_inherits i join pg_class part on part.oid = i.inhrelid,
        regexp_match(pg_get_expr(part.relpartbound, part.oid), $$FROM \\('([^']+)'\\) TO \\('([^']+)'\\)$$) as bounds
      where i.inhparent = parent.oid
        and bounds[1]::timestamptz <= day at time zone 'utc' and bounds[2]::timestamptz > day at time zone 'utc')
    group by parent.oid, today order by name`)
  return rows.map(({ name, day, soon }) =>
    (soon ? fault : warning)(
      `The table ${name} has no partition for ${day}. From this day on, changes fail.`,
      'A worker creates the partitions of the next seven days every hour. Check that one runs. If one does, its log says "a recurring job failed".',
    ),
  )
}

/** The settings without which a crash loses confirmed changes, as the service's sessions see them. */
async function durabilityFindings(client: pg.Client): Promise<Finding[]> {
  const { rows } = await client.query<{ name: keyof typeof losses }>(
    `select name from pg_settings where name = any($1) and setting = 'off' order by name`,
    [Object.keys(losses)],
  )
  if (rows.length === 0) return [ok('PostgreSQL keeps confirmed changes after a crash.')]
  return rows.map(({ name }) =>
    fault(
      `${name} is off in PostgreSQL. ${losses[name]}`,
      `Turn it on: alter system set ${name} = on; select pg_reload_conf(). It can also be set for the role or the database.`,
    ),
  )
}

const losses = {
  fsync: 'A crash of its machine can destroy the database.',
  full_page_writes: 'A crash of its machine can destroy the database.',
  synchronous_commit: 'A crash loses changes that were already confirmed.',
}

async function archiveFindings(client: pg.Client): Promise<Finding[]> {
  const { rows } = await client.query<{ since: Date }>(unarchivedSince)
  return rows.map(({ since }) =>
    fault(
      `PostgreSQL has failed to archive its log since ${since.toISOString()}. Later changes cannot be restored.`,
      'See PostgreSQL’s log, archive_command and the disk of the backups (docs/runbooks/back-up-and-restore.md).',
    ),
  )
}
