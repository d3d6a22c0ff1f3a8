import type { NotificationTopic } from '@zonewright/contract'
import { type Db, sql, type Tx } from '#platform/postgres/index.ts'
import type { Readers } from './notices.ts'

/** Days for which the link to a new address works; then the address is forgotten. */
export const confirmDays = 7

/** An address that gets, or will get, an account's notifications. */
export interface NotificationAddress {
  readonly email: string
  readonly topics: NotificationTopic[]
  readonly createdAt: Date
  readonly isConfirmed: boolean
}

const columns = sql`email, topics, created_at as "createdAt", confirmed_at is not null as "isConfirmed"`

/** Who wants an account's emails about a topic; undefined: the account no longer exists. */
export async function readReaders(
  tx: Tx,
  accountId: string,
  topic: NotificationTopic | undefined,
): Promise<Readers | undefined> {
  const { rows } = await sql<Readers>`
    select a.email, coalesce(${topic ?? null}::text = any(a.muted_topics), false) as "isMuted", array(
      select n.email from account_addresses n
      where n.account_id = a.id and n.confirmed_at is not null and ${topic ?? null}::text = any(n.topics) order by n.email) as others
    from accounts a where a.id = ${accountId} and a.deleted_at is null`.execute(tx)
  return rows[0]
}

export async function mutedTopics(db: Db, accountId: string): Promise<NotificationTopic[]> {
  const { rows } = await sql<{ muted: NotificationTopic[] }>`
    select coalesce(muted_topics, '{}') as muted from accounts where id = ${accountId}`.execute(db)
  return rows[0]?.muted ?? []
}

export async function setMuted(tx: Tx, accountId: string, topics: readonly NotificationTopic[]): Promise<void> {
  await sql`
    update accounts set muted_topics = ${topics}::text[], updated_at = app_now() where id = ${accountId}`.execute(tx)
}

export async function notificationAddresses(db: Db, accountId: string): Promise<NotificationAddress[]> {
  const { rows } = await sql<NotificationAddress>`
    select ${columns} from account_addresses where account_id = ${accountId} order by created_at, email`.execute(db)
  return rows
}

export async function notificationAddress(
  db: Db,
  accountId: string,
  email: string,
): Promise<NotificationAddress | undefined> {
  const { rows } = await sql<NotificationAddress>`
    select ${columns} from account_addresses where account_id = ${accountId} and email = ${email}`.execute(db)
  return rows[0]
}

/** Adds an address, which must be confirmed, or restarts its period. */
export async function putAddress(
  tx: Tx,
  accountId: string,
  { email, topics }: { email: string; topics: readonly NotificationTopic[] },
): Promise<void> {
  await sql`
    insert into account_addresses (account_id, email, topics) values (${accountId}, ${email}, ${topics}::text[])
    on conflict (account_id, email) do update set topics = excluded.topics, created_at = app_now()`.execute(tx)
}

/** False: the account has no such address. */
export async function setTopics(
  tx: Tx,
  accountId: string,
  email: string,
  topics: readonly NotificationTopic[],
): Promise<boolean> {
  const { rows } = await sql`
    update account_addresses set topics = ${topics}::text[] where account_id = ${accountId} and email = ${email} returning 1`.execute(
    tx,
  )
  return rows.length > 0
}

/** False: it is already confirmed, or no longer exists. */
export async function confirmAddressOf(tx: Tx, accountId: string, email: string): Promise<boolean> {
  const { rows } = await sql`
    update account_addresses set confirmed_at = app_now()
    where account_id = ${accountId} and email = ${email} and confirmed_at is null returning 1`.execute(tx)
  return rows.length > 0
}

/** False: the account had no such address. */
export async function dropAddress(tx: Tx, accountId: string, email: string): Promise<boolean> {
  const { rows } = await sql`
    delete from account_addresses where account_id = ${accountId} and email = ${email} returning 1`.execute(tx)
  return rows.length > 0
}

/** Cleanup: addresses that were never confirmed. */
export async function dropUnconfirmed(db: Db): Promise<void> {
  await sql`
    delete from account_addresses
    where confirmed_at is null and created_at < app_now() - make_interval(days => ${confirmDays})`.execute(db)
}
