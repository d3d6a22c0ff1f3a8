import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '#platform/db.ts'
import { moveClock } from '../../testing/move-clock.ts'
import { startTestApi } from '../../testing/test-api.ts'
import { booksOf, orderEvents, TestBuyer, workDue } from '../../testing/test-buyer.ts'
import { readOperations } from './operation-store.ts'
import { takeNews } from './registry-news.ts'

const api = await startTestApi()
const { database, registry } = api
const { db } = database
const price = 1_250_000
const renewal = 1_400_000
let names = 0
const fresh = (): string => `reg${++names}.test`
const withCredit = { order: { use_credit: true } }

/** Lets time pass for this one order: its next step is due, and what was missed was missed long ago. */
async function wait(id: string): Promise<void> {
  await sql`update orders set step_at = app_now() where id = ${id}`.execute(db)
  await sql`update registry_operations set missed_at = missed_at - interval '61 seconds' where order_id = ${id}`.execute(
    db,
  )
  await workDue(api)
}
const sent = (name: string): string[] => registry.transforms.filter((line) => line.endsWith(` ${name}`))
async function stand(buyer: TestBuyer, id: string): Promise<(string | null)[]> {
  const { status, stage } = await buyer.read(id)
  return [status, stage]
}
/** Hands over every message of the registry, each twice. */
async function hear(): Promise<void> {
  for (let message = registry.queue.shift(); message !== undefined; message = registry.queue.shift())
    for (let n = 0; n < 2; n++) await takeNews(api.orders, registry, message)
  await workDue(api)
}

test('a registration whose answer is lost is looked for, and not sent again', async () => {
  const buyer = await TestBuyer.make(api, price)
  const name = fresh()
  registry.nextTime('create', 'answer_lost')
  const { id } = (await buyer.order(name, withCredit)).body
  await workDue(api)
  assert.deepEqual(await stand(buyer, id), ['processing', 'checking'])
  await wait(id)
  assert.deepEqual(await stand(buyer, id), ['completed', null])
  assert.deepEqual(sent(name), [`create ${name}`])
})

test('a registration that never arrived is sent again only after two looks a minute apart, with the same transfer code', async () => {
  const buyer = await TestBuyer.make(api, price)
  const name = fresh()
  registry.nextTime('create', 'command_lost')
  const { id } = (await buyer.order(name, withCredit)).body
  await workDue(api)
  await sql`update orders set step_at = app_now() where id = ${id}`.execute(db)
  await workDue(api)
  assert.deepEqual(sent(name), [], 'one look is not enough')
  assert.deepEqual(await stand(buyer, id), ['processing', 'checking'])
  await sql`update orders set step_at = app_now() where id = ${id}`.execute(db)
  await workDue(api)
  assert.deepEqual(sent(name), [], 'nor are two within a minute')
  await wait(id)
  assert.deepEqual(await stand(buyer, id), ['completed', null])
  assert.deepEqual(sent(name), [`create ${name}`])
  const attempts = (await readOperations(db, id)).filter(({ command }) => command === 'create')
  assert.deepEqual(
    attempts.map(({ attempt, state }) => [attempt, state]),
    [
      [1, 'not_done'],
      [2, 'done'],
    ],
  )
  assert.equal(new Set(attempts.map(({ clTrid }) => clTrid)).size, 2)
})

test('a worker that died after it had sent is taken for an unknown end, not for an unsent command', async () => {
  const buyer = await TestBuyer.make(api, price)
  const name = fresh()
  const { id } = (await buyer.order(name, withCredit)).body
  // It wrote the command down, sent it, and was killed before the answer.
  await workDue(api)
  await sql`update registry_operations set state = 'sending' where order_id = ${id} and command = 'create'`.execute(db)
  await sql`delete from domains where order_id = ${id}`.execute(db)
  await sql`update orders set status = 'processing', finished_at = null, settled_at = null, step_at = app_now() where id = ${id}`.execute(
    db,
  )
  await sql`alter table ledger_entries disable trigger user`.execute(db)
  await sql`delete from ledger_entries where order_id = ${id} and kind = 'earned'`.execute(db)
  await sql`alter table ledger_entries enable trigger user`.execute(db)
  await workDue(api)
  assert.deepEqual(await stand(buyer, id), ['completed', null])
  assert.deepEqual(sent(name), [`create ${name}`])
})

test('"object exists" is a refusal on a first attempt, and an echo to be looked at after an unknown one', async () => {
  const buyer = await TestBuyer.make(api, price)
  const name = fresh()
  registry.nextTime('create', 'command_lost', 'answer_lost')
  const { id } = (await buyer.order(name, withCredit)).body
  await workDue(api)
  await sql`update orders set step_at = app_now() where id = ${id}`.execute(db)
  await workDue(api)
  registry.nextTime('info', { refuse: 2303, message: 'Object does not exist' })
  await wait(id) // sent again, done, answer lost
  registry.nextTime('info', { refuse: 2303, message: 'Object does not exist' })
  await wait(id)
  registry.nextTime('info', { refuse: 2303, message: 'Object does not exist' })
  await wait(id) // sent a third time: 2302, and a look finds it ours
  assert.deepEqual(await stand(buyer, id), ['completed', null])
  assert.deepEqual(sent(name), [`create ${name}`])
})

test('our own empty balance holds an order up and never fails it', async () => {
  const buyer = await TestBuyer.make(api, price)
  const name = fresh()
  registry.nextTime('create', 'balance', 'not_sent')
  const { id } = (await buyer.order(name, withCredit)).body
  await workDue(api)
  const held = await buyer.read(id)
  assert.deepEqual([held.status, held.stage], ['processing', 'checking'])
  assert.match(held.stage_message, /on our side/)
  await wait(id)
  assert.deepEqual(await stand(buyer, id), ['processing', 'sending'])
  await wait(id)
  assert.deepEqual(await stand(buyer, id), ['completed', null])
})

test('a pending registration ends by the registry’s message, either way, however often it is told', async () => {
  const buyer = await TestBuyer.make(api, 2 * price)
  const [good, bad] = [fresh(), fresh()]
  registry.nextTime('create', 'pending', 'pending')
  const first = (await buyer.order(good, withCredit)).body
  await workDue(api)
  const second = (await buyer.order(bad, withCredit)).body
  await workDue(api)
  assert.deepEqual(await stand(buyer, first.id), ['processing', 'registry_pending'])
  await wait(first.id)
  assert.deepEqual(await stand(buyer, first.id), ['processing', 'registry_pending'], 'asking does not end it')
  registry.decide(good, true)
  registry.decide(bad, false)
  await hear()
  assert.deepEqual(await stand(buyer, first.id), ['completed', null])
  assert.deepEqual(await stand(buyer, second.id), ['credited', null])
  assert.match((await buyer.read(second.id)).last_error, /decided against it/)
})

test('a contact that the registry does not take fails the order in its words', async () => {
  const buyer = await TestBuyer.make(api, price)
  registry.nextTime('contact', { refuse: 2005, message: 'Bad postal code' })
  const { id } = (await buyer.order(fresh(), withCredit)).body
  await workDue(api)
  const order = await buyer.read(id)
  assert.equal(order.status, 'credited')
  assert.match(order.last_error, /does not take the contact.*Bad postal code \(2005\)/)
})

test('a contact whose answer is lost is looked for, and the order goes on', async () => {
  const buyer = await TestBuyer.make(api, price)
  registry.nextTime('contact', 'answer_lost')
  const { id } = (await buyer.order(fresh(), withCredit)).body
  await workDue(api)
  await wait(id) // the look finds none of that id; a second one under the same id is an echo of the first
  await wait(id)
  assert.deepEqual(await stand(buyer, id), ['completed', null])
})

/** A domain that the buyer has. */
async function registered(buyer: TestBuyer): Promise<string> {
  const name = fresh()
  await buyer.grant(price)
  const { id } = (await buyer.order(name, withCredit)).body
  await workDue(api)
  assert.equal((await buyer.read(id)).status, 'completed')
  return name
}
const renew = { quote: { kind: 'renew', years: 2 }, order: { use_credit: true } }
const expiry = (name: string): number => registry.held.get(name)?.info.expiresAt?.getUTCFullYear() ?? 0

test('a renewal moves the expiry once, whatever is lost on the way', async () => {
  const buyer = await TestBuyer.make(api, 6 * renewal)
  for (const mishap of [undefined, 'answer_lost', 'command_lost'] as const) {
    const name = await registered(buyer)
    const before = expiry(name)
    if (mishap) registry.nextTime('renew', mishap)
    const { id, amount_kobo } = (await buyer.order(name, renew)).body
    assert.equal(amount_kobo, 2 * renewal)
    await workDue(api)
    if (mishap) await wait(id)
    assert.deepEqual(await stand(buyer, id), ['completed', null], `${mishap}`)
    assert.equal(expiry(name), before + 2)
    assert.equal(sent(name).filter((line) => line.startsWith('renew')).length, 1)
    const { rows } = await sql<{ year: number }>`
      select extract(year from expires_at)::int as year from domains where name = ${name}`.execute(db)
    assert.equal(rows[0]?.year, before + 2)
  }
})

test('nobody renews another account’s domain, nor further than ten years ahead', async () => {
  const [buyer, other] = [await TestBuyer.make(api), await TestBuyer.make(api)]
  const name = await registered(buyer)
  const quote = async (by: TestBuyer, years: number) =>
    (await by.call('POST', '/quotes', { kind: 'renew', name, years })).body.error?.code
  assert.equal(await quote(other, 1), 'not_renewable')
  assert.equal(await quote(buyer, 10), 'not_renewable')
  assert.equal(await quote(buyer, 9), undefined)
})

const transferFee = 1_250_000
const transferIn = (code = 'their-code') => ({
  quote: { kind: 'transfer' },
  order: { use_credit: true, auth_code: code, contact_id: undefined },
})

test('a transfer completes its order when it begins; the domain and its zone come when it ends, and only then is it earned', async () => {
  const buyer = await TestBuyer.make(api, transferFee)
  const name = fresh()
  registry.put(name)
  const { id } = (await buyer.order(name, transferIn())).body
  await workDue(api)
  assert.deepEqual(await stand(buyer, id), ['completed', 'registry_pending'])
  assert.ok((await buyer.read(id)).act_by)
  assert.deepEqual(await booksOf(api, id), { credit: -transferFee, order: transferFee })
  registry.endTransfer(name, 'serverApproved')
  await hear()
  assert.deepEqual(await booksOf(api, id), { credit: -transferFee, sales: transferFee })
  assert.deepEqual(await stand(buyer, id), ['completed', null])
  const { rows } = await sql<{ state: string; origin: string }>`
    select d.state, z.origin from domains d join zones z on z.name = d.name and z.state = 'live' where d.name = ${name}`.execute(
    db,
  )
  assert.deepEqual(rows, [{ state: 'held', origin: 'bought' }])
  assert.deepEqual(await orderEvents(api, buyer.accountId), ['order.paid', 'order.completed'])
})

test('a transfer that is rejected later fails, and what was paid comes back', async () => {
  const buyer = await TestBuyer.make(api, transferFee)
  const name = fresh()
  registry.put(name)
  const { id } = (await buyer.order(name, transferIn())).body
  await workDue(api)
  const finishedAt = (await buyer.read(id)).finished_at
  registry.endTransfer(name, 'clientRejected')
  await hear()
  const order = await buyer.read(id)
  assert.deepEqual([order.status, order.finished_at], ['credited', finishedAt], 'finished_at is set once')
  assert.deepEqual(await orderEvents(api, buyer.accountId), [
    'order.paid',
    'order.completed',
    'order.failed',
    'order.credited',
  ])
  assert.deepEqual(await booksOf(api, id), {})
})

test('a wrong transfer code and a domain that was locked meanwhile are told in plain words', async () => {
  const buyer = await TestBuyer.make(api, transferFee)
  const [wrong, locked] = [fresh(), fresh()]
  for (const name of [wrong, locked]) registry.put(name)
  const first = (await buyer.order(wrong, transferIn('guessed'))).body
  await workDue(api)
  assert.match((await buyer.read(first.id)).last_error, /transfer code is wrong.*\(2202\)/)
  const quote_id = await buyer.quote(locked, { kind: 'transfer' })
  const missing = await buyer.call('POST', '/orders', { quote_id })
  assert.equal(missing.body.error.code, 'auth_code_required')
  registry.put(locked, { statuses: ['clientTransferProhibited'] })
  const second = (await buyer.call('POST', '/orders', { quote_id, use_credit: true, auth_code: 'their-code' })).body
  await workDue(api)
  assert.match((await buyer.read(second.id)).last_error, /locked.*\(2304\)/)
})

test('a transfer whose answer is lost is asked about, and begun once', async () => {
  const buyer = await TestBuyer.make(api, transferFee)
  const name = fresh()
  registry.put(name)
  registry.nextTime('transfer', 'answer_lost')
  const { id } = (await buyer.order(name, transferIn())).body
  await workDue(api)
  assert.deepEqual(await stand(buyer, id), ['processing', 'checking'])
  await wait(id)
  assert.deepEqual(await stand(buyer, id), ['completed', 'registry_pending'])
  assert.deepEqual(sent(name), [`transfer ${name}`])
})

test('a premium name is registered for the registry’s own fee', async () => {
  const buyer = await TestBuyer.make(api, 20_000_000)
  const name = fresh()
  registry.premium.set(name, '50000.00')
  const quote = (await buyer.call('POST', '/quotes', { kind: 'register', name, years: 2 })).body
  assert.deepEqual([quote.premium, quote.amount_kobo, quote.renewal_kobo], [true, 12_000_000, 6_000_000])
  const { id } = (
    await buyer.call('POST', '/orders', { quote_id: quote.id, contact_id: buyer.contactId, use_credit: true })
  ).body
  await workDue(api)
  assert.deepEqual(await stand(buyer, id), ['completed', null])
})

test('a completed registration takes the name over from an account that hosted it', async () => {
  const [before, buyer] = [await TestBuyer.make(api), await TestBuyer.make(api, price)]
  const name = fresh()
  await api.zone(before.accountId, name)
  const { id } = (await buyer.order(name, withCredit)).body
  await workDue(api)
  assert.deepEqual(await stand(buyer, id), ['completed', null])
  const { rows } = await sql<{ account: string; origin: string }>`
    select account_id as account, origin from zones where name = ${name} and state = 'live'`.execute(db)
  assert.deepEqual(rows, [{ account: buyer.accountId, origin: 'bought' }])
})

test('an order that nobody works on is taken over once its lease is over', async () => {
  const buyer = await TestBuyer.make(api, price)
  const { id } = (await buyer.order(fresh(), withCredit)).body
  await sql`update orders set step_at = app_now() + interval '120 seconds' where id = ${id}`.execute(db)
  assert.equal(await workDue(api), 0)
  await moveClock(database, '121 seconds')
  try {
    await workDue(api)
  } finally {
    await moveClock(database, '0 seconds')
  }
  assert.deepEqual(await stand(buyer, id), ['completed', null])
})
