import { type Db, type Statement, sql } from '#platform/postgres/index.ts'
import { actorColumns, joinActor, type ShownActor } from './shown-actor.ts'
import type { AuditEntry } from './store.ts'

/** An entry as people read it. */
export interface AuditRow extends ShownActor {
  readonly id: number
  readonly at: Date
  /** With microseconds, for the cursor of the next page. */
  readonly atText: string
  readonly action: string
  readonly zone: string | null
  readonly zoneId: string | null
  readonly domain: string | null
  readonly summary: string
  readonly reference: AuditEntry['reference'] | null
  /** Whether the entry belongs to this account, not to the owner of a zone that it manages. */
  readonly isOwn: boolean
  readonly requestId: string | null
  /** Also null for entries of other accounts. */
  readonly address: string | null
}

export interface AuditFilter {
  readonly limit: number
  /** Time and id of the last row of the previous page. */
  readonly after: readonly string[] | undefined
  /** The id of a zone, or parts of the name of a zone or domain, in lower case. */
  readonly zone: readonly string[] | undefined
  /** A part of an actor's name or of the email address of its account, or the id of an actor or account. */
  readonly actor: string | undefined
  /** A part of an action. */
  readonly action: string | undefined
  readonly since: string | undefined
  readonly until: string | undefined
}

/** Maximum number of entries that a page with a filter searches, because a text search uses no index. */
export const maxSearched = 10_000
/** Minimum number of these that are searched in each zone that the account manages. */
const minSearchedInZone = 500

/**
 * Up to `limit` + 1 entries that an account may read, newest first: all of its own, and those of zones that it manages. Entries of other accounts
 * have no IP address, which is private.
 *
 * One index scan in order for its own entries and one for each zone that it manages, each read only as far as the page needs. With a filter by text,
 * the page ends at `end`, the last position that was searched; null: everything was.
 */
export async function pageOfAudit(
  db: Db,
  accountId: string,
  filter: AuditFilter,
): Promise<{ rows: AuditRow[]; end: readonly string[] | null }> {
  const isNarrow = filter.zone !== undefined || filter.actor !== undefined || filter.action !== undefined
  const end = isNarrow ? await endOfSearch(db, accountId, filter) : null
  return { rows: await findEntries(db, accountId, filter, end), end }
}

async function findEntries(db: Db, accountId: string, filter: AuditFilter, end: Position | null): Promise<AuditRow[]> {
  const wanted = sql`
    (${filter.zone ?? null}::text[] is null or exists (
      select from unnest(${filter.zone ?? null}::text[]) part
      where l.zone_id::text = part or strpos(l.zone_name, part) > 0 or strpos(l.domain, part) > 0))
    and (${filter.actor ?? null}::text is null or ${isOfActor(filter.actor ?? null)})
    and (${filter.action ?? null}::text is null or strpos(l.action, lower(${filter.action ?? null})) > 0)
    and ${isBetween(filter)}
    and l.at >= coalesce(${end?.[0] ?? null}::timestamptz, '-infinity')
    and (${end?.[0] ?? null}::timestamptz is null or (l.at, l.id) >= (${end?.[0] ?? null}::timestamptz, ${end?.[1] ?? null}::bigint))`
  const inOrder = sql`order by l.at desc, l.id desc limit ${filter.limit + 1}`
  const { rows } = await sql<AuditRow>`
    select l.id, l.at, l.at::text as "atText", ${actorColumns('l')}, l.action,
      l.zone_name as zone, l.zone_id as "zoneId", l.domain, l.summary, l.reference, l.account_id = ${accountId} as "isOwn",
      l.request_id as "requestId", case when l.account_id = ${accountId} then host(l.address) end as address
    from (
      (select * from audit_log l where l.account_id = ${accountId} and ${wanted} ${inOrder})
      union all
      (select l.* from zone_managers m cross join lateral (
          select * from audit_log l where l.zone_id = m.zone_id and l.account_id <> ${accountId} and ${wanted} ${inOrder}
        ) l where m.account_id = ${accountId} ${inOrder})
    ) l ${joinActor('l')} ${inOrder}`.execute(db)
  return rows
}

/** Time and id of an entry. */
type Position = readonly [at: string, id: string]

/** The position at which a search ends, so that it reads a bounded number of entries; null if it reads all. */
async function endOfSearch(db: Db, accountId: string, filter: AuditFilter): Promise<Position | null> {
  const { rows } = await sql<{ at: string; id: string }>`
    with managed as (select zone_id from zone_managers where account_id = ${accountId}),
      share as (select greatest(${minSearchedInZone}, ${maxSearched} / greatest(count(*), 1))::int as size from managed)
    select at::text as at, id::text as id from (
      (select l.at, l.id from audit_log l where l.account_id = ${accountId} and ${isBetween(filter)}
        order by l.at desc, l.id desc offset ${maxSearched - 1} limit 1)
      union all
      (select l.at, l.id from managed m cross join lateral (
        select l.at, l.id from audit_log l where l.zone_id = m.zone_id and l.account_id <> ${accountId} and ${isBetween(filter)}
        order by l.at desc, l.id desc offset (select size - 1 from share) limit 1) l)
    ) ends order by ends.at desc, ends.id desc limit 1`.execute(db)
  return rows[0] ? [rows[0].at, rows[0].id] : null
}

/** Condition: an entry `l` is in the requested time range, and comes after the previous page. */
function isBetween({ since, until, after }: AuditFilter): Statement {
  return sql`
    l.at >= coalesce(${since ?? null}::timestamptz, '-infinity')
    and l.at < coalesce(${until ?? null}::timestamptz, 'infinity')
    and l.at <= coalesce(${after?.[0] ?? null}::timestamptz, 'infinity')
    and (${after?.[0] ?? null}::timestamptz is null or (l.at, l.id) < (${after?.[0] ?? null}::timestamptz, ${after?.[1] ?? null}::bigint))`
}

/** Condition: the name, the address or an id of the actor of an entry `l`, as the list shows them, matches. */
function isOfActor(actor: string | null): Statement {
  return sql`(
    strpos(lower(l.actor_name), lower(${actor})) > 0 or l.actor_id = ${actor} or exists (
      select from (select 1) one ${joinActor('l')}
      where strpos(lower(actor.email), lower(${actor})) > 0 or actor.id::text = lower(${actor})))`
}
