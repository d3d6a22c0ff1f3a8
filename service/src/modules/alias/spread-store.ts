import { serialClock, type ZoneAdvance } from '#modules/zones/index.ts'
import { type Db, type Statement, sql, type Tx } from '#platform/postgres/index.ts'
import type { PublishedAlias, TargetAddresses } from './published-store.ts'

export const isAnyTargetBehind = sql`exists (select from alias_targets where is_behind)`

/** A row of `zone_aliases` that publishes an earlier revision of its target, in a zone that is not deleted. */
const isBehind = sql`a.revision <> t.revision and (select state from zones where id = a.zone_id) <> 'deleted'`

/** Up to `max` zones that publish earlier addresses of a target. */
export async function zonesBehind(db: Db, max: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct zone_id as id from (
      select a.zone_id from alias_targets t join zone_aliases a on a.target = t.target
      where t.is_behind and ${isBehind} limit ${max}) behind`.execute(db)
  return rows.map(({ id }) => id)
}

/** Records that no zone publishes earlier addresses of a target. */
export async function noteSpread(db: Db): Promise<void> {
  await sql`
    update alias_targets t set is_behind = false
    where t.is_behind and not exists (select from zone_aliases a where a.target = t.target and ${isBehind})`.execute(db)
}

/** A locked zone that publishes new addresses. */
export interface SpreadZone extends ZoneAdvance {
  readonly isLive: boolean
  readonly serialClock: number
}

/** Locks these zones, except those that are gone or that a customer's change has locked. */
export async function lockSpreadZones(tx: Tx, zoneIds: readonly string[]): Promise<SpreadZone[]> {
  const { rows } = await sql<SpreadZone>`
    select id, version, serial, rrset_count as "rrsetCount", bytes, state = 'live' as "isLive", ${serialClock} as "serialClock"
    from zones where id = any(${zoneIds}::uuid[]) and state <> 'deleted' order by id for no key update skip locked`.execute(
    tx,
  )
  return rows
}

/** What an ALIAS publishes, and the current addresses of its target, which are locked until the transaction ends. */
export interface AliasBehind extends PublishedAlias {
  readonly now: TargetAddresses
}

/** Some of the ALIAS records of locked zones that publish an earlier revision of their target: at most `max`. */
export async function aliasesBehind(tx: Tx, zoneIds: readonly string[], max: number): Promise<AliasBehind[]> {
  const { rows } = await sql<AliasBehind>`
    select a.zone_id as "zoneId", a.name, a.target, a.rrset_ttl as "rrsetTtl", a.ttl, a.a, a.aaaa, a.revision,
      json_build_object('target', t.target, 'ttl', t.ttl, 'a', t.a, 'aaaa', t.aaaa, 'revision', t.revision) as now
    from zone_aliases a join alias_targets t on t.target = a.target
    where a.zone_id = any(${zoneIds}::uuid[]) and a.revision <> t.revision order by t.target limit ${max} for share of t`.execute(
    tx,
  )
  return rows
}

/** A step in the journal of a zone. */
export interface SpreadStep {
  readonly zone_id: string
  readonly from_serial: number
  readonly to_serial: number
  readonly removed: readonly object[]
  readonly added: readonly object[]
  readonly bytes: number
}

export function stepsStatement(steps: readonly SpreadStep[]): Statement {
  return sql`
    insert into zone_journal (zone_id, from_serial, to_serial, removed, added, bytes)
    select * from ${stepRows(steps)} returning to_serial`
}

const stepRows = sql.recordset(
  'step',
  'zone_id uuid, from_serial bigint, to_serial bigint, removed json, added json, bytes bigint',
)
