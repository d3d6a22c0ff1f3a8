import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import type { WireDelivery } from '@zonewright/contract'
import { createWebhookHttp } from '#adapters/webhook-http/index.ts'
import { sql } from '#platform/postgres/index.ts'
import { SecretBox } from '#platform/secrets.ts'
import { asAnotherProcess } from '#testing/platform/test-database.ts'
import { runJob } from '#testing/run-job.ts'
import { untilBlocked } from '#testing/until-blocked.ts'
import { type Call, heldPosts, shown, startTestWorld, type TestEndpoint, until } from '#testing/webhooks/test-world.ts'
import { disableFailing } from './disable-endpoint.ts'
import { webhookJobs } from './jobs.ts'

const world = await startTestWorld(createWebhookHttp)
const { database, clock } = world
const elsewhere = asAnotherProcess(database.url)

async function untilLatest(call: Call, endpoint: TestEndpoint, wanted: Partial<WireDelivery>): Promise<WireDelivery> {
  const isSo = (delivery: WireDelivery | undefined) =>
    delivery !== undefined &&
    Object.entries(wanted).every(([name, value]) => delivery[name as keyof WireDelivery] === value)
  let latest: WireDelivery | undefined
  await until(async () => {
    latest = (await shown(call, endpoint))[0]
    return isSo(latest)
  }, JSON.stringify(wanted))
  return latest as WireDelivery
}

const redeliver = (call: Call, endpoint: TestEndpoint, { id }: WireDelivery) =>
  call('POST', `/webhooks/${endpoint.id}/deliveries/${id}/redeliver`)

async function attemptsOf(call: Call, endpoint: TestEndpoint, { id }: WireDelivery) {
  const { body } = await call('GET', `/api/v1/webhooks/${endpoint.id}/deliveries/${id}`)
  return body.attempts as { number: number; manual: boolean; status: number | null; failure: string | null }[]
}

async function setState(endpoint: TestEndpoint, state: 'enabled' | 'disabled'): Promise<void> {
  const at = state === 'disabled' ? sql`app_now()` : sql`null`
  await sql`update webhook_endpoints set state = ${state}, disabled_at = ${at} where id = ${endpoint.id}`.execute(
    database.db,
  )
}

test('a resend is sent immediately and does not count as one of the eight attempts, and its success ends the series', async () => {
  const { engine, account, call, endpoint } = await world.delivering()
  endpoint.behave({ status: 500, times: 2 })
  await world.publish(account)
  const failed = await untilLatest(call, endpoint, { attempts: 1 })
  const plannedAt = failed.next_attempt_at
  const answer = await redeliver(call, endpoint, failed)
  assert.deepEqual([answer.status, answer.body.id, answer.body.status], [202, failed.id, 'pending'])
  const again = await untilLatest(call, endpoint, { attempts: 2, status: 'pending' })
  assert.ok((again.next_attempt_at ?? '') >= (plannedAt ?? ''), 'the automatic schedule stands')
  await redeliver(call, endpoint, failed)
  await untilLatest(call, endpoint, { attempts: 3, status: 'succeeded', next_attempt_at: null })
  assert.deepEqual(
    (await attemptsOf(call, endpoint, failed)).map(({ number, manual, failure }) => [number, manual, failure]),
    [
      [1, false, 'status'],
      [2, true, 'status'],
      [3, true, null],
    ],
  )
  await clock.pass('2 minutes')
  await world.publish(account)
  await endpoint.until(4)
  const { rows } = await sql<{ attempts: number }>`
    select attempts from webhook_deliveries where id = ${failed.id}`.execute(database.db)
  assert.deepEqual(rows, [{ attempts: 1 }], 'one of the eight was used')
  await engine.stop()
})

test('after a failed resend, the automatic attempts continue, no sooner than after any failure', async () => {
  const { engine, account, call, endpoint } = await world.delivering()
  endpoint.behave({ status: 500, times: 2 })
  await world.publish(account)
  const failed = await untilLatest(call, endpoint, { attempts: 1 })
  await clock.pass('55 s')
  await redeliver(call, endpoint, failed)
  await untilLatest(call, endpoint, { attempts: 2 })
  await clock.pass('30 s')
  await world.publish(account)
  await endpoint.until(3)
  assert.equal((await attemptsOf(call, endpoint, failed)).length, 2, 'a minute from the end of the last attempt')
  await clock.pass('31 s')
  await until(async () => (await attemptsOf(call, endpoint, failed))[2]?.manual === false, 'the automatic attempt')
  await engine.stop()
})

test('a resend that is requested during an attempt is sent after it', async () => {
  const account = await world.account()
  const call = world.api(account)
  const endpoint = await world.endpoint(account)
  endpoint.behave({ status: 500, times: 1 })
  const engine = world.engine()
  await world.publish(account)
  const failed = await untilLatest(call, endpoint, { attempts: 1 })
  await engine.stop()
  const slow = heldPosts(world.http)
  endpoint.behave({ status: 500, times: 1 })
  const second = world.engine({ http: slow.http })
  await clock.pass('61 s')
  await until(
    async () =>
      (
        await sql`select 1 from webhook_lanes where endpoint_id = ${endpoint.id} and lease is not null`.execute(
          database.db,
        )
      ).rows.length === 1,
    'the attempt to be on its way',
  )
  await redeliver(call, endpoint, failed)
  slow.letGo()
  await untilLatest(call, endpoint, { attempts: 3, status: 'succeeded' })
  assert.deepEqual(
    (await attemptsOf(call, endpoint, failed)).map(({ manual, failure }) => [manual, failure]),
    [
      [false, 'status'],
      [false, 'status'],
      [true, null],
    ],
  )
  await second.stop()
})

test('a delivery that has succeeded can be resent, and then has the status of its last resend', async () => {
  const { engine, account, call, endpoint } = await world.delivering()
  await world.publish(account)
  const done = await untilLatest(call, endpoint, { status: 'succeeded' })
  endpoint.behave({ status: 500, times: 1 })
  await redeliver(call, endpoint, done)
  await untilLatest(call, endpoint, { status: 'failed', attempts: 2, next_attempt_at: null })
  await redeliver(call, endpoint, done)
  await untilLatest(call, endpoint, { status: 'succeeded', attempts: 3 })
  assert.equal(endpoint.received()[2]?.event_id, done.event_id)
  await engine.stop()
})

test('a resend that is requested twice before it is sent is sent once, and starts no new series', async () => {
  const { engine, account, call, endpoint } = await world.delivering()
  await world.publish(account)
  const done = await untilLatest(call, endpoint, { status: 'succeeded' })
  await engine.stop()
  await redeliver(call, endpoint, done)
  await clock.pass('1 s')
  await redeliver(call, endpoint, done)
  endpoint.behave({ status: 500, times: 1 })
  const later = world.engine()
  await untilLatest(call, endpoint, { status: 'failed', attempts: 2, next_attempt_at: null })
  await later.stop()
})

test('a resend that is requested during a manual attempt is sent after it', async () => {
  const { engine, account, call, endpoint } = await world.delivering()
  await world.publish(account)
  const done = await untilLatest(call, endpoint, { status: 'succeeded' })
  await engine.stop()
  const slow = heldPosts(world.http)
  endpoint.behave({ status: 500, times: 2 })
  const second = world.engine({ http: slow.http })
  await redeliver(call, endpoint, done)
  await slow.underWay
  await redeliver(call, endpoint, done)
  slow.letGo()
  await untilLatest(call, endpoint, { status: 'failed', attempts: 3, next_attempt_at: null })
  assert.deepEqual(
    (await attemptsOf(call, endpoint, done)).map(({ manual, failure }) => [manual, failure]),
    [
      [false, null],
      [true, 'status'],
      [true, 'status'],
    ],
  )
  await second.stop()
})

test('a resend at a disabled endpoint is sent once', async () => {
  const { engine, account, call, endpoint } = await world.delivering()
  await setState(endpoint, 'disabled')
  await world.publish(account)
  const skipped = await untilLatest(call, endpoint, { status: 'skipped' })
  endpoint.behave({ status: 500, times: 1 })
  await redeliver(call, endpoint, skipped)
  await untilLatest(call, endpoint, { status: 'failed', attempts: 1, next_attempt_at: null })
  await redeliver(call, endpoint, skipped)
  await untilLatest(call, endpoint, { status: 'succeeded' })
  assert.equal((await call('GET', `/webhooks/${endpoint.id}`)).body.state, 'disabled')
  await engine.stop()
})

test('a manual attempt is sent before deliveries that were never attempted, and all of these follow', async () => {
  const account = await world.account()
  const call = world.api(account)
  const endpoint = await world.endpoint(account)
  for (let i = 0; i < 3; i += 1) {
    await world.publish(account)
    // Events of the same millisecond are listed in no particular order.
    await clock.pass('1 ms')
  }
  await world.fanOut(endpoint, 3)
  await setState(endpoint, 'disabled')
  const [third, second, first] = (await shown(call, endpoint)) as [WireDelivery, WireDelivery, WireDelivery]
  await redeliver(call, endpoint, second)
  await setState(endpoint, 'enabled')
  await clock.pass('1 s') // no longer waits for other resends
  const engine = world.engine()
  const requests = await endpoint.until(3)
  assert.deepEqual(
    requests.map((request) => request.event_id),
    [second, first, third].map((delivery) => delivery.event_id),
  )
  await engine.stop()
})

test('recover sends only deliveries that failed or were skipped since a time, oldest first', async () => {
  const { engine, account, call, endpoint } = await world.delivering()
  await setState(endpoint, 'disabled')
  await world.publish(account)
  await untilLatest(call, endpoint, { status: 'skipped' })
  await clock.pass('1 hour')
  const since = (await sql<{ at: Date }>`select app_now() as at`.execute(database.db)).rows[0]?.at.toISOString()
  await clock.pass('1 s')
  for (let i = 0; i < 5; i += 1) {
    await world.publish(account)
    // Events of the same millisecond are listed in no particular order.
    await clock.pass('1 ms')
  }
  await until(async () => (await shown(call, endpoint)).length === 6, 'all of them')
  assert.equal((await call('PATCH', `/webhooks/${endpoint.id}`, { state: 'enabled' })).body.state, 'enabled')
  await world.publish(account)
  await endpoint.until(1)
  const { status, body } = await call('POST', `/webhooks/${endpoint.id}/recover`, { since })
  assert.deepEqual([status, body], [202, { recovered: 5, more: false }])
  await endpoint.until(6)
  await until(async () => (await shown(call, endpoint)).every((one) => one.status !== 'pending'), 'the records')
  const all = (await shown(call, endpoint)).reverse()
  assert.deepEqual(
    all.map((one) => one.status),
    ['skipped', ...Array(6).fill('succeeded')],
  )
  assert.deepEqual(
    endpoint
      .received()
      .slice(1)
      .map((request) => request.event_id),
    all.slice(1, 6).map((one) => one.event_id),
  )
  assert.deepEqual((await call('POST', `/webhooks/${endpoint.id}/recover`, { since })).body, {
    recovered: 0,
    more: false,
  })
  await engine.stop()
})

/** Writes failed deliveries of yesterday, without their events and attempts. */
async function writeFailed(endpoint: TestEndpoint, count: number): Promise<void> {
  await sql`
    insert into webhook_deliveries (event_day, id, endpoint_id, event_id, event_type, position, status, finished_at)
    select (at at time zone 'utc')::date, new_id('dlv', at), ${endpoint.id}, new_id('evt', at), 'zone.deleted',
      nextval('event_positions'), 'failed', at
    from (select app_now() - interval '1 day' + n * interval '1 ms' as at from generate_series(1, ${count}::int) as n) made`.execute(
    database.db,
  )
}

test('recover queues at most 1,000 deliveries per transaction, and each transaction has its audit log entry', async () => {
  const account = await world.account()
  const endpoint = await world.endpoint(account)
  await writeFailed(endpoint, 2_500)
  const { body } = await world.api(account)('POST', `/webhooks/${endpoint.id}/recover`, { since: new Date(0) })
  assert.deepEqual(body, { recovered: 2_500, more: false })
  const { rows: queued } = await sql`select 1 from webhook_queue where endpoint_id = ${endpoint.id}`.execute(
    database.db,
  )
  assert.equal(queued.length, 2_500)
  const { rows: parts } = await sql<{ recovered: number }>`
    select (reference->>'recovered')::int as recovered from audit_log
    where account_id = ${account} and action = 'webhook.recovered'`.execute(database.db)
  const counts = parts.map(({ recovered }) => recovered)
  assert.ok(Math.max(...counts) <= 1_000, counts.join())
  assert.equal(
    counts.reduce((sum, count) => sum + count),
    2_500,
  )
  await sql`delete from webhook_queue where endpoint_id = ${endpoint.id}`.execute(database.db)
})

test('recover does not lock the lane while it searches for failed deliveries', async () => {
  const account = await world.account()
  const endpoint = await world.endpoint(account)
  await writeFailed(endpoint, 1)
  const { answer } = await elsewhere.transact(async (tx) => {
    await sql`lock table webhook_deliveries in access exclusive mode`.execute(tx)
    const answer = world.api(account)('POST', `/webhooks/${endpoint.id}/recover`, { since: new Date(0) })
    await untilBlocked(database.db)
    await sql`select 1 from webhook_lanes where endpoint_id = ${endpoint.id} for update nowait`.execute(tx)
    return { answer }
  })
  assert.deepEqual((await answer).body, { recovered: 1, more: false })
})

test('a skipped delivery that is recovered still has its automatic attempts', async () => {
  const { engine, account, call, endpoint } = await world.delivering()
  await setState(endpoint, 'disabled')
  await world.publish(account)
  await untilLatest(call, endpoint, { status: 'skipped' })
  await call('PATCH', `/webhooks/${endpoint.id}`, { state: 'enabled' })
  endpoint.behave({ status: 500, times: 1 })
  await call('POST', `/webhooks/${endpoint.id}/recover`, { since: '2026-01-01T00:00:00Z' })
  await untilLatest(call, endpoint, { status: 'pending', attempts: 1 })
  await clock.pass('61 s')
  await untilLatest(call, endpoint, { status: 'succeeded', attempts: 2 })
  await engine.stop()
})

test('after 30 days, a delivery returns 404 and is in no list', async () => {
  const { engine, account, call, endpoint } = await world.delivering()
  await world.publish(account)
  const delivery = await untilLatest(call, endpoint, { status: 'succeeded' })
  await clock.pass('29 days 23 hours')
  assert.equal((await redeliver(call, endpoint, delivery)).status, 202)
  await endpoint.until(2)
  await clock.pass('2 hours')
  assert.equal((await redeliver(call, endpoint, delivery)).status, 404)
  assert.equal((await call('GET', `/webhooks/${endpoint.id}/deliveries/${delivery.id}`)).status, 404)
  assert.deepEqual(await shown(call, endpoint), [])
  assert.deepEqual((await call('GET', '/webhooks/events')).body.data, [])
  await engine.stop()
})

test('an account cannot read or resend deliveries of another account, or of its own under another endpoint', async () => {
  const engine = world.engine()
  const account = await world.account()
  const call = world.api(account)
  const [endpoint, other] = [await world.endpoint(account), await world.endpoint(account, ['order.*'])]
  await world.publish(account)
  const delivery = await untilLatest(call, endpoint, { status: 'succeeded' })
  const stranger = world.api(await world.account())
  const path = `deliveries/${delivery.id}`
  for (const [method, suffix] of [
    ['GET', 'deliveries'],
    ['GET', path],
    ['POST', `${path}/redeliver`],
    ['POST', 'recover'],
    ['POST', 'test'],
    ['POST', 'rotate-secret'],
    ['PATCH', ''],
  ] as const) {
    const body = suffix === 'recover' ? { since: '2026-01-01T00:00:00Z' } : undefined
    const answer = await stranger(method, `/webhooks/${endpoint.id}${suffix && `/${suffix}`}`, body)
    assert.equal(answer.status, 404, `${method} ${suffix}`)
  }
  assert.equal((await call('GET', `/webhooks/${other.id}/${path}`)).status, 404)
  assert.equal((await call('POST', `/webhooks/${other.id}/${path}/redeliver`)).status, 404)
  for (const id of ['dlv_1', 'nonsense', `dlv_${'f'.repeat(32)}`, delivery.id.replace(/.$/, 'g')])
    assert.equal((await call('POST', `/webhooks/${endpoint.id}/deliveries/${id}/redeliver`)).status, 404, id)
  assert.equal(endpoint.received().length, 1)
  await engine.stop()
})

test('deliveries that a dead worker has not skipped are skipped by the hourly job, except resends', async () => {
  const account = await world.account()
  const call = world.api(account)
  const [left, asked] = [await world.endpoint(account), await world.endpoint(account)]
  const engine = world.engine()
  for (const endpoint of [left, asked]) endpoint.behave({ status: 500 })
  await world.publish(account)
  for (const endpoint of [left, asked]) await untilLatest(call, endpoint, { attempts: 1 })
  await engine.stop()
  for (const endpoint of [left, asked]) await setState(endpoint, 'disabled')
  await redeliver(call, asked, (await shown(call, asked))[0] as WireDelivery)
  await runJob(webhookJobs, 'tidy-webhook-endpoints', database)
  assert.equal((await shown(call, left))[0]?.status, 'skipped')
  assert.equal((await shown(call, asked))[0]?.status, 'pending')
})

test('a resend and a ping that wait when their endpoint is disabled are still sent, once', async () => {
  const account = await world.account()
  const call = world.api(account)
  const endpoint = await world.endpoint(account)
  const engine = world.engine()
  endpoint.behave({ status: 500 })
  for (let i = 0; i < 3; i += 1) {
    await world.publish(account)
    // Events of the same millisecond are listed in no particular order.
    await clock.pass('1 ms')
  }
  await until(
    async () => (await shown(call, endpoint)).filter((one) => one.attempts === 1).length === 3,
    'three failures',
  )
  await engine.stop()
  const [automatic, ping, asked] = (await shown(call, endpoint)) as [WireDelivery, WireDelivery, WireDelivery]
  await redeliver(call, endpoint, asked)
  await sql`
    update webhook_queue set test = true, retry_at = null where delivery_id = ${ping.id}`.execute(database.db)
  await sql`
    update webhook_lanes set failing_since = app_now() - interval '4 days', placed_after = 0
    where endpoint_id = ${endpoint.id}`.execute(database.db)
  const mailContext = { secrets: new SecretBox(randomBytes(32)), site: 'https://zonewright.test' }
  assert.equal(await disableFailing(database, mailContext, endpoint.id), true)
  const statuses = async () => Object.fromEntries((await shown(call, endpoint)).map(({ id, status }) => [id, status]))
  assert.deepEqual(await statuses(), { [automatic.id]: 'skipped', [ping.id]: 'pending', [asked.id]: 'pending' })
  const later = world.engine()
  await until(async () => Object.values(await statuses()).every((status) => status !== 'pending'), 'both attempts')
  assert.deepEqual(await statuses(), { [automatic.id]: 'skipped', [ping.id]: 'failed', [asked.id]: 'failed' })
  assert.equal(endpoint.received().length, 5)
  const { rows } = await sql<{ apart: number }>`
    select extract(epoch from max(started_at) - min(started_at))::float8 as apart
    from webhook_attempts where delivery_id in (${ping.id}, ${asked.id}) and number = 2`.execute(database.db)
  assert.ok((rows[0]?.apart ?? 30) < 15, 'one right after the other: the lane, of 30 s, was not left to run out')
  await later.stop()
})

test('a delivery of a disabled endpoint that is not skipped yet can be resent', async () => {
  const account = await world.account()
  const call = world.api(account)
  const endpoint = await world.endpoint(account)
  await sql`update webhook_lanes set lease = gen_random_uuid() where endpoint_id = ${endpoint.id}`.execute(database.db)
  const engine = world.engine()
  await world.publish(account)
  const waiting = await untilLatest(call, endpoint, { status: 'pending', attempts: 0 })
  await engine.stop()
  await setState(endpoint, 'disabled')
  await redeliver(call, endpoint, waiting)
  await runJob(webhookJobs, 'tidy-webhook-endpoints', database)
  assert.equal((await shown(call, endpoint))[0]?.status, 'pending')
})

/** An endpoint with this many deliveries, oldest event first. All have succeeded, and none is in progress. */
async function delivered(count: number) {
  const { engine, account, call, endpoint } = await world.delivering()
  for (let i = 0; i < count; i += 1) {
    await world.publish(account)
    await endpoint.until(i + 1)
    await clock.pass('1 ms')
  }
  await until(
    async () => (await shown(call, endpoint)).filter(({ status }) => status === 'succeeded').length === count,
    'all deliveries',
  )
  return { engine, account, call, endpoint, deliveries: (await shown(call, endpoint)).toReversed() }
}

const sentAgain = (endpoint: TestEndpoint, after: number): (string | null | undefined)[] =>
  endpoint
    .received()
    .slice(after)
    .map((request) => request.event_id)

for (const [how, order] of Object.entries({
  'newest first, one after the other': [4, 3, 2, 1, 0],
  'in no order': [2, 4, 0, 3, 1],
  'oldest first': [0, 1, 2, 3, 4],
  'one of them twice': [3, 1, 3, 0],
  'the oldest last': [1, 2, 3, 4, 0],
}))
  test(`resends that are requested together are sent oldest event first, each once: ${how}`, async () => {
    const { engine, call, endpoint, deliveries } = await delivered(5)
    for (const at of order) assert.equal((await redeliver(call, endpoint, deliveries[at] as WireDelivery)).status, 202)
    const wanted = [...new Set(order)].sort().map((at) => deliveries[at]?.event_id)
    await endpoint.until(5 + wanted.length)
    assert.deepEqual(sentAgain(endpoint, 5), wanted)
    await engine.stop()
  })

test('resends that are requested concurrently are sent oldest event first', async () => {
  const { engine, call, endpoint, deliveries } = await delivered(5)
  await Promise.all(deliveries.toReversed().map((delivery) => redeliver(call, endpoint, delivery)))
  await endpoint.until(10)
  assert.deepEqual(
    sentAgain(endpoint, 5),
    deliveries.map((delivery) => delivery.event_id),
  )
  await engine.stop()
})

test('a resend that is requested while others wait behind a slow one takes its place among them', async () => {
  const { engine, call, endpoint, deliveries } = await delivered(4)
  await engine.stop()
  const [first, second, third, fourth] = deliveries as [WireDelivery, WireDelivery, WireDelivery, WireDelivery]
  const slow = heldPosts(world.http)
  const held = world.engine({ http: slow.http })
  await redeliver(call, endpoint, third)
  await slow.underWay
  for (const one of [fourth, first, second]) await redeliver(call, endpoint, one)
  slow.letGo()
  await endpoint.until(8)
  assert.deepEqual(
    sentAgain(endpoint, 4),
    [third, first, second, fourth].map((delivery) => delivery.event_id),
  )
  await held.stop()
})

test('a resend is sent within moments', async () => {
  const { engine, call, endpoint, deliveries } = await delivered(1)
  const began = performance.now()
  await redeliver(call, endpoint, deliveries[0] as WireDelivery)
  await endpoint.until(2)
  assert.ok(performance.now() - began < 5_000)
  await engine.stop()
})
