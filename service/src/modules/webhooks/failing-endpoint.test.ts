import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WireDelivery } from '@zonewright/contract'
import { createWebhookHttp } from '#adapters/webhook-http/index.ts'
import { sql } from '#platform/postgres/index.ts'
import {
  type Call,
  deliveriesOf,
  heldPosts,
  shown,
  startTestWorld,
  type TestEndpoint,
  until,
} from '#testing/webhooks/test-world.ts'

// When the owner of an endpoint is warned, and when the endpoint is disabled, paused and enabled, with a real receiver and a moved database clock.

const world = await startTestWorld(createWebhookHttp)
const { database, clock } = world

type State = { state: string; disabled_at: string | null; disabled_reason: string | null }

async function stateOf(call: Call, { id }: TestEndpoint): Promise<State> {
  const { body } = await call('GET', `/webhooks/${id}`)
  return { state: body.state, disabled_at: body.disabled_at, disabled_reason: body.disabled_reason }
}

async function untilState(call: Call, endpoint: TestEndpoint, state: string): Promise<void> {
  await until(async () => (await stateOf(call, endpoint)).state === state, state)
}

/** Waits until the deliveries have had these numbers of attempts, oldest event first; later deliveries are ignored. */
async function untilAttempts(endpoint: TestEndpoint, ...counts: number[]): Promise<void> {
  await until(async () => {
    const rows = await deliveriesOf(database, endpoint.id)
    return counts.every((count, i) => rows[i]?.requests === count)
  }, `${counts} attempts`)
}

/** Publishes an event, and returns a function that waits for the given number of attempts. */
async function publishOne(account: string, endpoint: TestEndpoint): Promise<(count: number) => Promise<void>> {
  const at = (await deliveriesOf(database, endpoint.id)).length
  await world.publish(account)
  return (count) =>
    until(
      async () => (await deliveriesOf(database, endpoint.id))[at]?.requests === count,
      `attempt ${count} of delivery ${at}`,
    )
}

async function mailsTo(account: string): Promise<string[]> {
  const { rows } = await sql<{ kind: string }>`
    select kind from mails join accounts on email = to_address where accounts.id = ${account} order by mails.queued_at`.execute(
    database.db,
  )
  return rows.map(({ kind }) => kind)
}

async function failingSince(endpoint: TestEndpoint): Promise<Date | null> {
  const { rows } = await sql<{ since: Date | null }>`
    select failing_since as since from webhook_lanes where endpoint_id = ${endpoint.id}`.execute(database.db)
  return rows[0]?.since ?? null
}

async function auditOf(account: string): Promise<string[]> {
  const { rows } = await sql<{ action: string }>`
    select action from audit_log where account_id = ${account} and action like 'webhook.%' order by at`.execute(
    database.db,
  )
  return rows.map(({ action }) => action)
}

async function latestDelivery(call: Call, endpoint: TestEndpoint): Promise<WireDelivery> {
  return (await shown(call, endpoint))[0] as WireDelivery
}

test('an endpoint is disabled when two events have failed 3 days apart, the later one twice, and its account is emailed', async () => {
  const { engine, account, call, endpoint } = await world.delivering()
  endpoint.behave({ status: 500 })
  await world.publish(account)
  await untilAttempts(endpoint, 1)
  await clock.pass('3 days')
  await untilAttempts(endpoint, 2)
  await until(async () => (await mailsTo(account)).join() === 'endpoint_failing', 'the warning')
  await world.publish(account)
  await untilAttempts(endpoint, 2, 1)
  assert.equal((await stateOf(call, endpoint)).state, 'enabled', 'the later event has failed once')
  await clock.pass('61 s')
  await untilState(call, endpoint, 'disabled')
  const { disabled_at: at, disabled_reason: reason } = await stateOf(call, endpoint)
  assert.deepEqual([reason, typeof at], ['Every delivery failed for 3 days.', 'string'])
  assert.ok((await deliveriesOf(database, endpoint.id)).every(({ status }) => status === 'skipped'))
  assert.deepEqual(await mailsTo(account), ['endpoint_failing', 'endpoint_disabled'])
  assert.deepEqual(await auditOf(account), ['webhook.created', 'webhook.disabled'])
  await engine.stop()
})

for (const [what, fail] of Object.entries({
  'a test': async (call: Call, endpoint: TestEndpoint) => {
    const { body } = await call('POST', `/webhooks/${endpoint.id}/test`)
    assert.equal(body.status, 'failed')
  },
  'a sample': async (call: Call, endpoint: TestEndpoint) => {
    const { body } = await call('POST', `/webhooks/${endpoint.id}/test`, { type: 'zone.created' })
    assert.equal(body.status, 'failed')
  },
  'a resend': async (call: Call, endpoint: TestEndpoint, account: string) => {
    endpoint.behave({ status: 200 })
    await world.publish(account)
    await until(async () => (await latestDelivery(call, endpoint))?.status === 'succeeded', 'the delivery')
    endpoint.behave({ status: 500 })
    const { id } = await latestDelivery(call, endpoint)
    await call('POST', `/webhooks/${endpoint.id}/deliveries/${id}/redeliver`)
    await until(async () => (await latestDelivery(call, endpoint)).status === 'failed', 'the resend')
  },
}))
  test(`${what} that failed days ago starts no failing time: no one is warned, and the endpoint stays enabled`, async () => {
    const { engine, account, call, endpoint } = await world.delivering()
    endpoint.behave({ status: 500 })
    await fail(call, endpoint, account)
    assert.equal(await failingSince(endpoint), null)
    await clock.pass('4 days')
    const attempt = await publishOne(account, endpoint)
    await attempt(1)
    await clock.pass('61 s')
    await attempt(2)
    await fail(call, endpoint, account)
    assert.equal((await stateOf(call, endpoint)).state, 'enabled')
    assert.deepEqual(await mailsTo(account), [])
    await engine.stop()
  })

test('tests and resends that fail after 3 days neither disable the endpoint nor warn its account', async () => {
  const { engine, account, call, endpoint } = await world.delivering()
  endpoint.behave({ status: 500 })
  await world.publish(account)
  await untilAttempts(endpoint, 1)
  await world.publish(account)
  await untilAttempts(endpoint, 1, 1)
  // No retry comes due in between.
  await sql`update webhook_queue set retry_at = app_now() + interval '10 days' where endpoint_id = ${endpoint.id}`.execute(
    database.db,
  )
  const since = await failingSince(endpoint)
  await clock.pass('4 days')
  for (const type of ['ping', 'order.paid'])
    assert.equal((await call('POST', `/webhooks/${endpoint.id}/test`, { type })).body.status, 'failed')
  const real = (await shown(call, endpoint)).filter((delivery) => !delivery.test)
  for (const { id } of real) await call('POST', `/webhooks/${endpoint.id}/deliveries/${id}/redeliver`)
  await until(
    async () => (await deliveriesOf(database, endpoint.id)).filter(({ requests }) => requests === 2).length === 2,
    'the resends',
  )
  assert.equal((await stateOf(call, endpoint)).state, 'enabled')
  assert.deepEqual(await failingSince(endpoint), since, 'it is neither longer nor shorter')
  assert.deepEqual(await mailsTo(account), [])
  await engine.stop()
})

for (const [what, succeed] of Object.entries({
  'a test': async (call: Call, endpoint: TestEndpoint) => {
    assert.equal((await call('POST', `/webhooks/${endpoint.id}/test`)).body.status, 'succeeded')
  },
  'a resend': async (call: Call, endpoint: TestEndpoint) => {
    const { id } = await latestDelivery(call, endpoint)
    await call('POST', `/webhooks/${endpoint.id}/deliveries/${id}/redeliver`)
    await until(async () => (await latestDelivery(call, endpoint)).status === 'succeeded', 'the resend')
  },
  'an event': async (call: Call, endpoint: TestEndpoint, account: string) => {
    await world.publish(account)
    await until(async () => (await latestDelivery(call, endpoint)).status === 'succeeded', 'the delivery')
  },
}))
  test(`${what} that succeeds ends the failing time`, async () => {
    const { engine, account, call, endpoint } = await world.delivering()
    endpoint.behave({ status: 500 })
    await world.publish(account)
    await untilAttempts(endpoint, 1)
    assert.notEqual(await failingSince(endpoint), null)
    endpoint.behave({})
    await succeed(call, endpoint, account)
    assert.equal(await failingSince(endpoint), null)
    endpoint.behave({ status: 500 })
    await clock.pass('4 days')
    const attempt = await publishOne(account, endpoint)
    await attempt(1)
    await clock.pass('61 s')
    await attempt(2)
    assert.equal((await stateOf(call, endpoint)).state, 'enabled')
    await engine.stop()
  })

test('the account is warned once in a failing time, and again in the next one', async () => {
  const { engine, account, endpoint } = await world.delivering()
  const warnings = async () => (await mailsTo(account)).filter((kind) => kind === 'endpoint_failing').length
  const failForADay = async () => {
    endpoint.behave({ status: 500 })
    const attempt = await publishOne(account, endpoint)
    await attempt(1)
    const before = await warnings()
    await clock.pass('23 hours 58 minutes')
    await attempt(2)
    assert.equal(await warnings(), before)
    await clock.pass('6 minutes')
    await attempt(3)
    return attempt
  }
  const attempt = await failForADay()
  await until(async () => (await warnings()) === 1, 'the warning')
  await clock.pass('1 hour')
  await attempt(4)
  endpoint.behave({})
  await clock.pass('3 hours')
  await until(async () => (await failingSince(endpoint)) === null, 'a success')
  assert.equal(await warnings(), 1)
  await failForADay()
  await until(async () => (await warnings()) === 2, 'the second warning')
  await engine.stop()
})

test('a paused endpoint gets nothing and shows the reason, and no one is emailed', async () => {
  const { engine, account, call, endpoint } = await world.delivering()
  endpoint.behave({ status: 500 })
  await world.publish(account)
  await untilAttempts(endpoint, 1)
  const { status, body } = await call('PATCH', `/webhooks/${endpoint.id}`, { state: 'disabled', description: 'Moving' })
  assert.deepEqual([status, body.state, body.disabled_reason, body.description], [200, 'disabled', 'paused', 'Moving'])
  assert.ok(Date.parse(body.disabled_at) > 0)
  await world.publish(account)
  await until(async () => (await deliveriesOf(database, endpoint.id)).length === 2, 'the second delivery')
  assert.ok((await deliveriesOf(database, endpoint.id)).every(({ status }) => status === 'skipped'))
  await clock.pass('2 minutes')
  endpoint.behave({})
  assert.equal((await call('POST', `/webhooks/${endpoint.id}/test`)).body.status, 'succeeded', 'a test still goes')
  assert.equal(endpoint.received().length, 2, 'no retry came before it')
  const again = await call('PATCH', `/webhooks/${endpoint.id}`, { state: 'disabled' })
  assert.equal(again.body.disabled_at, body.disabled_at, 'pausing it again changes nothing')
  assert.deepEqual(await mailsTo(account), [])
  assert.deepEqual((await auditOf(account)).sort(), ['webhook.changed', 'webhook.created', 'webhook.paused'])
  await engine.stop()
})

test('enabling an endpoint clears its failing time and sends nothing automatically; recover sends what it missed', async () => {
  const { engine, account, call, endpoint } = await world.delivering()
  endpoint.behave({ status: 500 })
  await world.publish(account)
  await untilAttempts(endpoint, 1)
  const { body: paused } = await call('PATCH', `/webhooks/${endpoint.id}`, { state: 'disabled' })
  await clock.pass('1 minute')
  await world.publish(account, 'zone.created')
  await until(async () => (await deliveriesOf(database, endpoint.id)).length === 2, 'the second delivery')
  endpoint.behave({})
  const { body: on } = await call('PATCH', `/webhooks/${endpoint.id}`, { state: 'enabled' })
  assert.deepEqual([on.state, on.disabled_at, on.disabled_reason], ['enabled', null, null])
  assert.equal(await failingSince(endpoint), null)
  await clock.pass('3 days')
  await world.publish(account, 'zone.deleted')
  const [, third] = await endpoint.until(2)
  assert.equal(third?.event_type, 'zone.deleted', 'what was skipped is not sent')
  const { body } = await call('POST', `/webhooks/${endpoint.id}/recover`, { since: paused.disabled_at })
  assert.equal(body.recovered, 1)
  const requests = await endpoint.until(3)
  assert.equal(requests[2]?.event_type, 'zone.created', 'what happened from disabled_at on')
  assert.deepEqual(await auditOf(account), [
    'webhook.created',
    'webhook.paused',
    'webhook.enabled',
    'webhook.recovered',
  ])
  await engine.stop()
})

test('deliveries that a dead worker has not skipped are not sent when the endpoint is enabled', async () => {
  const { engine, account, call, endpoint } = await world.delivering()
  endpoint.behave({ status: 500 })
  await world.publish(account)
  await untilAttempts(endpoint, 1)
  await sql`update webhook_endpoints set state = 'disabled', disabled_at = app_now() where id = ${endpoint.id}`.execute(
    database.db,
  )
  await call('PATCH', `/webhooks/${endpoint.id}`, { state: 'enabled' })
  await clock.pass('2 minutes')
  await world.publish(account)
  await endpoint.until(2)
  const [left, fresh] = await deliveriesOf(database, endpoint.id)
  assert.deepEqual([left?.status, left?.requests], ['skipped', 1])
  assert.notEqual(fresh?.status, 'skipped')
  await engine.stop()
})

test('an attempt in progress while its endpoint is paused is recorded; if it fails, its delivery stays skipped', async () => {
  const account = await world.account()
  const [call, endpoint] = [world.api(account), await world.endpoint(account)]
  const slow = heldPosts(world.http)
  const engine = world.engine({ http: slow.http })
  endpoint.behave({ status: 500 })
  await world.publish(account)
  await slow.underWay
  await call('PATCH', `/webhooks/${endpoint.id}`, { state: 'disabled' })
  slow.letGo()
  await untilAttempts(endpoint, 1)
  assert.equal((await deliveriesOf(database, endpoint.id))[0]?.status, 'skipped')
  assert.equal((await stateOf(call, endpoint)).disabled_reason, 'paused')
  await engine.stop()
})

test('pausing an endpoint skips all its pending deliveries, however many there are', async () => {
  const account = await world.account()
  const [call, endpoint] = [world.api(account), await world.endpoint(account)]
  const count = 2_050
  await sql`
    with made as (
      insert into webhook_deliveries (event_day, id, endpoint_id, event_id, event_type, position, status)
      select (app_now() at time zone 'utc')::date, new_id('dlv', app_now()), ${endpoint.id}, new_id('evt', app_now()), 'zone.created', n, 'pending'
      from generate_series(1, ${count}::int) n
      returning *
    )
    insert into webhook_queue (endpoint_id, position, event_day, delivery_id, event_id, event_type)
    select endpoint_id, position, event_day, id, event_id, event_type from made`.execute(database.db)
  const { status, body } = await call('PATCH', `/webhooks/${endpoint.id}`, { state: 'disabled' })
  assert.deepEqual([status, body.state], [200, 'disabled'], JSON.stringify(body))
  const { rows } = await sql<{ skipped: number; waiting: number }>`
    select (select count(*)::int from webhook_deliveries where endpoint_id = ${endpoint.id} and status = 'skipped') as skipped,
      (select count(*)::int from webhook_queue where endpoint_id = ${endpoint.id}) as waiting`.execute(database.db)
  assert.deepEqual(rows, [{ skipped: count, waiting: 0 }])
})

test('pausing an endpoint that the service disabled keeps the reason', async () => {
  const account = await world.account()
  const [call, endpoint] = [world.api(account), await world.endpoint(account)]
  await sql`
    update webhook_endpoints set state = 'disabled', disabled_at = app_now(), disabled_reason = 'Every delivery failed for 3 days.'
    where id = ${endpoint.id}`.execute(database.db)
  const before = await stateOf(call, endpoint)
  await call('PATCH', `/webhooks/${endpoint.id}`, { state: 'disabled' })
  assert.deepEqual(await stateOf(call, endpoint), before)
})

test('an account cannot pause another account’s endpoint', async () => {
  const account = await world.account()
  const [call, endpoint] = [world.api(account), await world.endpoint(account)]
  const stranger = world.api(await world.account())
  assert.equal((await stranger('PATCH', `/webhooks/${endpoint.id}`, { state: 'disabled' })).status, 404)
  assert.equal((await stateOf(call, endpoint)).state, 'enabled')
})

test('the list, the single delivery and the outcome of a test show why an attempt failed; a success clears it', async () => {
  const { engine, account, call, endpoint } = await world.delivering()
  const sentence = 'The receiver answered with status 503 (Service Unavailable).'
  endpoint.behave({ status: 503 })
  await world.publish(account)
  await untilAttempts(endpoint, 1)
  const path = `/webhooks/${endpoint.id}/deliveries`
  const [row] = (await call('GET', path)).body.data
  assert.deepEqual([row.failure, row.failure_detail, row.last_status], ['status', sentence, 503])
  const { body: single } = await call('GET', `${path}/${row.id}`)
  assert.deepEqual([single.failure, single.failure_detail], ['status', sentence])
  assert.deepEqual(
    single.attempts.map(({ failure, failure_detail, resent }: Record<string, unknown>) => [
      failure,
      failure_detail,
      resent,
    ]),
    [['status', sentence, false]],
  )
  endpoint.behave({ redirect: 'https://other.example.org/', times: 1 })
  const { body: tested } = await call('POST', `/webhooks/${endpoint.id}/test`)
  assert.deepEqual(
    [tested.status, tested.failure, tested.failure_detail],
    [
      'failed',
      'redirect',
      'The receiver answered with status 302 (Found), a redirect to https://other.example.org/; redirects are not followed.',
    ],
  )
  endpoint.behave({})
  await clock.pass('61 s')
  await untilAttempts(endpoint, 2)
  const { body: after } = await call('GET', `${path}/${row.id}`)
  assert.deepEqual([after.status, after.failure, after.failure_detail], ['succeeded', null, null])
  assert.deepEqual(
    after.attempts.map((attempt: { failure_detail: string | null }) => attempt.failure_detail),
    [sentence, null],
  )
  await engine.stop()
})

test('an attempt whose request was sent twice because its reused connection broke is marked as resent', async () => {
  const { engine, account, call, endpoint } = await world.delivering()
  await world.publish(account)
  await untilAttempts(endpoint, 1)
  endpoint.behave({ reset: true, times: 1 })
  await world.publish(account)
  await untilAttempts(endpoint, 1, 1)
  assert.equal(endpoint.received().length, 3)
  const deliveries = await shown(call, endpoint)
  const resent = async (eventId: string | null | undefined) => {
    const { id } = deliveries.find((delivery) => delivery.event_id === eventId) ?? {}
    const { body } = await call('GET', `/webhooks/${endpoint.id}/deliveries/${id}`)
    return body.attempts.map((attempt: { resent: boolean; failure: string | null }) => [
      attempt.resent,
      attempt.failure,
    ])
  }
  const [first, second] = endpoint.received()
  assert.deepEqual(await resent(first?.event_id), [[false, null]])
  assert.deepEqual(await resent(second?.event_id), [[true, null]])
  await engine.stop()
})
