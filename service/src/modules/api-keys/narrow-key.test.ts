import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Permission, permissions, type WireKeyLimit, type WirePick } from '@zonewright/contract'
import { lockZone } from '#modules/zones/index.ts'
import { sql } from '#platform/postgres/index.ts'
import { asAnotherProcess } from '#testing/platform/test-database.ts'
import { startTestApi } from '#testing/test-api.ts'
import { TestPerson } from '#testing/test-person.ts'
import { untilBlocked } from '#testing/until-blocked.ts'

const api = await startTestApi()
/** Another process. */
const elsewhere = await startTestApi({ databaseUrl: api.database.url })
const { db } = api.database
const otherProcess = asAnotherProcess(api.database.url)
const person = await TestPerson.secured(api, 'owner@example.net')
const account: string = (await person.call('GET', '/account')).body.id
const stranger = await api.account('stranger@example.net')
const [one, two] = [await api.zone(account, 'one.example.com'), await api.zone(account, 'two.example.com')]
const shared = await api.zone(stranger, 'shared.example.org')
const foreign = await api.zone(stranger, 'foreign.example.org')
await sql`insert into zone_managers (zone_id, account_id) values (${shared.id}, ${account})`.execute(db)
for (const name of [one.name, 'only-domain.test'])
  await sql`insert into domains (name, tld, account_id, state, order_id, auto_renew)
    values (${name}, 'test', ${account}, 'held', 'ord_1', false)`.execute(db)

const records: Permission[] = ['records:read', 'records:write']

interface Made {
  readonly id: string
  readonly key: string
}

let keys = 0

async function make(options: {
  picks?: WirePick[]
  limits?: WireKeyLimit[]
  permissions?: readonly Permission[]
}): Promise<Made> {
  const name = `key ${++keys} to narrow`
  const key = await api.key(account, { name, permissions: records, ...options })
  const { rows } = await sql<{ id: string }>`select id from api_keys where name = ${name}`.execute(db)
  return { id: rows[0]?.id ?? assert.fail(), key }
}

const narrow = ({ id }: { id: string }, body: object) => person.call('PATCH', `/api-keys/${id}`, { body })
const current = async ({ key }: Made) => (await api.call('GET', '/api-keys/current', { key })).body
const namesOf = (zones: { name: string; kind: string }[]) => zones.map(({ name, kind }) => `${name} ${kind}`)

/** Returns the faults of a refusal, and checks that it changed nothing. */
async function faultsOf(made: Made, body: object): Promise<string[]> {
  const before = await current(made)
  const answer = await narrow(made, body)
  assert.deepEqual([answer.status, answer.body.error?.code], [422, 'validation_failed'], JSON.stringify(answer.body))
  const { last_used_at: _, ...rest } = await current(made)
  const { last_used_at: __, ...was } = before
  assert.deepEqual(rest, was)
  return answer.body.error.details.map(({ path, code }: { path: string; code: string }) => `${path} ${code}`)
}

async function entriesAbout({ id }: Made): Promise<{ audit: string[]; mails: number }> {
  const audit = await sql<{ summary: string }>`
    select summary from audit_log where reference->>'key' = ${id} and action = 'key.narrowed'`.execute(db)
  const mails = await sql<{ n: number }>`select count(*)::int as n from mails where kind = 'key_narrowed'`.execute(db)
  return { audit: audit.rows.map(({ summary }) => summary), mails: mails.rows[0]?.n ?? 0 }
}

test('a restriction applies from the next request on, in every process, and is audited and emailed', async () => {
  const made = await make({
    picks: [one.name, two.name],
    permissions: ['records:read', 'records:write', 'domains:read'],
  })
  const put = async (zone: string, process = api) =>
    (await process.call('PUT', `/zones/${zone}/rrsets/a/A`, { key: made.key, body: { records: ['192.0.2.1'] } })).status
  assert.deepEqual([await put(one.name), await put(two.name)], [201, 201])
  const { mails } = await entriesAbout(made)
  const limits = [{ zone: one.name, names: ['a'], types: ['TXT'] }]
  const answer = await narrow(made, { zones: [one.name], permissions: records, limits })
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  assert.deepEqual(namesOf(answer.body.zones), [`${one.name} zone`])
  assert.deepEqual([answer.body.permissions, answer.body.limits], [records, limits])
  for (const process of [elsewhere, api])
    assert.deepEqual([await put(one.name, process), await put(two.name, process)], [403, 403])
  assert.deepEqual(await entriesAbout(made), {
    audit: [`API key "${answer.body.name}" was restricted`],
    mails: mails + 1,
  })
})

test('a request that removes nothing changes and records nothing', async () => {
  const made = await make({ picks: [one.name], limits: [{ zone: one.name, names: ['a', '*.b'], types: ['A'] }] })
  const before = await entriesAbout(made)
  for (const body of [
    {},
    { zones: [one.id] },
    { permissions: [...records].reverse() },
    { limits: [{ zone: one.id, names: ['A', '*.b'], types: ['a'] }] },
  ])
    assert.equal((await narrow(made, body)).status, 200, JSON.stringify(body))
  assert.deepEqual(await entriesAbout(made), before)
})

test('a name selects what the key covers of this name', async () => {
  const zoneOnly = await make({ picks: [{ kind: 'zone', name: one.name }, two.name] })
  assert.deepEqual(namesOf((await narrow(zoneOnly, { zones: [one.name] })).body.zones), [`${one.name} zone`])
  const both = await make({ picks: [one.name, two.name] })
  assert.deepEqual(namesOf((await narrow(both, { zones: [one.name] })).body.zones), [
    `${one.name} zone`,
    `${one.name} domain`,
  ])
  assert.deepEqual(namesOf((await narrow(both, { zones: [{ kind: 'domain', name: one.name }] })).body.zones), [
    `${one.name} domain`,
  ])
  assert.deepEqual((await narrow(both, { zones: [] })).body.zones, [], 'it covers nothing, never all')
  assert.deepEqual(await faultsOf(both, { zones: [one.name] }), ['/zones/0 wider'])
})

test('a key for all zones can be restricted to some zones that the account owns', async () => {
  const made = await make({ permissions: ['records:read', 'zones:manage', 'domains:read'] })
  assert.equal((await narrow(made, { zones: 'all' })).status, 200)
  assert.deepEqual(await faultsOf(made, { zones: [one.name] }), ['/permissions all_zones_only'])
  const less = { permissions: ['records:read', 'domains:read'] }
  assert.deepEqual(await faultsOf(made, { ...less, zones: [shared.name] }), ['/zones/0 wider'])
  assert.deepEqual(await faultsOf(made, { ...less, zones: [foreign.name, foreign.id] }), [
    '/zones/0 not_found',
    '/zones/1 not_found',
  ])
  const { body } = await narrow(made, { ...less, zones: [one.name, 'only-domain.test'] })
  assert.deepEqual(
    namesOf(body.zones),
    ['one.example.com zone', 'one.example.com domain', 'only-domain.test domain'].sort((a, b) =>
      (a.split(' ')[0] ?? '') < (b.split(' ')[0] ?? '') ? -1 : 1,
    ),
  )
  assert.deepEqual(await faultsOf(made, { zones: 'all' }), ['/zones wider'])
})

test('refuses everything that would widen the key, and names it', async () => {
  const made = await make({
    picks: [one.name],
    limits: [
      { zone: one.name, names: ['home', '*.lan'], types: ['A', 'AAAA'] },
      { zone: one.name, names: ['home'], types: ['TXT'] },
    ],
    permissions: ['records:read'],
  })
  const limit = (names: string[], types: string[], zone = one.name) => ({ limits: [{ zone, names, types }] })
  for (const [body, faults] of [
    [{ zones: 'all' }, ['/zones wider']],
    [{ zones: [one.name, two.name] }, ['/zones/1 wider']],
    [{ zones: [shared.id] }, ['/zones/0 wider']],
    [{ zones: [{ kind: 'domain', name: one.name }] }, ['/zones/0 unlimited_only']],
    [{ permissions: ['records:write'] }, ['/permissions wider']],
    [{ permissions: [...permissions] }, undefined],
    [{ permissions: [] }, ['/permissions missing']],
    [{ limits: null }, ['/limits wrong_type']],
    [{ limits: [] }, ['/limits too_small']],
    [limit(['lan'], ['A']), ['/limits wider']],
    [limit(['*'], ['A']), ['/limits wider']],
    [limit(['*.home'], ['A']), ['/limits wider']],
    [limit(['*.lan'], ['A', 'TXT']), ['/limits wider']],
    [limit(['home'], ['A'], two.name), ['/limits/0/zone not_found', '/limits missing']],
    [{ zones: [], ...limit(['home'], ['A']) }, ['/limits/0/zone not_found']],
  ] as const) {
    const found = await faultsOf(made, body)
    if (faults === undefined) assert.ok(found.length >= permissions.length - 1)
    else assert.deepEqual(found, faults, JSON.stringify(body))
  }
  const message = (await narrow(made, limit(['lan'], ['A']))).body.error.message
  assert.match(
    message,
    /In one\.example\.com, lan \(A\) is not within the limits of the key, which are home, \*\.lan \(A, AAAA\); home \(TXT\)\./,
  )
  const narrower = limit(['home', 'x.lan', '*.x.lan'], ['AAAA'])
  assert.deepEqual((await narrow(made, narrower)).body.limits, narrower.limits)
  assert.deepEqual(await faultsOf(made, limit(['home'], ['A'])), ['/limits wider'])
})

test('limits require permissions and zones that a key with limits can have', async () => {
  const all = await make({ permissions: ['records:read', 'webhooks:manage'] })
  const limits = [{ zone: one.name, names: ['a'], types: ['A'] }]
  assert.deepEqual(await faultsOf(all, { limits }), [
    '/permissions unlimited_only',
    '/limits some_zones_only',
    '/limits/0/zone not_found',
  ])
  const { body } = await narrow(all, { limits, zones: [one.name], permissions: ['records:read'] })
  assert.deepEqual([namesOf(body.zones), body.limits], [[`${one.name} zone`], limits])
  const several = await make({ picks: [one.name, two.name] })
  assert.deepEqual(await faultsOf(several, { limits }), ['/limits missing'])
  const both = [...limits, { zone: two.name, names: ['b'], types: ['A'] }]
  assert.deepEqual(namesOf((await narrow(several, { limits: both })).body.zones), [
    `${one.name} zone`,
    `${two.name} zone`,
  ])
  assert.deepEqual((await narrow(several, { zones: [two.name] })).body.limits, both.slice(1), 'the others stay')
})

test('only the owner of an active key can restrict it, and only in the dashboard', async () => {
  const made = await make({ picks: [one.name] })
  const other = await TestPerson.secured(api, 'other@example.net')
  const patch = (as: TestPerson) => as.call('PATCH', `/api-keys/${made.id}`, { body: { zones: [] } })
  assert.equal((await patch(other)).status, 404)
  assert.equal((await api.call('PATCH', `/api-keys/${made.id}`, { key: made.key, body: { zones: [] } })).status, 403)
  assert.equal((await narrow({ id: 'key_none' }, {})).status, 404)
  await person.call('DELETE', `/api-keys/${made.id}`)
  assert.equal((await patch(person)).status, 404)
})

test('a zone that the account loses during the restriction is not in the new scope', async () => {
  const zone = await api.zone(account, 'lost.example.com')
  const made = await make({ picks: [zone.name, one.name] })
  const patched = await otherProcess.transact(async (tx) => {
    await lockZone(tx, zone.id)
    const waiting = narrow(made, { permissions: ['records:read'] })
    await untilBlocked(db)
    await sql`delete from api_key_zones where zone_id = ${zone.id}`.execute(tx)
    return { waiting }
  })
  assert.equal((await patched.waiting).status, 200)
  assert.deepEqual(namesOf((await current(made)).zones), [`${one.name} zone`, `${one.name} domain`])
})
