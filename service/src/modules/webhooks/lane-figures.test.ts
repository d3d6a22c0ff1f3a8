import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWebhookHttp } from '#adapters/webhook-http/index.ts'
import { showFromDatabase } from '#platform/figures/database-figures.ts'
import { createMetrics } from '#platform/figures/metrics.ts'
import { openDatabase } from '#platform/postgres/index.ts'
import { figuresOf } from '#testing/figures.ts'
import { startTestWorld, until } from '#testing/webhooks/test-world.ts'
import { laneFigures } from './lane-figures.ts'

const world = await startTestWorld(createWebhookHttp)
const figure = figuresOf(world.database.db, laneFigures)

test('metrics report due lanes, how long the oldest one has waited, and failing lanes', async () => {
  const account = await world.account()
  const endpoint = await world.endpoint(account)
  endpoint.behave({ status: 500 })
  const engine = world.engine()
  await world.publish(account)
  await until(async () => (await figure('webhook_lanes_failing')) === 1, 'the failure')
  assert.equal(await figure('webhook_lanes_due'), 0)
  assert.equal(await figure('webhook_oldest_due_seconds'), 0)
  await engine.stop()
  await world.clock.pass('90 s')
  assert.equal(await figure('webhook_lanes_due'), 1)
  const oldest = await figure('webhook_oldest_due_seconds')
  assert.ok(oldest >= 25 && oldest < 90, `${oldest} s`)
  assert.equal(await figure('webhook_lanes_failing'), 1)
})

test('while the database is unavailable, unknown metrics are NaN, and the others are still reported', async () => {
  const away = createMetrics()
  const closed = openDatabase('postgres://nobody@127.0.0.1:9/none', { application: 'test' })
  showFromDatabase({ metrics: away, db: closed.db, log: world.log }, laneFigures)
  const told = await away.metrics()
  assert.match(told, /^webhook_lanes_due Nan$/m)
  assert.match(told, /^process_cpu_seconds_total \d/m)
  await closed.close()
})
