import { accountAddress } from '@zonewright/contract'
import { type Db, type Statement, sql, type Tx } from '#platform/postgres/index.ts'
import { maxSessions } from './auth-rules.ts'

/** A person with an email address, who owns zones, keys and orders. */
export interface Account {
  readonly id: string
  readonly email: string
  readonly emailConfirmed: boolean
}

const columns = sql`id, email, email_confirmed as "emailConfirmed"`

export async function insertAccount(tx: Tx, details: { email: string; name: string }): Promise<Account> {
  const { rows } = await sql<Account>`
    insert into accounts (email, name, email_confirmed) values (${details.email}, ${details.name}, true) returning ${columns}`.execute(
    tx,
  )
  return rows[0] as Account
}

/** The account of an address, in any letter case; undefined if there is none or it was deleted. */
export async function accountByEmail(db: Db, email: string): Promise<Account | undefined> {
  const { rows } = await sql<Account>`select ${columns} from accounts where email = ${accountAddress(email)}`.execute(
    db,
  )
  return rows[0]
}

/** Locks the account, so that objects with a limit can be counted (design: architecture, "Lock order"). */
export async function lockAccount(tx: Tx, accountId: string): Promise<void> {
  await sql`select 1 from accounts where id = ${accountId} for no key update`.execute(tx)
}

const detailColumns = sql`${columns}, name, two_factor_enabled as "twoFactorEnabled", created_at as "createdAt", time_zone as "timeZone",
  exists (select from account_credentials c
    where c.user_id = accounts.id and c.provider_id = 'credential' and c.password is not null) as "hasPassword"`

/** An account as its owner reads it. */
export interface AccountDetails extends Account {
  readonly name: string
  readonly twoFactorEnabled: boolean
  /** False: the owner signed up with a provider and has not set a password yet. */
  readonly hasPassword: boolean
  readonly createdAt: Date
  /** The IANA time zone in which the dashboard shows times; null: that of the browser. */
  readonly timeZone: string | null
}

export async function readAccount(db: Db, accountId: string): Promise<AccountDetails | undefined> {
  const { rows } = await sql<AccountDetails>`
    select ${detailColumns}
    from accounts where id = ${accountId} and deleted_at is null`.execute(db)
  return rows[0]
}

/** Locks the account, and reads its current state; undefined if it was deleted. */
export async function lockAndReadAccount(tx: Tx, accountId: string): Promise<AccountDetails | undefined> {
  const { rows } = await sql<AccountDetails>`
    select ${detailColumns}
    from accounts where id = ${accountId} and deleted_at is null for no key update`.execute(tx)
  return rows[0]
}

/** Sets how many zones the account may have; null: the default limit. */
export async function setZoneLimit(tx: Tx, accountId: string, zones: number | null): Promise<void> {
  await sql`update accounts set zone_limit = ${zones} where id = ${accountId}`.execute(tx)
}

/** Sets how many DNS updates each of its keys may send in a minute; null: the default limit. */
export async function setUpdateLimit(tx: Tx, accountId: string, perMinute: number | null): Promise<void> {
  await sql`update accounts set updates_per_minute = ${perMinute} where id = ${accountId}`.execute(tx)
}

export async function renameAccount(tx: Tx, accountId: string, name: string): Promise<void> {
  await sql`update accounts set name = ${name}, updated_at = app_now() where id = ${accountId}`.execute(tx)
}

export async function setTimeZone(tx: Tx, accountId: string, timeZone: string | null): Promise<void> {
  await sql`update accounts set time_zone = ${timeZone}, updated_at = app_now() where id = ${accountId}`.execute(tx)
}

/** Gives the account a new address that its owner has confirmed. Links that were sent to the previous one stop working. */
export async function setEmail(tx: Tx, accountId: string, email: string): Promise<void> {
  await sql`
    update accounts set email = ${email}, email_confirmed = true, updated_at = app_now() where id = ${accountId}`.execute(
    tx,
  )
  await endVerifications(tx, accountId)
}

/** Ends links in emails, and sign-ins that wait for their code. */
export async function endVerifications(db: Db, accountId: string): Promise<void> {
  await sql`delete from account_verifications where value = ${accountId}`.execute(db)
}

export async function passwordHash(db: Db, accountId: string): Promise<string | undefined> {
  const { rows } = await sql<{ password: string | null }>`
    select password from account_credentials where user_id = ${accountId} and provider_id = 'credential'`.execute(db)
  return rows[0]?.password ?? undefined
}

/** What a sign-in with an email address needs to know about the account. */
export interface SignInAccount {
  readonly id: string
  readonly passwordHash: string | null
  /** The known device of the account that the browser is, if any. */
  readonly device: Buffer | null
}

/** Takes the same time if there is no account. `devices`: the ids in the browser's device cookie. */
export async function accountToSignIn(
  db: Db,
  email: string,
  devices: readonly Buffer[],
): Promise<SignInAccount | undefined> {
  const { rows } = await sql<SignInAccount>`
    select a.id, c.password as "passwordHash", (
      select d.device_sha256 from account_devices d
      where d.account_id = a.id and d.device_sha256 = any(${devices}::bytea[]) and d.expires_at > app_now() limit 1) as device
    from accounts a left join account_credentials c on c.user_id = a.id and c.provider_id = 'credential'
    where a.email = ${email}`.execute(db)
  return rows[0]
}

/** Sets the password of an account that has none yet, or that an operator creates. */
export async function setPassword(tx: Tx, accountId: string, hash: string): Promise<void> {
  await dropPassword(tx, accountId)
  await sql`
    insert into account_credentials (id, user_id, provider_id, account_id, password, created_at, updated_at)
    values (gen_random_uuid(), ${accountId}, 'credential', ${accountId}::text, ${hash}, app_now(), app_now())`.execute(
    tx,
  )
}

/** Removes the password. */
export async function dropPassword(tx: Tx, accountId: string): Promise<void> {
  await sql`delete from account_credentials where user_id = ${accountId} and provider_id = 'credential'`.execute(tx)
}

/** Sets the two-factor secret and backup codes, for an account that an operator creates. Both values are encrypted. */
export async function setTwoFactor(tx: Tx, accountId: string, secret: string, backupCodes: string): Promise<void> {
  await sql`
    insert into account_two_factors (id, account_id, secret, backup_codes) values (gen_random_uuid(), ${accountId}, ${secret}, ${backupCodes})
    on conflict (account_id) do update set secret = excluded.secret, backup_codes = excluded.backup_codes, verified = true`.execute(
    tx,
  )
  await sql`update accounts set two_factor_enabled = true where id = ${accountId}`.execute(tx)
}

export async function endSession(db: Db, id: string): Promise<void> {
  await sql`delete from account_sessions where id = ${id}`.execute(db)
}

/** Whether a session still exists. Lock the account first: whatever ends sessions locks it as well. */
export async function hasSession(tx: Tx, accountId: string, sessionId: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from account_sessions where id = ${sessionId} and account_id = ${accountId}`.execute(tx)
  return rows.length > 0
}

/** Ends everything based on the previous password: sessions, known devices, links in emails, and sign-ins that wait for their code. */
export async function endAllSessions(tx: Tx, accountId: string): Promise<void> {
  await sql`delete from account_sessions where account_id = ${accountId}`.execute(tx)
  await sql`delete from account_devices where account_id = ${accountId}`.execute(tx)
  await endVerifications(tx, accountId)
}

/** Ends all sessions except one, and forgets the devices of the ended ones. */
export async function endOtherSessions(tx: Tx, accountId: string, keep: string): Promise<void> {
  await sql`delete from account_sessions where account_id = ${accountId} and id <> ${keep}`.execute(tx)
  await sql`delete from account_devices where account_id = ${accountId} and session_id <> ${keep}`.execute(tx)
}

/** Confirms the account: a person has opened the email to its address and chosen the password. */
export async function confirmAddress(tx: Tx, accountId: string): Promise<void> {
  await sql`
    update accounts set email_confirmed = true, updated_at = app_now() where id = ${accountId} and not email_confirmed`.execute(
    tx,
  )
}

/**
 * Marks the account deleted. Its address and its linked people at providers become available immediately. Its sessions end, including those of
 * sign-ins in progress.
 */
export async function markDeleted(tx: Tx, accountId: string): Promise<void> {
  await sql`
    update accounts set deleted_at = app_now(), deleted_email = email, email = 'deleted:' || id
    where id = ${accountId} and deleted_at is null`.execute(tx)
  await sql`delete from account_providers where account_id = ${accountId}`.execute(tx)
  await endAllSessions(tx, accountId)
}

/**
 * The session of a token and its account; undefined if the session has ended or the account was deleted (a sign-in in progress at that time may
 * still have got a session). Sessions end by the clock of PostgreSQL's machine, better-auth's cookies by that of the process.
 */
export async function liveSession(
  db: Db,
  token: string,
): Promise<{ accountId: string; sessionId: string; name: string } | undefined> {
  const { rows } = await sql<{ accountId: string; sessionId: string; name: string }>`
    select a.id as "accountId", s.id as "sessionId", a.email as name
    from account_sessions s join accounts a on a.id = s.account_id
    where s.token = ${token} and s.expires_at > now() and a.deleted_at is null`.execute(db)
  return rows[0]
}

/** Restores the account that was deleted last with this address, unless that was more than `days` days ago or the address is taken. */
export async function unmarkDeleted(tx: Tx, email: string, days: number): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    update accounts set email = deleted_email, deleted_at = null, deleted_email = null
    where id = (
      select id from accounts where deleted_email = ${accountAddress(email)} and erased_at is null
        and deleted_at > app_now() - make_interval(days => ${days})
      order by deleted_at desc limit 1 for update)
      and not exists (select from accounts where email = ${accountAddress(email)})
    returning id`.execute(tx)
  return rows[0]?.id
}

/** Condition: deleted, and the days for restoring it are over. */
function isToErase(days: number): Statement {
  return sql`deleted_at is not null and erased_at is null and deleted_at <= app_now() - make_interval(days => ${days})`
}

/** Deleted accounts whose days for restoring are over and whose zones still exist. */
export async function accountsToErase(db: Db, days: number, max: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from accounts where ${isToErase(days)} order by deleted_at limit ${max}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Locks the account if it must still be erased. False: support restored it, or another process has erased it. */
export async function lockToErase(tx: Tx, accountId: string, days: number): Promise<boolean> {
  const { rows } = await sql`
    select 1 from accounts where id = ${accountId} and ${isToErase(days)} for no key update`.execute(tx)
  return rows.length > 0
}

/**
 * Erases everything of an account except its id, which the audit log and old orders refer to. Lock it first with `lockToErase`. Returns the address
 * that it had.
 */
export async function erase(tx: Tx, accountId: string): Promise<string> {
  await sql`delete from account_credentials where user_id = ${accountId}`.execute(tx)
  await sql`delete from account_two_factors where account_id = ${accountId}`.execute(tx)
  await sql`delete from account_devices where account_id = ${accountId}`.execute(tx)
  await sql`delete from account_guesses where subject = ${accountId}::text`.execute(tx)
  await sql`delete from account_change_bytes where account_id = ${accountId}`.execute(tx)
  await sql`delete from account_passkeys where account_id = ${accountId}`.execute(tx)
  await sql`delete from account_providers where account_id = ${accountId}`.execute(tx)
  await sql`delete from account_addresses where account_id = ${accountId}`.execute(tx)
  const { rows } = await sql<{ email: string | null }>`
    with former as (select id, deleted_email as email from accounts where id = ${accountId})
    update accounts a set erased_at = app_now(), name = '', deleted_email = null from former where a.id = former.id returning former.email`.execute(
    tx,
  )
  return rows[0]?.email ?? ''
}

/** Cleanup: deletes expired sessions and verifications, and the oldest sessions beyond an account's maximum. */
export async function dropOldSignIns(db: Db): Promise<void> {
  await sql`delete from account_sessions where expires_at < app_now()`.execute(db)
  await sql`
    delete from account_sessions where id in (
      select id from (
        select id, row_number() over (partition by account_id order by created_at desc, id) as n from account_sessions) s
      where n > ${maxSessions})`.execute(db)
  await sql`delete from account_verifications where expires_at < app_now()`.execute(db)
}
