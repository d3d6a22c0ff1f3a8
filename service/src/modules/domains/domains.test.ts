import assert from 'node:assert/strict'
import { test } from 'node:test'
import { permissions } from '@zonewright/contract'
import { sql } from '#platform/postgres/index.ts'
import { moveClock } from '#testing/move-clock.ts'
import { startTestApi, type TestAnswer } from '#testing/test-api.ts'
import { TestPerson } from '#testing/test-person.ts'
import { codeOf } from '#testing/test-zones.ts'
import { insertDomain } from './store.ts'

const api = await startTestApi()
const { database } = api
const { db } = database
const owner = await TestPerson.signedIn(api, 'owner@example.net')
const guest = await TestPerson.signedIn(api, 'guest@example.net')
const stranger = await TestPerson.signedIn(api, 'stranger@example.net')
const idOf = async (person: TestPerson): Promise<string> => (await person.call('GET', '/account')).body.id
const [ownerId, guestId] = [await idOf(owner), await idOf(guest)]
const ada = {
  name: 'Ada Obi',
  organization: '',
  email: 'ada@example.net',
  phone: '+2348012345678',
  address1: '1 Marina Road',
  address2: '',
  city: 'Lagos',
  state: 'Lagos',
  postalCode: '101001',
  country: 'NG',
  extra: {},
}
const managing = permissions.filter((permission) => permission.startsWith('domains:') && permission !== 'domains:buy')

let names = 0
async function fresh(expiresAt = new Date('2031-05-06T07:08:09.000Z'), name = `held${++names}.test`): Promise<string> {
  await database.transact((tx) =>
    insertDomain(tx, {
      name,
      tld: 'test',
      accountId: ownerId,
      orderId: 'ord_1',
      contact: ada,
      registrantId: 'ZW1',
      autoRenew: false,
      expiresAt,
      nameservers: ['ns1.zonewright.test', 'ns2.zonewright.test'],
      state: 'held',
    }),
  )
  return name
}
async function shared(): Promise<string> {
  const name = await fresh()
  await owner.call('POST', `/domains/${name}/managers`, { body: { email: 'guest@example.net' } })
  const { data } = (await guest.call('GET', '/domain-invitations')).body
  const { id } = data.find(({ domain }: { domain: string }) => domain === name)
  assert.equal((await guest.call('POST', `/domain-invitations/${id}/accept`)).status, 200)
  return name
}
const get = (name: string, as = owner): Promise<TestAnswer> => as.call('GET', `/domains/${name}`)
const withKey = (key: string, method: string, path: string): Promise<TestAnswer> => api.call(method, path, { key })
const namesIn = ({ body }: TestAnswer): string[] => body.data.map(({ name }: { name: string }) => name)

test('the owner can read all data of a domain, under any spelling of its name', async () => {
  const name = await fresh(undefined, 'xn--bcher-kva.test')
  const zone = await api.zone(ownerId, name)
  const { status, body } = await get(name)
  assert.equal(status, 200)
  const { id, created_at, checked_at, status_message, ...rest } = body
  assert.match(id, /^dom_[0-9a-f]{32}$/)
  const { postalCode, ...person } = ada
  assert.deepEqual(rest, {
    name,
    unicode_name: 'bücher.test',
    zone_id: zone.id,
    status: 'active',
    expires_at: '2031-05-06T07:08:09.000Z',
    locked: false,
    auto_renew: false,
    dnssec: { parent_ds: null },
    nameservers: ['ns1.zonewright.test', 'ns2.zonewright.test'],
    contacts: { registrant: { ...person, postal_code: postalCode } },
    role: 'owner',
    transfer_out: null,
    change: null,
  })
  assert.match(status_message, /active\. It expires on 2031-05-06\./)
  for (const written of [encodeURIComponent('Bücher.test'), 'XN--BCHER-KVA.test.'])
    assert.equal((await get(written)).body.name, name)
  for (const path of [`/domains/${name}`, '/domains/none.test', '/domains/%20'])
    assert.deepEqual(codeOf(await stranger.call('GET', path)), [404, 'not_found'])
})

test('a list is filtered by status, lock, auto-renew and DNSSEC, and sorted, by the statuses that it shows', async () => {
  const person = await TestPerson.signedIn(api, 'lists@example.net')
  const accountId = await idOf(person)
  // Each entry has one status, or two of which one takes precedence.
  const facts = [
    ['a', { state: 'arriving', transfer: true }],
    ['b', { transfer: true, grace: '{redemptionPeriod}' }],
    ['c', { grace: '{pendingRestore}', statuses: '{pendingDelete}' }],
    ['d', { statuses: '{pendingDelete}', expires: '2020-01-01' }],
    ['e', { statuses: '{serverHold}', expires: '2020-01-02' }],
    ['f', { statuses: '{clientHold,clientTransferProhibited}', ds: true }],
    ['g', { statuses: '{ok}', expires: '2031-01-01', ds: false, renews: true }],
  ] as const
  for (const [letter, fact] of facts) {
    const { state, transfer, grace, statuses, expires, ds, renews } = fact as Record<string, string | boolean>
    await sql`
      insert into domains (name, tld, account_id, state, order_id, auto_renew, expires_at, statuses, grace_statuses, transfer_out, has_ds)
      values (${`${letter}.lists.test`}, 'test', ${accountId}, ${state ?? 'held'}, 'ord_1', ${renews ?? false}, ${expires ?? null},
        ${statuses ?? '{}'}::text[], ${grace ?? '{}'}::text[],
        ${transfer ? '{"requestedBy":"x","requestedAt":"2026-11-01T00:00:00Z","actBy":"2026-11-06T00:00:00Z"}' : null}, ${ds ?? null})`.execute(
      db,
    )
  }
  const list = async (query: string) =>
    namesIn(await person.call('GET', `/domains?${query}`)).map((name) => name.slice(0, 1))
  const statuses = ['transferring_in', 'transferring_out', 'redemption', 'deleting', 'expired', 'on_hold', 'active']
  const { data } = (await person.call('GET', '/domains')).body
  assert.deepEqual(
    data.map(({ status }: { status: string }) => status),
    statuses,
  )
  for (const [i, status] of statuses.entries()) assert.deepEqual(await list(`status=${status}`), ['abcdefg'[i]], status)
  assert.deepEqual(await list('locked=true'), ['f'])
  assert.deepEqual(await list('locked=false&dnssec=unknown&q=.LISTS'), ['a', 'b', 'c', 'd', 'e'])
  assert.deepEqual([await list('dnssec=ds'), await list('dnssec=no_ds')], [['f'], ['g']])
  assert.deepEqual([await list('auto_renew=true'), (await list('auto_renew=false')).length], [['g'], 6])
  assert.deepEqual((await list('sort=expires_at')).slice(0, 3), ['d', 'e', 'g'])
  assert.deepEqual((await list('sort=-expires_at')).slice(0, 3), ['g', 'e', 'd'])
  assert.deepEqual(await list('sort=-name'), ['g', 'f', 'e', 'd', 'c', 'b', 'a'])
  const paged: string[] = []
  for (let cursor = ''; ; ) {
    const page = await person.call('GET', `/domains?sort=status&limit=2${cursor}`)
    paged.push(...page.body.data.map(({ status }: { status: string }) => status))
    if (page.body.next_cursor === null) break
    cursor = `&cursor=${page.body.next_cursor}`
  }
  assert.deepEqual(paged, statuses.toSorted())
  for (const [query, said] of [
    ['status=gone', /"redemption"/],
    ['locked=maybe', /true/],
    ['sort=price', /"-expires_at"/],
    ['dnssec=yes', /"no_ds"/],
  ] as const) {
    const { status, body } = await person.call('GET', `/domains?${query}`)
    assert.equal(status, 422, query)
    assert.match(body.error.details[0].message, said)
  }
})

test('the list contains the account’s own and managed domains, sorted by name, in pages', async () => {
  const mine = await shared()
  const all = namesIn(await owner.call('GET', '/domains?limit=200'))
  assert.deepEqual(all, all.toSorted())
  assert.ok(all.includes(mine))
  const paged: string[] = []
  for (let cursor = ''; ; ) {
    const page = await owner.call('GET', `/domains?limit=1${cursor}`)
    paged.push(...namesIn(page))
    if (page.body.next_cursor === null) break
    cursor = `&cursor=${page.body.next_cursor}`
  }
  assert.deepEqual(paged, all)
  assert.deepEqual(namesIn(await guest.call('GET', '/domains?role=owner')), [])
  assert.ok(namesIn(await guest.call('GET', '/domains?role=manager')).includes(mine))
  assert.deepEqual(namesIn(await owner.call('GET', `/domains?q=${mine.slice(0, -5).toUpperCase()}`)), [mine])
  const soon = await fresh(new Date('2027-01-01T00:00:00Z'))
  assert.deepEqual(namesIn(await owner.call('GET', '/domains?expires_before=2027-02-01T00:00:00Z')), [soon])
  assert.deepEqual(namesIn(await owner.call('GET', '/domains?expires_before=2027-02-01T16:30:00%2B16:30')), [soon])
  assert.equal((await owner.call('GET', '/domains?expires_before=0000-01-01T00:00:00Z')).status, 422)
  assert.deepEqual(namesIn(await stranger.call('GET', '/domains')), [])
})

test('an invitation is emailed, gives no access until it is accepted, and works once, for that address only', async () => {
  const name = await fresh()
  const invited = await owner.call('POST', `/domains/${name}/managers`, { body: { email: 'Guest@Example.net' } })
  assert.deepEqual([invited.status, invited.body.account, invited.body.state], [201, null, 'invited'])
  const { rows } = await sql<{
    kind: string
    to: string
  }>`select kind, to_address as to from mails`.execute(db)
  assert.deepEqual(rows.at(-1), { kind: 'domain_invitation', to: 'guest@example.net' })
  assert.deepEqual(codeOf(await get(name, guest)), [404, 'not_found'])
  const { data } = (await guest.call('GET', '/domain-invitations')).body
  const { id, inviter } = data.find(({ domain }: { domain: string }) => domain === name)
  assert.equal(inviter, 'owner@example.net')
  for (const [person, path] of [
    [stranger, `/domain-invitations/${id}/accept`],
    [owner, `/domain-invitations/${id}/decline`],
  ] as const)
    assert.deepEqual(codeOf(await person.call('POST', path)), [404, 'not_found'])
  const accepted = await guest.call('POST', `/domain-invitations/${id}/accept`)
  assert.deepEqual([accepted.status, accepted.body.role, accepted.body.contacts.registrant], [200, 'manager', null])
  assert.deepEqual(codeOf(await guest.call('POST', `/domain-invitations/${id}/accept`)), [404, 'not_found'])
  const again = await owner.call('POST', `/domains/${name}/managers`, { body: { email: 'guest@example.net' } })
  assert.deepEqual(codeOf(again), [409, 'conflict'])
})

test('an invitation that is declined, cancelled or two weeks old gives no access', async () => {
  const name = await fresh()
  const invite = async (): Promise<string> => {
    await owner.call('POST', `/domains/${name}/managers`, { body: { email: 'guest@example.net' } })
    return (await guest.call('GET', '/domain-invitations')).body.data[0].id
  }
  assert.equal((await guest.call('POST', `/domain-invitations/${await invite()}/decline`)).status, 204)
  const second = await invite()
  assert.equal((await owner.call('DELETE', `/domains/${name}/managers/guest@example.net`)).status, 204)
  assert.deepEqual(codeOf(await guest.call('POST', `/domain-invitations/${second}/accept`)), [404, 'not_found'])
  const third = await invite()
  await moveClock(database, '15 days')
  try {
    assert.deepEqual((await owner.call('GET', `/domains/${name}/managers`)).body.data, [])
    assert.deepEqual(codeOf(await guest.call('POST', `/domain-invitations/${third}/accept`)), [404, 'not_found'])
  } finally {
    await moveClock(database, '0 seconds')
  }
  assert.deepEqual(codeOf(await get(name, guest)), [404, 'not_found'])
})

test('a manager can turn auto-renew on but not off, cannot share, sees only its own entry, and can leave', async () => {
  const name = await shared()
  assert.equal((await guest.call('POST', `/domains/${name}/auto-renew`)).body.auto_renew, true)
  for (const [method, path, body] of [
    ['DELETE', 'auto-renew', undefined],
    ['POST', 'managers', { email: 'third@example.net' }],
    ['DELETE', `managers/${ownerId}`, undefined],
  ] as const)
    assert.deepEqual(codeOf(await guest.call(method, `/domains/${name}/${path}`, { body })), [403, 'forbidden'], path)
  await owner.call('POST', `/domains/${name}/managers`, { body: { email: 'third@example.net' } })
  assert.equal((await owner.call('GET', `/domains/${name}/managers`)).body.data.length, 2)
  const seen = (await guest.call('GET', `/domains/${name}/managers`)).body.data
  assert.deepEqual(
    seen.map(({ account }: { account: string }) => account),
    [guestId],
  )
  assert.equal((await guest.call('DELETE', `/domains/${name}/managers/${guestId}`)).status, 204)
  assert.deepEqual(codeOf(await get(name, guest)), [404, 'not_found'])
  assert.equal((await owner.call('DELETE', `/domains/${name}/auto-renew`)).body.auto_renew, false)
  const { rows } = await sql<{ action: string; actor: string }>`
    select action, actor_name as actor from audit_log where domain = ${name} order by id`.execute(db)
  assert.deepEqual(
    rows.map(({ action, actor }) => `${action} ${actor}`),
    [
      'manager.invited owner@example.net',
      'manager.accepted guest@example.net',
      'domain.auto_renew_changed guest@example.net',
      'manager.invited owner@example.net',
      'manager.removed guest@example.net',
      'domain.auto_renew_changed owner@example.net',
    ],
  )
})

test('a key for all zones covers the account’s own domains, with or without a zone, and never a shared one', async () => {
  const [without, ours] = [await fresh(), await shared()]
  const own = await api.key(ownerId, { permissions: managing })
  assert.equal((await withKey(own, 'GET', `/domains/${without}`)).status, 200)
  const guests = await api.key(guestId, { permissions: managing })
  const refused = await withKey(guests, 'GET', `/domains/${ours}`)
  assert.deepEqual(codeOf(refused), [403, 'forbidden'])
  assert.match(refused.body.error.message, new RegExp(`lacks the domain ${ours}\\. Create a key that includes ${ours}`))
  assert.deepEqual(codeOf(await withKey(guests, 'POST', `/domains/${ours}/auto-renew`)), [403, 'forbidden'])
  assert.deepEqual(namesIn(await withKey(guests, 'GET', '/domains')), [])
})

test('a key for particular zones and domains covers its domains, including shared ones, but not the domains of its zones', async () => {
  const [listed, other, without, ours] = [await fresh(), await fresh(), await fresh(), await shared()]
  const zone = await api.zone(ownerId, other)
  const key = await api.key(ownerId, { picks: [listed, zone.id], permissions: managing })
  assert.equal((await withKey(key, 'GET', `/domains/${listed}`)).status, 200)
  assert.equal((await withKey(key, 'POST', `/domains/${listed}/auto-renew`)).status, 200)
  for (const name of [other, without, ours])
    assert.deepEqual(codeOf(await withKey(key, 'GET', `/domains/${name}`)), [403, 'forbidden'], name)
  assert.deepEqual(codeOf(await withKey(key, 'GET', '/domains/none.test')), [404, 'not_found'])
  assert.deepEqual(namesIn(await withKey(key, 'GET', '/domains')), [listed])
  const guests = await api.key(guestId, { picks: [ours], permissions: managing })
  assert.equal((await withKey(guests, 'GET', `/domains/${ours}`)).body.role, 'manager')
  assert.deepEqual(namesIn(await withKey(guests, 'GET', '/domains')), [ours])
})

test('an account can send fifty invitations a day, to zones and domains together', async () => {
  const name = await fresh()
  await sql`insert into invitation_hours (account_id, hour, sent) values (${ownerId}, app_now() - interval '2 hours', 50)`.execute(
    db,
  )
  const invite = () => owner.call('POST', `/domains/${name}/managers`, { body: { email: 'somebody@example.net' } })
  assert.deepEqual(codeOf(await invite()), [429, 'rate_limited'])
  await moveClock(database, '1 day')
  assert.equal((await invite()).status, 201)
  await moveClock(database, '0 seconds')
})
