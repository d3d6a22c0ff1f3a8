import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addRegistered } from '#modules/domains/index.ts'
import { actorNamed } from '#platform/caller.ts'
import { sql } from '#platform/postgres/index.ts'
import { startTestApi } from '#testing/test-api.ts'
import { addBoughtZone } from './bought-zone.ts'
import { readZone } from './store.ts'
import { verificationOf } from './verification-store.ts'
import { settleProof } from './verify-zone.ts'

const api = await startTestApi()
const { database } = api
const { db } = database
const [ada, bob, eve] = [
  await api.account('ada@example.net'),
  await api.account('bob@example.net'),
  await api.account('eve@example.net'),
]
const [adasKey, bobsKey] = [await api.key(ada), await api.key(bob)]
const actor = actorNamed('system', 'orders')

const buy = (name: string, accountId = ada) =>
  database.transact((tx) => addBoughtZone(tx, api.verification, { actor, accountId }, name))
const add = async (name: string, key: string) =>
  (await api.call('POST', '/zones', { key, body: { name } })).body as { id: string }
const stateOf = async (id: string): Promise<string | undefined> =>
  (await sql<{ state: string }>`select state from zones where id = ${id}`.execute(db)).rows[0]?.state
const eventsOf = async (id: string): Promise<string[]> =>
  (await sql<{ type: string }>`select type from event_outbox where zone_id = ${id} order by seq`.execute(db)).rows.map(
    ({ type }) => type,
  )
const mailsTo = async (address: string): Promise<string[]> =>
  (
    await sql<{ kind: string }>`select kind from mails where to_address = ${address} order by queued_at, id`.execute(db)
  ).rows.map(({ kind }) => kind)

test('a bought domain immediately has a live zone of its own', async () => {
  const zone = await buy('new.example.com')
  assert.deepEqual([zone.state, zone.origin, zone.accountId], ['live', 'bought', ada])
  assert.deepEqual(await eventsOf(zone.id), ['zone.created'])
})

test('a zone that was prepared goes live with its records', async () => {
  const { id } = await add('prepared.example.com', adasKey)
  await api.call('PUT', `/zones/${id}/rrsets/www/A`, { key: adasKey, body: { records: ['192.0.2.1'] } })
  const zone = await buy('prepared.example.com')
  assert.deepEqual([zone.id, zone.state, zone.origin, zone.rrsetCount], [id, 'live', 'bought', 1])
  assert.equal(await verificationOf(db, id), undefined)
})

test('someone else’s live zone of the name is deleted, and its owner and those who wait are notified', async () => {
  const theirs = await api.zone(bob, 'taken.example.com')
  const waiting = await add('taken.example.com', await api.key(eve))
  const challenge = (await verificationOf(db, waiting.id))?.token
  const zone = await buy('taken.example.com')
  assert.equal(await stateOf(theirs.id), 'deleted')
  assert.deepEqual(await eventsOf(theirs.id), ['zone.deleted'])
  assert.ok(zone.serial > theirs.serial, 'the name’s line of serials goes on')
  assert.ok((await mailsTo('bob@example.net')).includes('zone_lost'))
  assert.ok((await mailsTo('eve@example.net')).includes('zone_proved_elsewhere'))
  assert.notEqual((await verificationOf(db, waiting.id))?.token, challenge, 'an old proof counts no more')
  assert.equal((await api.call('GET', '/zones/taken.example.com', { key: bobsKey })).status, 404)
})

test('a buyer who already has the zone keeps it unchanged, and a contest about it ends', async () => {
  const zone = await api.zone(ada, 'own.example.com')
  const challenger = await add('own.example.com', bobsKey)
  const verification = await verificationOf(db, challenger.id)
  assert.ok(verification)
  await database.transact((tx) => settleProof(tx, api.verification, actor, verification, 'txt'))
  assert.ok((await verificationOf(db, zone.id))?.contestEndsAt)
  const bought = await buy('own.example.com')
  assert.deepEqual([bought.id, bought.origin, bought.version], [zone.id, 'added', zone.version])
  assert.equal(await verificationOf(db, zone.id), undefined)
  assert.equal((await verificationOf(db, challenger.id))?.contestEndsAt, null)
})

test('the buyer’s own zone above delegates to it, and someone else’s former parent zone no longer does', async () => {
  const delegated = async (parentId: string) =>
    (await sql`select 1 from zone_rrsets where zone_id = ${parentId} and managed`.execute(db)).rows.length
  const parent = await api.zone(bob, 'above.example.com')
  const child = await add('child.above.example.com', bobsKey)
  assert.deepEqual([await stateOf(child.id), await delegated(parent.id)], ['live', 1])
  await buy('child.above.example.com')
  assert.deepEqual([await stateOf(child.id), await delegated(parent.id)], ['deleted', 0])
  const own = await api.zone(ada, 'mine.example.com')
  await buy('child.mine.example.com')
  assert.equal(await delegated(own.id), 1)
})

test('a zone in a domain of the account is live immediately, unless someone else hosts the name', async () => {
  const deleteZones = () =>
    sql`update zones set state = 'deleted', deleted_at = app_now() where name ~ 'held.example.net$'`.execute(db)
  await database.transact((tx) =>
    addRegistered(tx, api.orders.giveZone, actor, {
      name: 'held.example.net',
      tld: 'example.net',
      accountId: ada,
      orderId: 'ord_1',
      contact: null,
      registrantId: null,
      autoRenew: false,
      expiresAt: null,
      nameservers: [],
    }),
  )
  await deleteZones()
  const waiting = await add('held.example.net', bobsKey)
  assert.equal(await stateOf(waiting.id), 'pending', 'it is nobody else’s domain')
  const challenge = (await verificationOf(db, waiting.id))?.token
  const below = await add('x.y.held.example.net', adasKey)
  const own = await add('Held.Example.net.', adasKey)
  const { origin, parentId } = (await readZone(db, own.id)) ?? assert.fail()
  assert.deepEqual([await stateOf(below.id), await stateOf(own.id), origin, parentId], ['live', 'live', 'added', null])
  assert.deepEqual(await eventsOf(own.id), ['zone.created'])
  assert.notEqual((await verificationOf(db, waiting.id))?.token, challenge, 'who waits needs a fresh proof')
  assert.equal(await stateOf((await add('notheld.example.net', adasKey)).id), 'pending')

  await deleteZones()
  await api.zone(bob, 'held.example.net')
  assert.equal(await stateOf((await add('held.example.net', adasKey)).id), 'pending', 'it can be contested')
  for (const [column, value, why] of [
    ['missing_since', sql`app_now()`, 'its registry knew nothing of the domain when it was asked last'],
    ['state', sql`'arriving'`, 'the domain is not here yet'],
  ] as const) {
    await deleteZones()
    await sql`update domains set ${sql.ref(column)} = ${value} where name = 'held.example.net'`.execute(db)
    assert.equal(await stateOf((await add('held.example.net', adasKey)).id), 'pending', why)
    await sql`update domains set missing_since = null, state = 'held' where name = 'held.example.net'`.execute(db)
  }
  await deleteZones()
  await sql`update domains set state = 'gone' where name = 'held.example.net'`.execute(db)
  assert.equal(await stateOf((await add('held.example.net', adasKey)).id), 'pending', 'the domain is gone')
})

test('one of two concurrent purchases of a name may have to retry, and then has the name', async () => {
  const both = [ada, bob].map((accountId) =>
    buy('twice.example.com', accountId).catch(({ code }) => {
      assert.equal(code, 'zone_exists')
      return buy('twice.example.com', accountId)
    }),
  )
  await Promise.all(both)
  const { rows } = await sql`select 1 from zones where name = 'twice.example.com' and state = 'live'`.execute(db)
  assert.equal(rows.length, 1)
})
