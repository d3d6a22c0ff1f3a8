// docs/flows/a-domain-is-bought.md, on real processes: the sandbox's registry by EPP, its DNS, and its card gateway.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'node:test'
import { orderSchema } from '@zonewright/contract'
import {
  cards,
  eventually,
  payAt,
  type ReceivedEvent,
  RegistryOffice,
  Shopper,
  untilAnswered,
  worldForTests,
} from '../world/index.ts'

const world = await worldForTests()
const { api, facts, received } = world
const shopper = await Shopper.at(world)
const office = await RegistryOffice.of(world)
const { email } = facts.account
const price = 1_250_000
const nameservers = facts.nameservers.map(({ name }) => name)
await world.admin('credit', 'grant', email, String(price + 250_000), 'for the flows')
await world.admin('promo', 'create', 'HALF', '--percent', '50', '--repeatable')
await world.admin('promo', 'create', 'ALL', '--percent', '100', '--repeatable')

/** The events of an order, in order of arrival; waits for the last one. */
async function eventsOf(id: string, last: string): Promise<ReceivedEvent[]> {
  await received.waitFor(`${last} of ${id}`, ({ type, data }) => type === last && data.order?.id === id)
  const events = await received.events()
  return events.filter(({ data }) => data.order?.id === id)
}
const typesOf = (events: readonly ReceivedEvent[]): string[] => events.map(({ type }) => type)

test('an order paid by card registers and delegates the domain, and sends four events; the zone answers', async () => {
  const name = 'card-shop.test'
  const order = await shopper.order(name, { order: { client_email: 'client@example.org' } })
  assert.deepEqual([order.status, order.due_kobo], ['pending_payment', price])
  await shopper.pay(order.id, cards.success)
  await shopper.until(order.id, 'completed')

  const events = await eventsOf(order.id, 'order.completed')
  assert.deepEqual(typesOf(events), ['order.paid', 'order.completed'])
  const fields = Object.keys(orderSchema.shape)
  for (const { data } of events) {
    assert.deepEqual(Object.keys(data), ['order'])
    assert.deepEqual(Object.keys(data.order), fields, 'the specification’s fields, in its order')
    assert.equal(orderSchema.strict().safeParse(data.order).success, true)
    assert.deepEqual(
      [data.order.kind, data.order.name, data.order.years, data.order.client_email, data.order.amount_kobo],
      ['register', name, 1, 'client@example.org', price],
    )
  }
  assert.deepEqual(
    events.map(({ data }) => [data.order.status, data.order.finished_at === '']),
    [
      ['processing', true],
      ['completed', false],
    ],
  )
  const zone = (await api.call<{ id: string; state: string; origin: string }>('GET', `/zones/${name}`)).body
  assert.deepEqual([zone.state, zone.origin], ['live', 'bought'])
  const created = await received.waitFor(
    'zone.created',
    ({ type, data }) => type === 'zone.created' && data.zone.name === name,
  )
  assert.deepEqual(JSON.parse(created.body).data, { zone: { id: zone.id, name } })
  const delegated = await received.waitFor(
    'zone.delegation_changed',
    ({ type, data }) => type === 'zone.delegation_changed' && data.zone.name === name,
  )
  assert.deepEqual(JSON.parse(delegated.body).data, {
    zone: { id: zone.id, name },
    state: 'live',
    previous_state: 'waiting',
    parent_nameservers: nameservers,
    registry_nameservers: nameservers,
  })
  assert.ok((await received.requests()).every(({ verified }) => verified))

  await api.put(name, '@', 'A', ['192.0.2.80'])
  for (const { address } of facts.nameservers) await untilAnswered(address, name, 'A', '192.0.2.80')
  // A resolver also finds it from the top.
  await untilAnswered(facts.registry.resolver, name, 'A', '192.0.2.80')
  assert.deepEqual((await office.domain(name))?.nameservers, nameservers)
})

test('credit, a promo code and a card together pay for one order; a code alone pays for another', async () => {
  const before = await shopper.credit()
  const mixed = await shopper.order('mixed-shop.test', {
    quote: { promo_code: 'half' },
    order: { use_credit: true },
  })
  assert.deepEqual([mixed.promo_kobo, mixed.credit_kobo, mixed.due_kobo], [price / 2, price / 2, 0])
  await shopper.until(mixed.id, 'completed')
  assert.equal(await shopper.credit(), before - price / 2)
  const third = await shopper.order('three-shop.test', {
    quote: { years: 3, promo_code: 'HALF' },
    order: { use_credit: true },
  })
  assert.ok(third.promo_kobo > 0 && third.credit_kobo > 0 && third.due_kobo > 0)
  assert.equal(third.promo_kobo + third.credit_kobo + third.due_kobo, third.amount_kobo)
  await shopper.pay(third.id, cards.toldTwice)
  await shopper.until(third.id, 'completed')
  assert.deepEqual(typesOf(await eventsOf(third.id, 'order.completed')), ['order.paid', 'order.completed'])
  assert.equal(await shopper.credit(), 0)
  const free = await shopper.order('free-shop.test', { quote: { promo_code: 'ALL' } })
  assert.equal(free.due_kobo, 0)
  await shopper.until(free.id, 'completed')
})

test('an order that the registry refuses is refunded to the card, or credited to the account if that fails', async () => {
  for (const [name, card, end] of [
    ['refused-one.test', cards.success, 'refunded'],
    ['refused-two.test', cards.refundFails, 'credited'],
  ] as const) {
    const { id } = await shopper.order(name)
    await office.once('domain:create', name, { code: 2306, reason: 'Reserved for somebody' })
    await shopper.pay(id, card)
    const order = await shopper.until(id, end)
    assert.match(order.last_error, /Reserved for somebody \(2306\)/)
    assert.deepEqual(typesOf(await eventsOf(id, `order.${end}`)), ['order.paid', 'order.failed', `order.${end}`])
    const refunds = await shopper.refundsAtGateway(order.payments[0]?.reference ?? '')
    assert.deepEqual(
      refunds.map(({ amount, status }) => [amount, status]),
      [[price, end === 'refunded' ? 'processed' : 'failed']],
    )
  }
  assert.equal(await shopper.credit(), price)
})

test('an order that a promo code paid in full is cancelled when the registry refuses it', async () => {
  await office.once('domain:create', 'refused-free.test', { code: 2306 })
  const { id } = await shopper.order('refused-free.test', { quote: { promo_code: 'ALL' } })
  await shopper.until(id, 'cancelled')
  assert.deepEqual(typesOf(await eventsOf(id, 'order.cancelled')), ['order.paid', 'order.cancelled'])
})

test('an order that the registry decides later ends when its message arrives', async () => {
  for (const [name, isDone] of [
    ['later-yes.test', true],
    ['later-no.test', false],
  ] as const) {
    await office.once('domain:create', name, { pending: true })
    const { id } = await shopper.order(name, { quote: { promo_code: 'ALL' } })
    await eventually('the registry has taken it on', async () => (await shopper.read(id)).stage === 'registry_pending')
    await office.decide(name, isDone)
    const order = await shopper.until(id, isDone ? 'completed' : 'cancelled')
    if (!isDone) assert.match(order.last_error, /rejected the request/)
  }
})

test('an operator finds an order that the registry has not decided, and ends it on the registry’s word', async () => {
  const name = 'by-telephone.test'
  await office.once('domain:create', name, { pending: true })
  const { id } = await shopper.order(name, { quote: { promo_code: 'ALL' } })
  await eventually('the registry has taken it on', async () => (await shopper.read(id)).stage === 'registry_pending')
  const stuck = JSON.parse(await world.admin('order', 'stuck', '--minutes', '0')) as { id: string; state: string }[]
  assert.deepEqual(
    stuck.map((each) => [each.id, each.state]),
    [[id, 'pending']],
  )
  await world.admin('order', 'retry', id)
  await world.admin('order', 'mark', id, 'refused', 'They', 'keep', 'it.')
  assert.equal((await shopper.until(id, 'cancelled')).last_error, 'They keep it.')
})

test('a renewal moves the expiry at the registry by its years', async () => {
  const before = (await office.domain('card-shop.test'))?.expiresAt ?? 0
  const { id } = await shopper.order('card-shop.test', {
    quote: { kind: 'renew', years: 2, promo_code: 'ALL' },
    order: { contact_id: undefined },
  })
  await shopper.until(id, 'completed')
  const after = (await office.domain('card-shop.test'))?.expiresAt ?? 0
  assert.equal(new Date(after).getUTCFullYear(), new Date(before).getUTCFullYear() + 2)
  assert.equal((await office.sent('card-shop.test')).filter(({ command }) => command === 'domain:renew').length, 1)
})

test('an approved transfer from another registrar gets a live zone; a rejected one is credited', async () => {
  for (const [name, isApproved] of [
    ['moved-here.test', true],
    ['stays-there.test', false],
  ] as const) {
    await office.registerElsewhere(name)
    const { id } = await shopper.order(name, {
      quote: { kind: 'transfer', promo_code: 'HALF' },
      order: { contact_id: undefined, auth_code: 'their-code', use_credit: true },
    })
    assert.deepEqual([(await shopper.until(id, 'completed')).stage], ['registry_pending'])
    const { domains } = office.rival
    const decided = await (isApproved
      ? domains.approveTransfer(name, `end-${id}`)
      : domains.rejectTransfer(name, `end-${id}`))
    assert.equal(decided.kind, 'done')
    if (isApproved) {
      await eventually(
        'its zone is live',
        async () => (await api.call('GET', `/zones/${name}`)).body['state'] === 'live',
      )
      assert.equal((await office.domain(name))?.sponsor, 'zonewright')
    } else {
      await shopper.until(id, 'credited')
      assert.equal((await office.domain(name))?.sponsor, 'rival')
    }
  }
})

test('someone without an account pays through an emailed payment link', async () => {
  const { id } = await shopper.order('linked-shop.test', { order: { client_email: 'client@example.org' } })
  const link = await shopper.dashboard.call('POST', `/api/v1/orders/${id}/pay-link`)
  assert.equal(link.status, 201)
  const mail = await world.mailbox.waitFor('client@example.org', 'the pay link')
  const url = mail.links.find((each) => each.includes('/pay/')) ?? ''
  assert.equal(url, link.body['url'])
  const token = url.split('/').at(-1)
  const open = (path: string, body?: object) =>
    fetch(`${facts.base_url}/api/v1/pay/${token}${path}`, {
      method: body ? 'POST' : 'GET',
      ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    }).then((answer) => answer.json() as Promise<Record<string, unknown>>)
  assert.deepEqual([(await open(''))['state'], (await open(''))['due_kobo']], ['open', price])
  await payAt(String((await open('/checkout', { email: 'client@example.org' }))['url']), cards.success)
  await shopper.until(id, 'completed')
  assert.equal((await open(''))['state'], 'paid')
})

test('the log contains no transfer code, card number or password from these orders', async () => {
  const password = (await readFile(join(facts.registry.epp_dir, 'zonewright.password'), 'utf8')).trim()
  const log = await readFile(join(world.dataDir, 'logs', 'service.log'), 'utf8')
  assert.match(log, /domain:create/, 'the search finds what is there')
  for (const secret of [password, 'their-code', ...Object.values(cards)]) assert.ok(!log.includes(secret))
})
