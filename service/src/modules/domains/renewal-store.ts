import { type Db, sql, type Tx } from '#platform/postgres/index.ts'
import { noticeDays } from './renewal-rules.ts'
import { type Domain, domainColumns } from './store.ts'

/** A domain that expires within the time of the first notice, or that has expired and can still be renewed. */
export interface ExpiringDomain extends Domain {
  readonly expiresAt: Date
  readonly daysLeft: number
  /** The days of the last notice about this expiry. */
  readonly noticedDays: number | null
  /** The days of the last notice at which an auto-renewal was tried. */
  readonly triedDays: number | null
}

const columns = sql`
  ${domainColumns}, extract(epoch from d.expires_at - app_now())::float8 / 86400 as "daysLeft",
  case when d.noticed_expiry = d.expires_at then d.noticed_days end as "noticedDays",
  case when d.noticed_expiry = d.expires_at then d.tried_days end as "triedDays"`

/** How long after the expiry the owner can still be notified of it, if that did not happen immediately. Days. */
const longestAfter = 30

/**
 * A deleted account gets no notices and cannot buy. The notice of an expiry is sent once the registry has reported it, because some registries
 * move the expiry automatically. In its redemption period, a domain can no longer be renewed.
 */
const isExpiring = sql`d.state = 'held' and exists (select from accounts a where a.id = d.account_id and a.deleted_at is null)
  and d.expires_at <= app_now() + make_interval(days => ${Math.max(...noticeDays)})
  and (d.expires_at > app_now() or (d.expires_at > app_now() - make_interval(days => ${longestAfter})
    and d.facts_at >= d.expires_at and not 'pendingDelete' = any(d.statuses)))`

/** Domains that expire soon, by id, starting after the given one. */
export async function expiringDomains(db: Db, after: number, limit: number): Promise<ExpiringDomain[]> {
  const { rows } = await sql<ExpiringDomain>`
    select ${columns} from domains d where ${isExpiring} and d.id > ${after} order by d.id limit ${limit}`.execute(db)
  return rows
}

/** The same for one domain, whose row is locked. Undefined: it no longer expires soon. */
export async function lockExpiring(tx: Tx, id: number): Promise<ExpiringDomain | undefined> {
  const { rows } = await sql<ExpiringDomain>`
    select ${columns} from domains d where d.id = ${id} and ${isExpiring} for no key update`.execute(tx)
  return rows[0]
}

/**
 * Records that the owner got a notice, this many days before the expiry. `isTried`: it was about an auto-renewal, or about the reason why there
 * is none.
 */
export async function noteNotice(tx: Tx, id: number, days: number, isTried: boolean): Promise<void> {
  await sql`
    update domains set tried_days = case when ${isTried} then ${days} when noticed_expiry = expires_at then tried_days end,
      noticed_expiry = expires_at, noticed_days = ${days} where id = ${id}`.execute(tx)
}
