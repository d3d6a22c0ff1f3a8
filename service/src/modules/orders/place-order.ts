import { lockAccount, readAccount } from '#modules/accounts/index.ts'
import { availableCredit, holdCredit, kobo, reservePromo, spendHold } from '#modules/billing/index.ts'
import { type Contact, faultsForTld, readContact } from '#modules/contacts/index.ts'
import { domainNamed, newAuthCode, newContactId } from '#modules/domains/index.ts'
import type { Actor, Caller } from '#platform/caller.ts'
import type { Tx } from '#platform/db.ts'
import { Refusal } from '#platform/errors.ts'
import { newId } from '#platform/ids.ts'
import type { SecretBox } from '#platform/secrets.ts'
import { tell } from './move-order.ts'
import { dueOf, firstMove } from './moves.ts'
import { authCodePurpose, type Order } from './order.ts'
import { type Quote, readQuote } from './quote-store.ts'
import { orderLimitWaitS, standings, unpaidHours } from './rules.ts'
import { insertOrder, lockKey, openOrderNamed, orderAgesOfKey } from './store.ts'

/** What is ordered, by whom, and how it is to be paid. */
export interface OrderWish {
  readonly caller: Pick<Caller, 'accountId'> & { readonly keyId: string | null }
  readonly actor: Actor
  readonly quoteId: string
  readonly contactId: string | undefined
  readonly authCode: string | undefined
  /** Already checked; empty: the service's own. */
  readonly nameservers: readonly string[]
  readonly autoRenew: boolean
  readonly clientEmail: string
  readonly useCredit: boolean
  readonly expectedDueKobo: number | undefined
}

/**
 * Places an order: locks the account, the promo code and the key before it counts what each has left (design: architecture,
 * "Lock order"). With nothing due it is paid in this same transaction.
 */
export async function placeOrder(
  tx: Tx,
  parts: { secrets: SecretBox; nameservers: readonly string[] },
  wish: OrderWish,
): Promise<Order> {
  const { accountId, keyId } = wish.caller
  await lockAccount(tx, accountId)
  await refuseUnfitAccount(tx, accountId)
  const quote = await usableQuote(tx, accountId, wish.quoteId)
  const contact = await contactFor(tx, accountId, quote, wish.contactId)
  if (quote.requirements.auth_code && wish.authCode === undefined)
    throw new Refusal(
      'auth_code_required',
      'A transfer needs the transfer code of the present registrar (`auth_code`).',
    )
  if (await openOrderNamed(tx, accountId, quote.name))
    throw new Refusal('order_open', `There is an open order for ${quote.name} already. Pay or cancel that one.`)
  await refuseUnfitName(tx, accountId, quote)
  const id = newId('ord')
  if (quote.promoCode !== '') await reservePromo(tx, quote.promoCode, { ...quote, accountId, orderId: id })
  if (keyId !== null) await countOrder(tx, keyId)
  const amounts = await amountsOf(tx, accountId, quote, wish)
  const begun = firstMove(amounts)
  await holdCredit(tx, { orderId: id, accountId, amountKobo: kobo(amounts.creditKobo) })
  const standing = begun.to === 'processing' ? standings.sending : standings.unpaid
  // A registration's transfer code is ours to set: the same in every attempt, so that a look can tell whose domain it is.
  const authCode = quote.kind === 'register' ? newAuthCode() : wish.authCode
  const order = await insertOrder(
    tx,
    {
      id,
      accountId,
      keyId,
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
        authCode === undefined || quote.kind === 'renew' ? null : parts.secrets.seal(authCodePurpose(id), authCode),
      registrantId: quote.kind === 'register' ? newContactId() : null,
      oldExpiry: quote.oldExpiry,
    },
    unpaidHours,
  )
  if (begun.effects.includes('spend_credit')) await spendHold(tx, id)
  await tell(tx, wish.actor, order, begun, { kind: 'placed' })
  return order
}

async function refuseUnfitAccount(tx: Tx, accountId: string): Promise<void> {
  const account = await readAccount(tx, accountId)
  if (account === undefined) throw new Refusal('invalid_key', 'The account of this key was deleted: it cannot buy.')
  if (!account.emailConfirmed)
    throw new Refusal('email_unconfirmed', "The account's email address must be confirmed before it can order.")
}

async function usableQuote(tx: Tx, accountId: string, id: string): Promise<Quote> {
  const quote = await readQuote(tx, accountId, id)
  if (quote === undefined) throw new Refusal('not_found', 'There is no such quote.')
  if (quote.isExpired) throw new Refusal('quote_expired', 'The quote is over 30 minutes old. Ask for a new one.')
  if (!quote.available) throw new Refusal('name_unavailable', `${quote.name} is taken.`)
  return quote
}

async function contactFor(
  tx: Tx,
  accountId: string,
  quote: Quote,
  id: string | undefined,
): Promise<Contact | undefined> {
  if (!quote.requirements.contact) return undefined
  const at = { path: '/contact_id', code: 'no_contact' }
  const contact = id === undefined ? undefined : await readContact(tx, accountId, id)
  if (contact === undefined) {
    const message = id === undefined ? 'A registration needs a contact (`contact_id`).' : 'There is no such contact.'
    throw new Refusal('contact_invalid', message, { details: [{ ...at, message }] })
  }
  const faults = faultsForTld(contact.extra, quote.requirements.contact_fields)
  if (faults.length > 0)
    throw new Refusal('contact_invalid', `The contact lacks what .${quote.tld} asks for.`, { details: faults })
  return contact
}

async function refuseUnfitName(tx: Tx, accountId: string, quote: Quote): Promise<void> {
  const domain = await domainNamed(tx, quote.name)
  if (quote.kind === 'renew') {
    if (domain?.accountId !== accountId || domain.state !== 'held')
      throw new Refusal('not_renewable', `${quote.name} is no domain of this account.`)
    // Somebody has renewed it since: the quote was for another expiry.
    if (domain.expiresAt !== null && quote.oldExpiry !== null && domain.expiresAt > quote.oldExpiry)
      throw new Refusal('quote_expired', `${quote.name} was renewed since the quote. Ask for a new one.`)
  } else if (domain !== undefined) throw new Refusal('name_unavailable', `${quote.name} is with us already.`)
}

async function countOrder(tx: Tx, keyId: string): Promise<void> {
  if (!(await lockKey(tx, keyId))) throw new Refusal('invalid_key', 'The key was revoked or has expired meanwhile.')
  const waitS = orderLimitWaitS(await orderAgesOfKey(tx, keyId))
  if (waitS !== undefined)
    throw new Refusal('rate_limited', 'This key has reached its order limit: 20 orders an hour.', {
      headers: { 'retry-after': String(waitS) },
    })
}

async function amountsOf(tx: Tx, accountId: string, quote: Quote, wish: OrderWish) {
  const { amountKobo, promoKobo } = quote
  const rest = amountKobo - promoKobo
  const creditKobo = wish.useCredit ? Math.min(rest, await availableCredit(tx, accountId)) : 0
  const amounts = { amountKobo, promoKobo, creditKobo }
  const { expectedDueKobo: expected } = wish
  if (expected === undefined || expected === dueOf(amounts)) return amounts
  if (wish.useCredit && expected < dueOf(amounts) && expected <= rest)
    throw new Refusal(
      'insufficient_credit',
      `The credit covers ${creditKobo} kobo of ${rest}: ${rest - creditKobo} would be due.`,
    )
  throw new Refusal('price_changed', `${dueOf(amounts)} kobo would be due, not ${expected}.`)
}
