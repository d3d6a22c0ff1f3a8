import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deleteAccount } from '#modules/accounts/delete-account.ts'
import { lockZone } from '#modules/zones/index.ts'
import { actorNamed } from '#platform/caller.ts'
import { sql } from '#platform/postgres/index.ts'
import { moveClock } from '#testing/move-clock.ts'
import { startTestApi, type TestAnswer } from '#testing/test-api.ts'
import { TestPerson } from '#testing/test-person.ts'
import { codeOf } from '#testing/test-zones.ts'
import { untilBlocked } from '#testing/until-blocked.ts'
import { maxInvitationsADay, maxManagers, mayInvite } from './rules.ts'

const api = await startTestApi()
const { database } = api
const { db } = database
const owner = await TestPerson.signedIn(api, 'owner@example.net')
const guest = await TestPerson.signedIn(api, 'guest@example.net')
const stranger = await TestPerson.signedIn(api, 'stranger@example.net')
const idOf = async (person: TestPerson): Promise<string> => (await person.call('GET', '/account')).body.id
const [ownerId, guestId] = [await idOf(owner), await idOf(guest)]

let zones = 0
const freshZone = (): Promise<{ id: string; name: string }> => api.zone(ownerId, `shared${++zones}.example.com`)
const invite = (zone: { name: string }, email: string, as = owner): Promise<TestAnswer> =>
  as.call('POST', `/zones/${zone.name}/managers`, { body: { email } })
const managers = async (zone: { name: string }, as = owner): Promise<[string, string][]> =>
  (await as.call('GET', `/zones/${zone.name}/managers`)).body.data.map(
    ({ email, state }: { email: string; state: string }) => [email, state],
  )
const invitations = async (as: TestPerson): Promise<{ id: string; zone: string }[]> =>
  (await as.call('GET', '/invitations')).body.data
async function invitedTo(zone: { name: string }, as = guest): Promise<string> {
  const found = (await invitations(as)).find((invitation) => invitation.zone === zone.name)
  assert.ok(found, `an invitation to ${zone.name}`)
  return found.id
}
const accept = (id: string, as = guest): Promise<TestAnswer> => as.call('POST', `/invitations/${id}/accept`)

async function shared(): Promise<{ id: string; name: string }> {
  const zone = await freshZone()
  await invite(zone, 'guest@example.net')
  assert.equal((await accept(await invitedTo(zone))).status, 200)
  return zone
}

test('an invitation is emailed, gives no access until it is accepted, and works only for its address', async () => {
  const zone = await freshZone()
  const invited = await invite(zone, 'Guest@Example.net')
  assert.deepEqual(
    [invited.status, invited.body.account, invited.body.email, invited.body.state],
    [201, null, 'guest@example.net', 'invited'],
  )
  const { rows } = await sql<{ kind: string; to_address: string }>`select kind, to_address from mails`.execute(db)
  assert.deepEqual(rows.at(-1), { kind: 'zone_invitation', to_address: 'guest@example.net' })
  assert.equal((await guest.call('GET', `/zones/${zone.name}`)).status, 404)
  assert.deepEqual(await managers(zone), [['guest@example.net', 'invited']])
  const id = await invitedTo(zone)
  assert.deepEqual(codeOf(await accept(id, stranger)), [404, 'not_found'])
  const accepted = await accept(id)
  assert.deepEqual([accepted.status, accepted.body.role, accepted.body.name], [200, 'manager', zone.name])
  assert.deepEqual(await managers(zone), [['guest@example.net', 'accepted']])
  assert.deepEqual(codeOf(await accept(id)), [404, 'not_found'], 'it works once')
  assert.deepEqual(codeOf(await invite(zone, 'guest@example.net')), [409, 'conflict'])
})

test('a manager changes records and gets the zone’s events, but cannot share the zone, remove managers or delete it', async () => {
  const zone = await shared()
  const put = await guest.call('PUT', `/zones/${zone.name}/rrsets/www/A`, { body: { records: ['192.0.2.1'] } })
  assert.equal(put.status, 201)
  const { rows } = await sql<{ recipients: string[] }>`
    select recipients from event_outbox where zone_id = ${zone.id} order by seq desc limit 1`.execute(db)
  assert.deepEqual(rows[0]?.recipients.sort(), [ownerId, guestId].sort())
  assert.deepEqual(codeOf(await invite(zone, 'third@example.net', guest)), [403, 'forbidden'])
  assert.deepEqual(codeOf(await guest.call('DELETE', `/zones/${zone.name}/managers/${ownerId}`)), [403, 'forbidden'])
  assert.deepEqual(codeOf(await guest.call('DELETE', `/zones/${zone.name}`, { body: { name: zone.name } })), [
    403,
    'forbidden',
  ])
  await invite(zone, 'third@example.net')
  assert.deepEqual(await managers(zone, guest), [['guest@example.net', 'accepted']], 'it sees only itself')
})

test('a manager who is removed while a change waits for the zone gets no event about it', async () => {
  const zone = await shared()
  const [removed, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const removing = database.transact(async (tx) => {
    await lockZone(tx, zone.id)
    await sql`delete from zone_managers where zone_id = ${zone.id}`.execute(tx)
    removed.resolve()
    await end.promise
  })
  await removed.promise
  const put = owner.call('PUT', `/zones/${zone.name}/rrsets/www/A`, { body: { records: ['192.0.2.1'] } })
  await untilBlocked(db)
  end.resolve()
  await removing
  assert.equal((await put).status, 201)
  const { rows } = await sql<{ recipients: string[] }>`
    select recipients from event_outbox where zone_id = ${zone.id} and type = 'zone.records_changed'`.execute(db)
  assert.deepEqual(rows, [{ recipients: [ownerId] }])
})

test('a manager who is removed or leaves loses access and key scope immediately', async () => {
  for (const by of [owner, guest]) {
    const zone = await shared()
    const key = await api.key(guestId, { zones: [zone.id], permissions: ['records:read'] })
    const read = () => api.call('GET', `/zones/${zone.name}`, { key })
    assert.equal((await read()).status, 200)
    assert.equal((await by.call('DELETE', `/zones/${zone.name}/managers/${guestId}`)).status, 204)
    assert.equal((await read()).status, 404)
    assert.equal((await guest.call('GET', `/zones/${zone.name}`)).status, 404)
    const { rows } = await sql`select 1 from api_key_zones where zone_id = ${zone.id}`.execute(db)
    assert.deepEqual(rows, [], 'the key does not have it again when the zone is shared again')
    await invite(zone, 'guest@example.net')
    await accept(await invitedTo(zone))
    assert.deepEqual(codeOf(await read()), [403, 'forbidden'])
  }
})

test('an invitation can be canceled, declined or replaced by a newer one, and expires after 14 days', async () => {
  const zone = await freshZone()
  await invite(zone, 'guest@example.net')
  const first = await invitedTo(zone)
  await invite(zone, 'guest@example.net')
  assert.deepEqual(codeOf(await accept(first)), [404, 'not_found'], 'the link of the older mail')
  const path = `/zones/${zone.name}/managers/guest@example.net`
  assert.equal((await owner.call('DELETE', path)).status, 204)
  assert.deepEqual(codeOf(await owner.call('DELETE', path)), [404, 'not_found'])
  assert.deepEqual(await managers(zone), [])

  await invite(zone, 'guest@example.net')
  assert.equal((await guest.call('POST', `/invitations/${await invitedTo(zone)}/decline`)).status, 204)
  assert.deepEqual(await managers(zone), [])

  await invite(zone, 'guest@example.net')
  const last = await invitedTo(zone)
  await sql`update zone_invitations set expires_at = app_now() - interval '1 s' where id = ${last}`.execute(db)
  assert.deepEqual(codeOf(await accept(last)), [404, 'not_found'])
  assert.ok(!(await invitations(guest)).some(({ id }) => id === last))
})

test('someone without an account accepts with a new account for the invited address', async () => {
  const zone = await freshZone()
  await invite(zone, 'later@example.net')
  const later = await TestPerson.signedIn(api, 'later@example.net')
  assert.equal((await accept(await invitedTo(zone, later), later)).body.role, 'manager')
})

test('an owner whose address becomes an invited one cannot accept for their own zone, and can decline', async () => {
  const mover = await TestPerson.signedIn(api, 'mover@example.net')
  const moverId = await idOf(mover)
  const zone = await api.zone(moverId, 'moving.example.com')
  await invite(zone, 'moved@example.net', mover)
  await sql`update accounts set email = 'moved@example.net' where id = ${moverId}`.execute(db)
  const id = await invitedTo(zone, mover)
  assert.deepEqual(codeOf(await accept(id, mover)), [409, 'conflict'])
  assert.deepEqual(await managers(zone, mover), [['moved@example.net', 'invited']])
  assert.equal((await mover.call('POST', `/invitations/${id}/decline`)).status, 204)
  assert.deepEqual(await managers(zone, mover), [])
})

test('if a zone is deleted during an acceptance, it has that manager, or the invitation is refused', async () => {
  for (let round = 0; round < 5; round++) {
    const zone = await freshZone()
    await invite(zone, 'guest@example.net')
    const id = await invitedTo(zone)
    const [deleted, accepted] = await Promise.all([
      owner.call('DELETE', `/zones/${zone.name}`, { body: { name: zone.name } }),
      accept(id),
    ])
    assert.equal(deleted.status, 204)
    const { rows } = await sql<{ recipients: string[] }>`
      select recipients from event_outbox where zone_id = ${zone.id} and type = 'zone.deleted'`.execute(db)
    const { rows: made } = await sql`select 1 from zone_managers where zone_id = ${zone.id}`.execute(db)
    assert.equal(rows[0]?.recipients.includes(guestId), made.length === 1, 'whoever manages it hears of its end')
    // After this commits, the response may find that the zone is gone, which is also a 404.
    assert.ok([200, 404].includes(accepted.status), String(accepted.status))
    assert.equal((await guest.call('GET', `/zones/${zone.name}`)).status, 404)
  }
})

test('limits the managers of a zone and the invitations a day', () => {
  const nobody = { isOwner: false, isManager: false, isInvited: false, managers: 0, invitedToday: 0 }
  mayInvite('zone', 'a@example.net', { ...nobody, managers: maxManagers - 1, invitedToday: maxInvitationsADay - 1 })
  mayInvite('zone', 'a@example.net', { ...nobody, managers: maxManagers, isInvited: true })
  for (const [guest, code] of [
    [{ isOwner: true }, 'conflict'],
    [{ isManager: true }, 'conflict'],
    [{ managers: maxManagers }, 'conflict'],
    [{ invitedToday: maxInvitationsADay }, 'rate_limited'],
  ] as const)
    assert.throws(() => mayInvite('zone', 'a@example.net', { ...nobody, ...guest }), { code })
})

test('counts all invitations of the last 24 hours, whatever their outcome', async () => {
  const person = await TestPerson.signedIn(api, 'busy@example.net')
  const zone = await api.zone(await idOf(person), 'busy.example.com')
  await sql`insert into invitation_hours values (${await idOf(person)}, app_now() - interval '23 hours', ${maxInvitationsADay - 1})`.execute(
    db,
  )
  assert.equal((await invite(zone, 'one@example.net', person)).status, 201)
  const refused = await invite(zone, 'two@example.net', person)
  assert.deepEqual(codeOf(refused), [429, 'rate_limited'])
  assert.ok(refused.headers['retry-after'])
  try {
    await moveClock(database, '1 hour')
    assert.equal((await invite(zone, 'two@example.net', person)).status, 201)
  } finally {
    await moveClock(database, '0 seconds')
  }
})

test('a manager whose account was deleted is neither listed nor counted', async () => {
  const zone = await freshZone()
  const ids = await Promise.all(Array.from({ length: maxManagers }, (_, n) => api.account(`many${n}@example.net`)))
  await sql`insert into zone_managers (zone_id, account_id) select ${zone.id}, unnest(${ids}::uuid[])`.execute(db)
  const late = 'late@example.net'
  assert.deepEqual(codeOf(await invite(zone, late)), [409, 'conflict'])
  const also = async (): Promise<void> => undefined
  await database.transact((tx) =>
    deleteAccount(tx, actorNamed('operator', 'test'), ids[0] ?? '', { also, letGo: false }),
  )
  assert.equal((await managers(zone)).length, maxManagers - 1)
  assert.equal((await invite(zone, late)).status, 201)
})

test('lists managers and invitations in pages', async () => {
  const zone = await shared()
  for (const name of ['c', 'a', 'b']) assert.equal((await invite(zone, `${name}@example.org`)).status, 201)
  const pagesOf = async (person: TestPerson, path: string, nameOf: (row: Record<string, string>) => unknown) => {
    const names: unknown[] = []
    for (let cursor = '', pages = 0; pages === 0 || cursor !== ''; pages += 1) {
      const { status, body } = await person.call('GET', `${path}?limit=3${cursor && `&cursor=${cursor}`}`)
      assert.ok(status === 200 && body.data.length <= 3)
      names.push(...body.data.map(nameOf))
      cursor = body.next_cursor ?? ''
    }
    return names
  }
  assert.deepEqual(await pagesOf(owner, `/zones/${zone.name}/managers`, ({ email }) => email), [
    'guest@example.net',
    'a@example.org',
    'b@example.org',
    'c@example.org',
  ])
  const offered = await Promise.all(Array.from({ length: 7 }, () => freshZone()))
  for (const each of offered) await invite(each, 'stranger@example.net')
  const ids = (await pagesOf(stranger, '/invitations', ({ id }) => id)) as string[]
  const names = await pagesOf(stranger, '/invitations', ({ zone: name }) => name)
  assert.deepEqual(ids, ids.toSorted().reverse(), 'the latest first')
  for (const { name } of offered) assert.equal(names.filter((each) => each === name).length, 1)
  for (const query of ['limit=0', 'limit=201', 'cursor=nonsense', 'page=2'])
    for (const path of ['/invitations', `/zones/${zone.name}/managers`, '/domain-invitations'])
      assert.equal((await owner.call('GET', `${path}?${query}`)).status, 422, `${path}?${query}`)
})
