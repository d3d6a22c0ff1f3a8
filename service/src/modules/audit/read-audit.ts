import { accountAddress } from '@zonewright/contract'
import { isUuid } from '#platform/ids.ts'
import { type Db, type Statement, sql } from '#platform/postgres/index.ts'
import { actorColumns, joinActor, type ShownActor } from './shown-actor.ts'

/** An entry as people read it. */
export interface AuditRow extends ShownActor {
  readonly id: number
  readonly at: Date
  /** In microseconds, for the cursor of the next page. */
  readonly atText: string
  readonly action: string
  readonly zone: string | null
  readonly domain: string | null
  readonly summary: string
  readonly requestId: string | null
  /** Null for entries of other accounts as well. */
  readonly address: string | null
}

export interface AuditFilter {
  readonly limit: number
  /** Time and id of the row before. */
  readonly after: readonly string[] | undefined
  /** A zone's id, or its name. */
  readonly zone: string | undefined
  /** The name or id of an actor, or the id or email address of an account, which includes its keys. */
  readonly actor: string | undefined
  readonly action: string | undefined
  readonly since: string | undefined
  readonly until: string | undefined
}

/**
 * Up to `limit` + 1 entries that an account may read, newest first: all of its own, and those of zones that it manages. Entries of
 * other accounts come without the IP address, which is private.
 *
 * One index scan in order for its own entries and one for each zone that it manages, each read only as far as the page needs.
 */
export async function pageOfAudit(db: Db, accountId: string, filter: AuditFilter): Promise<AuditRow[]> {
  const { after, limit } = filter
  const until = filter.until ?? null
  const wanted = sql`
    (${filter.zone ?? null}::text is null or l.zone_name = ${filter.zone ?? null} or l.zone_id::text = ${filter.zone ?? null})
    and (${filter.actor ?? null}::text is null or l.actor_name = ${filter.actor ?? null} or l.actor_id = any(${idsOfActor(filter.actor)}))
    and (${filter.action ?? null}::text is null or l.action = ${filter.action ?? null})
    and l.at >= coalesce(${filter.since ?? null}::timestamptz, '-infinity')
    and l.at < coalesce(${until}::timestamptz, 'infinity')
    and l.at <= coalesce(${after?.[0] ?? null}::timestamptz, 'infinity')
    and (${after?.[0] ?? null}::timestamptz is null or (l.at, l.id) < (${after?.[0] ?? null}::timestamptz, ${after?.[1] ?? null}::bigint))`
  const inOrder = sql`order by l.at desc, l.id desc limit ${limit + 1}`
  const { rows } = await sql<AuditRow>`
    select l.id, l.at, l.at::text as "atText", ${actorColumns('l')}, l.action,
      l.zone_name as zone, l.domain, l.summary, l.request_id as "requestId", 
      case when l.account_id = ${accountId} then host(l.address) end as address
    from (
      (select * from audit_log l where l.account_id = ${accountId} and ${wanted} ${inOrder})
      union all
      (select l.* from zone_managers m cross join lateral (
          select * from audit_log l where l.zone_id = m.zone_id and l.account_id <> ${accountId} and ${wanted} ${inOrder}
        ) l where m.account_id = ${accountId} ${inOrder})
    ) l ${joinActor('l')} ${inOrder}`.execute(db)
  return rows
}

/** All actor ids that match a filter: the id itself, or an account with its keys. Looked up once per page. */
function idsOfActor(actor: string | undefined): Statement {
  if (actor === undefined) return sql`null::text[]`
  const id = isUuid(actor) ? actor : null
  return sql`array(
    with account as (select id from accounts where id = ${id}::uuid or email = ${accountAddress(actor)})
    select ${actor}::text
    union all select id::text from account
    union all select k.id from api_keys k join account on account.id = k.account_id)`
}
