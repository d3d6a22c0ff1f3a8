import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Actor, actorNamed, actorOf } from '#platform/caller.ts'
import { sql } from '#platform/postgres/index.ts'
import { moveClock } from '#testing/move-clock.ts'
import { cloneDatabase } from '#testing/platform/test-database.ts'
import { recordAudit } from './store.ts'

const database = await cloneDatabase()
const { db } = database
const accountId = '11111111-1111-4111-8111-111111111111'

const record = (actor: Actor, summary = 'Something was done') =>
  database.transact((tx) => recordAudit(tx, { accountId, actor, action: 'thing.done', summary }))

async function actors() {
  return (
    await sql`select actor_kind as kind, actor_name as name, actor_id as id, request_id, host(address) as address from audit_log order by audit_log.id`.execute(
      db,
    )
  ).rows
}

test('an entry has the name of its actor: of the key, the person, the service or the operator', async () => {
  const request = { id: 'req_1', ip: '2001:db8::7' }
  await record(
    actorOf(
      {
        kind: 'key',
        accountId,
        keyId: 'key_1',
        keyName: 'Deploy bot',
        permissions: new Set(),
        allZones: true,
        isLimited: false,
      },
      request,
    ),
  )
  await record(actorOf({ kind: 'session', accountId, sessionId: 's_1', name: 'Ada' }, request))
  await record(actorNamed('operator', 'root@host'))
  await record(actorNamed('system', 'verification'))
  const at = { request_id: 'req_1', address: '2001:db8::7' }
  const nowhere = { request_id: null, address: null }
  assert.deepEqual(await actors(), [
    { kind: 'key', name: 'Deploy bot', id: 'key_1', ...at },
    { kind: 'session', name: 'Ada', id: accountId, ...at },
    { kind: 'operator', name: 'root@host', id: null, ...nowhere },
    { kind: 'system', name: 'verification', id: null, ...nowhere },
  ])
})

test('rejects updates and deletions of entries', async () => {
  const before = await actors()
  await assert.rejects(sql`update audit_log set summary = 'nothing happened'`.execute(db), /append-only/)
  await assert.rejects(sql`delete from audit_log`.execute(db), /append-only/)
  assert.deepEqual(await actors(), before)
})

test('a change is rolled back if its entry cannot be written', async () => {
  await assert.rejects(
    database.transact(async (tx) => {
      await sql`insert into accounts (email) values ('unaudited@example.net')`.execute(tx)
      await recordAudit(tx, {
        accountId,
        actor: { ...actorNamed('system', 'x'), address: 'no address' },
        action: 'a',
        summary: 's',
      })
    }),
  )
  assert.deepEqual((await sql`select from accounts where email = 'unaudited@example.net'`.execute(db)).rows, [])
})

test('entries can be written on every day of the next 34 days', async () => {
  for (const ahead of ['1 day', '15 days', '34 days']) {
    await moveClock(database, ahead)
    await record(actorNamed('system', 'clock'))
  }
  await moveClock(database, '0 seconds')
})
