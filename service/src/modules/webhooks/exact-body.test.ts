import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { createWebhookHttp } from '#adapters/webhook-http/index.ts'
import { sql } from '#platform/postgres/index.ts'
import { type Call, startTestWorld, until } from '#testing/webhooks/test-world.ts'

const world = await startTestWorld(createWebhookHttp)
const { database, clock } = world

const zoneId = '6f0e8c1a-7b1d-4b7e-9d0a-0123456789ab'
const orderId = `ord_${'ab'.repeat(16)}`

/** Events whose bodies are hard to reproduce byte for byte, or whose names are hard to find in them. */
const events: readonly { what: string; type: 'zone.created' | 'order.paid'; data: object; named: object }[] = [
  {
    what: 'a zone',
    type: 'zone.created',
    data: { zone: { id: zoneId, name: 'example.com' } },
    named: { zone: { id: zoneId, name: 'example.com' }, order: null },
  },
  {
    what: 'escapes in the name',
    type: 'zone.created',
    data: { zone: { id: zoneId, name: 'a\\032b\\"c\\\\.example.com' } },
    named: { zone: { id: zoneId, name: 'a\\032b\\"c\\\\.example.com' }, order: null },
  },
  {
    what: 'other scripts, emoji, and a lone surrogate',
    type: 'zone.created',
    data: {
      zone: { id: zoneId, name: 'bücher.example' },
      note: 'naïve 日本語 🦊 \u2028\u2029 \ud800 \u0007 </script>',
    },
    named: { zone: { id: zoneId, name: 'bücher.example' }, order: null },
  },
  {
    what: 'numbers and members that a parser would print otherwise',
    type: 'zone.created',
    data: { zone: { id: zoneId, name: 'n.example' }, b: 1e21, a: { 10: -0.1, 9: 'y' } },
    named: { zone: { id: zoneId, name: 'n.example' }, order: null },
  },
  {
    what: 'a name of a thousand characters, and a megabyte behind it',
    type: 'zone.created',
    data: { zone: { id: zoneId, name: '\\000'.repeat(251) }, changes: Array(20_000).fill('"v=spf1 \\"x\\" ~all"') },
    named: { zone: { id: zoneId, name: '\\000'.repeat(251) }, order: null },
  },
  {
    what: 'an order',
    type: 'order.paid',
    data: {
      order: { id: orderId, kind: 'renew', name: 'shop.example', years: 2, last_error: '"zone":{"id":"x","name":"y"}' },
    },
    named: { zone: null, order: { id: orderId, name: 'shop.example' } },
  },
  {
    what: 'neither',
    type: 'order.paid',
    data: { other: { zone: { id: 'a', name: 'b' } } },
    named: { zone: null, order: null },
  },
  { what: 'nothing', type: 'zone.created', data: {}, named: { zone: null, order: null } },
]

for (const { what, type, data, named } of events)
  test(`the body of a delivery and its event is byte for byte what was sent, and its row names the zone or order: ${what}`, async () => {
    const { engine, account, call, endpoint } = await world.delivering()
    await world.publish(account, type, data)
    const [request] = await endpoint.until(1)
    const path = `/webhooks/${endpoint.id}/deliveries`
    await until(async () => (await call('GET', path)).body.data[0]?.status === 'succeeded', 'the delivery')
    const [row] = (await call('GET', path)).body.data
    assert.deepEqual({ zone: row.zone, order: row.order }, named)
    assert.deepEqual([row.test, row.attempts, row.attempt_count], [false, 1, 1])
    const { body: delivery } = await call('GET', `${path}/${row.id}`)
    assert.equal(delivery.body, request?.body)
    assert.deepEqual([delivery.attempts.length, delivery.attempt_count], [1, 1])
    assert.deepEqual({ ...delivery, attempts: 1, body: undefined }, { ...row, body: undefined })
    const { body: event } = await call('GET', `/webhooks/events/${row.event_id}`)
    assert.equal(event.body, request?.body)
    assert.deepEqual(event, { ...JSON.parse(request?.body ?? ''), body: request?.body })
    // Verifies the body as a receiver does.
    const sent: string = delivery.attempts[0].request_headers['Service-Signature']
    const [, t, v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(sent) ?? []
    assert.equal(createHmac('sha256', endpoint.secret).update(`${t}.${delivery.body}`).digest('hex'), v1)
    await engine.stop()
  })

test('the body of a pending delivery is available before it is sent', async () => {
  const account = await world.account()
  const endpoint = await world.endpoint(account)
  const call = world.api(account)
  await world.publish(account, 'zone.created', { zone: { id: zoneId, name: 'example.com' } })
  await world.fanOut(endpoint, 1)
  const [row] = (await call('GET', `/webhooks/${endpoint.id}/deliveries`)).body.data
  assert.deepEqual([row.status, row.attempts, row.attempt_count], ['pending', 0, 0])
  const { body: delivery } = await call('GET', `/webhooks/${endpoint.id}/deliveries/${row.id}`)
  assert.deepEqual([delivery.attempts, delivery.attempt_count], [[], 0])
  const engine = world.engine()
  assert.equal((await endpoint.until(1))[0]?.body, delivery.body)
  await engine.stop()
})

test('the list and the single delivery report the same number of attempts, including resends', async () => {
  const { engine, account, call, endpoint } = await world.delivering()
  endpoint.behave({ status: 500 })
  await world.publish(account)
  const path = `/webhooks/${endpoint.id}/deliveries`
  for (let count = 1; count <= 4; count += 1) {
    await until(async () => (await call('GET', path)).body.data[0]?.attempt_count === count, `attempt ${count}`)
    const [row] = (await call('GET', path)).body.data
    const { body } = await call('GET', `${path}/${row.id}`)
    assert.deepEqual([row.attempts, body.attempt_count, body.attempts.length], [count, count, count])
    await call('POST', `${path}/${row.id}/redeliver`)
  }
  await engine.stop()
})

test('a delivery whose event is gone has a null body', async () => {
  const account = await world.account()
  const { id } = await world.endpoint(account)
  await sql`
    insert into webhook_deliveries (event_day, id, endpoint_id, event_id, event_type, position, status, finished_at)
    values ((app_now() at time zone 'utc')::date, new_id('dlv', app_now()), ${id}, new_id('evt', app_now()), 'zone.created', 1, 'failed', app_now())`.execute(
    database.db,
  )
  const call = world.api(account)
  const [row] = (await call('GET', `/webhooks/${id}/deliveries`)).body.data
  assert.deepEqual([row.zone, row.order, row.test], [null, null, false])
  assert.equal((await call('GET', `/webhooks/${id}/deliveries/${row.id}`)).body.body, null)
})

test('only its recipients can read an event, for 30 days', async () => {
  const engine = world.engine()
  const [owner, manager, stranger] = [await world.account(), await world.account(), await world.account()]
  await world.publish([owner, manager], 'zone.created', { zone: { id: zoneId, name: 'example.com' } })
  const listed = async (call: Call) => (await call('GET', '/webhooks/events')).body.data
  await until(async () => (await listed(world.api(owner))).length === 1, 'the event')
  const [{ id }] = await listed(world.api(owner))
  const statusFor = async (account: string, event: string) =>
    (await world.api(account)('GET', `/api/v1/webhooks/events/${event}`)).status
  assert.deepEqual(
    [await statusFor(owner, id), await statusFor(manager, id), await statusFor(stranger, id)],
    [200, 200, 404],
  )
  for (const unknown of ['evt_', 'x', `evt_${'0'.repeat(32)}`, `evt_${'f'.repeat(32)}`, id.toUpperCase(), `${id}0`])
    assert.equal(await statusFor(owner, unknown), 404, unknown)
  await engine.stop()
  await clock.pass('31 days')
  assert.equal(await statusFor(owner, id), 404)
})
