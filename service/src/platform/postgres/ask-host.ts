import pg from 'pg'
import type { DatabaseHost, DatabaseUrl } from '../settings/database-url.ts'
import { reportedParameters } from './pg-internals.ts'

/** PostgreSQL's `read_only_sql_transaction`. */
export const readOnlyState = '25006'

/** The fault of a server that is not a standby, but is set to refuse writes (`default_transaction_read_only`). */
export const readOnly = 'is read-only'

/** The state of a host of DATABASE_URL. */
export interface HostReport {
  readonly host: DatabaseHost
  /** Why it does not accept writes; undefined if it does. */
  readonly fault?: string | undefined
  readonly isReached: boolean
  /** Its `system_identifier`; undefined if the role may not read it. */
  readonly cluster?: string | undefined
  readonly timeline?: string | undefined
}

// A standby has no position to write at.
const whoAreYou = `select system_identifier::text as cluster,
  case when not pg_is_in_recovery() then left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) end as timeline from pg_control_system()`

/** How long the hosts of a list may take to answer; a pool's wait for a connection includes it. */
const answerWithinMs = 3_000
/** How long the others may take once one accepts writes: if two do, the one with the later timeline leads. */
const othersWithinMs = 500

/** Queries all hosts at once. The results are in the order of the hosts. `everyone`: wait for all hosts, even if one already accepts writes. */
export async function askHosts({ hosts, connection }: DatabaseUrl, everyone: boolean): Promise<HostReport[]> {
  const reports = new Map<DatabaseHost, HostReport>()
  await new Promise<void>((resolve) => {
    setTimeout(resolve, answerWithinMs).unref()
    for (const host of hosts)
      askHost(host, connection, answerWithinMs).then((report) => {
        if (reports.set(host, report).size === hosts.length) resolve()
        if (report.fault === undefined && !everyone) setTimeout(resolve, othersWithinMs).unref()
      })
  })
  return hosts.map((host) => reports.get(host) ?? { host, isReached: false, fault: 'does not answer' })
}

/** Connects to a host and queries its state. If this fails, `fault` says why. */
export async function askHost(
  host: DatabaseHost,
  connection: DatabaseUrl['connection'],
  withinMs: number,
): Promise<HostReport> {
  const settings = { ...connection, ...host, connectionTimeoutMillis: withinMs, query_timeout: withinMs }
  const client = new pg.Client({ ...settings, application_name: 'zonewright leader' })
  client.on('error', () => undefined)
  const fault = statusFault(client)
  try {
    await client.connect()
    const { rows } = await client.query<Partial<HostReport>>(whoAreYou).catch(() => ({ rows: [] }))
    return { ...rows[0], host, fault: fault(), isReached: true }
  } catch (error) {
    return { host, isReached: false, fault: `cannot be reached (${reasonOf(error)})` }
  } finally {
    client.end().catch(() => undefined)
  }
}

/**
 * The leader among hosts: the one with the latest timeline of those that accept writes. `rival` is the next one. Hosts of another cluster than
 * `cluster` (or than the first host, while it is not known) are `foreign` and never lead.
 */
export function chooseLeader(
  reports: readonly HostReport[],
  cluster: string | undefined,
): { readonly leader?: HostReport; readonly rival?: HostReport; readonly foreign: readonly HostReport[] } {
  const own = cluster ?? reports.find((report) => report.cluster !== undefined)?.cluster
  const foreign = reports.filter((report) => report.cluster !== undefined && report.cluster !== own)
  const [leader, rival] = reports
    .filter((report) => report.fault === undefined && !foreign.includes(report))
    .sort((a, b) => (b.timeline ?? '').localeCompare(a.timeline ?? ''))
  return { ...(leader && { leader }), ...(rival && { rival }), foreign }
}

/**
 * Returns a function that reports, once the client is connected, why its server does not accept writes. It reads the parameters that the server sent.
 */
export function statusFault(client: pg.Client): () => string | undefined {
  const reported = reportedParameters(client)
  return () => {
    if (reported().get('in_hot_standby') === 'on') return 'is a standby'
    return reported().get('default_transaction_read_only') === 'on' ? readOnly : undefined
  }
}

/** An error that is an outage (`isOutage`): the servers are read-only, or none can be reached (SQLSTATE 08001). */
export function noLeader(message: string, isReached = true): Error {
  return Object.assign(new Error(message), { code: isReached ? readOnlyState : '08001' })
}

/** The message of pg's error; of a host with several addresses, that of the first. */
export function reasonOf(error: unknown): string {
  const [first] = error instanceof AggregateError ? error.errors : [error]
  return (first as Error).message || String(first)
}
