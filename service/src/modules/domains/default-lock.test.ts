import assert from 'node:assert/strict'
import { test } from 'node:test'
import { actorNamed } from '#platform/caller.ts'
import { sql } from '#platform/postgres/index.ts'
import { RegistryStaff } from '#testing/registry-staff.ts'
import { startSandboxRegistry } from '#testing/sandbox-registry.ts'
import { startTestApi } from '#testing/test-api.ts'
import { TestBuyer, workDue } from '#testing/test-buyer.ts'
import { statusesAt, workDomains } from '#testing/test-owner.ts'
import { arrive } from './bring-domain.ts'
import { claimedChanges } from './default-lock.ts'
import { claimChanges } from './domain-worker.ts'

const server = await startSandboxRegistry()
const staff = new RegistryStaff(server)
const api = await startTestApi({ registry: server })
const { database, orders } = api
const { db } = database
const work = { ...orders, site: 'http://dashboard.test' }
const buyer = await TestBuyer.make(api, 20 * 1_250_000)
const lock = ['clientTransferProhibited']
let names = 0

/** Buys a domain. Its lock is due, and no worker has taken it. */
async function bought(): Promise<string> {
  const name = `new${++names}.test`
  assert.equal((await buyer.order(name, { order: { use_credit: true } })).status, 201)
  await workDue(api)
  assert.equal((await shown(name)).change?.kind, 'lock')
  return name
}
const shown = async (name: string) => (await buyer.call('GET', `/domains/${name}`)).body
const updates = (name: string): number =>
  server.epp.noted.filter(
    ({ registrar, command, subject }) => registrar === 'zonewright' && command === 'domain:update' && subject === name,
  ).length
/** Makes all open changes due, releases their leases, and runs the worker. */
async function workLater(): Promise<void> {
  await sql`update domain_acts set due_at = app_now(), lease_until = null where state = 'open'`.execute(db)
  await workDomains(work)
}
async function auditOf(name: string): Promise<string[]> {
  const { rows } = await sql<{ entry: string }>`
    select action || ': ' || summary as entry from audit_log where domain = ${name} and action like 'domain.%' order by id`.execute(
    db,
  )
  return rows.map(({ entry }) => entry)
}

test('a domain that was registered is locked against transfers only, with one command', async () => {
  const name = await bought()
  assert.equal((await shown(name)).locked, false)
  await workDomains(work)
  const { locked, change } = await shown(name)
  assert.deepEqual([statusesAt(staff, name), locked, change, updates(name)], [lock, true, null, 1])
  await workLater()
  assert.equal(updates(name), 1)
  assert.deepEqual((await auditOf(name)).slice(1), [
    `domain.locked: ${name} was locked against transfers, because it is new`,
  ])
  const answer = await buyer.call('PUT', `/domains/${name}/nameservers`, {
    nameservers: ['ns1.example.net', 'ns2.example.net'],
  })
  assert.deepEqual([answer.status, updates(name)], [200, 2], 'its other data can be changed with one command')
})

test('a domain that was transferred to us is also locked', async () => {
  const name = `theirs${++names}.test`
  await staff.put(name)
  const transfer = { quote: { kind: 'transfer' }, order: { use_credit: true, auth_code: 'their-code' } }
  const { body } = await buyer.order(name, transfer)
  await workDue(api)
  assert.equal((await shown(name)).change, null, 'it has not arrived')
  await staff.endTransfer(name, 'approve')
  await sql`update orders set step_at = app_now() where id = ${body.id}`.execute(db)
  await workDue(api)
  await workDomains(work)
  assert.deepEqual([statusesAt(staff, name), (await shown(name)).change], [lock, null])
})

test('if the registry does not respond, the lock is looked up, and resent only if it did not arrive', async () => {
  for (const lost of ['loseAnswer', 'loseCommand'] as const) {
    const name = await bought()
    staff[lost]('domain:update', name)
    await workDomains(work)
    await workLater()
    const sent = lost === 'loseAnswer' ? 1 : 2
    assert.deepEqual([statusesAt(staff, name), (await shown(name)).locked, updates(name)], [lock, true, sent], lost)
  }
})

test('while the registry is unreachable or faulty, the lock waits and is never dropped', async () => {
  const name = await bought()
  await workDomains({ ...work, registries: { ...work.registries, registryOf: () => undefined } })
  assert.equal((await shown(name)).change?.kind, 'lock')
  staff.once('domain:update', { code: 2104 }, name)
  await workLater()
  assert.equal((await shown(name)).change?.kind, 'lock', 'our own balance is too low')
  for (const code of [2303, 2201]) {
    staff.once('domain:info', { code }, name)
    await workLater()
    assert.equal((await shown(name)).change?.kind, 'lock', `${code}`)
  }
  await workLater()
  assert.deepEqual([statusesAt(staff, name), (await shown(name)).change], [lock, null])
})

test('if the registry refuses the lock, the domain is shown as not locked and can be used', async () => {
  const name = await bought()
  server.epp.behaviours.set({ code: 2306, reason: 'No locks here', times: 2 }, 'domain:update', name)
  await workDomains(work)
  await workLater()
  const { locked, change, status } = await shown(name)
  assert.deepEqual([locked, change, status, updates(name)], [false, null, 'active', 2], 'the second after a query')
  assert.match((await auditOf(name)).at(-1) ?? '', /^domain\.lock_refused: .*No locks here \(2306\)/)
  const changed = await buyer.call('PUT', `/domains/${name}/nameservers`, {
    nameservers: ['ns1.example.net', 'ns2.example.net'],
  })
  assert.equal(changed.status, 200)
  assert.equal((await buyer.call('POST', `/domains/${name}/lock`)).body.locked, true)
})

test('if the registry refuses the lock of a domain that is already locked, the domain is shown as locked', async () => {
  const name = await bought()
  const kept = staff.domain(name) ?? assert.fail()
  Object.assign(kept, { clientStatuses: lock })
  staff.once('domain:update', { code: 2306, reason: 'It has this status' }, name)
  await workDomains(work)
  const { locked, change } = await shown(name)
  assert.deepEqual([statusesAt(staff, name), locked, change, updates(name)], [lock, true, null, 1])
})

test('the locks of several new domains are claimed and recorded in one transaction, before any of them is sent', async () => {
  const bothNames = [await bought(), await bought()]
  const claimed = await claimChanges(work, 10)
  assert.deepEqual(
    new Map(claimed.map(({ change, first }) => [change.name, first?.state])),
    new Map(bothNames.map((name) => [name, 'sending'])),
  )
  assert.deepEqual(bothNames.map(updates), [0, 0])
  // The worker dies here. Another one queries the registry, finds no lock, and sends it.
  await workLater()
  for (const name of bothNames)
    assert.deepEqual([statusesAt(staff, name), (await shown(name)).locked, updates(name)], [lock, true, 1])
})

test('locks that are set at about the same time end together, except one that another worker has taken over', async () => {
  const taken = await bought()
  const others: string[] = []
  while (others.length < 5) others.push(await bought())
  const claimed = await claimChanges(work, 10)
  await sql`
    update domain_acts set lease = lease + 1
    where state = 'open' and domain_id = (select id from domains where name = ${taken})`.execute(db)
  const ends = await Promise.all(claimed.map(claimedChanges(work)))
  assert.deepEqual(
    claimed.flatMap(({ change }, i) => (ends[i]?.end === 'done' ? [change.name] : [])).sort(),
    others.toSorted(),
  )
  assert.equal((await shown(taken)).change?.kind, 'lock')
  const { rows } = await sql<{ transactions: number }>`
    select count(distinct a.ended_at)::int as transactions from domain_acts a join domains d on d.id = a.domain_id
    where d.name = any(${others})`.execute(db)
  assert.ok((rows[0]?.transactions ?? 9) <= 2, 'the first lock is not delayed, and the others wait for one another')
  await workLater()
  for (const name of [taken, ...others])
    assert.deepEqual([statusesAt(staff, name), (await shown(name)).locked, updates(name)], [lock, true, 1])
})

test('while orders are in progress, a new lock waits up to a minute; a customer’s change completes it immediately', async () => {
  const [waits, changed] = [await bought(), await bought()]
  const claimedNames = async () => {
    const claimed = await claimChanges(work, 10, [], true)
    return claimed.map(({ change }) => change.name)
  }
  assert.deepEqual(await claimedNames(), [])
  const nameservers = ['ns1.example.net', 'ns2.example.net']
  assert.equal((await buyer.call('PUT', `/domains/${changed}/nameservers`, { nameservers })).status, 200)
  assert.deepEqual([statusesAt(staff, changed), (await shown(changed)).locked], [lock, true])
  await sql`update domain_acts set created_at = created_at - interval '59 seconds' where state = 'open'`.execute(db)
  assert.deepEqual(await claimedNames(), [])
  await sql`update domain_acts set created_at = created_at - interval '1 second' where state = 'open'`.execute(db)
  assert.deepEqual(await claimedNames(), [waits])
  await workLater()
  assert.deepEqual([statusesAt(staff, waits), (await shown(waits)).locked], [lock, true])
})

test('a lock that the registry has not decided yet waits for the decision', async () => {
  const name = await bought()
  staff.once('domain:update', { pending: true }, name)
  await workDomains(work)
  assert.deepEqual([(await shown(name)).change?.kind, updates(name)], ['lock', 1])
  await workLater()
  assert.deepEqual([(await shown(name)).change?.kind, updates(name)], ['lock', 1])
})

test('a change that is requested before the lock completes the lock first', async () => {
  const name = await bought()
  const nameservers = ['ns1.example.net', 'ns2.example.net']
  const { status, body } = await buyer.call('PUT', `/domains/${name}/nameservers`, { nameservers })
  assert.deepEqual([status, body.locked, body.nameservers, updates(name)], [200, true, nameservers, 2])
})

test('a domain that an operator reports as arrived is locked once the registry shows it as ours', async () => {
  const name = await bought()
  await workDomains(work)
  await sql`update domains set state = 'arriving' where name = ${name}`.execute(db)
  const kept = staff.domain(name) ?? assert.fail()
  Object.assign(kept, { sponsor: 'rival', clientStatuses: [] })
  const domain = { accountId: buyer.accountId, name, expiresAt: null }
  await database.transact((tx) => arrive(tx, orders.giveZone, actorNamed('operator', 'support'), domain, true))
  await workLater()
  const { change, status } = await shown(name)
  assert.deepEqual([change?.kind, status], ['lock', 'active'])
  Object.assign(kept, { sponsor: 'zonewright' })
  await workLater()
  assert.deepEqual([statusesAt(staff, name), (await shown(name)).change], [lock, null])
})
