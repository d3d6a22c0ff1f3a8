import { orderRoutes, quoteRoutes, type WireQuote } from '@zonewright/contract'
import { keyLacks, remedyFor } from '#http/authorise.ts'
import type { Answer } from '#http/call.ts'
import type { HttpServer } from '#http/server.ts'
import { hasPartIn, hostNames } from '#modules/domains/index.ts'
import { asciiDomain } from '#modules/tlds/index.ts'
import { type Caller, holds } from '#platform/caller.ts'
import { Refusal } from '#platform/errors.ts'
import type { Db } from '#platform/postgres/index.ts'
import type { SecretBox } from '#platform/secrets.ts'
import type { TldSetting } from '#platform/settings/registries-setting.ts'
import type { Registries } from '#ports/registry.ts'
import { cancelOrder } from './cancel-order.ts'
import { workOutQuote } from './create-quote.ts'
import { listedOrderToWire, type Order } from './order.ts'
import { placeOrder } from './place-order.ts'
import { insertQuote, type Quote } from './quote-store.ts'
import { newOrderDetails, orderDetails } from './read-orders.ts'
import { quoteMinutes } from './rules.ts'
import { keyCoversOrder, pageOfOrders, readOrder } from './store.ts'

/** What the order routes need from outside their module. */
export interface OrderRoutesContext {
  readonly tlds: readonly TldSetting[]
  readonly registries: Registries
  readonly secrets: SecretBox
  /** The host names of our nameservers. Domains are delegated to these by default. */
  readonly nameservers: readonly string[]
  /** The address of the dashboard. */
  readonly site: string
}

export function mountOrderRoutes(server: HttpServer, context: OrderRoutesContext): void {
  const { database } = server
  const { db } = database
  const { site } = context

  server.mount(quoteRoutes.createQuote, async ({ caller, body, transact }) => {
    const { kind, name, years = 1, promo_code: promoCode = '' } = body
    // Before the transaction, because a transaction must not wait for the network.
    const quote = await workOutQuote(db, context, { accountId: caller.accountId, kind, name, years, promoCode })
    return transact(async (tx) => ({ status: 201, body: quoteToWire(await insertQuote(tx, quote, quoteMinutes)) }))
  })

  server.mount(orderRoutes.createOrder, async ({ caller, actor, query, body, transact }) => {
    const wish = {
      caller: { accountId: caller.accountId, keyId: caller.kind === 'key' ? caller.keyId : null },
      actor,
      quoteId: body.quote_id,
      contactId: body.contact_id,
      authCode: body.auth_code,
      nameservers: hostNames(body.nameservers ?? []),
      autoRenew: body.auto_renew ?? false,
      clientEmail: body.client_email ?? '',
      useCredit: body.use_credit ?? false,
      expectedDueKobo: body.expected_due_kobo,
    }
    if (query.dry_run) return dryRun(() => database.transact((tx) => place(tx).then(undo)))
    return transact(place)

    async function place(tx: Parameters<typeof placeOrder>[0]): Promise<Answer> {
      const order = await placeOrder(tx, context, wish).catch(refuseSecondOpenOrder)
      const details = newOrderDetails(site, order)
      return { status: 201, body: details, location: `/orders/${order.id}` }
    }
  })

  server.mount(orderRoutes.listOrders, async ({ caller, query, list }) => {
    const [before] = list.after('text') ?? []
    const { status, limit } = query
    const name = query.name === undefined ? undefined : asciiDomain(query.name)
    const keyId = caller.kind === 'key' && !caller.allZones ? caller.keyId : null
    const found = await pageOfOrders(db, caller.accountId, { keyId, status, name, before, limit })
    const { rows, nextCursor } = list.page(found, ({ id }) => [id])
    return { status: 200, body: { data: rows.map(listedOrderToWire), next_cursor: nextCursor } }
  })

  server.mount(orderRoutes.getOrder, async ({ caller, params }) => ({
    status: 200,
    body: await orderDetails(db, site, await visibleOrder(db, caller, params.id)),
  }))

  server.mount(orderRoutes.cancelOrder, async ({ caller, actor, params, transact }) => {
    // The response shows the cancelled order.
    const { id } = await visibleOrder(db, caller, params.id)
    return transact(async (tx) => ({
      status: 200,
      body: await orderDetails(tx, site, await cancelOrder(tx, actor, id)),
    }))
  })
}

/** An order that the caller can read. A key that has only `domains:buy` can read the orders that it placed. */
export async function visibleOrder(db: Db, caller: Caller, id: string): Promise<Order> {
  const found = await readOrder(db, id)
  const order = found?.accountId === caller.accountId ? found : undefined
  if (caller.kind === 'key' && !holds(caller, 'domains:read') && order?.keyId !== caller.keyId)
    throw new Refusal(
      'forbidden',
      `The key ${JSON.stringify(caller.keyName)} lacks the permission domains:read. Without it, a key can read and cancel only the orders that it placed.`,
    )
  if (order === undefined) throw noSuchOrder()
  if (caller.kind === 'key' && !caller.allZones && !(await keyCoversOrder(db, caller.keyId, order.id)))
    throw await notCovered(db, caller, order.name)
  return order
}

async function notCovered(db: Db, caller: Caller<'key'>, name: string): Promise<Refusal> {
  // Until the account has this domain, no key can cover it.
  const remedy = (await hasPartIn(db, caller.accountId, name))
    ? remedyFor('domain', name, 'owner')
    : 'Create a key for all zones.'
  return keyLacks(caller, `the domain ${name}`, remedy)
}

export function noSuchOrder(): Refusal {
  return new Refusal('not_found', 'This order does not exist.')
}

/** The result of a dry run. It is thrown to roll back the transaction. */
class Undone {
  readonly answer: Answer
  constructor(answer: Answer) {
    this.answer = answer
  }
}

function undo(answer: Answer): never {
  throw new Undone(answer)
}

/** All checks have passed, and nothing is stored: the order has no id. */
async function dryRun(work: () => Promise<never>): Promise<Answer> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Undone)) throw error
    return { status: 200, body: { ...(error.answer.body as object), id: '', url: '', receipt: null } }
  }
}

/** Two concurrent orders for one name: the unique index accepts only the first. */
function refuseSecondOpenOrder(error: unknown): never {
  const { code, constraint } = error as { code?: string; constraint?: string }
  if (code === '23505' && constraint === 'orders_open')
    throw new Refusal('order_open', 'This account already has an open order for this name. Pay or cancel that order.')
  throw error
}

function quoteToWire(quote: Quote): WireQuote {
  return {
    id: quote.id,
    kind: quote.kind,
    name: quote.name,
    years: quote.years,
    available: quote.available,
    premium: quote.premium,
    amount_kobo: quote.amountKobo,
    promo_kobo: quote.promoKobo,
    promo_code: quote.promoCode,
    renewal_kobo: quote.renewalKobo,
    requirements: quote.requirements,
    expires_at: quote.expiresAt.toISOString(),
  }
}
