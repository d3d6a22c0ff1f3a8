import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWebhookHttp } from '#adapters/webhook-http/index.ts'
import { sql } from '#platform/db.ts'
import { FanOut } from './fan-out.ts'
import { startTestWorld, until } from './test-world.ts'

const world = await startTestWorld(createWebhookHttp)
const { database, log } = world

function started(): FanOut {
  const fanOut = new FanOut({ database, log, onDue: () => undefined })
  fanOut.start()
  return fanOut
}

/** Publishes an event, wakes these, and waits until it has its place. */
async function publish(fanOuts: readonly FanOut[]): Promise<void> {
  await world.publish(await world.account())
  for (const fanOut of fanOuts) fanOut.wake()
  await until(async () => {
    const { rows } = await sql`select from event_outbox`.execute(database.db)
    return rows.length === 0
  }, 'its place')
}

test('of several workers one comes to place all events; when it stops, another does, and when it dies, too', async () => {
  const all = [started(), started(), started()]
  await until(async () => {
    await publish(all)
    return all.filter(({ standsBy }) => standsBy).length === 2
  }, 'two that stand by')

  const active = all.find(({ standsBy }) => !standsBy) as FanOut
  await publish(all)
  assert.equal(active.standsBy, false)

  // It dies without a word: nobody else is woken, and the event is found to be neglected.
  await active.stop()
  const others = all.filter((one) => one !== active)
  await publish(others)
  await until(() => others.filter(({ standsBy }) => !standsBy).length >= 1, 'another that goes on')

  for (const one of others) one.takeOver()
  await publish(others)
  assert.ok(others.some(({ standsBy }) => !standsBy))
  await Promise.all(others.map((one) => one.stop()))
})

test('a worker alone never stands by', async () => {
  const alone = started()
  for (let i = 0; i < 5; i += 1) {
    alone.wake()
    await publish([alone])
    assert.equal(alone.standsBy, false)
  }
  await alone.stop()
})
