import { type Db, sql, type Tx } from '#platform/postgres/index.ts'
import { type AliasError, toldAfterS } from './rules.ts'

/** The maximum number of failures in one run of the job, and of names in one email. */
const most = { targets: 500, names: 20 }

/** A target that has been failing for a long time, and the owners of live zones with it. */
export interface FailingTarget {
  readonly target: string
  readonly error: AliasError
  readonly failingSince: Date
  /** Their accounts, and names in their zones at which the target is, in order. */
  readonly owners: readonly { readonly accountId: string; readonly names: readonly string[] }[]
}

export async function targetsToTell(db: Db): Promise<FailingTarget[]> {
  const { rows } = await sql<FailingTarget>`
    select t.target, t.error, t.failing_since as "failingSince", coalesce((
      select json_agg(json_build_object('accountId', owner.id, 'names', owner.names) order by owner.id) from (
        select account.id, (array_agg(a.name order by a.name))[1:${most.names}::int] as names
        from zone_aliases a join zones z on z.id = a.zone_id and z.state = 'live' join accounts account on account.id = z.account_id and account.deleted_at is null
        where a.target = t.target group by account.id) owner), '[]') as owners
    from alias_targets t
    where t.failing_since <= app_now() - make_interval(secs => ${toldAfterS}) and not t.is_told
    order by t.failing_since limit ${most.targets}`.execute(db)
  return rows
}

/** Records that the owners are notified. False: another process has notified them, or the failure has ended. */
export async function noteTold(tx: Tx, target: string, failingSince: Date): Promise<boolean> {
  const { rows } = await sql`
    update alias_targets set is_told = true
    where target = ${target} and not is_told and date_trunc('milliseconds', failing_since) = ${failingSince} returning 1`.execute(
    tx,
  )
  return rows.length > 0
}
