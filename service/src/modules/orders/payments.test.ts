import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { startGateway } from '@zonewright/sandbox'
import { createPaystack } from '#adapters/paystack/index.ts'
import { deleteAccount } from '#modules/accounts/delete-account.ts'
import { takeTry } from '#modules/accounts/index.ts'
import { createPromo, grantCredit, kobo } from '#modules/billing/index.ts'
import { closeAccount } from '#modules/erasure/index.ts'
import { type PaymentOfOrder, paymentsOf } from '#modules/payments/index.ts'
import { claimPayments } from '#modules/payments/store.ts'
import { actorNamed } from '#platform/caller.ts'
import { sql, type Tx } from '#platform/postgres/index.ts'
import type { Payments } from '#ports/payments.ts'
import { eventually } from '#testing/eventually.ts'
import { figuresOf } from '#testing/figures.ts'
import { moveClock } from '#testing/move-clock.ts'
import { asAnotherProcess } from '#testing/platform/test-database.ts'
import { RegistryStaff } from '#testing/registry-staff.ts'
import { startSandboxRegistry } from '#testing/sandbox-registry.ts'
import { startTestApi, type TestAnswer } from '#testing/test-api.ts'
import { booksOf, orderEvents, settleDue, TestBuyer } from '#testing/test-buyer.ts'
import { testContact } from '#testing/test-contact.ts'
import { TestPerson } from '#testing/test-person.ts'
import { testPromo } from '#testing/test-promo.ts'
import { codeOf } from '#testing/test-zones.ts'
import { untilBlocked } from '#testing/until-blocked.ts'
import { cancelOrder } from './cancel-order.ts'
import { expireOrders } from './expire-orders.ts'
import { readStuckOrders, retryOrder } from './operator.ts'
import { orderFigures } from './order-figures.ts'
import { placeOrder } from './place-order.ts'
import { workPayment } from './settle-payment.ts'
import { startCheckout } from './start-checkout.ts'
import { cancelExpired, lockExpired, lockOrder } from './store.ts'

const secretKey = 'sk_test_payments'
const folder = await mkdtemp(join(tmpdir(), 'zonewright-gateway-'))
const gateway = await startGateway({ dataDir: folder, httpListen: '127.0.0.1:0', secretKey })
const payments = createPaystack({ url: `http://${gateway.address}`, secretKey, timeoutMs: 5_000 })
after(async () => {
  await payments.close()
  await gateway.close()
  await rm(folder, { recursive: true })
})
const registry = await startSandboxRegistry()
const staff = new RegistryStaff(registry)
const api = await startTestApi({ payments, registry })
const { database } = api
const { db } = database
const elsewhere = asAnotherProcess(database.url)
/** The values of `/metrics`. */
const waitingForPeople = () => figuresOf(db, orderFigures)('zonewright_orders_action_required')
const price = 1_250_000
const card = { success: '4000000000000001', declined: '4000000000000002', refundFails: '4000000000000004' } as const
const [needsAttention, late] = ['4000000000000005', '4000000000000007']

/** A person who places orders in the dashboard and pays there. */
class Payer {
  readonly person: TestPerson
  readonly accountId: string
  readonly contactId: string
  #names = 0

  constructor(person: TestPerson, accountId: string, contactId: string) {
    this.person = person
    this.accountId = accountId
    this.contactId = contactId
  }

  static async make(email: string): Promise<Payer> {
    const person = await TestPerson.signedIn(api, email)
    const { id } = (await person.call('GET', '/account')).body
    const contact = await person.call('POST', '/contacts', { body: testContact })
    return new Payer(person, id, contact.body.id)
  }

  async order(more: object = {}): Promise<{ id: string; name: string }> {
    const name = `${this.person.email.split('@')[0]}${++this.#names}.test`
    const quote = await this.person.call('POST', '/quotes', { body: { kind: 'register', name } })
    const body = { quote_id: quote.body.id, contact_id: this.contactId, ...more }
    const placed = await this.person.call('POST', '/orders', { body })
    assert.equal(placed.status, 201, JSON.stringify(placed.body))
    return placed.body
  }

  async renewal(name: string, more: object = {}): Promise<{ id: string; name: string }> {
    const quote = await this.person.call('POST', '/quotes', { body: { kind: 'renew', name } })
    const placed = await this.person.call('POST', '/orders', { body: { quote_id: quote.body.id, ...more } })
    assert.equal(placed.status, 201, JSON.stringify(placed.body))
    return placed.body
  }

  /** Opens the gateway's page for an order, and returns the payment's reference. */
  async checkout(id: string): Promise<string> {
    const opened = await this.person.call('POST', `/orders/${id}/checkout`)
    assert.equal(opened.status, 200, JSON.stringify(opened.body))
    return decodeURIComponent(new URL(opened.body.url).pathname.split('/').at(-1) ?? '')
  }

  async pay(id: string, number: string): Promise<string> {
    const reference = await this.checkout(id)
    await gateway.pay(reference, number)
    await news('charge.success', { reference })
    await settleDue(api, payments)
    return reference
  }

  read = async (id: string) => (await this.person.call('GET', `/orders/${id}`)).body

  grant(amount: number): Promise<unknown> {
    const given = { accountId: this.accountId, amountKobo: kobo(amount), note: '' }
    return database.transact((tx) => grantCredit(tx, actorNamed('operator', 'test'), given))
  }

  /** The available credit and the balance. */
  async credit(): Promise<[available: number, balance: number]> {
    const { body } = await this.person.call('GET', '/credit')
    return [body.available_kobo, body.balance_kobo]
  }
}

let anybody: Promise<Payer> | undefined
/** One payer for the tests that check only their own orders, because the number of sign-ups per address and hour is limited. */
function somebody(): Promise<Payer> {
  anybody ??= Payer.make('somebody@example.net')
  return anybody
}

/** A webhook request of the gateway. */
function news(event: string, data: object, key = secretKey) {
  const body = JSON.stringify({ event, data })
  const signature = createHmac('sha512', key).update(body).digest('hex')
  const headers = { 'content-type': 'application/json', 'x-paystack-signature': signature }
  return api.call('POST', '/gateway/paystack', { body, headers })
}

/** Waits until the gateway's bank has decided about a refund, passes its webhook on, and settles the payments. */
async function refunded(reference: string): Promise<void> {
  await eventually('the bank decides', () => {
    const transaction = gateway.books.transaction(reference)
    return transaction && gateway.books.refundsOf(transaction.id).some(({ status }) => status !== 'pending')
  })
  await news('refund.processed', { transaction_reference: reference })
  await settleDue(api, payments)
}

test('after a card payment, the order completes, and its receipt shows the payment', async () => {
  const payer = await Payer.make('success@example.net')
  const { id, name } = await payer.order()
  assert.equal((await payer.person.call('GET', `/orders/${id}/receipt`)).status, 404, 'nothing was paid yet')
  await payer.pay(id, card.success)
  const order = await payer.read(id)
  assert.deepEqual([order.status, order.due_kobo, order.last_error], ['completed', 0, ''])
  assert.deepEqual(
    order.payments.map((payment: Record<string, unknown>) => [
      payment.status,
      payment.counted_as,
      payment.amount_kobo,
      payment.refund,
    ]),
    [['succeeded', 'order', price, null]],
  )
  assert.deepEqual(await orderEvents(api, payer.accountId), ['order.paid', 'order.completed'])
  assert.deepEqual(await booksOf(api, id), { card: -price, sales: price })
  const receipt = await payer.person.call('GET', `/orders/${id}/receipt`)
  assert.match(String(receipt.headers['content-type']), /^text\/html/)
  assert.match(receipt.body, new RegExp(`Registration of ${name}, 1 year</td><td>₦12,500.00`))
  assert.match(receipt.body, /Paid by card<\/td><td>−₦12,500.00/)
  assert.doesNotMatch(receipt.body, /Credit note/)
  assert.match(receipt.body, /<br>\d{1,2} [A-Z][a-z]{2,3} \d{4}<\/p>/, 'dates as in the dashboard')
})

test('a declined card leaves the order open, and another attempt pays it', async () => {
  const payer = await Payer.make('declined@example.net')
  const { id } = await payer.order()
  await payer.pay(id, card.declined)
  const open = await payer.read(id)
  assert.deepEqual([open.status, open.payments[0].status], ['pending_payment', 'failed'])
  assert.equal(open.payments[0].decline_reason, 'Declined')
  await payer.pay(id, card.success)
  assert.equal((await payer.read(id)).status, 'completed')
})

test('a declined card is known as soon as someone looks at the order or its payment link, with the reason of the gateway', async () => {
  const payer = await somebody()
  const { id } = await payer.order()
  const link = await payer.person.call('POST', `/orders/${id}/pay-link`)
  const token = new URL(link.body.url).pathname.split('/').at(-1)
  const page = async () => (await api.call('GET', `/pay/${token}`)).body
  const look = async (path: string): Promise<void> => {
    assert.equal((await (path.startsWith('/pay') ? api : payer.person).call('POST', path)).status, 204)
    await settleDue(api, payments)
  }
  await look(`/orders/${id}/checkout/check`)
  await gateway.pay(await payer.checkout(id), card.declined)
  await settleDue(api, payments)
  const { begun, decline_reason } = await page()
  assert.deepEqual({ begun, decline_reason }, { begun: true, decline_reason: null }, 'nothing is due yet')
  await look(`/pay/${token}/checkout/check`)
  assert.equal((await page()).decline_reason, 'Declined')
  await gateway.pay(await payer.checkout(id), card.declined)
  assert.equal((await page()).decline_reason, null, 'another payment was started')
  await look(`/orders/${id}/checkout/check`)
  assert.deepEqual(
    (await payer.read(id)).payments.map((payment: { decline_reason: string }) => payment.decline_reason),
    ['Declined', 'Declined'],
  )
  // Within 5 s, the gateway is not queried again; a person who returns later sees its response at that time.
  const { rows } = await sql<{ hurried: boolean }>`
    with looked as (select step_at > app_now() + interval '3 seconds' as waits from payments where order_id = ${id} order by created_at desc limit 1)
    select waits as hurried from looked`.execute(db)
  assert.deepEqual(rows, [{ hurried: true }])
  await payer.pay(id, card.success)
  assert.equal((await page()).decline_reason, null)
})

test('a refusal refunds the card, and the credit note shows the refund', async () => {
  const payer = await Payer.make('refund@example.net')
  const { id, name } = await payer.order()
  const reference = await payer.checkout(id)
  await gateway.pay(reference, card.success)
  await staff.put(name)
  await news('charge.success', { reference })
  await settleDue(api, payments)
  assert.deepEqual([(await payer.read(id)).status, (await payer.read(id)).stage], ['failed', 'refunding'])
  await refunded(reference)
  const order = await payer.read(id)
  assert.deepEqual([order.status, order.stage, order.payments[0].refund], ['refunded', null, 'processed'])
  assert.deepEqual(await orderEvents(api, payer.accountId), ['order.paid', 'order.failed', 'order.refunded'])
  assert.deepEqual(await booksOf(api, id), {})
  const receipt = await payer.person.call('GET', `/orders/${id}/receipt`)
  assert.match(receipt.body, /Credit note.*Returned to the card<\/td><td>₦12,500.00/s)
})

test('a refund that fails permanently becomes credit', async () => {
  const payer = await Payer.make('credited@example.net')
  const { id, name } = await payer.order()
  await staff.put(name)
  const reference = await payer.pay(id, card.refundFails)
  await refunded(reference)
  assert.equal((await payer.read(id)).status, 'credited')
  assert.deepEqual(
    (await paymentsOf(db, id)).map(({ refundState }) => refundState),
    ['failed'],
  )
  assert.deepEqual(await booksOf(api, id), { card: -price, credit: price })
  assert.equal((await payer.person.call('GET', '/credit')).body.available_kobo, price)
})

test('a refund that needs attention waits and shows this until the bank accepts it', async () => {
  const payer = await Payer.make('attention@example.net')
  const { id, name } = await payer.order()
  await staff.put(name)
  const reference = await payer.pay(id, needsAttention)
  await refunded(reference)
  const stuck = await payer.read(id)
  assert.deepEqual(
    [stuck.status, stuck.stage, stuck.payments[0].refund],
    ['failed', 'action_required', 'needs_attention'],
  )
  assert.equal(await waitingForPeople(), 1)
  assert.deepEqual(await listedAsStuck(), [[id, 'failed', 'needs_attention']])
  const transaction = gateway.books.transaction(reference)
  for (const refund of gateway.books.refundsOf(transaction?.id ?? 0)) refund.status = 'processed'
  await refunded(reference)
  assert.equal((await payer.read(id)).status, 'refunded')
  assert.equal(await waitingForPeople(), 0)
  assert.deepEqual(await listedAsStuck(), [])
})

test('a surplus payment whose refund needs attention also waits for a person, in any state of its order', async () => {
  const payer = await somebody()
  const { id } = await payer.order()
  const reference = await payer.checkout(id)
  Object.assign(gateway.books.transaction(reference) ?? {}, { amount: price - 1 })
  await gateway.pay(reference, needsAttention)
  await news('charge.success', { reference })
  await settleDue(api, payments)
  await refunded(reference)
  assert.equal((await payer.person.call('POST', `/orders/${id}/cancel`)).status, 200)
  assert.equal(await waitingForPeople(), 1)
  assert.deepEqual(await listedAsStuck(), [[id, 'cancelled', 'needs_attention']])
  const transaction = gateway.books.transaction(reference)
  for (const refund of gateway.books.refundsOf(transaction?.id ?? 0)) refund.status = 'processed'
  await refunded(reference)
  assert.equal(await waitingForPeople(), 0)
})

/** The orders that an operator sees: those paid an hour ago, and those that need attention. */
async function listedAsStuck(): Promise<unknown[]> {
  return (await readStuckOrders(db, 60)).map(({ id, status, refund }) => [id, status, refund])
}

test('webhooks that arrive twice or out of order change nothing', async () => {
  const payer = await Payer.make('twice@example.net')
  const { id } = await payer.order()
  const reference = await payer.pay(id, card.success)
  const before = await orderEvents(api, payer.accountId)
  await news('charge.success', { reference })
  await news('refund.processed', { transaction_reference: reference })
  await news('refund.failed', { transaction_reference: reference })
  await settleDue(api, payments)
  assert.deepEqual(await orderEvents(api, payer.accountId), before)
  assert.equal((await payer.read(id)).status, 'completed')
})

test('a forged webhook is refused, and a valid one about an unknown payment is accepted', async () => {
  const payer = await somebody()
  const { id } = await payer.order()
  const reference = await payer.checkout(id)
  assert.deepEqual(codeOf(await news('charge.success', { reference }, 'sk_test_other')), [403, 'forbidden'])
  const unsigned = await api.call('POST', '/gateway/paystack', {
    body: { event: 'charge.success', data: { reference } },
  })
  assert.deepEqual(codeOf(unsigned), [403, 'forbidden'])
  // A webhook that claims a payment that the gateway itself does not know.
  assert.equal((await news('charge.success', { reference })).status, 200)
  await settleDue(api, payments)
  assert.equal((await payer.read(id)).status, 'pending_payment')
  assert.equal((await news('transfer.success', { reference: 'other' })).status, 200)
  assert.equal((await news('charge.success', { reference: 'pay-none' })).status, 200)
})

test('a second payment of the same order is surplus and is refunded automatically', async () => {
  const payer = await Payer.make('surplus@example.net')
  const { id, name } = await payer.order()
  const first = await payer.checkout(id)
  // An attempt keeps its page for an hour. After that, there is a new attempt.
  await moveClock(database, '61 minutes')
  try {
    const second = await payer.checkout(id)
    assert.notEqual(second, first)
    for (const reference of [first, second]) await gateway.pay(reference, card.success)
    for (const reference of [first, second]) await news('charge.success', { reference })
    await settleDue(api, payments)
    const surplus = (await payer.read(id)).payments.find(
      (each: { counted_as: string }) => each.counted_as === 'surplus',
    )
    // If the registry had not finished yet, a person who wants to close the account would see both.
    const closed = database.transact(async (tx) => {
      await sql`update orders set status = 'processing', settled_at = null where id = ${id}`.execute(tx)
      await deleteAccount(tx, actorNamed('system', 'test'), payer.accountId, { also: closeAccount, letGo: true })
    })
    const details = [`The registration of ${name} is in progress`, `The payment for ${name} is being refunded`].map(
      (what) => ({ path: '', code: 'order_under_way', message: `${what} (${id}).` }),
    )
    await assert.rejects(closed, { code: 'conflict', details })
    await refunded(surplus.reference)
  } finally {
    await moveClock(database, '0 seconds')
  }
  const order = await payer.read(id)
  assert.deepEqual(
    order.payments.map((payment: Record<string, unknown>) => [payment.counted_as, payment.refund]).sort(),
    [
      ['order', null],
      ['surplus', 'processed'],
    ],
  )
  assert.deepEqual(await booksOf(api, id), { card: -price, sales: price })
  assert.deepEqual(await orderEvents(api, payer.accountId), ['order.paid', 'order.completed'])
})

test('a payment that was reversed before we learned of it pays nothing and adds no credit', async () => {
  const payer = await somebody()
  const { id } = await payer.order()
  const reference = await payer.checkout(id)
  await gateway.pay(reference, card.success)
  Object.assign(gateway.books.transaction(reference) ?? {}, { status: 'reversed' })
  await news('charge.success', { reference })
  await settleDue(api, payments)
  const order = await payer.read(id)
  assert.deepEqual([order.status, order.payments[0].status], ['pending_payment', 'failed'])
  assert.deepEqual(await booksOf(api, id), {})
})

test('a payment that the bank reversed before its refund was posted counts as refunded, and is never credited as well', async () => {
  const payer = await somebody()
  const { id, name } = await payer.order()
  await staff.put(name)
  gateway.behaviours.set({ status: 500, times: 1 }, 'refund')
  const reference = await payer.pay(id, card.success)
  assert.equal((await payer.read(id)).status, 'failed')
  Object.assign(gateway.books.transaction(reference) ?? {}, { status: 'reversed' })
  await news('refund.processed', { transaction_reference: reference })
  await settleDue(api, payments)
  assert.equal((await payer.read(id)).status, 'refunded')
  assert.deepEqual(await booksOf(api, id), {})
  assert.equal((await payer.person.call('GET', '/credit')).body.available_kobo, 0)
})

test('after a partial manual refund, the rest is also refunded or becomes credit', async () => {
  const payer = await somebody()
  const part = 400_000
  const credit = async (): Promise<number> => (await payer.person.call('GET', '/credit')).body.available_kobo
  const before = await credit()
  for (const number of [card.success, card.refundFails]) {
    const { id, name } = await payer.order()
    await staff.put(name)
    gateway.behaviours.set({ status: 500, times: 1 }, 'refund')
    const reference = await payer.pay(id, number)
    const transaction = gateway.books.transaction(reference) ?? assert.fail()
    const byHand = gateway.books.addRefund(transaction, part)
    // While this refund is in progress, no other one is posted.
    await news('refund.pending', { transaction_reference: reference })
    await settleDue(api, payments)
    assert.equal((await payer.read(id)).status, 'failed')
    assert.equal(gateway.books.refundsOf(transaction.id).length, 1)
    const owedFor = async (): Promise<number | undefined> => {
      const { rows } = await sql<{ owedForS: number }>`
        select extract(epoch from app_now() - refund_wanted_at)::float8 as "owedForS" from payments where reference = ${reference}`.execute(
        db,
      )
      return rows[0]?.owedForS
    }
    await sql`
      update payments set refund_wanted_at = refund_wanted_at - interval '3 days' where reference = ${reference}`.execute(
      db,
    )
    byHand.status = 'processed'
    await news('refund.processed', { transaction_reference: reference })
    await settleDue(api, payments)
    assert.deepEqual(
      gateway.books.refundsOf(transaction.id).map(({ amount }) => amount),
      [part, price - part],
    )
    assert.ok(((await owedFor()) ?? 0) > 3 * 86_400, 'owed since the first day, for whoever watches refunds')
    await eventually('the bank decides', () =>
      gateway.books.refundsOf(transaction.id).every(({ status }) => status !== 'pending'),
    )
    await news('refund.processed', { transaction_reference: reference })
    await settleDue(api, payments)
    const isWhole = number === card.success
    const order = await payer.read(id)
    assert.deepEqual(
      [order.status, order.payments[0].refund],
      isWhole ? ['refunded', 'processed'] : ['credited', 'failed'],
    )
    assert.deepEqual(await booksOf(api, id), isWhole ? {} : { card: part - price, credit: price - part })
    const receipt = (await payer.person.call('GET', `/orders/${id}/receipt`)).body
    assert.match(
      receipt,
      isWhole ? /Returned to the card<\/td><td>₦12,500.00/ : /Returned to the card<\/td><td>₦4,000.00/,
    )
    if (!isWhole) assert.match(receipt, /Returned as credit, because [^<]*<\/td><td>₦8,500.00/)
  }
  assert.equal((await credit()) - before, price - part)
})

test('a surplus payment with a partial manual refund is refunded completely', async () => {
  const payer = await somebody()
  const { id } = await payer.order()
  const reference = await payer.checkout(id)
  Object.assign(gateway.books.transaction(reference) ?? {}, { amount: price - 1 })
  await gateway.pay(reference, card.success)
  gateway.behaviours.set({ status: 500, times: 1 }, 'refund')
  await news('charge.success', { reference })
  await settleDue(api, payments)
  const transaction = gateway.books.transaction(reference) ?? assert.fail()
  gateway.books.addRefund(transaction, 1_000).status = 'processed'
  await news('refund.processed', { transaction_reference: reference })
  await settleDue(api, payments)
  await refunded(reference)
  assert.deepEqual(
    gateway.books.refundsOf(transaction.id).map(({ amount }) => amount),
    [1_000, price - 1_001],
  )
  await eventually('the bank decides', () =>
    gateway.books.refundsOf(transaction.id).every(({ status }) => status === 'processed'),
  )
  await refunded(reference)
  assert.equal((await payer.read(id)).payments[0].refund, 'processed')
  assert.deepEqual(await booksOf(api, id), {})
})

test('a payment of the wrong amount or currency does not pay the order and is refunded', async () => {
  const payer = await Payer.make('wrong@example.net')
  for (const change of [{ amount: price - 1 }, { amount: price + 1 }, { currency: 'USD' }]) {
    const { id } = await payer.order()
    const reference = await payer.checkout(id)
    Object.assign(gateway.books.transaction(reference) ?? {}, change)
    await gateway.pay(reference, card.success)
    await news('charge.success', { reference })
    await settleDue(api, payments)
    await refunded(reference)
    const order = await payer.read(id)
    assert.deepEqual(
      [order.status, order.payments[0].counted_as, order.payments[0].refund],
      ['pending_payment', 'surplus', 'processed'],
    )
    assert.deepEqual(await booksOf(api, id), {})
  }
})

/** One of two orders is paid, and no webhook arrives. A day later, the last query completes it, and the other order is cancelled. */
async function expireAfterLastLook(
  payer: Payer,
  { reference, paid, unpaid }: { reference: string; paid: { id: string }; unpaid: { id: string } },
): Promise<void> {
  await gateway.pay(reference, card.success)
  await moveClock(database, '24 hours 1 minute')
  try {
    await expireOrders(database)
    assert.equal((await payer.read(paid.id)).status, 'pending_payment', 'it is asked about first')
    await settleDue(api, payments)
    await expireOrders(database)
    const statuses = [(await payer.read(paid.id)).status, (await payer.read(unpaid.id)).status]
    assert.deepEqual(statuses, ['completed', 'cancelled'])
  } finally {
    await moveClock(database, '0 seconds')
  }
}

test('an unpaid order queries the gateway once more before it expires', async () => {
  const payer = await Payer.make('lastlook@example.net')
  const [paid, unpaid] = [await payer.order(), await payer.order()]
  const reference = await payer.checkout(paid.id)
  await payer.checkout(unpaid.id)
  await settleDue(api, payments)
  await expireAfterLastLook(payer, { reference, paid, unpaid })
})

test('an expiry does not wait for payments that a worker has claimed, and makes the others due immediately', async () => {
  const payer = await Payer.make('inhand@example.net')
  const held = await payer.checkout((await payer.order()).id)
  const free = await payer.checkout((await payer.order()).id)
  const dueOf = async (reference: string) => {
    const { rows } = await sql<{ isDue: boolean }>`
      select step_at <= app_now() as "isDue" from payments where reference = ${reference}`.execute(db)
    return rows[0]?.isDue
  }
  await sql`update orders set expires_at = app_now() - interval '1 second' where account_id = ${payer.accountId}`.execute(
    db,
  )
  await sql`update payments set step_at = app_now() + interval '5 minutes' where reference in (${held}, ${free})`.execute(
    db,
  )
  await elsewhere.transact(async (tx) => {
    await sql`select from payments where reference = ${held} for update`.execute(tx)
    await expireOrders(database)
    assert.deepEqual([await dueOf(held), await dueOf(free)], [false, true])
  })
  await expireOrders(database)
  assert.equal(await dueOf(held), true)
})

/** Seconds until the gateway is queried about a payment. */
async function dueIn(reference: string): Promise<number> {
  const { rows } = await sql<{ inS: number }>`
    select extract(epoch from step_at - app_now())::float8 as "inS" from payments where reference = ${reference}`.execute(
    db,
  )
  return rows[0]?.inS ?? assert.fail('it is never asked about again')
}

test('if a declined payer pays on the same page with another card and no webhook arrives, the payment is still found', async () => {
  const payer = await somebody()
  const { id } = await payer.order()
  const reference = await payer.pay(id, card.declined)
  assert.equal((await payer.read(id)).payments[0].status, 'failed')
  await gateway.pay(reference, card.success)
  await moveClock(database, '2 minutes')
  try {
    await settleDue(api, payments)
    const order = await payer.read(id)
    assert.deepEqual([order.status, order.payments.length], ['completed', 1])
  } finally {
    await moveClock(database, '0 seconds')
  }
})

test('an order with a declined card queries the gateway once more before it expires, like any other', async () => {
  const payer = await somebody()
  const [paid, unpaid] = [await payer.order(), await payer.order()]
  const reference = await payer.pay(paid.id, card.declined)
  await payer.pay(unpaid.id, card.declined)
  await moveClock(database, '23 hours')
  await settleDue(api, payments)
  await expireAfterLastLook(payer, { reference, paid, unpaid })
})

test('a declined payment is given up like any other, and then does not keep its order open', async () => {
  const payer = await somebody()
  const { id } = await payer.order()
  await payer.pay(id, card.declined)
  await sql`update payments set created_at = app_now() - interval '9 days', step_at = app_now() where order_id = ${id}`.execute(
    db,
  )
  await settleDue(api, payments)
  const { rows } = await sql`select status, step_at from payments where order_id = ${id}`.execute(db)
  assert.deepEqual(rows, [{ status: 'failed', step_at: null }])
  await sql`update orders set expires_at = app_now() - interval '1 second' where id = ${id}`.execute(db)
  await sql`update payments set looked_at = app_now() - interval '1 hour' where order_id = ${id}`.execute(db)
  await expireOrders(database)
  assert.equal((await payer.read(id)).status, 'cancelled')
})

test('an unavailable gateway is queried early once for each expired order, and at most once a minute', async () => {
  const payer = await somebody()
  const { id } = await payer.order()
  const reference = await payer.checkout(id)
  const away: Payments = { ...payments, verify: async () => ({ kind: 'unavailable', why: 'away' }) }
  // The gateway is queried a moment before the order expires.
  for (let n = 0; n < 4; n++) {
    await sql`update payments set step_at = app_now() where reference = ${reference}`.execute(db)
    await settleDue(api, away)
  }
  await sql`update orders set expires_at = app_now() where id = ${id}`.execute(db)
  await expireOrders(database)
  assert.ok((await dueIn(reference)) > 60, 'it was asked about just now')
  await moveClock(database, '61 seconds')
  try {
    await expireOrders(database)
    assert.ok((await dueIn(reference)) <= 0, 'it has its last look')
    await settleDue(api, away)
    for (const ahead of ['62 seconds', '130 seconds', '200 seconds']) {
      await moveClock(database, ahead)
      await expireOrders(database)
      assert.ok((await dueIn(reference)) > 60, `${ahead}: it is asked again as always`)
    }
    assert.equal((await payer.read(id)).status, 'pending_payment')
  } finally {
    await moveClock(database, '0 seconds')
  }
})

/** An order that has expired while its payer is at the bank. */
async function expired(payer: Payer, more: object = {}): Promise<{ id: string; name: string; reference: string }> {
  const { id, name } = await payer.order(more)
  return { id, name, reference: await lapse(payer, id) }
}

/** Makes an order expire while its payer is at the bank, and returns the reference of the payment. */
async function lapse(payer: Payer, id: string): Promise<string> {
  const reference = await payer.checkout(id)
  await gateway.pay(reference, late)
  await sql`update orders set expires_at = app_now() - interval '1 second' where id = ${id}`.execute(db)
  await sql`update payments set looked_at = app_now() where reference = ${reference}`.execute(db)
  await expireOrders(database)
  assert.equal((await payer.read(id)).status, 'cancelled')
  return reference
}

async function payLate(reference: string): Promise<void> {
  await fetch(`http://${gateway.address}/late/${reference}`, { method: 'POST' })
  await news('charge.success', { reference })
  await settleDue(api, payments)
}

let anyLatecomer: Promise<Payer> | undefined
/** Several tests below share this payer, because the number of sign-ups an hour is limited. */
function latecomer(): Promise<Payer> {
  anyLatecomer ??= Payer.make('late@example.net')
  return anyLatecomer
}

test('a late payment reopens an expired order while name, credit and code are still available', async () => {
  const payer = await latecomer()
  const { id, reference } = await expired(payer)
  await payLate(reference)
  assert.equal((await payer.read(id)).status, 'completed')
  assert.deepEqual(await orderEvents(api, payer.accountId), ['order.cancelled', 'order.paid', 'order.completed'])
  assert.deepEqual(await booksOf(api, id), { card: -price, sales: price })

  const part = 400_000
  await payer.grant(part)
  const partly = await expired(payer, { use_credit: true })
  assert.deepEqual(await payer.credit(), [part, part], 'the credit is free again')
  await payLate(partly.reference)
  assert.equal((await payer.read(partly.id)).status, 'completed')
  assert.deepEqual(await booksOf(api, partly.id), { card: part - price, credit: -part, sales: price })
  assert.deepEqual(await payer.credit(), [0, 0])
})

test('an order that expires while its payment is being recorded is reopened, like one that expired earlier', async () => {
  const payer = await latecomer()
  const { id } = await payer.order()
  const reference = await payer.checkout(id)
  await gateway.pay(reference, late)
  await sql`update orders set expires_at = app_now() - interval '1 second' where id = ${id}`.execute(db)
  const [cancelled, mayCommit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const expiring = database.transact(async (tx) => {
    await cancelExpired(tx, [id])
    cancelled.resolve()
    await mayCommit.promise
  })
  await cancelled.promise
  const settling = payLate(reference)
  await untilBlocked(db).finally(() => mayCommit.resolve())
  await Promise.all([expiring, settling])
  await settleDue(api, payments)
  assert.equal((await payer.read(id)).status, 'completed')
  assert.deepEqual(await booksOf(api, id), { card: -price, sales: price })
})

test('a late payment is refunded if the name has a new order, the credit is spent, or the owner cancelled', async () => {
  const payer = await Payer.make('toolate@example.net')
  const again = await expired(payer)
  const quote = await payer.person.call('POST', '/quotes', { body: { kind: 'register', name: again.name } })
  const body = { quote_id: quote.body.id, contact_id: payer.contactId }
  assert.equal((await payer.person.call('POST', '/orders', { body })).status, 201)
  await payLate(again.reference)
  await refunded(again.reference)
  assert.equal((await payer.read(again.id)).status, 'refunded')

  const mine = await payer.order()
  const reference = await payer.checkout(mine.id)
  await gateway.pay(reference, late)
  assert.equal((await payer.person.call('POST', `/orders/${mine.id}/cancel`)).status, 200)
  await payLate(reference)
  await refunded(reference)
  assert.equal((await payer.read(mine.id)).status, 'refunded')
  for (const { id } of [again, mine]) assert.deepEqual(await booksOf(api, id), {})

  const part = 400_000
  await payer.grant(part)
  for (const isSpent of [false, true]) {
    const partly = await expired(payer, { use_credit: true })
    const other = await payer.order({ use_credit: true })
    if (isSpent) await payer.pay(other.id, card.success)
    await payLate(partly.reference)
    await refunded(partly.reference)
    assert.equal((await payer.read(partly.id)).status, 'refunded', isSpent ? 'spent' : 'set aside')
    assert.deepEqual(await booksOf(api, partly.id), {})
    assert.deepEqual(await payer.credit(), isSpent ? [0, 0] : [0, part])
    if (!isSpent) await payer.person.call('POST', `/orders/${other.id}/cancel`)
  }
})

/**
 * Runs an action while a transaction of another process with a change is still open. That transaction ends when the action has ended or waits
 * for a lock.
 */
async function whileUncommitted(work: (tx: Tx) => Promise<unknown>, meanwhile: () => Promise<unknown>): Promise<void> {
  const [done, mayCommit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const committed = elsewhere.transact(async (tx) => {
    await work(tx)
    done.resolve()
    await mayCommit.promise
  })
  await Promise.race([done.promise, committed])
  const other = meanwhile()
  await Promise.race([untilBlocked(db), other]).finally(() => mayCommit.resolve())
  await Promise.all([committed, other])
}

/** Places an order in the test's own transaction, with all available credit. */
function placeByItself(tx: Tx, { accountId, contactId }: Payer, quoteId: string): Promise<unknown> {
  const wish = {
    caller: { accountId, keyId: null },
    actor: actorNamed('system', 'test'),
    quoteId,
    contactId,
    authCode: undefined,
    nameservers: [],
    autoRenew: false,
    clientEmail: '',
    useCredit: true,
    expectedDueKobo: undefined,
  }
  return placeOrder(tx, { secrets: api.orders.secrets, nameservers: ['ns1.example.net', 'ns2.example.net'] }, wish)
}

test('a late payment waits for an order that is being placed with its credit, and is then refunded', async () => {
  const payer = await latecomer()
  const [, before] = await payer.credit()
  const part = 400_000
  await payer.grant(part)
  const { id, reference } = await expired(payer, { use_credit: true })
  const quote = await payer.person.call('POST', '/quotes', { body: { kind: 'register', name: 'spends-it.test' } })
  await whileUncommitted(
    (tx) => placeByItself(tx, payer, quote.body.id),
    () => payLate(reference),
  )
  await refunded(reference)
  assert.equal((await payer.read(id)).status, 'refunded')
  assert.deepEqual(await booksOf(api, id), {})
  assert.deepEqual(await payer.credit(), [0, before + part])
})

test('a late payment waits for an order that is being placed with the last use of its code, and is then refunded', async () => {
  const [payer, other] = [await latecomer(), await somebody()]
  const promo = { ...testPromo, code: 'LAST-USE', percent: 20, maxUses: 1 }
  await database.transact((tx) => createPromo(tx, actorNamed('operator', 'test'), promo))
  const quoteOf = async ({ person }: Payer, name: string): Promise<string> => {
    const body = { kind: 'register', name, promo_code: promo.code }
    return (await person.call('POST', '/quotes', { body })).body.id
  }
  const body = { quote_id: await quoteOf(payer, 'had-it.test'), contact_id: payer.contactId }
  const { id } = (await payer.person.call('POST', '/orders', { body })).body
  const reference = await lapse(payer, id)
  const quoteId = await quoteOf(other, 'has-it.test')
  await whileUncommitted(
    (tx) => placeByItself(tx, other, quoteId),
    () => payLate(reference),
  )
  await refunded(reference)
  assert.equal((await payer.read(id)).status, 'refunded')
  assert.deepEqual(await booksOf(api, id), {})
})

test('a payment that arrives while its order is being cancelled is refunded, and the credit is released', async () => {
  const payer = await Payer.make('cancels@example.net')
  await payer.grant(400_000)
  const { id } = await payer.order({ use_credit: true })
  const reference = await payer.checkout(id)
  await gateway.pay(reference, card.success)
  await news('charge.success', { reference })
  await whileUncommitted(
    (tx) => cancelOrder(tx, actorNamed('system', 'test'), id),
    () => settleDue(api, payments),
  )
  await refunded(reference)
  assert.equal((await payer.read(id)).status, 'refunded')
  assert.deepEqual(await orderEvents(api, payer.accountId), ['order.cancelled', 'order.refunded'])
  assert.deepEqual(await booksOf(api, id), {})
  assert.deepEqual(await payer.credit(), [400_000, 400_000])
})

/** Resolves for all callers when this many have called. */
function meeting(callers: number): () => Promise<void> {
  const met = Promise.withResolvers<void>()
  let here = 0
  return () => {
    if (++here === callers) met.resolve()
    return met.promise
  }
}

/** An order with a payment that the gateway has tried, but that the service does not know about. */
async function paidUnheard(payer: Payer, used: (typeof card)[keyof typeof card]) {
  const { id } = await payer.order()
  const reference = await payer.checkout(id)
  await gateway.pay(reference, used)
  const [payment = assert.fail()] = await paymentsOf(db, id)
  return { id, reference, payment }
}

test('a payment that two workers learn about at once is recorded once', async () => {
  const payer = await somebody()
  const { id, payment } = await paidUnheard(payer, card.success)
  const both = meeting(2)
  const verify: Payments['verify'] = async (of) => {
    const verified = await payments.verify(of)
    await both()
    return verified
  }
  const work = { ...api.orders, payments: { ...payments, verify } }
  await Promise.all([workPayment(work, payment), workPayment(work, payment)])
  await settleDue(api, payments)
  const order = await payer.read(id)
  assert.equal(order.status, 'completed')
  assert.deepEqual([order.payments[0].counted_as, order.payments[0].refund], ['order', null])
  assert.deepEqual(await booksOf(api, id), { card: -price, sales: price })
})

test('an answer from before a payment has no effect after the payment is recorded', async () => {
  const payer = await somebody()
  const { id, reference, payment } = await paidUnheard(payer, card.declined)
  const [asked, taken] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const verify: Payments['verify'] = async (of) => {
    const verified = await payments.verify(of)
    asked.resolve()
    await taken.promise
    return verified
  }
  const slow = workPayment({ ...api.orders, payments: { ...payments, verify } }, payment)
  await asked.promise
  await gateway.pay(reference, card.success)
  await news('charge.success', { reference })
  await settleDue(api, payments)
  taken.resolve()
  await slow
  const order = await payer.read(id)
  assert.deepEqual([order.status, order.payments[0].status], ['completed', 'succeeded'])
  const { rows } = await sql`select step_at from payments where id = ${payment.id}`.execute(db)
  assert.deepEqual(rows, [{ step_at: null }])
})

/** A payment that needs a refund. A person has refunded a part of it, while the service assumes that its own refund was posted. */
async function refundedInPart(part: number) {
  const payer = await somebody()
  const { id, name } = await payer.order()
  await staff.put(name)
  gateway.behaviours.set({ status: 500, times: 1 }, 'refund')
  const reference = await payer.pay(id, card.success)
  const transaction = gateway.books.transaction(reference) ?? assert.fail()
  const byHand = gateway.books.addRefund(transaction, part)
  await news('refund.pending', { transaction_reference: reference })
  await settleDue(api, payments)
  byHand.status = 'processed'
  const [payment = assert.fail()] = await paymentsOf(db, id)
  assert.equal(payment.refundState, 'posted')
  return { payer, id, reference, transaction, payment }
}

test('if two workers detect a partial manual refund at once, the rest is refunded once', async () => {
  const part = 400_000
  const { payer, id, reference, transaction, payment } = await refundedInPart(part)
  const both = meeting(2)
  const findRefunds: Payments['findRefunds'] = async (of) => {
    const found = await payments.findRefunds(of)
    await both()
    return found
  }
  let posted = 0
  const refund: Payments['refund'] = (wanted) => {
    posted += 1
    return payments.refund(wanted)
  }
  const work = { ...api.orders, payments: { ...payments, findRefunds, refund } }
  await Promise.all([workPayment(work, payment), workPayment(work, payment)])
  await settleDue(api, { ...payments, refund })
  assert.equal(posted, 1, 'the gateway does not have to refuse a second one')
  assert.deepEqual(
    gateway.books.refundsOf(transaction.id).map(({ amount }) => amount),
    [part, price - part],
  )
  await refunded(reference)
  assert.equal((await payer.read(id)).status, 'refunded')
  assert.deepEqual(await booksOf(api, id), {})
})

/** Starts a query about a refund. Its response arrives only when `goOn` is called. */
async function lookSlowly(payment: PaymentOfOrder, findRefunds: Payments['findRefunds']) {
  const [asked, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const slowly: Payments['findRefunds'] = async (of) => {
    const found = await findRefunds(of)
    asked.resolve()
    await answered.promise
    return found
  }
  const work = { ...api.orders, payments: { ...payments, findRefunds: slowly } }
  const over = workPayment(work, payment)
  await asked.promise
  return async () => {
    answered.resolve()
    await over
  }
}
const noAnswer: Payments['findRefunds'] = async () => ({ kind: 'unavailable', why: 'no answer' })
const noRefunds: Payments['findRefunds'] = async () => ({ kind: 'found', refunds: [] })
const refundOf = async ({ id }: PaymentOfOrder) =>
  (await sql`select refund_state, step_at from payments where id = ${id}`.execute(db)).rows

test('a late answer about a refund that another worker has ended starts no refund and no further query', async () => {
  for (const late of [payments.findRefunds, noAnswer]) {
    const { payer, id, reference, payment } = await refundedInPart(400_000)
    const goOn = await lookSlowly(payment, late)
    await workPayment({ ...api.orders, payments }, payment)
    await settleDue(api, payments)
    await refunded(reference)
    assert.equal((await payer.read(id)).status, 'refunded')
    await goOn()
    assert.deepEqual(await refundOf(payment), [{ refund_state: 'processed', step_at: null }])
  }
})

test('a late answer about a refund does not take the payment from the worker that posts the rest', async () => {
  const pending: Payments['findRefunds'] = async (of) => {
    const found = await payments.findRefunds(of)
    if (found.kind === 'unavailable') return found
    return { ...found, refunds: found.refunds.map((refund) => ({ ...refund, status: 'pending' as const })) }
  }
  for (const late of [pending, noAnswer]) {
    const { payment } = await refundedInPart(400_000)
    const goOn = await lookSlowly(payment, late)
    await workPayment({ ...api.orders, payments }, payment)
    await sql`update payments set step_at = app_now() where id = ${payment.id}`.execute(db)
    const [claimed] = await database.transact((tx) => claimPayments(tx, 1, 120))
    assert.deepEqual([claimed?.id, claimed?.refundState], [payment.id, 'wanted'])
    const held = await refundOf(payment)
    await goOn()
    assert.deepEqual(await refundOf(payment), held)
    await workPayment({ ...api.orders, payments }, claimed ?? assert.fail())
    await settleDue(api, payments)
  }
})

test('a refund that has ended is queried at most once more, whatever made it due', async () => {
  const { reference, payment } = await refundedInPart(400_000)
  await workPayment({ ...api.orders, payments }, payment)
  await settleDue(api, payments)
  await refunded(reference)
  for (const state of ['processed', 'failed'])
    for (const findRefunds of [payments.findRefunds, noAnswer, noRefunds]) {
      await sql`update payments set refund_state = ${state}, step_at = app_now() where id = ${payment.id}`.execute(db)
      await settleDue(api, { ...payments, findRefunds, refund: () => assert.fail('a second refund is posted') })
      assert.deepEqual(await refundOf(payment), [{ refund_state: state, step_at: null }])
    }
})

test('an account stays until all refunds of late and surplus payments have ended', async () => {
  const payer = await Payer.make('closing@example.net')
  const actor = actorNamed('system', 'test')
  const close = () =>
    database.transact((tx) => deleteAccount(tx, actor, payer.accountId, { also: closeAccount, letGo: true }))
  const goingBack = ({ id, name }: { id: string; name: string }) => ({
    path: '',
    code: 'order_under_way',
    message: `The payment for ${name} is being refunded (${id}).`,
  })

  const cancelled = await payer.order()
  const reference = await payer.checkout(cancelled.id)
  await gateway.pay(reference, late)
  assert.equal((await payer.person.call('POST', `/orders/${cancelled.id}/cancel`)).status, 200)
  await payLate(reference)
  assert.equal((await payer.read(cancelled.id)).status, 'cancelled')

  const unpaid = await payer.order()
  const wrong = await payer.checkout(unpaid.id)
  Object.assign(gateway.books.transaction(wrong) ?? {}, { amount: price - 1 })
  await gateway.pay(wrong, needsAttention)
  await news('charge.success', { reference: wrong })
  await settleDue(api, payments)
  await refunded(wrong)

  await assert.rejects(close(), { code: 'conflict', details: [goingBack(cancelled), goingBack(unpaid)] })
  assert.equal((await payer.read(unpaid.id)).status, 'pending_payment')
  await refunded(reference)
  await assert.rejects(close(), { code: 'conflict', details: [goingBack(unpaid)] })
  const transaction = gateway.books.transaction(wrong)
  for (const refund of gateway.books.refundsOf(transaction?.id ?? 0)) refund.status = 'processed'
  await refunded(wrong)

  const expiredBefore = await expired(payer)
  await close()
  await payLate(expiredBefore.reference)
  await refunded(expiredBefore.reference)
  const { rows } = await sql`select status from orders where id = ${expiredBefore.id}`.execute(db)
  assert.deepEqual(rows, [{ status: 'refunded' }], 'an account that is closed gets no domain')
})

test('a late payment of a renewal is refunded if another order renewed the domain or the payer no longer has the domain', async () => {
  const payer = await somebody()
  const renewals = (name: string): number => staff.sent(name).filter((command) => command === 'domain:renew').length
  const { id, name } = await payer.order()
  await payer.pay(id, card.success)
  const first = await payer.renewal(name)
  const reference = await lapse(payer, first.id)
  await payer.grant(1_400_000)
  const second = await payer.renewal(name, { use_credit: true })
  await settleDue(api, payments)
  assert.equal((await payer.read(second.id)).status, 'completed')
  await payLate(reference)
  await refunded(reference)
  assert.equal((await payer.read(first.id)).status, 'refunded')
  assert.equal(renewals(name), 1)
  assert.deepEqual(await booksOf(api, first.id), {})

  const third = await payer.renewal(name)
  const last = await lapse(payer, third.id)
  await sql`update domains set state = 'arriving' where name = ${name}`.execute(db)
  await payLate(last)
  await refunded(last)
  assert.equal((await payer.read(third.id)).status, 'refunded')
  assert.equal(renewals(name), 1)

  await sql`update domains set state = 'held' where name = ${name}`.execute(db)
  const fourth = await payer.renewal(name)
  const moved = await lapse(payer, fourth.id)
  const { accountId } = await latecomer()
  await sql`update domains set account_id = ${accountId} where name = ${name}`.execute(db)
  await payLate(moved)
  await refunded(moved)
  const { status, paid_at: paidAt } = await payer.read(fourth.id)
  assert.deepEqual([status, paidAt], ['refunded', ''], 'it was never open again')
  assert.equal(renewals(name), 1)
})

test('someone without an account can pay with a payment link until it is revoked or expires', async () => {
  const payer = await Payer.make('links@example.net')
  const { id, name } = await payer.order({ client_email: 'client@example.org' })
  const made = await payer.person.call('POST', `/orders/${id}/pay-link`)
  assert.equal(made.status, 201)
  assert.deepEqual((await payer.person.call('GET', `/orders/${id}/pay-link`)).body, made.body)
  const mails = await sql<{ to: string }>`select to_address as "to" from mails where kind = 'pay_link'`.execute(db)
  assert.deepEqual(mails.rows, [{ to: 'client@example.org' }])
  const token = (url: string): string => url.split('/').at(-1) ?? ''
  const page = (url: string) => api.call('GET', `/pay/${token(url)}`)
  const seen = await page(made.body.url)
  assert.deepEqual([seen.body.name, seen.body.due_kobo, seen.body.state, seen.body.begun], [name, price, 'open', false])
  assert.notEqual(seen.body.ordered_by, '')
  const order = await payer.read(id)
  assert.equal(order.expires_at, made.body.expires_at, 'the order waits as long as its link')

  const next = await payer.person.call('POST', `/orders/${id}/pay-link`)
  assert.equal((await page(made.body.url)).status, 404, 'a new link takes its place')
  const opened = await api.call('POST', `/pay/${token(next.body.url)}/checkout`, {
    body: { email: 'client@example.org' },
  })
  const reference = token(new URL(opened.body.url).pathname)
  const standing = async () => {
    const { state, begun } = (await page(next.body.url)).body
    return [state, begun]
  }
  await gateway.pay(reference, card.success)
  assert.deepEqual(await standing(), ['open', true], 'paid, and the gateway was not asked yet')
  await news('charge.success', { reference })
  await settleDue(api, payments)
  assert.equal((await payer.read(id)).status, 'completed')
  assert.deepEqual(await standing(), ['paid', false])
  const over = await api.call('POST', `/pay/${token(next.body.url)}/checkout`, {
    body: { email: 'client@example.org' },
  })
  assert.deepEqual(codeOf(over), [409, 'conflict'])

  const other = await payer.order()
  const link = await payer.person.call('POST', `/orders/${other.id}/pay-link`)
  assert.equal((await payer.person.call('DELETE', `/orders/${other.id}/pay-link`)).status, 204)
  assert.equal((await page(link.body.url)).status, 404)
})

test('a payment link is checked before the body is read, and a valid one accepts a body of 16 KiB', async () => {
  const payer = await somebody()
  const { id } = await payer.order()
  const { url } = (await payer.person.call('POST', `/orders/${id}/pay-link`)).body
  const works = `/pay/${url.split('/').at(-1)}/checkout`
  const json = '{"email":"client@example.org"}'
  const checkout = (path: string, bytes: number) =>
    api.call('POST', path, { body: json.padEnd(bytes), headers: { 'content-type': 'application/json' } })
  assert.equal((await checkout(works, 16 * 1024)).status, 200)
  assert.deepEqual(codeOf(await checkout(works, 16 * 1024 + 1)), [413, 'payload_too_large'])
  for (const bytes of [json.length, 16 * 1024, 16 * 1024 + 1, 1_000_000])
    assert.deepEqual(codeOf(await checkout(`/pay/${'x'.repeat(43)}/checkout`, bytes)), [404, 'not_found'])
  assert.equal((await payer.person.call('DELETE', `/orders/${id}/pay-link`)).status, 204)
  assert.deepEqual(codeOf(await checkout(works, 1_000_000)), [404, 'not_found'], 'revoked')
})

test('the emails and payments that one payment link can cause are limited', async () => {
  const payer = await somebody()
  const { id } = await payer.order({ client_email: 'Stranger@example.org' })
  const made = await Promise.all(Array.from({ length: 7 }, () => payer.person.call('POST', `/orders/${id}/pay-link`)))
  const statuses = made.map(({ status }) => status)
  assert.deepEqual(statuses.toSorted(), [201, 201, 201, 201, 201, 429, 429])
  const { url } = (await payer.person.call('GET', `/orders/${id}/pay-link`)).body
  const begin = (n: number) =>
    api.call('POST', `/pay/${url.split('/').at(-1)}/checkout`, { body: { email: `payer${n}@example.org` } })
  for (let n = 0; n < 10; n++) assert.equal((await begin(n)).status, 200)
  const refused = await begin(10)
  assert.deepEqual(codeOf(refused), [429, 'rate_limited'])
  assert.ok(Number(refused.headers['retry-after']) > 3_000)
  assert.equal((await begin(3)).status, 200, 'a page that is open is shown again')
})

test('a paid renewal is not carried out if the domain now belongs to another customer', async () => {
  const payer = await somebody()
  const { id, name } = await payer.order()
  await payer.pay(id, card.success)
  const renewal = await payer.renewal(name)
  const other = await api.account('later@example.net')
  await sql`update domains set account_id = ${other} where name = ${name}`.execute(db)
  const reference = await payer.pay(renewal.id, card.success)
  assert.equal((await payer.read(renewal.id)).last_error, 'The domain is now in another account.')
  assert.ok(!staff.sent(name).includes('domain:renew'))
  await refunded(reference)
  assert.equal((await payer.read(renewal.id)).status, 'refunded')
})

test('a gateway whose responses are lost is queried again, and no one pays or is refunded twice', async () => {
  const payer = await Payer.make('lost@example.net')
  const { id, name } = await payer.order()
  gateway.behaviours.set({ answer: 'drop', times: 1 }, 'initialize')
  assert.deepEqual(codeOf(await payer.person.call('POST', `/orders/${id}/checkout`)), [503, 'unavailable'])
  const reference = await payer.checkout(id)
  await gateway.pay(reference, card.success)
  await staff.put(name)
  // Not only once: if this file has taken long so far, the gateway may first be queried about an attempt of another test.
  gateway.behaviours.set({ answer: 'drop' }, 'verify')
  await news('charge.success', { reference })
  await settleDue(api, payments)
  gateway.behaviours.set({}, 'verify')
  assert.equal((await payer.read(id)).status, 'pending_payment')
  // The refund is posted, but the response is lost: the service looks for this refund before it posts another one.
  gateway.behaviours.set({ answer: 'drop', times: 1 }, 'refund')
  await news('charge.success', { reference })
  await settleDue(api, payments)
  await refunded(reference)
  assert.equal((await payer.read(id)).status, 'refunded')
  assert.equal(gateway.books.refundsOf(gateway.books.transaction(reference)?.id ?? 0).length, 1)
})

test('an attempt that never reached the gateway does not keep its order open', async () => {
  const payer = await Payer.make('unheard@example.net')
  const { id } = await payer.order()
  // The attempt was stored, and the process was killed before it called the gateway.
  await sql`insert into payments (id, reference, order_id, account_id, email, amount_kobo, status, step_at)
    values ('pay_unheard', 'pay-unheard', ${id}, ${payer.accountId}, 'unheard@example.net', ${price}, 'open', app_now())`.execute(
    db,
  )
  await moveClock(database, '24 hours 1 minute')
  try {
    await settleDue(api, payments)
    await expireOrders(database)
    assert.equal((await payer.read(id)).status, 'cancelled')
  } finally {
    await moveClock(database, '0 seconds')
  }
})

test('a refund that the gateway refuses because it was posted before is found by a second query', async () => {
  const payer = await Payer.make('again@example.net')
  const { id, name } = await payer.order()
  await staff.put(name)
  gateway.behaviours.set({ answer: 'drop', times: 1 }, 'refund')
  const reference = await payer.pay(id, card.success)
  // The gateway's list is outdated: the refund is not in it yet.
  const unlisted: Payments = { ...payments, findRefunds: once(payments.findRefunds, { kind: 'found', refunds: [] }) }
  await news('refund.processed', { transaction_reference: reference })
  await settleDue(api, unlisted)
  await refunded(reference)
  assert.equal((await payer.read(id)).status, 'refunded')
  assert.deepEqual(await booksOf(api, id), {})
})

test('a refund that a worker is posting stays with that worker, whatever arrives about its payment in the meantime', async () => {
  const payer = await somebody()
  const { id, name } = await payer.order()
  await staff.put(name)
  const reference = await payer.checkout(id)
  await gateway.pay(reference, card.success)
  await news('charge.success', { reference })
  const posting = Promise.withResolvers<void>()
  let posted = 0
  const slow: Payments = {
    ...payments,
    refund: async (what) => {
      if (++posted === 1) await posting.promise
      return payments.refund(what)
    },
  }
  const first = settleDue(api, slow)
  await eventually('the refund is being posted', () => posted === 1)
  for (const event of ['charge.success', 'refund.pending'])
    await news(event, { reference, transaction_reference: reference })
  await database.transact((tx) => retryOrder(tx, actorNamed('operator', 'ada'), id))
  await settleDue(api, slow)
  posting.resolve()
  await first
  assert.equal(posted, 1)
  await refunded(reference)
  assert.equal((await payer.read(id)).status, 'refunded')
})

/** The first call gets this response, and the others get the usual ones. */
function once<A extends unknown[], T>(call: (...args: A) => Promise<T>, first: T): (...args: A) => Promise<T> {
  let isFirst = true
  return async (...args) => {
    const answer = isFirst ? first : await call(...args)
    isFirst = false
    return answer
  }
}

test('a checkout with an Idempotency-Key runs once: a concurrent repeat gets a conflict, and a later one gets the response', async () => {
  const payer = await Payer.make('twofold@example.net')
  const { id } = await payer.order()
  const open = () => payer.person.call('POST', `/orders/${id}/checkout`, { headers: { 'idempotency-key': 'pay once' } })
  // A response that reports a failure is not stored.
  gateway.behaviours.set({ answer: 'drop', times: 1 }, 'initialize')
  assert.deepEqual(codeOf(await open()), [503, 'unavailable'])
  gateway.behaviours.set({ delayMs: 1_500, times: 1 }, 'initialize')
  const first = open()
  const meanwhile = await eventually('a repeat is told that the first is under way', async () => {
    const { rows } = await sql`select 1 from idempotency_keys where key = 'pay once' and status is null`.execute(db)
    return rows.length > 0 ? await open() : undefined
  })
  assert.deepEqual([...codeOf(meanwhile), meanwhile.headers['retry-after']], [409, 'conflict', '5'])
  const { status, body } = await first
  assert.deepEqual([status, (await open()).body], [200, body])
  assert.equal((await payer.read(id)).payments.length, 2, 'the one that failed, and one more')
  // After a process dies, the call stays in progress. A minute later, it can be repeated.
  await sql`update idempotency_keys set status = null, created_at = app_now() - interval '61 seconds' where key = 'pay once'`.execute(
    db,
  )
  assert.equal((await open()).status, 200)
})

/** Two concurrent checkouts of an order: the second arrives while the gateway opens the page for the first. */
async function twoAtOnce(id: string, open: () => Promise<TestAnswer>): Promise<readonly [TestAnswer, TestAnswer]> {
  gateway.behaviours.set({ delayMs: 1_500, times: 1 }, 'initialize')
  const first = open()
  await eventually('the first is written down', async () => {
    const { rows } = await sql`select from payments where order_id = ${id} and checkout_url is null`.execute(db)
    return rows.length > 0
  })
  const second = await open()
  return [await first, second]
}

test('two simultaneous clicks open one page: the second is refused with a retry time, and then gets the same page', async () => {
  const payer = await somebody()
  const { id } = await payer.order()
  const link = await payer.person.call('POST', `/orders/${id}/pay-link`)
  const path = `/pay/${link.body.url.split('/').at(-1)}/checkout`
  const byLink = () => api.call('POST', path, { body: { email: 'client@example.org' } })
  const [first, second] = await twoAtOnce(id, byLink)
  assert.deepEqual([first.status, ...codeOf(second), second.headers['retry-after']], [200, 409, 'conflict', '5'])
  assert.equal((await byLink()).body.url, first.body.url)
  assert.equal((await payer.read(id)).payments.length, 1)

  const other = await payer.order()
  const [own, again] = await twoAtOnce(other.id, () => payer.person.call('POST', `/orders/${other.id}/checkout`))
  assert.deepEqual([own.status, ...codeOf(again)], [200, 409, 'conflict'])
  assert.equal((await payer.read(other.id)).payments.length, 1)
})

test('a checkout whose process died while the page was opening can be repeated after half a minute', async () => {
  const payer = await somebody()
  const { id } = await payer.order()
  const died = { ...payments, createCheckout: () => Promise.reject(new Error('killed')) }
  const who = { email: payer.person.email, returnUrl: 'http://dashboard.test/' }
  await assert.rejects(startCheckout({ database, payments: died }, { id }, who), /killed/)
  await assert.rejects(startCheckout({ database, payments }, { id }, who), { code: 'conflict' })
  await moveClock(database, '29 seconds')
  try {
    await assert.rejects(startCheckout({ database, payments }, { id }, who), { code: 'conflict' })
    await moveClock(database, '31 seconds')
    assert.match(await startCheckout({ database, payments }, { id }, who), /^http/)
  } finally {
    await moveClock(database, '0 seconds')
  }
})

test('a repeated checkout by payment link with an Idempotency-Key gets the same response, and keys of two links do not collide', async () => {
  const payer = await somebody()
  const linked = async () => {
    const { id } = await payer.order()
    const { body } = await payer.person.call('POST', `/orders/${id}/pay-link`)
    const path = `/pay/${body.url.split('/').at(-1)}/checkout`
    return (email = 'client@example.org') =>
      api.call('POST', path, { body: { email }, headers: { 'idempotency-key': 'click' } })
  }
  const [one, other] = [await linked(), await linked()]
  const first = await one()
  assert.equal(first.status, 200)
  assert.deepEqual(codeOf(await one('another@example.org')), [409, 'idempotency_mismatch'])
  await gateway.pay(first.body.url.split('/').at(-1), card.success)
  await news('charge.success', { reference: first.body.url.split('/').at(-1) })
  await settleDue(api, payments)
  assert.deepEqual([(await one()).status, (await one()).body], [200, first.body], 'also when it is paid')
  assert.equal((await other()).status, 200)
  assert.equal(
    (
      await api.call('POST', '/pay/none/checkout', {
        body: { email: 'client@example.org' },
        headers: { 'idempotency-key': 'click' },
      })
    ).status,
    404,
  )
})

test('a person can pay for an order that a key placed', async () => {
  const payer = await somebody()
  const key = await api.key(payer.accountId)
  const buyer = new TestBuyer(api, { accountId: payer.accountId, key, contactId: payer.contactId })
  const { id } = (await buyer.order('bykey.test')).body
  await payer.pay(id, card.success)
  assert.equal((await buyer.read(id)).status, 'completed')
})

test('an unpaid attempt is given up after eight days, but not while the gateway is unavailable', async () => {
  const payer = await latecomer()
  const { id } = await payer.order()
  const reference = await payer.checkout(id)
  await sql`update payments set created_at = app_now() - interval '9 days' where reference = ${reference}`.execute(db)
  const look = async (of: Payments): Promise<[status: string, isOver: boolean]> => {
    const [payment] = await paymentsOf(db, id)
    assert.ok(payment)
    await workPayment({ ...api.orders, payments: of }, payment)
    const { rows } = await sql<{ status: string; isOver: boolean }>`
      select status, step_at is null as "isOver" from payments where reference = ${reference}`.execute(db)
    return [rows[0]?.status ?? '', rows[0]?.isOver ?? false]
  }
  const away: Payments = { ...payments, verify: async () => ({ kind: 'unavailable', why: 'The test says so.' }) }
  assert.deepEqual(await look(away), ['open', false])
  assert.deepEqual(await look(payments), ['failed', true])
})

test('a refund that was posted is not posted again if the gateway does not list it', async () => {
  const payer = await latecomer()
  const { id, name } = await payer.order()
  await staff.put(name)
  const reference = await payer.pay(id, card.success)
  const [payment] = await paymentsOf(db, id)
  assert.equal(payment?.refundState, 'posted')
  let posted = 0
  const forgetful: Payments = {
    ...payments,
    findRefunds: async (of) => {
      const found = await payments.findRefunds(of)
      return found.kind === 'unavailable' ? found : { ...found, refunds: [] }
    },
    refund: (wanted) => {
      posted += 1
      return payments.refund(wanted)
    },
  }
  await workPayment({ ...api.orders, payments: forgetful }, payment)
  await settleDue(api, forgetful)
  assert.equal(posted, 0)
  await refunded(reference)
  assert.equal((await payer.read(id)).status, 'refunded')
})

test('only the payment that paid the order is refunded; another attempt stays as it is', async () => {
  const payer = await latecomer()
  const { id, name } = await payer.order()
  const other = { email: 'other@example.org', returnUrl: 'https://example.org/' }
  const order = await database.transact((tx) => lockOrder(tx, id))
  assert.ok(order)
  await startCheckout({ database, payments }, order, other)
  await staff.put(name)
  const reference = await payer.pay(id, card.success)
  const states = async () =>
    (await paymentsOf(db, id)).map(({ email, status, refundState }) => [email === other.email, status, refundState])
  assert.deepEqual(await states(), [
    [true, 'open', null],
    [false, 'succeeded', 'posted'],
  ])
  await refunded(reference)
  assert.equal((await payer.read(id)).status, 'refunded')
})

test('a webhook about a payment that was declined before makes it due immediately', async () => {
  const payer = await latecomer()
  const { id } = await payer.order()
  const reference = await payer.pay(id, card.declined)
  assert.equal((await paymentsOf(db, id))[0]?.status, 'failed')
  await gateway.pay(reference, card.success)
  await news('charge.success', { reference })
  await settleDue(api, payments)
  assert.equal((await payer.read(id)).status, 'completed')
})

test('a payment link is created only for an unpaid order, and stops working when it expires', async () => {
  const payer = await latecomer()
  const { id } = await payer.order()
  const made = await payer.person.call('POST', `/orders/${id}/pay-link`)
  assert.equal(made.status, 201)
  const path = `/pay/${made.body.url.split('/').at(-1)}`
  assert.equal((await api.call('GET', path)).status, 200)
  await sql`update pay_links set expires_at = app_now() where order_id = ${id}`.execute(db)
  assert.equal((await api.call('GET', path)).status, 404)
  await payer.pay(id, card.success)
  assert.deepEqual(codeOf(await payer.person.call('POST', `/orders/${id}/pay-link`)), [409, 'conflict'])
})

test('an order expires only after a query that is later than its expiry, and a claimed payment is left to its worker', async () => {
  const payer = await latecomer()
  const { id } = await payer.order()
  const reference = await payer.checkout(id)
  await sql`update orders set expires_at = app_now() - interval '1 minute' where id = ${id}`.execute(db)
  const isCancelled = async () => {
    await expireOrders(database)
    return (await payer.read(id)).status === 'cancelled'
  }
  await sql`
    update payments set looked_at = app_now() - interval '10 minutes', asked_at = null,
      step_at = app_now() + interval '5 minutes', held_until = app_now() + interval '5 minutes'
    where reference = ${reference}`.execute(db)
  assert.equal(await isCancelled(), false)
  assert.ok((await dueIn(reference)) > 60, 'it is claimed')
  assert.deepEqual(await database.transact((tx) => lockExpired(tx, [id])), [], 'it is perhaps paid')
  await sql`update payments set held_until = null where reference = ${reference}`.execute(db)
  assert.equal(await isCancelled(), false)
  assert.ok((await dueIn(reference)) <= 0, 'it is hurried')
  await settleDue(api, payments)
  assert.equal(await isCancelled(), true)
})

test('a paid order has no expiry, and a domain that has moved to another account cannot be renewed', async () => {
  const payer = await latecomer()
  const { id, name } = await payer.order()
  await payer.pay(id, card.success)
  const { rows } = await sql<{ isOpen: boolean }>`
    select expires_at is not null as "isOpen" from orders where id = ${id}`.execute(db)
  assert.deepEqual(rows, [{ isOpen: false }])
  const quote = await payer.person.call('POST', '/quotes', { body: { kind: 'renew', name } })
  const { accountId } = await somebody()
  await sql`update domains set account_id = ${accountId} where name = ${name}`.execute(db)
  const placed = await payer.person.call('POST', '/orders', { body: { quote_id: quote.body.id } })
  assert.equal(placed.body.error.code, 'not_renewable')
})

// This is the last test, because it uses up what the account may do in an hour.
test('the payments that an account starts and the payment links that it emails are limited across all orders', async () => {
  const payer = await latecomer()
  const order = await payer.order({ client_email: 'anybody@example.org' })
  const useUp = async (limit: 'checkout-by' | 'pay-link-by') => {
    let times = 0
    const use = () => database.transact((tx) => takeTry(tx, limit, payer.accountId))
    const isRefused = async () => (await use().catch(({ code }) => code)) === 'rate_limited'
    while (!(await isRefused())) times += 1
    assert.ok(times > 10, `${limit}: ${times}`)
  }
  await useUp('pay-link-by')
  assert.deepEqual(codeOf(await payer.person.call('POST', `/orders/${order.id}/pay-link`)), [429, 'rate_limited'])
  await useUp('checkout-by')
  assert.deepEqual(codeOf(await payer.person.call('POST', `/orders/${order.id}/checkout`)), [429, 'rate_limited'])
})
