import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { createWebhookHttp } from '#adapters/webhook-http/index.ts'
import { Refusal } from '#platform/errors.ts'
import { type Database, sql, type Tx } from '#platform/postgres/index.ts'
import { SecretBox } from '#platform/secrets.ts'
import { deliveriesOf, startTestWorld } from '#testing/webhooks/test-world.ts'
import type { Attempt, Done, DueDelivery, LaneWork } from './attempt.ts'
import { disableFailing } from './disable-endpoint.ts'
import { Finisher } from './finisher.ts'
import { claimLanes, recordAttempts, relaxed } from './lane-store.ts'

const world = await startTestWorld(createWebhookHttp)
const { database, log } = world
const mailContext = { secrets: new SecretBox(randomBytes(32)), site: 'https://zonewright.test' }

/** A claimed lane, and its first delivery to send. */
type Claimed = LaneWork & { readonly delivery: DueDelivery }

async function claimedLane(): Promise<Claimed> {
  const account = await world.account()
  const endpoint = await world.endpoint(account)
  await world.publish(account)
  await world.fanOut(endpoint, 1)
  const [work] = await database.transact((tx) => claimLanes(tx, { healthy: 1, struggling: 0 }))
  const [delivery] = work?.deliveries ?? []
  assert.ok(work?.endpointId === endpoint.id && delivery)
  return { ...work, delivery }
}

function ended(work: Claimed, failure: Attempt['failure'] = null): Done {
  return { work, made: [{ delivery: work.delivery, attempt: attemptAt(work.now, failure) }], keep: false }
}

function attemptAt(startedAt: Date, failure: Attempt['failure']): Attempt {
  return {
    startedAt,
    durationMs: 5,
    status: failure === null ? 200 : 500,
    failure,
    failureDetail: failure && 'The receiver answered with status 500.',
    resent: false,
    requestHeaders: {},
    responseHeaders: {},
    responseBody: '',
  }
}

async function finish(done: Done, on: Database = database): Promise<void> {
  const finisher = new Finisher({ database: on, log, mailContext })
  await finisher.finish(done)
  await finisher.stop()
}

test('an attempt of a delivery that PostgreSQL lost in a crash is not recorded for another one at its position', async () => {
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

for (const failure of [null, 'status'] as const)
  test(`an attempt whose commit was in doubt but succeeded is recorded once (${failure ?? 'a success'})`, async () => {
    const work = await claimedLane()
    let commits = 0
    await finish(ended(work, failure), {
      ...database,
      transact: async (run) => {
        const result = await database.transact(run)
        commits += 1
        if (commits === 1) throw new Refusal('unavailable', 'The answer to the commit is lost.')
        return result
      },
    })
    assert.equal(commits, 2)
    const [delivery] = await deliveriesOf(database, work.endpointId)
    assert.deepEqual([delivery?.requests, delivery?.attempts], [1, 1])
    const { rows } = await sql`select number from webhook_attempts where delivery_id = ${work.delivery.id}`.execute(
      database.db,
    )
    assert.deepEqual(rows, [{ number: 1 }])
  })

test('the success of a worker that lost its lease ends the failing time, but its failure does not start one', async () => {
  const work = await claimedLane()
  const fenced = { ...work, lease: randomUUID() }
  const failingSince = async () =>
    (
      await sql<{ since: Date | null; lease: string }>`
      select failing_since as since, lease from webhook_lanes where endpoint_id = ${work.endpointId}`.execute(
        database.db,
      )
    ).rows
  await finish(ended(fenced, 'status'))
  assert.deepEqual(await failingSince(), [{ since: null, lease: work.lease }])
  await sql`
    update webhook_lanes set failing_since = app_now() - interval '4 days' where endpoint_id = ${work.endpointId}`.execute(
    database.db,
  )
  await finish(ended({ ...fenced, now: new Date(work.now.getTime() + 1_000) }))
  assert.deepEqual(await failingSince(), [{ since: null, lease: work.lease }], 'and the lane stays its holder’s')
})

test('the lane of an endpoint that must be disabled continues with nothing, even if more deliveries wait', async () => {
  const work = await claimedLane()
  const { rows } = await sql<{ account: string }>`
    select account_id as account from webhook_endpoints where id = ${work.endpointId}`.execute(database.db)
  await world.publish(rows[0]?.account ?? '')
  await world.fanOut({ id: work.endpointId }, 2)
  await sql`
    update webhook_lanes set failing_since = app_now() - interval '4 days', failing_event = 'evt_another'
    where endpoint_id = ${work.endpointId}`.execute(database.db)
  const finisher = new Finisher({ database, log, mailContext })
  const failedAgain = { ...work, delivery: { ...work.delivery, attempts: 1 } }
  assert.deepEqual(await finisher.finish({ ...ended(failedAgain, 'status'), keep: true }), { next: null, due: false })
  await finisher.stop()
})

test('an endpoint that was judged as failing is not disabled if a success has since ended its failing time', async () => {
  const { endpointId } = await claimedLane()
  const isDisabled = async (since: string | null) => {
    await sql`
      update webhook_lanes set failing_since = app_now() - ${since}::interval where endpoint_id = ${endpointId}`.execute(
      database.db,
    )
    return disableFailing(database, mailContext, endpointId)
  }
  assert.deepEqual(
    [await isDisabled(null), await isDisabled('2 days'), await isDisabled('4 days')],
    [false, false, true],
  )
})

test('the attempts of a group are recorded together, in order, and its successes end the failing time before its failure', async () => {
  const work = await claimedLane()
  const { rows } = await sql<{ account: string }>`
    select account_id as account from webhook_endpoints where id = ${work.endpointId}`.execute(database.db)
  for (let i = 0; i < 4; i++) await world.publish(rows[0]?.account ?? '')
  await world.fanOut({ id: work.endpointId }, 5)
  await sql`
    update webhook_lanes set failing_since = app_now() - interval '4 days', failing_event = 'evt_another'
    where endpoint_id = ${work.endpointId}`.execute(database.db)
  const finisher = new Finisher({ database, log, mailContext })
  const first = await finisher.finish({ ...ended(work), keep: true })
  assert.ok(first.next)
  const { deliveries } = first.next
  assert.equal(deliveries.length, 4, 'all that wait')
  const made = deliveries.slice(0, 3).map((delivery, i) => ({
    delivery,
    attempt: attemptAt(new Date(work.now.getTime() + i), i === 2 ? 'status' : null),
  }))
  const { next, due } = await finisher.finish({ work: first.next, made, keep: false })
  await finisher.stop()
  assert.deepEqual([next, due], [null, true], 'the last one still waits')
  const states = (await deliveriesOf(database, work.endpointId)).map(({ status, requests }) => `${status} ${requests}`)
  assert.deepEqual(states, ['succeeded 1', 'succeeded 1', 'succeeded 1', 'pending 1', 'pending 0'])
  const lanes = await sql<{ event: string; young: boolean }>`
    select failing_event as event, failing_since > app_now() - interval '1 hour' as young from webhook_lanes
    where endpoint_id = ${work.endpointId}`.execute(database.db)
  assert.deepEqual(lanes.rows, [{ event: made[2]?.delivery.eventId, young: true }])
})

/** What `explain (analyze, format json)` reports about a part of a plan. */
interface PlanNode {
  readonly 'Rows Removed by Join Filter'?: number
  readonly 'Actual Loops': number
  readonly Plans?: readonly PlanNode[]
}

/** The number of compared row pairs that did not match. */
function mismatches(node: PlanNode): number {
  const below = (node.Plans ?? []).map(mismatches).reduce((sum, one) => sum + one, 0)
  return below + (node['Rows Removed by Join Filter'] ?? 0) * node['Actual Loops']
}

test('attempts that are recorded together are not compared with one another', async () => {
  const account = await world.account()
  const endpoint = await world.endpoint(account)
  const count = 40
  for (let i = 0; i < count; i++) await world.publish(account)
  await world.fanOut(endpoint, count)
  const { rows: deliveries } = await sql<DueDelivery>`
    select delivery_id as id, event_day as "eventDay", event_id as "eventId", event_type as "eventType", position, attempts, manual,
      test as "isTest", retry_at::text as "dueAt"
    from webhook_queue where endpoint_id = ${endpoint.id} order by position`.execute(database.db)
  const made = deliveries.map((delivery) => ({
    endpointId: endpoint.id,
    delivery,
    attempt: attemptAt(new Date(), null),
  }))
  const plans: PlanNode[] = []
  await database.transact(async (tx) => {
    await tx.apply(relaxed)
    const explaining: Tx = {
      ...tx,
      run: async ({ text, values }) => {
        const explained = sql.numbered(`explain (analyze, format json) ${text}`, values)
        const [row] = (await tx.run(explained)).rows as { 'QUERY PLAN': { Plan: PlanNode }[] }[]
        for (const { Plan } of row?.['QUERY PLAN'] ?? []) plans.push(Plan)
        return { rows: [] }
      },
    }
    await recordAttempts(explaining, deliveries[0]?.eventDay ?? '', made, new Set([endpoint.id]))
  })
  assert.equal(plans.length, 1)
  assert.ok(plans.map(mismatches).every((pairs) => pairs < count))
  const states = (await deliveriesOf(database, endpoint.id)).map(({ status, attempts }) => `${status} ${attempts}`)
  assert.deepEqual(states, Array(count).fill('succeeded 1'))
})
