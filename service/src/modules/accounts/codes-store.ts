import { type Db, sql, type Tx } from '#platform/postgres/index.ts'

/** An account's two-factor secret and backup codes; both are encrypted. */
export interface TwoFactor {
  readonly secret: string
  readonly backupCodes: string
}

const columns = sql`secret, backup_codes as "backupCodes"`

/** Undefined if there is none, or if its first code was never entered. */
export async function readTwoFactor(
  db: Db,
  accountId: string,
  which: 'verified' | 'unverified too' = 'verified',
): Promise<TwoFactor | undefined> {
  const { rows } = await sql<TwoFactor>`
    select ${columns} from account_two_factors
    where account_id = ${accountId} and (verified or ${which === 'unverified too'})`.execute(db)
  return rows[0]
}

/** Also locks the row: if two requests use the same backup code at once, one comes second. */
export async function lockTwoFactor(tx: Tx, accountId: string): Promise<TwoFactor | undefined> {
  const { rows } = await sql<TwoFactor>`
    select ${columns} from account_two_factors where account_id = ${accountId} and verified for update`.execute(tx)
  return rows[0]
}

export async function setBackupCodes(tx: Tx, accountId: string, sealed: string): Promise<void> {
  await sql`update account_two_factors set backup_codes = ${sealed} where account_id = ${accountId}`.execute(tx)
}

/** Replaces both, unless they have changed since they were read. */
export async function renewTwoFactor(db: Db, accountId: string, before: TwoFactor, now: TwoFactor): Promise<void> {
  await sql`update account_two_factors set secret = ${now.secret}, backup_codes = ${now.backupCodes}
    where account_id = ${accountId} and secret = ${before.secret} and backup_codes = ${before.backupCodes}`.execute(db)
}

/** Records that the code of a period was used. False: another request was first. */
export async function claimStep(db: Db, accountId: string, step: number): Promise<boolean> {
  const { rows } = await sql`
    insert into account_used_codes (account_id, step) values (${accountId}, ${step}) on conflict do nothing returning 1`.execute(
    db,
  )
  return rows.length > 0
}

/** Cleanup: old codes are invalid anyway. */
export async function dropOldCodes(db: Db): Promise<void> {
  await sql`delete from account_used_codes where used_at < app_now() - interval '1 hour'`.execute(db)
}
