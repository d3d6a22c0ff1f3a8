import type { Permission } from '@zonewright/contract'
import { visibleZone, type ZoneRef } from '#modules/zones/index.ts'
import { type Db, sql, type Tx } from '#platform/db.ts'
import type { CalledZone } from '#platform/http/call.ts'

/** A key as authentication needs it, with the zone that the request names. */
export interface KeyRow {
  readonly id: string
  readonly accountId: string
  readonly accountDeleted: boolean
  readonly name: string
  readonly permissions: string[]
  readonly allZones: boolean
  readonly expiresAt: Date | null
  readonly expired: boolean
  readonly revokedAt: Date | null
  readonly useIsDue: boolean
  readonly zone: CalledZone | null
}

const keyColumns = sql`
  k.id, k.account_id as "accountId", a.deleted_at is not null as "accountDeleted", k.name, k.permissions, k.all_zones as "allZones",
  k.expires_at as "expiresAt", coalesce(k.expires_at <= app_now(), false) as expired, k.revoked_at as "revokedAt",
  coalesce(k.last_used_at < app_now() - interval '1 minute', true) as "useIsDue"`

// "All" covers what the account owns; a shared zone is covered only when it was picked (specification, "Rules for the zone scope").
const covered = sql`
  (k.all_zones and z.account_id = k.account_id)
  or exists (select from api_key_zones kz where kz.key_id = k.id and kz.zone_id = z.id)`

/** The key with this hash, and the zone as its account sees it: one round trip. */
export async function findKey(db: Db, hash: Buffer, zone: ZoneRef | undefined): Promise<KeyRow | undefined> {
  const query =
    zone === undefined
      ? sql<KeyRow>`select ${keyColumns}, null as zone from api_keys k join accounts a on a.id = k.account_id where k.secret_sha256 = ${hash}`
      : sql<KeyRow>`
          select ${keyColumns},
            case when z.id is not null then json_build_object('id', z.id, 'name', z.name, 'accountId', z.account_id, 'state', z.state,
              'role', case when z.account_id = k.account_id then 'owner' else 'manager' end, 'covered', ${covered}) end as zone
          from api_keys k
          join accounts a on a.id = k.account_id
          left join lateral (${visibleZone(zone, sql`k.account_id`)}) z on true
          where k.secret_sha256 = ${hash}`
  return (await query.execute(db)).rows[0]
}

/** Notes that a key was used, at most once a minute. Not waited for: a request never fails or slows because of it. */
export function noteUse(db: Db, keyId: string, address: string): void {
  sql`update api_keys set last_used_at = app_now(), last_used_ip = ${address}::inet
    where id = ${keyId} and (last_used_at is null or last_used_at < app_now() - interval '1 minute')`
    .execute(db)
    .catch(() => undefined)
}

export async function insertKey(
  tx: Tx,
  key: {
    id: string
    accountId: string
    name: string
    hint: string
    secretSha256: Buffer
    zones: 'all' | readonly string[]
    permissions: readonly Permission[]
    lifetime: string | null
  },
): Promise<void> {
  await sql`
    insert into api_keys (id, account_id, name, hint, secret_sha256, all_zones, permissions, expires_at)
    values (${key.id}, ${key.accountId}, ${key.name}, ${key.hint}, ${key.secretSha256}, ${key.zones === 'all'}, ${[...key.permissions]},
      app_now() + ${key.lifetime}::interval)`.execute(tx)
  if (key.zones !== 'all')
    await sql`insert into api_key_zones (key_id, zone_id) select ${key.id}, unnest(${[...key.zones]}::uuid[])`.execute(
      tx,
    )
}

export async function liveKeyNamed(db: Db, accountId: string, name: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select id from api_keys where account_id = ${accountId} and name = ${name} and revoked_at is null
      and (expires_at is null or expires_at > app_now())`.execute(db)
  return rows[0]?.id
}

export async function revoke(tx: Tx, keyId: string): Promise<void> {
  await sql`update api_keys set revoked_at = app_now() where id = ${keyId}`.execute(tx)
}

/** A key as its holder reads it. */
export interface KeyDetails {
  readonly id: string
  readonly name: string
  readonly hint: string
  readonly zones: string[] | null
  readonly permissions: Permission[]
  readonly expiresAt: Date | null
  readonly createdAt: Date
  readonly lastUsedAt: Date | null
}

export async function readKey(db: Db, keyId: string): Promise<KeyDetails | undefined> {
  const { rows } = await sql<KeyDetails>`
    select id, name, hint, permissions, expires_at as "expiresAt", created_at as "createdAt", last_used_at as "lastUsedAt",
      case when all_zones then null else array(select zone_id::text from api_key_zones where key_id = k.id order by 1) end as zones
    from api_keys k where id = ${keyId}`.execute(db)
  return rows[0]
}
