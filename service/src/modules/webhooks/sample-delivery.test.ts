import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type EventType, eventTypes, sampleOf } from '@zonewright/contract'
import { createWebhookHttp } from '#adapters/webhook-http/index.ts'
import { sql } from '#platform/postgres/index.ts'
import { shown, startTestWorld, until } from '#testing/webhooks/test-world.ts'

const world = await startTestWorld(createWebhookHttp)
const { database, clock } = world

const types = Object.keys(eventTypes) as EventType[]
const longAgo = '2000-01-01T00:00:00Z'

for (const type of types)
  test(`a test of ${type} sends its sample only to the tested endpoint, with the test header`, async () => {
    const engine = world.engine()
    const account = await world.account()
    const call = world.api(account)
    const [tested, other] = [await world.endpoint(account, ['zone.created']), await world.endpoint(account)]
    const { status, body } = await call('POST', `/webhooks/${tested.id}/test`, { type })
    assert.deepEqual([status, body.status, body.last_status], [200, 'succeeded', 200])
    const [request] = tested.received()
    assert.deepEqual([request?.verified, request?.event_type], [true, type])
    assert.equal(request?.headers['service-event-test'], 'true')
    const sent = JSON.parse(request?.body ?? '')
    assert.deepEqual([sent.id, sent.type, sent.data], [request?.event_id, type, sampleOf(type)])
    const [row, ...more] = await shown(call, tested)
    assert.deepEqual(more, [])
    assert.deepEqual([row?.id, row?.event_type, row?.test, row?.attempt_count], [body.delivery, type, true, 1])
    // A real event does not have this header, and is the first event that the other endpoint gets.
    await world.publish(account, 'zone.created')
    const [real] = await other.until(1)
    assert.deepEqual([real?.event_type, real?.headers['service-event-test']], ['zone.created', undefined])
    await until(async () => (await shown(call, other))[0]?.status === 'succeeded', 'the real delivery')
    assert.deepEqual(
      (await shown(call, other)).map((delivery) => delivery.test),
      [false],
    )
    await engine.stop()
  })

test('a test without a type is a ping: with no body, with a JSON content type but no body, and with an empty object', async () => {
  const { engine, call, endpoint } = await world.delivering()
  const path = `/webhooks/${endpoint.id}/test`
  for (const [body, headers] of [[], [undefined, { 'content-type': 'application/json' }], [{}]] as const)
    assert.equal((await call('POST', path, body, headers)).body.status, 'succeeded')
  assert.deepEqual(
    endpoint.received().map((request) => [request.event_type, request.headers['service-event-test']]),
    [
      ['ping', 'true'],
      ['ping', 'true'],
      ['ping', 'true'],
    ],
  )
  await engine.stop()
})

test('a test with an invalid event type is rejected, and nothing is sent', async () => {
  const { engine, call, endpoint } = await world.delivering()
  for (const body of [
    { type: 'zone.*' },
    { type: 'zone.renamed' },
    { type: '' },
    { type: 'Ping' },
    { type: 'toString' },
    { type: 7 },
    { type: null },
    { type: ['ping'] },
    { event: 'ping' },
  ])
    assert.equal((await call('POST', `/webhooks/${endpoint.id}/test`, body)).status, 422, JSON.stringify(body))
  assert.deepEqual(await shown(call, endpoint), [])
  await engine.stop()
})

test('a test is only in its endpoint’s deliveries: it is not listed or readable as an event, and recover skips it', async () => {
  const { engine, account, call, endpoint } = await world.delivering()
  endpoint.behave({ status: 503 })
  for (const type of types)
    assert.equal((await call('POST', `/webhooks/${endpoint.id}/test`, { type })).body.status, 'failed')
  await world.publish(account, 'zone.deleted')
  await endpoint.until(types.length + 1)
  const tests = (await shown(call, endpoint)).filter((delivery) => delivery.test)
  assert.equal(tests.length, types.length)
  assert.deepEqual(
    (await call('GET', '/webhooks/events')).body.data.map((event: { type: string }) => event.type),
    ['zone.deleted'],
  )
  for (const { event_id, event_type } of tests) {
    assert.deepEqual((await call('GET', `/webhooks/events/${event_id}`)).status, 404, event_type)
    const listed = (await call('GET', `/webhooks/events?type=${event_type}`)).body.data as { id: string }[]
    assert.ok(!listed.some(({ id }) => id === event_id), event_type)
  }
  assert.deepEqual((await call('POST', `/webhooks/${endpoint.id}/recover`, { since: longAgo })).body, {
    recovered: 0,
    more: false,
  })
  await engine.stop()
})

test('a test is attempted once, however it fails, and each resend of it is attempted once', async () => {
  const { engine, account, call, endpoint } = await world.delivering()
  endpoint.behave({ status: 503 })
  const { body } = await call('POST', `/webhooks/${endpoint.id}/test`, { type: 'order.completed' })
  assert.deepEqual([body.status, body.last_status], ['failed', 503])
  await clock.pass('2 days')
  await world.publish(account)
  await endpoint.until(2)
  const path = `/webhooks/${endpoint.id}/deliveries/${body.delivery}`
  const { status, body: again } = await call('POST', `${path}/redeliver`)
  assert.deepEqual([status, again.test, again.attempt_count], [202, true, 1])
  const [first, , second] = await endpoint.until(3)
  assert.equal(second?.headers['service-event-test'], 'true')
  assert.equal(second?.body, first?.body)
  const ended = async () => (await call('GET', path)).body
  await until(async () => (await ended()).status === 'failed', 'the second failure')
  const delivery = await ended()
  assert.deepEqual([delivery.attempt_count, delivery.attempts.length, delivery.next_attempt_at], [2, 2, null])
  await engine.stop()
})

test('a test of any type is also sent to a disabled endpoint', async () => {
  const { engine, account, call, endpoint } = await world.delivering()
  await sql`update webhook_endpoints set state = 'disabled' where id = ${endpoint.id}`.execute(database.db)
  await world.publish(account, 'order.paid')
  for (const type of ['order.paid', 'zone.records_changed', 'ping'])
    assert.equal((await call('POST', `/webhooks/${endpoint.id}/test`, { type })).body.status, 'succeeded', type)
  const rows = await shown(call, endpoint)
  assert.deepEqual(rows.map((row) => [row.event_type, row.status]).sort(), [
    ['order.paid', 'skipped'],
    ['order.paid', 'succeeded'],
    ['ping', 'succeeded'],
    ['zone.records_changed', 'succeeded'],
  ])
  await engine.stop()
})

test('only the endpoint’s owner can test it', async () => {
  const { engine, endpoint } = await world.delivering()
  const stranger = world.api(await world.account())
  assert.equal((await stranger('POST', `/webhooks/${endpoint.id}/test`, { type: 'order.paid' })).status, 404)
  await engine.stop()
})

test('a ping from before tests were marked still counts as a test', async () => {
  const account = await world.account()
  const endpoint = await world.endpoint(account)
  const call = world.api(account)
  // As the previous version wrote it: with a recipient, and without the mark.
  const { rows } = await sql<{ id: string }>`
    with event as (
      insert into events (event_day, id, type, recipients, endpoint_id, created_at, body, position)
      select (at at time zone 'utc')::date, id, 'ping', array[${account}]::uuid[], ${endpoint.id}, at, event_body(id, 'ping', at, '{}'),
        nextval('event_positions')
      from (select app_now() as at, new_id('evt', app_now()) as id offset 0) made
      returning *
    )
    insert into webhook_deliveries (event_day, id, endpoint_id, event_id, event_type, position, status, finished_at)
    select event_day, new_id('dlv', created_at), ${endpoint.id}, id, type, position, 'failed', created_at from event
    returning event_id as id`.execute(database.db)
  const [row] = await shown(call, endpoint)
  assert.deepEqual([row?.event_id, row?.test], [rows[0]?.id, true])
  assert.deepEqual((await call('GET', '/webhooks/events')).body.data, [])
  assert.equal((await call('GET', `/webhooks/events/${rows[0]?.id}`)).status, 404)
  assert.equal((await call('POST', `/webhooks/${endpoint.id}/recover`, { since: longAgo })).body.recovered, 0)
})
