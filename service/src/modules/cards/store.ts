import { mostCardDomains } from '@zonewright/contract'
import { type Db, sql, type Tx } from '#platform/postgres/index.ts'
import type { ReusableCard } from '#ports/payments.ts'
import type { CardLook } from './card.ts'

/** A saved card, with the domains whose auto-renew may charge it. */
export interface Card extends CardLook {
  readonly domainCount: number
  /** The first of these domains by name. */
  readonly domains: readonly string[]
  readonly createdAt: Date
}

/** In UTC, like everything that expires. */
const expiresAt = sql`((make_date(k.expiry_year, k.expiry_month, 1) + interval '1 month') at time zone 'UTC')`

const look = sql`
  k.id, k.brand, k.last4, k.expiry_month as "expiryMonth", k.expiry_year as "expiryYear", ${expiresAt} <= app_now() as "isExpired"`

/** Consents whose domain the account still has. A later domain of the same name belongs to another order. */
const consents = sql`
  card_consents c join domains d on d.name = c.name and d.order_id = c.order_id and d.account_id = c.account_id and d.state <> 'gone'`

/** The live cards of an account, newest first. There are at most `maxCards`. */
export async function listCards(db: Db, accountId: string): Promise<Card[]> {
  const { rows } = await sql<Card>`
    select ${look}, k.created_at as "createdAt",
      (select count(*)::int from ${consents} where c.card_id = k.id) as "domainCount",
      array(select c.name from ${consents} where c.card_id = k.id order by c.name limit ${mostCardDomains}) as domains
    from cards k where k.account_id = ${accountId} and k.removed_at is null order by k.id desc`.execute(db)
  return rows
}

export async function countCards(db: Db, accountId: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from cards where account_id = ${accountId} and removed_at is null`.execute(db)
  return rows[0]?.n ?? 0
}

/** A card, even if it was already removed, for the text of an email. */
export async function readCard(db: Db, id: string): Promise<CardLook | undefined> {
  const { rows } = await sql<CardLook>`select ${look} from cards k where k.id = ${id}`.execute(db)
  return rows[0]
}

/** Locks a live card of the account. */
export async function lockCard(tx: Tx, accountId: string, id: string): Promise<CardLook | undefined> {
  const { rows } = await sql<CardLook>`
    select ${look} from cards k where k.id = ${id} and k.account_id = ${accountId} and k.removed_at is null for update`.execute(
    tx,
  )
  return rows[0]
}

/** The id of the account's live card that the gateway knows by this signature. */
export async function cardOfSignature(tx: Tx, accountId: string, signature: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select id from cards where account_id = ${accountId} and signature = ${signature} and removed_at is null`.execute(
    tx,
  )
  return rows[0]?.id
}

type StoredCard = Omit<ReusableCard, 'authorization'> & {
  readonly id: string
  readonly accountId: string
  readonly email: string
  /** Sealed. */
  readonly code: Buffer
}

/** Stores a card, or updates the one with this id. */
export async function upsertCard(tx: Tx, card: StoredCard): Promise<void> {
  await sql`
    insert into cards (id, account_id, signature, code, email, brand, last4, expiry_month, expiry_year)
    values (${card.id}, ${card.accountId}, ${card.signature}, ${card.code}, ${card.email}, ${card.brand}, ${card.last4}, ${card.expiryMonth},
      ${card.expiryYear})
    on conflict (id) do update set code = excluded.code, email = excluded.email, brand = excluded.brand, last4 = excluded.last4,
      expiry_month = excluded.expiry_month, expiry_year = excluded.expiry_year,
      noticed_at = case when (cards.expiry_month, cards.expiry_year) = (excluded.expiry_month, excluded.expiry_year) then cards.noticed_at end`.execute(
    tx,
  )
}

/** Stops charging these cards, requests their deactivation at the gateway, and ends their consents. */
export async function markRemoved(tx: Tx, ids: readonly string[]): Promise<void> {
  await Promise.all([
    sql`update cards set removed_at = app_now(), step_at = app_now() where id = any(${[...ids]}) and removed_at is null`.execute(
      tx,
    ),
    sql`delete from card_consents where card_id = any(${[...ids]})`.execute(tx),
  ])
}

/** The subject of a consent: the domain that this order brought to the account. */
export interface ConsentedDomain {
  readonly orderId: string
  readonly accountId: string
}

export async function writeConsent(
  tx: Tx,
  { orderId, accountId, name, cardId }: ConsentedDomain & { readonly name: string; readonly cardId: string },
): Promise<void> {
  await sql`
    insert into card_consents (order_id, account_id, name, card_id) values (${orderId}, ${accountId}, ${name}, ${cardId})
    on conflict (order_id) do update set account_id = excluded.account_id, card_id = excluded.card_id, consented_at = app_now()`.execute(
    tx,
  )
}

/** Ends the consent of a domain. False: there was none. */
export async function deleteConsent(tx: Tx, orderId: string): Promise<boolean> {
  const { rows } = await sql`delete from card_consents where order_id = ${orderId} returning 1`.execute(tx)
  return rows.length > 0
}

const isConsented = (domain: ConsentedDomain) => sql`
  c.order_id = ${domain.orderId} and c.account_id = ${domain.accountId} and k.account_id = c.account_id and k.removed_at is null`

/** The card that auto-renew of a domain may charge, whether it has expired or not. */
export async function consentedCard(
  db: Db,
  domain: ConsentedDomain,
): Promise<(CardLook & { readonly email: string; readonly consentedAt: Date }) | undefined> {
  const { rows } = await sql<CardLook & { email: string; consentedAt: Date }>`
    select ${look}, k.email, c.consented_at as "consentedAt"
    from card_consents c join cards k on k.id = c.card_id where ${isConsented(domain)}`.execute(db)
  return rows[0]
}

/** The sealed code of a card, if auto-renew of the domain may charge it now. The card cannot be removed before the transaction ends. */
export async function holdChargeable(
  tx: Tx,
  domain: ConsentedDomain,
  cardId: string,
): Promise<{ readonly code: Buffer; readonly email: string } | undefined> {
  const { rows } = await sql<{ code: Buffer; email: string }>`
    select k.code, k.email from cards k join card_consents c on c.card_id = k.id
    where k.id = ${cardId} and ${isConsented(domain)} and ${expiresAt} > app_now() for share of k`.execute(tx)
  return rows[0]
}

/** A removed card, whose code the gateway still has to deactivate. */
export interface RemovedCard {
  readonly id: string
  readonly code: Buffer
  readonly tries: number
}

export async function removedCards(db: Db, limit: number): Promise<RemovedCard[]> {
  const { rows } = await sql<RemovedCard>`
    select id, code, tries from cards where step_at <= app_now() order by step_at limit ${limit}`.execute(db)
  return rows
}

export async function deferCard(tx: Tx, id: string, inS: number): Promise<void> {
  await sql`
    update cards set tries = tries + 1, step_at = app_now() + make_interval(secs => ${inS}) where id = ${id}`.execute(
    tx,
  )
}

export async function deleteCard(tx: Tx, id: string): Promise<void> {
  await sql`delete from cards where id = ${id} and removed_at is not null`.execute(tx)
}

/** A card that expires soon, with domains that are renewed with it. */
export interface ExpiringCard extends CardLook {
  readonly accountId: string
  readonly domainCount: number
  readonly domains: readonly string[]
}

/** Marks cards that are used for auto-renew and expire within `days`, each once, and returns them. */
export async function noticeExpiring(tx: Tx, days: number, mostNames: number, limit: number): Promise<ExpiringCard[]> {
  const { rows } = await sql<ExpiringCard>`
    update cards k set noticed_at = app_now() where k.id in (
      select k.id from cards k where k.removed_at is null and k.noticed_at is null
        and ${expiresAt} <= app_now() + make_interval(days => ${days})
        and exists (select from ${consents} where c.card_id = k.id and d.auto_renew) order by k.id limit ${limit})
    returning ${look}, k.account_id as "accountId",
      (select count(*)::int from ${consents} where c.card_id = k.id and d.auto_renew) as "domainCount",
      array(select c.name from ${consents} where c.card_id = k.id and d.auto_renew order by c.name limit ${mostNames}) as domains`.execute(
    tx,
  )
  return rows
}

/** Deletes consents whose domain is gone. An order may take some days to bring its domain. */
export async function dropOldConsents(db: Db): Promise<void> {
  await sql`
    delete from card_consents x where x.consented_at < app_now() - interval '60 days'
      and not exists (select from ${consents} where c.order_id = x.order_id)`.execute(db)
}
