import type { ContactDetails } from '#modules/contacts/index.ts'
import { type Db, sql, type Tx } from '#platform/db.ts'
import type { DomainInfo } from '#ports/registry.ts'

/** A domain that an account has with us. */
export interface Domain {
  readonly id: number
  readonly name: string
  readonly tld: string
  readonly accountId: string
  /** `arriving`: its transfer to us is under way. */
  readonly state: 'arriving' | 'held' | 'gone'
  readonly orderId: string
  readonly contact: ContactDetails | null
  readonly registrantId: string | null
  readonly autoRenew: boolean
  readonly expiresAt: Date | null
  readonly statuses: readonly string[]
  readonly graceStatuses: readonly string[]
  readonly nameservers: readonly string[]
  readonly isExpired: boolean
}

const columns = sql`
  id, name, tld, account_id as "accountId", state, order_id as "orderId", contact, registrant_id as "registrantId",
  auto_renew as "autoRenew", expires_at as "expiresAt", statuses, grace_statuses as "graceStatuses", nameservers,
  coalesce(expires_at <= app_now(), false) as "isExpired"`

/** The domain of this name, unless it is gone. */
export async function domainNamed(db: Db, name: string): Promise<Domain | undefined> {
  const { rows } = await sql<Domain>`select ${columns} from domains where name = ${name} and state <> 'gone'`.execute(
    db,
  )
  return rows[0]
}

/** The same with its row locked. */
export async function lockDomain(tx: Tx, name: string): Promise<Domain | undefined> {
  const { rows } = await sql<Domain>`
    select ${columns} from domains where name = ${name} and state <> 'gone' for no key update`.execute(tx)
  return rows[0]
}

export type NewDomain = Pick<
  Domain,
  'name' | 'tld' | 'accountId' | 'orderId' | 'contact' | 'registrantId' | 'autoRenew' | 'expiresAt' | 'nameservers'
> & { readonly state: 'arriving' | 'held' }

/** Writes a domain down. The unique index refuses a second one of its name. */
export async function insertDomain(tx: Tx, domain: NewDomain): Promise<Domain> {
  const { rows } = await sql<Domain>`
    insert into domains (name, tld, account_id, state, order_id, contact, registrant_id, auto_renew, expires_at, nameservers, statuses,
      facts_at, sync_at)
    values (${domain.name}, ${domain.tld}, ${domain.accountId}, ${domain.state}, ${domain.orderId},
      ${domain.contact && JSON.stringify(domain.contact)}::jsonb, ${domain.registrantId}, ${domain.autoRenew}, ${domain.expiresAt},
      ${[...domain.nameservers]}, '{ok}', app_now(), case when ${domain.state === 'held'} then app_now() + interval '1 day' end)
    returning ${columns}`.execute(tx)
  return rows[0] as Domain
}

/** What the registry says of it now, as facts with their time. */
export async function noteFacts(
  tx: Tx,
  name: string,
  facts: Partial<Pick<DomainInfo, 'expiresAt' | 'statuses' | 'graceStatuses' | 'nameservers'>>,
): Promise<void> {
  const { expiresAt, statuses, graceStatuses, nameservers } = facts
  await sql`
    update domains set facts_at = app_now(), sync_at = app_now() + interval '1 day', expires_at = coalesce(${expiresAt ?? null}, expires_at),
      statuses = coalesce(${statuses && [...statuses]}::text[], statuses),
      grace_statuses = coalesce(${graceStatuses && [...graceStatuses]}::text[], grace_statuses),
      nameservers = coalesce(${nameservers && [...nameservers]}::text[], nameservers)
    where name = ${name} and state <> 'gone'`.execute(tx)
}

/** An arriving domain is here. */
export async function markHeld(tx: Tx, name: string): Promise<void> {
  await sql`update domains set state = 'held', sync_at = app_now() where name = ${name} and state = 'arriving'`.execute(
    tx,
  )
}

export async function markGone(tx: Tx, name: string, reason: string): Promise<void> {
  await sql`
    update domains set state = 'gone', gone_at = app_now(), gone_reason = ${reason}, sync_at = null where name = ${name} and state <> 'gone'`.execute(
    tx,
  )
}
