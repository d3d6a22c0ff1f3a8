import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWebhookHttp } from '#adapters/webhook-http/index.ts'
import { deleteAccount } from '#modules/accounts/delete-account.ts'
import { readAccount, restoreAccount } from '#modules/accounts/index.ts'
import { actorNamed } from '#platform/caller.ts'
import { dayOf } from '#platform/ids.ts'
import { sql } from '#platform/postgres/index.ts'
import { asAnotherProcess } from '#testing/platform/test-database.ts'
import { untilBlocked } from '#testing/until-blocked.ts'
import { deliveriesOf, startTestWorld, until } from '#testing/webhooks/test-world.ts'
import { pauseEndpoint } from './disable-endpoint.ts'
import { FanOut } from './fan-out.ts'
import { lockEndpoint } from './store.ts'

const world = await startTestWorld(createWebhookHttp)
const { database, log } = world
const elsewhere = asAnotherProcess(database.url)

function started(): FanOut {
  const fanOut = new FanOut({ database, log, onDue: () => undefined })
  fanOut.start()
  return fanOut
}

/** Publishes an event, wakes these, and waits until the event is placed. */
async function publish(fanOuts: readonly FanOut[]): Promise<void> {
  await world.publish(await world.account())
  for (const fanOut of fanOuts) fanOut.wake()
  await until(async () => {
    const { rows } = await sql`select from event_outbox`.execute(database.db)
    return rows.length === 0
  }, 'its place')
}

test('one of several workers places all events, and another takes over when it stops or dies', async () => {
  const all = [started(), started(), started()]
  await until(async () => {
    await publish(all)
    return all.filter(({ standsBy }) => standsBy).length === 2
  }, 'two that stand by')

  const active = all.find(({ standsBy }) => !standsBy) as FanOut
  await publish(all)
  assert.equal(active.standsBy, false)

  // The process is killed: no other process is woken, and the sweep finds the event.
  await active.stop()
  const others = all.filter((one) => one !== active)
  await publish(others)
  await until(() => others.filter(({ standsBy }) => !standsBy).length >= 1, 'another that goes on')

  for (const one of others) {
    one.takeOver()
    assert.equal(one.standsBy, false)
  }
  await publish(others)
  assert.ok(others.some(({ standsBy }) => !standsBy))
  await Promise.all(others.map((one) => one.stop()))
})

test('a single worker is never on standby', async () => {
  const alone = started()
  for (let i = 0; i < 5; i += 1) {
    alone.wake()
    await publish([alone])
    assert.equal(alone.standsBy, false)
  }
  await alone.stop()
})

test('events of days without a worker are placed once a worker runs again, and do not delay later events', async () => {
  await world.publish(await world.account())
  // There is no partition for that day.
  await sql`
    update event_outbox set created_at = app_now() - interval '20 days', id = new_id('evt', app_now() - interval '20 days')`.execute(
    database.db,
  )
  await world.publish(await world.account())
  const fanOut = started()
  fanOut.wake()
  await until(async () => {
    const { rows } = await sql`select from event_outbox`.execute(database.db)
    return rows.length === 0
  }, 'its place')
  const { rows } = await sql<{ id: string; day: string }>`
    select id, event_day as day from events where event_day < app_now() - interval '2 days'`.execute(database.db)
  assert.deepEqual(
    rows.map(({ day }) => day),
    rows.map(({ id }) => dayOf('evt', id)),
  )
  assert.equal(rows.length, 1)
  await fanOut.stop()
})

test('endpoints of a deleted account get its own events, and events of managed zones only after it is restored', async (t) => {
  const [owner, manager] = [await world.account(), await world.account()]
  const endpoint = await world.endpoint(manager)
  const { email } = (await readAccount(database.db, manager)) ?? assert.fail('no account')
  const fanOut = started()
  t.after(() => fanOut.stop())
  /** Whether each delivery of the endpoint so far is of an own or a shared event, oldest first. */
  const heard = async (): Promise<string[]> => {
    const zoneEvents = [
      [owner, manager],
      [manager, owner],
    ] as const
    for (const recipients of zoneEvents) await world.publish(recipients)
    await publish([fanOut])
    const { rows } = await sql<{ whose: string }>`
      select case e.recipients[1] when ${owner}::uuid then 'shared' else 'own' end as whose
      from webhook_deliveries d join events e on e.id = d.event_id and e.event_day = d.event_day
      where d.endpoint_id = ${endpoint.id} order by d.position`.execute(database.db)
    return rows.map(({ whose }) => whose)
  }
  assert.deepEqual(await heard(), ['shared', 'own'])

  const actor = actorNamed('operator', 'support')
  const also = async (): Promise<void> => undefined
  await database.transact((tx) => deleteAccount(tx, actor, manager, { also, letGo: false }))
  assert.deepEqual(await heard(), ['shared', 'own', 'own'])
  await database.transact((tx) => restoreAccount(tx, actor, email))
  assert.deepEqual(await heard(), ['shared', 'own', 'own', 'shared', 'own'])
})

test('an event published while its endpoint is being paused is skipped', async (t) => {
  const account = await world.account()
  const { id } = await world.endpoint(account)
  const fanOut = started()
  t.after(() => fanOut.stop())
  await elsewhere.transact(async (tx) => {
    await lockEndpoint(tx, id)
    await pauseEndpoint(tx, id)
    await world.publish(account)
    fanOut.wake()
    await untilBlocked(database.db)
  })
  await until(async () => (await deliveriesOf(database, id)).length === 1, 'its delivery')
  assert.equal((await deliveriesOf(database, id))[0]?.status, 'skipped')
})
