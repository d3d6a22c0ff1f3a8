import { maxPageSize } from '@zonewright/contract'
import type { Caller } from '#platform/caller.ts'
import { type Db, type Statement, sql } from '#platform/postgres/index.ts'
import { type ZoneRow, zoneColumns } from './store.ts'

export interface ZoneFilter {
  readonly limit: number
  /** Name and id of the zone after which to continue. */
  readonly after?: readonly string[] | undefined
  readonly name?: string | undefined
  readonly q?: string | undefined
  readonly role?: 'owner' | 'manager' | undefined
  readonly state?: 'pending' | 'live' | undefined
}

/** Up to `limit` + 1 zones that a caller can see, by name: those in its key's scope, or all that its account owns and manages. */
export async function listZones(db: Db, caller: Caller, filter: ZoneFilter): Promise<readonly ZoneRow[]> {
  // Each branch reads at most one page, in order, because an account may have a hundred thousand zones. An unused condition is left out of
  // the statement: a plan that covers all cases would read every zone.
  const branches = [
    ...(filter.role !== 'manager' && owns(caller) ? [page(sql`z.account_id = ${caller.accountId}`, filter)] : []),
    ...(filter.role === 'owner' && owns(caller) ? [] : [page(othersOf(caller, filter.role), filter)]),
  ]
  const { rows } = await sql<ZoneRow>`
    select * from (${sql.join(branches, sql` union all `)}) found
    order by name, id limit ${filter.limit + 1}`.execute(db)
  return rows
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

function asked({ name, q, state }: Pick<ZoneFilter, 'name' | 'q' | 'state'>): Statement[] {
  return [
    ...(name === undefined ? [] : [sql`z.name = ${name}`]),
    ...(q === undefined ? [] : [sql`position(lower(${q}) in z.name) > 0`]),
    ...(state === undefined ? [] : [sql`z.state = ${state}`]),
  ]
}

/** The longest page of the zones that match a condition and the filter. With an unknown length, the index would not be used. */
function page(condition: Statement, { after, name, q, state }: ZoneFilter): Statement {
  const conditions = [
    condition,
    sql`z.state <> 'deleted'`,
    // The first of the two conditions finds the start in the index.
    ...(after === undefined
      ? []
      : [sql`z.name >= ${after[0]}`, sql`(z.name, z.id::text collate "C") > (${after[0]}, ${after[1]})`]),
    ...asked({ name, q, state }),
  ]
  return sql`(select ${zoneColumns} from zones z where ${sql.join(conditions, sql` and `)} order by z.name, z.id limit ${sql.lit(maxPageSize + 1)})`
}

function visibleIds(caller: Caller) {
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
