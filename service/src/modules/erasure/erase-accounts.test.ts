import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { deleteAccount } from '#modules/accounts/delete-account.ts'
import { restoreAccount } from '#modules/accounts/index.ts'
import { publish } from '#modules/events/index.ts'
import { webhookJobs } from '#modules/webhooks/index.ts'
import { actorNamed } from '#platform/caller.ts'
import { createLogger } from '#platform/log.ts'
import { sql } from '#platform/postgres/index.ts'
import { eventually } from '#testing/eventually.ts'
import { moveClock } from '#testing/move-clock.ts'
import { runJob } from '#testing/run-job.ts'
import { startTestApi, testReceiver } from '#testing/test-api.ts'
import { testContact } from '#testing/test-contact.ts'
import { untilBlocked } from '#testing/until-blocked.ts'
import { FanOut } from '../webhooks/fan-out.ts'
import { closeAccount } from './close-account.ts'
import { eraseHeldAccounts } from './erase-accounts.ts'

const api = await startTestApi()
const { database } = api
const actor = actorNamed('operator', 'support')
// Fan-out alone: deliveries are written and wait for a worker.
const fanOut = new FanOut({ database, log: createLogger('test', 'silent'), onDue: () => undefined })
fanOut.start()
after(() => fanOut.stop())

const owner = await api.account('owner@example.net')

/** Creates an account with some of everything: its own objects, and shares of other accounts' objects. */
async function somebody(email: string): Promise<string> {
  const id = await api.account(email)
  const key = await api.key(id)
  await api.zone(id, `${id}.example.com`)
  const shared = await api.zone(owner, `shared-${id}.example.com`)
  await sql`insert into zone_managers (zone_id, account_id) values (${shared.id}, ${id})`.execute(database.db)
  await sql`
    with made as (
      insert into domains (name, tld, account_id, state, order_id, auto_renew)
      values (${`${id}.test`}, 'test', ${owner}, 'held', 'ord_1', false) returning id
    ) insert into domain_managers (domain_id, account_id) select id, ${id} from made`.execute(database.db)
  const other = await api.zone(owner, `offered-${id}.example.com`)
  await sql`
    with invited as (
      insert into zone_invitations (id, zone_id, email, inviter, expires_at)
      values (${id}, ${other.id}, ${email}, 'owner@example.net', app_now() + interval '30 days')
    ) insert into domain_invitations (id, domain_id, email, inviter, expires_at)
      select ${id}, max(id), ${email}, 'owner@example.net', app_now() + interval '30 days' from domains`.execute(
    database.db,
  )
  await sql`update api_keys set last_used_ip = '192.0.2.9' where account_id = ${id}`.execute(database.db)
  const endpoint = await api.call('POST', '/webhooks', { key, body: { url: testReceiver } })
  assert.equal((await api.call('POST', '/contacts', { key, body: testContact })).status, 201)
  assert.equal(endpoint.status, 201)
  await database.transact((tx) =>
    publish(tx, { type: 'zone.delegation_changed', recipients: [id], held: null, data: {} }),
  )
  fanOut.wake()
  await eventually('a delivery waits for a worker', async () => (await left(id)).webhook_queue === 1)
  return id
}

/** The number of an account's rows in each table. */
async function left(id: string): Promise<Record<string, number>> {
  const own = (table: string) => sql`(select count(*)::int from ${sql.table(table)} where account_id = ${id})`
  const ofEndpoints = (table: string) => sql`
    (select count(*)::int from ${sql.table(table)} where endpoint_id in (select d.endpoint_id from webhook_deliveries d
      join events e on e.id = d.event_id and e.event_day = d.event_day where e.recipients[1] = ${id}))`
  const { rows } = await sql<Record<string, number>>`
    select ${own('webhook_endpoints')} as webhook_endpoints, ${ofEndpoints('webhook_lanes')} as webhook_lanes,
      ${ofEndpoints('webhook_queue')} as webhook_queue, ${own('contacts')} as contacts,
      ${own('zone_managers')} as zone_managers, ${own('domain_managers')} as domain_managers,
      (select count(*)::int from api_keys where account_id = ${id} and last_used_ip is not null) as used_keys,
      (select count(*)::int from zone_invitations where id = ${id}) + (select count(*)::int from domain_invitations where id = ${id}) as invitations,
      (select count(*)::int from zones where account_id = ${id} and state <> 'deleted') as zones`.execute(database.db)
  return rows[0] ?? {}
}

const remove = (id: string): Promise<void> =>
  database.transact((tx) => deleteAccount(tx, actor, id, { also: closeAccount, letGo: false }))
const erase = (): Promise<number> => eraseHeldAccounts(database, api.verification.delegate)
const everything = {
  webhook_endpoints: 1,
  webhook_lanes: 1,
  webhook_queue: 1,
  contacts: 1,
  zone_managers: 1,
  domain_managers: 1,
  used_keys: 1,
  invitations: 2,
  zones: 1,
}
const nothing = Object.fromEntries(Object.keys(everything).map((table) => [table, 0]))

test('after seven days, an account’s zones, endpoints, contacts and shares are erased, with everything that depends on them', async () => {
  const id = await somebody('leaver@example.net')
  const other = await somebody('stayer@example.net')
  await remove(id)
  await moveClock(database, '6 days 23 hours')
  assert.equal(await erase(), 0)
  assert.deepEqual(await left(id), everything, 'nothing before')
  await moveClock(database, '7 days 1 minute')
  assert.equal(await erase(), 1)
  const { webhook_queue: queued = 0, ...others } = await left(id)
  assert.deepEqual({ ...others, webhook_queue: 0 }, nothing)
  // There are two if the deletion of its zone was fanned out before the endpoint was deleted.
  assert.ok(queued === 1 || queued === 2, `${queued} deliveries`)
  await runJob(webhookJobs, 'tidy-webhook-endpoints', database)
  assert.deepEqual(await left(id), nothing, 'what waited for its endpoint goes within the hour')
  assert.deepEqual(await left(other), everything, 'nobody else’s')
  assert.equal(await erase(), 0, 'once')
  await moveClock(database, '0 seconds')
})

test('an account that support restores within seven days keeps everything', async () => {
  const id = await somebody('hesitant@example.net')
  await remove(id)
  assert.equal(await database.transact((tx) => restoreAccount(tx, actor, 'hesitant@example.net')), id)
  await moveClock(database, '8 days')
  assert.equal(await erase(), 0)
  assert.deepEqual(await left(id), everything)
  await moveClock(database, '0 seconds')
})

test('an account that support is restoring as its seven days end keeps everything; later, it is too late', async () => {
  const id = await somebody('last-minute@example.net')
  await remove(id)
  const [restored, mayCommit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const restoring = database.transact(async (tx) => {
    await restoreAccount(tx, actor, 'last-minute@example.net')
    restored.resolve()
    await mayCommit.promise
  })
  await restored.promise
  await moveClock(database, '7 days 1 minute')
  const erasing = erase()
  await untilBlocked(database.db).finally(() => mayCommit.resolve())
  await restoring
  assert.equal(await erasing, 0)
  assert.deepEqual(await left(id), everything)

  await remove(id)
  await moveClock(database, '14 days 2 minutes')
  await assert.rejects(
    database.transact((tx) => restoreAccount(tx, actor, 'last-minute@example.net')),
    { code: 'not_found', message: 'No account for last-minute@example.net was deleted in the last 7 days.' },
  )
  assert.equal(await erase(), 1)
  await moveClock(database, '0 seconds')
})
