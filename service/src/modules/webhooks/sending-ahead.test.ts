import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWebhookHttp } from '#adapters/webhook-http/index.ts'
import { sql } from '#platform/postgres/index.ts'
import type { WebhookHttp } from '#ports/webhook-http.ts'
import { type Call, deliveriesOf, startTestWorld, type TestEndpoint, until } from '#testing/webhooks/test-world.ts'
import { aheadLimits } from './rules.ts'

const world = await startTestWorld(createWebhookHttp)
const { database, clock } = world

/** An endpoint with this many pending deliveries. */
async function waiting(count: number) {
  const account = await world.account()
  const endpoint = await world.endpoint(account)
  for (let i = 0; i < count; i += 1) await world.publish(account)
  await world.fanOut(endpoint, count)
  return { account, endpoint, call: world.api(account) }
}

function idsOf(endpoint: TestEndpoint): string[] {
  return endpoint.received().map(({ event_id }) => event_id ?? '')
}

const isRecorded = async (endpoint: TestEndpoint) =>
  (await deliveriesOf(database, endpoint.id)).every(({ status }) => status !== 'pending')

/** An adapter that holds the response to its n-th post until it is released. */
function holdingPost(n: number) {
  const held = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  let posts = 0
  const http: WebhookHttp = {
    refusal: (url) => world.http.refusal(url),
    close: () => world.http.close(),
    post: async (request) => {
      posts += 1
      const isHeld = posts === n
      const answer = await world.http.post(request)
      if (isHeld) {
        held.resolve()
        await released.promise
      }
      return answer
    },
  }
  return { http, held: held.promise, letGo: released.resolve }
}

test('pending deliveries of an endpoint are recorded in groups, and arrive in order, each once', async () => {
  const count = 60
  const { endpoint } = await waiting(count)
  let transactions = 0
  const engine = world.engine({
    database: {
      ...database,
      transact: (work) => {
        transactions += 1
        return database.transact(work)
      },
    },
  })
  await endpoint.until(count)
  await until(() => isRecorded(endpoint), 'all records')
  await engine.stop()
  const { rows } = await sql<{ event: string }>`
    select event_id as event from webhook_deliveries where endpoint_id = ${endpoint.id} order by position`.execute(
    database.db,
  )
  assert.deepEqual(
    idsOf(endpoint),
    rows.map(({ event }) => event),
  )
  assert.deepEqual(
    (await deliveriesOf(database, endpoint.id)).map(({ requests }) => requests),
    Array.from({ length: count }, () => 1),
  )
  assert.ok(transactions < count / 2, `${transactions} transactions for ${count} deliveries`)
})

test('if a worker is killed within a group, at most 16 deliveries are repeated, in order, with the same ids', async (t) => {
  const count = 40
  const { endpoint } = await waiting(count)
  // As after kill -9: it has the response, but never records the group.
  const killed = holdingPost(10)
  t.after(() => killed.letGo())
  const dead = world.engine({ http: killed.http })
  await killed.held
  const stopped = dead.stop() // claims nothing more
  const before = idsOf(endpoint)
  await clock.pass('31 s')
  const alive = world.engine()
  await until(() => isRecorded(endpoint), 'all records')
  const all = idsOf(endpoint)
  const firsts = [...new Set(all)]
  assert.equal(firsts.length, count, 'none is lost')
  const again = all.slice(before.length).filter((id) => before.includes(id))
  assert.ok(again.length > 0 && again.length <= aheadLimits.deliveries, `${again.length} came again`)
  assert.deepEqual(again, before.slice(-again.length), 'the last ones, in order')
  assert.deepEqual(all.slice(before.length), firsts.slice(before.length - again.length))
  killed.letGo()
  await Promise.all([stopped, alive.stop()])
})

/** Makes a change while the fourth of twelve deliveries, the third of its group, is being sent. */
async function inTheMiddle(
  change: (call: Call, endpoint: TestEndpoint) => Promise<unknown>,
  {
    before = async () => undefined,
    isOver = isRecorded,
  }: {
    before?: (endpoint: TestEndpoint) => Promise<unknown>
    isOver?: (endpoint: TestEndpoint) => Promise<boolean>
  } = {},
): Promise<TestEndpoint> {
  const { endpoint, call } = await waiting(12)
  await before(endpoint)
  const post = holdingPost(4)
  const engine = world.engine({ http: post.http })
  // After the engine's own listener.
  const told = new Promise<void>((resolve) => {
    world.wake.on('lanes_changed', (ids) => {
      if (ids.includes(endpoint.id)) resolve()
    })
  })
  await post.held
  await change(call, endpoint)
  await told
  post.letGo()
  await until(() => isOver(endpoint), 'its end')
  await engine.stop()
  return endpoint
}

const succeeded = async (endpoint: TestEndpoint) =>
  (await deliveriesOf(database, endpoint.id)).filter(({ status }) => status === 'succeeded').length

test('a pause ends a group: deliveries that have not been sent are skipped', async () => {
  const endpoint = await inTheMiddle((call, { id }) => call('PATCH', `/webhooks/${id}`, { state: 'disabled' }))
  assert.deepEqual([endpoint.received().length, await succeeded(endpoint)], [4, 4])
})

test('a new secret ends a group: the next delivery is signed only with it', async () => {
  const endpoint = await inTheMiddle(async (call, { id, received }) => {
    const { body } = await call('POST', `/webhooks/${id}/rotate-secret`, { overlap_hours: 0 })
    world.receiver.inbox.setSecret(received()[0]?.receiver ?? '', body.secret)
  })
  assert.deepEqual(
    endpoint.received().map(({ verified }) => verified),
    Array.from({ length: 12 }, () => true),
  )
})

test('a new URL ends a group: the next delivery is sent to it', async () => {
  const { inbox, httpsAddress } = world.receiver
  const endpoint = await inTheMiddle((call, { id, secret }) => {
    inbox.setSecret('moved', secret)
    return call('PATCH', `/webhooks/${id}`, { url: `https://${httpsAddress}/hooks/moved` })
  })
  assert.deepEqual([endpoint.received().length, inbox.received('moved').length], [4, 8])
})

test('a resend ends a group, and is sent before deliveries that were never attempted', async () => {
  let event = ''
  const endpoint = await inTheMiddle(
    (call, { id }) => call('POST', `/webhooks/${id}/recover`, { since: new Date(0).toISOString() }),
    {
      before: async ({ id }) => {
        const { rows } = await sql<{ event: string }>`
        with failed as (
          update webhook_deliveries set status = 'failed'
          where id = (select delivery_id from webhook_queue where endpoint_id = ${id} order by position limit 1)
          returning endpoint_id, position, event_id
        ), left_out as (
          delete from webhook_queue q using failed where q.endpoint_id = failed.endpoint_id and q.position = failed.position
        ) select event_id as event from failed`.execute(database.db)
        event = rows[0]?.event ?? ''
      },
    },
  )
  assert.equal(idsOf(endpoint).indexOf(event), 4)
})

test('a deleted endpoint gets nothing more of a group', async () => {
  const endpoint = await inTheMiddle((call, { id }) => call('DELETE', `/webhooks/${id}`), {
    isOver: async (deleted) => (await succeeded(deleted)) >= 4,
  })
  assert.equal(endpoint.received().length, 4)
})
