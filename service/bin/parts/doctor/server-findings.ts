import { statfs } from 'node:fs/promises'
import type pg from 'pg'
import { CannotStart } from '#platform/cannot-start.ts'
import { reasonOf } from '#platform/postgres/ask-host.ts'
import { LeaderHost } from '#platform/postgres/leader-host.ts'
import type { DiskMetric } from '#platform/settings/configuration.ts'
import { type Finding, fault, ok, warning, whyUnreachable } from './finding.ts'

/** Within a transaction, the service never waits for anything but PostgreSQL. */
const idleS = { warning: 10, fault: 600 }

/**
 * Examines PostgreSQL itself: its disk, its replication slots, and sessions that block others.
 *
 * `url`: of a role with `pg_monitor`, otherwise of the service's role. `diskMetric`: for a PostgreSQL on another machine.
 */
export async function serverFindings(url: string, diskMetric: DiskMetric | undefined): Promise<Finding[]> {
  const { Client } = LeaderHost.of(url)
  const client = new Client({ connectionTimeoutMillis: 5_000, application_name: 'zonewright doctor' })
  try {
    await client.connect()
  } catch (error) {
    const says =
      error instanceof CannotStart
        ? error.message
        : `The doctor's role cannot connect to the database: ${reasonOf(error)}.`
    return [fault(says, 'Correct DATABASE_DOCTOR_URL.')]
  }
  try {
    return [...(await sessionFindings(client)), ...(await slotFindings(client)), await diskFinding(client, diskMetric)]
  } finally {
    await client.end()
  }
}

const manual = 'docs/runbooks/deploy.md, "The database and its roles"'

async function sessionFindings(client: pg.Client): Promise<Finding[]> {
  const { rows: roles } = await client.query<{ role: string; sees: boolean }>(
    `select current_user as role, pg_has_role(current_user, 'pg_monitor', 'usage') as sees`,
  )
  const unseen = roles.flatMap(({ role, sees }) =>
    sees
      ? []
      : [
          warning(
            `The role ${role} does not see the sessions of other roles, so it is unknown whether one holds others up.`,
            `Create a role for the doctor, and set DATABASE_DOCTOR_ROLE and DATABASE_DOCTOR_URL (${manual}).`,
          ),
        ],
  )
  const { rows } = await client.query<{ pid: number; who: string; idle: number }>(
    `select pid, concat_ws(' ', usename, 'at', coalesce(host(client_addr), 'the machine of PostgreSQL'), nullif('(' || application_name || ')', '()')) as who,
      extract(epoch from clock_timestamp() - state_change)::int as idle
    from pg_stat_activity
    where state like 'idle in transaction%' and clock_timestamp() - state_change > $1 * interval '1 second' order by idle desc limit 5`,
    [idleS.warning],
  )
  const idle = rows.map(({ pid, who, idle }) =>
    (idle > idleS.fault ? fault : warning)(
      `The session ${pid} of ${who} has been idle in a transaction for ${idle} s.`,
      `It keeps its locks, and VACUUM removes no row that it may still read. End the transaction, or the session: select pg_terminate_backend(${pid}).`,
    ),
  )
  if (unseen.length + idle.length > 0) return [...unseen, ...idle]
  return [ok('No session is idle in a transaction.')]
}

async function slotFindings(client: pg.Client): Promise<Finding[]> {
  const { rows } = await client.query<{ name: string; kept: string | null; much: boolean }>(`
    select slot_name as name, pg_size_pretty(kept) as kept, kept > pg_size_bytes(current_setting('max_wal_size')) as much
    from (select slot_name, pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn) as kept
      from pg_replication_slots where not active and not temporary) s order by name`)
  if (rows.length === 0) return [ok('Every replication slot is in use.')]
  return rows.map(({ name, kept, much }) =>
    (much ? fault : warning)(
      kept === null
        ? `No one reads the replication slot ${name}. It keeps no WAL.`
        : `No one reads the replication slot ${name}, and PostgreSQL keeps ${kept} of WAL for it, which grows until the disk is full.`,
      `Start the standby that reads it, or remove the slot: select pg_drop_replication_slot('${name}').`,
    ),
  )
}

/** WAL alone may grow by `max_wal_size` at any moment. */
async function diskFinding(client: pg.Client, diskMetric: DiskMetric | undefined): Promise<Finding> {
  const { rows } = await client.query<{ wal: string }>(`select pg_size_bytes(current_setting('max_wal_size')) as wal`)
  const walBytes = Number(rows[0]?.wal)
  const free = diskMetric === undefined ? await freeHere(client) : await freeByMetric(diskMetric)
  if (typeof free === 'string')
    return warning(
      `The free space on the disk of PostgreSQL is unknown: ${free}.`,
      `Set DATABASE_DISK_METRIC (docs/reference/configuration.md).`,
    )
  const says = `The disk of PostgreSQL has ${sizeOf(free)} of free space.`
  if (free > 2 * walBytes) return ok(says)
  return (free < walBytes / 2 ? fault : warning)(
    `${says} WAL alone may need ${sizeOf(walBytes)} (max_wal_size).`,
    'Free space, or enlarge the disk (docs/runbooks/what-to-do-when-it-breaks.md, "Writes fail").',
  )
}

/** If we reach PostgreSQL without a network, its folder is on this machine. Otherwise returns why the free space is unknown. */
async function freeHere(client: pg.Client): Promise<number | string> {
  const { rows } = await client.query<{ folder: string | null; local: boolean }>(`
    select case when pg_has_role(current_user, 'pg_read_all_settings', 'usage') then current_setting('data_directory') end as folder,
      coalesce(inet_server_addr() <<= any('{127.0.0.0/8,::1}'::inet[]), true) as local`)
  const { folder, local } = rows[0] ?? { folder: null, local: false }
  if (!local) return 'it runs on another machine'
  if (folder === null) return 'the role of the doctor does not see its folder'
  return statfs(folder).then(
    ({ bavail, bsize }) => bavail * bsize,
    (error: NodeJS.ErrnoException) => `${folder} cannot be read (${error.code})`,
  )
}

async function freeByMetric({ url, name, labels }: DiskMetric): Promise<number | string> {
  try {
    const page = await fetch(url, { signal: AbortSignal.timeout(5_000) }).then((answer) => answer.text())
    const samples = page
      .split('\n')
      .filter((line) => /^[\w:]+/.exec(line)?.[0] === name && labels.every((label) => line.includes(label)))
    const values = samples.map((line) => Number(/ (\S+)(?: \d+)?$/.exec(line)?.[1]))
    if (values.length === 0 || values.some(Number.isNaN)) return `${url} does not have ${name} with these labels`
    return Math.min(...values)
  } catch (error) {
    return `${url} cannot be read: ${whyUnreachable(error)}`
  }
}

function sizeOf(bytes: number): string {
  return bytes < 10e9 ? `${Math.round(bytes / 1e6).toLocaleString('en')} MB` : `${Math.round(bytes / 1e9)} GB`
}
