// What operators see while outside systems are unavailable. No work is late for a worker in these tests.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startGateway } from '@zonewright/sandbox'
import { createPaystack } from '#adapters/paystack/index.ts'
import { paymentFigures } from '#modules/payments/index.ts'
import { sql } from '#platform/postgres/index.ts'
import { figuresOf } from '#testing/figures.ts'
import { moveClock } from '#testing/move-clock.ts'
import { RegistryStaff } from '#testing/registry-staff.ts'
import { startSandboxRegistry } from '#testing/sandbox-registry.ts'
import { startTestApi } from '#testing/test-api.ts'
import { settleDue, TestBuyer, workDue } from '#testing/test-buyer.ts'
import { orderFigures } from './order-figures.ts'
import { startCheckout } from './start-checkout.ts'

const secretKey = 'sk_test_figures'
const gateway = await startGateway({ httpListen: '127.0.0.1:0', secretKey })
const connect = (key: string) => createPaystack({ url: `http://${gateway.address}`, secretKey: key, timeoutMs: 5_000 })
const [payments, wrongKey] = [connect(secretKey), connect('sk_test_another')]
after(() => Promise.all([payments.close(), wrongKey.close()]))
after(() => gateway.close())
const registry = await startSandboxRegistry()
const staff = new RegistryStaff(registry)
const api = await startTestApi({ payments, registry })
const { database } = api
const ofOrders = figuresOf(database.db, orderFigures)
const ofPayments = figuresOf(database.db, paymentFigures)
const price = 1_250_000
const success = '4000000000000001'
const withCredit = { order: { use_credit: true } }

/** The metric is this number of seconds, within the duration of a test. */
function assertAge(ageS: number, expectedS: number, what: string): void {
  assert.ok(ageS >= expectedS && ageS < expectedS + 60, `${what}: ${ageS} s`)
}

test('an order delayed by an empty account at the registry counts as old, although each step runs on time', async () => {
  const buyer = await TestBuyer.make(api, price)
  const { id } = (await buyer.order('held.test', withCredit)).body
  for (const ahead of ['0 seconds', '1 hour', '2 hours']) {
    await moveClock(database, ahead)
    staff.once('domain:create', { code: 2104 }, 'held.test')
    await workDue(api)
    assert.equal(await ofOrders('zonewright_order_oldest_due_seconds'), 0)
  }
  assertAge(await ofOrders('zonewright_order_oldest_processing_seconds'), 7_200, 'it was paid two hours ago')
  assert.equal(await ofOrders('zonewright_order_oldest_pending_seconds'), 0)
  await moveClock(database, '3 hours')
  await workDue(api)
  assert.equal((await buyer.read(id)).status, 'completed')
  assert.equal(await ofOrders('zonewright_order_oldest_processing_seconds'), 0)
})

test('pending registry decisions and transfers in progress have their own metrics', async () => {
  await moveClock(database, '0 seconds')
  const buyer = await TestBuyer.make(api, 2 * price)
  staff.once('domain:create', { pending: true }, 'pending.test')
  const { id } = (await buyer.order('pending.test', withCredit)).body
  await workDue(api)
  await moveClock(database, '3 days')
  await workDue(api)
  assert.equal((await buyer.read(id)).stage, 'registry_pending')
  assertAge(await ofOrders('zonewright_order_oldest_pending_seconds'), 3 * 86_400, 'pending')
  assert.equal(await ofOrders('zonewright_order_oldest_processing_seconds'), 0)
  await staff.decide('pending.test', true)
  await moveClock(database, '4 days')
  await workDue(api)
  assert.equal((await buyer.read(id)).status, 'completed')
  assert.equal(await ofOrders('zonewright_order_oldest_pending_seconds'), 0)

  await staff.put('moving.test')
  const transfer = {
    quote: { kind: 'transfer' },
    order: { use_credit: true, auth_code: staff.domain('moving.test')?.authInfo },
  }
  const moving = (await buyer.order('moving.test', transfer)).body
  await workDue(api)
  assert.equal((await buyer.read(moving.id)).status, 'completed')
  await moveClock(database, '6 days')
  assertAge(await ofOrders('zonewright_order_oldest_pending_seconds'), 2 * 86_400, 'under way')
  await staff.endTransfer('moving.test', 'approve')
  await workDue(api)
  assert.equal(await ofOrders('zonewright_order_oldest_pending_seconds'), 0)
})

test('payments and refunds that the gateway reports nothing about count as old: the gateway is down or has another key', async () => {
  await moveClock(database, '0 seconds')
  const buyer = await TestBuyer.make(api)
  const { id } = (await buyer.order('paid.test')).body
  const payer = { email: 'payer@example.net', returnUrl: 'http://dashboard.test/' }
  const url = await startCheckout({ database, payments }, { id }, payer)
  const reference = decodeURIComponent(new URL(url).pathname.split('/').at(-1) ?? '')
  await moveClock(database, '2 minutes')
  assertAge(await ofPayments('zonewright_payment_oldest_due_seconds'), 90, 'no worker asks')
  await settleDue(api, payments)
  for (const name of ['due', 'unanswered'] as const)
    assert.equal(await ofPayments(`zonewright_payment_oldest_${name}_seconds`), 0, 'it is not paid, and that is known')

  await moveClock(database, '3 hours')
  await settleDue(api, wrongKey)
  assert.equal(await ofPayments('zonewright_payment_oldest_due_seconds'), 0)
  assertAge(
    await ofPayments('zonewright_payment_oldest_unanswered_seconds'),
    3 * 3_600 - 120,
    'last told after 2 minutes',
  )

  await gateway.pay(reference, success)
  await staff.put('paid.test')
  await sql`update payments set step_at = app_now()`.execute(database.db)
  await settleDue(api, payments)
  assert.equal(await ofPayments('zonewright_payment_oldest_unanswered_seconds'), 0)
  assert.equal((await buyer.read(id)).stage, 'refunding')
  // The service has just learned that the bank accepted it.
  assert.equal(await ofPayments('zonewright_refund_oldest_wanted_seconds'), 0)
  await sql`update payments set refund_state = 'wanted', refund_id = null`.execute(database.db)
  await moveClock(database, '5 hours')
  await settleDue(api, wrongKey)
  assertAge(await ofPayments('zonewright_refund_oldest_wanted_seconds'), 2 * 3_600, 'owed since the refusal')
  await sql`update payments set refund_state = 'posted'`.execute(database.db)
  assertAge(await ofPayments('zonewright_refund_oldest_posted_seconds'), 2 * 3_600, 'the bank has it')
})
