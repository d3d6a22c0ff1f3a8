import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { createWebhookHttp } from '#adapters/webhook-http/index.ts'
import { sql } from '#platform/db.ts'
import { SecretBox } from '#platform/secrets.ts'
import type { Done, DueDelivery, LaneWork } from './attempt.ts'
import { FanOut } from './fan-out.ts'
import { Finisher } from './finisher.ts'
import { claimLanes } from './lane-store.ts'
import { deliveriesOf, startTestWorld, until } from './test-world.ts'

const world = await startTestWorld(createWebhookHttp)
const { database, log } = world
const telling = { secrets: new SecretBox(randomBytes(32)), site: 'https://zonewright.test' }

/** A lane that is claimed, and has its first delivery to send. */
async function claimedLane(): Promise<LaneWork & { delivery: DueDelivery }> {
  const account = await world.account()
  const { id } = await world.endpoint(account)
  await world.publish(account)
  const fanOut = new FanOut({ database, log, onDue: () => undefined })
  fanOut.start()
  await until(async () => (await deliveriesOf(database, id)).length === 1, 'the delivery')
  await fanOut.stop()
  const [work] = await database.transact((tx) => claimLanes(tx, { healthy: 1, struggling: 0 }))
  assert.ok(work?.endpointId === id && work.delivery)
  return { ...work, delivery: work.delivery }
}

function ended(work: LaneWork): Done {
  const attempt = {
    startedAt: work.now,
    durationMs: 5,
    status: 200,
    failure: null,
    requestHeaders: {},
    responseHeaders: {},
    responseBody: '',
  }
  return { work, attempt, keep: false }
}

async function finish(done: Done): Promise<void> {
  const finisher = new Finisher({ database, log, telling })
  await finisher.finish(done)
  await finisher.stop()
}

test('what PostgreSQL lost in a crash is booked on nothing that has its position since', async () => {
  const work = await claimedLane()
  const { delivery } = work
  await finish(ended({ ...work, lease: randomUUID(), delivery: { ...delivery, id: 'dlv_that_was_lost' } }))
  const { rows } = await sql`select delivery_id from webhook_queue where endpoint_id = ${work.endpointId}`.execute(
    database.db,
  )
  assert.deepEqual(rows, [{ delivery_id: delivery.id }], 'it is still to be sent')
  await finish(ended(work))
  assert.equal((await deliveriesOf(database, work.endpointId))[0]?.status, 'succeeded')
})
