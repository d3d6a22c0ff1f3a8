import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWebhookHttp } from '#adapters/webhook-http/index.ts'
import { sql } from '#platform/postgres/index.ts'
import { BodyBudget } from '#platform/work/body-budget.ts'
import type { WebhookHttp } from '#ports/webhook-http.ts'
import { asAnotherProcess } from '#testing/platform/test-database.ts'
import { untilBlocked } from '#testing/until-blocked.ts'
import { deliveriesOf, heldPosts, startTestWorld, until } from '#testing/webhooks/test-world.ts'

const world = await startTestWorld(createWebhookHttp)
const { database, clock } = world
const elsewhere = asAnotherProcess(database.url)

test('a signed event is delivered within moments of its commit', async () => {
  const { engine, account, endpoint } = await world.delivering()
  await world.publish(account)
  const [request] = await endpoint.until(1)
  assert.equal(request?.verified, true)
  assert.equal(request.event_type, 'zone.delegation_changed')
  assert.equal(request.headers['content-type'], 'application/json')
  assert.equal(request.headers['user-agent'], 'Service-Webhooks/1 (+https://zonewright.test)')
  assert.equal(request.event_id, (JSON.parse(request.body) as { id: string }).id)
  await until(async () => (await deliveriesOf(database, endpoint.id))[0]?.status === 'succeeded', 'the record')
  const { rows } = await sql`select number, manual, status, failure, response_body from webhook_attempts`.execute(
    database.db,
  )
  assert.deepEqual(rows, [{ number: 1, manual: false, status: 200, failure: null, response_body: 'verified\n' }])
  await engine.stop()
})

test('zero bytes in a response, which PostgreSQL cannot store, are stored as replacement characters', async () => {
  const http: WebhookHttp = {
    refusal: async () => null,
    close: async () => undefined,
    post: async () => ({
      status: 200,
      failure: null,
      failureDetail: null,
      resent: false,
      headers: {},
      body: '\0zero\0bytes',
    }),
  }
  const engine = world.engine({ http })
  const account = await world.account()
  const endpoint = await world.endpoint(account)
  await world.publish(account)
  await until(async () => (await deliveriesOf(database, endpoint.id))[0]?.status === 'succeeded', 'the record')
  const { rows } = await sql`select response_body from webhook_attempts where response_body like '%zero%'`.execute(
    database.db,
  )
  assert.deepEqual(rows, [{ response_body: '\uFFFDzero\uFFFDbytes' }])
  await engine.stop()
})

test('an endpoint gets its events one at a time, oldest first', async () => {
  const engines = [world.engine(), world.engine()]
  const account = await world.account()
  const endpoint = await world.endpoint(account)
  endpoint.behave({ delayMs: 3 })
  for (let i = 0; i < 60; i += 1) await world.publish(account)
  const requests = await endpoint.until(60)
  const ids = requests.map((request) => request.event_id)
  assert.equal(new Set(ids).size, 60)
  const { rows } = await sql<{ id: string }>`
    select id from events where recipients = array[${account}::uuid] order by position`.execute(database.db)
  assert.deepEqual(
    ids,
    rows.map((row) => row.id),
  )
  await Promise.all(engines.map((engine) => engine.stop()))
})

test('an endpoint gets the events that it subscribes to: all, types or groups', async () => {
  const engine = world.engine()
  const account = await world.account()
  const [all, typed, grouped] = [
    await world.endpoint(account),
    await world.endpoint(account, ['zone.deleted', 'order.paid']),
    await world.endpoint(account, ['order.*']),
  ]
  const types = ['zone.deleted', 'order.paid', 'order.failed', 'zone.delegation_changed'] as const
  for (const type of types) await world.publish(account, type)
  await all.until(4)
  await typed.until(2)
  await grouped.until(2)
  assert.deepEqual(
    all.received().map((request) => request.event_type),
    types,
  )
  assert.deepEqual(
    typed.received().map((request) => request.event_type),
    ['zone.deleted', 'order.paid'],
  )
  assert.deepEqual(
    grouped.received().map((request) => request.event_type),
    ['order.paid', 'order.failed'],
  )
  await engine.stop()
})

test('a delivery fails after eight attempts, retried after 1, 5 and 30 minutes, then 2, 5, 10 and 24 hours', async () => {
  const { engine, account, endpoint } = await world.delivering()
  endpoint.behave({ status: 500 })
  await world.publish(account)
  const waits = [60, 300, 1_800, 7_200, 18_000, 36_000, 86_400]
  for (const [i, wait] of waits.entries()) {
    await until(async () => (await deliveriesOf(database, endpoint.id))[0]?.attempts === i + 1, `attempt ${i + 1}`)
    const [delivery] = await deliveriesOf(database, endpoint.id)
    assert.equal(delivery?.status, 'pending')
    assert.ok(Math.abs((delivery.retry_in ?? 0) - wait) < 3, `${delivery.retry_in} s instead of ${wait} s`)
    await clock.pass(`${wait - 4} s`)
    assert.equal(endpoint.received().length, i + 1, 'nothing comes early')
    await clock.pass('4 s')
  }
  await until(async () => (await deliveriesOf(database, endpoint.id))[0]?.status === 'failed', 'the end of the series')
  assert.deepEqual(await deliveriesOf(database, endpoint.id), [
    { status: 'failed', last_status: 500, attempts: 8, requests: 8, retry_in: null },
  ])
  const signatures = endpoint.received().map((request) => request.headers['service-signature'])
  assert.equal(new Set(signatures).size, 8, 'each attempt is signed anew')
  assert.ok(endpoint.received().every((request) => request.verified))
  await engine.stop()
})

test('a delivery that waits for its retry does not delay newer ones', async () => {
  const { engine, account, endpoint } = await world.delivering()
  endpoint.behave({ status: 503, times: 1 })
  for (let i = 0; i < 3; i += 1) await world.publish(account)
  await endpoint.until(3)
  await until(
    async () => (await deliveriesOf(database, endpoint.id)).filter((one) => one.status === 'succeeded').length === 2,
    'two',
  )
  await clock.pass('61 s')
  const requests = await endpoint.until(4)
  assert.equal(requests[3]?.event_id, requests[0]?.event_id)
  assert.equal(requests[3]?.status, 200)
  await engine.stop()
})

test('retries that are due are sent before deliveries that were never attempted', async () => {
  const account = await world.account()
  const endpoint = await world.endpoint(account)
  const first = world.engine()
  endpoint.behave({ status: 503, times: 2 })
  await world.publish(account)
  await world.publish(account)
  await until(
    async () => (await deliveriesOf(database, endpoint.id)).filter((one) => one.attempts === 1).length === 2,
    'two failures',
  )
  await first.stop()
  await clock.pass('61 s')
  await world.publish(account)
  const second = world.engine()
  const requests = await endpoint.until(5)
  const [a, b] = requests
  assert.deepEqual(
    requests
      .slice(2)
      .map((request) => request.event_id)
      .slice(0, 2),
    [a?.event_id, b?.event_id],
  )
  await second.stop()
})

test('a redirect counts as a failure and is not followed', async () => {
  const engine = world.engine()
  const account = await world.account()
  const [endpoint, elsewhere] = [await world.endpoint(account), await world.endpoint(await world.account())]
  endpoint.behave({ redirect: `https://${world.receiver.httpsAddress}/hooks/elsewhere` })
  await world.publish(account)
  await until(async () => (await deliveriesOf(database, endpoint.id))[0]?.attempts === 1, 'the attempt')
  const { rows } =
    await sql`select a.status, failure from webhook_attempts a join webhook_deliveries d on d.id = a.delivery_id
    where endpoint_id = ${endpoint.id}`.execute(database.db)
  assert.deepEqual(rows, [{ status: 302, failure: 'redirect' }])
  assert.equal(elsewhere.received().length, 0)
  await engine.stop()
})

test('after the lease of a killed worker ends, another worker claims its lane and makes the delivery', async (t) => {
  const account = await world.account()
  const endpoint = await world.endpoint(account)
  await world.publish(account)
  // A worker that posts but never records the attempt, as after kill -9.
  const posted = Promise.withResolvers<void>()
  const late = Promise.withResolvers<void>()
  t.after(() => late.resolve())
  const killed: WebhookHttp = {
    ...asPort(world.http),
    post: async (request) => {
      const answer = await world.http.post(request)
      posted.resolve()
      await late.promise
      return answer
    },
  }
  const dead = world.engine({ http: killed })
  await posted.promise
  const stopped = dead.stop() // claims nothing more
  const alive = world.engine()
  await world.publish(account)
  assert.equal(endpoint.received().length, 1, 'the lane is leased')
  await clock.pass('31 s')
  const requests = await endpoint.until(3)
  assert.equal(requests[1]?.event_id, requests[0]?.event_id)
  assert.equal(requests[1]?.repeated, true)
  assert.notEqual(requests[2]?.event_id, requests[0]?.event_id)
  await until(
    async () => (await deliveriesOf(database, endpoint.id)).every((one) => one.status === 'succeeded'),
    'both recorded',
  )
  // The worker was only slow: it has lost the lease, but still records its attempt.
  late.resolve()
  await until(async () => (await deliveriesOf(database, endpoint.id))[0]?.requests === 2, 'the late attempt')
  await Promise.all([stopped, alive.stop()])
})

test('a worker that lost its lease records its failure, but leaves the schedule to the new holder', async (t) => {
  const account = await world.account()
  const endpoint = await world.endpoint(account)
  await world.publish(account)
  const posted = Promise.withResolvers<void>()
  const late = Promise.withResolvers<void>()
  t.after(() => late.resolve())
  const slow: WebhookHttp = {
    ...asPort(world.http),
    post: async () => {
      posted.resolve()
      await late.promise
      return {
        status: null,
        failure: 'timeout',
        failureDetail: 'The receiver did not answer within 10 seconds.',
        resent: false,
        headers: null,
        body: null,
      }
    },
  }
  const fenced = world.engine({ http: slow })
  await posted.promise
  const stopped = fenced.stop() // claims nothing more
  endpoint.behave({ status: 500, times: 1 })
  await clock.pass('31 s')
  const holder = world.engine()
  await until(async () => (await deliveriesOf(database, endpoint.id))[0]?.attempts === 1, 'the attempt of the holder')
  late.resolve()
  await until(async () => (await deliveriesOf(database, endpoint.id))[0]?.requests === 2, 'the late attempt')
  const [delivery] = await deliveriesOf(database, endpoint.id)
  assert.equal(delivery?.attempts, 1)
  assert.ok(delivery.retry_in !== null && delivery.retry_in > 50 && delivery.retry_in <= 60)
  await Promise.all([stopped, holder.stop()])
})

test('no wake-up is lost: an event that arrives while a lane is being finished is delivered without a sweep', async () => {
  // Its sweeps find nothing, so a delivery that is left to them would never arrive.
  const engine = world.engine({ database: { ...database, pollFor: () => async () => false } })
  const account = await world.account()
  const endpoint = await world.endpoint(account)
  for (let i = 1; i <= 100; i += 1) {
    await world.publish(account)
    await endpoint.until(i)
  }
  await engine.stop()
})

test('failing endpoints never delay a healthy one, however many of them hang', async () => {
  const failing = await Promise.all(Array.from({ length: 30 }, async () => world.endpoint(await world.account())))
  const account = await world.account()
  const healthy = await world.endpoint(account)
  const owners = await sql<{ id: string }>`
    select account_id as id from webhook_endpoints where id = any(${failing.map(({ id }) => id)})`.execute(database.db)
  // They have failed before, and their receivers now hang.
  await sql`update webhook_lanes set struggling = true where endpoint_id = any(${failing.map(({ id }) => id)})`.execute(
    database.db,
  )
  for (const endpoint of failing) endpoint.behave({ hang: true })
  const asked = () => failing.reduce((sum, endpoint) => sum + endpoint.received().length, 0)
  const engine = world.engine({ laneLimits: { healthy: 1, struggling: 2 } })
  for (const { id } of owners.rows) await world.publish(id)
  await until(() => asked() === 2, 'their share of the slots to be taken')
  for (let i = 1; i <= 10; i += 1) {
    await world.publish(account)
    await healthy.until(i)
  }
  assert.equal(asked(), 2, 'all ten while the same two hung')
  for (const endpoint of failing) endpoint.behave({}) // they do not matter to later tests
  await engine.stop()
})

const large = { fill: 'x'.repeat(100_000) }

test('large events are sent concurrently only while they fit into the memory budget, and all arrive', async () => {
  const accounts = await Promise.all(Array.from({ length: 5 }, world.account))
  const endpoints = await Promise.all(accounts.map((account) => world.endpoint(account)))
  for (const endpoint of endpoints) endpoint.behave({ delayMs: 100 })
  const onTheWay = { bytes: 0, most: 0 }
  const http: WebhookHttp = {
    ...asPort(world.http),
    post: async (request) => {
      onTheWay.bytes += request.body.byteLength
      onTheWay.most = Math.max(onTheWay.most, onTheWay.bytes)
      return await world.http.post(request).finally(() => {
        onTheWay.bytes -= request.body.byteLength
      })
    },
  }
  await world.publish(accounts, 'zone.deleted', large)
  const engine = world.engine({ http, bodyBudget: new BodyBudget({ bytes: 250_000, waitMs: 10_000 }) })
  for (const endpoint of endpoints) assert.equal((await endpoint.until(1))[0]?.verified, true)
  assert.ok(onTheWay.most > 200_000 && onTheWay.most <= 250_000, `${onTheWay.most} bytes`)
  await engine.stop()
})

test('a large event that gets no memory in time returns to its lane, and is sent once there is memory', async () => {
  const [first, second] = [await world.account(), await world.account()]
  const [, waiting] = [await world.endpoint(first), await world.endpoint(second)]
  const full = heldPosts(world.http)
  const engine = world.engine({ http: full.http, bodyBudget: new BodyBudget({ bytes: 1, waitMs: 20 }) })
  await world.publish(first, 'zone.deleted', large)
  await full.underWay
  await world.publish(second, 'zone.deleted', large)
  const leases = new Set<string>()
  await until(async () => {
    const { rows } = await sql<{ lease: string }>`
      select lease from webhook_lanes where endpoint_id = ${waiting.id} and lease is not null`.execute(database.db)
    for (const { lease } of rows) leases.add(lease)
    return leases.size >= 3
  }, 'its lane to be claimed again and again')
  full.letGo()
  await waiting.until(1)
  await engine.stop()
})

test('an event without a wake-up is delivered by the sweeps', async () => {
  const account = await world.account()
  const endpoint = await world.endpoint(account)
  const engine = world.engine()
  await world.publish(account)
  await endpoint.until(1)
  // Like a process that died right after its commit: no one is notified.
  await sql`
    insert into event_outbox (type, recipients, data, id, created_at)
    select 'zone.deleted', array[${account}::uuid], '{}', new_id('evt', app_now()), app_now()`.execute(database.db)
  assert.equal((await endpoint.until(2))[1]?.event_type, 'zone.deleted')
  await engine.stop()
})

test('deliveries of a disabled endpoint are skipped, and nothing is sent', async () => {
  const { engine, account, endpoint } = await world.delivering()
  await sql`update webhook_endpoints set state = 'disabled', disabled_at = app_now() where id = ${endpoint.id}`.execute(
    database.db,
  )
  await world.publish(account)
  await until(async () => (await deliveriesOf(database, endpoint.id)).length === 1, 'the delivery')
  assert.equal((await deliveriesOf(database, endpoint.id))[0]?.status, 'skipped')
  assert.equal(endpoint.received().length, 0)
  await engine.stop()
})

test('while an endpoint is being disabled, however long that takes, deliveries of other endpoints are recorded', async () => {
  const engine = world.engine()
  const [account, other] = [await world.account(), await world.account()]
  const [failing, healthy] = [await world.endpoint(account), await world.endpoint(other)]
  failing.behave({ status: 500 })
  await world.publish(account)
  await until(async () => (await deliveriesOf(database, failing.id))[0]?.attempts === 1, 'the first failure')
  await sql`
    update webhook_lanes set failing_since = app_now() - interval '4 days', failing_event = 'evt_another'
    where endpoint_id = ${failing.id}`.execute(database.db)
  await elsewhere.transact(async (tx) => {
    await sql`select 1 from webhook_endpoints where id = ${failing.id} for update`.execute(tx)
    await clock.pass('2 minutes') // causes its second failure
    await untilBlocked(database.db)
    await world.publish(other)
    await until(async () => (await deliveriesOf(database, healthy.id))[0]?.status === 'succeeded', 'the record')
  })
  await until(
    async () => (await deliveriesOf(database, failing.id)).every(({ status }) => status === 'skipped'),
    'its end',
  )
  await engine.stop()
})

test('events arrive in order if the clock is set back; waiting deliveries are sent immediately if it jumps ahead', async () => {
  // Set back, this clock must still be ahead of the receiver's, because the receiver refuses old signatures.
  await clock.pass('1 day')
  const { engine, account, endpoint } = await world.delivering()
  const publish = (place: number) => world.publish(account, 'zone.delegation_changed', { place })
  endpoint.behave({ status: 500, times: 1 })
  await publish(0)
  await until(async () => (await deliveriesOf(database, endpoint.id))[0]?.attempts === 1, 'the failure')
  await clock.pass('-20 hours')
  for (const place of [1, 2, 3]) await publish(place)
  await endpoint.until(4)
  await clock.pass('3 days')
  await publish(4)
  await endpoint.until(6)
  await until(
    async () => (await deliveriesOf(database, endpoint.id)).every((one) => one.status === 'succeeded'),
    'all of them',
  )
  const places = endpoint.received().map(({ body }) => JSON.parse(body).data.place)
  assert.deepEqual(places.slice(0, 4), [0, 1, 2, 3])
  assert.deepEqual(places.slice(4).toSorted(), [0, 4], 'the failed one again, and the last one')
  await engine.stop()
})

test('deliveries older than the retention period are not sent after a long downtime, and no lane stays due for them', async () => {
  const { engine, account, endpoint } = await world.delivering()
  endpoint.behave({ status: 500, times: 1 })
  await world.publish(account, 'zone.deleted')
  await until(async () => (await deliveriesOf(database, endpoint.id))[0]?.attempts === 1, 'the failure')
  await engine.stop()
  await clock.pass('32 days')
  await world.publish(account, 'order.paid')
  const later = world.engine()
  assert.equal((await endpoint.until(2))[1]?.event_type, 'order.paid')
  await until(async () => {
    const { rows } = await sql`
      select from webhook_lanes where endpoint_id = ${endpoint.id} and due_at is null`.execute(database.db)
    return rows.length === 1
  }, 'its lane to have nothing due')
  await later.stop()
})

test('a stopping worker gives up hanging requests, and the next worker resends them', async () => {
  const account = await world.account()
  const endpoint = await world.endpoint(account)
  endpoint.behave({ hang: true, times: 1 })
  const engine = world.engine()
  await world.publish(account)
  await endpoint.until(1)
  const started = performance.now()
  await engine.stop()
  assert.ok(performance.now() - started < 9_000, 'not after the ten seconds that a receiver has')
  const next = world.engine()
  const requests = await endpoint.until(2)
  assert.equal(requests[1]?.event_id, requests[0]?.event_id)
  await until(async () => (await deliveriesOf(database, endpoint.id))[0]?.status === 'succeeded', 'the record')
  await next.stop()
})

function asPort(http: WebhookHttp): WebhookHttp {
  return { refusal: (url) => http.refusal(url), post: (request) => http.post(request), close: () => http.close() }
}
