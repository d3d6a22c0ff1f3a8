import assert from 'node:assert/strict'
import { test } from 'node:test'
import { actorNamed } from '#platform/caller.ts'
import { sql } from '#platform/postgres/index.ts'
import { moveClock } from '#testing/move-clock.ts'
import { startTestApi, type TestAnswer, testNameservers } from '#testing/test-api.ts'
import { TestPerson } from '#testing/test-person.ts'
import { codeOf } from '#testing/test-zones.ts'
import { deleteZone } from './delete-zone.ts'
import { eraseDeletedZones } from './erase-zones.ts'

const api = await startTestApi()
const { database } = api
const { db } = database
const owner = await TestPerson.signedIn(api, 'owner@example.net')
const other = await TestPerson.signedIn(api, 'other@example.net')
const idOf = async (person: TestPerson): Promise<string> => (await person.call('GET', '/account')).body.id
const [ownerId, otherId] = [await idOf(owner), await idOf(other)]

const remove = (name: string, as = owner): Promise<TestAnswer> =>
  as.call('DELETE', `/zones/${name}`, { body: { name } })
const restore = (id: string, as = owner): Promise<TestAnswer> => as.call('POST', `/deleted-zones/${id}/restore`)
const deletedNames = async (as = owner): Promise<string[]> =>
  (await as.call('GET', '/deleted-zones')).body.data.map(({ name }: { name: string }) => name)

async function eventsOf(zoneId: string): Promise<string[]> {
  const { rows } = await sql<{ type: string }>`
    select type from event_outbox where zone_id = ${zoneId} order by seq`.execute(db)
  return rows.map(({ type }) => type)
}

async function cutAt(parent: string, name: string): Promise<{ records: string[]; managed: boolean } | undefined> {
  const { rows } = await sql<{ records: string[]; managed: boolean }>`
    select records, managed from zone_rrsets r join zones z on z.id = r.zone_id
    where z.name = ${parent} and z.state = 'live' and r.name = ${name} and r.type = 'NS'`.execute(db)
  return rows[0]
}

test('only its owner can delete a zone, by typing its name', async () => {
  const zone = await api.zone(ownerId, 'typed.example.com')
  await sql`insert into zone_managers (zone_id, account_id) values (${zone.id}, ${otherId})`.execute(db)
  const wrong = await owner.call('DELETE', '/zones/typed.example.com', { body: { name: 'typed.example.co' } })
  assert.deepEqual([...codeOf(wrong), wrong.body.error.details[0].path], [422, 'validation_failed', '/name'])
  assert.deepEqual(codeOf(await remove('typed.example.com', other)), [403, 'forbidden'])
  assert.equal((await owner.call('GET', '/zones/typed.example.com')).status, 200, 'it is still there')
  const body = { name: 'Typed.Example.com.' }
  const stale = await owner.call('DELETE', `/zones/${zone.id}`, { body, headers: { 'if-match': '"7"' } })
  assert.deepEqual(codeOf(stale), [412, 'precondition_failed'])
  const typed = await owner.call('DELETE', `/zones/${zone.id}`, { body, headers: { 'if-match': `"${zone.version}"` } })
  assert.equal(typed.status, 204)
  assert.equal((await owner.call('GET', '/zones/typed.example.com')).status, 404)
  assert.equal((await remove('typed.example.com')).status, 404)
})

test('a deletion can be undone for seven days: same id, records, managers, keys, label; later serial; zone.created again', async () => {
  const zone = await api.zone(ownerId, 'undone.example.com')
  await sql`insert into zone_managers (zone_id, account_id) values (${zone.id}, ${otherId})`.execute(db)
  const key = await api.key(ownerId, { zones: [zone.id], permissions: ['records:read'] })
  const put = { body: { records: ['192.0.2.1'] } }
  assert.equal((await owner.call('PUT', '/zones/undone.example.com/rrsets/www/A', put)).status, 201)
  await sql`delete from event_outbox where zone_id = ${zone.id}`.execute(db)
  await remove('undone.example.com')
  assert.ok((await deletedNames()).includes('undone.example.com'))
  assert.ok(!(await deletedNames(other)).includes('undone.example.com'), 'a manager does not see it there')
  assert.deepEqual(codeOf(await restore(zone.id, other)), [404, 'not_found'])
  const back = await restore(zone.id)
  assert.deepEqual([back.status, back.body.id, back.body.state, back.body.version], [200, zone.id, 'live', 1])
  assert.ok(back.body.serial > zone.serial)
  assert.deepEqual(await eventsOf(zone.id), ['zone.deleted', 'zone.created'])
  const { rows } = await sql<{ catalog_label: string }>`select catalog_label from zones where id = ${zone.id}`.execute(
    db,
  )
  assert.equal(rows[0]?.catalog_label, zone.catalogLabel)
  assert.equal((await owner.call('GET', '/zones/undone.example.com/rrsets/www/A')).status, 200)
  assert.equal((await other.call('GET', '/zones/undone.example.com')).body.role, 'manager')
  const { status } = await api.call('GET', '/zones/undone.example.com', { key })
  assert.equal(status, 200, 'a key that had picked it has it again')
  assert.deepEqual(codeOf(await restore(zone.id)), [404, 'not_found'], 'it is not deleted any more')
})

test('a pending zone is restored as pending, with a new challenge', async () => {
  const made = await owner.call('POST', '/zones', { body: { name: 'pending-undone.example.com' } })
  await remove('pending-undone.example.com')
  const back = await restore(made.body.id)
  assert.deepEqual([back.status, back.body.state], [200, 'pending'])
  assert.notEqual(back.body.verification.txt.value, made.body.verification.txt.value)
  assert.deepEqual(await eventsOf(made.body.id), [])
})

test('a zone cannot be restored once its name is live elsewhere, or the account has added it again', async () => {
  const zone = await api.zone(ownerId, 'elsewhere.example.com')
  await remove('elsewhere.example.com')
  await api.zone(otherId, 'elsewhere.example.com')
  assert.deepEqual(codeOf(await restore(zone.id)), [409, 'zone_exists'])
  const again = await api.zone(ownerId, 'again.example.com')
  await remove('again.example.com')
  await owner.call('POST', '/zones', { body: { name: 'again.example.com' } })
  assert.deepEqual(codeOf(await restore(again.id)), [409, 'zone_exists'])
})

test('deleted zones are listed page by page, the latest first', async () => {
  const person = await TestPerson.signedIn(api, 'pages@example.net')
  const id = await idOf(person)
  for (const n of [1, 2, 3]) {
    await api.zone(id, `page${n}.example.com`)
    await remove(`page${n}.example.com`, person)
  }
  const first = await person.call('GET', '/deleted-zones?limit=2')
  assert.deepEqual(
    first.body.data.map(({ name }: { name: string }) => name),
    ['page3.example.com', 'page2.example.com'],
  )
  const { deleted_at, erased_at } = first.body.data[0]
  assert.equal(Date.parse(erased_at) - Date.parse(deleted_at), 7 * 86_400_000)
  const second = await person.call('GET', `/deleted-zones?limit=2&cursor=${first.body.next_cursor}`)
  assert.deepEqual([second.body.data.length, second.body.next_cursor], [1, null])
  for (const values of [['no such id'], ['2026-11-22 17:00:00+00', 'no such id'], ['2026-13-22 17:00:00+00', id]]) {
    const forged = Buffer.from(JSON.stringify(values)).toString('base64url')
    assert.deepEqual(codeOf(await person.call('GET', `/deleted-zones?cursor=${forged}`)), [422, 'validation_failed'])
  }
})

test('a list of deleted zones continues where it was, even if the last zone of a page is restored or erased', async () => {
  const person = await TestPerson.signedIn(api, 'going@example.net')
  const id = await idOf(person)
  for (const n of [1, 2, 3]) {
    await api.zone(id, `going${n}.example.com`)
    await remove(`going${n}.example.com`, person)
  }
  const first = await person.call('GET', '/deleted-zones?limit=1')
  const rest = async (): Promise<string[]> =>
    (await person.call('GET', `/deleted-zones?cursor=${first.body.next_cursor}`)).body.data.map(
      ({ name }: { name: string }) => name,
    )
  assert.deepEqual(await rest(), ['going2.example.com', 'going1.example.com'])
  assert.equal((await restore(first.body.data[0].id, person)).status, 200)
  assert.deepEqual(await rest(), ['going2.example.com', 'going1.example.com'])
  await remove('going3.example.com', person)
  await sql`delete from zones where id = ${first.body.data[0].id}`.execute(db)
  assert.deepEqual(await rest(), ['going2.example.com', 'going1.example.com'])
})

test('after seven days a zone is erased with all its records and histories, and its name keeps its sequence of serials', async () => {
  const zone = await api.zone(ownerId, 'erased.example.com')
  await owner.call('PUT', '/zones/erased.example.com/rrsets/www/A', { body: { records: ['192.0.2.1'] } })
  const ahead = zone.serial + 10_000_000
  await sql`update zones set serial = ${ahead} where id = ${zone.id}`.execute(db)
  await remove('erased.example.com')
  const rowsLeft = async (): Promise<number> => {
    const { rows } = await sql<{ n: number }>`
      select (select count(*) from zone_rrsets where zone_id = ${zone.id})::int
        + (select count(*) from zone_changes where zone_id = ${zone.id})::int
        + (select count(*) from zone_journal where zone_id = ${zone.id})::int
        + (select count(*) from zones where id = ${zone.id})::int as n`.execute(db)
    return rows[0]?.n ?? 0
  }
  const before = await rowsLeft()
  try {
    await moveClock(database, '6 days 23 hours')
    await eraseDeletedZones(database)
    assert.equal(await rowsLeft(), before, 'until then it can be undone')
    await moveClock(database, '7 days 1 second')
    assert.deepEqual(codeOf(await restore(zone.id)), [404, 'not_found'])
    assert.deepEqual(await deletedNames(), [])
    await eraseDeletedZones(database)
    assert.equal(await rowsLeft(), before, 'an undoing that began in time may still be under way')
    await moveClock(database, '7 days 11 minutes')
    await eraseDeletedZones(database)
    assert.deepEqual([before, await rowsLeft()], [4, 0])
  } finally {
    await moveClock(database, '0 seconds')
  }
  assert.equal((await api.zone(otherId, 'erased.example.com')).serial, ahead + 1)
})

test('a zone below a zone of the account is live immediately, and that zone delegates to it', async () => {
  await api.zone(ownerId, 'parent.example.com')
  const key = await api.key(ownerId)
  const added = await api.call('POST', '/zones', { key, body: { name: 'child.parent.example.com' } })
  assert.deepEqual([added.status, added.body.state, added.body.origin], [201, 'live', 'added'])
  assert.equal(added.body.verification, undefined)
  const ns = testNameservers.map((name) => `${name}.`)
  assert.deepEqual(await cutAt('parent.example.com', 'child.parent.example.com'), { records: ns, managed: true })
  const parent = await owner.call('GET', '/zones/parent.example.com')
  assert.deepEqual([parent.body.version, parent.body.rrset_count], [1, 1])

  const path = '/zones/parent.example.com/rrsets/child/NS'
  assert.equal((await api.call('GET', path, { key })).body.managed, true)
  const taken = await api.call('PUT', path, { key, body: { records: ['ns.example.org.'] } })
  assert.deepEqual(codeOf(taken), [422, 'service_owned'])
  assert.deepEqual(codeOf(await api.call('DELETE', path, { key })), [422, 'service_owned'])
  assert.equal(
    (await api.call('PUT', path, { key, body: { records: ns } })).status,
    200,
    'what is so already is no change',
  )
  const bulk = { changes: [{ name: 'child', type: 'DS', records: [`1 8 2 ${'ab'.repeat(32)}`] }] }
  assert.equal((await api.call('PATCH', '/zones/parent.example.com/rrsets', { key, body: bulk })).status, 200)

  await remove('child.parent.example.com')
  assert.equal(await cutAt('parent.example.com', 'child.parent.example.com'), undefined)
  assert.equal((await restore(added.body.id)).body.state, 'live')
  assert.deepEqual((await cutAt('parent.example.com', 'child.parent.example.com'))?.records, ns)
})

test('replacing a whole zone keeps its delegations to other zones here', async () => {
  await api.zone(ownerId, 'replaced.example.com')
  await owner.call('POST', '/zones', { body: { name: 'child.replaced.example.com' } })
  const replaced = await owner.call('POST', '/zones/replaced.example.com/import?mode=replace', {
    body: 'www 60 A 192.0.2.1',
    headers: { 'content-type': 'text/dns' },
  })
  assert.equal(replaced.status, 200)
  assert.ok(await cutAt('replaced.example.com', 'child.replaced.example.com'))
})

test('restoring a version from before a delegation keeps the delegation, and restores everything else', async () => {
  await api.zone(ownerId, 'history.example.com')
  await owner.call('POST', '/zones', { body: { name: 'child.history.example.com' } })
  await owner.call('PUT', '/zones/history.example.com/rrsets/www/A', { body: { records: ['192.0.2.1'] } })
  const back = await owner.call('POST', '/zones/history.example.com/versions/0/restore')
  assert.equal(back.status, 200, JSON.stringify(back.body))
  assert.equal((await owner.call('GET', '/zones/history.example.com/rrsets/www/A')).status, 404)
  assert.ok(await cutAt('history.example.com', 'child.history.example.com'))
})

test('a CNAME at the name prevents the zone, and nothing is added', async () => {
  await api.zone(ownerId, 'alias.example.com')
  await owner.call('PUT', '/zones/alias.example.com/rrsets/www/CNAME', { body: { records: ['example.org.'] } })
  const refused = await owner.call('POST', '/zones', { body: { name: 'www.alias.example.com' } })
  assert.deepEqual(
    [...codeOf(refused), refused.body.error.details[0].code],
    [422, 'validation_failed', 'cname_not_alone'],
  )
  assert.equal((await owner.call('GET', '/zones/www.alias.example.com')).status, 404)
})

test('a restored parent no longer delegates to a child that was deleted while the parent was deleted', async () => {
  const parent = await api.zone(ownerId, 'both.example.com')
  const child = await owner.call('POST', '/zones', { body: { name: 'child.both.example.com' } })
  await remove('both.example.com')
  await remove('child.both.example.com')
  assert.equal((await restore(parent.id)).status, 200)
  assert.equal(await cutAt('both.example.com', 'child.both.example.com'), undefined)
  assert.equal((await restore(child.body.id)).status, 200)
  assert.ok(await cutAt('both.example.com', 'child.both.example.com'))
})

test('deleting and restoring a parent and child at once never leaves a delegation to nothing', async () => {
  const parent = await api.zone(ownerId, 'race.example.com')
  const child = await owner.call('POST', '/zones', { body: { name: 'child.race.example.com' } })
  for (let round = 0; round < 5; round++) {
    await Promise.all([remove('race.example.com'), remove('child.race.example.com')])
    await Promise.all([restore(parent.id), restore(child.body.id)])
    const states = await Promise.all(
      ['race', 'child.race'].map((name) => owner.call('GET', `/zones/${name}.example.com`)),
    )
    assert.deepEqual(
      states.map(({ body }) => body.state),
      ['live', 'live'],
    )
    assert.ok(await cutAt('race.example.com', 'child.race.example.com'), `round ${round}`)
  }
})

test('only one of two concurrent deletions takes effect', async () => {
  const zone = await api.zone(ownerId, 'twice.example.com')
  const operator = actorNamed('operator', 'test')
  const both = await Promise.all(
    [1, 2].map(() => database.transact((tx) => deleteZone(tx, operator, zone.id, api.verification.delegate))),
  )
  assert.deepEqual(both.sort(), [false, true])
  assert.deepEqual(await eventsOf(zone.id), ['zone.deleted'])
})
