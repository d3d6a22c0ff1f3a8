import { type Db, sql, type Tx } from '#platform/postgres/index.ts'
import type { Cut } from './delegate.ts'
import { lockNames } from './taking-store.ts'

/** A deleted zone that can still be restored. */
export interface DeletedZone {
  readonly id: string
  readonly name: string
  readonly parentId: string | null
  readonly origin: 'verified' | 'bought' | 'claimed' | 'added'
  readonly wasLive: boolean
  /** Whether the operator added it. */
  readonly isVouched: boolean
  /** Whether another account has had its name since, or it was given up in a contest. */
  readonly isLost: boolean
  readonly deletedAt: Date
  /** The time of deletion in microseconds, for the cursor of the next page. */
  readonly deletedAtText: string
  readonly erasedAt: Date
}

const columns = (days: number) => sql`
  id, name, parent_id as "parentId", origin, live_at is not null as "wasLive", vouched as "isVouched", lost_at is not null as "isLost", deleted_at as "deletedAt", deleted_at::text as "deletedAtText",
  deleted_at + make_interval(days => ${days}) as "erasedAt"`

/** Up to `limit` + 1 zones that an account deleted within `days` days and can restore, latest first. `after`: time and id of a cursor. */
export async function pageOfDeleted(
  db: Db,
  accountId: string,
  { days, after, limit }: { days: number; after: readonly string[] | undefined; limit: number },
): Promise<DeletedZone[]> {
  const { rows } = await sql<DeletedZone>`
    select ${columns(days)} from zones
    where account_id = ${accountId} and state = 'deleted' and lost_at is null and deleted_at > app_now() - make_interval(days => ${days})
      and (${after?.[0] ?? null}::timestamptz is null or (deleted_at, id) < (${after?.[0] ?? null}::timestamptz, ${after?.[1] ?? null}::uuid))
    order by deleted_at desc, id desc limit ${limit + 1}`.execute(db)
  return rows
}

/**
 * The account's deleted zone, locked, with the zone that delegated to it and all zones concerned by its name; undefined if it is
 * too late.
 */
export async function lockDeleted(
  tx: Tx,
  accountId: string,
  zoneId: string,
  days: number,
): Promise<DeletedZone | undefined> {
  const asked = await readDeleted(tx, accountId, zoneId, days)
  if (asked === undefined) return undefined
  const { name, parentId } = asked
  await lockNames(tx, [{ name, by: accountId }], parentId === null ? [zoneId] : [zoneId, parentId])
  return readDeleted(tx, accountId, zoneId, days)
}

async function readDeleted(db: Db, accountId: string, zoneId: string, days: number): Promise<DeletedZone | undefined> {
  const { rows } = await sql<DeletedZone>`
    select ${columns(days)} from zones
    where id = ${zoneId} and account_id = ${accountId} and state = 'deleted'
      and deleted_at > app_now() - make_interval(days => ${days})`.execute(db)
  return rows[0]
}

/**
 * Gives a claimed subdomain back to its account, even if the account has claimed and deleted the name again since then. Returns how many
 * subdomains the account then has.
 */
export async function unreleaseSubdomain(
  tx: Tx,
  { id, name, accountId }: { readonly id: string; readonly name: string; readonly accountId: string },
): Promise<number> {
  await sql`
    update free_subdomains set zone_id = ${id}, released_at = null
    where name = ${name} and account_id = ${accountId}`.execute(tx)
  const { rows } = await sql<{ claimed: number }>`
    select count(*)::int as claimed from free_subdomains where account_id = ${accountId} and released_at is null`.execute(
    tx,
  )
  return rows[0]?.claimed ?? 0
}

/** Cuts of a restored zone that changed while it was deleted: zones below it that no longer exist, or that it does not delegate to yet. */
export async function cutsToMend(db: Db, zoneId: string): Promise<Cut[]> {
  const { rows } = await sql<Cut>`
    select r.name, false as present from zone_rrsets r
    where r.zone_id = ${zoneId} and r.managed and r.type = 'NS' and not exists (
      select from zones child where child.name = r.name and child.state = 'live' and child.parent_id = ${zoneId})
    union all
    select child.name, true from zones child
    where child.parent_id = ${zoneId} and child.state = 'live' and not exists (
      select from zone_rrsets r where r.zone_id = ${zoneId} and r.name = child.name and r.type = 'NS' and r.managed)`.execute(
    db,
  )
  return rows
}

/** By then every restore that started in time has ended: it has few statements, and none runs for more than 30 s. */
const erasureMarginMinutes = 10

/** Zones that can no longer be restored, not even by a restore that had already started. */
export async function zonesToErase(db: Db, days: number, max: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from zones where state = 'deleted' and deleted_at <= app_now() - make_interval(days => ${days}, mins => ${erasureMarginMinutes})
    order by deleted_at limit ${max}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Erases up to `max` rows of a zone's records or histories, and returns their number. These tables have no foreign key. */
export async function eraseSome(db: Db, zoneId: string, max: number): Promise<number> {
  const { rows } = await sql<{ erased: number }>`
    with rrsets as (
      delete from zone_rrsets where ctid = any(array(select ctid from zone_rrsets where zone_id = ${zoneId} limit ${max})) returning 1
    ), changes as (
      delete from zone_changes where ctid = any(array(select ctid from zone_changes where zone_id = ${zoneId} limit ${max})) returning 1
    ), journal as (
      delete from zone_journal where ctid = any(array(select ctid from zone_journal where zone_id = ${zoneId} limit ${max})) returning 1
    )
    select (select count(*) from rrsets)::int + (select count(*) from changes)::int + (select count(*) from journal)::int as erased`.execute(
    db,
  )
  return rows[0]?.erased ?? 0
}

/** Erases the zone itself, and keeps the last serial of its name, so that the next zone of the name continues from it. */
export async function eraseZoneRow(tx: Tx, zoneId: string): Promise<void> {
  await sql`
    insert into zone_serials as kept (name, serial) select name, serial from zones where id = ${zoneId} and state = 'deleted'
    on conflict (name) do update set serial = greatest(kept.serial, excluded.serial)`.execute(tx)
  await sql`delete from zones where id = ${zoneId} and state = 'deleted'`.execute(tx)
}

/** Locks the keys that covered a deleted zone, before zones are locked, as when a key is restricted. */
export async function lockFormerKeys(tx: Tx, zoneId: string): Promise<void> {
  await sql`
    select from api_keys where id in (select key_id from deleted_zone_scopes where zone_id = ${zoneId}) order by id for key share`.execute(
    tx,
  )
}

/**
 * Returns a restored zone to the scopes of the keys that covered it, with their limits. Keys that are no longer valid, or whose account no longer has
 * access, stay without it. Returns how many cover it again.
 */
export async function returnToScopes(tx: Tx, zoneId: string): Promise<number> {
  const { rows } = await sql`
    with covered as (delete from deleted_zone_scopes where zone_id = ${zoneId} returning zone_id, key_id, limits)
    insert into api_key_zones (key_id, zone_id, limits)
    select k.id, z.id, covered.limits from covered join zones z on z.id = covered.zone_id join api_keys k on k.id = covered.key_id
    where k.revoked_at is null and not k.all_zones and (k.expires_at is null or k.expires_at > app_now())
      and (k.account_id = z.account_id
        or exists (select from zone_managers m where m.zone_id = z.id and m.account_id = k.account_id))
    on conflict do nothing returning key_id`.execute(tx)
  return rows.length
}
