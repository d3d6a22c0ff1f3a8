import { displayText, paymentRoutes } from '@zonewright/contract'
import type { HttpServer } from '#http/server.ts'
import { readAccount } from '#modules/accounts/index.ts'
import { returnedToCard } from '#modules/billing/index.ts'
import { countCards, maxCards } from '#modules/cards/index.ts'
import {
  declineOf,
  deletePayLink,
  hurryPayment,
  hurryPaymentsOf,
  type PayLink,
  payLinkOf,
  paymentsOf,
  readPayLink,
} from '#modules/payments/index.ts'
import { Refusal } from '#platform/errors.ts'
import type { Db } from '#platform/postgres/index.ts'
import type { SecretBox } from '#platform/secrets.ts'
import { BadSignature, type GatewayNews, type Payments } from '#ports/payments.ts'
import { dueOf } from './moves.ts'
import type { Order } from './order.ts'
import { countMail, makePayLink, note, payLinkUrl, tokenSha256 } from './pay-link.ts'
import { orderPage } from './read-orders.ts'
import { receiptPage } from './receipt.ts'
import { noSuchOrder } from './routes.ts'
import { startCheckout } from './start-checkout.ts'
import { readOrder } from './store.ts'

/** What the payment routes need from outside their module. */
export interface PaymentRoutesContext {
  readonly payments: Payments
  readonly secrets: SecretBox
  /** The address of the dashboard. */
  readonly site: string
  /** The operator has turned saved cards on. */
  readonly savedCards: boolean
}

/** A receipt runs no scripts and loads nothing. */
const receiptPolicy = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'"

export function mountPaymentRoutes(server: HttpServer, context: PaymentRoutesContext): void {
  const { database } = server
  const { db } = database
  const { payments, secrets, site, savedCards } = context

  server.mount(paymentRoutes.startCheckout, async ({ caller, params, body, once }) => {
    const order = await ownOrder(db, caller.accountId, params.id)
    const email = (await readAccount(db, caller.accountId))?.email ?? ''
    const saveCard = body.save_card ?? false
    if (saveCard) await refuseToSave(db, caller.accountId, savedCards)
    const payer = { email, returnUrl: orderPage(site, order.id), saveCard }
    return once(async () => ({ status: 200, body: { url: await startCheckout({ database, payments }, order, payer) } }))
  })

  server.mount(paymentRoutes.checkPayment, async ({ caller, params, transact }) => {
    const order = await ownOrder(db, caller.accountId, params.id)
    return transact(async (tx) => {
      await hurryPaymentsOf(tx, order.id)
      return { status: 204 }
    })
  })

  server.mount(paymentRoutes.getPayLink, async ({ caller, params }) => {
    const order = await ownOrder(db, caller.accountId, params.id)
    const link = await readPayLink(db, order.id)
    if (link === undefined) throw new Refusal('not_found', 'This order has no payment link.')
    return { status: 200, body: linkToWire(link) }
  })

  server.mount(paymentRoutes.createPayLink, async ({ caller, actor, params, transact }) => {
    const order = await ownOrder(db, caller.accountId, params.id)
    return transact(async (tx) => {
      await countMail(tx, order)
      return { status: 201, body: linkToWire(await makePayLink(tx, { secrets, site }, actor, order.id)) }
    })
  })

  server.mount(paymentRoutes.deletePayLink, async ({ caller, actor, params, transact }) => {
    const order = await ownOrder(db, caller.accountId, params.id)
    return transact(async (tx) => {
      if (!(await deletePayLink(tx, order.id))) throw new Refusal('not_found', 'This order has no payment link.')
      await note(tx, actor, order, 'revoked')
      return { status: 204 }
    })
  })

  server.mount(paymentRoutes.getReceipt, async ({ caller, params }) => {
    const order = await ownOrder(db, caller.accountId, params.id)
    const account = await readAccount(db, caller.accountId)
    if (order.paidAt === null || account === undefined)
      throw new Refusal('not_found', 'This order was not paid, so it has no receipt.')
    const headers = { 'content-security-policy': receiptPolicy, 'cache-control': 'private, no-store' }
    const page = receiptPage(order, account, await returnedToCard(db, order.id))
    return { status: 200, body: page, type: 'text/html; charset=utf-8', headers }
  })

  server.mount(paymentRoutes.getPayPage, async ({ params }) => {
    const { order, link } = await linkedOrder(db, params.token)
    const { kind, name, years, status, paidAt } = order
    const isOpen = status === 'pending_payment'
    const [buyer, payments] = await Promise.all([readAccount(db, order.accountId), paymentsOf(db, order.id)])
    return {
      status: 200,
      body: {
        kind,
        name,
        years,
        ordered_by: displayText(buyer?.name || buyer?.email || ''),
        due_kobo: isOpen ? dueOf(order) : 0,
        state: isOpen ? 'open' : paidAt === null ? 'closed' : 'paid',
        begun: isOpen && payments.some(({ status }) => status === 'open'),
        decline_reason: isOpen ? declineOf(payments) : null,
        expires_at: link.expiresAt.toISOString(),
      },
      headers: { 'cache-control': 'no-store' },
    }
  })

  server.mount(
    paymentRoutes.payByLink,
    async ({ params, body, once }) => {
      const { order } = await linkedOrder(db, params.token)
      const payer = { email: body.email, returnUrl: payLinkUrl(site, params.token) }
      return once(async () => ({
        status: 200,
        body: { url: await startCheckout({ database, payments }, order, payer) },
      }))
    },
    {
      admit: ({ token = '' }) => linkedOrder(db, token),
      idempotencyScope: async ({ token = '' }) => (await linkedOrder(db, token)).order.id,
    },
  )

  server.mount(paymentRoutes.checkLinkedPayment, async ({ params, transact }) => {
    const { order } = await linkedOrder(db, params.token)
    return transact(async (tx) => {
      await hurryPaymentsOf(tx, order.id)
      return { status: 204 }
    })
  })

  server.mount(paymentRoutes.gatewayNews, async ({ body, header }) => {
    const { reference } = readNews(payments, body, header('x-paystack-signature'))
    // The webhook is only a hint: the worker now queries the gateway.
    if (reference !== null)
      await database.transact(async (tx) => {
        await hurryPayment(tx, reference)
        tx.wakeAfterCommit('payments_due')
      })
    return { status: 200 }
  })

  function linkToWire(link: PayLink) {
    const token = secrets.open('pay_links.token', link.orderId, link.token)
    return { url: payLinkUrl(site, token), expires_at: link.expiresAt.toISOString(), expired: link.isExpired }
  }
}

async function refuseToSave(db: Db, accountId: string, savedCards: boolean): Promise<void> {
  if (!savedCards) throw new Refusal('conflict', 'Cards cannot be saved here. Pay without `save_card`.')
  if ((await countCards(db, accountId)) >= maxCards)
    throw new Refusal(
      'conflict',
      `This account has ${maxCards} saved cards, the maximum. Remove one, or pay without \`save_card\`.`,
    )
}

function readNews(payments: Payments, body: string, signature: string | undefined): GatewayNews {
  try {
    return payments.parseWebhook(body, signature)
  } catch (error) {
    if (!(error instanceof BadSignature)) throw error
    throw new Refusal('forbidden', 'The signature is not valid.')
  }
}

async function ownOrder(db: Db, accountId: string, id: string): Promise<Order> {
  const order = await readOrder(db, id)
  if (order?.accountId !== accountId) throw noSuchOrder()
  return order
}

/** The order of a payment link. A link that is revoked, expired or unknown always gets the same response. */
async function linkedOrder(db: Db, token: string): Promise<{ order: Order; link: PayLink }> {
  const link = await payLinkOf(db, tokenSha256(token))
  const order = link && !link.isExpired ? await readOrder(db, link.orderId) : undefined
  if (link === undefined || order === undefined)
    throw new Refusal('not_found', 'This payment link is no longer valid. Ask the person who sent it for a new one.')
  return { order, link }
}
