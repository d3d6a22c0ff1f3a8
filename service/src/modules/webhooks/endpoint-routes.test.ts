import assert from 'node:assert/strict'
import { test } from 'node:test'
import Stripe from 'stripe'
import { createWebhookHttp } from '#adapters/webhook-http/index.ts'
import { sql } from '#platform/postgres/index.ts'
import { rowsRead } from '#testing/rows-read.ts'
import { runJob } from '#testing/run-job.ts'
import { type Call, startTestWorld, until } from '#testing/webhooks/test-world.ts'
import { webhookJobs } from './jobs.ts'
import { listDeliveries } from './read-deliveries.ts'

const world = await startTestWorld(createWebhookHttp)
const { database, clock } = world

test('a test sends a ping only to its endpoint, whatever that subscribes to, and returns the outcome', async () => {
  const engine = world.engine()
  const account = await world.account()
  const call = world.api(account)
  const [tested, other] = [await world.endpoint(account, ['order.*']), await world.endpoint(account)]
  const { status, body } = await call('POST', `/webhooks/${tested.id}/test`)
  assert.deepEqual([status, body.status, body.last_status], [200, 'succeeded', 200])
  const [ping] = tested.received()
  assert.equal(ping?.event_type, 'ping')
  assert.equal(ping.verified, true)
  assert.deepEqual(JSON.parse(ping.body).data, {})
  assert.equal((await call('GET', `/webhooks/${tested.id}/deliveries/${body.delivery}`)).body.status, 'succeeded')
  await world.publish(account)
  await other.until(1)
  assert.deepEqual(
    other.received().map((request) => request.event_type),
    ['zone.delegation_changed'],
  )
  await engine.stop()
})

test('a ping has one attempt, and the response reports how it failed', async () => {
  const { engine, account, call, endpoint } = await world.delivering()
  endpoint.behave({ status: 503 })
  const { body } = await call('POST', `/api/v1/webhooks/${endpoint.id}/test`)
  assert.deepEqual([body.status, body.last_status], ['failed', 503])
  await clock.pass('2 days')
  await world.publish(account)
  await endpoint.until(2)
  const delivery = (await call('GET', `/webhooks/${endpoint.id}/deliveries/${body.delivery}`)).body
  assert.deepEqual([delivery.attempts.length, delivery.next_attempt_at], [1, null])
  assert.equal(delivery.attempts[0].failure, 'status')
  await engine.stop()
})

test('a ping waits its turn in the lane, and is also sent to a disabled endpoint', async () => {
  const { engine, account, call, endpoint } = await world.delivering()
  endpoint.behave({ delayMs: 30 })
  for (let i = 0; i < 5; i += 1) await world.publish(account)
  assert.equal((await call('POST', `/webhooks/${endpoint.id}/test`)).body.status, 'succeeded')
  assert.deepEqual(
    endpoint.received().map((request) => request.event_type),
    [...Array(5).fill('zone.delegation_changed'), 'ping'],
  )
  await sql`update webhook_endpoints set state = 'disabled' where id = ${endpoint.id}`.execute(database.db)
  assert.equal((await call('POST', `/webhooks/${endpoint.id}/test`)).body.status, 'succeeded')
  await engine.stop()
})

test('a repeat of a running test with its Idempotency-Key gets a retry time, and later the first response', async () => {
  const { engine, call, endpoint } = await world.delivering()
  endpoint.behave({ delayMs: 300 })
  const headers = { 'idempotency-key': 'once' }
  const ask = () => call('POST', `/webhooks/${endpoint.id}/test`, undefined, headers)
  const first = ask()
  await endpoint.until(1)
  const meanwhile = await ask()
  assert.deepEqual(
    [meanwhile.status, meanwhile.body.error.code, meanwhile.headers['retry-after']],
    [409, 'conflict', '5'],
  )
  const { status, body } = await first
  assert.deepEqual([status, body.status], [200, 'succeeded'])
  assert.deepEqual((await ask()).body, body)
  assert.equal(endpoint.received().length, 1)
  await engine.stop()
})

test('a test without an outcome after 25 seconds is reported as pending', async () => {
  const account = await world.account()
  const call = world.api(account)
  const endpoint = await world.endpoint(account)
  const began = performance.now()
  const { body } = await call('POST', `/webhooks/${endpoint.id}/test`)
  assert.ok(performance.now() - began >= 24_900)
  assert.deepEqual(body, {
    status: 'pending',
    last_status: null,
    failure: null,
    failure_detail: null,
    delivery: null,
  })
})

test('a change of an endpoint keeps omitted fields, and null events mean every event', async () => {
  const account = await world.account()
  const call = world.api(account)
  const endpoint = await world.endpoint(account, ['order.*'])
  const path = `/api/v1/webhooks/${endpoint.id}`
  const before = (await call('GET', path)).body
  assert.deepEqual((await call('PATCH', path, {})).body, before)
  assert.deepEqual((await call('PATCH', path, { description: 'New' })).body, { ...before, description: 'New' })
  assert.deepEqual((await call('PATCH', path, { events: null })).body.events, null)
  assert.deepEqual((await call('PATCH', path, { events: ['zone.*'] })).body.events, ['zone.*'])
  const url = `${before.url}-moved`
  assert.equal((await call('PATCH', path, { url })).body.url, url)
  for (const [body, code] of [
    [{ url: 'https://10.0.0.1/' }, 'address_not_public'],
    [{ url: 'nonsense' }, 'validation_failed'],
    [{ events: ['nonsense'] }, 'validation_failed'],
    [{ events: [] }, 'validation_failed'],
    [{ state: 'paused' }, 'validation_failed'],
    [{ secret: 'mine' }, 'validation_failed'],
  ] as const) {
    const answer = await call('PATCH', path, body)
    assert.deepEqual([answer.status, answer.body.error.code], [422, code], JSON.stringify(body))
  }
  assert.equal((await call('GET', path)).body.url, url)
  const { rows } =
    await sql`select action from audit_log where account_id = ${account} and action = 'webhook.changed'`.execute(
      database.db,
    )
  assert.equal(rows.length, 4)
})

test('enabling an endpoint clears its failing time, and later events are sent', async () => {
  const { engine, account, call, endpoint } = await world.delivering()
  endpoint.behave({ status: 500 })
  await world.publish(account)
  await until(async () => (await call('GET', `/webhooks/${endpoint.id}`)).body.last_status === 500, 'the failure')
  await clock.pass('3 days 1 minute')
  await world.publish(account)
  await until(async () => {
    const { data } = (await call('GET', `/webhooks/${endpoint.id}/deliveries`)).body
    return data.length === 2 && data[0].attempt_count === 1
  }, 'the first failure of the later event')
  await clock.pass('2 minutes')
  await until(async () => (await call('GET', `/webhooks/${endpoint.id}`)).body.state === 'disabled', 'the turning off')
  const off = (await call('GET', `/webhooks/${endpoint.id}`)).body
  assert.match(off.disabled_reason, /3 days/)
  assert.ok(off.disabled_at !== null)
  const began = performance.now()
  const { body: on } = await call('PATCH', `/webhooks/${endpoint.id}`, { state: 'enabled' })
  assert.deepEqual([on.state, on.disabled_at, on.disabled_reason], ['enabled', null, null])
  await world.publish(account)
  const came = endpoint.received().length
  await endpoint.until(came + 1)
  assert.ok(performance.now() - began < 20_000, 'its lane was given back, and did not rest for its lease of 30 s')
  // Another failure is only one failure, and does not complete the three days.
  await until(async () => (await call('GET', `/webhooks/${endpoint.id}`)).body.last_status === 500, 'the failure')
  assert.equal((await call('GET', `/webhooks/${endpoint.id}`)).body.state, 'enabled')
  await engine.stop()
})

const verifies = (request: { headers: Record<string, unknown>; body: string }, secret: string): boolean => {
  try {
    Stripe.webhooks.constructEvent(request.body, String(request.headers['service-signature']), secret, 1e9)
    return true
  } catch {
    return false
  }
}

test('a rotated secret signs from the next request on, together with the old one until the overlap ends', async () => {
  const { engine, account, call, endpoint } = await world.delivering()
  const rotate = (body?: object) => call('POST', `/webhooks/${endpoint.id}/rotate-secret`, body)
  const latest = async () => {
    const count = endpoint.received().length
    await world.publish(account)
    return (await endpoint.until(count + 1)).at(-1) as { headers: Record<string, unknown>; body: string }
  }
  const first = (await rotate({ overlap_hours: 24 })).body.secret as string
  assert.match(first, /^whsec_/)
  let request = await latest()
  assert.deepEqual([verifies(request, first), verifies(request, endpoint.secret)], [true, true])
  await clock.pass('25 hours')
  request = await latest()
  assert.deepEqual([verifies(request, first), verifies(request, endpoint.secret)], [true, false])
  await runJob(webhookJobs, 'tidy-webhook-endpoints', database)
  const kept = await sql<{ count: number }>`
    select cardinality(secrets) as count from webhook_endpoints where id = ${endpoint.id}`.execute(database.db)
  assert.deepEqual(kept.rows, [{ count: 1 }], 'a secret that has ended is not kept')
  const second = (await rotate()).body.secret as string
  request = await latest()
  assert.deepEqual([verifies(request, second), verifies(request, first)], [true, false])
  const keptNow = await sql<{ count: number }>`
    select cardinality(secrets) as count from webhook_endpoints where id = ${endpoint.id}`.execute(database.db)
  assert.deepEqual(keptNow.rows, [{ count: 1 }], 'without an overlap the old one is not kept at all')

  const third = (await rotate({ overlap_hours: 1 })).body.secret as string
  const fourth = (await rotate({ overlap_hours: 72 })).body.secret as string
  await clock.pass('2 hours')
  request = await latest()
  const valid = [second, third, fourth].map((secret) => verifies(request, secret))
  assert.deepEqual(valid, [false, true, true], 'a later rotation does not extend the overlap of an earlier one')
  for (let i = 0; i < 6; i += 1) assert.equal((await rotate({ overlap_hours: 72 })).status, 200)
  request = await latest()
  assert.equal(String(request.headers['service-signature']).match(/v1=/g)?.length, 4)
  for (const hours of [-1, 73, 1.5]) assert.equal((await rotate({ overlap_hours: hours })).status, 422)
  await engine.stop()
})

test('a new secret is in only one response: a repeat with the same Idempotency-Key gets an error', async () => {
  const account = await world.account()
  const call = world.api(account)
  const endpoint = await world.endpoint(account)
  const ask = () => call('POST', `/webhooks/${endpoint.id}/rotate-secret`, {}, { 'idempotency-key': 'r1' })
  assert.equal((await ask()).status, 200)
  const repeat = await ask()
  assert.deepEqual([repeat.status, repeat.body.error.code], [409, 'idempotency_replayed'])
})

test('deliveries are listed latest first with filters and pages, and a single one has every attempt', async () => {
  const { engine, account, call, endpoint } = await world.delivering()
  endpoint.behave({ status: 410, times: 1 })
  const path = `/webhooks/${endpoint.id}/deliveries`
  await world.publish(account, 'zone.deleted')
  await until(async () => (await call('GET', path)).body.data[0]?.last_status === 410, 'the failure')
  for (const type of ['order.paid', 'order.failed', 'zone.deleted'] as const) {
    // Events of the same millisecond are listed in no particular order.
    await clock.pass('1 ms')
    await world.publish(account, type)
  }
  await until(async () => (await call('GET', `${path}?status=succeeded`)).body.data.length === 3, 'three successes')
  const all = (await call('GET', path)).body.data as { id: string; event_type: string; created_at: string }[]
  assert.deepEqual(
    all.map((one) => one.event_type),
    ['zone.deleted', 'order.failed', 'order.paid', 'zone.deleted'],
  )
  assert.equal((await call('GET', `${path}?type=zone.deleted`)).body.data.length, 2)
  assert.equal((await call('GET', `${path}?since=2099-01-01T00:00:00Z`)).body.data.length, 0)
  const paged: unknown[] = []
  for (let cursor = '', pages = 0; pages === 0 || cursor !== ''; pages += 1) {
    const page = await call('GET', `${path}?limit=2${cursor && `&cursor=${cursor}`}`)
    paged.push(...page.body.data)
    cursor = page.body.next_cursor ?? ''
    assert.equal(page.headers['link'] !== undefined, cursor !== '')
  }
  assert.deepEqual(paged, all)
  const { body: failed } = await call('GET', `${path}/${all[3]?.id}`)
  const [attempt] = failed.attempts
  assert.deepEqual(
    [failed.status, failed.last_status, attempt.number, attempt.manual, attempt.status, attempt.failure],
    ['pending', 410, 1, false, 410, 'status'],
  )
  assert.equal(attempt.request_headers['Service-Event-Id'], failed.event_id)
  assert.equal(attempt.response_headers['content-type'], 'text/plain; charset=utf-8')
  assert.equal(typeof attempt.response_body, 'string')
  assert.ok(Date.parse(failed.next_attempt_at) > Date.parse(attempt.started_at))
  assert.deepEqual(failed.retry, { attempt: 2, of: 8, at: failed.next_attempt_at })
  assert.deepEqual((await call('GET', `${path}?status=failing`)).body.data, [all[3]])
  assert.equal((await call('GET', `${path}?status=failed`)).body.data.length, 0)
  assert.equal((await call('GET', `/webhooks/${endpoint.id}`)).body.retry, null, 'the latest delivery succeeded')
  for (const query of ['status=lost', 'type=nonsense', 'since=yesterday', 'limit=201', 'nonsense=1'])
    assert.equal((await call('GET', `${path}?${query}`)).status, 422, query)
  await engine.stop()
})

/** How many entries each page of a list has. */
async function pagesOf(call: Call, path: string): Promise<number[]> {
  const pages: number[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { body } = await call('GET', `${path}${cursor && `&cursor=${cursor}`}`)
    pages.push(body.data.length)
    cursor = body.next_cursor
  }
  return pages
}

test('a page of filtered deliveries searches 20,000 and returns a cursor to continue', async () => {
  const account = await world.account()
  const { id } = await world.endpoint(account)
  await sql`
    insert into webhook_deliveries (event_day, id, endpoint_id, event_id, event_type, position, status, finished_at)
    select (at at time zone 'utc')::date, new_id('dlv', at), ${id}, new_id('evt', at), type, n, status, at
    from generate_series(1, 45000) as n, lateral (select app_now() - n * interval '1 ms' as at) made,
      lateral (select case when n in (10, 45000) then 'failed' else 'succeeded' end as status,
        case when n in (20, 30, 30000) then 'order.paid' else 'zone.deleted' end as type) kinds`.execute(database.db)
  await sql`analyze webhook_deliveries`.execute(database.db)
  const path = `/webhooks/${id}/deliveries`
  const call = world.api(account)
  assert.deepEqual(await pagesOf(call, `${path}?status=failed`), [1, 0, 1])
  assert.deepEqual(await pagesOf(call, `${path}?status=failing`), [1, 0, 1])
  assert.deepEqual(await pagesOf(call, `${path}?type=order.paid&limit=1`), [1, 1, 1, 0])
  assert.deepEqual(await pagesOf(call, `${path}?status=failed&type=order.paid`), [0, 0, 0])
  assert.equal((await call('GET', `${path}?status=succeeded`)).body.data.length, 50)
  const wanted = { status: 'failed', type: null, zone: null, text: null, since: null, limit: 50 }
  for (const before of [null, await eventAt(id, 20_000)]) {
    const read = await rowsRead(database, 'webhook_deliveries%', (tx) => listDeliveries(tx, id, { ...wanted, before }))
    assert.ok(read <= 2 * 20_000 + 100, `${read} rows read`)
  }
})

/** The event of the n-th of an endpoint's deliveries, counted from the latest. */
async function eventAt(endpointId: string, place: number): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select event_id as id from webhook_deliveries where endpoint_id = ${endpointId}
    order by event_id desc offset ${place - 1} limit 1`.execute(database.db)
  return rows[0]?.id ?? null
}

test('a delivery with many attempts returns the latest hundred', async () => {
  const { engine, account, call, endpoint } = await world.delivering()
  await world.publish(account)
  const path = `/webhooks/${endpoint.id}/deliveries`
  await until(async () => (await call('GET', path)).body.data[0]?.status === 'succeeded', 'the delivery')
  await engine.stop()
  await sql`
    insert into webhook_attempts
    select event_day, delivery_id, 1 + more, true, started_at, duration_ms, status, failure, request_headers, response_headers, response_body
    from webhook_attempts, generate_series(1, 150) as more
    where delivery_id = (select id from webhook_deliveries where endpoint_id = ${endpoint.id})`.execute(database.db)
  const [{ id }] = (await call('GET', path)).body.data
  const { body } = await call('GET', `${path}/${id}`)
  assert.deepEqual(
    body.attempts.map(({ number }: { number: number }) => number),
    Array.from({ length: 100 }, (_, n) => n + 52),
  )
})

test('events, including those of shared zones, are listed latest first, only for their recipients', async () => {
  const engine = world.engine()
  const [owner, manager, stranger] = [await world.account(), await world.account(), await world.account()]
  const typesOf = async (account: string, query = '') =>
    (await world.api(account)('GET', `/webhooks/events${query}`)).body.data.map((event: { type: string }) => event.type)
  // The events are placed one after the other, because events of the same millisecond have no order.
  await world.publish(owner, 'zone.deleted')
  await until(async () => (await typesOf(owner)).length === 1, 'the first event')
  await world.publish([owner, manager], 'zone.delegation_changed')
  await until(async () => (await typesOf(manager)).length === 1, 'the second')
  await world.publish(manager, 'order.paid')
  await until(async () => (await typesOf(manager)).length === 2, 'the third')
  assert.deepEqual(await typesOf(owner), ['zone.delegation_changed', 'zone.deleted'])
  assert.deepEqual(await typesOf(manager), ['order.paid', 'zone.delegation_changed'])
  assert.deepEqual(await typesOf(manager, '?type=order.paid'), ['order.paid'])
  assert.deepEqual(await typesOf(stranger), [])
  const first = (await world.api(manager)('GET', '/webhooks/events?limit=1')).body
  const next = (await world.api(manager)('GET', `/webhooks/events?limit=1&cursor=${first.next_cursor}`)).body
  assert.deepEqual(
    [first.data[0].type, next.data[0].type, next.next_cursor],
    ['order.paid', 'zone.delegation_changed', null],
  )
  assert.deepEqual(Object.keys(first.data[0]), ['id', 'type', 'created_at', 'data'])
  await engine.stop()
})

test('a page of events ends at 4 MiB, has at least one event of any size, and reports that there are more', async () => {
  const [owner, manager] = [await world.account(), await world.account()]
  const mebibytes = [1, 3, 1, 6, 1, 1]
  for (const [n, size] of mebibytes.entries()) {
    // Two days, and one account's own events as well as those of a zone that it manages.
    const at = sql`app_now() - make_interval(days => ${n < 3 ? 1 : 0}, secs => ${-n})`
    await sql`
      insert into events (event_day, id, type, recipients, created_at, body, position)
      select (made.at at time zone 'utc')::date, made.id, 'zone.deleted', ${n % 2 === 0 ? [manager] : [owner, manager]}::uuid[], made.at,
        event_body(made.id, 'zone.deleted', made.at, json_build_object('n', ${n}::int, 'fill', repeat('x', ${size} * 1024 * 1024 - 1000))::text),
        nextval('event_positions')
      from (select ${at} as at, new_id('evt', ${at}) as id offset 0) made`.execute(database.db)
  }
  const pages: number[][] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const from: string = cursor && `?cursor=${cursor}`
    const { body } = await world.api(manager)('GET', `/webhooks/events${from}`)
    pages.push(body.data.map((event: { data: { n: number } }) => event.data.n))
    cursor = body.next_cursor
  }
  assert.deepEqual(pages, [[5, 4], [3], [2, 1], [0]])
})

test('a page of events of one type searches 20,000 and returns a cursor to continue', async () => {
  const [owner, manager] = [await world.account(), await world.account()]
  // Alternates between the account's own events and those of a zone that it manages.
  await sql`
    insert into events (event_day, id, type, recipients, created_at, body, position)
    select (at at time zone 'utc')::date, id, type, recipients, at, event_body(id, type, at, '{}'), nextval('event_positions')
    from generate_series(1, 50000) as n,
      lateral (select app_now() - n * interval '1 ms' as at) made,
      lateral (select new_id('evt', at) as id, case when n in (1, 2, 50000) then 'order.paid' else 'zone.deleted' end as type,
        case when n % 2 = 0 then array[${manager}] else array[${owner}, ${manager}] end::uuid[] as recipients offset 0) kinds`.execute(
    database.db,
  )
  const path = '/webhooks/events'
  assert.deepEqual(await pagesOf(world.api(manager), `${path}?type=order.paid`), [2, 1])
  assert.deepEqual(await pagesOf(world.api(manager), `${path}?type=order.paid&limit=1`), [1, 1, 1])
  assert.deepEqual(await pagesOf(world.api(manager), `${path}?type=order.failed`), [0, 0])
})

test('the source addresses of requests are those of the setting', async () => {
  const { body } = await world.api(await world.account())('GET', '/webhooks/source-addresses')
  assert.deepEqual(body, { data: ['192.0.2.10', '2001:db8:1::/48'] })
})

test('the event types are listed with their groups', async () => {
  const { body } = await world.api(await world.account())('GET', '/api/v1/webhooks/event-types')
  assert.equal(body.data.length, 11)
  assert.deepEqual(body.groups, ['zone.*', 'order.*'])
})
