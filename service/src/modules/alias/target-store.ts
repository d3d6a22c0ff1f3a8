import { type Db, sql, type Tx } from '#platform/postgres/index.ts'
import type { KnownTarget, TargetResult } from './rules.ts'

const known = sql`
  t.target, t.a, t.aaaa, t.found, t.ttl, extract(epoch from app_now() - t.ttl_seen_at)::float8 as "ttlAgeS", t.error,
  extract(epoch from app_now() - t.failing_since)::float8 as "failingS", t.revision`

/** A target, with the state of its last lookup. */
export interface CheckedTarget extends KnownTarget {
  readonly checkedAt: Date | null
  /** The next lookup is not due yet. */
  readonly isFresh: boolean
}

export async function readTargets(db: Db, targets: readonly string[]): Promise<ReadonlyMap<string, CheckedTarget>> {
  const { rows } = await sql<CheckedTarget>`
    select ${known}, t.checked_at as "checkedAt", t.due_at > app_now() and t.error is null and t.checked_at is not null as "isFresh"
    from alias_targets t where t.target = any(${targets}::text[])`.execute(db)
  return new Map(rows.map((row) => [row.target, row]))
}

/** How long a claimed target belongs to its worker: longer than a lookup can take. If the worker is killed, it is due again after that. */
const leaseS = 60
/** When a target that no zone uses is due again, unless it is forgotten. */
const unusedS = 3_600

export const isAnyTargetDue = sql`(select min(due_at) from alias_targets) <= app_now()`

/** Makes the lookups of failing targets due, because a change may have created the records that they lack. */
export async function hurryFailing(db: Db, targets: readonly string[]): Promise<void> {
  await sql`
    with failing as materialized (
      select target from alias_targets where target = any(${targets}::text[]) and error is not null
      order by target for no key update
    )
    update alias_targets t set due_at = least(t.due_at, app_now()) from failing where t.target = failing.target`.execute(
    db,
  )
}

/** A target to look up. */
export interface ClaimedTarget extends KnownTarget {
  /** Whether a zone that is not deleted uses it. */
  readonly isUsed: boolean
}

/** Claims the targets whose lookup has been due longest. */
export async function claimTargets(tx: Tx, max: number): Promise<ClaimedTarget[]> {
  const { rows } = await sql<ClaimedTarget>`
    with due as (
      select target from alias_targets where due_at <= app_now() order by due_at limit ${max} for update skip locked
    )
    update alias_targets t set due_at = app_now() + make_interval(secs => ${leaseS})
    from due where t.target = due.target
    returning ${known}, exists (
      select from zone_aliases a where a.target = t.target and (select state from zones where id = a.zone_id) <> 'deleted') as "isUsed"`.execute(
    tx,
  )
  return rows
}

/** Forgets a target that no zone uses any longer. The target of a deleted zone stays, as its deletion may be undone. */
export async function forgetUnused(tx: Tx, target: string): Promise<void> {
  // Locked first: a change that takes the target into use holds it until its own commit.
  const { rows } = await sql`select from alias_targets where target = ${target} for update skip locked`.execute(tx)
  if (rows.length === 0) return
  await sql`
    delete from alias_targets where target = ${target} and not exists (select from zone_aliases where target = ${target})`.execute(
    tx,
  )
  await sql`
    update alias_targets set due_at = app_now() + make_interval(secs => ${unusedS}) where target = ${target}`.execute(
    tx,
  )
}

/**
 * Records the results of lookups, and adds targets that are not known yet. A result is left out if another one has changed its target
 * since the lookup began.
 */
export async function recordResults(db: Db, results: readonly TargetResult[]): Promise<void> {
  const [added, known] = [results.filter((each) => each.known === 0), results.filter((each) => each.known > 0)]
  if (added.length > 0) await addTargets(db, added)
  if (known.length > 0) await updateTargets(db, known)
}

async function addTargets(db: Db, results: readonly TargetResult[]): Promise<void> {
  await sql`
    insert into alias_targets (target, a, aaaa, found, ttl, error, failing_since, checked_at, due_at)
    select target, a, aaaa, found, ttl, error, case when error is not null then app_now() end, app_now(), ${nextLookup}
    from ${resultRows(results)} order by target on conflict do nothing`.execute(db)
}

async function updateTargets(db: Db, results: readonly TargetResult[]): Promise<void> {
  await sql`
    with locked as materialized (
      select target from alias_targets where target = any(${results.map(({ target }) => target)}::text[])
      order by target for no key update
    )
    update alias_targets t set
      a = r.a, aaaa = r.aaaa, found = r.found, ttl = r.ttl, error = r.error, checked_at = app_now(), due_at = ${nextLookup},
      ttl_seen_at = case when r."isTtlSeen" then app_now() else t.ttl_seen_at end,
      failing_since = case when r.error is not null then coalesce(t.failing_since, app_now()) end,
      is_told = t.is_told and r.error is not null,
      revision = t.revision + r."isChanged"::int,
      is_behind = t.is_behind or r."isChanged"
    from ${resultRows(results)} join locked on locked.target = r.target
    where t.target = r.target and t.revision = r.known`.execute(db)
}

const resultRows = sql.recordset(
  'r',
  `target text, a text[], aaaa text[], found int, ttl int, error text, known bigint, "isChanged" boolean, "isTtlSeen" boolean, "nextS" float8`,
)

/** Up to a tenth earlier, so that targets that were looked up together do not stay together. */
const nextLookup = sql`app_now() + make_interval(secs => r."nextS" * (1 - random() / 10))`
