import type { Permission, WireKeyLimit, WireScopeEntry } from '@zonewright/contract'
import { type Db, sql, type Tx, withoutWaitingForDisk } from '#platform/postgres/index.ts'
import { limitsColumn, scopeColumn } from './scope-store.ts'

export async function insertKey(
  tx: Tx,
  key: {
    id: string
    accountId: string
    name: string
    hint: string
    secretSha256: Buffer
    coversAll: boolean
    isLimited: boolean
    addresses: readonly string[] | null
    permissions: readonly Permission[]
    lifetime: string | null
  },
): Promise<void> {
  await sql`
    insert into api_keys (id, account_id, name, hint, secret_sha256, all_zones, is_limited, addresses, permissions,
      expires_at)
    values (${key.id}, ${key.accountId}, ${key.name}, ${key.hint}, ${key.secretSha256}, ${key.coversAll}, ${key.isLimited},
      ${key.addresses}::cidr[], ${[...key.permissions]}, app_now() + ${key.lifetime}::interval)`.execute(tx)
}

export async function liveKeyNamed(db: Db, accountId: string, name: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select id from api_keys where account_id = ${accountId} and name = ${name} and revoked_at is null
      and (expires_at is null or expires_at > app_now())`.execute(db)
  return rows[0]?.id
}

export async function countLiveKeys(db: Db, accountId: string): Promise<number> {
  const { rows } = await sql<{ live: number }>`
    select count(*)::int as live from api_keys
    where account_id = ${accountId} and revoked_at is null and (expires_at is null or expires_at > app_now())`.execute(
    db,
  )
  return rows[0]?.live ?? 0
}

export async function revoke(tx: Tx, keyId: string): Promise<void> {
  await sql`update api_keys set revoked_at = app_now() where id = ${keyId}`.execute(tx)
}

/** Revokes every active key of an account. Returns their number. */
export async function revokeAll(tx: Tx, accountId: string): Promise<number> {
  const { rows } = await sql`
    update api_keys set revoked_at = app_now() where account_id = ${accountId} and revoked_at is null returning 1`.execute(
    tx,
  )
  return rows.length
}

/** The parts of an active key that can change. */
export interface LiveKey {
  readonly name: string
  readonly allZones: boolean
  readonly isLimited: boolean
  readonly permissions: readonly Permission[]
}

/** The active key with this id and account, locked, so that two changes of it run one after the other. */
export async function lockLiveKey(tx: Tx, accountId: string, keyId: string): Promise<LiveKey | undefined> {
  const { rows } = await sql<LiveKey>`
    select name, all_zones as "allZones", is_limited as "isLimited", permissions from api_keys where id = ${keyId} and account_id = ${accountId} and revoked_at is null for update`.execute(
    tx,
  )
  return rows[0]
}

export async function setReach(tx: Tx, keyId: string, reach: Omit<LiveKey, 'name'>): Promise<void> {
  await sql`
    update api_keys set all_zones = ${reach.allZones}, is_limited = ${reach.isLimited}, permissions = ${[...reach.permissions]}
    where id = ${keyId}`.execute(tx)
}

/** A key as its own user reads it. */
export interface KeyDetails {
  readonly id: string
  readonly accountId: string
  readonly name: string
  readonly hint: string
  /** Null: every zone and domain of the account. */
  readonly zones: WireScopeEntry[] | null
  readonly permissions: Permission[]
  /** Null: it has none. */
  readonly limits: WireKeyLimit[] | null
  /** The networks from which it can be used. Null: any. */
  readonly addresses: string[] | null
  /** When its TSIG secret was created. Null: it has none. */
  readonly tsigAt: Date | null
  readonly expiresAt: Date | null
  readonly createdAt: Date
  readonly lastUsedAt: Date | null
  /** The time at which the key was read. */
  readonly readAt: Date
  readonly state: 'live' | 'revoked' | 'expired'
}

const detailColumns = sql`
  k.id, k.account_id as "accountId", (select t.created_at from api_key_tsig t where t.key_id = k.id) as "tsigAt", k.name, k.hint, k.permissions, k.addresses::text[] as addresses, k.expires_at as "expiresAt", k.created_at as "createdAt",
  k.last_used_at as "lastUsedAt", app_now() as "readAt",
  case when k.revoked_at is not null then 'revoked' when k.expires_at <= app_now() then 'expired' else 'live' end as state,
  ${scopeColumn}, ${limitsColumn}`

export async function readKey(db: Db, keyId: string): Promise<KeyDetails | undefined> {
  const { rows } = await sql<KeyDetails>`select ${detailColumns} from api_keys k where k.id = ${keyId}`.execute(db)
  return rows[0]
}

/** Up to `limit` + 1 of an account's keys, including revoked and expired ones, newest first. */
export async function pageOfKeys(
  db: Db,
  accountId: string,
  { after, limit }: { after: readonly string[] | undefined; limit: number },
): Promise<KeyDetails[]> {
  const { rows } = await sql<KeyDetails>`
    select ${detailColumns} from api_keys k
    where k.account_id = ${accountId} and (${after?.[0] ?? null}::text is null or k.id < ${after?.[0] ?? null})
    order by k.id desc limit ${limit + 1}`.execute(db)
  return rows
}

/** An active key that its owner should be notified about. */
export interface NotableKey {
  readonly key: {
    readonly id: string
    readonly name: string
    readonly hint: string
    readonly createdAt: Date
    readonly lastUsedAt: Date | null
    readonly expiresAt: Date
    /** The zones whose secondaries use it. */
    readonly secondaryZones: readonly string[]
  }
  readonly accountId: string
}

const notable = sql`
  select k.id, k.name, k.hint, k.created_at as "createdAt", k.last_used_at as "lastUsedAt",
    k.expires_at as "expiresAt", array(
      select distinct z.name from zone_secondaries s join zones z on z.id = s.zone_id
      where s.key_id = k.id and z.state = 'live' and z.account_id = k.account_id order by z.name) as "secondaryZones", k.account_id as "accountId"
  from api_keys k join accounts a on a.id = k.account_id
  where k.revoked_at is null and a.deleted_at is null`

export async function keysExpiringWithin(db: Db, days: number): Promise<NotableKey[]> {
  const { rows } = await sql<NotableKey['key'] & { accountId: string }>`
    ${notable} and k.expires_at > app_now() and k.expires_at <= app_now() + make_interval(days => ${days}) order by k.expires_at`.execute(
    db,
  )
  return rows.map(({ accountId, ...key }) => ({ key, accountId }))
}

/** No notice to its owner since its last use. */
const isUntold = sql`coalesce(k.told_unused_at < coalesce(k.last_used_at, k.created_at), true)`

/** Keys that were neither used nor created within this many days, have not expired, and that no one was notified about yet. */
export async function keysUnusedFor(db: Db, days: number): Promise<NotableKey[]> {
  const { rows } = await sql<NotableKey['key'] & { accountId: string }>`
    ${notable} and coalesce(k.expires_at > app_now(), true)
      and coalesce(k.last_used_at, k.created_at) <= app_now() - make_interval(days => ${days}) and ${isUntold} order by k.id`.execute(
    db,
  )
  return rows.map(({ accountId, ...key }) => ({ key, accountId }))
}

/** Records that the owner is asked about an unused key. False: another process has already done so. */
export async function noteToldUnused(tx: Tx, keyId: string): Promise<boolean> {
  const { rows } = await sql`
    update api_keys k set told_unused_at = app_now() where k.id = ${keyId} and ${isUntold} returning 1`.execute(tx)
  return rows.length > 0
}

/** The use of a key, and its source address. */
export interface KeyUse {
  readonly keyId: string
  readonly address: string
}

/**
 * Records when keys were last used, and from where, at most once a minute for each. Rows that another transaction has locked are left out,
 * so that nothing waits for them. The commit does not wait for the disk: what a crash undoes is recorded again.
 */
export async function noteUses(db: Db, uses: readonly KeyUse[]): Promise<void> {
  await sql`
    with due as (
      select k.id, used.address
      from ${usedKeys(uses)}
      cross join lateral (
        select id from api_keys
        where id = used."keyId" and (last_used_at is null or last_used_at < app_now() - interval '1 minute')
        for no key update skip locked
      ) k
    )
    update api_keys k set last_used_at = app_now(), last_used_ip = due.address
    from due cross join (select ${withoutWaitingForDisk}) relaxed where k.id = due.id`.execute(db)
}

const usedKeys = sql.recordset('used', '"keyId" text, address inet')

/** Deletes the addresses from which an account's keys were used. */
export async function forgetKeyUses(tx: Tx, accountId: string): Promise<void> {
  await sql`update api_keys set last_used_ip = null where account_id = ${accountId}`.execute(tx)
}
