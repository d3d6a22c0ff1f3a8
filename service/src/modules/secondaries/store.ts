import { ourNames, publishedNames, type ZoneStep } from '#modules/primary/index.ts'
import { journalStatement } from '#modules/publication/index.ts'
import { serialClock } from '#modules/zones/index.ts'
import { type Db, sql, type Tx } from '#platform/postgres/index.ts'
import { type AfterNotify, leastPauseS, type NotifyOutcome, type WantedSecondary } from './rules.ts'

/** A secondary is no longer notified after this time without a signed query of its key, and without a change of the list. */
const silence = sql`interval '24 hours'`

/**
 * Condition on a secondary `s` and its zone `z`: its key can transfer the zone. The same that the DNS door requires, for a key of the owner.
 */
const isUsable = sql`exists (
  select from api_keys k join api_key_tsig t on t.key_id = k.id
  where k.id = s.key_id and k.account_id = z.account_id and k.revoked_at is null
    and coalesce(k.expires_at > app_now(), true) and not k.is_limited and 'records:read' = any(k.permissions)
    and (k.all_zones or exists (select from api_key_zones kz where kz.key_id = k.id and kz.zone_id = z.id)))`

/** A secondary as its zone's owner sees it. */
export interface SecondaryRow extends WantedSecondary {
  /** Null: the account has no such key. */
  readonly keyName: string | null
  readonly keyExpiresAt: Date | null
  readonly isUsable: boolean
  /** It is still notified, if its key is usable. */
  readonly isHeard: boolean
  readonly notifiedAt: Date | null
  readonly notifyOutcome: NotifyOutcome | null
  readonly readAt: Date | null
}

/** The secondaries of a zone, in the customer's order. */
export async function readSecondaries(db: Db, zoneId: string): Promise<SecondaryRow[]> {
  const { rows } = await sql<SecondaryRow>`
    select s.address, s.port, s.key_id as "keyId", s.ns_name as "nsName", k.name as "keyName", k.expires_at as "keyExpiresAt",
      ${isUsable} as "isUsable", s.active_until > app_now() as "isHeard", s.notified_at as "notifiedAt",
      s.notify_outcome as "notifyOutcome", s.read_at as "readAt"
    from zone_secondaries s join zones z on z.id = s.zone_id
    left join api_keys k on k.id = s.key_id and k.account_id = z.account_id
    where s.zone_id = ${zoneId} order by s.position`.execute(db)
  return rows
}

/** The state of a zone's apex, and whether these names have an address in it. */
export interface Apex {
  /** Our nameservers that it names. */
  readonly ours: readonly string[]
  readonly serialClock: number
  /** Those of the names that have an A or AAAA record. */
  readonly addressed: readonly string[]
}

/** Reads it for a zone whose row is locked. */
export async function readApex(tx: Tx, zoneId: string, names: readonly string[]): Promise<Apex> {
  const { rows } = await sql<Apex>`
    select coalesce(${ourNames}, '{}') as ours, ${serialClock} as "serialClock", array(
      select distinct r.name from zone_rrsets r
      where r.zone_id = z.id and r.name = any(${[...names]}::text[]) and r.type in ('A', 'AAAA')) as addressed
    from zones z where z.id = ${zoneId}`.execute(tx)
  return rows[0] as Apex
}

/**
 * Replaces the secondaries of a zone, and notifies all of them. A NOTIFY follows the previous one to the same address after a second at the
 * earliest, even if the secondary was removed and added again.
 */
export async function replaceSecondaries(tx: Tx, zoneId: string, wanted: readonly WantedSecondary[]): Promise<void> {
  await sql`
    delete from zone_secondaries where zone_id = ${zoneId} and address <> all(${wanted.map(({ address }) => address)}::text[])`.execute(
    tx,
  )
  const pause = sql`make_interval(secs => ${leastPauseS})`
  await sql`
    insert into zone_secondaries as s (zone_id, address, port, key_id, ns_name, position, active_until, due_at)
    select ${zoneId}::uuid, w.address, w.port, w."keyId", w."nsName", w.position, app_now() + ${silence}, app_now() + ${pause}
    from ${wantedRows(wanted.map((each, position) => ({ ...each, position })))}
    on conflict (zone_id, address) do update set
      port = excluded.port, key_id = excluded.key_id, ns_name = excluded.ns_name, position = excluded.position,
      active_until = excluded.active_until, notified_serial = null, attempts = 0,
      read_at = case when s.key_id = excluded.key_id then s.read_at end,
      due_at = greatest(app_now(), s.notified_at + ${pause}, case when s.notified_at is null then s.due_at end)`.execute(
    tx,
  )
}

const wantedRows = sql.recordset('w', 'address text, port int, "keyId" text, "nsName" text, position int')

/**
 * Publishes the names of secondaries with a journal step. Undefined: the zone is not live, and publishes nothing. Its serial advances to
 * `serial`, so that a change that was planned before is planned again.
 */
export async function writeNames(
  tx: Tx,
  zoneId: string,
  names: readonly string[],
  { step, serial }: { readonly step: ZoneStep | undefined; readonly serial: number },
): Promise<void> {
  const stored = names.length === 0 ? null : [...names]
  await sql`
    update zones set secondary_names = ${stored}::text[], serial = ${step?.to ?? serial} where id = ${zoneId}`.execute(
    tx,
  )
  if (step === undefined) return
  const { from, to, removed, added } = step
  await journalStatement([{ zone_id: zoneId, from_serial: from, to_serial: to, removed, added }]).execute(tx)
}

export const hasAnySecondary = sql`exists (select from zone_secondaries)`

/** How long a claimed NOTIFY belongs to its worker: longer than it can take. */
const leaseS = 10

/** A secondary that must be notified of its zone's serial. */
export interface ClaimedSecondary {
  readonly zoneId: string
  readonly zoneName: string
  /** The owner of the zone. */
  readonly accountId: string
  readonly serial: number
  /** All names in the zone's NS records. */
  readonly nameservers: readonly string[]
  readonly address: string
  readonly port: number
  readonly keyId: string
  /** The TSIG secret, sealed for the id of the key. */
  readonly sealed: Buffer
  readonly attempts: number
  /** Identifies this NOTIFY: the end of its lease, as the database writes it. */
  readonly leaseEnd: string
}

/**
 * Claims secondaries whose zone has changed since the last NOTIFY, except those of zones of `exceptAccounts`. Reads all secondaries: there are
 * few, and a serial that one was not notified of cannot be found by an index.
 */
export async function claimDue(tx: Tx, max: number, exceptAccounts: readonly string[]): Promise<ClaimedSecondary[]> {
  const { rows } = await sql<ClaimedSecondary>`
    with due as materialized (
      select s.zone_id, s.address from zone_secondaries s join zones z on z.id = s.zone_id
      where s.due_at <= app_now() and s.active_until > app_now() and z.state = 'live'
        and s.notified_serial is distinct from z.serial and z.account_id <> all(${[...exceptAccounts]}::uuid[]) and ${isUsable}
      order by s.due_at limit ${max} for no key update of s skip locked
    )
    update zone_secondaries s set due_at = app_now() + make_interval(secs => ${leaseS}), notified_at = app_now(),
      attempts = case when s.tried_serial = z.serial then s.attempts else 0 end, tried_serial = z.serial
    from due join zones z on z.id = due.zone_id cross join api_key_tsig t
    where s.zone_id = due.zone_id and s.address = due.address and t.key_id = s.key_id
    returning s.zone_id as "zoneId", z.name as "zoneName", z.account_id as "accountId", z.serial, ${publishedNames} as nameservers,
      s.address, s.port, s.key_id as "keyId", t.secret as sealed, s.attempts, s.due_at::text as "leaseEnd"`.execute(tx)
  return rows
}

/** Records the outcome of a NOTIFY. It is left out if another NOTIFY was claimed in the meantime, or if the list was saved. */
export async function recordNotify(
  db: Db,
  { zoneId, address, serial, leaseEnd }: ClaimedSecondary,
  outcome: NotifyOutcome,
  { isDone, attempts, pauseS }: AfterNotify,
): Promise<void> {
  await sql`
    update zone_secondaries set notify_outcome = ${outcome}, attempts = ${attempts},
      notified_serial = case when ${isDone} then ${serial} else notified_serial end,
      due_at = notified_at + make_interval(secs => ${pauseS})
    where zone_id = ${zoneId} and address = ${address} and due_at = ${leaseEnd}::timestamptz`.execute(db)
}

/** A query of a key for the SOA or the whole of a zone. */
export interface SignedRead {
  readonly keyId: string
  readonly zoneId: string
}

/**
 * Records that keys read zones, at most once a minute. A secondary that is no longer notified stays so until its list is saved again. Rows
 * that another transaction has locked are left out: the next query is recorded.
 */
export async function noteReads(db: Db, reads: readonly SignedRead[]): Promise<void> {
  await sql`
    with due as materialized (
      select s.zone_id, s.address from ${signedReads(reads.map(({ keyId, zoneId }) => ({ key_id: keyId, zone_id: zoneId })))}
      join zone_secondaries s on s.zone_id = r.zone_id and s.key_id = r.key_id
      where coalesce(s.read_at < app_now() - interval '1 minute', true) for no key update of s skip locked
    )
    update zone_secondaries s set read_at = app_now(),
      active_until = case when s.active_until > app_now() then app_now() + ${silence} else s.active_until end
    from due where s.zone_id = due.zone_id and s.address = due.address`.execute(db)
}

const signedReads = sql.recordset('r', 'key_id text, zone_id uuid')

/** A secondary whose serial is shown. */
export type SecondaryServer = Pick<SecondaryRow, 'address' | 'port' | 'nsName'>

/** Those of a zone, in the customer's order. */
export async function readServers(db: Db, zoneId: string): Promise<SecondaryServer[]> {
  const { rows } = await sql<SecondaryServer>`
    select s.address, s.port, s.ns_name as "nsName" from zone_secondaries s
    where s.zone_id = ${zoneId} order by s.position`.execute(db)
  return rows
}
