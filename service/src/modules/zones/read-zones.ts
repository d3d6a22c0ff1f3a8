import type { DelegationState } from '@zonewright/contract'
import type { Caller } from '#platform/caller.ts'
import { type Db, type Statement, sql } from '#platform/postgres/index.ts'
import { instantKey, type SortedPlace, type SortedWish, sortedPage } from './sorted-page.ts'
import { delegationOf, dsOf, expiryOf } from './standing.ts'
import { type ZoneRow, zoneColumns } from './store.ts'

/** Which zones a list has. */
export interface ZoneFilter {
  readonly name?: string | undefined
  readonly q?: string | undefined
  readonly role?: 'owner' | 'manager' | undefined
  readonly state?: 'pending' | 'live' | undefined
  readonly delegation?: DelegationState | undefined
  readonly dnssec?: 'ds' | 'no_ds' | 'unknown' | undefined
  /** ISO 8601. */
  readonly expiresBefore?: string | undefined
  readonly label?: string | undefined
  /** The id of a preset that was applied to it. */
  readonly preset?: string | undefined
}

/** The members of zones by which a list can be sorted besides the name. */
const sortKeys: Readonly<Record<string, Statement>> = {
  state: sql`z.state`,
  delegation: delegationOf,
  expires_at: instantKey(expiryOf),
  rrset_count: sql`lpad(z.rrset_count::text, 10, '0')`,
  created_at: instantKey(sql`z.created_at`),
}

const zonesTable = { row: sql`z`, from: sql`zones z`, keys: sortKeys }

/** Up to `limit` + 1 zones that a caller can see: those in its key's scope, or all that its account owns and manages. */
export async function listZones(
  db: Db,
  caller: Caller,
  filter: ZoneFilter & SortedWish,
): Promise<readonly (ZoneRow & SortedPlace)[]> {
  // An unused condition is left out of the statement: a plan that covers all cases would read every zone.
  const conditions = [sql`z.state <> 'deleted'`, ...asked(filter)]
  const branches = [
    ...(filter.role !== 'manager' && owns(caller) ? [[sql`z.account_id = ${caller.accountId}`, ...conditions]] : []),
    ...(filter.role === 'owner' && owns(caller) ? [] : [[othersOf(caller, filter.role), ...conditions]]),
  ]
  const { rows: places } = await sortedPage(zonesTable, branches, filter).execute(db)
  const { rows } = await sql<ZoneRow>`
    select ${zoneColumns} from zones z where z.id = any(${places.map(({ id }) => id)}::uuid[]) and z.state <> 'deleted'`.execute(
    db,
  )
  const zones = new Map(rows.map((row) => [row.id, row]))
  return places.flatMap((place) => {
    const zone = zones.get(place.id)
    return zone === undefined ? [] : [{ ...zone, ...place }]
  })
}

/** Whether the caller sees all zones of its account. */
function owns(caller: Caller): boolean {
  return caller.kind === 'session' || caller.allZones
}

/** Zones that the caller sees for another reason than its account owning them: those that it manages, or that are in its key's scope. */
function othersOf(caller: Caller, role: ZoneFilter['role']) {
  const isAnothers = sql`z.account_id <> ${caller.accountId}`
  if (caller.kind === 'session') return sql`z.id in (${managedIds(caller)}) and ${isAnothers}`
  const isPicked = sql`z.id in (select zone_id from api_key_zones where key_id = ${caller.keyId})`
  // A zone of the scope counts as long as the account has access to it.
  const isShared = sql`${isPicked} and ${isAnothers} and z.id in (${managedIds(caller)})`
  if (owns(caller) || role === 'manager') return isShared
  const isOwn = sql`${isPicked} and z.account_id = ${caller.accountId}`
  return role === 'owner' ? isOwn : sql`((${isOwn}) or (${isShared}))`
}

function managedIds({ accountId }: Caller) {
  return sql`select zone_id from zone_managers where account_id = ${accountId}`
}

function asked(filter: ZoneFilter): Statement[] {
  const { name, q, state } = filter
  return [
    ...(name === undefined ? [] : [sql`z.name = ${name}`]),
    ...(q === undefined ? [] : [sql`position(lower(${q}) in z.name) > 0`]),
    ...(state === undefined ? [] : [sql`z.state = ${state}`]),
    ...(isOneAsked(filter) ? [standsAs(filter)] : []),
  ]
}

function isOneAsked({ delegation, dnssec, expiresBefore, label, preset }: ZoneFilter): boolean {
  return [delegation, dnssec, expiresBefore, label, preset].some((one) => one !== undefined)
}

/** Conditions that no index helps with, in one form for all combinations. Each zone is compared while the list is walked. */
function standsAs({ delegation, dnssec, expiresBefore, label, preset }: ZoneFilter): Statement {
  const ifAsked = (value: string | undefined, condition: Statement) =>
    sql`(${value ?? null}::text is null or ${condition})`
  return sql.join(
    [
      ifAsked(label, sql`z.labels @> array[${label ?? null}::text]`),
      ifAsked(delegation, sql`${delegationOf} = ${delegation ?? null}`),
      ifAsked(
        dnssec,
        sql`case ${dsOf} when true then 'ds' when false then 'no_ds' else 'unknown' end = ${dnssec ?? null}`,
      ),
      ifAsked(expiresBefore, sql`${expiryOf} < ${expiresBefore ?? null}::timestamptz`),
      ifAsked(
        preset,
        sql`(select true from zone_presets p where p.zone_id = z.id and p.preset_id = ${preset ?? null})`,
      ),
    ],
    sql` and `,
  )
}

/** The ids of all zones that a caller can see, as a subquery. */
export function visibleIds(caller: Caller): Statement {
  const owned = sql`select id from zones where account_id = ${caller.accountId}`
  const managed = managedIds(caller)
  if (caller.kind === 'session') return sql`${owned} union all ${managed}`
  // A zone of the scope counts as long as the account has access to it.
  const picked = sql`
    select zone_id from api_key_zones
    where key_id = ${caller.keyId} and (zone_id in (${owned}) or zone_id in (${managed}))`
  return caller.allZones ? sql`${owned} union all ${picked}` : picked
}

/**
 * The zone that a fully qualified name belongs to, as a page of at most one: the longest of the visible zones at or above the name that match
 * the filter. Of a pending zone of the account and a shared live one of the same name, it is the one that `{zone}` refers to.
 */
export async function zoneOwningName(
  db: Db,
  caller: Caller,
  ownedName: string,
  { role, ...filter }: ZoneFilter,
): Promise<readonly ZoneRow[]> {
  const labels = ownedName.split('.')
  const candidates = labels.map((_, i) => labels.slice(i).join('.'))
  const conditions = [
    sql`z.name = any(${candidates})`,
    sql`z.id in (${visibleIds(caller)})`,
    sql`z.state <> 'deleted'`,
    ...(role === undefined ? [] : [sql`(z.account_id = ${caller.accountId}) = ${role === 'owner'}`]),
    ...asked(filter),
  ]
  const { rows } = await sql<ZoneRow>`
    select ${zoneColumns} from zones z where ${sql.join(conditions, sql` and `)}
    order by length(z.name) desc, z.state = 'live' desc, z.account_id = ${caller.accountId} desc, z.id limit 1`.execute(
    db,
  )
  return rows
}
