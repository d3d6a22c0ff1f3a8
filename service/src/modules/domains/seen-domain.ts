import type { DomainChangeKind, DomainStatus } from '@zonewright/contract'
import { keyLacks, remedyFor } from '#http/authorise.ts'
import { asciiDomain } from '#modules/tlds/index.ts'
import { instantKey, type SortedPlace, type SortedWish, sortedPage } from '#modules/zones/index.ts'
import type { Caller } from '#platform/caller.ts'
import { Refusal } from '#platform/errors.ts'
import { type Db, type Statement, sql } from '#platform/postgres/index.ts'
import { type Domain, domainColumns, isPartOf } from './store.ts'

/** A domain as an account can access it. */
export interface SeenDomain extends Domain {
  readonly role: 'owner' | 'manager'
  /** The id of its live zone, if the account has access to it. */
  readonly zoneId: string | null
  /** Whether the caller's key covers the domain. A session covers all domains that the person can access. */
  readonly covered: boolean
  /** The change in progress at the registry. */
  readonly change: { readonly kind: DomainChangeKind; readonly since: string } | null
}

/**
 * The domain that a caller names, if the caller may do what it requests.
 *
 * Throws `not_found` if the account has no access to the domain, and `forbidden` if the key does not cover it or only its owner may do this.
 */
export async function domainFor(db: Db, caller: Caller, text: string, who?: 'owner'): Promise<SeenDomain> {
  const domain = await seenDomain(db, caller, text)
  if (domain === undefined) throw noSuchDomain()
  if (!domain.covered && caller.kind === 'key') {
    const { name, role } = domain
    throw keyLacks(caller, `the domain ${name}`, remedyFor('domain', name, role))
  }
  if (who === 'owner' && domain.role !== 'owner')
    throw new Refusal('forbidden', `Only the owner of ${domain.name} can do this. You are a manager.`)
  return domain
}

export function noSuchDomain(): Refusal {
  return new Refusal('not_found', 'This domain does not exist, or this account has no access to it.')
}

async function seenDomain(db: Db, caller: Caller, text: string): Promise<SeenDomain | undefined> {
  const name = asciiDomain(text)
  const { rows } = await sql<SeenDomain>`
    select ${seenColumns(caller)} from domains d where d.name = ${name} and d.state <> 'gone' and ${isPartOf(caller.accountId)}`.execute(
    db,
  )
  return rows[0]
}

/** Which domains a list has. */
export interface DomainFilter {
  readonly q?: string | undefined
  readonly role?: 'owner' | 'manager' | undefined
  readonly expiresBefore?: string | undefined
  readonly status?: DomainStatus | undefined
  readonly locked?: boolean | undefined
  readonly autoRenew?: boolean | undefined
  readonly dnssec?: 'ds' | 'no_ds' | 'unknown' | undefined
}

/** `statusOf` in SQL, of a row `d`. */
const statusColumn = sql`
  case when d.state = 'arriving' then 'transferring_in' when d.transfer_out is not null then 'transferring_out'
    when d.grace_statuses && '{redemptionPeriod,pendingRestore}' then 'redemption' when 'pendingDelete' = any(d.statuses) then 'deleting'
    when d.expires_at <= app_now() then 'expired' when d.statuses && '{serverHold,clientHold}' then 'on_hold' else 'active' end`

const domainsTable = {
  row: sql`d`,
  from: sql`domains d`,
  keys: {
    status: statusColumn,
    expires_at: instantKey(sql`d.expires_at`),
    created_at: instantKey(sql`d.created_at`),
  },
}

/** Up to `limit` + 1 domains that a caller can access. */
export async function pageOfDomains(
  db: Db,
  caller: Caller,
  wanted: DomainFilter & SortedWish,
): Promise<(SeenDomain & { place: SortedPlace })[]> {
  const { accountId } = caller
  const { role } = wanted
  const conditions = [sql`d.state <> 'gone'`, coverOf(caller), ...asked(wanted)]
  const isManaged = sql`d.id in (select m.domain_id from domain_managers m where m.account_id = ${accountId})`
  const branches = [
    ...(role === 'manager' ? [] : [[sql`d.account_id = ${accountId}`, ...conditions]]),
    ...(role === 'owner' ? [] : [[isManaged, sql`d.account_id <> ${accountId}`, ...conditions]]),
  ]
  const { rows: places } = await sortedPage(domainsTable, branches, wanted).execute(db)
  const { rows } = await sql<SeenDomain>`
    select ${seenColumns(caller)} from domains d
    where d.id = any(${places.map(({ id }) => id)}::bigint[]) and d.state <> 'gone' and ${isPartOf(accountId)}`.execute(
    db,
  )
  const domains = new Map(rows.map((row) => [String(row.id), row]))
  return places.flatMap((place) => {
    const domain = domains.get(place.id)
    return domain === undefined ? [] : [{ ...domain, place }]
  })
}

/** One form for all combinations of the filters that no index helps with. */
function asked({ q, expiresBefore, status, locked, autoRenew, dnssec }: DomainFilter): Statement[] {
  if ([q, expiresBefore, status, locked, autoRenew, dnssec].every((one) => one === undefined)) return []
  const text = q ?? null
  return [
    sql`(${text}::text is null or position(lower(${text}) in d.name) > 0)`,
    sql`(${expiresBefore ?? null}::timestamptz is null or d.expires_at < ${expiresBefore ?? null})`,
    sql`(${status ?? null}::text is null or ${statusColumn} = ${status ?? null})`,
    sql`(${locked ?? null}::boolean is null or ('clientTransferProhibited' = any(d.statuses)) = ${locked ?? null})`,
    sql`(${autoRenew ?? null}::boolean is null or d.auto_renew = ${autoRenew ?? null})`,
    sql`(${dnssec ?? null}::text is null
      or case d.has_ds when true then 'ds' when false then 'no_ds' else 'unknown' end = ${dnssec ?? null})`,
  ]
}

function seenColumns(caller: Caller) {
  const { accountId } = caller
  return sql`
    ${domainColumns}, case when d.account_id = ${accountId} then 'owner' else 'manager' end as role, ${coverOf(caller)} as covered,
    (select z.id from zones z where z.name = d.name and z.state = 'live' and (z.account_id = ${accountId}
      or exists (select from zone_managers m where m.zone_id = z.id and m.account_id = ${accountId}))) as "zoneId",
    (select json_build_object('kind', a.kind, 'since', a.created_at) from domain_acts a
      where a.domain_id = d.id and a.state = 'open') as change`
}

/** A key for all zones covers the account's own domains and no shared ones; any other key covers those in its scope. */
function coverOf(caller: Caller) {
  if (caller.kind === 'session') return sql`true`
  if (caller.allZones) return sql`d.account_id = ${caller.accountId}`
  return sql`exists (select from api_key_domains kd where kd.key_id = ${caller.keyId} and kd.domain_id = d.id)`
}
