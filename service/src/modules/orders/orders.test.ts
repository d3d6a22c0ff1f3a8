import assert from 'node:assert/strict'
import { test } from 'node:test'
import { orderSchema } from '@zonewright/contract'
import { createPromo } from '#modules/billing/index.ts'
import { actorNamed } from '#platform/caller.ts'
import { sql } from '#platform/postgres/index.ts'
import { moveClock } from '#testing/move-clock.ts'
import { RegistryStaff } from '#testing/registry-staff.ts'
import { startSandboxRegistry } from '#testing/sandbox-registry.ts'
import { startTestApi } from '#testing/test-api.ts'
import { booksOf, orderEvents, TestBuyer, workDue } from '#testing/test-buyer.ts'
import { testContact } from '#testing/test-contact.ts'
import { testPromo } from '#testing/test-promo.ts'
import { codeOf, faultsOf } from '#testing/test-zones.ts'
import { expireOrders } from './expire-orders.ts'
import { lockKey } from './store.ts'

const registry = await startSandboxRegistry()
const staff = new RegistryStaff(registry)
const api = await startTestApi({ registry })
const { database } = api
const { db } = database
let names = 0
const fresh = (): string => `name${++names}.test`
const price = 1_250_000
const withCredit = { order: { use_credit: true } }

async function promo(change: object = {}): Promise<string> {
  const code = `CODE-${++names}`
  await database.transact((tx) => createPromo(tx, actorNamed('operator', 'test'), { ...testPromo, code, ...change }))
  return code
}
const withPromo = (code: string, order: object = {}) => ({ quote: { promo_code: code }, order })
const zonesOf = async (accountId: string): Promise<string[]> =>
  (
    await sql<{ name: string }>`select name from zones where account_id = ${accountId} and state = 'live'`.execute(db)
  ).rows.map(({ name }) => name)

test('an order paid by credit completes: the domain is registered, delegated to us, and has a live zone', async () => {
  const buyer = await TestBuyer.make(api, 2 * price)
  const name = fresh()
  const placed = await buyer.order(name, withCredit)
  assert.deepEqual(
    [placed.status, placed.body.status, placed.body.stage, placed.body.due_kobo],
    [201, 'processing', 'sending', 0],
  )
  assert.equal(placed.headers.location, `/api/v1/orders/${placed.body.id}`)
  await workDue(api)
  const done = await buyer.read(placed.body.id)
  assert.deepEqual([done.status, done.stage, done.credit_kobo, done.last_error], ['completed', null, price, ''])
  assert.ok(done.paid_at !== '' && done.finished_at >= done.paid_at)
  assert.deepEqual(staff.domain(name)?.nameservers, ['ns1.zonewright.test', 'ns2.zonewright.test'])
  assert.deepEqual(await zonesOf(buyer.accountId), [name])
  assert.deepEqual(await orderEvents(api, buyer.accountId), ['order.paid', 'order.completed'])
  assert.deepEqual(await booksOf(api, placed.body.id), { credit: -price, sales: price })
  assert.equal((await buyer.call('GET', '/credit')).body.available_kobo, price)
})

test('a domain with a name that the service uses gets no quote and no order', async () => {
  const buyer = await TestBuyer.make(api, 2 * price)
  for (const name of ['zonewright.test', 'Zonewright.TEST.', 'ｚonewright.test'])
    for (const kind of ['register', 'transfer']) {
      const answer = await buyer.call('POST', '/quotes', { kind, name })
      assert.deepEqual(codeOf(answer), [409, 'name_unavailable'], `${kind} ${name}`)
    }
  const id = await buyer.quote(fresh())
  await sql`update quotes set name = 'zonewright.test' where id = ${id}`.execute(db)
  const placed = await buyer.call('POST', '/orders', { quote_id: id, contact_id: buyer.contactId, use_credit: true })
  assert.deepEqual(codeOf(placed), [409, 'name_unavailable'])
})

test('events have exactly the fields of the specification, in the same order', async () => {
  const buyer = await TestBuyer.make(api, price)
  await buyer.order(fresh(), withCredit)
  const { rows } = await sql<{ data: { order: object } }>`
    select data from event_outbox where recipients = array[${buyer.accountId}]::uuid[] and type = 'order.paid'`.execute(
    db,
  )
  const fields =
    'id kind name years status amount_kobo credit_kobo promo_code promo_kobo client_email last_error created_at paid_at finished_at'
  assert.equal(Object.keys(rows[0]?.data.order ?? {}).join(' '), fields)
  assert.equal(orderSchema.strict().safeParse(rows[0]?.data.order).success, true)
})

test('a refusal returns the credit, and the order ends as credited', async () => {
  const buyer = await TestBuyer.make(api, price)
  const name = fresh()
  const { id } = (await buyer.order(name, withCredit)).body
  await staff.put(name)
  await workDue(api)
  const order = await buyer.read(id)
  assert.equal(order.status, 'credited')
  assert.match(order.last_error, /Someone else registered the name first.*Object exists: .* \(2302\)/)
  assert.deepEqual(await orderEvents(api, buyer.accountId), ['order.paid', 'order.failed', 'order.credited'])
  assert.deepEqual(await booksOf(api, id), {})
  assert.equal((await buyer.call('GET', '/credit')).body.available_kobo, price)
})

test('a promo code that covers the whole price is consumed by success and released by a refusal', async () => {
  const buyer = await TestBuyer.make(api)
  const code = await promo({ maxUses: 1 })
  const name = fresh()
  const first = await buyer.order(name, withPromo(code))
  assert.deepEqual([first.body.status, first.body.promo_kobo, first.body.promo_code], ['processing', price, code])
  const second = await buyer.call('POST', '/quotes', { kind: 'register', name: fresh(), promo_code: code })
  assert.deepEqual(codeOf(second), [409, 'promo_in_use'])
  await staff.put(name)
  await workDue(api)
  assert.equal((await buyer.read(first.body.id)).status, 'cancelled')
  assert.deepEqual(await orderEvents(api, buyer.accountId), ['order.paid', 'order.cancelled'])
  const third = await buyer.order(fresh(), withPromo(code))
  await workDue(api)
  assert.equal((await buyer.read(third.body.id)).status, 'completed')
  const fourth = await buyer.call('POST', '/quotes', { kind: 'register', name: fresh(), promo_code: code })
  assert.deepEqual(codeOf(fourth), [422, 'promo_invalid'])
})

test('if an order paid by card, credit and code is refused, the credit is returned and the code is released', async () => {
  const buyer = await TestBuyer.make(api, price)
  const code = await promo({ percent: 40, maxUses: 1 })
  const name = fresh()
  const { id, credit_kobo, promo_kobo } = (await buyer.order(name, withPromo(code, { use_credit: true }))).body
  assert.deepEqual([promo_kobo, credit_kobo], [500_000, 750_000])
  await staff.put(name)
  await workDue(api)
  assert.equal((await buyer.read(id)).status, 'credited')
  assert.equal((await buyer.call('GET', '/credit')).body.available_kobo, price)
  assert.equal((await buyer.order(fresh(), withPromo(code, { use_credit: true }))).status, 201)
  await workDue(api)
})

test('an order with an amount due waits for payment, expires after 24 hours, and releases its credit and code', async () => {
  const buyer = await TestBuyer.make(api, 1_000)
  const code = await promo({ percent: 10, maxUses: 1 })
  const { body } = await buyer.order(fresh(), withPromo(code, { use_credit: true }))
  assert.deepEqual(
    [body.status, body.stage, body.due_kobo],
    ['pending_payment', 'awaiting_payment', price - 125_000 - 1_000],
  )
  assert.match(body.url, new RegExp(`/app/orders/${body.id}$`))
  assert.equal((await buyer.call('GET', '/credit')).body.available_kobo, 0)
  await moveClock(database, '23 hours 59 minutes')
  await expireOrders(database)
  assert.equal((await buyer.read(body.id)).status, 'pending_payment')
  await moveClock(database, '24 hours 1 minute')
  try {
    assert.ok((await expireOrders(database)) >= 1)
    const expired = await buyer.read(body.id)
    assert.deepEqual(
      [expired.status, expired.stage, expired.due_kobo, expired.expires_at],
      ['cancelled', null, 0, null],
    )
  } finally {
    await moveClock(database, '0 seconds')
  }
  assert.deepEqual(await orderEvents(api, buyer.accountId), ['order.cancelled'])
  assert.equal((await buyer.call('GET', '/credit')).body.available_kobo, 1_000)
  assert.equal((await buyer.order(fresh(), withPromo(code))).status, 201, 'the code is free again')
})

test('the owner can cancel an unpaid order once, but never a paid one', async () => {
  const buyer = await TestBuyer.make(api, price)
  const name = fresh()
  const { id } = (await buyer.order(name)).body
  assert.deepEqual(codeOf(await buyer.order(name)), [409, 'order_open'])
  const cancelled = await buyer.call('POST', `/orders/${id}/cancel`)
  assert.deepEqual([cancelled.status, cancelled.body.status], [200, 'cancelled'])
  assert.deepEqual(codeOf(await buyer.call('POST', `/orders/${id}/cancel`)), [409, 'conflict'])
  assert.equal((await buyer.order(name)).status, 201)
  const paid = (await buyer.order(fresh(), withCredit)).body
  assert.deepEqual(codeOf(await buyer.call('POST', `/orders/${paid.id}/cancel`)), [409, 'conflict'])
  await workDue(api)
})

test('each invalid order is refused with its own error code, and stores nothing', async () => {
  const buyer = await TestBuyer.make(api, 100)
  const other = await TestBuyer.make(api)
  const name = fresh()
  const quote = await buyer.quote(name)
  const order = (body: object) =>
    buyer.call('POST', '/orders', { quote_id: quote, contact_id: buyer.contactId, ...body })
  const foreign = { quote_id: quote, contact_id: other.contactId }
  assert.deepEqual(codeOf(await other.call('POST', '/orders', foreign)), [404, 'not_found'], 'somebody else’s quote')
  assert.deepEqual(codeOf(await order({ contact_id: other.contactId })), [422, 'contact_invalid'])
  assert.deepEqual(codeOf(await order({ contact_id: undefined })), [422, 'contact_invalid'])
  assert.deepEqual(codeOf(await order({ expected_due_kobo: price - 1 })), [409, 'price_changed'])
  assert.deepEqual(codeOf(await order({ expected_due_kobo: 0, use_credit: true })), [402, 'insufficient_credit'])
  const hosts = await order({ nameservers: ['ns1.example.net', 'NS1.example.net.'] })
  assert.deepEqual([...codeOf(hosts), ...faultsOf(hosts)], [422, 'validation_failed', 'duplicate /nameservers'])
  assert.deepEqual(codeOf(await order({ nameservers: ['192.0.2.1', 'ns'] })), [422, 'validation_failed'])
  const own = await order({ nameservers: ['ns1.example.net', `NS2.${name}`] })
  assert.deepEqual(faultsOf(own), ['address_needed /nameservers/1'], 'it could not be carried out')
  const itself = await order({ nameservers: [name, 'ns1.example.net'] })
  assert.deepEqual(faultsOf(itself), ['address_needed /nameservers/0'])
  assert.match(itself.body.error.message, /After the registration, set these with their addresses/)
  assert.deepEqual(faultsOf(await order({ auth_code: 'pasted\tcode' })), ['invalid /auth_code'])
  const taken = fresh()
  await staff.put(taken)
  const unavailable = await buyer.quote(taken)
  assert.deepEqual(codeOf(await order({ quote_id: unavailable })), [409, 'name_unavailable'])
  await moveClock(database, '31 minutes')
  try {
    assert.deepEqual(codeOf(await order({})), [409, 'quote_expired'])
  } finally {
    await moveClock(database, '0 seconds')
  }
  assert.deepEqual((await buyer.call('GET', '/orders')).body.data, [])
  assert.equal((await order({ expected_due_kobo: price - 100, use_credit: true })).status, 201)
})

test('a quote says which names are not sold, and which names the registry gives no answer about', async () => {
  const buyer = await TestBuyer.make(api)
  const quote = async (body: object) => codeOf(await buyer.call('POST', '/quotes', { kind: 'register', ...body }))
  assert.deepEqual(await quote({ name: 'shop.example' }), [422, 'tld_unsupported'])
  assert.deepEqual(await quote({ name: 'com.test' }), [422, 'validation_failed'])
  assert.deepEqual(await quote({ name: 'shop.com.test', years: 6 }), [422, 'validation_failed'])
  assert.deepEqual(await quote({ name: fresh(), promo_code: 'NO-SUCH' }), [422, 'promo_invalid'])
  assert.deepEqual(await quote({ kind: 'renew', name: fresh() }), [409, 'not_renewable'])
  assert.deepEqual(await quote({ kind: 'transfer', name: fresh() }), [409, 'name_unavailable'])
  const locked = fresh()
  await staff.put(locked, { statuses: ['clientTransferProhibited'] })
  assert.deepEqual(await quote({ kind: 'transfer', name: locked }), [409, 'domain_locked'])
  staff.loseCommand('domain:check')
  assert.deepEqual(await quote({ name: fresh() }), [503, 'registry_unavailable'])
})

test('a contact needs the fields that the TLD requires', async () => {
  const buyer = await TestBuyer.make(api)
  const { id } = (await buyer.call('POST', '/contacts', { ...testContact, extra: { registrant_type: 'ghost' } })).body
  const answer = await buyer.order(`name${++names}.com.test`, { order: { contact_id: id } })
  assert.deepEqual(
    [...codeOf(answer), ...faultsOf(answer)],
    [422, 'contact_invalid', 'bad_extra /extra/registrant_type'],
  )
})

test('an account with an unconfirmed address cannot buy, and neither can the key of a deleted account', async () => {
  const buyer = await TestBuyer.make(api)
  await sql`update accounts set email_confirmed = false where id = ${buyer.accountId}`.execute(db)
  assert.deepEqual(codeOf(await buyer.order(fresh())), [403, 'email_unconfirmed'])
  await sql`update accounts set email_confirmed = true where id = ${buyer.accountId}`.execute(db)
  const quote = await buyer.quote(fresh())
  await sql`update accounts set deleted_at = app_now() where id = ${buyer.accountId}`.execute(db)
  const late = await buyer.call('POST', '/orders', { quote_id: quote, contact_id: buyer.contactId })
  assert.deepEqual(codeOf(late), [401, 'invalid_key'])
})

test('a dry run makes the same checks, returns what would happen, and stores nothing', async () => {
  const buyer = await TestBuyer.make(api, 400)
  const quote_id = await buyer.quote(fresh())
  const dry = await buyer.call('POST', '/orders?dry_run=true', {
    quote_id,
    contact_id: buyer.contactId,
    use_credit: true,
  })
  assert.deepEqual([dry.status, dry.body.id, dry.body.credit_kobo, dry.body.due_kobo], [200, '', 400, price - 400])
  assert.deepEqual((await buyer.call('GET', '/orders')).body.data, [])
  assert.equal((await buyer.call('GET', '/credit')).body.available_kobo, 400)
  const refused = await buyer.call('POST', '/orders?dry_run=true', { quote_id })
  assert.deepEqual(codeOf(refused), [422, 'contact_invalid'])
})

test('the 21st order within an hour is refused; dry runs do not count, and the window slides', async () => {
  const buyer = await TestBuyer.make(api)
  const quotes = await Promise.all(Array.from({ length: 23 }, () => buyer.quote(fresh())))
  const place = (quote_id: string | undefined, dry = '') =>
    buyer.call('POST', `/orders${dry}`, { quote_id, contact_id: buyer.contactId })
  await place(quotes[20], '?dry_run=true')
  const answers = await Promise.all(quotes.slice(0, 22).map((id) => place(id)))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [...Array(20).fill(201), 429, 429])
  const refused = answers.find(({ status }) => status === 429)
  assert.equal(refused?.body.error.code, 'rate_limited')
  assert.match(refused?.body.error.message, /limit of 20 orders an hour/)
  assert.ok(Number(refused?.headers['retry-after']) > 3_500)
  const other = await api.key(buyer.accountId)
  const another = { quote_id: quotes[22], contact_id: buyer.contactId }
  assert.equal((await api.call('POST', '/orders', { key: other, body: another })).status, 201, 'each key by itself')
  await moveClock(database, '61 minutes')
  try {
    assert.equal((await buyer.order(fresh())).status, 201)
  } finally {
    await moveClock(database, '0 seconds')
  }
})

test('a key that expires or is revoked while its order is being placed places no order', async () => {
  const buyer = await TestBuyer.make(api)
  const { rows } = await sql<{ id: string }>`select id from api_keys where account_id = ${buyer.accountId}`.execute(db)
  const keyId = rows[0]?.id ?? assert.fail('the buyer has no key')
  const isLive = () => database.transact((tx) => lockKey(tx, keyId))
  const expires = (at: string | null) =>
    sql`update api_keys set expires_at = app_now() + ${at}::interval where id = ${keyId}`.execute(db)
  assert.equal(await isLive(), true)
  await expires('1 minute')
  assert.equal(await isLive(), true)
  await expires('-1 second')
  assert.equal(await isLive(), false)
  await expires(null)
  assert.equal(await isLive(), true)
  await sql`update api_keys set revoked_at = app_now() where id = ${keyId}`.execute(db)
  assert.equal(await isLive(), false)
})

test('eight concurrent orders never spend more credit than the account has', async () => {
  const buyer = await TestBuyer.make(api, 3 * price)
  const quotes = await Promise.all(Array.from({ length: 8 }, () => buyer.quote(fresh())))
  const answers = await Promise.all(
    quotes.map((quote_id) =>
      buyer.call('POST', '/orders', { quote_id, contact_id: buyer.contactId, use_credit: true, expected_due_kobo: 0 }),
    ),
  )
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 201, 201, 402, 402, 402, 402, 402])
  assert.equal((await buyer.call('GET', '/credit')).body.available_kobo, 0)
  await workDue(api)
})

test('only one of eight concurrent orders gets the last use of a code', async () => {
  const code = await promo({ maxUses: 1 })
  const buyers = await Promise.all(Array.from({ length: 8 }, () => TestBuyer.make(api)))
  const quotes = await Promise.all(buyers.map((buyer) => buyer.quote(fresh(), { promo_code: code })))
  const answers = await Promise.all(
    buyers.map((buyer, i) => buyer.call('POST', '/orders', { quote_id: quotes[i], contact_id: buyer.contactId })),
  )
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, ...Array(7).fill(409)])
  await workDue(api)
})

test('a second order of a name is refused while the first one is in progress', async () => {
  const buyer = await TestBuyer.make(api, 2 * price)
  const name = fresh()
  const quotes = [await buyer.quote(name), await buyer.quote(name)]
  const [first, second] = quotes.map((quote_id) => ({ quote_id, contact_id: buyer.contactId, use_credit: true }))
  const placed = await buyer.call('POST', '/orders', first)
  assert.deepEqual([placed.status, placed.body.status], [201, 'processing'])
  assert.deepEqual(codeOf(await buyer.call('POST', '/orders', second)), [409, 'order_open'])
})

test('the expected amount must equal the amount due', async () => {
  const part = 400_000
  const buyer = await TestBuyer.make(api, part)
  const order = (more: object) => buyer.order(fresh(), { order: more })
  for (const expected of [price - 1, price + 1])
    assert.deepEqual(codeOf(await order({ expected_due_kobo: expected })), [409, 'price_changed'], String(expected))
  const withPart = (expected: number) => order({ expected_due_kobo: expected, use_credit: true })
  assert.deepEqual(codeOf(await withPart(price - part - 1)), [402, 'insufficient_credit'])
  assert.deepEqual(codeOf(await withPart(price - part + 1)), [409, 'price_changed'])
  assert.equal((await withPart(price - part)).status, 201)
})

test('only one of two concurrent orders for the same name is placed', async () => {
  const buyer = await TestBuyer.make(api)
  const name = fresh()
  const quotes = [await buyer.quote(name), await buyer.quote(name)]
  const answers = await Promise.all(
    quotes.map((quote_id) => buyer.call('POST', '/orders', { quote_id, contact_id: buyer.contactId })),
  )
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409])
})

test('repeated requests with the same Idempotency-Key place one order', async () => {
  const buyer = await TestBuyer.make(api, 3 * price)
  const body = { quote_id: await buyer.quote(fresh()), contact_id: buyer.contactId, use_credit: true }
  const headers = { 'idempotency-key': 'once' }
  const place = () => api.call('POST', '/orders', { key: buyer.key, body, headers })
  const [first, second] = await Promise.all([place(), place()])
  assert.deepEqual([first?.status, second?.status, second?.body], [201, 201, first?.body])
  await workDue(api)
  const later = await place()
  assert.deepEqual([later.status, later.body], [201, first?.body], 'also once the order is completed')
  const { data } = (await buyer.call('GET', '/orders')).body
  assert.deepEqual(
    data.map(({ id, status }: { id: string; status: string }) => [id, status]),
    [[first?.body.id, 'completed']],
  )
  assert.deepEqual(await orderEvents(api, buyer.accountId), ['order.paid', 'order.completed'])
  assert.equal((await buyer.call('GET', '/credit')).body.available_kobo, 2 * price)
})

test('a key that has only domains:buy reads only the orders that it placed', async () => {
  const buyer = await TestBuyer.make(api)
  const narrow = await api.key(buyer.accountId, { permissions: ['domains:buy'] })
  const theirs = (await buyer.order(fresh())).body.id
  const body = { quote_id: await buyer.quote(fresh()), contact_id: buyer.contactId }
  const mine = (await api.call('POST', '/orders', { key: narrow, body })).body.id
  assert.equal((await api.call('GET', `/orders/${mine}`, { key: narrow })).status, 200)
  for (const id of [theirs, 'ord_none'])
    assert.deepEqual(codeOf(await api.call('GET', `/orders/${id}`, { key: narrow })), [403, 'forbidden'])
  assert.equal((await api.call('POST', `/orders/${mine}/cancel`, { key: narrow })).status, 200)
})

test('a key that has only domains:buy cancels only its own orders, and learns nothing about others', async () => {
  const buyer = await TestBuyer.make(api)
  const stranger = await TestBuyer.make(api)
  const other = await api.key(buyer.accountId, { permissions: ['domains:buy', 'domains:read'] })
  const place = async (key: string, more: object = {}): Promise<string> => {
    const body = { quote_id: await buyer.quote(fresh()), contact_id: buyer.contactId, ...more }
    return (await api.call('POST', '/orders', { key, body })).body.id
  }
  const dashboards = await place(buyer.key, { client_email: 'client@example.net' })
  await sql`update orders set key_id = null where id = ${dashboards}`.execute(db)
  const cancelled = await place(other)
  assert.equal((await api.call('POST', `/orders/${cancelled}/cancel`, { key: other })).status, 200)
  const theirs = [dashboards, await place(other), await place(buyer.key), (await stranger.order(fresh())).body.id]
  const buying = ['domains:buy', 'domains:manage', 'records:read', 'records:write', 'zones:manage'] as const
  for (const permissions of [['domains:buy'] as const, buying]) {
    const narrow = await api.key(buyer.accountId, { permissions })
    const refusals = new Set<string>()
    for (const id of [...theirs, cancelled, 'ord_none', 'ord_%20'])
      for (const headers of [{}, { 'idempotency-key': `cancel ${id}` }]) {
        const answer = await api.call('POST', `/orders/${id}/cancel`, { key: narrow, headers })
        assert.deepEqual(codeOf(answer), [403, 'forbidden'], id)
        refusals.add(answer.body.error.message)
      }
    assert.equal(refusals.size, 1, 'a refusal does not tell whether there is such an order')
    assert.match([...refusals][0] ?? '', /lacks the permission domains:read/)
    const { rows } = await sql`select 1 from orders where id = any(${theirs}) and status <> 'pending_payment'`.execute(
      db,
    )
    assert.equal(rows.length, 0)
    const own = await place(narrow)
    const answer = await api.call('POST', `/orders/${own}/cancel`, { key: narrow })
    assert.deepEqual([answer.status, answer.body.status], [200, 'cancelled'])
    assert.deepEqual(codeOf(await api.call('POST', `/orders/${own}/cancel`, { key: narrow })), [409, 'conflict'])
  }
  for (const id of theirs.slice(0, 3))
    assert.equal((await api.call('POST', `/orders/${id}/cancel`, { key: other })).body.status, 'cancelled')
  for (const id of [theirs[3], 'ord_none'])
    assert.deepEqual(codeOf(await api.call('POST', `/orders/${id}/cancel`, { key: other })), [404, 'not_found'])
})

test('a key for particular zones and domains sees the orders of its domains, but not those of its zones', async () => {
  const buyer = await TestBuyer.make(api, 2 * price)
  const [seen, unseen] = [await buyer.order(fresh(), withCredit), await buyer.order(fresh(), withCredit)]
  const unpaid = await buyer.order(fresh())
  await workDue(api)
  const { rows } = await sql<{ id: string }>`select id from zones where name = ${unseen.body.name}`.execute(db)
  const picks = [seen.body.name, rows[0]?.id ?? '']
  const key = await api.key(buyer.accountId, { picks, permissions: ['domains:read'] })
  const listed = (await api.call('GET', '/orders', { key })).body.data
  assert.deepEqual(
    listed.map(({ name }: { name: string }) => name),
    [seen.body.name],
  )
  assert.equal((await api.call('GET', `/orders/${seen.body.id}`, { key })).status, 200)
  for (const [{ body }, remedy] of [
    [unseen, `Create a key for all zones, or one that includes ${unseen.body.name}.`],
    [unpaid, 'Create a key for all zones.'],
  ] as const) {
    const refused = await api.call('GET', `/orders/${body.id}`, { key })
    assert.deepEqual(codeOf(refused), [403, 'forbidden'])
    assert.ok(refused.body.error.message.endsWith(`lacks the domain ${body.name}. ${remedy}`))
  }
  const named = await api.key(buyer.accountId, { picks: [unseen.body.name], permissions: ['domains:read'] })
  assert.equal((await api.call('GET', `/orders/${unseen.body.id}`, { key: named })).status, 200)
  const all = await api.key(buyer.accountId, { permissions: ['domains:read'] })
  for (const { body } of [unseen, unpaid])
    assert.equal((await api.call('GET', `/orders/${body.id}`, { key: all })).status, 200)
})

test('orders are listed in pages, by status and by name', async () => {
  const buyer = await TestBuyer.make(api)
  const ids: string[] = []
  for (let i = 0; i < 3; i++) ids.push((await buyer.order(fresh())).body.id)
  await buyer.call('POST', `/orders/${ids[0]}/cancel`)
  const first = (await buyer.call('GET', '/orders?limit=2')).body
  const second = (await buyer.call('GET', `/orders?limit=2&cursor=${first.next_cursor}`)).body
  assert.deepEqual(
    [...first.data, ...second.data].map(({ id }) => id),
    ids.toReversed(),
  )
  const { name } = (await buyer.call('GET', `/orders/${ids[1]}`)).body
  for (const written of [name, `${name.toUpperCase()}.`, name.replace('.', '\u3002')]) {
    const { data } = (await buyer.call('GET', `/orders?name=${encodeURIComponent(written)}`)).body
    assert.deepEqual(
      data.map(({ id }: { id: string }) => id),
      [ids[1]],
      written,
    )
  }
  assert.deepEqual((await buyer.call('GET', '/orders?name=no%20name')).body.data, [])
  const cancelled = (await buyer.call('GET', '/orders?status=cancelled')).body.data
  assert.deepEqual(
    cancelled.map(({ id }: { id: string }) => id),
    [ids[0]],
  )
})

test('ten thousand unpaid orders expire in one run', async () => {
  const buyer = await TestBuyer.make(api)
  const { id } = (await buyer.order(fresh())).body
  await sql`
    insert into orders (id, account_id, kind, name, tld, years, status, amount_kobo, credit_kobo, promo_code, promo_kobo, renewal_kobo,
      client_email, auto_renew, nameservers, expires_at)
    select 'ord_many' || n, account_id, kind, 'many' || n || '.test', tld, years, status, amount_kobo, credit_kobo, promo_code, promo_kobo,
      renewal_kobo, client_email, auto_renew, nameservers, app_now() - interval '1 second'
    from orders cross join generate_series(1, 10000) n where id = ${id}`.execute(db)
  assert.equal(await expireOrders(database), 10_000)
  const events = await orderEvents(api, buyer.accountId)
  assert.equal(events.length, 10_000)
})
