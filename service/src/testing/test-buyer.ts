import assert from 'node:assert/strict'
import { grantCredit, kobo } from '#modules/billing/index.ts'
import { advanceOrder, takeOrders } from '#modules/orders/advance-order.ts'
import { workPayment } from '#modules/orders/settle-payment.ts'
import { claimPayments } from '#modules/payments/store.ts'
import { actorNamed } from '#platform/caller.ts'
import { sql } from '#platform/postgres/index.ts'
import type { Payments } from '#ports/payments.ts'
import type { TestAnswer, TestApi } from './test-api.ts'
import { testContact } from './test-contact.ts'

let buyers = 0

/** An account with a key and a contact that buys domains. */
export class TestBuyer {
  readonly #api: TestApi
  readonly accountId: string
  readonly key: string
  readonly contactId: string

  constructor(api: TestApi, parts: { accountId: string; key: string; contactId: string }) {
    this.#api = api
    this.accountId = parts.accountId
    this.key = parts.key
    this.contactId = parts.contactId
  }

  static async make(api: TestApi, creditKobo = 0): Promise<TestBuyer> {
    const accountId = await api.account(`test-buyer${++buyers}@example.net`)
    const key = await api.key(accountId)
    const { id: contactId } = (await api.call('POST', '/contacts', { key, body: testContact })).body
    const buyer = new TestBuyer(api, { accountId, key, contactId })
    if (creditKobo > 0) await buyer.grant(creditKobo)
    return buyer
  }

  grant(amount: number): Promise<unknown> {
    const grant = { accountId: this.accountId, amountKobo: kobo(amount), note: '' }
    return this.#api.database.transact((tx) => grantCredit(tx, actorNamed('operator', 'test'), grant))
  }

  call(method: string, path: string, body?: unknown): Promise<TestAnswer> {
    return this.#api.call(method, path, { key: this.key, ...(body !== undefined && { body }) })
  }

  /** A quote's id. Throws if the quote is refused. */
  async quote(name: string, more: object = {}): Promise<string> {
    const answer = await this.call('POST', '/quotes', { kind: 'register', name, ...more })
    assert.equal(answer.status, 201, JSON.stringify(answer.body))
    return answer.body.id
  }

  /** Creates a quote and orders it. `quote` and `order` are additional members of the two bodies. */
  async order(name: string, { quote = {}, order = {} }: { quote?: object; order?: object } = {}): Promise<TestAnswer> {
    const body = { quote_id: await this.quote(name, quote), contact_id: this.contactId, ...order }
    return this.call('POST', '/orders', body)
  }

  async read(id: string): Promise<TestAnswer['body']> {
    return (await this.call('GET', `/orders/${id}`)).body
  }
}

/** Takes every due step of orders, as a worker would, until none is left. Returns how many orders were processed. */
export async function workDue(api: TestApi): Promise<number> {
  for (let total = 0; ; ) {
    const orders = await api.database.transact((tx) => takeOrders(tx, api.orders, 50))
    if (orders.length === 0) return total
    await Promise.all(orders.map((order) => advanceOrder(api.orders, order)))
    total += orders.length
  }
}

/** Takes every due step of payments and orders, as a worker would, until none is left. */
export async function settleDue(api: TestApi, payments: Payments): Promise<void> {
  const { database, orders } = api
  for (;;) {
    const due = await database.transact((tx) => claimPayments(tx, 50, 60))
    await Promise.all(due.map((payment) => workPayment({ ...orders, payments }, payment)))
    if ((await workDue(api)) + due.length === 0) return
  }
}

/** The types of an account's `order.*` events, the oldest first. */
export async function orderEvents(api: TestApi, accountId: string): Promise<string[]> {
  const { rows } = await sql<{ type: string }>`
    select type from event_outbox where recipients = array[${accountId}]::uuid[] and type like 'order.%' order by seq`.execute(
    api.database.db,
  )
  return rows.map(({ type }) => type)
}

/** The balance of each book of an order. */
export async function booksOf(api: TestApi, orderId: string): Promise<Record<string, number>> {
  const { rows } = await sql<{ book: string; held: number }>`
    select book, sum(amount)::bigint as held from (
      select to_book as book, amount_kobo as amount from ledger_entries where order_id = ${orderId}
      union all select from_book, -amount_kobo from ledger_entries where order_id = ${orderId}) lines
    group by book having sum(amount) <> 0`.execute(api.database.db)
  return Object.fromEntries(rows.map(({ book, held }) => [book, held]))
}
