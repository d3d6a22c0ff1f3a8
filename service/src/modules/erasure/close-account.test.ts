import assert from 'node:assert/strict'
import { test } from 'node:test'
import { restoreAccount } from '#modules/accounts/index.ts'
import { grantCredit, kobo } from '#modules/billing/index.ts'
import { remindDue } from '#modules/domains/remind.ts'
import { renewByItself } from '#modules/orders/index.ts'
import { actorNamed } from '#platform/caller.ts'
import { type Statement, sql } from '#platform/postgres/index.ts'
import { parseRegistries, sandboxRegistries } from '#platform/settings/registries-setting.ts'
import { moveClock } from '#testing/move-clock.ts'
import { RegistryStaff } from '#testing/registry-staff.ts'
import { done, startSandboxRegistry, trid } from '#testing/sandbox-registry.ts'
import { startTestApi, type TestAnswer, testNameservers, testOrigin } from '#testing/test-api.ts'
import { workDue } from '#testing/test-buyer.ts'
import { testContact } from '#testing/test-contact.ts'
import { TestOwner } from '#testing/test-owner.ts'
import { codeOf } from '#testing/test-zones.ts'
import { eraseHeldAccounts } from './erase-accounts.ts'

const server = await startSandboxRegistry()
const staff = new RegistryStaff(server)
const api = await startTestApi({ registry: server })
const { database } = api
const { db } = database
const operator = actorNamed('operator', 'support')

let owners = 0
const newOwner = (): Promise<TestOwner> => TestOwner.make(api, server, `closing${++owners}@example.net`)
const remove = ({ person }: TestOwner, more: object = {}): Promise<TestAnswer> =>
  person.call('DELETE', '/account', { body: { password: person.password, code: person.backupCodes[0], ...more } })
const lostBy = ({ body }: TestAnswer): string[] => body.error.details.map(({ code }: { code: string }) => code)
const grant = ({ accountId }: TestOwner, amount: number): Promise<unknown> =>
  database.transact((tx) => grantCredit(tx, operator, { accountId, amountKobo: kobo(amount), note: '' }))
async function order({ person }: TestOwner, kind: string, name: string, more: object = {}): Promise<string> {
  const contact = await person.call('POST', '/contacts', { body: testContact })
  const quote = await person.call('POST', '/quotes', { body: { kind, name } })
  const body = { quote_id: quote.body.id, contact_id: contact.body.id, client_email: 'client@example.net', ...more }
  const { status, body: placed } = await person.call('POST', '/orders', { body })
  assert.equal(status, 201, JSON.stringify(placed))
  return placed.id
}
async function row(text: Statement): Promise<unknown> {
  return (await text.execute(db)).rows[0]
}

test('names everything that would be lost with an account, and deletes nothing until the owner confirms', async () => {
  const owner = await newOwner()
  const name = await owner.domain({ prefix: `closing${owners}-` })
  const key = await api.key(owner.accountId)
  await grant(owner, 50_000)
  const refused = await remove(owner)
  assert.deepEqual(
    [codeOf(refused), lostBy(refused)],
    [
      [409, 'conflict'],
      ['domain_held', 'credit_left'],
    ],
  )
  assert.match(refused.body.error.message, /a domain and ₦500\.00 of credit/)
  assert.match(refused.body.error.details[0].message, new RegExp(`^${name} stays registered until \\d{4}-`))
  assert.equal((await api.call('GET', '/zones', { key })).status, 200)
  assert.equal((await owner.call('GET', name)).status, 200)
  assert.equal((await remove(owner, { let_go: true })).status, 204, 'with the same code: it was not used up')
  assert.equal((await api.call('GET', '/zones', { key })).status, 401)
})

test('cancels unpaid orders; a paid order in progress blocks the deletion even if the owner confirms', async () => {
  const owner = await newOwner()
  const unpaid = await order(owner, 'register', 'unpaid-at-closing.test')
  const [price, before] = [10_000_000, await remove(owner)]
  assert.equal(before.status, 204)
  assert.deepEqual(await row(sql`select status, cancelled_by from orders where id = ${unpaid}`), {
    status: 'cancelled',
    cancelled_by: 'owner',
  })

  const buyer = await newOwner()
  await grant(buyer, price)
  const paid = await order(buyer, 'register', 'paid-at-closing.test', { use_credit: true })
  const refused = await remove(buyer, { let_go: true })
  assert.deepEqual([codeOf(refused), lostBy(refused)], [[409, 'conflict'], ['order_under_way']])
  assert.match(refused.body.error.details[0].message, /registration of paid-at-closing\.test is in progress/)
  await workDue(api)
  assert.deepEqual(await row(sql`select status from orders where id = ${paid}`), { status: 'completed' })
  assert.equal((await remove(buyer, { let_go: true })).status, 204)
})

test('a transfer to us blocks the deletion until it ends', async () => {
  const owner = await newOwner()
  const name = 'arriving-at-closing.test'
  await staff.put(name)
  await grant(owner, 10_000_000)
  await order(owner, 'transfer', name, { auth_code: 'their-code', use_credit: true })
  await workDue(api)
  assert.deepEqual(lostBy(await remove(owner, { let_go: true })), ['order_under_way'])
  await staff.endTransfer(name, 'reject')
  await sql`update orders set step_at = app_now() where name = ${name}`.execute(db)
  await workDue(api)
  assert.equal((await remove(owner, { let_go: true })).status, 204)
})

test('domains of a closed account stay registered, are not renewed, and leave no personal data once they are gone', async () => {
  const owner = await newOwner()
  const name = await owner.domain({ prefix: `closing${owners}-` })
  const { id: contactId } = (await owner.person.call('POST', '/contacts', { body: testContact })).body
  assert.equal((await owner.call('PUT', `${name}/contacts`, { contact_id: contactId })).status, 200)
  await sql`update domains set auto_renew = true where name = ${name}`.execute(db)
  await grant(owner, 10_000_000)
  const bought = await order(owner, 'renew', name, { use_credit: true })
  await workDue(api)
  // Someone started to pay for it with a link.
  await sql`
    insert into payments (id, reference, order_id, account_id, email, amount_kobo, status)
    values ('pay_closing', 'pay-closing', ${bought}, ${owner.accountId}, 'payer@example.net', 1, 'failed')`.execute(db)
  assert.equal((await remove(owner, { let_go: true })).status, 204)
  const { registries, secrets, log } = api.orders
  const tlds = parseRegistries(sandboxRegistries).flatMap((registry) => registry.tlds)
  const parts = {
    database,
    tlds,
    registries,
    secrets,
    nameservers: testNameservers,
    site: testOrigin,
    savedCards: true,
  }
  const before = await row(sql`select count(*)::int as n from mails`)
  // Deletes all waiting events. Otherwise, they would create tables for every day until then.
  await sql`delete from event_outbox where held is null`.execute(db)
  await moveClock(database, '729 days')
  await remindDue({ database, secrets, log, site: testOrigin, renewByItself: renewByItself(parts) })
  assert.deepEqual(await row(sql`select count(*)::int as n from orders where account_id = ${owner.accountId}`), {
    n: 1,
  })
  assert.deepEqual(await row(sql`select count(*)::int as n from mails`), before)

  await eraseHeldAccounts(database, api.verification.delegate)
  const kept = sql`select state, auto_renew, contact is not null as has_contact from domains where name = ${name}`
  assert.deepEqual(await row(kept), { state: 'held', auto_renew: false, has_contact: true })
  assert.deepEqual(
    await row(sql`select contact, client_email, amount_kobo > 0 as has_amount from orders where id = ${bought}`),
    { contact: null, client_email: '', has_amount: true },
  )
  assert.deepEqual(await row(sql`select email, amount_kobo from payments where order_id = ${bought}`), {
    email: '',
    amount_kobo: 1,
  })
  done(await owner.registry.domains.update(name, { nameservers: { add: [], remove: [...testNameservers] } }, trid()))
  // Two lookups an hour apart do not find the domain.
  for (const ahead of ['729 days', '729 days 1 hour']) {
    await moveClock(database, ahead)
    server.epp.behaviours.set({ code: 2303, times: 1 }, 'domain:info', name)
    await owner.workNow()
  }
  assert.deepEqual(await row(kept), { state: 'gone', auto_renew: false, has_contact: false })
  const { kind, act } = (await row(
    sql`select a.kind, row_to_json(a)::text as act from domain_acts a join domains d on d.id = a.domain_id where d.name = ${name}`,
  )) as { kind: string; act: string }
  assert.equal(kind, 'contacts')
  for (const about of [testContact.name, testContact.address1, testContact.phone, testContact.email])
    assert.ok(!act.includes(about), about)
  await moveClock(database, '0 seconds')
})

test('an account that support restores gets its domains back, and auto-renew continues', async () => {
  const owner = await newOwner()
  const name = await owner.domain({ prefix: `closing${owners}-` })
  await owner.call('POST', `${name}/auto-renew`)
  assert.equal((await remove(owner, { let_go: true })).status, 204)
  await database.transact((tx) => restoreAccount(tx, operator, owner.person.email))
  await owner.person.signIn()
  await owner.person.auth('POST', '/two-factor/verify-backup-code', { code: owner.person.backupCodes[1] })
  const { body } = await owner.call('GET', name)
  assert.deepEqual([body.auto_renew, body.role], [true, 'owner'])
})
