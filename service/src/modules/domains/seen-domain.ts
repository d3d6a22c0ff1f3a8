import type { DomainChangeKind } from '@zonewright/contract'
import type { Caller } from '#platform/caller.ts'
import { type Db, sql } from '#platform/db.ts'
import { Refusal } from '#platform/errors.ts'
import { asciiDomain } from './domain-name.ts'
import { type Domain, domainColumns } from './store.ts'

/** A domain as one account sees it. */
export interface SeenDomain extends Domain {
  readonly role: 'owner' | 'manager'
  /** Its live zone, if the account has a part in that, too. */
  readonly zoneId: string | null
  /** Does the caller's key cover it? A person's session covers all that it sees. */
  readonly covered: boolean
  /** What is under way at the registry. */
  readonly change: { readonly kind: DomainChangeKind; readonly since: string } | null
}

/**
 * The domain that a caller names, if it may do there what it asks for.
 *
 * Throws `not_found` for what the account has no part in, and `forbidden` for what its key does not cover, or its owner alone may do.
 */
export async function domainFor(db: Db, caller: Caller, text: string, who?: 'owner'): Promise<SeenDomain> {
  const domain = await seenDomain(db, caller, text)
  if (domain === undefined) throw noSuchDomain()
  if (!domain.covered && caller.kind === 'key') throw notCovered(caller.keyName, domain)
  if (who === 'owner' && domain.role !== 'owner')
    throw new Refusal('forbidden', `Only the owner of ${domain.name} does this; you are its manager.`)
  return domain
}

export function noSuchDomain(): Refusal {
  return new Refusal('not_found', 'There is no such domain, or this account has no part in it.')
}

function notCovered(keyName: string, { name, zoneId }: SeenDomain): Refusal {
  const lack = `The key ${JSON.stringify(keyName)} lacks the zone ${name}.`
  return new Refusal(
    'forbidden',
    zoneId === null ? `${lack} The domain has no zone here: only a key for all zones covers it.` : lack,
  )
}

async function seenDomain(db: Db, caller: Caller, text: string): Promise<SeenDomain | undefined> {
  const name = asciiDomain(text)
  const { rows } = await sql<SeenDomain>`
    select ${seenColumns(caller)} from domains d where d.name = ${name} and d.state <> 'gone' and ${isPartOf(caller)}`.execute(
    db,
  )
  return rows[0]
}

/** Which of an account's domains are wanted. */
export interface DomainFilter {
  readonly after: string | undefined
  readonly limit: number
  readonly q?: string | undefined
  readonly role?: 'owner' | 'manager' | undefined
  readonly expiresBefore?: string | undefined
}

/** One more than `limit` of the domains that a caller may see, by name. */
export async function pageOfDomains(db: Db, caller: Caller, wanted: DomainFilter): Promise<SeenDomain[]> {
  const { after, limit, q, role, expiresBefore } = wanted
  const { rows } = await sql<SeenDomain>`
    select * from (select ${seenColumns(caller)} from domains d
      where d.state <> 'gone' and ${isPartOf(caller)} and (${after ?? null}::text is null or d.name > ${after ?? null})
        and (${q ?? null}::text is null or position(lower(${q ?? null}) in d.name) > 0)
        and (${expiresBefore ?? null}::timestamptz is null or d.expires_at < ${expiresBefore ?? null})) seen
    where covered and (${role ?? null}::text is null or role = ${role ?? null})
    order by name limit ${limit + 1}`.execute(db)
  return rows
}

function isPartOf({ accountId }: Caller) {
  return sql`(d.account_id = ${accountId}
    or d.id in (select m.domain_id from domain_managers m where m.account_id = ${accountId}))`
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

/** A key for all zones covers the account's own domains; a listed zone covers the domain of its name, a shared one too. */
function coverOf(caller: Caller) {
  if (caller.kind === 'session') return sql`true`
  const isListed = sql`exists (select from api_key_zones kz join zones z on z.id = kz.zone_id
    where kz.key_id = ${caller.keyId} and z.name = d.name and z.state = 'live')`
  return caller.allZones ? sql`(d.account_id = ${caller.accountId} or ${isListed})` : isListed
}
