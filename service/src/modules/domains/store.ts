import { recordAudit } from '#modules/audit/index.ts'
import type { ContactDetails } from '#modules/contacts/index.ts'
import type { Actor } from '#platform/caller.ts'
import { type Db, type Statement, sql, type Tx } from '#platform/postgres/index.ts'
import type { ClientStatus, DomainInfo } from '#ports/registry.ts'

/** A domain of an account. */
export interface Domain {
  readonly id: number
  /** The id in the API. */
  readonly publicId: string
  readonly name: string
  readonly tld: string
  readonly accountId: string
  /** `arriving`: its transfer to us is in progress. */
  readonly state: 'arriving' | 'held' | 'gone'
  readonly orderId: string
  readonly contact: ContactDetails | null
  readonly registrantId: string | null
  readonly autoRenew: boolean
  readonly expiresAt: Date | null
  readonly statuses: readonly string[]
  readonly graceStatuses: readonly string[]
  readonly nameservers: readonly string[]
  /** Whether the registry has DS records of it; null: not known. */
  readonly hasDs: boolean | null
  /** Another registrar has requested a transfer of it. */
  readonly transferOut: TransferOut | null
  readonly isExpired: boolean
  readonly createdAt: Date
  /** When the registry last reported its state; null: never. */
  readonly factsAt: Date | null
  /** Seconds since a lookup first found nothing; null: the last lookup found the domain. */
  readonly missingForS: number | null
}

/** A transfer to another registrar that is in progress. */
export interface TransferOut {
  /** The name of the other registrar, as the registry reports it. */
  readonly requestedBy: string
  /** ISO 8601. */
  readonly requestedAt: string
  /** When the registry decides automatically. */
  readonly actBy: string
}

/** The columns of a Domain, from a table or subquery with the name `d`. */
export const domainColumns = sql`
  d.id, d.public_id as "publicId", d.name, d.tld, d.account_id as "accountId", d.state, d.order_id as "orderId", d.contact, d.registrant_id as "registrantId",
  d.auto_renew as "autoRenew", d.expires_at as "expiresAt", d.statuses, d.grace_statuses as "graceStatuses", d.nameservers, d.has_ds as "hasDs",
  d.transfer_out as "transferOut", coalesce(d.expires_at <= app_now(), false) as "isExpired", d.created_at as "createdAt",
  d.facts_at as "factsAt", extract(epoch from app_now() - d.missing_since)::float8 as "missingForS"`

/** The domain with this name, unless it is gone. */
export async function domainNamed(db: Db, name: string): Promise<Domain | undefined> {
  const { rows } = await sql<Domain>`
    select ${domainColumns} from domains d where d.name = ${name} and d.state <> 'gone'`.execute(db)
  return rows[0]
}

/** The same, with its row locked. */
export async function lockDomain(tx: Tx, name: string): Promise<Domain | undefined> {
  const { rows } = await sql<Domain>`
    select ${domainColumns} from domains d where d.name = ${name} and d.state <> 'gone' for no key update`.execute(tx)
  return rows[0]
}

/**
 * Whether the account has a domain with one of these names that its registry knows. Locks these domains, so that none of them leaves in the
 * meantime.
 */
export async function holdsDomain(tx: Tx, accountId: string, names: readonly string[]): Promise<boolean> {
  const { rows } = await sql`
    select 1 from domains
    where name = any(${[...names]}) and account_id = ${accountId} and state = 'held' and missing_since is null
    for share`.execute(tx)
  return rows.length > 0
}

/** Whether an account owns or manages a domain with this name. */
export async function hasPartIn(db: Db, accountId: string, name: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from domains d where d.name = ${name} and d.state <> 'gone' and ${isPartOf(accountId)}`.execute(db)
  return rows.length > 0
}

/** SQL condition: an account owns or manages a domain of the table or subquery `d`. */
export function isPartOf(accountId: string): Statement {
  return sql`(d.account_id = ${accountId}
    or d.id in (select m.domain_id from domain_managers m where m.account_id = ${accountId}))`
}

/** Locks domains, and returns the ids of those that an account owns or manages. None of them leaves it until the end of the transaction. */
export async function holdDomains(tx: Tx, accountId: string, ids: readonly number[]): Promise<ReadonlySet<number>> {
  const [, { rows }] = await Promise.all([
    sql`select 1 from domains where id = any(${[...ids]}::bigint[]) order by id for share`.execute(tx),
    sql<{ id: number }>`
      select d.id from domains d
      where d.id = any(${[...ids]}::bigint[]) and d.state <> 'gone' and ${isPartOf(accountId)}`.execute(tx),
  ])
  return new Set(rows.map(({ id }) => id))
}

export type NewDomain = Pick<
  Domain,
  'name' | 'tld' | 'accountId' | 'orderId' | 'contact' | 'registrantId' | 'autoRenew' | 'expiresAt' | 'nameservers'
> & { readonly state: 'arriving' | 'held' }

/**
 * Stores a domain. The unique index refuses a second domain with the same name. `besides`: an insert that runs in the same statement, and can
 * read the new row from `d`.
 */
export async function insertDomain(tx: Tx, domain: NewDomain, besides: Statement = sql`select`): Promise<Domain> {
  const { rows } = await sql<Domain>`
    with d as (insert into domains (name, tld, account_id, state, order_id, contact, registrant_id, auto_renew, expires_at, nameservers, statuses,
      facts_at, sync_at)
    values (${domain.name}, ${domain.tld}, ${domain.accountId}, ${domain.state}, ${domain.orderId},
      ${domain.contact && JSON.stringify(domain.contact)}::jsonb, ${domain.registrantId}, ${domain.autoRenew}, ${domain.expiresAt},
      ${[...domain.nameservers]}, '{ok}', app_now(), case when ${domain.state === 'held'} then app_now() + interval '1 day' end)
      returning *), besides as (${besides}) select ${domainColumns} from d`.execute(tx)
  return rows[0] as Domain
}

/** Stores what the registry currently reports about the domain, with the time. */
export async function noteFacts(
  tx: Tx,
  name: string,
  facts: Partial<Pick<DomainInfo, 'expiresAt' | 'statuses' | 'graceStatuses' | 'nameservers' | 'isSigned'>>,
): Promise<void> {
  const { expiresAt, statuses, graceStatuses, nameservers, isSigned } = facts
  await sql`
    update domains set facts_at = app_now(), missing_since = null,
      -- A day later or so, so that domains that came at once do not stay together; and when it has just expired. What is due stays so:
      -- somebody has heard news of it.
      sync_at = case when sync_at <= app_now() then sync_at
        when coalesce(${expiresAt ?? null}, expires_at) between app_now() and app_now() + interval '1 day'
        then coalesce(${expiresAt ?? null}, expires_at) + interval '1 minute'
        else app_now() + interval '1 day' * (1 + random() / 10) end,
      expires_at = coalesce(${expiresAt ?? null}, expires_at),
      statuses = coalesce(${statuses && [...statuses]}::text[], statuses),
      grace_statuses = coalesce(${graceStatuses && [...graceStatuses]}::text[], grace_statuses),
      nameservers = coalesce(${nameservers && [...nameservers]}::text[], nameservers),
      has_ds = coalesce(${isSigned ?? null}, has_ds),
      transfer_out = case when 'pendingTransfer' = any(coalesce(${statuses && [...statuses]}::text[], '{pendingTransfer}'))
        then transfer_out end
    where name = ${name} and state <> 'gone'`.execute(tx)
}

/** Adds a status that their registries have set to domains. Returns these domains, without those that are gone. */
export async function noteStatus(
  tx: Tx,
  ids: readonly number[],
  status: ClientStatus,
): Promise<readonly Pick<Domain, 'id' | 'name' | 'accountId'>[]> {
  const locked = sql`select id from domains where id = any(${[...ids]}::bigint[]) and state <> 'gone' order by id for no key update`
  const { rows } = await sql<Pick<Domain, 'id' | 'name' | 'accountId'>>`
    update domains set statuses = array_remove(array_remove(statuses, 'ok'), ${status}) || ${status}::text
    where id = any(array(${locked})) returning id, name, account_id as "accountId"`.execute(tx)
  return rows
}

/** Marks an arriving domain as active, and queries its registry after this many seconds. */
export async function markHeld(tx: Tx, name: string, lookAfterS: number): Promise<void> {
  await sql`
    update domains set state = 'held', sync_at = app_now() + make_interval(secs => ${lookAfterS})
    where name = ${name} and state = 'arriving'`.execute(tx)
}

/** Marks a domain as gone, and removes it from the scopes of all keys. If its account was erased, its contact is also removed. */
export async function markGone(tx: Tx, name: string, reason: string): Promise<void> {
  await sql`
    with gone as (
      update domains set state = 'gone', gone_at = app_now(), gone_reason = ${reason}, sync_at = null,
        contact = case when exists (select from accounts a where a.id = account_id and a.erased_at is null) then contact end
      where name = ${name} and state <> 'gone' returning id
    ) delete from api_key_domains where domain_id in (select id from gone)`.execute(tx)
}

export async function markAutoRenew(tx: Tx, name: string, isOn: boolean): Promise<void> {
  await sql`update domains set auto_renew = ${isOn} where name = ${name} and state <> 'gone'`.execute(tx)
}

/** Makes the check of a domain due now, and the changes that wait for the registry's decision. */
export async function hurryDomain(tx: Tx, name: string): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    update domains set sync_at = least(sync_at, app_now()) where name = ${name} and state = 'held' returning id`.execute(
    tx,
  )
  const [domain] = rows
  if (domain === undefined) return
  await sql`
    update domain_acts a set due_at = app_now() where a.domain_id = ${domain.id} and a.state = 'open'
      and exists (select from registry_commands o where o.change_id = a.id and o.state = 'pending')`.execute(tx)
  tx.wakeAfterCommit('domains_due')
}

/** Stores the current registrant, as a contact id at the registry. Null: a contact that we do not know. */
export async function noteRegistrant(
  tx: Tx,
  name: string,
  registrantId: string,
  contact: ContactDetails | null,
): Promise<void> {
  await sql`
    update domains set registrant_id = ${registrantId}, contact = ${contact && JSON.stringify(contact)}::jsonb
    where name = ${name} and state <> 'gone'`.execute(tx)
}

/** Makes the check of the domain due in this many seconds. */
export async function syncLater(tx: Tx, id: number, afterS: number): Promise<void> {
  await sql`
    update domains set sync_at = app_now() + make_interval(secs => ${afterS}) where id = ${id} and state = 'held'`.execute(
    tx,
  )
}

/** Records that a lookup did not find the domain. */
export async function noteMissing(tx: Tx, id: number): Promise<void> {
  await sql`update domains set missing_since = coalesce(missing_since, app_now()) where id = ${id}`.execute(tx)
}

/** Records that a lookup found the domain, without further data. */
export async function noteThere(tx: Tx, id: number): Promise<void> {
  await sql`update domains set missing_since = null where id = ${id}`.execute(tx)
}

export async function noteTransferOut(tx: Tx, name: string, transferOut: TransferOut | null): Promise<void> {
  await sql`
    update domains set transfer_out = ${transferOut && JSON.stringify(transferOut)}::jsonb where name = ${name} and state <> 'gone'`.execute(
    tx,
  )
}

/** Claims domains whose check is due, except those under these TLDs, each for this long. A domain with a change in progress waits. */
export async function claimSyncs(
  tx: Tx,
  max: number,
  leaseS: number,
  exceptTlds: readonly string[] = [],
): Promise<Domain[]> {
  const { rows } = await sql<Domain>`
    with d as (
      update domains set sync_at = app_now() + make_interval(secs => ${leaseS})
      where id = any(array(select id from domains d where sync_at <= app_now() and state = 'held' and tld <> all(${exceptTlds}::text[])
        and not exists (select from domain_acts a where a.domain_id = d.id and a.state = 'open' and a.lease_until > app_now())
        order by sync_at limit ${max} for update skip locked)) returning *)
    select ${domainColumns} from d`.execute(tx)
  return rows
}

/** Whether any domain check is due. */
export const isAnySyncDue = sql`(select min(sync_at) from domains) <= app_now()`

/** Writes to the audit log what happened to a domain. `done`: the action without `domain.`, such as `locked`. */
export function auditDomain(
  tx: Tx,
  actor: Actor,
  { accountId, name }: Pick<Domain, 'accountId' | 'name'>,
  done: string,
  summary: string,
): Promise<void> {
  return recordAudit(tx, { accountId, actor, action: `domain.${done}`, domain: name, summary })
}
