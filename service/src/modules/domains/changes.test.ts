import assert from 'node:assert/strict'
import { test } from 'node:test'
import { actorNamed } from '#platform/caller.ts'
import { sql } from '#platform/postgres/index.ts'
import type { Registry } from '#ports/registry.ts'
import { aroundCalls } from '#testing/around-calls.ts'
import { eventually } from '#testing/eventually.ts'
import { figuresOf } from '#testing/figures.ts'
import { moveClock } from '#testing/move-clock.ts'
import { RegistryStaff } from '#testing/registry-staff.ts'
import { done, register, startSandboxRegistry, trid } from '#testing/sandbox-registry.ts'
import { startTestApi } from '#testing/test-api.ts'
import { testContact } from '#testing/test-contact.ts'
import { statusesAt, TestOwner, workDomains } from '#testing/test-owner.ts'
import { codeOf, faultsOf } from '#testing/test-zones.ts'
import { untilBlocked } from '#testing/until-blocked.ts'
import { withRegistry } from '#testing/with-registry.ts'
import { advanceChange } from './advance-change.ts'
import { claimDueChanges, insertChange } from './change-store.ts'
import type { Wish } from './domain-change.ts'
import { claimChanges } from './domain-worker.ts'
import { domainFigures } from './operation-figures.ts'
import { lockStatuses } from './plan-change.ts'
import { startChange } from './start-change.ts'
import { hurryDomain, lockDomain, noteFacts } from './store.ts'

const server = await startSandboxRegistry()
const staff = new RegistryStaff(server)
const api = await startTestApi({ registry: server })
const { db } = api.database
const owner = await TestOwner.make(api, server)
const figure = figuresOf(db, domainFigures)
const locked = lockStatuses.toSorted()
const elsewhere = ['ns1.example.net', 'ns2.example.net']
const ours = ['ns1.zonewright.test', 'ns2.zonewright.test']
const put = (name: string, nameservers: readonly string[], more: object = {}) =>
  owner.call('PUT', `${name}/nameservers`, { nameservers, ...more })
const isCheckDue = async (name: string): Promise<boolean> => {
  const { rows } = await sql`select from domains where name = ${name} and sync_at <= app_now()`.execute(db)
  return rows.length > 0
}

test('nameservers are changed at the registry, and unknown hosts are created there', async () => {
  const name = await owner.domain()
  const answer = await put(name, ['NS2.Example.net.', 'ns1.example.net'])
  assert.equal(answer.status, 200)
  assert.deepEqual(answer.body.nameservers, elsewhere)
  assert.deepEqual(staff.domain(name)?.nameservers.toSorted(), elsewhere)
  assert.deepEqual(await owner.audit(name), ['domain.nameservers_changed owner@example.net'])
  assert.equal((await put(name, elsewhere)).status, 200)
  assert.deepEqual(owner.sent(name).slice(1), ['domain:update'], 'the same again sends nothing')
  assert.equal((await owner.audit(name)).length, 1)
})

test('nameservers below the domain get their addresses, including new ones, and are deleted when no longer used', async () => {
  const name = await owner.domain()
  const [a, b] = [`ns1.${name}`, `ns2.${name}`]
  const hosts = [
    { name: a, addresses: ['192.0.2.53', '2001:DB8:0::53'] },
    { name: `${b}.`, addresses: ['192.0.2.54'] },
  ]
  const lacking = await put(name, [a, b])
  assert.deepEqual(codeOf(lacking), [422, 'validation_failed'])
  assert.deepEqual(faultsOf(lacking), ['address_needed /nameservers/0', 'address_needed /nameservers/1'])
  assert.deepEqual((await put(name, [a, b], { hosts })).body.nameservers, [a, b])
  assert.deepEqual(done(await owner.registry.hosts.info(a)).addresses.toSorted(), ['192.0.2.53', '2001:db8::53'])
  assert.equal((await put(name, [a, b], { hosts })).status, 200)
  assert.deepEqual(owner.sent(name, a, b).slice(1), ['host:create', 'host:create', 'domain:update'])
  const moved = [{ name: a, addresses: ['192.0.2.60'] }]
  assert.equal((await put(name, [a, b], { hosts: moved })).status, 200)
  assert.deepEqual(done(await owner.registry.hosts.info(a)).addresses, ['192.0.2.60'])
  assert.equal((await put(name, [a, b])).status, 200, 'the registry has their addresses already')
  const other = await owner.domain()
  assert.equal((await put(other, [a, ...ours])).status, 200, 'a nameserver for another domain, too')
  assert.equal((await put(name, ours)).status, 200)
  assert.equal((await owner.registry.hosts.info(b)).kind, 'refused', 'nobody needs it any more')
  assert.equal((await owner.registry.hosts.info(a)).kind, 'done', 'another domain has it')
})

test('a domain can be its own nameserver, with glue addresses, like any host below it', async () => {
  const name = await owner.domain()
  const host = (addresses: readonly string[]) => ({ hosts: [{ name, addresses }] })
  const lacking = await put(name, [name, 'ns2.example.net'])
  assert.deepEqual(
    [codeOf(lacking), faultsOf(lacking)],
    [[422, 'validation_failed'], ['address_needed /nameservers/0']],
  )
  assert.match(lacking.body.error.details[0].message, new RegExp(`^Add the addresses of ${name} to \`hosts\``))
  const set = await put(name, [`${name}.`, 'ns2.example.net'], host(['192.0.2.53', '2001:db8::53']))
  assert.deepEqual([set.status, set.body.nameservers], [200, [name, 'ns2.example.net']])
  assert.deepEqual(done(await owner.registry.hosts.info(name)).addresses.toSorted(), ['192.0.2.53', '2001:db8::53'])
  assert.deepEqual(done(await owner.registry.domains.info(name)).subordinateHosts, [name])
  assert.equal((await put(name, [name, 'ns2.example.net'], host(['192.0.2.60']))).status, 200)
  assert.deepEqual(done(await owner.registry.hosts.info(name)).addresses, ['192.0.2.60'])
  assert.equal((await put(name, [name, 'ns2.example.net'])).status, 200, 'the registry has its addresses already')
  const both = [
    { name, addresses: ['192.0.2.60'] },
    { name: `ns1.${name}`, addresses: ['192.0.2.61'] },
  ]
  assert.equal((await put(name, [name, `ns1.${name}`], { hosts: both })).status, 200)
  const other = await owner.domain()
  assert.deepEqual(faultsOf(await put(other, [name, other], host(['192.0.2.1']))), ['not_below /hosts/0/name'])
  assert.deepEqual(faultsOf(await put(name, elsewhere, host(['192.0.2.1']))), ['not_listed /hosts/0/name'])
  const bad = await put(name, [name, 'ns2.example.net'], host(['192.0.2.256']))
  assert.match(bad.body.error.message, /^\/hosts\/0\/addresses\/0: Expected an IPv4 or IPv6 address/)
  assert.equal((await put(name, ours)).status, 200)
  for (const gone of [name, `ns1.${name}`])
    assert.equal((await owner.registry.hosts.info(gone)).kind, 'refused', 'nobody needs it any more')
})

const dsShownOf = async (name: string) => (await owner.call('GET', name)).body.dnssec
const ds = { keyTag: 12345, algorithm: 13, digestType: 2, digest: 'AB'.repeat(32) }

test('a signed domain that is transferred to us keeps its DS records until it uses our nameservers, which do not sign', async () => {
  const name = 'signed.test'
  await register(staff.rival, name, { nameservers: elsewhere, authInfo: 'their-Secret1' })
  done(await staff.rival.domains.update(name, { dsRecords: { add: [ds], remove: [] } }, trid()))
  await owner.registry.domains.requestTransfer({ name, authInfo: 'their-Secret1' }, trid())
  done(await staff.rival.domains.approveTransfer(name, trid()))
  await owner.take(name)
  await owner.call('POST', `${name}/lock`)
  assert.equal((await put(name, ['ns2.example.net', 'ns3.example.net'])).status, 200)
  assert.deepEqual(done(await owner.registry.domains.info(name)).dsRecords, [ds], 'they may sign')
  assert.deepEqual(await dsShownOf(name), { parent_ds: true })
  staff.loseAnswer('domain:update', name)
  assert.deepEqual((await put(name, ours)).body.nameservers, ours)
  const info = done(await owner.registry.domains.info(name))
  assert.deepEqual([info.dsRecords, info.nameservers], [[], ours])
  assert.deepEqual(await dsShownOf(name), { parent_ds: false })
  assert.deepEqual(statusesAt(staff, name), locked)
  assert.deepEqual((await owner.operations(name)).slice(-4), [
    'allow_updates done',
    'remove_ds done',
    'set_nameservers done',
    'prohibit_updates done',
  ])
  assert.deepEqual((await owner.audit(name)).slice(-2), [
    'domain.ds_removed owner@example.net',
    'domain.nameservers_changed owner@example.net',
  ])
})

test('a domain keeps its nameservers if the registry does not remove the DS records; a DS removed before a refusal is in the audit log', async () => {
  const name = await owner.domain({ nameservers: elsewhere })
  done(await owner.registry.domains.update(name, { dsRecords: { add: [ds], remove: [] } }, trid()))
  staff.once('domain:update', { code: 2306, reason: 'Ask by letter' }, name)
  const refused = await put(name, ours)
  assert.deepEqual(codeOf(refused), [409, 'conflict'])
  assert.match(refused.body.error.message, /DS records.*Ask by letter/)
  assert.deepEqual(staff.domain(name)?.nameservers.toSorted(), elsewhere)
  assert.equal((await put(name, [...ours, 'ns1.nobody-has-this.test'])).status, 422)
  assert.deepEqual(await owner.audit(name), ['domain.ds_removed owner@example.net'])
})

test('invalid nameservers are rejected by position before anything is sent', async () => {
  const name = await owner.domain()
  const host = (other: string) => ({ hosts: [{ name: other, addresses: ['192.0.2.1'] }] })
  for (const [nameservers, more, faults] of [
    [['ns1.example.net'], {}, ['too_small /nameservers']],
    [['ns1.example.net', '192.0.2.1'], {}, ['bad_host /nameservers/1']],
    [['ns1.example.net', 'NS1.example.net.'], {}, ['duplicate /nameservers']],
    [elsewhere, host('ns3.example.net'), ['not_listed /hosts/0/name']],
    [elsewhere, host('ns1.example.net'), ['not_below /hosts/0/name']],
    [[`other${name}`, 'ns1.example.net'], host(`other${name}`), ['not_below /hosts/0/name']],
    [elsewhere, { hosts: [{ name: `ns1.${name}`, addresses: ['300.0.0.1'] }] }, ['invalid /hosts/0/addresses/0']],
  ] as const) {
    const answer = await put(name, nameservers, more)
    assert.deepEqual([answer.status, faultsOf(answer)], [422, faults], JSON.stringify(nameservers))
  }
  const unknown = await put(name, ['ns1.nobody-has-this.test', 'ns2.example.net'])
  assert.deepEqual([unknown.status, faultsOf(unknown)], [422, ['unknown_host /nameservers']])
  assert.deepEqual(owner.sent(name), ['domain:create'])
  assert.deepEqual((await owner.call('GET', name)).body.nameservers, ours)
})

test('a lock prohibits transfers, updates and deletion; only the owner can unlock, with a code that works once', async () => {
  const name = await owner.domain()
  const answer = await owner.call('POST', `${name}/lock`)
  assert.deepEqual([answer.status, answer.body.locked], [200, true])
  assert.deepEqual(statusesAt(staff, name), locked)
  assert.equal((await owner.call('POST', `${name}/lock`)).status, 200)
  assert.deepEqual(owner.sent(name), ['domain:create', 'domain:update'])
  assert.deepEqual(codeOf(await owner.call('POST', `${name}/unlock`, {})), [403, 'code_required'])
  assert.deepEqual(codeOf(await owner.call('POST', `${name}/unlock`, { code: '000000' })), [403, 'code_wrong'])
  assert.deepEqual(statusesAt(staff, name), locked)
  const code = owner.code()
  const unlocked = await owner.call('POST', `${name}/unlock`, { code })
  assert.deepEqual([unlocked.status, unlocked.body.locked], [200, false])
  assert.deepEqual(statusesAt(staff, name), [])
  assert.deepEqual(codeOf(await owner.call('POST', `${name}/unlock`, { code })), [403, 'code_wrong'])
  assert.deepEqual(await owner.audit(name), ['domain.locked owner@example.net', 'domain.unlocked owner@example.net'])
})

test('a repeat with the same Idempotency-Key gets the same response, and requires neither a code nor the registry', async () => {
  const name = await owner.domain()
  await owner.call('POST', `${name}/lock`)
  const [body, headers] = [{ code: owner.code() }, { 'idempotency-key': `unlock ${name}` }]
  const first = await owner.call('POST', `${name}/unlock`, body, headers)
  await owner.call('POST', `${name}/lock`)
  const sent = owner.sent(name)
  const second = await owner.call('POST', `${name}/unlock`, body, headers)
  assert.deepEqual([second.status, second.body], [first.status, first.body])
  assert.deepEqual(owner.sent(name), sent)
  assert.deepEqual(codeOf(await owner.call('POST', `${name}/unlock`, {}, headers)), [409, 'idempotency_mismatch'])
})

test('a locked domain stays locked when its nameservers or contacts are changed: only updates are allowed in between', async () => {
  const name = await owner.domain()
  await owner.call('POST', `${name}/lock`)
  const answer = await put(name, elsewhere)
  assert.deepEqual([answer.status, answer.body.locked], [200, true])
  assert.deepEqual(statusesAt(staff, name), locked)
  assert.deepEqual(await owner.operations(name), [
    'lock done',
    'allow_updates done',
    'set_nameservers done',
    'prohibit_updates done',
  ])
  // After a refusal in the middle, the domain is also locked.
  const refused = await put(name, ['ns1.nobody-has-this.test', 'ns2.example.net'])
  assert.deepEqual(codeOf(refused), [422, 'validation_failed'])
  assert.deepEqual(statusesAt(staff, name), locked)
  assert.deepEqual(staff.domain(name)?.nameservers.toSorted(), elsewhere)
})

test('if the registry refuses an unlock half-way, the domain stays as locked as before', async () => {
  const name = await owner.domain()
  await owner.call('POST', `${name}/lock`)
  let updates = 0
  const refusing = aroundCalls(owner.registry, (method, _args, call) => {
    if (method === 'update' && ++updates === 2) staff.once('domain:update', { code: 2306, reason: 'Not today' }, name)
    return call()
  })
  const wanted = { name, wish: { kind: 'unlock' }, actor: actorNamed('system', 'test') } as const
  await assert.rejects(startChange(withRegistry(owner.work, refusing), wanted), {
    code: 'conflict',
    message: /Not today \(2306\)/,
  })
  assert.deepEqual(statusesAt(staff, name), locked)
  assert.deepEqual(await owner.operations(name), [
    'lock done',
    'allow_updates done',
    'unlock refused',
    'prohibit_updates done',
  ])
  const { body } = await owner.call('GET', name)
  assert.deepEqual([body.locked, body.change], [true, null])
  assert.deepEqual(await owner.audit(name), ['domain.locked owner@example.net'])
  await unlocked(name)
  assert.deepEqual(statusesAt(staff, name), [])
})

test('a change keeps its first failure if the registry then also refuses to set the lock again', async () => {
  const name = await owner.domain()
  await owner.call('POST', `${name}/lock`)
  let updates = 0
  const refusing = aroundCalls(owner.registry, (method, _args, call) => {
    if (method === 'update' && ++updates > 1)
      staff.once('domain:update', { code: 2306, reason: `Refusal ${updates - 1}` }, name)
    return call()
  })
  const wanted = { name, wish: { kind: 'unlock' }, actor: actorNamed('system', 'test') } as const
  await assert.rejects(startChange(withRegistry(owner.work, refusing), wanted), { code: 'registry_unavailable' })
  assert.deepEqual((await owner.operations(name)).slice(1), [
    'allow_updates done',
    'unlock refused',
    'prohibit_updates refused',
  ])
  await owner.workNow()
  assert.deepEqual(statusesAt(staff, name), locked)
  const { rows } = await sql<{ state: string; failure: { message: string } }>`
    select a.state, a.failure from domain_acts a join domains d on d.id = a.domain_id
    where d.name = ${name} and a.kind = 'unlock'`.execute(db)
  assert.equal(rows[0]?.state, 'refused')
  assert.match(rows[0]?.failure.message ?? '', /Refusal 1 \(2306\)/)
})

test('a change that turns out to be impossible half-way leaves the domain as locked as it was', async () => {
  const name = await owner.domain()
  const lock = (status: 'clientTransferProhibited' | 'clientUpdateProhibited') =>
    owner.registry.domains.update(name, { statuses: { add: [status], remove: [] } }, trid())
  done(await lock('clientUpdateProhibited'))
  let updates = 0
  const interrupted = aroundCalls(owner.registry, async (method, _args, call) => {
    const answer = await call()
    if (method !== 'update' || ++updates > 1) return answer
    // Updates are allowed now. The answer is lost, and someone else prohibits transfers before the service queries the registry.
    done(await lock('clientTransferProhibited'))
    return { kind: 'unknown', why: 'no answer', reply: null } as const
  })
  const wanted = { name, wish: { kind: 'transfer_code' }, actor: actorNamed('system', 'test') } as const
  const changing = startChange(withRegistry(owner.work, interrupted), { ...wanted, secret: 'new-Secret1' })
  await assert.rejects(changing, { code: 'domain_locked' })
  assert.deepEqual(await owner.operations(name), ['allow_updates done', 'prohibit_updates done'])
  assert.deepEqual(statusesAt(staff, name), ['clientTransferProhibited', 'clientUpdateProhibited'])
  assert.notEqual(staff.domain(name)?.authInfo, 'new-Secret1')
})

test('if the registry refuses a change, the check of the domain becomes due', async () => {
  const name = await owner.domain()
  assert.equal(await isCheckDue(name), false)
  staff.once('domain:update', { code: 2306, reason: 'Ask by letter' }, name)
  assert.deepEqual(codeOf(await owner.call('POST', `${name}/lock`)), [409, 'conflict'])
  assert.equal(await isCheckDue(name), true)
})

test('the owner of an unlocked domain sets a new transfer code with a two-factor code, and only that response shows it', async () => {
  const name = await owner.domain()
  const headers = { 'idempotency-key': `code ${name}` }
  const body = { code: owner.code() }
  const { status, body: shown } = await owner.call('POST', `${name}/transfer-code`, body, headers)
  assert.equal(status, 200)
  assert.equal(shown.name, name)
  assert.match(shown.transfer_code, /^.{24}$/)
  assert.equal(staff.domain(name)?.authInfo, shown.transfer_code)
  assert.deepEqual(codeOf(await owner.call('POST', `${name}/transfer-code`, body, headers)), [
    409,
    'idempotency_replayed',
  ])
  assert.equal(staff.domain(name)?.authInfo, shown.transfer_code, 'it still works')
  const { rows } = await sql<{ leaks: boolean }>`
    select exists (select from domain_acts where wish::text like ${`%${shown.transfer_code}%`} or secret is not null)
      or exists (select from idempotency_keys where answer::text like ${`%${shown.transfer_code}%`}) as leaks`.execute(
    db,
  )
  assert.deepEqual(rows, [{ leaks: false }])
  assert.deepEqual(await owner.audit(name), ['domain.transfer_code_shown owner@example.net'])
  await owner.call('POST', `${name}/lock`)
  const code = owner.code()
  assert.deepEqual(codeOf(await owner.call('POST', `${name}/transfer-code`, { code })), [409, 'domain_locked'])
  assert.equal(staff.domain(name)?.authInfo, shown.transfer_code)
  assert.equal((await owner.call('POST', `${name}/unlock`, { code })).status, 200, 'the code was not used up')
  // Someone else has locked the domain, which only the registry knows.
  const locking = { statuses: { add: ['clientTransferProhibited' as const], remove: [] } }
  done(await owner.registry.domains.update(name, locking, trid()))
  const refused = await owner.call('POST', `${name}/transfer-code`, { code: owner.code() })
  assert.deepEqual(codeOf(refused), [409, 'domain_locked'])
  assert.equal((await owner.call('GET', name)).body.locked, true)
})

test('a new registrant is created at the registry and set; the former one is deleted', async () => {
  const name = await owner.domain()
  const { registrant: former } = done(await owner.registry.domains.info(name))
  const { id } = (await owner.person.call('POST', '/contacts', { body: { ...testContact, name: 'Bola Ade' } })).body
  const answer = await owner.call('PUT', `${name}/contacts`, { contact_id: id })
  assert.deepEqual([answer.status, answer.body.contacts.registrant.name], [200, 'Bola Ade'])
  const info = done(await owner.registry.domains.info(name))
  assert.notEqual(info.registrant, former)
  assert.deepEqual(new Set(info.contacts.map((contact) => contact.id)), new Set([info.registrant]))
  assert.equal(done(await owner.registry.contacts.info(info.registrant ?? '')).name, 'Bola Ade')
  assert.equal((await owner.registry.contacts.info(former ?? '')).kind, 'refused')
  const missing = await owner.call('PUT', `${name}/contacts`, { contact_id: 'con_none' })
  assert.deepEqual([codeOf(missing), faultsOf(missing)], [[422, 'contact_invalid'], ['no_contact /contact_id']])
  for (const code of [2003, 2005]) {
    staff.once('contact:create', { code, reason: 'Bad postal code' })
    const refused = await owner.call('PUT', `${name}/contacts`, { contact_id: id })
    assert.deepEqual(codeOf(refused), [422, 'contact_invalid'])
    assert.match(refused.body.error.message, new RegExp(`Bad postal code \\(${code}\\)`))
  }
  assert.equal(done(await owner.registry.domains.info(name)).registrant, info.registrant)
})

test('the service shows a new contact of a domain only if the registry has accepted it, and keeps no copy in the change', async () => {
  const name = await owner.domain()
  const contact = async (person: string): Promise<{ contact_id: string }> => {
    const { body } = await owner.person.call('POST', '/contacts', { body: { ...testContact, name: person } })
    return { contact_id: body.id }
  }
  assert.equal((await owner.call('PUT', `${name}/contacts`, await contact('Bola Ade'))).status, 200)
  staff.once('domain:update', { code: 2306, reason: 'Ask by letter' }, name)
  const refused = await owner.call('PUT', `${name}/contacts`, await contact('Chidi Eze'))
  assert.deepEqual(codeOf(refused), [422, 'contact_invalid'])
  assert.equal((await owner.call('GET', name)).body.contacts.registrant.name, 'Bola Ade')
  const { rows } = await sql<{ state: string; hasContact: boolean }>`
    select a.state, a.wish ? 'contact' as "hasContact" from domain_acts a join domains d on d.id = a.domain_id
    where d.name = ${name} order by a.id`.execute(db)
  assert.deepEqual(rows, [
    { state: 'done', hasContact: false },
    { state: 'refused', hasContact: false },
  ])
})

test('after a lost response, the registry is checked: a command that was executed is not resent, and one that was not is', async () => {
  const name = await owner.domain()
  staff.loseAnswer('domain:update', name)
  assert.deepEqual((await put(name, elsewhere)).body.nameservers, elsewhere)
  assert.deepEqual(await owner.operations(name), ['set_nameservers done'])
  staff.loseCommand('domain:update', name)
  assert.deepEqual((await put(name, ours)).body.nameservers, ours)
  assert.deepEqual(await owner.operations(name), [
    'set_nameservers done',
    'set_nameservers not_done',
    'set_nameservers done',
  ])
  staff.loseAnswer('domain:update', name)
  const { body } = await owner.call('POST', `${name}/transfer-code`, { code: owner.code() })
  assert.equal(staff.domain(name)?.authInfo, body.transfer_code)
  const contact = (await owner.person.call('POST', '/contacts', { body: testContact })).body
  staff.loseAnswer('contact:create')
  assert.equal((await owner.call('PUT', `${name}/contacts`, { contact_id: contact.id })).status, 200)
})

test('an unreachable registry changes nothing, and the response says when to retry', async () => {
  const name = await owner.domain()
  staff.once('domain:info', { code: 2400 }, name)
  const answer = await put(name, elsewhere)
  assert.deepEqual(codeOf(answer), [503, 'registry_unavailable'])
  assert.match(answer.body.error.message, /Nothing was changed/)
  assert.equal(answer.headers['retry-after'], '60')
  const { body } = await owner.call('GET', name)
  assert.deepEqual([body.change, body.nameservers], [null, ours])
  assert.equal((await put(name, elsewhere)).status, 200)
})

test('a change with an unknown outcome continues automatically, and the next change waits for it', async () => {
  const name = await owner.domain()
  staff.once('domain:update', { answer: 'drop', delayMs: 300 }, name)
  const asked = put(name, elsewhere)
  await eventually('the command that is under way', async () => (await owner.operations(name)).length > 0)
  staff.once('domain:info', { code: 2400 }, name)
  const answer = await asked
  assert.deepEqual(codeOf(answer), [503, 'registry_unavailable'])
  assert.match(answer.body.error.message, /continue automatically/)
  const shown = (await owner.call('GET', name)).body
  assert.deepEqual([shown.change.kind, shown.nameservers], ['nameservers', ours])
  await owner.workNow()
  const settled = (await owner.call('GET', name)).body
  assert.deepEqual([settled.change, settled.nameservers], [null, elsewhere])
  assert.deepEqual(await owner.operations(name), ['set_nameservers done'])
})

test('a new change completes an interrupted change before it starts', async () => {
  const name = await owner.domain()
  staff.once('domain:update', { answer: 'drop', delayMs: 300 }, name)
  const interrupted = put(name, elsewhere)
  await eventually('the command is sent', async () => (await owner.operations(name)).length > 0)
  staff.once('domain:info', { code: 2400 }, name)
  assert.equal((await interrupted).status, 503)
  const { status, body } = await owner.call('POST', `${name}/lock`)
  assert.deepEqual([status, body.change, body.locked, body.nameservers], [200, null, true, elsewhere])
  assert.deepEqual(await owner.operations(name), ['set_nameservers done', 'lock done'])
})

test('a registry that does not respond gets two commands, then a pause, and the change continues when it is back', async () => {
  const name = await owner.domain()
  server.epp.behaviours.set({ skip: true, answer: 'drop' }, 'domain:update', name)
  const answer = await put(name, elsewhere)
  assert.deepEqual(codeOf(answer), [503, 'registry_unavailable'])
  assert.match(answer.body.error.message, /continue automatically/)
  assert.equal(owner.sent(name).length, 3)
  await sql`update domain_acts set due_at = app_now() where state = 'open'`.execute(db)
  await workDomains(owner.work)
  assert.equal(owner.sent(name).length, 5)
  const { rows } = await sql<{ inS: number }>`
    select extract(epoch from due_at - app_now())::int as "inS" from domain_acts where state = 'open'`.execute(db)
  assert.ok((rows[0]?.inS ?? 0) > 60, `later each time: ${JSON.stringify(rows)}`)
  await moveClock(api.database, '2 hours')
  await workDomains(owner.work)
  assert.equal(await figure('zonewright_domain_act_oldest_due_seconds'), 0)
  assert.ok((await figure('zonewright_domain_act_oldest_open_seconds')) >= 7_200)
  assert.equal(await figure('zonewright_domain_act_oldest_pending_seconds'), 0)
  await moveClock(api.database, '0 seconds')
  server.epp.behaviours.set({}, 'domain:update', name)
  await owner.workNow()
  const { body } = await owner.call('GET', name)
  assert.deepEqual([body.change, body.nameservers], [null, elsewhere])
})

test('a change that the registry has not decided is shown as pending, and ends as the registry decides', async () => {
  for (const isDone of [true, false]) {
    const name = await owner.domain()
    staff.once('domain:update', { pending: true }, name)
    const answer = await put(name, elsewhere)
    assert.deepEqual([answer.status, answer.body.change?.kind], [202, 'nameservers'])
    const second = await owner.call('POST', `${name}/lock`)
    assert.deepEqual(codeOf(second), [409, 'conflict'])
    assert.match(second.body.error.message, /waiting for the registry/)
    assert.ok((await figure('zonewright_domain_act_oldest_pending_seconds')) > 0)
    assert.equal(await figure('zonewright_domain_act_oldest_open_seconds'), 0)
    await owner.workNow()
    assert.equal((await owner.call('GET', name)).body.change?.kind, 'nameservers')
    await staff.decide(name, isDone)
    await owner.workNow()
    const { body } = await owner.call('GET', name)
    assert.deepEqual([body.change, body.nameservers], [null, isDone ? elsewhere : ours])
  }
})

test('a new change does not query the registry while it decides about the last one', async () => {
  const name = await owner.domain()
  staff.once('domain:update', { pending: true }, name)
  assert.equal((await put(name, elsewhere)).status, 202)
  const queries = () =>
    server.epp.noted.filter(({ command, subject }) => command === 'domain:info' && subject === name).length
  const before = queries()
  assert.deepEqual(codeOf(await owner.call('POST', `${name}/lock`)), [409, 'conflict'])
  assert.equal(queries(), before)
  await staff.decide(name, true)
  await owner.workNow()
})

test('an update whose response is lost while the registry decides is awaited, not resent', async () => {
  const nameservers = { kind: 'nameservers', nameservers: elsewhere, hosts: [], isUnsigned: false } as const
  const changes: readonly (readonly [wish: Wish, isLocked: boolean])[] = [
    [nameservers, false],
    [nameservers, true],
    [{ kind: 'lock' }, false],
    [{ kind: 'unlock' }, true],
    [{ kind: 'transfer_code' }, false],
  ]
  const actor = actorNamed('system', 'test')
  for (const [wish, isLocked] of changes)
    for (const isDone of [true, false]) {
      const name = await owner.domain()
      const about = `${wish.kind}, ${isLocked ? 'locked' : 'not locked'}, ${isDone ? 'agreed' : 'rejected'}`
      if (isLocked) await startChange(owner.work, { name, wish: { kind: 'lock' }, actor })
      const before = owner.sent(name).length
      staff.once('domain:update', { pending: true, answer: 'drop' }, name)
      assert.equal(await startChange(owner.work, { name, wish, actor, secret: 'new-Secret1' }), 'pending', about)
      assert.match((await owner.operations(name)).at(-1) ?? '', / pending$/, about)
      await owner.workNow()
      assert.equal(owner.sent(name).length, before + 1, about)
      await staff.decide(name, isDone)
      await owner.workNow()
      assert.equal((await owner.call('GET', name)).body.change, null, about)
      const isLockedNow = isDone ? wish.kind === 'lock' || (isLocked && wish.kind !== 'unlock') : isLocked
      assert.deepEqual(statusesAt(staff, name), isLockedNow ? locked : [], about)
      if (wish === nameservers)
        assert.deepEqual(staff.domain(name)?.nameservers.toSorted(), isDone ? elsewhere : ours, about)
    }
})

test('a transfer that completes between the queries for the domain and for the transfer is noticed soon', async () => {
  const name = await owner.domain()
  const { authInfo } = staff.domain(name) ?? assert.fail()
  await staff.rival.domains.requestTransfer({ name, authInfo: authInfo ?? '' }, trid())
  const late = aroundCalls(owner.registry, async (method, _args, call) => {
    if (method === 'approveTransfer') return { kind: 'unknown', why: 'no answer', reply: null } as never
    const answer = await call()
    if (method === 'info' && (await owner.operations(name)).length > 0)
      done(await owner.registry.domains.approveTransfer(name, trid()))
    return answer
  })
  const wanted = { name, wish: { kind: 'approve_transfer' }, actor: actorNamed('system', 'test') } as const
  assert.equal(await startChange(withRegistry(owner.work, late), wanted), 'done')
  await workDomains(owner.work)
  assert.equal((await owner.call('GET', name)).status, 404)
  assert.ok((await owner.audit(name)).some((entry) => entry.startsWith('domain.transferred')))
})

test('only one of two concurrent changes of a domain reaches the registry; the other is refused with a retry time', async () => {
  const name = await owner.domain()
  staff.once('domain:update', { delayMs: 300 }, name)
  const wishes = [elsewhere, ['ns3.example.net', 'ns4.example.net']]
  const answers = await Promise.all(wishes.map((wish) => put(name, wish)))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409])
  const won = wishes[answers.findIndex(({ status }) => status === 200)]
  assert.deepEqual(staff.domain(name)?.nameservers.toSorted(), won)
  const lost = answers.find(({ status }) => status === 409)
  assert.deepEqual([lost?.body.error.code, lost?.headers['retry-after']], ['conflict', '3'])
})

test('a change waits for another one that is being stored, and is then refused', async () => {
  const name = await owner.domain()
  const actor = actorNamed('system', 'test')
  const stored = Promise.withResolvers<void>()
  const blocked = Promise.withResolvers<void>()
  const first = api.database.transact(async (tx) => {
    const { id } = (await lockDomain(tx, name)) ?? assert.fail()
    await insertChange(tx, { domainId: id, wish: { kind: 'lock' }, secret: null, actor }, 60)
    stored.resolve()
    await blocked.promise
  })
  await stored.promise
  const second = owner.call('POST', `${name}/lock`)
  await untilBlocked(db).finally(blocked.resolve)
  await first
  const refused = await second
  assert.deepEqual([...codeOf(refused), refused.headers['retry-after']], [409, 'conflict', '3'])
  await owner.workNow()
  assert.deepEqual(statusesAt(staff, name), locked)
})

test('a domain whose transfer to us is in progress is not changed', async () => {
  const name = await owner.domain()
  await sql`update domains set state = 'arriving' where name = ${name}`.execute(db)
  const refused = await owner.call('POST', `${name}/lock`)
  assert.deepEqual(codeOf(refused), [409, 'conflict'])
  assert.match(refused.body.error.message, /transfer .* is not complete yet/)
  assert.deepEqual(owner.sent(name), ['domain:create'])
})

test('prohibitions and pending changes at the registry are reported as a lock', async () => {
  const name = await owner.domain()
  const { authInfo } = staff.domain(name) ?? {}
  await staff.rival.domains.requestTransfer({ name, authInfo: authInfo ?? '' }, trid())
  const answer = await put(name, elsewhere)
  assert.deepEqual(codeOf(answer), [409, 'domain_locked'])
  assert.match(answer.body.error.message, /\(2304\)/)
})

/** The connection to the registry of a process that dies at its n-th command: before it sends the command, or before it records the response. */
function dyingAt(registry: Registry, n: number, when: 'before' | 'after'): Registry {
  let commands = 0
  return aroundCalls(registry, async (name, _args, call) => {
    if (['info', 'queryTransfer'].includes(name)) return call()
    const dies = ++commands === n
    if (dies && when === 'before') throw new Error('killed')
    const outcome = await call()
    if (dies) throw new Error('killed')
    return outcome
  })
}

test('if a worker is killed before or after any command of a change, the change still finishes and the lock is set again', async () => {
  for (const when of ['before', 'after'] as const)
    for (let n = 1; ; n++) {
      const name = await owner.domain({ prefix: 'killed' })
      done(await owner.registry.domains.update(name, { dsRecords: { add: [ds], remove: [] } }, trid()))
      await owner.call('POST', `${name}/lock`)
      const host = `ns1.${name}`
      const { rows } = await sql<{ id: number }>`
        insert into domain_acts (domain_id, kind, wish, actor, due_at)
        select id, 'nameservers', ${JSON.stringify({
          kind: 'nameservers',
          nameservers: [host, 'ns1.example.net'],
          isUnsigned: true,
          hosts: [{ name: host, addresses: ['192.0.2.53'] }],
        })}::jsonb, '{"kind":"session","name":"owner@example.net","id":null,"requestId":null,"address":null}', app_now()
        from domains where name = ${name} returning id`.execute(db)
      const [claimed] = await claimChanges(owner.work, 1)
      assert.equal(claimed?.change.id, rows[0]?.id)
      const dying = dyingAt(owner.registry, n, when)
      const ended = await advanceChange(withRegistry(owner.work, dying), claimed ?? assert.fail()).catch(() => 'killed')
      if (ended !== 'killed') {
        assert.equal(n, 6, 'five commands: host, updates allowed, DS, nameservers, updates prohibited')
        break
      }
      await owner.workNow()
      assert.deepEqual(staff.domain(name)?.nameservers.toSorted(), ['ns1.example.net', host], `${when} ${n}`)
      assert.deepEqual(statusesAt(staff, name), locked, `${when} ${n}`)
      assert.equal(done(await owner.registry.domains.info(name)).isSigned, false)
      const seen = (await owner.call('GET', name)).body
      assert.deepEqual([seen.change, seen.locked], [null, true])
      const commands = owner.sent(name, host).slice(3)
      assert.deepEqual(
        commands,
        ['host:create', 'domain:update', 'domain:update', 'domain:update', 'domain:update'],
        'none is sent twice',
      )
    }
})

test('a change whose command is sent late stays with its worker until the response must have arrived', async (t) => {
  const name = await owner.domain()
  t.after(() => moveClock(api.database, '0 seconds'))
  let others = 0
  const slow = aroundCalls(owner.registry, async (method, _, call) => {
    if (method === 'info') await moveClock(api.database, '100 seconds')
    if (method === 'update') {
      await moveClock(api.database, '140 seconds')
      others = (await api.database.transact((tx) => claimDueChanges(tx, 1))).length
    }
    return call()
  })
  const wish = { kind: 'nameservers', nameservers: elsewhere, hosts: [], isUnsigned: false } as const
  const wanted = { name, wish, actor: actorNamed('system', 'test') }
  assert.equal(await startChange(withRegistry(owner.work, slow), wanted), 'done')
  assert.equal(others, 0)
  assert.deepEqual(owner.sent(name).slice(1), ['domain:update'])
})

test('after another worker has taken over a change, the first worker does not alter it, whatever response it gets', async () => {
  const reply = { code: 2400, message: 'Command failed', svTrid: 'SV-1' }
  const heard = [
    ['info', 'lock', undefined],
    ['info', 'unlock', undefined],
    ['info', 'lock', { kind: 'not_sent', why: 'no session' }],
    ['update', 'lock', undefined],
    ['update', 'lock', { kind: 'pending', value: null, reply }],
    ['update', 'lock', { kind: 'refused', reply }],
    ['update', 'lock', { kind: 'fault', fault: 'login', reply }],
    ['update', 'lock', { kind: 'not_sent', why: 'no session' }],
    ['update', 'lock', { kind: 'unknown', why: 'no answer', reply: null }],
  ] as const
  for (const [method, kind, answer] of heard) {
    const name = await owner.domain()
    const stand = async () => {
      const { rows } = await sql<object>`
        select a.state, a.lease, a.lease_until, a.due_at, a.relock, a.failure,
          (select jsonb_agg(to_jsonb(o) order by o.id) from registry_commands o where o.change_id = a.id) as operations
        from domain_acts a join domains d on d.id = a.domain_id where d.name = ${name}`.execute(db)
      return rows
    }
    let takenOver: object[] | undefined
    const watched = aroundCalls(owner.registry, async (called, _, call) => {
      if (called !== method || takenOver !== undefined) return call()
      const heardNow = answer ?? (await call())
      await sql`update domain_acts set lease_until = app_now(), due_at = app_now() where state = 'open'`.execute(db)
      const [taken] = await api.database.transact((tx) => claimDueChanges(tx, 1))
      assert.equal(taken?.name, name)
      takenOver = await stand()
      return heardNow
    })
    const wanted = { name, wish: { kind }, actor: actorNamed('system', 'test') }
    await assert.rejects(startChange(withRegistry(owner.work, watched), wanted), { code: 'registry_unavailable' })
    assert.deepEqual(await stand(), takenOver, `${method} ${kind} ${answer?.kind}`)
    await owner.workNow()
    assert.deepEqual(statusesAt(staff, name), kind === 'lock' ? locked : [])
  }
})

test('completing a change does not undo a renewal or registry message that arrived during the change', async () => {
  const name = await owner.domain()
  const renewedUntil = new Date('2031-05-06T00:00:00Z')
  const meanwhile = aroundCalls(owner.registry, async (method, _, call) => {
    if (method === 'update')
      await api.database.transact(async (tx) => {
        await noteFacts(tx, name, { expiresAt: renewedUntil })
        await hurryDomain(tx, name)
      })
    return call()
  })
  const wish = { kind: 'nameservers', nameservers: elsewhere, hosts: [], isUnsigned: false } as const
  const wanted = { name, wish, actor: actorNamed('system', 'test') }
  assert.equal(await startChange(withRegistry(owner.work, meanwhile), wanted), 'done')
  const { rows } = await sql<{ expiresAt: Date; isDue: boolean }>`
    select expires_at as "expiresAt", sync_at <= app_now() as "isDue" from domains where name = ${name}`.execute(db)
  assert.deepEqual(rows, [{ expiresAt: renewedUntil, isDue: true }])
})

test('a refused restore does not undo a renewal that completed in the meantime', async () => {
  const name = await owner.domain()
  const renewedUntil = new Date('2031-05-06T00:00:00Z')
  const meanwhile = aroundCalls(owner.registry, async (method, _, call) => {
    const answer = await call()
    if (method === 'info') await api.database.transact((tx) => noteFacts(tx, name, { expiresAt: renewedUntil }))
    return answer
  })
  const wish = { kind: 'restore', reason: 'not renewed by mistake' } as const
  const restored = startChange(withRegistry(owner.work, meanwhile), { name, wish, actor: actorNamed('system', 'test') })
  await assert.rejects(restored, { code: 'conflict' })
  const { rows } = await sql<{ expiresAt: Date }>`
    select expires_at as "expiresAt" from domains where name = ${name}`.execute(db)
  assert.deepEqual(rows, [{ expiresAt: renewedUntil }])
})

test('if a domain leaves during a change, the change ends at any step, and the domain is gone', async () => {
  const name = await owner.domain()
  await owner.call('POST', `${name}/lock`)
  staff.once('domain:update', { code: 2400, delayMs: 300 }, name)
  // It is unknown whether updates are allowed now. Then the registry gives the domain to another registrar.
  const asked = put(name, elsewhere)
  await eventually('the command that is under way', async () => (await owner.operations(name)).length > 1)
  staff.once('domain:info', { code: 2400 }, name)
  await asked
  const there = server.epp.registry.store.get('domain', name) ?? assert.fail()
  server.epp.registry.keep({ ...there, sponsor: 'rival' })
  await owner.workNow()
  assert.deepEqual(codeOf(await owner.call('GET', name)), [404, 'not_found'])
  const { rows } = await sql<{ state: string }>`
    select a.state from domain_acts a join domains d on d.id = a.domain_id where d.name = ${name} order by a.id`.execute(
    db,
  )
  assert.deepEqual(rows.at(-1), { state: 'refused' })
  assert.deepEqual((await owner.operations(name)).at(-1), 'allow_updates refused', 'nobody is told of it any more')
})

/**
 * Updates of the domain are allowed, which the service does not know. The registry shows nothing about the domain: this many times, or until the
 * test changes it.
 */
async function hiddenAmidChange(times?: number): Promise<string> {
  const name = await owner.domain()
  await owner.call('POST', `${name}/lock`)
  staff.once('domain:update', { answer: 'drop', delayMs: 300 }, name)
  const asked = put(name, elsewhere)
  await eventually('the command that is under way', async () => (await owner.operations(name)).length > 1)
  server.epp.behaviours.set({ code: 2303, ...(times !== undefined && { times }) }, 'domain:info', name)
  const answer = await asked
  assert.deepEqual(codeOf(answer), [503, 'registry_unavailable'])
  assert.match(answer.body.error.message, /continue automatically/)
  assert.deepEqual(statusesAt(staff, name), ['clientDeleteProhibited', 'clientTransferProhibited'])
  return name
}

test('if the registry reports a domain as unknown once during a change, the domain does not stay unlocked', async () => {
  const name = await hiddenAmidChange(1)
  await owner.workNow()
  const { body } = await owner.call('GET', name)
  assert.deepEqual([body.change, body.nameservers, body.locked], [null, elsewhere, true])
  assert.deepEqual(statusesAt(staff, name), locked)
})

test('a change and its commands end when lookups an hour apart have found the domain gone', async () => {
  const name = await hiddenAmidChange()
  const underway = async (): Promise<number> => {
    const { rows } = await sql`
      select from domain_acts a join domains d on d.id = a.domain_id where d.name = ${name} and a.state = 'open'`.execute(
      db,
    )
    return rows.length
  }
  await workDomains(owner.work)
  const { rows } = await sql`select from domains where name = ${name} and missing_since is not null`.execute(db)
  assert.equal(rows.length, 1, 'the change has made the check of the domain due')
  await owner.workNow()
  assert.deepEqual([await underway(), (await owner.call('GET', name)).status], [1, 200])
  await sql`update domains set missing_since = missing_since - interval '1 hour' where name = ${name}`.execute(db)
  await owner.workNow()
  await owner.workNow()
  assert.deepEqual([await underway(), (await owner.call('GET', name)).status], [0, 404])
  assert.deepEqual((await owner.operations(name)).at(-1), 'allow_updates refused')
})

test('a change ends with its domain and does not affect the next domain of the same name', async () => {
  const name = await hiddenAmidChange(1)
  const there = server.epp.registry.store.get('domain', name) ?? assert.fail()
  server.epp.registry.keep({ ...there, sponsor: 'rival' })
  await sql`update domains set sync_at = app_now() where name = ${name}`.execute(db)
  await workDomains(owner.work)
  assert.equal((await owner.call('GET', name)).status, 404)
  assert.deepEqual((await owner.operations(name)).at(-1), 'allow_updates refused')
  server.epp.registry.keep(there)
  await owner.take(name)
  const sent = owner.sent(name)
  await owner.workNow()
  assert.deepEqual(owner.sent(name), sent)
  assert.deepEqual((await owner.call('GET', name)).body.change, null)
})

test('a changed delegation is checked immediately', async () => {
  const name = await owner.domain()
  const { zone_id: zoneId } = (await owner.call('GET', name)).body
  await sql`update zone_delegations set due_at = app_now() + interval '6 hours' where zone_id = ${zoneId}`.execute(db)
  await put(name, elsewhere)
  await eventually('a check that is due', async () => {
    const { rows } = await sql`select from zone_delegations where zone_id = ${zoneId} and due_at <= app_now()`.execute(
      db,
    )
    return rows.length > 0
  })
})

test('a manager or a key can change nameservers and lock, and nothing else', async () => {
  const name = await owner.domain()
  const guest = await TestOwner.make(api, server, 'guest@example.net')
  await sql`insert into domain_managers (domain_id, account_id) select id, ${guest.accountId} from domains where name = ${name}`.execute(
    db,
  )
  assert.equal((await guest.call('PUT', `${name}/nameservers`, { nameservers: elsewhere })).status, 200)
  assert.equal((await guest.call('POST', `${name}/lock`)).body.locked, true)
  for (const [method, path, body] of [
    ['POST', 'unlock', { code: guest.code() }],
    ['POST', 'transfer-code', { code: guest.code() }],
    ['PUT', 'contacts', { contact_id: 'con_1' }],
    ['POST', 'transfer-out/approve', undefined],
    ['POST', 'transfer-out/reject', undefined],
  ] as const)
    assert.deepEqual(codeOf(await guest.call(method, `${name}/${path}`, body)), [403, 'forbidden'], path)
  assert.deepEqual(statusesAt(staff, name), locked)
  assert.deepEqual(await owner.audit(name), [
    'domain.nameservers_changed guest@example.net',
    'domain.locked guest@example.net',
  ])
  const key = await api.key(owner.accountId, { permissions: ['domains:manage'], name: 'robot' })
  const changed = await api.call('PUT', `/domains/${name}/nameservers`, { key, body: { nameservers: ours } })
  assert.deepEqual([changed.status, changed.body], [200, { name, nameservers: ours }])
  assert.equal((await owner.audit(name)).at(-1), 'domain.nameservers_changed robot')
})

test('a key that can change a domain but not read it learns what it changed, and nothing else', async () => {
  const name = await owner.domain()
  const all = await api.key(owner.accountId, { permissions: ['domains:manage'] })
  const wider = await api.key(owner.accountId, { permissions: ['domains:manage', 'domains:buy', 'records:read'] })
  const call = (key: string, method: string, path: string, more: object = {}) =>
    api.call(method, `/domains/${name}/${path}`, { key, ...more })
  const setting = (nameservers: readonly string[]) => ({ body: { nameservers } })
  for (const key of [all, wider]) {
    const answers = [
      [await call(key, 'POST', 'lock'), { name, locked: true }],
      [await call(key, 'POST', 'lock'), { name, locked: true }],
      [await call(key, 'POST', 'auto-renew'), { name, auto_renew: true }],
      [await call(key, 'POST', 'auto-renew'), { name, auto_renew: true }],
      [await call(key, 'PUT', 'nameservers', setting(elsewhere)), { name, nameservers: elsewhere }],
      [await call(key, 'PUT', 'nameservers', setting(elsewhere)), { name, nameservers: elsewhere }],
    ] as const
    for (const [{ status, body }, expected] of answers) assert.deepEqual([status, body], [200, expected])
    const headers = { 'idempotency-key': 'again' }
    const [first, again] = [await call(key, 'POST', 'lock', { headers }), await call(key, 'POST', 'lock', { headers })]
    assert.deepEqual([first.body, again.body], [{ name, locked: true }, first.body])
    assert.deepEqual(codeOf(await api.call('GET', `/domains/${name}`, { key })), [403, 'forbidden'])
  }
  const reading = await api.key(owner.accountId, { permissions: ['domains:manage', 'domains:read'] })
  const { body: whole } = await api.call('GET', `/domains/${name}`, { key: reading })
  const { checked_at: _, ...facts } = whole
  const { checked_at: __, ...after } = (await call(reading, 'POST', 'lock')).body
  assert.deepEqual(after, facts)
  assert.ok(whole.expires_at && whole.contacts && whole.status)
})

test('while the registry has not decided, a key that cannot read the domain learns that a change is in progress', async () => {
  const key = await api.key(owner.accountId, { permissions: ['domains:manage'] })
  for (const [method, path, kind, body] of [
    ['PUT', 'nameservers', 'nameservers', { nameservers: elsewhere }],
    ['POST', 'lock', 'lock', undefined],
  ] as const) {
    const name = await owner.domain()
    if (kind === 'lock') await unlocked(name)
    staff.once('domain:update', { pending: true }, name)
    const answer = await api.call(method, `/domains/${name}/${path}`, { key, ...(body && { body }) })
    const { change, ...rest } = answer.body
    assert.deepEqual([answer.status, rest, change.kind], [202, { name }, kind])
    const auto = await api.call('POST', `/domains/${name}/auto-renew`, { key })
    assert.deepEqual(auto.body, { name, auto_renew: true }, 'a change that it did not make is not told')
    await staff.decide(name, true)
    await owner.workNow()
  }
})

/** Unlocks a domain as its owner. */
async function unlocked(name: string): Promise<void> {
  assert.equal((await owner.call('POST', `${name}/unlock`, { code: owner.code() })).body.locked, false)
}
