import assert from 'node:assert/strict'
import { test } from 'node:test'
import { actorNamed } from '#platform/caller.ts'
import { sql, type Tx } from '#platform/postgres/index.ts'
import { aroundCalls } from '#testing/around-calls.ts'
import { eventually } from '#testing/eventually.ts'
import { RegistryStaff } from '#testing/registry-staff.ts'
import { startSandboxRegistry } from '#testing/sandbox-registry.ts'
import { startTestApi } from '#testing/test-api.ts'
import { testContact } from '#testing/test-contact.ts'
import { statusesAt, TestOwner } from '#testing/test-owner.ts'
import { withRegistry } from '#testing/with-registry.ts'
import { decideChange, readStuckChanges, restoreDomain, retryDomain } from './operator.ts'
import { lockStatuses } from './plan-change.ts'
import { startChange } from './start-change.ts'
import { noteFacts } from './store.ts'

const server = await startSandboxRegistry()
const staff = new RegistryStaff(server)
const api = await startTestApi({ registry: server })
const { database } = api
const { db } = database
const owner = await TestOwner.make(api, server)
const operator = actorNamed('operator', 'support')
const dayMs = 86_400_000
const elsewhere = ['ns1.example.net', 'ns2.example.net']

const put = (name: string) => owner.call('PUT', `${name}/nameservers`, { nameservers: elsewhere })
const operated = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => database.transact(work)
const retry = (name: string) => operated((tx) => retryDomain(tx, operator, name))
const restore = (name: string) => operated((tx) => restoreDomain(tx, operator, name, 'not renewed by mistake'))
const stuckNames = async (minutes = 0): Promise<string[]> =>
  (await readStuckChanges(db, minutes)).map(({ domain }) => domain)
async function isDue(name: string): Promise<boolean> {
  const { rows } = await sql`
    select from domain_acts a join domains d on d.id = a.domain_id where d.name = ${name} and a.state = 'open' and a.due_at <= app_now()`.execute(
    db,
  )
  return rows.length > 0
}

/** A domain with a change that its registry has accepted and does not decide. */
async function undecided(): Promise<string> {
  const name = await owner.domain()
  staff.once('domain:update', { pending: true }, name)
  assert.equal((await put(name)).status, 202)
  return name
}

/** A domain that was not renewed and is in its redemption period by the registry's clock. The clock is set back when the test ends. */
async function inRedemption(part: (name: string) => Promise<void>): Promise<void> {
  const name = await owner.domain()
  server.epp.registry.setAhead((365 + 31) * dayMs)
  try {
    await owner.workNow()
    assert.equal((await owner.call('GET', name)).body.status, 'redemption')
    await part(name)
  } finally {
    server.epp.registry.setAhead(0)
    await sql`update domains set state = 'gone', sync_at = null where name = ${name}`.execute(db)
  }
}

test('stuck changes are listed with their last command and the registry’s response', async () => {
  const name = await undecided()
  const listed = (await readStuckChanges(db, 0)).find(({ domain }) => domain === name)
  assert.deepEqual(
    [listed?.change, listed?.command, listed?.state, listed?.refused],
    ['nameservers', 'set_nameservers', 'pending', null],
  )
  assert.match(listed?.reply ?? '', /^1001 /)
  assert.ok(!(await stuckNames(10)).includes(name), 'it is not that old')
})

test('an operator can start the next step immediately', async () => {
  const name = await undecided()
  assert.equal(await isDue(name), false)
  assert.deepEqual(await retry(name.toUpperCase()), { change_is_due: true })
  assert.equal(await isDue(name), true)
  await staff.decide(name, true)
  await owner.workNow()
  assert.deepEqual(staff.domain(name)?.nameservers.toSorted(), elsewhere)
  assert.deepEqual(await retry(name), { change_is_due: false })
  assert.deepEqual(await owner.audit(name), [
    'domain.retried support',
    'domain.nameservers_changed owner@example.net',
    'domain.retried support',
  ])
  await assert.rejects(retry('nobody-has-it.test'), { code: 'not_found' })
})

test('an operator can end a change as the registry says, and the next check reads the state of the domain', async () => {
  const name = await undecided()
  const ended = await operated((tx) => decideChange(tx, operator, name, { isDone: false, reason: 'they will not' }))
  assert.deepEqual(ended, { change: 'nameservers', state: 'refused', may_be_unlocked: false })
  assert.deepEqual(await owner.operations(name), ['set_nameservers refused'])
  assert.ok(!(await stuckNames()).includes(name))
  assert.deepEqual(await owner.audit(name), ['domain.change_decided support'])
  await staff.decide(name, true)
  await owner.workNow()
  const { body } = await owner.call('GET', name)
  assert.deepEqual([body.nameservers, body.change], [elsewhere, null])
  await assert.rejects(
    operated((tx) => decideChange(tx, operator, name, { isDone: true, reason: 'again' })),
    { code: 'conflict' },
  )
})

test('an operator decides whether a domain has its new contact', async () => {
  for (const isDone of [false, true]) {
    const name = await owner.domain()
    const { id } = (await owner.person.call('POST', '/contacts', { body: { ...testContact, name: 'Bola Ade' } })).body
    staff.once('domain:update', { pending: true }, name)
    assert.equal((await owner.call('PUT', `${name}/contacts`, { contact_id: id })).status, 202)
    await operated((tx) => decideChange(tx, operator, name, { isDone, reason: 'by telephone' }))
    const { registrant } = (await owner.call('GET', name)).body.contacts
    assert.equal(registrant?.name, isDone ? 'Bola Ade' : undefined)
  }
})

test('after an operator has ended a change, its worker changes nothing', async () => {
  const name = await owner.domain()
  server.epp.behaviours.set({ delayMs: 5_000, times: 1 }, 'domain:update', name)
  const changing = put(name)
  await eventually('its command is on the way', async () =>
    (await readStuckChanges(db, 0)).some(({ domain, command }) => domain === name && command === 'set_nameservers'),
  )
  await operated((tx) => decideChange(tx, operator, name, { isDone: true, reason: 'done by hand' }))
  assert.equal((await changing).status, 503, 'it is for others to say what came of it')
  assert.deepEqual(await owner.audit(name), ['domain.change_decided support'])
  await owner.workNow()
  assert.deepEqual((await owner.call('GET', name)).body.nameservers, elsewhere)
})

test('a domain in redemption is restored: requested, reported, and as before, including its lock', async () => {
  await inRedemption(async (name) => {
    await restore(name)
    await owner.workNow()
    assert.deepEqual(await owner.operations(name), ['restore done', 'report_restore done'])
    assert.equal(staff.domain(name)?.nameservers.length, 2)
    const { body } = await owner.call('GET', name)
    assert.deepEqual([body.change, Date.parse(body.expires_at)], [null, staff.domain(name)?.expiresAt])
    assert.deepEqual((await owner.audit(name)).slice(-2), ['domain.restore_asked support', 'domain.restored support'])
  })
})

test('a restore whose command or response is lost is looked up and paid for once', async () => {
  for (const lost of ['loseAnswer', 'loseCommand'] as const)
    await inRedemption(async (name) => {
      const before = Number(server.epp.registry.balanceOf('zonewright'))
      staff[lost]('domain:update', name)
      await restore(name)
      await owner.workNow()
      await owner.workNow()
      assert.equal(before - Number(server.epp.registry.balanceOf('zonewright')), 20_000, lost)
      assert.ok((await owner.audit(name)).includes('domain.restored support'))
    })
})

test('the end of a restore does not undo a renewal that was noted after its lookup, and the domain is read again', async () => {
  await inRedemption(async (name) => {
    const renewedUntil = new Date('2041-05-06T00:00:00Z')
    const meanwhile = aroundCalls(owner.registry, async (method, _, call) => {
      const answer = await call()
      if (method === 'info') await operated((tx) => noteFacts(tx, name, { expiresAt: renewedUntil }))
      return answer
    })
    const wish = { kind: 'restore', reason: 'not renewed by mistake' } as const
    assert.equal(await startChange(withRegistry(owner.work, meanwhile), { name, wish, actor: operator }), 'done')
    const { rows } = await sql<{ expiresAt: Date; isDue: boolean }>`
      select expires_at as "expiresAt", sync_at <= app_now() as "isDue" from domains where name = ${name}`.execute(db)
    assert.deepEqual(rows, [{ expiresAt: renewedUntil, isDue: true }])
  })
})

test('an impossible restore is refused, and the audit log gives the reason', async () => {
  const name = await owner.domain()
  assert.equal((await owner.call('POST', `${name}/lock`)).status, 200)
  await restore(name)
  await assert.rejects(restore(name), { code: 'conflict' })
  await owner.workNow()
  assert.deepEqual((await owner.audit(name)).slice(-2), [
    'domain.restore_asked support',
    'domain.restore_refused support',
  ])
  assert.deepEqual(statusesAt(staff, name), lockStatuses.toSorted())
  await inRedemption(async (late) => {
    staff.once('domain:update', { code: 2304, reason: 'too late' }, late)
    await restore(late)
    await owner.workNow()
    assert.deepEqual(await owner.operations(late), ['restore refused'])
    const { rows } = await sql<{ summary: string }>`
      select summary from audit_log where domain = ${late} and action = 'domain.restore_refused'`.execute(db)
    assert.match(rows[0]?.summary ?? '', /refused to restore .*too late \(2304\)/)
  })
})
