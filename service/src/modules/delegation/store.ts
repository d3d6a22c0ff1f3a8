import type { DelegationState } from '@zonewright/contract'
import { type Db, sql, type Tx } from '#platform/postgres/index.ts'
import type { ParentFailure } from '#ports/parent-dns.ts'
import type { RegistryEntry } from '#ports/registry-lookup.ts'
import type { KnownDelegation } from './rules.ts'

/** A zone to be checked, with what was known about it when it was claimed. */
export interface ClaimedZone extends KnownDelegation {
  readonly zoneId: string
  readonly name: string
  /** The revision of the row that was read. Results that others record in the meantime change it. */
  readonly revision: number
  /** The names of the customer's own secondaries, which belong to the expected nameservers. */
  readonly secondaryNames: readonly string[]
  /** Its registration ends soon or has ended, and may have been renewed since the last query of the registry. */
  readonly isExpiryStale: boolean
  /** All nameservers of its domain were ours before. */
  readonly wasLive: boolean
  /** At its last check, the domain had nameservers. */
  readonly hadNameservers: boolean
}

/** From this number of days before a registration ends, the registry is queried once a day for a renewal. */
const expiresSoonDays = 31

const known = sql`
  d.zone_id as "zoneId", z.name, coalesce(z.secondary_names, '{}') as "secondaryNames", z.state = 'live' as "isLive", d.state, d.candidate, d.revision,
  extract(epoch from app_now() - d.since)::float8 as "stateAgeS",
  extract(epoch from app_now() - d.candidate_at)::float8 as "candidateAgeS",
  coalesce(d.registry_expires_at < app_now() + make_interval(days => ${expiresSoonDays})
    and d.registry_asked_at < app_now() - interval '1 day', false) as "isExpiryStale",
  d.first_live_at is not null or d.state in ('live', 'lost', 'missing') as "wasLive",
  coalesce(d.parent_nameservers, '{}') <> '{}' as "hadNameservers"`

/** How long a claimed zone belongs to its worker: longer than a check can take. If the worker is killed, it is due again after that. */
const leaseS = 60

export const isAnyDue = sql`(select min(due_at) from zone_delegations) <= app_now()`

/** Claims the zones whose check has been due longest. */
export async function claimDue(tx: Tx, max: number): Promise<ClaimedZone[]> {
  const { rows } = await sql<ClaimedZone>`
    with due as (
      select zone_id from zone_delegations where due_at <= app_now() order by due_at limit ${max} for update skip locked
    )
    update zone_delegations d set due_at = app_now() + make_interval(secs => ${leaseS})
    from due join zones z on z.id = due.zone_id where d.zone_id = due.zone_id
    returning ${known}`.execute(tx)
  return rows
}

/** Claims one zone for a requested check; undefined if it was checked less than `pauseS` ago. */
export async function claimOne(db: Db, zoneId: string, pauseS: number): Promise<ClaimedZone | undefined> {
  const { rows } = await sql<ClaimedZone>`
    update zone_delegations d set asked_at = app_now()
    from zones z
    where d.zone_id = ${zoneId} and z.id = d.zone_id
      and (d.asked_at is null or d.asked_at <= app_now() - make_interval(secs => ${pauseS}))
    returning ${known}`.execute(db)
  return rows[0]
}

/** Makes a zone's check due immediately, because its delegation was changed. A check in progress no longer counts. */
export async function hurryCheck(tx: Tx, zoneName: string): Promise<void> {
  await sql`
    update zone_delegations d set due_at = app_now(), revision = d.revision + 1
    from zones z where z.id = d.zone_id and z.name = ${zoneName} and z.state = 'live'`.execute(tx)
}

/** The zones' current data, locked until the transaction ends. Lock the zones' own rows first. */
export async function lockDelegations(tx: Tx, zoneIds: readonly string[]): Promise<ReadonlyMap<string, ClaimedZone>> {
  const { rows } = await sql<ClaimedZone>`
    select ${known} from zone_delegations d join zones z on z.id = d.zone_id
    where d.zone_id = any(${[...zoneIds]}::uuid[]) order by d.zone_id for update of d`.execute(tx)
  return new Map(rows.map((row) => [row.zoneId, row]))
}

/** The result of a check, to be recorded. */
export interface CheckRecord {
  readonly zoneId: string
  readonly revision: number
  readonly state: DelegationState
  readonly candidate: DelegationState | null
  readonly failure: ParentFailure | null
  /** Null: the parent gave no answer; its last answer stays. */
  readonly parentNameservers: readonly string[] | null
  readonly isRegistryAsked: boolean
  /** Null: the registry was not queried, or gave no answer; its last answer stays. */
  readonly registry: RegistryEntry | null
  readonly nextCheckS: number
}

/**
 * Records many checks. A check is left out if another result was recorded for its zone since it was claimed: that check
 * has scheduled the next one.
 */
export async function recordChecks(db: Db, checks: readonly CheckRecord[]): Promise<void> {
  const rows = checks.map(({ registry, ...check }) => ({
    ...check,
    registryNameservers: registry?.nameservers ?? null,
    registryExpiresAt: registry?.expiresAt ?? null,
  }))
  // Up to a tenth later, so that zones that were checked together do not stay together.
  await sql`
    update zone_delegations d set
      state = c.state, since = case when d.state = c.state then d.since else app_now() end,
      first_live_at = coalesce(d.first_live_at, case when c.state = 'live' then app_now() end),
      candidate = c.candidate,
      candidate_at = case when c.candidate is null then null
        when d.candidate = c.candidate then d.candidate_at else app_now() end,
      failure = c.failure,
      parent_nameservers = coalesce(c."parentNameservers", d.parent_nameservers),
      registry_nameservers = coalesce(c."registryNameservers", d.registry_nameservers),
      registry_expires_at = case when c."registryNameservers" is null then d.registry_expires_at else c."registryExpiresAt" end,
      registry_asked_at = case when c."isRegistryAsked" then app_now() else d.registry_asked_at end,
      checked_at = case when c.failure is null then app_now() else d.checked_at end,
      asked_at = app_now(),
      due_at = case when d.due_at is not null then app_now() + make_interval(secs => c."nextCheckS" * (1 + random() / 10)) end,
      revision = d.revision + 1
    from ${checkRows(rows)}
    where d.zone_id = c."zoneId" and d.revision = c.revision`.execute(db)
}

const checkRows = sql.recordset(
  'c',
  `"zoneId" uuid, revision bigint, state text, candidate text, failure text, "parentNameservers" text[],
   "isRegistryAsked" boolean, "registryNameservers" text[], "registryExpiresAt" timestamptz,
   "nextCheckS" float8`,
)

/** A zone's delegation as the API shows it. */
export interface DelegationRow {
  readonly state: DelegationState
  readonly since: Date
  readonly parentNameservers: string[]
  readonly registryNameservers: string[]
  /** Null: unknown. */
  readonly registryExpiresAt: Date | null
  readonly checkedAt: Date | null
  readonly failure: ParentFailure | null
  /** The names of the customer's own secondaries, which belong to the expected nameservers. */
  readonly secondaryNames: readonly string[]
}

export async function readDelegation(db: Db, zoneId: string): Promise<DelegationRow | undefined> {
  const { rows } = await sql<DelegationRow>`
    select d.state, d.since, d.parent_nameservers as "parentNameservers", d.registry_nameservers as "registryNameservers",
      d.registry_expires_at as "registryExpiresAt", d.checked_at as "checkedAt", d.failure,
      coalesce(z.secondary_names, '{}') as "secondaryNames"
    from zone_delegations d join zones z on z.id = d.zone_id where d.zone_id = ${zoneId}`.execute(db)
  return rows[0]
}

/** The states of these zones' delegations, by zone. */
export async function delegationStates(
  db: Db,
  zoneIds: readonly string[],
): Promise<ReadonlyMap<string, DelegationState>> {
  const { rows } = await sql<{ id: string; state: DelegationState }>`
    select zone_id as id, state from zone_delegations where zone_id = any(${zoneIds}::uuid[])`.execute(db)
  return new Map(rows.map(({ id, state }) => [id, state]))
}
