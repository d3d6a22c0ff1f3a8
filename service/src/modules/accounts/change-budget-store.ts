import { usualDailyChangeBytes } from '@zonewright/contract'
import { type Db, sql, withoutWaitingForDisk } from '#platform/postgres/index.ts'

/** How much an account has changed today, and its budget. */
export interface DayOfChanges {
  readonly accountId: string
  readonly bytes: number
  readonly budget: number
}

const today = sql`(app_now() at time zone 'utc')::date`
const usual = sql`${usualDailyChangeBytes}::bigint`
const addedRows = sql.recordset('added', '"accountId" uuid, bytes bigint')

/**
 * Adds to, or subtracts from, what accounts have changed today, and returns their new totals.
 *
 * Accounts are locked in one order, so that processes never deadlock. The commit does not wait for the disk: a crash may lose a few
 * milliseconds of counts.
 */
export async function addChangedBytes(
  db: Db,
  added: readonly { readonly accountId: string; readonly bytes: number }[],
): Promise<DayOfChanges[]> {
  const { rows } = await sql<DayOfChanges>`
    insert into account_change_bytes as c (account_id, day, bytes)
    select a.id, ${today}, added.bytes
    from (select ${withoutWaitingForDisk}) relaxed cross join ${addedRows(added)} join accounts a on a.id = added."accountId"
    order by a.id
    on conflict (account_id) do update set
      day = excluded.day, bytes = greatest(0, case when c.day = excluded.day then c.bytes else 0 end + excluded.bytes)
    returning c.account_id as "accountId", c.bytes,
      (select coalesce(a.daily_change_bytes, ${usual}) from accounts a where a.id = c.account_id) as budget`.execute(db)
  return rows
}

/** The account's budget, and when its next day begins. */
export async function readBudget(db: Db, accountId: string): Promise<{ budget: number; resetsAt: Date } | undefined> {
  const { rows } = await sql<{ budget: number; resetsAt: Date }>`
    select coalesce(daily_change_bytes, ${usual}) as budget, (${today} + 1)::timestamp at time zone 'utc' as "resetsAt"
    from accounts where id = ${accountId}`.execute(db)
  return rows[0]
}

/** Sets how much the account may change in a day; null: the default. */
export async function setBudget(db: Db, accountId: string, bytes: number | null): Promise<void> {
  await sql`update accounts set daily_change_bytes = ${bytes} where id = ${accountId}`.execute(db)
}
