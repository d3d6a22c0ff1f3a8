import { lockAndReadAccount } from '#modules/accounts/index.ts'
import { availableCredit, holdCredit, kobo, reservePromo, spendCredit } from '#modules/billing/index.ts'
import { type Contact, readContact, refuseUnfitContact } from '#modules/contacts/index.ts'
import { type Domain, domainNamed, isHostOf } from '#modules/domains/index.ts'
import { newAuthCode, newContactId } from '#modules/registry-commands/index.ts'
import type { Actor, Caller } from '#platform/caller.ts'
import { Refusal } from '#platform/errors.ts'
import { newId } from '#platform/ids.ts'
import type { Tx } from '#platform/postgres/index.ts'
import type { SecretBox } from '#platform/secrets.ts'
import { refuseOurs } from './create-quote.ts'
import { tell } from './move-order.ts'
import { dueOf, firstMove } from './moves.ts'
import type { Order } from './order.ts'
import { type Quote, readQuote } from './quote-store.ts'
import { maxUnpaidOrders, orderLimitWaitS, standings, unpaidHours, wasRenewedSince } from './rules.ts'
import {
  countUnpaid,
  hasUnpaidWithPromo,
  insertOrder,
  lockKey,
  type NewOrder,
  openOrderNamed,
  orderAgesOfKey,
  wasRenewedFrom,
} from './store.ts'

/** What is ordered, by whom, and how it is paid. */
export interface OrderWish {
  readonly caller: Pick<Caller, 'accountId'> & { readonly keyId: string | null }
  readonly actor: Actor
  readonly quoteId: string
  readonly contactId: string | undefined
  readonly authCode: string | undefined
  /** Already checked. Empty: the nameservers of the service. */
  readonly nameservers: readonly string[]
  readonly autoRenew: boolean
  readonly clientEmail: string
  readonly useCredit: boolean
  readonly expectedDueKobo: number | undefined
}

/**
 * Places an order. It locks the account, the promo code and the key before it reads what each of them has left (design: architecture, "Lock
 * order"). If nothing is due, the same transaction pays the order.
 */
export async function placeOrder(
  tx: Tx,
  parts: { secrets: SecretBox; nameservers: readonly string[] },
  wish: OrderWish,
): Promise<Order> {
  const { accountId, keyId } = wish.caller
  // Statements that do not depend on each other are sent together and run in this order.
  const [account, quoted, named] = await Promise.all([
    lockAndReadAccount(tx, accountId),
    readQuote(tx, accountId, wish.quoteId),
    wish.contactId === undefined ? undefined : readContact(tx, accountId, wish.contactId),
  ])
  refuseUnfitAccount(account)
  const quote = usableQuote(quoted)
  if (quote.kind !== 'renew') refuseOurs(quote.name, parts.nameservers)
  const contact = contactFor(quote, wish.contactId, named)
  refuseOwnHosts(quote, wish.nameservers)
  if (quote.requirements.auth_code && wish.authCode === undefined)
    throw new Refusal(
      'auth_code_required',
      'A transfer requires the transfer code from the current registrar (`auth_code`).',
    )
  // A promo code is locked before the key.
  const isKeyNext = quote.promoCode === ''
  const [open, domain, isRenewed, found] = await Promise.all([
    openOrderNamed(tx, accountId, quote.name),
    domainNamed(tx, quote.name),
    quote.kind === 'renew' && wasRenewedFrom(tx, quote),
    isKeyNext ? meansOf(tx, wish) : undefined,
  ])
  if (open !== undefined)
    throw new Refusal(
      'order_open',
      `This account already has an open order for ${quote.name}. Pay or cancel that order.`,
    )
  refuseUnfitName(quote, accountId, domain)
  if (isRenewed)
    throw new Refusal(
      'quote_expired',
      `${quote.name} was already renewed, and its registry may not show this yet. Request a new quote tomorrow.`,
    )
  const id = newId('ord')
  if (!isKeyNext) await reservePromo(tx, quote.promoCode, { ...quote, accountId, orderId: id })
  const { credit, key } = found ?? (await meansOf(tx, wish))
  if (key !== undefined) refuseUnfitKey(key)
  const amounts = amountsOf(quote, wish, credit)
  const begun = firstMove(amounts)
  if (begun.to === 'pending_payment') {
    await refuseSecondHold(tx, quote)
    if (wish.actor.kind !== 'system') await refuseManyUnpaid(tx, accountId)
  }
  const standing = begun.to === 'processing' ? standings.sending : standings.unpaid
  // We choose the transfer code of a registration. Every attempt uses the same code, so a lookup can show whether the domain is ours.
  const authCode = quote.kind === 'register' ? newAuthCode() : wish.authCode
  const part = { orderId: id, accountId, amountKobo: kobo(amounts.creditKobo) }
  const newOrder: NewOrder = {
    id,
    accountId,
    keyId,
    requestId: wish.actor.requestId,
    kind: quote.kind,
    name: quote.name,
    tld: quote.tld,
    years: quote.years,
    status: begun.to,
    ...amounts,
    promoCode: quote.promoCode,
    renewalKobo: quote.renewalKobo,
    fee: quote.fee,
    clientEmail: wish.clientEmail,
    stage: standing.stage,
    stageMessage: standing.message,
    contact: contact ?? null,
    autoRenew: wish.autoRenew,
    nameservers: wish.nameservers.length > 0 ? wish.nameservers : parts.nameservers,
    authCode:
      authCode === undefined || quote.kind === 'renew' ? null : parts.secrets.seal('orders.auth_code', id, authCode),
    registrantId: quote.kind === 'register' ? newContactId() : null,
    oldExpiry: quote.oldExpiry,
  }
  const [order] = await Promise.all([
    insertOrder(tx, newOrder, unpaidHours),
    begun.effects.includes('spend_credit') ? spendCredit(tx, part) : holdCredit(tx, part),
  ])
  await tell(tx, wish.actor, order, begun, { kind: 'placed' })
  return order
}

function refuseUnfitAccount(account: Awaited<ReturnType<typeof lockAndReadAccount>>): void {
  if (account === undefined)
    throw new Refusal('invalid_key', 'The account of this key has been deleted and cannot place orders.')
  if (!account.emailConfirmed)
    throw new Refusal('email_unconfirmed', 'Confirm the account’s email address before you order.')
}

function usableQuote(quote: Quote | undefined): Quote {
  if (quote === undefined) throw new Refusal('not_found', 'This quote does not exist.')
  if (quote.isExpired) throw new Refusal('quote_expired', 'This quote has expired. Request a new one.')
  if (!quote.available) throw new Refusal('name_unavailable', `${quote.name} is taken.`)
  return quote
}

function contactFor(quote: Quote, id: string | undefined, contact: Contact | undefined): Contact | undefined {
  if (!quote.requirements.contact) return undefined
  const at = { path: '/contact_id', code: 'no_contact' }
  if (contact === undefined) {
    const message =
      id === undefined ? 'A registration requires a contact (`contact_id`).' : 'This contact does not exist.'
    throw new Refusal('contact_invalid', message, { details: [{ ...at, message }] })
  }
  refuseUnfitContact(contact, quote.tld, quote.requirements.contact_fields)
  return contact
}

/** Nameservers at or below the domain need addresses at the registry, which an order does not have. */
function refuseOwnHosts({ name }: Quote, nameservers: readonly string[]): void {
  const details = nameservers.flatMap((host, i) =>
    isHostOf(name, host)
      ? [
          {
            path: `/nameservers/${i}`,
            code: 'address_needed',
            message: `The registry requires the addresses of ${host}, because it is ${host === name ? 'the domain itself' : `below ${name}`}.`,
          },
        ]
      : [],
  )
  if (details.length > 0)
    throw new Refusal(
      'validation_failed',
      `Order ${name} with other nameservers. After the registration, set these with their addresses (PUT /domains/${name}/nameservers).`,
      { details },
    )
}

function refuseUnfitName(quote: Quote, accountId: string, domain: Domain | undefined): void {
  if (quote.kind === 'renew') {
    if (domain?.accountId !== accountId || domain.state !== 'held')
      throw new Refusal('not_renewable', `${quote.name} is not a domain of this account.`)
    if (wasRenewedSince(quote.oldExpiry, domain))
      throw new Refusal('quote_expired', `${quote.name} was renewed after this quote. Request a new one.`)
  } else if (domain !== undefined) throw new Refusal('name_unavailable', `${quote.name} is already registered here.`)
}

/**
 * Lets only one unpaid order of an account hold a promo code, so that orders that are never paid cannot block a limited code. The hold
 * lasts until the order is paid or cancelled. The caller has locked the account.
 */
async function refuseSecondHold(tx: Tx, { accountId, promoCode }: Quote): Promise<void> {
  if (promoCode === '' || !(await hasUnpaidWithPromo(tx, accountId, promoCode))) return
  throw new Refusal(
    'promo_in_use',
    'An unpaid order of this account uses this promo code. Pay or cancel that order first.',
  )
}

/** The caller has locked the account, so the count cannot grow in the meantime. */
async function refuseManyUnpaid(tx: Tx, accountId: string): Promise<void> {
  if ((await countUnpaid(tx, accountId, maxUnpaidOrders)) < maxUnpaidOrders) return
  throw new Refusal(
    'conflict',
    `This account has ${maxUnpaidOrders} unpaid orders, the maximum. Pay or cancel one first.`,
  )
}

/** The limits that the key sets for one more order. The key is locked. */
interface KeyUse {
  readonly isLive: boolean
  /** Its orders of the last hour. */
  readonly agesS: readonly number[]
}

/** What the order can be placed with: the available credit, and the key. */
async function meansOf(
  tx: Tx,
  { caller: { accountId, keyId }, useCredit }: OrderWish,
): Promise<{ credit: number; key: KeyUse | undefined }> {
  const [credit, key] = await Promise.all([
    useCredit ? availableCredit(tx, accountId) : 0,
    keyId === null ? undefined : keyUse(tx, keyId),
  ])
  return { credit, key }
}

async function keyUse(tx: Tx, keyId: string): Promise<KeyUse> {
  const [isLive, agesS] = await Promise.all([lockKey(tx, keyId), orderAgesOfKey(tx, keyId)])
  return { isLive, agesS }
}

function refuseUnfitKey({ isLive, agesS }: KeyUse): void {
  if (!isLive) throw new Refusal('invalid_key', 'The key was revoked or has expired.')
  const waitS = orderLimitWaitS(agesS)
  if (waitS !== undefined)
    throw new Refusal('rate_limited', 'This key has reached its limit of 20 orders an hour. Try again later.', {
      headers: { 'retry-after': String(waitS) },
    })
}

function amountsOf(quote: Quote, wish: OrderWish, credit: number) {
  const { amountKobo, promoKobo } = quote
  const rest = amountKobo - promoKobo
  const creditKobo = Math.min(rest, credit)
  const amounts = { amountKobo, promoKobo, creditKobo }
  const { expectedDueKobo: expected } = wish
  if (expected === undefined || expected === dueOf(amounts)) return amounts
  if (wish.useCredit && expected < dueOf(amounts) && expected <= rest)
    throw new Refusal(
      'insufficient_credit',
      `The credit covers ${creditKobo} of ${rest} kobo, which leaves ${rest - creditKobo} kobo to pay.`,
    )
  throw new Refusal('price_changed', `The amount due is ${dueOf(amounts)} kobo, not ${expected}.`)
}
