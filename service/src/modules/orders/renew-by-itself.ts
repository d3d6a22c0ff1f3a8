import { lockAccount } from '#modules/accounts/index.ts'
import { nairaText } from '#modules/billing/index.ts'
import { cardInWords, consentedCard } from '#modules/cards/index.ts'
import { domainNamed, type RenewByItself } from '#modules/domains/index.ts'
import { beginCharge } from '#modules/payments/index.ts'
import { Refusal } from '#platform/errors.ts'
import type { Database, Tx } from '#platform/postgres/index.ts'
import type { SecretBox } from '#platform/secrets.ts'
import type { TldSetting } from '#platform/settings/registries-setting.ts'
import type { Registries } from '#ports/registry.ts'
import { workOutQuote } from './create-quote.ts'
import { moveOrder } from './move-order.ts'
import { dueOf } from './moves.ts'
import type { Order } from './order.ts'
import { makePayLink, payLinkDays, payLinkUrl } from './pay-link.ts'
import { placeOrder } from './place-order.ts'
import { insertQuote } from './quote-store.ts'
import { quoteMinutes } from './rules.ts'
import { expireIfPerhapsPaid, lockOrder, openOrderNamed } from './store.ts'

/**
 * Orders renewals of domains with auto-renew: with the available credit, then with the saved card that the owner has allowed for the domain,
 * and with a payment link for the rest. Each order charges the card once. An unpaid auto-renew order from
 * an earlier notice is replaced, because credit may have arrived since then. If that order may be paid, it expires now. Like any order, it is
 * cancelled only after the gateway was queried once more; until then this throws `unavailable`.
 */
export function renewByItself(parts: {
  database: Database
  tlds: readonly TldSetting[]
  registries: Registries
  secrets: SecretBox
  nameservers: readonly string[]
  site: string
  savedCards: boolean
}): RenewByItself {
  const { database, secrets, site, savedCards } = parts
  return async ({ accountId, name }, stillDue) => {
    const wish = { accountId, kind: 'renew', name, years: 1, promoCode: '' } as const
    const quote = await workOutQuote(database.db, parts, wish)
    // In a transaction of its own, because the refusal below rolls this one back.
    await database.transact(async (tx) => {
      const former = await lockFormer(tx, accountId, name, stillDue)
      if (former !== undefined) await expireIfPerhapsPaid(tx, former.id)
    })
    return async (tx, actor) => {
      const former = await lockFormer(tx, accountId, name, stillDue)
      if (former !== undefined && (await expireIfPerhapsPaid(tx, former.id))) throw perhapsPaid(former)
      if (former !== undefined) await moveOrder(tx, actor, former, { kind: 'expired' })
      const { id: quoteId } = await insertQuote(tx, quote, quoteMinutes)
      const order = await placeOrder(tx, parts, {
        caller: { accountId, keyId: null },
        actor,
        quoteId,
        contactId: undefined,
        authCode: undefined,
        nameservers: [],
        autoRenew: true,
        clientEmail: '',
        useCredit: true,
        expectedDueKobo: undefined,
      })
      const due = dueOf(order)
      if (due === 0) return { orderId: order.id, is: 'paid' }
      const { token } = await makePayLink(tx, parts, actor, order.id)
      const domain = await domainNamed(tx, name)
      const card = savedCards && domain ? await consentedCard(tx, { orderId: domain.orderId, accountId }) : undefined
      if (card && !card.isExpired) {
        await beginCharge(tx, { orderId: order.id, accountId, email: card.email, amountKobo: due, cardId: card.id })
        return { orderId: order.id, is: 'charging' }
      }
      const link = payLinkUrl(site, secrets.open('pay_links.token', order.id, token))
      const why = card && `your saved card, ${cardInWords(card)}, has expired`
      return {
        ...{ orderId: order.id, is: 'to_pay' },
        toPay: { amount: nairaText(due), link, validForS: payLinkDays * 86_400, why },
      }
    }
  }
}

/**
 * The unpaid order that an earlier notice placed; account, order and domain are locked. Orders of the owner do not count. `stillDue` throws if
 * the order is from the current notice, because another process was faster.
 */
async function lockFormer(
  tx: Tx,
  accountId: string,
  name: string,
  stillDue: (tx: Tx) => Promise<unknown>,
): Promise<Order | undefined> {
  await lockAccount(tx, accountId)
  const id = await openOrderNamed(tx, accountId, name)
  const former = id === undefined ? undefined : await lockOrder(tx, id)
  await stillDue(tx)
  return former?.status === 'pending_payment' && isByItself(former) ? former : undefined
}

function perhapsPaid({ id, name }: Order): Refusal {
  return new Refusal('unavailable', `The payment of ${id} for ${name} is being checked with the card gateway first.`)
}

/** Orders of keys and people come from requests. Auto-renew orders do not. */
function isByItself({ kind, keyId, requestId }: Order): boolean {
  return kind === 'renew' && keyId === null && requestId === null
}
