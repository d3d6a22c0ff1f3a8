import type { DomainChangeKind } from '@zonewright/contract'
import { keyLacks, remedyFor } from '#http/authorise.ts'
import { asciiDomain } from '#modules/tlds/index.ts'
import type { Caller } from '#platform/caller.ts'
import { Refusal } from '#platform/errors.ts'
import { type Db, sql } from '#platform/postgres/index.ts'
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

/** A filter of an account's domains. */
export interface DomainFilter {
  readonly after: string | undefined
  readonly limit: number
  readonly q?: string | undefined
  readonly role?: 'owner' | 'manager' | undefined
  readonly expiresBefore?: string | undefined
}

/** Up to `limit` + 1 domains that a caller can access, by name. */
export async function pageOfDomains(db: Db, caller: Caller, wanted: DomainFilter): Promise<SeenDomain[]> {
  const { after, limit, q, role, expiresBefore } = wanted
  const { rows } = await sql<SeenDomain>`
    select * from (select ${seenColumns(caller)} from domains d
      where d.state <> 'gone' and ${isPartOf(caller.accountId)} and (${after ?? null}::text is null or d.name > ${after ?? null})
        and (${q ?? null}::text is null or position(lower(${q ?? null}) in d.name) > 0)
        and (${expiresBefore ?? null}::timestamptz is null or d.expires_at < ${expiresBefore ?? null})) seen
    where covered and (${role ?? null}::text is null or role = ${role ?? null})
    order by name limit ${limit + 1}`.execute(db)
  return rows
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
