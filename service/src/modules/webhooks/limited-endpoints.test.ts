import assert from 'node:assert/strict'
import { test } from 'node:test'
import { publish } from '#modules/events/index.ts'
import { sql } from '#platform/postgres/index.ts'
import { eventually } from '#testing/eventually.ts'
import { startTestApi, testReceiver } from '#testing/test-api.ts'
import { TestPerson } from '#testing/test-person.ts'
import { codeOf } from '#testing/test-zones.ts'
import { removeEndpoints } from './delete-endpoint.ts'

// Endpoints that get only the events of some zones.

const api = await startTestApi()
const { database } = api
const owner = await TestPerson.secured(api, 'owner@example.net')
const guest = await TestPerson.secured(api, 'guest@example.net')
const accountOf = async (person: TestPerson): Promise<string> => (await person.call('GET', '/account')).body.id
const [ownerId, guestId] = [await accountOf(owner), await accountOf(guest)]
const keys = { owner: await api.key(ownerId), guest: await api.key(guestId) }
await api.deliver()

let names = 0

/** A zone of the owner whose creation was published. */
async function zoneOf(accountId = ownerId): Promise<{ id: string; name: string }> {
  const { id, name } = await api.zone(accountId, `limited${++names}.example.com`)
  await sql`delete from event_outbox where zone_id = ${id}`.execute(database.db)
  return { id, name }
}

/** Creates an endpoint and returns its id. */
async function endpoint(by: keyof typeof keys, body: object): Promise<string> {
  const made = await api.call('POST', '/webhooks', { key: keys[by], body: { url: testReceiver, ...body } })
  assert.equal(made.status, 201, JSON.stringify(made.body))
  return made.body.id
}

const zonesOf = async (by: keyof typeof keys, id: string): Promise<string[] | null> => {
  const { zones } = (await api.call('GET', `/webhooks/${id}`, { key: keys[by] })).body
  return zones === null ? null : zones.map((zone: { name: string }) => zone.name)
}

async function happensTo(zone: { id: string; name: string }, recipients = [ownerId]): Promise<void> {
  await database.transact((tx) =>
    publish(tx, {
      ...{ type: 'zone.delegation_changed', recipients, alsoManagers: true, zoneId: zone.id, zoneName: zone.name },
      ...{ held: null, data: { zone: { id: zone.id, name: zone.name } } },
    }),
  )
}

/** The types and zones of an endpoint's deliveries, latest first, once a later event that every endpoint gets has arrived. */
async function heard(by: keyof typeof keys, id: string): Promise<string[]> {
  const accountId = by === 'owner' ? ownerId : guestId
  const all = await endpoint(by, {})
  await database.transact((tx) =>
    publish(tx, { type: 'order.paid', recipients: [accountId], held: null, data: { order: { id: 'ord_1' } } }),
  )
  const list = async (of: string) =>
    (await api.call('GET', `/webhooks/${of}/deliveries`, { key: keys[by] })).body.data as {
      event_type: string
      zone: { name: string } | null
    }[]
  await eventually('the order', async () => (await list(all)).length > 0)
  assert.equal((await api.call('DELETE', `/webhooks/${all}`, { key: keys[by] })).status, 204)
  return (await list(id)).map(({ event_type: type, zone }) => `${type} ${zone?.name ?? '-'}`)
}

const clear = () => database.transact((tx) => removeEndpoints(tx, ownerId).then(() => removeEndpoints(tx, guestId)))

test('an endpoint that is limited to zones gets only the events of these zones, and no order events', async () => {
  const [one, two, other] = [await zoneOf(), await zoneOf(), await zoneOf()]
  const id = await endpoint('owner', { zones: [one.name, two.id] })
  assert.deepEqual(await zonesOf('owner', id), [one.name, two.name])
  for (const zone of [one, other, two]) await happensTo(zone)
  assert.deepEqual(
    (await heard('owner', id)).sort(),
    [one, two].map(({ name }) => `zone.delegation_changed ${name}`),
  )

  assert.equal(
    (await api.call('PATCH', `/webhooks/${id}`, { key: keys.owner, body: { zones: [other.name] } })).status,
    200,
  )
  assert.deepEqual(await zonesOf('owner', id), [other.name])
  for (const zone of [one, other]) await happensTo(zone)
  assert.equal((await heard('owner', id))[0], `zone.delegation_changed ${other.name}`)

  await api.call('PATCH', `/webhooks/${id}`, { key: keys.owner, body: { description: 'kept' } })
  assert.deepEqual(await zonesOf('owner', id), [other.name])
  await api.call('PATCH', `/webhooks/${id}`, { key: keys.owner, body: { zones: null } })
  assert.equal(await zonesOf('owner', id), null)
  assert.equal((await heard('owner', id))[0], 'order.paid -')
  await clear()
})

test('an endpoint whose zones are all deleted gets their deletion events and nothing more until one is restored', async () => {
  const [gone, other] = [await zoneOf(), await zoneOf()]
  const id = await endpoint('owner', { zones: [gone.name] })
  assert.equal((await owner.call('DELETE', `/zones/${gone.name}`, { body: { name: gone.name } })).status, 204)
  await happensTo(other)
  assert.deepEqual(await heard('owner', id), [`zone.deleted ${gone.name}`])
  assert.deepEqual(await zonesOf('owner', id), [], 'not null, which would be all zones')
  assert.equal((await owner.call('POST', `/deleted-zones/${gone.id}/restore`)).status, 200)
  assert.deepEqual(await zonesOf('owner', id), [gone.name])
  await owner.call('DELETE', `/zones/${gone.name}`, { body: { name: gone.name } })
  await sql`delete from zones where id = ${gone.id}`.execute(database.db)
  await happensTo(other)
  assert.deepEqual(await zonesOf('owner', id), [], 'nor after it is erased')
  assert.deepEqual(
    (await heard('owner', id)).filter((each) => each.endsWith(other.name)),
    [],
  )
  await clear()
})

test('a zone that is no longer shared is removed from the list, and a new invitation does not restore it', async () => {
  const zone = await zoneOf()
  const invite = async () => {
    await owner.call('POST', `/zones/${zone.name}/managers`, { body: { email: 'guest@example.net' } })
    const { data } = (await guest.call('GET', '/invitations')).body
    assert.equal((await guest.call('POST', `/invitations/${data[0].id}/accept`)).status, 200)
  }
  await invite()
  const id = await endpoint('guest', { zones: [zone.name] })
  await happensTo(zone)
  assert.deepEqual(await heard('guest', id), [`zone.delegation_changed ${zone.name}`])
  assert.equal((await owner.call('DELETE', `/zones/${zone.name}/managers/${guestId}`)).status, 204)
  assert.deepEqual(await zonesOf('guest', id), [])
  await invite()
  await happensTo(zone)
  assert.deepEqual(await zonesOf('guest', id), [])
  assert.equal((await heard('guest', id)).length, 1)
  await clear()
})

test('unknown zones and zones of others get the same error; too many, none and no zone event are also rejected', async () => {
  const [own, foreign] = [await zoneOf(), await zoneOf(guestId)]
  const make = (body: object) =>
    api.call('POST', '/webhooks', { key: keys.owner, body: { url: testReceiver, ...body } })
  const refused = await make({ zones: [own.name, foreign.name, foreign.id, 'nowhere.example', 'a'.repeat(300)] })
  assert.deepEqual(
    [codeOf(refused), refused.body.error.details.map(({ path }: { path: string }) => path)],
    [
      [422, 'validation_failed'],
      ['/zones/1', '/zones/2', '/zones/3', '/zones/4'],
    ],
  )
  for (const body of [
    { zones: [] },
    { zones: [`${own.name}\0`] },
    { zones: Array.from({ length: 501 }, () => own.name) },
    { zones: [own.name], events: ['order.*'] },
  ])
    assert.deepEqual(codeOf(await make(body)), [422, 'validation_failed'], JSON.stringify(body).slice(0, 60))
  assert.deepEqual((await api.call('GET', '/webhooks', { key: keys.owner })).body.data, [])

  const id = await endpoint('owner', { zones: [own.name] })
  const before = (await api.call('GET', `/webhooks/${id}`, { key: keys.owner })).body
  for (const body of [
    { zones: [foreign.name], description: 'new' },
    { events: ['order.paid'], description: 'new' },
  ]) {
    const changed = await api.call('PATCH', `/webhooks/${id}`, { key: keys.owner, body })
    assert.deepEqual(codeOf(changed), [422, 'validation_failed'])
  }
  assert.deepEqual((await api.call('GET', `/webhooks/${id}`, { key: keys.owner })).body, before)
  await clear()
})

test('deliveries can be filtered by zone, by the name of a deleted zone, and by a text of the payload', async () => {
  const [one, two] = [await zoneOf(), await zoneOf()]
  const id = await endpoint('owner', {})
  await happensTo(one)
  await happensTo(two)
  await heard('owner', id)
  const found = async (query: string): Promise<string[]> => {
    const { status, body } = await api.call('GET', `/webhooks/${id}/deliveries?${query}`, { key: keys.owner })
    assert.equal(status, 200, JSON.stringify(body))
    return body.data.map((each: { zone: { name: string } | null }) => each.zone?.name ?? '-')
  }
  for (const zone of [one.id, one.name, `${one.name.toUpperCase()}.`])
    assert.deepEqual(await found(`zone=${zone}`), [one.name], zone)
  assert.deepEqual(await found('zone=example.com'), [])
  assert.deepEqual(await found(`zone=${encodeURIComponent('"%_\\')}`), [])
  await sql`update zones set state = 'deleted', deleted_at = app_now() where id = ${two.id}`.execute(database.db)
  assert.deepEqual(await found(`zone=${two.name}`), [two.name])
  assert.deepEqual(await found(`q=${two.name.toUpperCase()}`), [two.name])
  assert.deepEqual(await found('q=delegation_CHANGED'), [two.name, one.name])
  assert.deepEqual(await found(`q=${encodeURIComponent('%')}%25`), [], 'no pattern')
  assert.deepEqual(await found('q=__'), [])
  assert.deepEqual(await found(`q=ord_1&zone=${one.name}`), [])
  assert.deepEqual(await found('q=ord_1'), ['-'])
  const [{ id: delivery }] = (await api.call('GET', `/webhooks/${id}/deliveries?q=ord_1`, { key: keys.owner })).body
    .data
  assert.deepEqual(await found(`q=${delivery}`), ['-'])
  for (const query of ['q=x', `q=${'x'.repeat(101)}`, 'q=a%00b', 'zone=a%00b', 'q=%E2%80%AEab'])
    assert.equal((await api.call('GET', `/webhooks/${id}/deliveries?${query}`, { key: keys.owner })).status, 422, query)
  await clear()
})
