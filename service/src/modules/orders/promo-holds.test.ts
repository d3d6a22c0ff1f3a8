// An unpaid order reserves a promo code for its account as long as the order can be paid.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPromo } from '#modules/billing/index.ts'
import { actorNamed } from '#platform/caller.ts'
import { sql } from '#platform/postgres/index.ts'
import { startSandboxRegistry } from '#testing/sandbox-registry.ts'
import { startTestApi, type TestAnswer } from '#testing/test-api.ts'
import { TestBuyer, workDue } from '#testing/test-buyer.ts'
import { TestPerson } from '#testing/test-person.ts'
import { testPromo } from '#testing/test-promo.ts'
import { codeOf } from '#testing/test-zones.ts'
import { expireOrders } from './expire-orders.ts'

const api = await startTestApi({ registry: await startSandboxRegistry() })
const { database } = api
const { db } = database
const price = 1_250_000
const inUse = [409, 'promo_in_use']
let names = 0
const fresh = (): string => `hold${++names}.test`

/** A code that an account can use more than once. */
async function promo(change: object = {}): Promise<string> {
  const code = `HOLD-${++names}`
  const wanted = { ...testPromo, code, percent: 20, ...change }
  await database.transact((tx) => createPromo(tx, actorNamed('operator', 'test'), wanted))
  return code
}
const order = (buyer: TestBuyer, code: string, more: object = {}): Promise<TestAnswer> =>
  buyer.order(fresh(), { quote: { promo_code: code }, order: more })
async function unpaidWith(code: string, accountId: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from promo_uses u join orders o on o.id = u.order_id
    where u.code = ${code} and u.account_id = ${accountId} and u.state = 'reserved' and o.status = 'pending_payment'`.execute(
    db,
  )
  return rows[0]?.n ?? 0
}
/** Acts as if this much time had passed since the account placed its orders. */
const later = (buyer: TestBuyer, hours: number) =>
  sql`update orders set expires_at = expires_at - make_interval(hours => ${hours}) where account_id = ${buyer.accountId}`.execute(
    db,
  )

test('a second unpaid order of the same account with the same code is refused, but another account can use the code', async () => {
  const code = await promo({ maxUses: 2 })
  const [ada, bob] = [await TestBuyer.make(api), await TestBuyer.make(api)]
  assert.equal((await order(ada, code)).status, 201)
  for (const spelling of [code, code.toLowerCase(), ` ${code} `]) {
    const refused = await order(ada, spelling)
    assert.deepEqual(codeOf(refused), inUse, spelling)
    assert.match(refused.body.error.message, /Pay or cancel that order first/)
  }
  assert.equal(await unpaidWith(code, ada.accountId), 1)
  assert.equal((await order(bob, code)).status, 201, 'the limited code is not blocked')
})

test('only one of eight concurrent orders with earlier quotes gets the code', async () => {
  const code = await promo()
  const buyer = await TestBuyer.make(api)
  const quotes = await Promise.all(Array.from({ length: 8 }, () => buyer.quote(fresh(), { promo_code: code })))
  const placed = await Promise.all(
    quotes.map((id) => buyer.call('POST', '/orders', { quote_id: id, contact_id: buyer.contactId })),
  )
  assert.deepEqual(placed.map(({ status }) => status).sort(), [201, ...Array(7).fill(409)])
  assert.equal(await unpaidWith(code, buyer.accountId), 1)
  assert.equal((await buyer.call('GET', '/orders')).body.data.length, 1, 'nothing is kept of the others')
})

test('a refused order reserves no credit, and the same quote works without the code', async () => {
  const code = await promo()
  const buyer = await TestBuyer.make(api, 1_000)
  await order(buyer, code)
  assert.deepEqual(codeOf(await order(buyer, code, { use_credit: true })), inUse)
  assert.equal((await buyer.call('GET', '/credit')).body.available_kobo, 1_000)
  assert.equal((await buyer.order(fresh())).status, 201)
})

test('an account can use another code in a second unpaid order at the same time', async () => {
  const [one, other] = [await promo(), await promo()]
  const buyer = await TestBuyer.make(api)
  assert.equal((await order(buyer, one)).status, 201)
  assert.equal((await order(buyer, other)).status, 201)
  assert.deepEqual(codeOf(await order(buyer, one)), inUse)
  assert.deepEqual(codeOf(await order(buyer, other)), inUse)
})

test('an order that is paid at once is not refused and blocks no other', async () => {
  const code = await promo()
  const buyer = await TestBuyer.make(api, 10 * price)
  for (let n = 0; n < 2; n++) assert.equal((await order(buyer, code, { use_credit: true })).body.status, 'processing')
  assert.equal((await order(buyer, code)).body.status, 'pending_payment')
  assert.equal((await order(buyer, code, { use_credit: true })).body.status, 'processing')
  assert.deepEqual(codeOf(await order(buyer, code)), inUse)
  const whole = await promo({ percent: 100 })
  for (let n = 0; n < 2; n++) assert.equal((await order(buyer, whole)).body.status, 'processing')
  await workDue(api)
})

test('a cancelled order releases the code immediately', async () => {
  const code = await promo()
  const buyer = await TestBuyer.make(api)
  const { id } = (await order(buyer, code)).body
  assert.equal((await buyer.call('POST', `/orders/${id}/cancel`)).status, 200)
  assert.equal((await order(buyer, code)).status, 201)
})

test('the code stays reserved as long as the order can be paid: for a day, for seven with a payment link, or until it is cancelled', async () => {
  const code = await promo({ maxUses: 1 })
  const [ada, bob] = [await TestBuyer.make(api), await TestBuyer.make(api)]
  const isHeld = async () => {
    const { status, body } = await bob.call('POST', '/quotes', { kind: 'register', name: fresh(), promo_code: code })
    return status === 409 && body.error.code === 'promo_in_use'
  }
  const { id } = (await order(ada, code)).body
  await later(ada, 23)
  await expireOrders(database)
  assert.equal(await isHeld(), true)
  await later(ada, 2)
  // The order is not cancelled yet, so it can still be paid.
  assert.equal((await ada.read(id)).status, 'pending_payment')
  assert.equal(await isHeld(), true)
  await expireOrders(database)
  assert.equal((await ada.read(id)).status, 'cancelled')
  assert.equal(await isHeld(), false)

  const person = await TestPerson.signedIn(api, 'pay-link@example.net')
  const { id: accountId } = (await person.call('GET', '/account')).body
  const linked = new TestBuyer(api, { accountId, key: await api.key(accountId), contactId: '' })
  const { id: contactId } = (await linked.call('POST', '/contacts', (await contactOf(ada)) as object)).body
  const buyer = new TestBuyer(api, { accountId, key: linked.key, contactId })
  const waiting = (await order(buyer, code)).body
  assert.equal((await person.call('POST', `/orders/${waiting.id}/pay-link`)).status, 201)
  await later(buyer, 6 * 24)
  await expireOrders(database)
  assert.equal(await isHeld(), true)
  await later(buyer, 25)
  await expireOrders(database)
  assert.equal((await buyer.read(waiting.id)).status, 'cancelled')
  assert.equal(await isHeld(), false)
})

async function contactOf(buyer: TestBuyer): Promise<unknown> {
  const { body } = await buyer.call('GET', `/contacts/${buyer.contactId}`)
  const { id: _id, created_at: _created, updated_at: _updated, ...contact } = body
  return contact
}
