import type { ScanFailure, ScanMethod, ScanState } from '@zonewright/contract'
import { type Db, sql, type Tx } from '#platform/postgres/index.ts'
import { maxWaitS, scanLimits } from './rules.ts'

/** How long a scan belongs to its worker, and an address to its scan: longer than the time between two notes of the progress. */
const leaseS = 60
/** How long the result of a scan is kept. */
const keptS = 3_600
/** When a scan is due again if other scans use all of its nameservers. */
const busyS = 2
/** After the last message of a scan to an address, no other scan may query it for this time. */
const addressPauseS = 0.12

/** A scan as the API shows it. */
export interface ScanRow {
  readonly id: string
  readonly state: ScanState
  readonly createdAt: Date
  readonly finishedAt: Date | null
  readonly expiresAt: Date | null
  readonly nameserver: string | null
  readonly method: ScanMethod | null
  readonly isComplete: boolean
  readonly questions: number
  readonly records: number
  readonly zoneFile: string | null
  readonly failure: ScanFailure | null
}

/** The last scan of a zone, unless its result is no longer kept. */
export async function readScan(db: Db, zoneId: string): Promise<ScanRow | undefined> {
  const { rows } = await sql<ScanRow>`
    select id, state, created_at as "createdAt", finished_at as "finishedAt",
      finished_at + make_interval(secs => ${keptS}) as "expiresAt", nameserver, method, is_complete as "isComplete",
      questions, records, zone_file as "zoneFile", failure
    from zone_scans
    where zone_id = ${zoneId} and (finished_at is null or finished_at > app_now() - make_interval(secs => ${keptS}))
    order by created_at desc, id limit 1`.execute(db)
  return rows[0]
}

/** Ages in seconds. The account and the zone are locked. */
export async function readAges(
  tx: Tx,
  accountId: string,
  zoneId: string,
): Promise<{ readonly ofZone: number | null; readonly ofAccount: readonly number[] }> {
  const { rows } = await sql<{ ofZone: number | null; ofAccount: number[] }>`
    select
      (select extract(epoch from app_now() - max(created_at))::float8 from zone_scans
        where zone_id = ${zoneId} and failure is distinct from 'interrupted') as "ofZone",
      array(select extract(epoch from app_now() - created_at)::float8 from zone_scans
        where account_id = ${accountId} and created_at > app_now() - make_interval(secs => ${scanLimits.windowS})
        order by created_at desc limit ${scanLimits.mostInWindow}) as "ofAccount"`.execute(tx)
  return rows[0] ?? { ofZone: null, ofAccount: [] }
}

export async function insertScan(tx: Tx, accountId: string, zoneId: string): Promise<void> {
  await sql`
    insert into zone_scans (zone_id, account_id, created_at, due_at)
    values (${zoneId}, ${accountId}, app_now(), app_now())`.execute(tx)
}

export const isAnyScanDue = sql`(select min(due_at) from zone_scans) <= app_now()`

/** A scan to work on. */
export interface ClaimedScan {
  readonly id: string
  readonly zoneId: string
  readonly zoneName: string
  /** The names of the customer's own secondaries. */
  readonly secondaryNames: readonly string[]
  /** Messages that it sent before. */
  readonly questions: number
  /** Its worker ended in the middle, or its zone is no longer live. */
  readonly isInterrupted: boolean
  /** It has waited for busy nameservers for too long. */
  readonly isLate: boolean
}

/** Claims the scans that have been due longest. */
export async function claimScans(tx: Tx, max: number): Promise<ClaimedScan[]> {
  const { rows } = await sql<ClaimedScan>`
    with due as (
      select id, state from zone_scans where due_at <= app_now() order by due_at limit ${max} for update skip locked
    )
    update zone_scans s set due_at = app_now() + make_interval(secs => ${leaseS}), state = 'running'
    from due, zones z where s.id = due.id and z.id = s.zone_id
    returning s.id, s.zone_id as "zoneId", z.name as "zoneName", coalesce(z.secondary_names, '{}') as "secondaryNames", s.questions,
      due.state = 'running' or z.state <> 'live' as "isInterrupted",
      s.created_at < app_now() - make_interval(secs => ${maxWaitS}) as "isLate"`.execute(tx)
  return rows
}

/** Records the progress, and keeps the scan and its address. False: the scan belongs to someone else, or was deleted. */
export async function noteProgress(
  db: Db,
  { id, address, questions, records }: { id: string; address: string; questions: number; records: number },
): Promise<boolean> {
  const { rows } = await sql`
    with kept as (
      update scan_addresses set until = app_now() + make_interval(secs => ${leaseS})
      where address = ${address} and scan_id = ${id} returning address
    )
    update zone_scans set due_at = app_now() + make_interval(secs => ${leaseS}), questions = ${questions}, records = ${records}
    where id = ${id} and state = 'running' and exists (select from kept) returning id`.execute(db)
  return rows.length > 0
}

/** Puts a scan back if other scans use all of its nameservers. */
export async function putBack(db: Db, id: string, questions: number): Promise<void> {
  await sql`
    update zone_scans set state = 'waiting', questions = ${questions}, due_at = app_now() + make_interval(secs => ${busyS})
    where id = ${id} and state = 'running'`.execute(db)
}

/** The end of a scan. */
export interface ScanResult {
  readonly failure: ScanFailure | null
  readonly nameserver: string | null
  readonly method: ScanMethod | null
  readonly isComplete: boolean
  readonly records: number
  readonly zoneFile: string | null
}

export async function finishScan(
  db: Db,
  id: string,
  questions: number,
  { failure, nameserver, method, isComplete, records, zoneFile }: ScanResult,
): Promise<void> {
  await sql`
    update zone_scans set state = ${failure === null ? 'done' : 'failed'}, due_at = null, finished_at = app_now(),
      questions = ${questions}, failure = ${failure}, nameserver = ${nameserver}, method = ${method},
      is_complete = ${isComplete}, records = ${records}, zone_file = ${zoneFile}
    where id = ${id} and state = 'running'`.execute(db)
}

/** Claims an address for a scan. False: another scan has it. */
export async function takeAddress(db: Db, address: string, scanId: string): Promise<boolean> {
  const { rows } = await sql`
    insert into scan_addresses as a (address, scan_id, until)
    values (${address}, ${scanId}, app_now() + make_interval(secs => ${leaseS}))
    on conflict (address) do update set scan_id = excluded.scan_id, until = excluded.until
    where a.until <= app_now() or a.scan_id = excluded.scan_id
    returning address`.execute(db)
  return rows.length > 0
}

/** Lets other scans have the address after a moment. */
export async function releaseAddress(db: Db, address: string, scanId: string): Promise<void> {
  await sql`
    update scan_addresses set until = app_now() + make_interval(secs => ${addressPauseS})
    where address = ${address} and scan_id = ${scanId}`.execute(db)
}

/** Deletes the scans whose results are no longer kept, and the addresses that no scan has. */
export async function forgetScans(db: Db): Promise<void> {
  await sql`
    delete from zone_scans where finished_at < app_now() - make_interval(secs => ${keptS})
      and created_at < app_now() - make_interval(secs => ${scanLimits.windowS})`.execute(db)
  await sql`delete from scan_addresses where until < app_now() - interval '1 minute'`.execute(db)
}
