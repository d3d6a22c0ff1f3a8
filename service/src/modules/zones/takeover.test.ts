import assert from 'node:assert/strict'
import { test } from 'node:test'
import { actorNamed } from '#platform/caller.ts'
import { sql } from '#platform/postgres/index.ts'
import { eventually } from '#testing/eventually.ts'
import { moveClock } from '#testing/move-clock.ts'
import { asAnotherProcess } from '#testing/platform/test-database.ts'
import { startTestApi, testFreeParent } from '#testing/test-api.ts'
import { TestPerson } from '#testing/test-person.ts'
import { codeOf } from '#testing/test-zones.ts'
import { untilBlocked } from '#testing/until-blocked.ts'
import { addBoughtZone } from './bought-zone.ts'
import { createZone } from './create-zone.ts'
import { deleteZone } from './delete-zone.ts'
import { restoreZone } from './restore-zone.ts'
import { verificationOf } from './verification-store.ts'
import { settleProof } from './verify-zone.ts'

const api = await startTestApi()
const { database, verification: parts } = api
const { db } = database
const elsewhere = asAnotherProcess(database.url)
const actor = actorNamed('operator', 'somebody')
const operator = await api.account('operator@example.net')
const [ada, bob] = [await api.account('ada@example.net'), await api.account('bob@example.net')]
const [adasKey, bobsKey] = [await api.key(ada), await api.key(bob)]
const freeParent = await api.zone(operator, testFreeParent)

/** Adds a name, which is live below an own zone and otherwise pending. Returns its id. */
async function add(name: string, key = adasKey): Promise<string> {
  const { status, body } = await api.call('POST', '/zones', { key, body: { name } })
  assert.equal(status, 201, JSON.stringify(body))
  return body.id
}
/** Adds a name and proves control of it. */
async function proved(name: string, key = adasKey): Promise<string> {
  const id = await add(name, key)
  await prove(id)
  return id
}
async function prove(id: string): Promise<void> {
  const verification = await verificationOf(db, id)
  assert.ok(verification)
  await database.transact((tx) => settleProof(tx, parts, actor, verification, 'txt'))
}
const claim = async (label: string, key: string): Promise<string> => {
  const { status, body } = await api.call('POST', '/free-subdomains', {
    key,
    body: { name: `${label}.${testFreeParent}` },
  })
  assert.equal(status, 201, JSON.stringify(body))
  return body.id
}
const buy = (name: string, accountId = bob) =>
  database.transact((tx) => addBoughtZone(tx, parts, { actor, accountId }, name))
const remove = (id: string) => database.transact((tx) => deleteZone(tx, actor, id, parts.delegate))
const restore = (id: string, accountId = ada) =>
  database.transact((tx) => restoreZone(tx, parts, { actor, accountId, serviceDomains: [] }, id))

async function stateOf(id: string): Promise<string | undefined> {
  const { rows } = await sql<{ state: string }>`select state from zones where id = ${id}`.execute(db)
  return rows[0]?.state
}
const statesOf = (...ids: string[]) => Promise.all(ids.map(stateOf))
async function eventsOf(id: string): Promise<string[]> {
  const { rows } = await sql<{
    type: string
  }>`select type from event_outbox where zone_id = ${id} order by seq`.execute(db)
  return rows.map(({ type }) => type)
}
async function mailsTo(address: string, kind: string): Promise<number> {
  const { rows } = await sql`select 1 from mails where to_address = ${address} and kind = ${kind}`.execute(db)
  return rows.length
}
async function cutsOf(zoneId: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from zone_rrsets where zone_id = ${zoneId} and managed order by name`.execute(db)
  return rows.map(({ name }) => name)
}

test('when someone proves a name, a former owner loses the zones below it, except those with a proof of their own', async () => {
  const apex = await proved('left.example.com')
  const [www, deep] = [await add('www.left.example.com'), await add('a.b.left.example.com')]
  const shop = await buy('shop.left.example.com', ada)
  const below = await add('cart.shop.left.example.com')
  const beside = await add('www.left.example.org')
  const others = await proved('notleft.example.com')
  await remove(apex)
  const mails = await mailsTo('ada@example.net', 'zones_lost_below')
  const bobs = await proved('left.example.com', bobsKey)
  assert.deepEqual(await statesOf(bobs, www, deep), ['live', 'deleted', 'deleted'])
  assert.deepEqual(
    await statesOf(shop.id, below),
    ['live', 'live'],
    'what is proved by itself stays, with all below it',
  )
  assert.deepEqual(await statesOf(beside, others), ['pending', 'live'], 'and so does what only looks like it')
  assert.deepEqual((await eventsOf(www)).slice(-1), ['zone.deleted'])
  const { rows: moves } = await sql<{ live: boolean }>`
    select live from zone_moves where zone_id = ${www} order by id desc limit 1`.execute(db)
  assert.deepEqual(moves, [{ live: false }])
  assert.equal((await mailsTo('ada@example.net', 'zones_lost_below')) - mails, 1, 'one mail about all of them')
  const { rows: entries } = await sql<{ actor_kind: string; actor_name: string }>`
    select actor_kind, actor_name from audit_log where zone_id = ${www} and action = 'zone.deleted'`.execute(db)
  assert.deepEqual(entries, [{ actor_kind: 'system', actor_name: 'takeover' }], 'who has the name now is not told')
  assert.deepEqual(
    (await api.call('POST', '/zones', { key: bobsKey, body: { name: 'www.left.example.com' } })).body.state,
    'live',
  )
})

test('when someone buys the name of another account’s live zone, that account’s zones below it are deleted', async () => {
  const apex = await proved('sold.example.com')
  const www = await add('www.sold.example.com')
  await buy('sold.example.com')
  assert.deepEqual(await statesOf(apex, www), ['deleted', 'deleted'])
  assert.deepEqual(codeOf(await api.call('POST', '/zones', { key: adasKey, body: { name: 'www.sold.example.com' } })), [
    409,
    'conflict',
  ])
})

test('buying a name that no one has, or adding it as the operator, deletes a former owner’s zones below it', async () => {
  for (const [name, take] of [
    ['bought.example.com', (name: string) => buy(name)],
    ['operated.example.com', (name: string) => api.zone(bob, name)],
  ] as const) {
    const apex = await proved(name)
    const www = await add(`www.${name}`)
    await remove(apex)
    assert.equal(await stateOf(www), 'live')
    await take(name)
    assert.equal(await stateOf(www), 'deleted', name)
  }
})

test('a former owner’s zones below a domain without a zone are lost with the domain, and cannot be restored', async () => {
  for (const [name, take] of [
    ['held-bought.test', (name: string) => buy(name)],
    ['held-proved.test', (name: string) => proved(name, bobsKey)],
  ] as const) {
    await sql`insert into domains (name, tld, account_id, state, order_id, auto_renew)
      values (${name}, 'test', ${ada}, 'held', 'ord_1', false)`.execute(db)
    const [www, former] = [await add(`www.${name}`), await add(`former.${name}`)]
    const below = await add(`a.www.${name}`)
    const vouched = await api.zone(ada, `vouched.${name}`)
    await remove(former)
    await sql`update domains set state = 'gone' where name = ${name}`.execute(db)
    await take(name)
    assert.deepEqual(await statesOf(www, below), ['deleted', 'deleted'], name)
    assert.equal(await stateOf(vouched.id), 'live', 'the operator vouches for it')
    await notRestored(www, 'not_found')
    await notRestored(former, 'not_found')
    const again = await api.call('POST', '/zones', { key: bobsKey, body: { name: `www.${name}` } })
    assert.equal(again.body.state, 'live')
  }
})

test('the new owner’s own zones below the name stay', async () => {
  const first = await proved('mine.example.com')
  const own = await add('www.mine.example.com')
  await remove(first)
  await proved('mine.example.com')
  assert.equal(await stateOf(own), 'live')
})

test('claiming a free name deletes the zones of its former owner below it', async () => {
  const foo = await claim('foo', adasKey)
  const below = await add(`x.foo.${testFreeParent}`)
  await remove(foo)
  try {
    await moveClock(database, '31 days')
    await claim('foo', bobsKey)
  } finally {
    await moveClock(database, '0 seconds')
  }
  assert.equal(await stateOf(below), 'deleted')
})

test('the zone above, which stays, no longer delegates to a zone that is lost', async () => {
  const operators = await add(`y.bar.${testFreeParent}`, await api.key(operator))
  assert.ok((await cutsOf(freeParent.id)).includes(`y.bar.${testFreeParent}`))
  await claim('bar', bobsKey)
  assert.equal(await stateOf(operators), 'deleted')
  const cuts = await cutsOf(freeParent.id)
  assert.ok(cuts.includes(`bar.${testFreeParent}`))
  assert.ok(!cuts.includes(`y.bar.${testFreeParent}`))
})

test('restoring a zone, or adding one below an own zone, deletes zones below it that have lost their proof', async () => {
  const apex = await proved('back.example.com', bobsKey)
  await remove(apex)
  const sub = await proved('sub.back.example.com')
  const deep = await add('deep.sub.back.example.com')
  await restore(apex, bob)
  assert.deepEqual(await statesOf(sub, deep), ['live', 'live'])
  await remove(sub)
  await remove(apex)
  await restore(apex, bob)
  assert.equal(await stateOf(deep), 'deleted')

  const other = await buy('other.back.example.com', ada)
  const lower = await add('lower.other.back.example.com')
  await remove(other.id)
  assert.equal(await stateOf(lower), 'live')
  await add('other.back.example.com', bobsKey)
  assert.equal(await stateOf(lower), 'deleted')
})

test('an owner who has proved control in a contest keeps the zone when the name above it goes live elsewhere', async () => {
  const apex = await proved('contested.example.com')
  const www = await add('www.contested.example.com')
  await remove(apex)
  await prove(await add('www.contested.example.com', bobsKey))
  assert.ok((await verificationOf(db, www))?.contestEndsAt)
  await prove(www)
  await proved('contested.example.com', bobsKey)
  assert.equal(await stateOf(www), 'live')
})

/** Whether another transaction has locked a zone's row. */
const lockedBesides = async (id: string): Promise<boolean> => {
  const free = sql`select from zones where id = ${id} for no key update skip locked`
  return (await free.execute(elsewhere.db)).rows.length === 0
}

/** Checks that undoing a deletion is refused. */
const notRestored = (id: string, code: string, accountId = ada) =>
  assert.rejects(restore(id, accountId), (error: { code?: string }) => error.code === code)

test('a zone that was lost cannot be restored without proof, even if no one has its name any longer', async () => {
  const person = await TestPerson.signedIn(api, 'loser@example.net')
  const account = (await person.call('GET', '/account')).body.id
  const key = await api.key(account)
  const deleted = async (): Promise<string[]> =>
    (await person.call('GET', '/deleted-zones')).body.data.map(({ name }: { name: string }) => name)
  const [lost, kept] = [await proved('lost.example.com', key), await proved('kept.example.com', key)]
  const www = await add('www.lost.example.com', key)
  const bobs = await buy('lost.example.com')
  await remove(kept)
  assert.deepEqual(await deleted(), ['kept.example.com'])
  await notRestored(lost, 'zone_exists', account)
  await remove(bobs.id)
  assert.deepEqual(codeOf(await person.call('POST', `/deleted-zones/${lost}/restore`)), [404, 'not_found'])
  await notRestored(www, 'not_found', account)
  assert.equal((await restore(bobs.id, bob)).state, 'live', 'who had it last has it back')
  await remove(bobs.id)
  assert.equal((await restore(kept, account)).state, 'live')
  assert.equal((await api.call('POST', '/zones', { key, body: { name: 'lost.example.com' } })).body.state, 'pending')
})

test('zones that were deleted earlier also cannot be restored once another account has had the name', async () => {
  const [apex, other] = [await proved('before.example.com'), await proved('never-live.example.com', bobsKey)]
  const www = await add('www.before.example.com')
  const shop = await buy('shop.before.example.com', ada)
  const cart = await add('cart.shop.before.example.com')
  const pending = await add('waiting.example.com')
  for (const id of [www, cart, shop.id, apex, pending]) await remove(id)
  await remove(await proved('waiting.example.com', bobsKey))
  await restore(shop.id)
  await remove(await proved('before.example.com', bobsKey))
  await notRestored(apex, 'not_found')
  await notRestored(www, 'not_found')
  assert.equal((await restore(cart)).state, 'live', 'it rests on what was proved')
  assert.equal((await restore(pending)).state, 'pending', 'it proves nothing')
  assert.equal(await stateOf(other), 'live')
})

test('if a restore and a proof of another account are concurrent, the first one wins', async () => {
  for (let round = 0; round < 5; round++) {
    const name = `undone${round}.example.com`
    const adas = await proved(name)
    const bobs = await add(name, bobsKey)
    await remove(adas)
    await Promise.all([
      prove(bobs),
      restore(adas).catch(({ code }) => assert.ok(['zone_exists', 'not_found'].includes(code), code)),
    ])
    const states = await statesOf(adas, bobs)
    assert.ok(['live pending', 'deleted live'].includes(states.join(' ')), states.join(' '))
  }
})

test('proving a name locks no zone that it leaves unchanged, such as a deleted one between it and a lost one', async () => {
  const between = await proved('x.between.example.com')
  const lost = await add('c.x.between.example.com')
  await remove(between)
  const verification = await verificationOf(db, await add('between.example.com', bobsKey))
  assert.ok(verification)
  await database.transact(async (tx) => {
    await settleProof(tx, parts, actor, verification, 'txt')
    assert.deepEqual([await lockedBesides(lost), await lockedBesides(between)], [true, false])
  })
  assert.equal(await stateOf(lost), 'deleted')
})

test('a zone that goes live while a zone below it is proved delegates to that zone', async () => {
  const above = await add('both-come.example.com')
  const below = await add('child.both-come.example.com')
  const [first, second] = [await verificationOf(db, above), await verificationOf(db, below)]
  assert.ok(first && second)
  const released = Promise.withResolvers<void>()
  const proving = database.transact(async (tx) => {
    await settleProof(tx, parts, actor, first, 'txt')
    await released.promise
  })
  await eventually('the zone above is locked', () => lockedBesides(above))
  const both = database.transact((tx) => settleProof(tx, parts, actor, second, 'txt'))
  await untilBlocked(db).finally(() => released.resolve())
  await Promise.all([proving, both])
  assert.deepEqual(await statesOf(above, below), ['live', 'live'])
  assert.deepEqual(await cutsOf(above), ['child.both-come.example.com'])
})

test('zones that are added while the name above them is sold are refused, or deleted with it', async () => {
  const owner = { actor, accountId: ada, serviceDomains: [] }
  const create = (name: string): Promise<unknown> =>
    database
      .transact((tx) => createZone(tx, parts, owner, name))
      .catch(({ code }) => assert.equal(code, 'conflict', name))
  for (let round = 0; round < 15; round++) {
    const name = `race${round}.example.com`
    await proved(name)
    await Promise.all([
      create(`www.${name}`),
      create(`a.b.${name}`),
      buy(name),
      create(`c.${name}`),
      create(`b.${name}`),
    ])
    const { rows } = await sql`
      select name from zones where name like ${`%.${name}`} and state = 'live' and account_id = ${ada}`.execute(db)
    assert.deepEqual(rows, [], `round ${round}`)
  }
})
