import { maxPageSize } from '@zonewright/contract'
import type { KeyCaller, SessionCaller } from '#platform/caller.ts'
import { type Db, type Statement, sql } from '#platform/postgres/index.ts'
import { type ZoneRow, zoneColumns } from './store.ts'

export interface ZoneFilter {
  readonly limit: number
  /** Name and id of the zone to go on after. */
  readonly after?: readonly string[] | undefined
  readonly name?: string | undefined
  readonly q?: string | undefined
  readonly role?: 'owner' | 'manager' | undefined
  readonly state?: 'pending' | 'live' | undefined
}

/** Zones that a caller may see, one more than `limit`, by name: what its key covers, or all that its account owns and manages. */
export async function listZones(
  db: Db,
  caller: KeyCaller | SessionCaller,
  filter: ZoneFilter,
): Promise<readonly ZoneRow[]> {
  // Each branch reads no more than a page, in order: an account may have a hundred thousand zones. A condition that is not asked for is
  // not in the statement: with it, a plan for all cases would read them all.
  const branches = [
    ...(filter.role !== 'manager' && owns(caller) ? [page(sql`z.account_id = ${caller.accountId}`, filter)] : []),
    ...(filter.role === 'owner' && owns(caller) ? [] : [page(othersOf(caller, filter.role), filter)]),
  ]
  const { rows } = await sql<ZoneRow>`
    select * from (${sql.join(branches, sql` union all `)}) found
    order by name, id limit ${filter.limit + 1}`.execute(db)
  return rows
}

/** Whether it sees all zones of its account. */
function owns(caller: KeyCaller | SessionCaller): boolean {
  return caller.kind === 'session' || caller.allZones
}

/** Zones that the caller sees for another reason than that all of its account's are its own: those that it manages, or was given. */
function othersOf(caller: KeyCaller | SessionCaller, role: ZoneFilter['role']) {
  const isAnothers = sql`z.account_id <> ${caller.accountId}`
  if (caller.kind === 'session') return sql`z.id in (${managedIds(caller)}) and ${isAnothers}`
  const isPicked = sql`z.id in (select zone_id from api_key_zones where key_id = ${caller.keyId})`
  // A picked zone counts as long as the account has a part in it.
  const isShared = sql`${isPicked} and ${isAnothers} and z.id in (${managedIds(caller)})`
  if (owns(caller) || role === 'manager') return isShared
  const isOwn = sql`${isPicked} and z.account_id = ${caller.accountId}`
  return role === 'owner' ? isOwn : sql`((${isOwn}) or (${isShared}))`
}

function managedIds({ accountId }: KeyCaller | SessionCaller) {
  return sql`select zone_id from zone_managers where account_id = ${accountId}`
}

function asked({ name, q, state }: Pick<ZoneFilter, 'name' | 'q' | 'state'>): Statement[] {
  return [
    ...(name === undefined ? [] : [sql`z.name = ${name}`]),
    ...(q === undefined ? [] : [sql`position(lower(${q}) in z.name) > 0`]),
    ...(state === undefined ? [] : [sql`z.state = ${state}`]),
  ]
}

/** The longest page of the zones that satisfy a condition and the filter: with a length that is not known the index would not be used. */
function page(condition: Statement, { after, name, q, state }: ZoneFilter): Statement {
  const conditions = [
    condition,
    sql`z.state <> 'deleted'`,
    // The first of the two finds the place in the index.
    ...(after === undefined
      ? []
      : [sql`z.name >= ${after[0]}`, sql`(z.name, z.id::text collate "C") > (${after[0]}, ${after[1]})`]),
    ...asked({ name, q, state }),
  ]
  return sql`(select ${zoneColumns} from zones z where ${sql.join(conditions, sql` and `)} order by z.name, z.id limit ${sql.lit(maxPageSize + 1)})`
}

function visibleIds(caller: KeyCaller | SessionCaller) {
  const owned = sql`select id from zones where account_id = ${caller.accountId}`
  const managed = managedIds(caller)
  if (caller.kind === 'session') return sql`${owned} union all ${managed}`
  // A picked zone counts as long as the account has a part in it.
  const picked = sql`
    select zone_id from api_key_zones
    where key_id = ${caller.keyId} and (zone_id in (${owned}) or zone_id in (${managed}))`
  return caller.allZones ? sql`${owned} union all ${picked}` : picked
}

/**
 * The zone that a fully qualified name belongs to, as a page of one or none: of the visible ones at or above it that satisfy the filter
 * the longest. Of two of one name, an own pending and a shared live one, it is the one that `{zone}` means, too.
 */
export async function zoneOwningName(
  db: Db,
  caller: KeyCaller | SessionCaller,
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
