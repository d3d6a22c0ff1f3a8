import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WireAuditEntry, WireVersion } from '@zonewright/contract'
import { deleteZone } from '#modules/zones/index.ts'
import { actorNamed } from '#platform/caller.ts'
import { sql } from '#platform/postgres/index.ts'
import { startTestApi, type TestAnswer } from '#testing/test-api.ts'
import { TestPerson } from '#testing/test-person.ts'

const api = await startTestApi()
const { database } = api
const { db } = database
const email = 'owner@example.net'
const person = await TestPerson.signedIn(api, email)
const accountId: string = (await person.call('GET', '/account')).body.id
const key = await api.key(accountId, { name: 'deploy bot' })
const withKey = (method: string, path: string, options: object = {}) => api.call(method, path, { key, ...options })

let zones = 0
const freshZone = () => api.zone(accountId, `zone${++zones}.example.com`)
const auditOf = async (query: string): Promise<WireAuditEntry[]> =>
  (await person.call('GET', `/audit-log?limit=200&${query}`)).body.data
const versionsOf = async (zone: string): Promise<WireVersion[]> =>
  (await person.call('GET', `/zones/${zone}/versions`)).body.data

type CallAs = (method: string, path: string, options?: object) => Promise<TestAnswer>

const zoneFile = { body: 'file A 192.0.2.9\n', headers: { 'content-type': 'text/dns' } }
const record = { name: 'bulk', type: 'A', ttl: 300, records: ['192.0.2.2'] }

/** Each way to change records through the API, and its source with a session and with a key. */
const ways: readonly [
  what: string,
  call: (as: CallAs, zone: string) => Promise<TestAnswer>,
  sources: [string, string],
][] = [
  ['PUT', (as, zone) => as('PUT', `${zone}/rrsets/www/A`, { body: { records: ['192.0.2.1'] } }), ['dashboard', 'api']],
  ['POST', (as, zone) => as('POST', `${zone}/rrsets`, { body: record }), ['dashboard', 'api']],
  ['PATCH', (as, zone) => as('PATCH', `${zone}/rrsets/t/TXT`, { body: { add: ['"x"'] } }), ['dashboard', 'api']],
  ['bulk PATCH', (as, zone) => as('PATCH', `${zone}/rrsets`, { body: { changes: [record] } }), ['dashboard', 'api']],
  ['replacement', (as, zone) => as('PUT', `${zone}/rrsets`, { body: { rrsets: [record] } }), ['dashboard', 'api']],
  ['preset', (as, zone) => as('POST', `${zone}/presets/google.com.workspace`, { body: {} }), ['preset', 'preset']],
  ['zone file', (as, zone) => as('POST', `${zone}/import`, zoneFile), ['import', 'import']],
  ['JSON', (as, zone) => as('POST', `${zone}/import`, { body: { rrsets: [record] } }), ['import', 'import']],
  ['replacing import', (as, zone) => as('POST', `${zone}/import?mode=replace`, zoneFile), ['import', 'import']],
]

for (const [what, change, expected] of ways)
  test(`${what}: version, history and audit entry name the source of the change and its session or key`, async () => {
    const callers: [CallAs, object][] = [
      [
        (method, path, options) => person.call(method, path, options),
        { kind: 'session', name: email, id: accountId, account_id: accountId, account_email: email },
      ],
      [withKey, { kind: 'key', name: 'deploy bot', account_id: accountId, account_email: email }],
    ]
    for (const [n, [as, actor]] of callers.entries()) {
      const { name } = await freshZone()
      const { status, body } = await change(as, `/zones/${name}`)
      assert.ok([200, 201].includes(status), JSON.stringify(body))
      const [version] = await versionsOf(name)
      const [entry] = await auditOf(`zone=${name}`)
      for (const shown of [version, entry]) {
        assert.equal(shown?.source, expected[n])
        assert.deepEqual({ ...shown?.actor, ...actor }, shown?.actor)
      }
      assert.deepEqual((await person.call('GET', `/zones/${name}/versions/${version?.version}`)).body, version)
    }
  })

test('restoring a version or a deleted zone has the source “restore”', async () => {
  const { name } = await freshZone()
  for (const as of [person.call.bind(person), withKey] as CallAs[]) {
    await as('PUT', `/zones/${name}/rrsets/www/A`, { body: { records: ['192.0.2.1'] } })
    const [{ version } = assert.fail('no version')] = await versionsOf(name)
    await as('DELETE', `/zones/${name}/rrsets/www/A`)
    assert.equal((await versionsOf(name))[0]?.source === 'restore', false)
    assert.equal((await as('POST', `/zones/${name}/versions/${version}/restore`)).status, 200)
    assert.equal((await versionsOf(name))[0]?.source, 'restore')
    assert.equal((await auditOf(`zone=${name}`))[0]?.source, 'restore')
    await as('DELETE', `/zones/${name}/rrsets/www/A`)
  }
  const child = await person.call('POST', '/zones', { body: { name: `below.${name}` } })
  assert.equal(child.body.state, 'live')
  const cut = async () => (await versionsOf(name))[0]
  assert.equal((await cut())?.source, 'dashboard', 'of the delegation in the parent zone')
  await person.call('DELETE', `/zones/below.${name}`, { body: { name: `below.${name}` } })
  assert.equal((await cut())?.source, 'dashboard')
  assert.equal((await person.call('POST', `/deleted-zones/${child.body.id}/restore`)).status, 200)
  assert.equal((await cut())?.source, 'restore')
  assert.equal((await auditOf('action=zone.restored'))[0]?.source, 'restore')
})

test('changes by the service and its operators have the source “system”', async () => {
  const { name } = await freshZone()
  assert.deepEqual(
    (await auditOf(`zone=${name}`)).map(({ action, actor, source }) => [action, actor.kind, source]),
    [['zone.added', 'operator', 'system']],
  )
  for (const actor of [actorNamed('system', 'takeover'), actorNamed('operator', 'ada')]) {
    const child = await person.call('POST', '/zones', { body: { name: `child.${name}` } })
    await database.transact((tx) => deleteZone(tx, actor, child.body.id, api.verification.delegate))
    const [version] = await versionsOf(name)
    const shown = { kind: actor.kind, name: actor.name, id: null, account_id: null, account_email: null }
    assert.deepEqual([version?.source, version?.actor], ['system', shown])
    const [entry] = await auditOf(`zone=child.${name}`)
    assert.deepEqual([entry?.action, entry?.source, entry?.actor], ['zone.deleted', 'system', shown])
  }
})

test('other actions of a person or a key also have a source', async () => {
  await person.call('PATCH', '/account', { body: { name: 'Ada' } })
  await withKey('POST', '/webhooks', { body: { url: 'https://127.0.0.1:9/hook' } })
  await withKey('POST', '/zones', { body: { name: 'pending.example.org' } })
  const sources = Object.fromEntries((await auditOf('')).map(({ action, source }) => [action, source]).reverse())
  const { 'account.renamed': renamed, 'webhook.created': endpoint, 'session.created': session } = sources
  assert.deepEqual([renamed, endpoint, session], ['dashboard', 'api', 'dashboard'])
  assert.deepEqual([sources['zone.added'], sources['account.created']], ['api', 'system'])
  assert.ok(Object.values(sources).every((source) => source !== null))
})

test('a change older than the source column gets its source from its actor', async () => {
  const { id, name } = await freshZone()
  const kinds = [
    ['session', 'dashboard'],
    ['key', 'api'],
    ['system', 'system'],
    ['operator', 'system'],
  ] as const
  for (const [n, [kind]] of kinds.entries()) {
    await sql`
      insert into zone_changes (zone_id, version, serial, actor_kind, actor_name, actor_id, changes_count, changes)
      values (${id}, ${100 + n}, ${100 + n}, ${kind}, 'somebody', 'an id of old', 0, '[]')`.execute(db)
    await sql`
      insert into audit_log (account_id, actor_kind, actor_name, actor_id, action, zone_id, zone_name, summary)
      values (${accountId}, ${kind}, 'somebody', 'an id of old', 'old.change', ${id}, ${name}, '')`.execute(db)
  }
  const expected = kinds.map(([kind, source]) => [kind, source, null])
  const shown = (rows: readonly (WireVersion | WireAuditEntry)[]) =>
    rows.map(({ actor, source }) => [actor.kind, source, actor.account_email]).reverse()
  assert.deepEqual(shown(await versionsOf(name)), expected)
  assert.deepEqual(shown(await auditOf(`zone=${name}&action=old.change`)), expected)
})

test('filters the log by an actor’s account, including its keys, by id or by address in any letter case', async () => {
  const manager = await TestPerson.signedIn(api, 'manager@example.net')
  const managerId: string = (await manager.call('GET', '/account')).body.id
  const { id, name } = await freshZone()
  await sql`insert into zone_managers (zone_id, account_id) values (${id}, ${managerId})`.execute(db)
  const secret = await api.key(managerId, { name: 'their bot', zones: [id], permissions: ['records:write'] })
  const put = (address: string) => ({ body: { records: [address] } })
  await manager.call('PUT', `/zones/${name}/rrsets/www/A`, put('192.0.2.1'))
  await api.call('PUT', `/zones/${name}/rrsets/www/A`, { key: secret, ...put('192.0.2.2') })
  await person.call('PUT', `/zones/${name}/rrsets/www/A`, put('192.0.2.3'))
  const changes = (actor: string) => auditOf(`zone=${name}&action=records.changed&actor=${encodeURIComponent(actor)}`)
  for (const actor of [managerId, 'manager@example.net', 'Manager@Example.NET', managerId.toUpperCase()]) {
    const found = (await changes(actor)).map((entry) => entry.actor)
    assert.deepEqual(
      found.map((each) => [each.name, each.account_id, each.account_email]),
      [
        ['their bot', managerId, 'manager@example.net'],
        ['manager@example.net', managerId, 'manager@example.net'],
      ],
      actor,
    )
  }
  assert.equal((await changes('their bot')).length, 1)
  assert.equal((await changes(accountId)).length, 1)
  for (const actor of ['nobody@example.net', '00000000-0000-4000-8000-000000000000', 'key_0', "'", '%'])
    assert.deepEqual(await changes(actor), [], actor)
})

test('an actor’s address is the current one, or the last one of a deleted account until it is erased', async () => {
  const leaver = await api.account('leaver@example.net')
  const { id, name } = await freshZone()
  await sql`insert into zone_managers (zone_id, account_id) values (${id}, ${leaver})`.execute(db)
  const secret = await api.key(leaver, { name: 'leaving bot', zones: [id], permissions: ['records:write'] })
  await api.call('PUT', `/zones/${name}/rrsets/www/A`, { key: secret, body: { records: ['192.0.2.1'] } })
  const shown = async () => {
    const [[version], [entry]] = [await versionsOf(name), await auditOf(`zone=${name}`)]
    assert.deepEqual(version?.actor, entry?.actor)
    return [version?.actor.name, version?.actor.account_id, version?.actor.account_email]
  }
  assert.deepEqual(await shown(), ['leaving bot', leaver, 'leaver@example.net'])
  await sql`update accounts set email = 'moved@example.net' where id = ${leaver}`.execute(db)
  assert.deepEqual(await shown(), ['leaving bot', leaver, 'moved@example.net'])
  await sql`
    update accounts set email = 'deleted:' || id, deleted_email = email, deleted_at = app_now() where id = ${leaver}`.execute(
    db,
  )
  assert.deepEqual(await shown(), ['leaving bot', leaver, 'moved@example.net'])
  await sql`update accounts set deleted_email = null, erased_at = app_now() where id = ${leaver}`.execute(db)
  assert.deepEqual(await shown(), ['leaving bot', leaver, null])
})
