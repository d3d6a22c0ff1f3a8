import { type Db, sql, type Tx } from '#platform/db.ts'
import type { Account } from './create-account.ts'

const columns = sql`id, email, email_confirmed_at is not null as "emailConfirmed"`

export async function insertAccount(tx: Tx, details: { email: string; name: string }): Promise<Account> {
  const { rows } = await sql<Account>`
    insert into accounts (email, name, email_confirmed_at) values (${details.email}, ${details.name}, app_now()) returning ${columns}`.execute(
    tx,
  )
  return rows[0] as Account
}

/** The account of an address, in any letter case; undefined when there is none or it was deleted. */
export async function accountByEmail(db: Db, email: string): Promise<Account | undefined> {
  const { rows } = await sql<Account>`
    select ${columns} from accounts where lower(email) = lower(${email}) and deleted_at is null`.execute(db)
  return rows[0]
}

/** Locks the account, so that whatever it may have only so many of can be counted (design: architecture, "Lock order"). */
export async function lockAccount(tx: Tx, accountId: string): Promise<void> {
  await sql`select 1 from accounts where id = ${accountId} for no key update`.execute(tx)
}
