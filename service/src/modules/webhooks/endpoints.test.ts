import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { createWebhookHttp } from '#adapters/webhook-http/index.ts'
import { actorNamed } from '#platform/caller.ts'
import { sql, type Tx } from '#platform/postgres/index.ts'
import { SecretBox } from '#platform/secrets.ts'
import { runJob } from '#testing/run-job.ts'
import { untilBlocked } from '#testing/until-blocked.ts'
import { deliveriesOf, startTestWorld, until } from '#testing/webhooks/test-world.ts'
import { createEndpoint } from './create-endpoint.ts'
import { webhookJobs } from './jobs.ts'

const world = await startTestWorld(createWebhookHttp)
const { database } = world
const { api } = world

const url = `https://${world.receiver.httpsAddress}/hooks/endpoints`

test('only the creation of an endpoint returns its secret; lists and reads omit it', async () => {
  const call = api(await world.account())
  const made = await call('POST', '/api/v1/webhooks', { url, description: 'Mine' })
  assert.equal(made.status, 201)
  const { secret, ...endpoint } = made.body
  assert.match(secret, /^whsec_/)
  assert.match(endpoint.id, /^whe_/)
  assert.deepEqual(endpoint, {
    id: endpoint.id,
    url,
    events: null,
    zones: null,
    headers: [],
    description: 'Mine',
    state: 'enabled',
    disabled_at: null,
    disabled_reason: null,
    status: null,
    last_delivery: null,
    last_status: null,
    retry: null,
    created_at: endpoint.created_at,
  })
  assert.deepEqual((await call('GET', '/api/v1/webhooks')).body, { data: [endpoint], next_cursor: null })
  assert.deepEqual((await call('GET', `/webhooks/${endpoint.id}`)).body, endpoint)
  assert.equal((await call('DELETE', `/api/v1/webhooks/${endpoint.id}`)).status, 204)
  assert.equal((await call('GET', `/api/v1/webhooks/${endpoint.id}`)).status, 404)
  assert.equal((await call('DELETE', `/api/v1/webhooks/${endpoint.id}`)).status, 404)
})

test('a secret is stored sealed', async () => {
  const made = await api(await world.account())('POST', '/api/v1/webhooks', { url })
  const { rows } = await sql<{
    secrets: Buffer[]
  }>`select secrets from webhook_endpoints where id = ${made.body.id}`.execute(database.db)
  assert.equal(
    rows[0]?.secrets.some((sealed) => sealed.includes('whsec_')),
    false,
  )
})

test('all unknown events are reported at once, by position', async () => {
  const call = api(await world.account())
  const { status, body } = await call('POST', '/api/v1/webhooks', {
    url,
    events: ['order.*', 'nonsense', 'order.shipped'],
  })
  assert.equal(status, 422)
  assert.equal(body.error.code, 'validation_failed')
  assert.deepEqual(
    body.error.details.map((detail: { path: string }) => detail.path),
    ['/events/1', '/events/2'],
  )
  assert.equal((await call('POST', '/api/v1/webhooks', { url, events: [] })).status, 422)
})

test('a URL that is not public, or not https, is rejected', async () => {
  const call = api(await world.account())
  for (const refused of [
    'https://10.0.0.1/',
    'https://localhost/',
    'https://0x7f.1/',
    'http://example.com/',
    'https://a:b@example.com/',
  ]) {
    const { status, body } = await call('POST', '/api/v1/webhooks', { url: refused })
    assert.deepEqual(
      [status, body.error.code, body.error.details[0].path],
      [422, 'address_not_public', '/url'],
      refused,
    )
  }
  assert.equal((await call('POST', '/api/v1/webhooks', { url: 'nonsense' })).body.error.code, 'validation_failed')
})

test('the error for a rejected address says only that it is not public', async () => {
  const call = api(await world.account())
  const endpoint = (await call('POST', '/api/v1/webhooks', { url })).body
  for (const refused of ['10.0.0.1', '127.1:8443', '169.254.169.254', '[fd00::1]', '[::ffff:a00:1]', 'db.internal'])
    for (const [method, path] of [
      ['POST', '/api/v1/webhooks'],
      ['PATCH', `/api/v1/webhooks/${endpoint.id}`],
    ] as const) {
      const { status, body } = await call(method, path, { url: `https://${refused}/hook` })
      const message = 'The address is not public.'
      const { code, message: said, details } = body.error
      assert.deepEqual([status, code, said], [422, 'address_not_public', message], `${method} ${refused}`)
      assert.deepEqual(details, [{ path: '/url', code: 'address_not_public', message }])
    }
})

test('an account has at most 10 endpoints, however many it requests concurrently', async () => {
  const call = api(await world.account())
  const made = await Promise.all(Array.from({ length: 14 }, () => call('POST', '/api/v1/webhooks', { url })))
  assert.deepEqual(made.map((answer) => answer.status).sort(), [...Array(10).fill(201), ...Array(4).fill(409)])
  assert.equal(made.find((answer) => answer.status === 409)?.body.error.code, 'endpoint_limit')
  const first = await call('GET', '/api/v1/webhooks?limit=6')
  const rest = await call('GET', `/api/v1/webhooks?limit=6&cursor=${first.body.next_cursor}`)
  assert.equal(new Set([...first.body.data, ...rest.body.data].map((one: { id: string }) => one.id)).size, 10)
  assert.equal(rest.body.next_cursor, null)
})

test('if two endpoints are created concurrently, the second one counts the first', async () => {
  const accountId = await world.account()
  for (let n = 0; n < 9; n++) assert.equal((await api(accountId)('POST', '/api/v1/webhooks', { url })).status, 201)
  const by = { actor: actorNamed('system', 'test'), secrets: new SecretBox(randomBytes(32)) }
  const make = (tx: Tx) => createEndpoint(tx, by, { accountId, url, events: null, description: '' })
  const [made, mayCommit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const tenth = database.transact(async (tx) => {
    await make(tx)
    made.resolve()
    await mayCommit.promise
  })
  await made.promise
  const eleventh = database.transact(make).then(
    () => 'made',
    ({ code }) => code,
  )
  await untilBlocked(database.db).finally(() => mayCommit.resolve())
  await tenth
  assert.equal(await eleventh, 'endpoint_limit')
})

test("an account cannot see or delete another account's endpoints", async () => {
  const made = await api(await world.account())('POST', '/api/v1/webhooks', { url })
  const other = api(await world.account())
  assert.equal((await other('GET', `/api/v1/webhooks/${made.body.id}`)).status, 404)
  assert.equal((await other('DELETE', `/api/v1/webhooks/${made.body.id}`)).status, 404)
  assert.deepEqual((await other('GET', '/api/v1/webhooks')).body.data, [])
})

test('an endpoint shows the outcome of its latest delivery', async () => {
  const account = await world.account()
  const endpoint = await world.endpoint(account)
  const engine = world.engine()
  endpoint.behave({ status: 418 })
  await world.publish(account)
  await until(async () => (await deliveriesOf(database, endpoint.id))[0]?.attempts === 1, 'the attempt')
  const { body } = await api(account)('GET', `/api/v1/webhooks/${endpoint.id}`)
  assert.deepEqual([body.status, body.last_status], ['pending', 418])
  await engine.stop()
})

test('an endpoint that is deleted during a delivery gets nothing more', async () => {
  const account = await world.account()
  const endpoint = await world.endpoint(account)
  endpoint.behave({ delayMs: 150 })
  const engine = world.engine()
  await world.publish(account)
  await world.publish(account)
  await endpoint.until(1)
  assert.equal((await api(account)('DELETE', `/api/v1/webhooks/${endpoint.id}`)).status, 204)
  await until(
    async () => (await deliveriesOf(database, endpoint.id))[0]?.status === 'succeeded',
    'the record of the first',
  )
  await tidy()
  assert.equal(await waitingFor(endpoint.id), 0)
  await engine.stop()
  assert.equal(endpoint.received().length, 1)
})

test('an endpoint is deleted immediately, and the hourly job removes only its pending deliveries', async () => {
  const account = await world.account()
  const [deleted, kept] = [await world.endpoint(account), await world.endpoint(account)]
  for (const { id } of [deleted, kept])
    await sql`
      insert into webhook_queue (endpoint_id, position, event_day, delivery_id, event_id, event_type)
      select ${id}, n, app_now()::date, 'dlv_' || n, 'evt_' || n, 'zone.deleted' from generate_series(1, 25000) as n`.execute(
      database.db,
    )
  assert.equal((await api(account)('DELETE', `/api/v1/webhooks/${deleted.id}`)).status, 204)
  assert.equal(await waitingFor(deleted.id), 25_000, 'not in the transaction, for which the fan-out waits')
  assert.equal((await api(account)('GET', `/api/v1/webhooks/${deleted.id}`)).status, 404)
  await tidy()
  assert.equal(await waitingFor(deleted.id), 0)
  assert.equal(await waitingFor(kept.id), 25_000)
  await sql`delete from webhook_queue where endpoint_id = ${kept.id}`.execute(database.db)
})

async function waitingFor(endpointId: string): Promise<number> {
  return (await sql`select 1 from webhook_queue where endpoint_id = ${endpointId}`.execute(database.db)).rows.length
}

async function tidy(): Promise<void> {
  await runJob(webhookJobs, 'tidy-webhook-endpoints', database)
}

test('deliveries, attempts and the queue are removed with their events after 30 days', async () => {
  const account = await world.account()
  const endpoint = await world.endpoint(account)
  endpoint.behave({ status: 500 })
  const engine = world.engine()
  await world.publish(account)
  await until(async () => (await deliveriesOf(database, endpoint.id))[0]?.attempts === 1, 'the attempt')
  await engine.stop()
  await world.clock.pass('31 days')
  for (const job of webhookJobs) await job.run(database)
  assert.deepEqual(await deliveriesOf(database, endpoint.id), [])
  for (const table of ['webhook_queue', 'webhook_attempts', 'events'])
    assert.equal((await sql`select 1 from ${sql.table(table)}`.execute(database.db)).rows.length, 0, table)
})
