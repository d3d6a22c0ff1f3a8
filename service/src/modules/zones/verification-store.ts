import { randomBytes } from 'node:crypto'
import { type Db, sql, type Tx } from '#platform/postgres/index.ts'
import { contestHours, nextCheckS, verificationDays } from './verification-rules.ts'

/** The state of a zone's verification. */
export interface Verification {
  readonly zoneId: string
  readonly name: string
  readonly token: string
  readonly beganAt: Date
  readonly expiresAt: Date
  readonly checks: number
  readonly checkedAt: Date | null
  readonly outcome: 'absent' | 'unknown' | 'refused' | null
  /** The end of the contest that the zone is in, on either side; otherwise null. */
  readonly contestEndsAt: Date | null
}

const columns = sql`
  v.zone_id as "zoneId", z.name, v.token, v.began_at as "beganAt",
  v.began_at + make_interval(days => ${sql.lit(verificationDays)}) as "expiresAt", v.checks, v.checked_at as "checkedAt", v.outcome,
  (select ends_at from zone_contests c where c.zone_id = v.zone_id or c.live_zone_id = v.zone_id) as "contestEndsAt"`

/** Time until the first check, in seconds: no one can have added a record before reading the challenge. */
const firstLookS = 60
/** How long a process holds a due check, in seconds. */
const leaseS = 120

/** 128 random bits, as a DNS label. */
function newToken(): string {
  return randomBytes(16).toString('hex')
}

/** Creates a new challenge for the zone, which replaces any earlier one. */
export async function startVerification(tx: Tx, zoneId: string): Promise<void> {
  await sql`
    insert into zone_verifications (zone_id, token, due_at) values (${zoneId}, ${newToken()}, app_now() + make_interval(secs => ${firstLookS}))
    on conflict (zone_id) do update
      set token = excluded.token, began_at = app_now(), due_at = excluded.due_at, checks = 0, checked_at = null, outcome = null`.execute(
    tx,
  )
}

/** Creates a new challenge that is checked only on request: earlier proofs no longer count. */
export async function renewChallenge(tx: Tx, zoneId: string): Promise<void> {
  await sql`
    update zone_verifications set token = ${newToken()}, due_at = null, checks = 0, checked_at = null, outcome = null
    where zone_id = ${zoneId}`.execute(tx)
}

/** The zone needs no proof any longer, or is deleted. Ends every contest that it is in. */
export async function endVerification(tx: Tx, zoneId: string): Promise<void> {
  await endContest(tx, zoneId)
  await sql`delete from zone_verifications where zone_id = ${zoneId}`.execute(tx)
}

export async function verificationOf(db: Db, zoneId: string): Promise<Verification | undefined> {
  return (await verificationsOf(db, [zoneId])).get(zoneId)
}

export async function verificationsOf(db: Db, zoneIds: readonly string[]): Promise<Map<string, Verification>> {
  const { rows } = await sql<Verification>`
    select ${columns} from zone_verifications v join zones z on z.id = v.zone_id where v.zone_id = any(${[...zoneIds]}::uuid[])`.execute(
    db,
  )
  return new Map(rows.map((row) => [row.zoneId, row]))
}

/** Whether a verification or a contest is due. */
export const isAnyVerificationDue = sql`
  least((select min(due_at) from zone_verifications), (select min(due_at) from zone_contests)) <= app_now()`

/** Claims contests that end and verifications that are due: no other process handles them for a while. */
export async function claimDue(db: Db, max: number): Promise<(Contest | Verification)[]> {
  const contests = await takeDueContests(db, max)
  return [...contests, ...(await takeDueVerifications(db, max - contests.length))]
}

async function takeDueVerifications(db: Db, max: number): Promise<Verification[]> {
  const { rows } = await sql<Verification>`
    with v as (
      update zone_verifications set due_at = app_now() + make_interval(secs => ${leaseS})
      where zone_id = any(array(
        select zone_id from zone_verifications where due_at <= app_now() order by due_at limit ${max} for update skip locked
      )) returning *
    ) select ${columns} from v join zones z on z.id = v.zone_id`.execute(db)
  return rows
}

/** Records the result of a check for the challenge with this token. */
export async function noteLook(
  tx: Tx,
  { zoneId, token }: Pick<Verification, 'zoneId' | 'token'>,
  outcome: 'absent' | 'unknown' | 'refused',
): Promise<void> {
  await sql`
    update zone_verifications set checked_at = app_now(), outcome = ${outcome}
    where zone_id = ${zoneId} and token = ${token}`.execute(tx)
}

/** Records that a check was automatic, and schedules the next one unless the days of checking are over. */
export async function planNextLook(
  tx: Tx,
  { zoneId, token, checks }: Pick<Verification, 'zoneId' | 'token' | 'checks'>,
): Promise<void> {
  await sql`
    update zone_verifications set checks = checks + 1,
      due_at = case when due_at is not null and began_at + make_interval(days => ${verificationDays}) > app_now()
        then app_now() + make_interval(secs => ${nextCheckS(checks + 1)}) end
    where zone_id = ${zoneId} and token = ${token}`.execute(tx)
}

/** A contest about a live zone. */
export interface Contest {
  readonly liveZoneId: string
  /** The challenger's zone. */
  readonly zoneId: string
  readonly endsAt: Date
  readonly graceIsOver: boolean
}

const contestColumns = (graceHours: number) => sql`
  live_zone_id as "liveZoneId", zone_id as "zoneId", ends_at as "endsAt",
  ends_at + make_interval(hours => ${graceHours}) <= app_now() as "graceIsOver"`

export async function insertContest(tx: Tx, liveZoneId: string, zoneId: string): Promise<Date> {
  const { rows } = await sql<{ endsAt: Date }>`
    insert into zone_contests (live_zone_id, zone_id, ends_at, due_at)
    select ${liveZoneId}, ${zoneId}, at, at from (select app_now() + make_interval(hours => ${contestHours}) as at) ending
    returning ends_at as "endsAt"`.execute(tx)
  if (rows[0] === undefined) throw new Error('the contest was not written')
  return rows[0].endsAt
}

/** The contest that a zone is in, on either side. */
export async function contestOf(db: Db, zoneId: string, graceHours: number): Promise<Contest | undefined> {
  const { rows } = await sql<Contest>`
    select ${contestColumns(graceHours)} from zone_contests where live_zone_id = ${zoneId} or zone_id = ${zoneId}`.execute(
    db,
  )
  return rows[0]
}

/** Ends the contest that a zone is in, if any: its owner's challenge is deleted, and the challenger's is checked again. */
export async function endContest(tx: Tx, zoneId: string): Promise<void> {
  await sql`
    with ended as (delete from zone_contests where live_zone_id = ${zoneId} or zone_id = ${zoneId} returning *),
      woken as (update zone_verifications set due_at = app_now() where zone_id = (select zone_id from ended) returning 1)
    delete from zone_verifications where zone_id = (select live_zone_id from ended)`.execute(tx)
}

async function takeDueContests(db: Db, max: number): Promise<Contest[]> {
  const { rows } = await sql<Contest>`
    update zone_contests set due_at = app_now() + make_interval(secs => ${leaseS})
    where live_zone_id = any(array(
      select live_zone_id from zone_contests where due_at <= app_now() order by due_at limit ${max} for update skip locked
    )) returning ${contestColumns(0)}`.execute(db)
  return rows
}

export async function postponeContest(tx: Tx, liveZoneId: string, seconds: number): Promise<void> {
  await sql`
    update zone_contests set due_at = app_now() + make_interval(secs => ${seconds}) where live_zone_id = ${liveZoneId}`.execute(
    tx,
  )
}
