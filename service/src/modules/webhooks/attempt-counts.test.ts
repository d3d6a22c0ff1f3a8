import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWebhookHttp } from '#adapters/webhook-http/index.ts'
import { sql } from '#platform/postgres/index.ts'
import { runJob } from '#testing/run-job.ts'
import { type Call, startTestWorld } from '#testing/webhooks/test-world.ts'
import type { Attempt } from './attempt.ts'
import { AttemptCounts } from './attempt-counts.ts'
import { webhookJobs } from './jobs.ts'

const world = await startTestWorld(createWebhookHttp)
const { database, log } = world

/** An hour or a day of an endpoint, as `succeeded failed average slowest`. */
async function countsOf(call: Call, id: string, query = ''): Promise<string[]> {
  const { status, body } = await call('GET', `/webhooks/${id}/statistics${query}`)
  assert.equal(status, 200, JSON.stringify(body))
  return body.data.map((one: Record<string, unknown>) =>
    ['succeeded', 'failed', 'average_ms', 'slowest_ms'].map((name) => one[name]).join(' '),
  )
}

const nothing = '0 0  '

const attemptAt = (startedAt: Date, durationMs: number, failure: Attempt['failure'] = null): Attempt => ({
  ...{ startedAt, durationMs, failure, status: null, failureDetail: null, resent: false },
  ...{ requestHeaders: {}, responseHeaders: null, responseBody: null },
})

test('attempts are counted per hour, including failed ones and tests, each exactly once', async () => {
  const { engine, account, call, endpoint } = await world.delivering()
  await world.publish(account)
  await endpoint.until(1)
  endpoint.behave({ status: 500 })
  assert.equal((await call('POST', `/webhooks/${endpoint.id}/test`)).body.status, 'failed')
  await engine.stop()
  const { data } = (await call('GET', `/webhooks/${endpoint.id}/statistics?points=2`)).body
  const sumOf = (name: string) => data.reduce((sum: number, one: Record<string, number>) => sum + (one[name] ?? 0), 0)
  assert.deepEqual([sumOf('succeeded'), sumOf('failed')], [1, 1])
  assert.ok(sumOf('average_ms') <= sumOf('slowest_ms'))
  assert.equal(Date.parse(data[1].at) % 3_600_000, 0)
  assert.equal((await countsOf(call, endpoint.id)).length, 24)
  assert.equal((await countsOf(call, endpoint.id, '?step=day')).length, 7)
})

test('counts of several processes add up, days sum their hours, and hours without attempts are included', async () => {
  const account = await world.account()
  const call = world.api(account)
  const { id } = await world.endpoint(account)
  const now = new Date()
  const noon = new Date(Math.floor(now.getTime() / 86_400_000) * 86_400_000 - 43_200_000)
  const hoursAgo = Math.floor(now.getTime() / 3_600_000) - noon.getTime() / 3_600_000
  const processes = [new AttemptCounts({ database, log }), new AttemptCounts({ database, log })]
  for (const [n, counts] of processes.entries()) {
    counts.count(id, attemptAt(noon, 100 * (n + 1)))
    counts.count(id, attemptAt(new Date(noon.getTime() + 3_599_999), 900, 'timeout'))
    counts.count(id, attemptAt(new Date(noon.getTime() + 3_600_000), 10))
  }
  await Promise.all(processes.map((counts) => counts.stop()))
  await processes[0]?.stop()
  const hours = await countsOf(call, id, `?points=${hoursAgo + 1}`)
  assert.deepEqual(hours.slice(0, 3), ['2 2 525 900', '2 0 10 10', nothing])
  assert.deepEqual(new Set(hours.slice(2)), new Set([nothing]))
  assert.deepEqual(await countsOf(call, id, '?step=day&points=3'), [nothing, '4 2 353 900', nothing])

  await sql`insert into webhook_hours select 'whe_old', app_now() - interval '31 days', 1, 1, 1, 1`.execute(database.db)
  await runJob(webhookJobs, 'tidy-webhook-endpoints', database)
  const { rows } = await sql`select from webhook_hours where endpoint_id = 'whe_old'`.execute(database.db)
  assert.deepEqual([rows.length, (await countsOf(call, id, '?step=day&points=3'))[1]], [0, '4 2 353 900'])
})

test('counts that could not be stored are stored the next time', async () => {
  const account = await world.account()
  const { id } = await world.endpoint(account)
  const counts = new AttemptCounts({ database, log })
  const now = new Date()
  await sql`alter table webhook_hours rename to elsewhere`.execute(database.db)
  counts.count(id, attemptAt(now, 30))
  await counts.stop()
  await sql`alter table elsewhere rename to webhook_hours`.execute(database.db)
  counts.count(id, attemptAt(now, 10))
  await counts.stop()
  assert.deepEqual(await countsOf(world.api(account), id, '?points=1'), ['2 0 20 30'])
})

test('too many points, unknown steps and endpoints of other accounts are rejected', async () => {
  const call = world.api(await world.account())
  const { id } = await world.endpoint(await world.account())
  assert.equal((await call('GET', `/webhooks/${id}/statistics`)).status, 404)
  for (const query of ['points=169', 'points=0', 'points=1.5', 'step=minute', 'points=x'])
    assert.equal((await call('GET', `/webhooks/${id}/statistics?${query}`)).status, 422, query)
})
