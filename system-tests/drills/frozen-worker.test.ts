// A worker that is frozen for longer than its lease, in the middle of the deliveries of nine lanes.
import assert from 'node:assert/strict'
import test, { after } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { giveSecret } from '../../tools/local/installation.ts'
import { eventually, type ReceivedRequest, worldForTests } from '../world/index.ts'

const lanes = 9
const events = 60
/** The worker is frozen after this many of the 540 deliveries. */
const frozenAfter = 150
const frozenMs = 40_000
/** Deliveries of a lane that may be sent before the first of them is recorded. */
const ahead = 16

const world = await worldForTests()
const { api, facts, received } = world
const database = new pg.Client({ connectionString: world.databaseUrl })
await database.connect()
after(() => database.end())

test('a worker frozen for 40 s causes at most 16 repeats per lane and no loss, and sends nothing when it continues', async (t) => {
  const names = await addEndpoints()
  const start = (await received.requests()).at(-1)?.number ?? 0
  const since = async () => (await received.requests()).filter(({ number }) => number > start)
  await received.behave({ delayMs: 20 })
  const published = await publish()
  await eventually('deliveries are under way', async () => (await since()).length >= frozenAfter)
  const pid = world.programs.service.pid ?? 0
  process.kill(pid, 'SIGSTOP')
  t.after(() => process.kill(pid, 'SIGCONT'))
  const frozenAtMs = performance.now()
  await world.alsoRun('worker', {})
  await eventually('another worker sends the rest', async () => {
    const requests = await since()
    return names.every((name) => new Set(idsOf(requests, name)).size === events)
  })
  await delay(frozenMs - (performance.now() - frozenAtMs))
  const before = (await since()).length
  process.kill(pid, 'SIGCONT')
  await eventually('it goes on', async () => (await fetch(`${facts.base_url}/readyz`)).ok)
  // Longer than any request that it had begun could take.
  await delay(12_000)
  const all = await since()
  assert.equal(all.length, before, 'nothing was sent after it went on')
  const repeats = names.map((name) => {
    const ids = idsOf(all, name)
    const firsts = [...new Set(ids)]
    assert.deepEqual(firsts, published, `first arrivals at ${name}`)
    return ids.length - firsts.length
  })
  t.diagnostic(`repeats of each lane: ${repeats.join(' ')}`)
  assert.ok(Math.max(...repeats) <= ahead, `${Math.max(...repeats)} repeats`)
  assert.ok(Math.max(...repeats) > 0, 'it was frozen in the middle of a group')
})

/** Endpoints of the demo account, each with its own name at the receiver. The existing endpoint is paused. */
async function addEndpoints(): Promise<string[]> {
  await api.call('PATCH', `/webhooks/${facts.webhook.id}`, { state: 'disabled' })
  const names = Array.from({ length: lanes }, (_, i) => `lane${i}`)
  for (const name of names) {
    const { body } = await api.call('POST', '/webhooks', { url: new URL(name, facts.receiver_url).href })
    await giveSecret(facts.receiver_log_url, name, String(body['secret']))
  }
  return names
}

/** Writes the events together, as the service writes those that do not wait. Returns their ids, in order. */
async function publish(): Promise<string[]> {
  await database.query(
    `insert into event_outbox (type, recipients, data, id, created_at)
     select 'zone.delegation_changed', array[id], '{"zone":{}}', new_id('evt', app_now()), app_now()
     from accounts, generate_series(1, $2) where email = $1`,
    [facts.account.email, events],
  )
  await database.query("select pg_notify('events_ready', '')")
  return await eventually('they have their order', async () => {
    const { rows } = await database.query(
      "select id from events where type = 'zone.delegation_changed' order by position",
    )
    return rows.length === events && rows.map(({ id }) => id as string)
  })
}

function idsOf(requests: readonly ReceivedRequest[], name: string): string[] {
  return requests.filter(({ receiver }) => receiver === name).map(({ headers }) => headers['service-event-id'] ?? '')
}
