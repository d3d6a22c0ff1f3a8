import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WirePick, WireScopeEntry } from '@zonewright/contract'
import { deleteAccount } from '#modules/accounts/delete-account.ts'
import { addArriving, addRegistered, dropArriving } from '#modules/domains/index.ts'
import { eraseHeldAccounts } from '#modules/erasure/erase-accounts.ts'
import { closeAccount } from '#modules/erasure/index.ts'
import { actorNamed } from '#platform/caller.ts'
import { sql } from '#platform/postgres/index.ts'
import { moveClock } from '#testing/move-clock.ts'
import { asAnotherProcess } from '#testing/platform/test-database.ts'
import { RegistryStaff } from '#testing/registry-staff.ts'
import { done, register, startSandboxRegistry, trid } from '#testing/sandbox-registry.ts'
import { startTestApi, type TestAnswer } from '#testing/test-api.ts'
import { TestOwner } from '#testing/test-owner.ts'
import { TestPerson } from '#testing/test-person.ts'
import { codeOf, faultsOf } from '#testing/test-zones.ts'
import { untilBlocked } from '#testing/until-blocked.ts'
import { createKey } from './create-key.ts'
import { pickScope } from './pick-scope.ts'

// What a key covers, from its creation until each zone and domain leaves its scope.

const registry = await startSandboxRegistry()
const staff = new RegistryStaff(registry)
const api = await startTestApi({ registry })
const { database } = api
const { db } = database
const elsewhere = asAnotherProcess(database.url)
const owner = await TestOwner.make(api, registry)
const guest = await TestPerson.secured(api, 'guest@example.net')
const guestId: string = (await guest.call('GET', '/account')).body.id
const stranger = await api.account('stranger@example.net')
const operator = actorNamed('operator', 'test')
const permissions = ['records:read', 'records:write', 'domains:read', 'domains:manage'] as const

let names = 0
const fresh = (): string => `thing${++names}.test`

/** A domain without a zone. */
async function domainAlone(accountId: string, name = fresh()): Promise<string> {
  await sql`insert into domains (name, tld, account_id, state, order_id, auto_renew)
    values (${name}, 'test', ${accountId}, 'held', 'ord_1', false)`.execute(db)
  return name
}

async function shareZone(name: string, managerId = guestId): Promise<void> {
  await sql`insert into zone_managers (zone_id, account_id)
    select id, ${managerId} from zones where name = ${name} and state = 'live'`.execute(db)
}

async function shareDomain(name: string, managerId = guestId): Promise<void> {
  await sql`insert into domain_managers (domain_id, account_id)
    select id, ${managerId} from domains where name = ${name} and state <> 'gone'`.execute(db)
}

/** A key of the guest for the selection. */
const keyFor = (...picks: WirePick[]): Promise<string> => api.key(guestId, { picks, permissions })
const ownersKeyFor = (...picks: WirePick[]): Promise<string> => api.key(owner.accountId, { picks, permissions })
const entriesOf = async (key: string): Promise<WireScopeEntry[]> =>
  (await api.call('GET', '/api-keys/current', { key })).body.zones
/** The scope of a key, as `kind name`. */
const scopeOf = async (key: string): Promise<string[]> =>
  (await entriesOf(key)).map(({ kind, name }) => `${kind} ${name}`)
const namesIn = ({ body }: TestAnswer): string[] => body.data.map(({ name }: { name: string }) => name)

/** What a key reaches under a name: `zone`, `domain`. Single reads and lists must agree. */
async function reaches(key: string, name: string): Promise<string[]> {
  const zone = await api.call('GET', `/zones/${name}`, { key })
  const domain = await api.call('GET', `/domains/${name}`, { key })
  const records = await api.call('GET', `/zones/${name}/rrsets`, { key })
  const renewal = await api.call('POST', `/domains/${name}/auto-renew`, { key })
  assert.equal(records.status, zone.status, name)
  assert.equal(renewal.status, domain.status, name)
  const owning = await api.call('GET', `/zones?owns_name=www.${name}`, { key })
  for (const list of [await api.call('GET', '/zones?limit=200', { key }), owning])
    assert.equal(namesIn(list).includes(name), zone.status === 200, name)
  const domains = await api.call('GET', '/domains?limit=200', { key })
  assert.equal(namesIn(domains).includes(name), domain.status === 200, name)
  for (const answer of [zone, domain])
    if (answer.status !== 200) assert.ok([403, 404].includes(answer.status), JSON.stringify(answer.body))
  return [...(zone.status === 200 ? ['zone'] : []), ...(domain.status === 200 ? ['domain'] : [])]
}

test('a name selects what the account currently has under it, owned or shared, and the response lists it', async () => {
  for (const [parts, expected] of [
    [['zone'], ['zone']],
    [['domain'], ['domain']],
    [
      ['zone', 'domain'],
      ['zone', 'domain'],
    ],
    [['shared zone'], ['zone']],
    [['shared domain'], ['domain']],
    [
      ['zone', 'shared domain'],
      ['zone', 'domain'],
    ],
    [
      ['shared zone', 'domain'],
      ['zone', 'domain'],
    ],
    [
      ['shared zone', 'shared domain'],
      ['zone', 'domain'],
    ],
    [['foreign zone', 'shared domain'], ['domain']],
    [['shared zone', 'foreign domain'], ['zone']],
  ] as const) {
    const name = fresh()
    const has = (kind: 'zone' | 'domain') => parts.find((part) => part.endsWith(kind))
    const accountOf = (part: string) => (part.includes(' ') ? owner.accountId : guestId)
    const [zone, domain] = [has('zone'), has('domain')]
    if (zone) await api.zone(accountOf(zone), name)
    if (domain) await domainAlone(accountOf(domain), name)
    if (zone === 'shared zone') await shareZone(name)
    if (domain === 'shared domain') await shareDomain(name)
    const key = await keyFor(name)
    assert.deepEqual(
      await scopeOf(key),
      expected.map((kind) => `${kind} ${name}`),
      parts.join(),
    )
    assert.deepEqual(await reaches(key, name), [...expected], parts.join())
  }
})

test('the response to the creation and the lists of keys list the scope by id, name and kind', async () => {
  const name = await owner.domain()
  await shareZone(name)
  await shareDomain(name)
  const { zone_id: zoneId, id: domainId } = (await owner.call('GET', name)).body
  const made = await guest.call('POST', '/api-keys', {
    body: {
      name: 'listed',
      zones: [`${name.toUpperCase()}.`, name],
      permissions: ['records:read'],
      expires_in: 'never',
      code: guest.code(),
    },
  })
  assert.equal(made.status, 201, JSON.stringify(made.body))
  const scope = [
    { id: zoneId, name, kind: 'zone' },
    { id: domainId, name, kind: 'domain' },
  ]
  assert.deepEqual(made.body.zones, scope)
  assert.deepEqual(await entriesOf(made.body.secret), scope)
  const { data } = (await guest.call('GET', '/api-keys')).body
  assert.deepEqual(data.find(({ id }: { id: string }) => id === made.body.id).zones, scope)
  const mail = await sql<{ n: number }>`select count(*)::int as n from mails where kind = 'key_created'`.execute(db)
  assert.ok(Number(mail.rows[0]?.n) > 0)
  // The response can be used as a request.
  assert.deepEqual(await entriesOf(await keyFor(...scope.map((entry) => entry as WireScopeEntry))), scope)
})

test('an entry is selected by id, by kind and name, or by all three; contradicting members select nothing', async () => {
  const [mine, other, foreign] = [await owner.domain(), await owner.domain(), fresh()]
  await api.zone(stranger, foreign)
  await domainAlone(stranger, foreign)
  const idsOf = async (name: string) => {
    const { rows } = await sql<{ zone: string; domain: string }>`
      select z.id as zone, d.public_id as domain from zones z join domains d on d.name = z.name where z.name = ${name}`.execute(
      db,
    )
    return rows[0] ?? assert.fail(name)
  }
  const [ids, otherIds, foreignIds] = [await idsOf(mine), await idsOf(other), await idsOf(foreign)]
  const [zone, domain] = [[`zone ${mine}`], [`domain ${mine}`]]
  for (const [pick, expected] of [
    [mine, [...zone, ...domain]],
    [ids.zone, zone],
    [ids.zone.toUpperCase(), zone],
    [{ kind: 'zone', id: ids.zone }, zone],
    [{ kind: 'zone', name: mine }, zone],
    [{ kind: 'zone', id: ids.zone, name: `${mine.toUpperCase()}.` }, zone],
    [{ kind: 'domain', id: ids.domain }, domain],
    [{ kind: 'domain', name: mine }, domain],
    [{ kind: 'domain', id: ids.domain, name: mine }, domain],
  ] as const)
    assert.deepEqual(await scopeOf(await ownersKeyFor(pick)), expected, JSON.stringify(pick))
  const absent: WirePick[] = [
    foreign,
    foreignIds.zone,
    { kind: 'zone', id: foreignIds.zone },
    { kind: 'domain', id: foreignIds.domain },
    { kind: 'domain', name: foreign },
    { kind: 'zone', id: ids.zone, name: other },
    { kind: 'domain', id: ids.domain, name: other },
    { kind: 'domain', id: ids.zone },
    { kind: 'zone', id: ids.domain },
    { kind: 'domain', id: otherIds.zone, name: mine },
    { kind: 'zone', id: 'nowhere', name: mine },
    { kind: 'domain', id: 'dom_\u0000', name: mine },
    { kind: 'domain', id: '1' },
    { kind: 'zone', name: '' },
    { kind: 'domain', name: 'a\u0000b' },
    { kind: 'zone' },
    { kind: 'domain' },
    '',
    'dom_x',
    ids.domain,
  ]
  const { scope, faults } = await pickScope(db, owner.accountId, absent)
  assert.deepEqual(
    [scope, faults.map(({ path }) => path)],
    [{ zones: [], domains: [] }, absent.map((_, n) => `/zones/${n}`)],
  )
  // The API refuses NUL before it looks anything up.
  const sent = absent.filter((pick) => !JSON.stringify(pick).includes('u0000'))
  const told = await owner.person.call('POST', '/api-keys', {
    body: { name: 'none', zones: [mine, ...sent], permissions: ['records:read'], expires_in: 'never', code: '000000' },
  })
  assert.deepEqual(codeOf(told), [422, 'validation_failed'])
  assert.deepEqual(
    faultsOf(told),
    sent.map((_, n) => `not_found /zones/${n + 1}`),
  )
  for (const bad of [
    [7],
    [null],
    [{}],
    [{ kind: 'order', id: 'x' }],
    [{ id: ids.zone }],
    [{ ...ids, kind: 'zone' }],
    'some',
    {},
  ])
    assert.equal(
      (
        await owner.person.call('POST', '/api-keys', {
          body: { name: 'bad', zones: bad, permissions: ['records:read'], expires_in: 'never', code: '000000' },
        })
      ).status,
      422,
      JSON.stringify(bad),
    )
})

test('a refused scope entry says what to send instead, and bidirectional text cannot reverse it', async () => {
  const expected =
    'Expected a name, or an entry such as {"kind": "domain", "name": "example.com"}. The kind is zone or domain.'
  for (const [zones, message] of [
    ['some', '/zones: Expected "all", or a list of zones and domains.'],
    [null, '/zones: Expected "all", or a list of zones and domains.'],
    [{}, '/zones: Expected "all", or a list of zones and domains.'],
    [[7], `/zones/0: ${expected}`],
    [[null], `/zones/0: ${expected}`],
    [[['a']], `/zones/0: ${expected}`],
    [[{ kind: 'Zone', name: 'example.com' }], `/zones/0: ${expected}`],
    [[{ kind: 'order', id: 'x' }], `/zones/0: ${expected}`],
    [[{ name: 'example.com' }], `/zones/0: ${expected}`],
    [[''], 'Give the id or the name of a zone or domain.'],
    [[{ kind: 'zone' }], 'Give the id or the name of a zone.'],
    [[{ kind: 'domain', id: '' }], 'Give the id or the name of a domain.'],
    [['a\u202eb'], 'The zone or domain "a\\u202eb" does not exist, or this account has no access to it.'],
    [
      [{ kind: 'domain', name: '\u2066a' }],
      'The domain "\\u2066a" does not exist, or this account has no access to it.',
    ],
  ] as const) {
    const { status, body } = await owner.person.call('POST', '/api-keys', {
      body: { name: 'bad', zones, permissions: ['records:read'], expires_in: 'never', code: '000000' },
    })
    assert.deepEqual([status, (body as { error: { message: string } }).error.message], [422, message])
  }
})

test('names are selected in any spelling', async () => {
  await api.zone(owner.accountId, 'xn--bcher-kva.example')
  await domainAlone(owner.accountId, 'xn--bcher-kva.example')
  for (const written of [
    'bücher.example',
    'BÜCHER.example.',
    'xn--bcher-kva.example',
    'XN--BCHER-KVA.EXAMPLE.',
    'bücher。example',
  ])
    for (const pick of [written, { kind: 'domain', name: written } as const])
      assert.ok((await scopeOf(await ownersKeyFor(pick))).includes('domain xn--bcher-kva.example'), written)
})

test('a name selects both the account’s own pending zone and a shared live one', async () => {
  const name = fresh()
  await api.zone(owner.accountId, name)
  await shareZone(name)
  const pending = (await guest.call('POST', '/zones', { body: { name } })).body
  assert.equal(pending.state, 'pending')
  const key = await keyFor(name)
  assert.deepEqual(await scopeOf(key), [`zone ${name}`, `zone ${name}`])
  assert.equal((await api.call('GET', `/zones/${pending.id}`, { key })).status, 200)
  assert.equal((await api.call('GET', `/zones/${name}`, { key })).body.state, 'live')
})

test('a shared domain allows reading and managing it, but never its zone; the refusal names a remedy that works', async () => {
  const name = await owner.domain()
  await shareDomain(name)
  const all = await api.key(guestId, { permissions })
  const refused = await api.call('GET', `/domains/${name}`, { key: all })
  assert.deepEqual(codeOf(refused), [403, 'forbidden'])
  assert.match(
    refused.body.error.message,
    new RegExp(`lacks the domain ${name}\\. Create a key that includes ${name}\\. A key for all`),
  )
  const key = await keyFor(name)
  const domain = await api.call('GET', `/domains/${name}`, { key })
  assert.deepEqual([domain.status, domain.body.role, domain.body.contacts.registrant], [200, 'manager', null])
  assert.equal((await api.call('POST', `/domains/${name}/lock`, { key })).body.locked, true)
  const nameservers = ['ns1.example.net', 'ns2.example.net']
  const set = await api.call('PUT', `/domains/${name}/nameservers`, { key, body: { nameservers } })
  assert.deepEqual([set.status, set.body.nameservers], [200, nameservers])
  assert.deepEqual(codeOf(await api.call('GET', `/zones/${name}`, { key })), [404, 'not_found'])
  assert.deepEqual(namesIn(await api.call('GET', '/orders', { key })), [], 'the orders are the owner’s')
  // Later, the zone is also shared. It is still not covered.
  await shareZone(name)
  for (const path of ['', '/rrsets', '/versions', '/checklist', '/propagation', '/export'])
    assert.deepEqual(codeOf(await api.call('GET', `/zones/${name}${path}`, { key })), [403, 'forbidden'], path)
  const preset = await api.call('POST', `/zones/${name}/presets/google.com.site-verification`, {
    key,
    body: { parameters: { code: 'x' } },
  })
  assert.deepEqual(codeOf(preset), [403, 'forbidden'])
  assert.match(preset.body.error.message, new RegExp(`lacks the zone ${name}\\. Create a key that includes ${name}`))
  assert.deepEqual(await reaches(key, name), ['domain'])
  assert.deepEqual(await reaches(await keyFor(name), name), ['zone', 'domain'])
})

test('a key for a zone does not cover the domain of its name, and the refusal says how to cover it', async () => {
  const name = await owner.domain()
  const { zone_id: zoneId } = (await owner.call('GET', name)).body
  const key = await ownersKeyFor(zoneId)
  assert.deepEqual(await reaches(key, name), ['zone'])
  for (const [method, path] of [
    ['GET', ''],
    ['POST', '/lock'],
    ['POST', '/auto-renew'],
  ] as const) {
    const refused = await api.call(method, `/domains/${name}${path}`, { key })
    assert.deepEqual(codeOf(refused), [403, 'forbidden'])
    assert.ok(
      refused.body.error.message.endsWith(
        `lacks the domain ${name}. Create a key for all zones, or one that includes ${name}.`,
      ),
    )
  }
  const body = { nameservers: ['ns1.example.net', 'ns2.example.net'] }
  assert.deepEqual(codeOf(await api.call('PUT', `/domains/${name}/nameservers`, { key, body })), [403, 'forbidden'])
})

test('a zone or domain that gets the name later is not covered: shared, added, bought or created again', async () => {
  const [zones, domains] = [[fresh(), fresh(), fresh()] as const, [fresh(), fresh(), fresh()] as const]
  for (const name of zones) await api.zone(name === zones[2] ? owner.accountId : guestId, name)
  for (const name of domains) await domainAlone(name === domains[2] ? owner.accountId : guestId, name)
  await shareZone(zones[2])
  await shareDomain(domains[2])
  const key = await keyFor(...zones, ...domains)
  const before = await scopeOf(key)
  assert.deepEqual(before, [...zones.map((name) => `zone ${name}`), ...domains.map((name) => `domain ${name}`)])
  // Domains of zones: one bought, one shared, one that the zone's owner shares.
  await domainAlone(guestId, zones[0])
  await domainAlone(stranger, zones[1])
  await shareDomain(zones[1])
  await domainAlone(owner.accountId, zones[2])
  await shareDomain(zones[2])
  // Zones of domains: one added, one shared, one that the domain's owner shares.
  await api.zone(guestId, domains[0])
  await api.zone(stranger, domains[1])
  await shareZone(domains[1])
  await api.zone(owner.accountId, domains[2])
  await shareZone(domains[2])
  for (const name of zones) assert.deepEqual(await reaches(key, name), ['zone'], name)
  for (const name of domains) assert.deepEqual(await reaches(key, name), ['domain'], name)
  assert.deepEqual(await scopeOf(key), before)
  for (const name of [...zones, ...domains])
    assert.deepEqual(await reaches(await keyFor(name), name), ['zone', 'domain'])
})

test('a domain registered for a zone of the scope, or transferred in, is not covered; its zone still is', async () => {
  const buyer = await api.account('buyer@example.net')
  const [held, arriving] = [fresh(), fresh()]
  for (const name of [held, arriving]) await api.zone(buyer, name)
  const key = await api.key(buyer, { picks: [held, arriving], permissions })
  const domain = {
    tld: 'test',
    accountId: buyer,
    orderId: 'ord_1',
    contact: null,
    registrantId: null,
    autoRenew: false,
  }
  const more = { ...domain, expiresAt: null, nameservers: [] }
  const { giveZone } = api.orders
  await database.transact((tx) => addRegistered(tx, giveZone, operator, { ...more, name: held }))
  await database.transact((tx) => addArriving(tx, operator, { ...more, name: arriving }))
  for (const name of [held, arriving]) assert.deepEqual(await reaches(key, name), ['zone'])
  // A domain whose transfer to us is in progress can be selected, and leaves the scope if the transfer fails.
  const picked = await api.key(buyer, { picks: [arriving], permissions })
  assert.deepEqual(await scopeOf(picked), [`zone ${arriving}`, `domain ${arriving}`])
  await database.transact((tx) => dropArriving(tx, operator, { accountId: buyer, name: arriving }))
  assert.deepEqual(await scopeOf(picked), [`zone ${arriving}`])
  await database.transact((tx) => addArriving(tx, operator, { ...more, name: arriving }))
  assert.deepEqual(await reaches(picked, arriving), ['zone'])
})

test('when sharing ends, the zone or domain leaves the scope, and a new invitation does not return it', async () => {
  for (const by of ['owner', 'manager'] as const) {
    const name = await owner.domain()
    const both = async () => {
      for (const [shared, invitations] of [
        ['zones', '/invitations'],
        ['domains', '/domain-invitations'],
      ] as const) {
        const invited = await owner.person.call('POST', `/${shared}/${name}/managers`, { body: { email: guest.email } })
        assert.equal(invited.status, 201)
        const { data } = (await guest.call('GET', invitations)).body
        assert.equal((await guest.call('POST', `${invitations}/${data[0].id}/accept`)).status, 200)
      }
    }
    await both()
    const [key, other] = [await keyFor(name), await keyFor({ kind: 'domain', name })]
    const owners = await ownersKeyFor(name)
    assert.deepEqual(await reaches(key, name), ['zone', 'domain'])
    const person = by === 'owner' ? owner.person : guest
    assert.equal((await person.call('DELETE', `/domains/${name}/managers/${guestId}`)).status, 204)
    assert.deepEqual([await scopeOf(key), await scopeOf(other)], [[`zone ${name}`], []])
    assert.deepEqual(codeOf(await api.call('GET', `/domains/${name}`, { key })), [404, 'not_found'])
    assert.deepEqual(await reaches(key, name), ['zone'], 'the zone is shared still')
    assert.equal((await person.call('DELETE', `/zones/${name}/managers/${guestId}`)).status, 204)
    assert.deepEqual(await scopeOf(key), [])
    await both()
    for (const each of [key, other]) {
      assert.deepEqual(await reaches(each, name), [])
      assert.deepEqual(codeOf(await api.call('GET', `/domains/${name}`, { key: each })), [403, 'forbidden'])
    }
    assert.deepEqual(await reaches(owners, name), ['zone', 'domain'], 'the owner’s keys have lost nothing')
  }
})

test('a domain that leaves us leaves every scope; its zone stays, and a new domain of that name is not covered', async () => {
  for (const how of ['transferred', 'deleted'] as const) {
    const name = await owner.domain()
    await shareDomain(name)
    const [key, guests] = [await ownersKeyFor(name), await keyFor(name)]
    assert.deepEqual(
      [await scopeOf(key), await scopeOf(guests)],
      [[`zone ${name}`, `domain ${name}`], [`domain ${name}`]],
    )
    if (how === 'transferred') {
      await staff.rival.domains.requestTransfer({ name, authInfo: staff.domain(name)?.authInfo ?? '' }, trid())
      assert.equal((await owner.call('POST', `${name}/transfer-out/approve`)).status, 204)
    } else {
      done(await owner.registry.domains.delete(name, trid()))
      await owner.workNow()
      await sql`update domains set missing_since = app_now() - interval '2 hours' where name = ${name}`.execute(db)
      await owner.workNow()
    }
    assert.deepEqual([await scopeOf(key), await scopeOf(guests)], [[`zone ${name}`], []], how)
    assert.deepEqual(await reaches(key, name), ['zone'])
    assert.deepEqual(await reaches(guests, name), [])
    assert.deepEqual(await scopeOf(await ownersKeyFor(name)), [`zone ${name}`], 'a new key does not cover it either')
    await domainAlone(owner.accountId, name)
    await shareDomain(name)
    assert.deepEqual(await reaches(key, name), ['zone'])
    assert.deepEqual(await reaches(guests, name), [])
  }
})

test('a deleted zone leaves the scope and returns when it is restored; a new zone does not enter it; its domain stays', async () => {
  const name = await owner.domain()
  await shareZone(name)
  await shareDomain(name)
  const { zone_id: zoneId } = (await owner.call('GET', name)).body
  const [key, guests] = [await ownersKeyFor(name), await keyFor(name)]
  const drop = async () =>
    assert.equal((await owner.person.call('DELETE', `/zones/${name}`, { body: { name } })).status, 204)
  await drop()
  for (const each of [key, guests]) {
    assert.deepEqual(await scopeOf(each), [`domain ${name}`])
    assert.deepEqual(await reaches(each, name), ['domain'])
  }
  for (const pick of [
    { kind: 'zone', name },
    { kind: 'zone', id: zoneId },
  ] as const) {
    const { scope, faults } = await pickScope(db, owner.accountId, [pick])
    assert.deepEqual([scope.zones, faults.length], [[], 1], JSON.stringify(pick))
  }
  assert.equal((await owner.person.call('POST', `/deleted-zones/${zoneId}/restore`)).status, 200)
  assert.equal((await guest.call('GET', `/zones/${name}`)).body.role, 'manager')
  for (const each of [key, guests])
    assert.deepEqual((await scopeOf(each)).toSorted(), [`domain ${name}`, `zone ${name}`], 'restored')
  await drop()
  const { id: keyId } = (await api.call('GET', '/api-keys/current', { key })).body
  const rest = { zones: [{ kind: 'domain', name }] }
  assert.equal((await owner.person.call('PATCH', `/api-keys/${keyId}`, { body: rest })).status, 200)
  await sql`update api_keys set expires_at = app_now() where id <> ${keyId} and account_id <> ${owner.accountId}`.execute(
    db,
  )
  assert.equal((await owner.person.call('POST', `/deleted-zones/${zoneId}/restore`)).status, 200)
  await sql`update api_keys set expires_at = null where id <> ${keyId} and account_id <> ${owner.accountId}`.execute(db)
  for (const each of [key, guests])
    assert.deepEqual(await scopeOf(each), [`domain ${name}`], 'restricted or expired meanwhile')
  await drop()
  assert.equal((await owner.person.call('POST', '/zones', { body: { name } })).body.state, 'live')
  for (const each of [key, guests]) assert.deepEqual(await reaches(each, name), ['domain'], 'added anew')
})

test('after a takeover, the new owner’s keys keep covering the zone; those of the former owner and its managers do not', async () => {
  const name = fresh()
  await api.zone(owner.accountId, name)
  await shareZone(name)
  const taker = await api.account('taker@example.net')
  const takersZone = (await api.call('POST', '/zones', { key: await api.key(taker), body: { name } })).body
  const [losing, managing] = [await ownersKeyFor(name), await keyFor(name)]
  const taking = await api.key(taker, { picks: [name], permissions })
  assert.deepEqual(await entriesOf(taking), [{ id: takersZone.id, name, kind: 'zone' }])
  await register(registry.connect('zonewright'), name)
  await database.transact((tx) => api.orders.giveZone(tx, operator, taker, name))
  const taken = await api.call('GET', `/zones/${name}`, { key: taking })
  assert.deepEqual([taken.status, taken.body.id, taken.body.state], [200, takersZone.id, 'live'])
  for (const key of [losing, managing]) {
    assert.deepEqual(await scopeOf(key), [])
    assert.deepEqual(codeOf(await api.call('GET', `/zones/${name}`, { key })), [404, 'not_found'])
  }
})

test('"all" covers what the account owns, including later zones and domains, and nothing shared with it', async () => {
  const key = await api.key(guestId, { permissions })
  const [own, shared] = [fresh(), await owner.domain()]
  await api.zone(guestId, own)
  await domainAlone(guestId, own)
  await shareZone(shared)
  await shareDomain(shared)
  assert.deepEqual(await reaches(key, own), ['zone', 'domain'])
  assert.deepEqual(await reaches(key, shared), [])
  for (const path of [`/zones/${shared}`, `/domains/${shared}`])
    assert.deepEqual(codeOf(await api.call('GET', path, { key })), [403, 'forbidden'])
  assert.equal((await api.call('GET', '/api-keys/current', { key })).body.zones, 'all')
})

test('a key whose list has become empty covers nothing, not everything', async () => {
  const name = await domainAlone(owner.accountId)
  await shareDomain(name)
  const key = await keyFor(name)
  const domain = (await sql<{ id: number }>`select id from domains where name = ${name}`.execute(db)).rows[0]
  assert.equal((await owner.person.call('DELETE', `/domains/${name}/managers/${guestId}`)).status, 204)
  assert.ok(domain)
  for (const list of ['/zones', '/domains', '/orders'])
    assert.deepEqual((await api.call('GET', list, { key })).body.data, [])
  const own = await domainAlone(guestId)
  assert.deepEqual(codeOf(await api.call('GET', `/domains/${own}`, { key })), [403, 'forbidden'])
})

test('refuses a domain that the account loses while the key is being created, and the code stays valid', async () => {
  const name = await domainAlone(owner.accountId)
  await shareDomain(name)
  const body = {
    name: 'slow',
    zones: [name],
    permissions: ['domains:read'],
    expires_in: 'never',
    code: guest.backupCodes.shift(),
  }
  let asked: Promise<TestAnswer> | undefined
  await elsewhere.transact(async (tx) => {
    await sql`select from domains where name = ${name} for no key update`.execute(tx)
    await sql`delete from domain_managers where domain_id = (select id from domains where name = ${name})`.execute(tx)
    asked = guest.call('POST', '/api-keys', { body })
    await untilBlocked(db)
  })
  const answer = await asked
  assert.deepEqual(
    [codeOf(answer as TestAnswer), faultsOf(answer as TestAnswer)],
    [[422, 'validation_failed'], ['not_found /zones']],
  )
  await shareDomain(name)
  assert.equal((await guest.call('POST', '/api-keys', { body })).status, 201)
})

test('if an account loses a domain while a key is being created, the new key loses it too', async () => {
  const name = await domainAlone(owner.accountId)
  await shareDomain(name)
  const { scope } = await pickScope(db, guestId, [name])
  let asked: Promise<TestAnswer> | undefined
  const { id } = await elsewhere.transact(async (tx) => {
    const made = await createKey(tx, operator, guestId, {
      name: 'racing',
      ...scope,
      permissions: ['domains:read'],
      expiresIn: 'never',
    })
    asked = owner.person.call('DELETE', `/domains/${name}/managers/${guestId}`)
    await untilBlocked(db)
    return made
  })
  assert.equal((await asked)?.status, 204)
  const { rows } = await sql`select 1 from api_key_domains where key_id = ${id}`.execute(db)
  assert.equal(rows.length, 0)
})

test('erasing an account removes its domains from its managers’ keys and shared domains from its own keys', async () => {
  const leaving = await api.account('leaving@example.net')
  const [theirs, ours] = [await domainAlone(leaving), await domainAlone(owner.accountId)]
  await shareDomain(theirs)
  await shareDomain(ours, leaving)
  await shareDomain(ours)
  const [key, guestsOurs] = [await keyFor(theirs), await keyFor(ours)]
  await api.key(leaving, { picks: [theirs, ours], permissions })
  await database.transact((tx) => deleteAccount(tx, operator, leaving, { also: closeAccount, letGo: true }))
  assert.deepEqual(await reaches(key, theirs), ['domain'], 'as long as support can bring it back')
  await moveClock(database, '7 days 1 minute')
  assert.equal(await eraseHeldAccounts(database, api.verification.delegate), 1)
  await moveClock(database, '0 seconds')
  assert.deepEqual([await scopeOf(key), await scopeOf(guestsOurs)], [[], [`domain ${ours}`]])
  const { rows } = await sql`
    select 1 from api_key_domains kd join api_keys k on k.id = kd.key_id where k.account_id = ${leaving}`.execute(db)
  assert.equal(rows.length, 0)
})

test('orders are covered by the domain of their name, and a shared domain shows no orders of its owner', async () => {
  const [own, shared] = [await domainAlone(guestId), await domainAlone(owner.accountId)]
  await shareDomain(shared)
  const order = async (accountId: string, name: string): Promise<string> => {
    const id = `ord_${name}_${accountId}`
    await sql`insert into orders (id, account_id, kind, name, tld, years, status, amount_kobo, credit_kobo, promo_code, promo_kobo,
        renewal_kobo, client_email, auto_renew, nameservers)
      values (${id}, ${accountId}, 'register', ${name}, 'test', 1, 'cancelled', 1, 0, '', 0, 0, '', false, '{}')`.execute(
      db,
    )
    return id
  }
  const [mine, lost, owners] = [
    await order(guestId, own),
    await order(guestId, shared),
    await order(owner.accountId, shared),
  ]
  const key = await keyFor(own, shared)
  const ids = (await api.call('GET', '/orders', { key })).body.data.map(({ id }: { id: string }) => id)
  assert.deepEqual(ids.toSorted(), [mine, lost].toSorted())
  for (const id of [mine, lost]) assert.equal((await api.call('GET', `/orders/${id}`, { key })).status, 200)
  assert.deepEqual(codeOf(await api.call('GET', `/orders/${owners}`, { key })), [404, 'not_found'])
  await api.zone(guestId, own)
  const zonesOnly = await keyFor({ kind: 'zone', name: own })
  assert.deepEqual((await api.call('GET', '/orders', { key: zonesOnly })).body.data, [])
  assert.deepEqual(codeOf(await api.call('GET', `/orders/${mine}`, { key: zonesOnly })), [403, 'forbidden'])
})
