import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { orderCommands } from '#modules/registry-commands/index.ts'
import { actorNamed } from '#platform/caller.ts'
import { sql } from '#platform/postgres/index.ts'
import type { Outcome, RegistryMessage } from '#ports/registry.ts'
import { aroundCalls } from '#testing/around-calls.ts'
import { eventually } from '#testing/eventually.ts'
import { moveClock } from '#testing/move-clock.ts'
import { RegistryStaff } from '#testing/registry-staff.ts'
import { done, startSandboxRegistry, trid } from '#testing/sandbox-registry.ts'
import { startTestApi } from '#testing/test-api.ts'
import { booksOf, orderEvents, TestBuyer, workDue } from '#testing/test-buyer.ts'
import { codeOf } from '#testing/test-zones.ts'
import { withRegistry } from '#testing/with-registry.ts'
import { advanceOrder, takeOrders } from './advance-order.ts'
import { decideOrder, readStuckOrders, retryOrder } from './operator.ts'
import { takeNews } from './registry-news.ts'
import { readOrder } from './store.ts'

const registry = await startSandboxRegistry()
const staff = new RegistryStaff(registry)
const api = await startTestApi({ registry })
const { database } = api
const ours = api.orders.registries.registryOf('any.test') ?? assert.fail('no registry is connected')
const { db } = database
const price = 1_250_000
const renewal = 1_400_000
let names = 0
const fresh = (): string => `reg${++names}.test`
const withCredit = { order: { use_credit: true } }

/** Simulates the passage of time for this order only: its next step is due, and earlier misses and doubts are old enough. */
async function wait(id: string): Promise<void> {
  await sql`update orders set step_at = app_now(), doubted_at = doubted_at - interval '61 seconds' where id = ${id}`.execute(
    db,
  )
  await sql`update registry_commands set missed_at = missed_at - interval '61 seconds' where order_id = ${id}`.execute(
    db,
  )
  await workDue(api)
}
/** The same, but without the passage of time. */
async function due(id: string): Promise<void> {
  await sql`update orders set step_at = app_now() where id = ${id}`.execute(db)
  await workDue(api)
}
/** The recorded commands of an order, each with the number of its attempt, the oldest first. */
async function attemptsOf(id: string): Promise<{ command: string; attempt: number; state: string; clTrid: string }[]> {
  const { rows } = await sql<{ command: string; attempt: number; state: string; clTrid: string }>`
    select command, attempt, state, cl_trid as "clTrid" from registry_commands where order_id = ${id} order by id`.execute(
    db,
  )
  return rows
}
/** Orders a domain; the command is lost, and the next lookup is due. Returns the order's id. */
async function orderLosing(
  command: 'domain:create' | 'domain:transfer',
  buyer: TestBuyer,
  name: string,
  wish: Parameters<TestBuyer['order']>[1],
): Promise<string> {
  staff.loseCommand(command, name)
  const { id } = (await buyer.order(name, wish)).body
  await workDue(api)
  await due(id)
  return id
}
const sent = (name: string): string[] => staff.sent(name)
async function stand(buyer: TestBuyer, id: string): Promise<(string | null)[]> {
  const { status, stage } = await buyer.read(id)
  return [status, stage]
}
function begun({ kind }: { kind: string }): void {
  assert.equal(kind, 'pending')
}
/** Handles every message of the registry twice, like two processes that both read it before one of them acknowledges it. */
async function hear(): Promise<void> {
  for (;;) {
    const message = done(await ours.messages.next())
    if (message === null) break
    for (let n = 0; n < 2; n++) await takeNews(api.orders, ours, message)
    done(await ours.messages.acknowledge(message.id))
  }
  await workDue(api)
}

test('a registration whose response is lost is looked up and not resent', async () => {
  const buyer = await TestBuyer.make(api, price)
  const name = fresh()
  staff.loseAnswer('domain:create', name)
  const { id } = (await buyer.order(name, withCredit)).body
  await workDue(api)
  assert.deepEqual(await stand(buyer, id), ['processing', 'checking'])
  await wait(id)
  assert.deepEqual(await stand(buyer, id), ['completed', null])
  assert.deepEqual(sent(name), ['domain:create'])
})

test('a registration that never arrived is resent only after two lookups a minute apart, with the same transfer code', async () => {
  const buyer = await TestBuyer.make(api, price)
  const name = fresh()
  const id = await orderLosing('domain:create', buyer, name, withCredit)
  assert.deepEqual(sent(name), ['domain:create'], 'one look is not enough')
  assert.deepEqual(await stand(buyer, id), ['processing', 'checking'])
  await due(id)
  assert.deepEqual(sent(name), ['domain:create'], 'nor are two within a minute')
  await wait(id)
  assert.deepEqual(await stand(buyer, id), ['completed', null])
  assert.deepEqual(sent(name), ['domain:create', 'domain:create'])
  const attempts = (await attemptsOf(id)).filter(({ command }) => command === 'create')
  assert.deepEqual(
    attempts.map(({ attempt, state }) => [attempt, state]),
    [
      [1, 'not_done'],
      [2, 'done'],
    ],
  )
  assert.equal(new Set(attempts.map(({ clTrid }) => clTrid)).size, 2)
})

test('"object exists" is checked as a possible echo, however many attempts there were', async () => {
  const buyer = await TestBuyer.make(api, price)
  const name = fresh()
  const id = await orderLosing('domain:create', buyer, name, withCredit)
  staff.loseAnswer('domain:create', name)
  await wait(id) // resent and executed; the response is lost
  // A registry with outdated data: it does not know the domain yet.
  staff.once('domain:info', { code: 2303 }, name)
  await due(id)
  staff.once('domain:info', { code: 2303 }, name)
  await wait(id) // sent a third time: 2302, and a lookup shows that it is ours
  assert.deepEqual(await stand(buyer, id), ['completed', null])
  assert.deepEqual(
    staff.commands(name).map(({ command, code }) => [command, code]),
    [
      ['domain:create', 1000],
      ['domain:create', 1000],
      ['domain:create', 2302],
    ],
  )
})

test('a command that is being sent stays with its worker, even if an operator or a registry message retries its order', async () => {
  const buyer = await TestBuyer.make(api, price)
  const name = fresh()
  const id = await orderLosing('domain:create', buyer, name, withCredit)
  await sql`update registry_commands set missed_at = missed_at - interval '61 seconds' where order_id = ${id}`.execute(
    db,
  )
  const [isSending, answering] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const create: typeof ours.domains.create = async (...args) => {
    isSending.resolve()
    await answering.promise
    return ours.domains.create(...args)
  }
  const slow = { ...ours, domains: { ...ours.domains, create } }
  const work = withRegistry(api.orders, slow)
  await sql`update orders set step_at = app_now() where id = ${id}`.execute(db)
  const taken = await database.transact((tx) => takeOrders(tx, work, 50))
  // The second lookup finds nothing, and the command is resent immediately.
  const working = Promise.all(taken.map((next) => advanceOrder(work, next)))
  await isSending.promise
  assert.equal(await workDue(api), 0, 'the order is still its worker’s')
  const standing = async () =>
    (await orderCommands.read(db, [id])).map(({ state, missedForS }) => [state, missedForS !== null])
  const before = await standing()
  assert.deepEqual(before.at(-1), ['sending', false])
  await database.transact((tx) => retryOrder(tx, actorNamed('operator', 'ada'), id))
  assert.equal(await workDue(api), 1)
  const hint: RegistryMessage['news'] = { kind: 'decided', domain: name, wasDone: true, clTrid: null, at: new Date() }
  await takeNews(api.orders, ours, { id: 'hint', queuedAt: null, text: 'News', news: hint })
  assert.equal(await workDue(api), 1)
  assert.deepEqual(await standing(), before)
  answering.resolve()
  await working
  assert.deepEqual(await stand(buyer, id), ['completed', null])
  assert.deepEqual(sent(name), ['domain:create', 'domain:create'])
})

test('after another worker has found the contact, a late response about it sends no second command', async () => {
  for (const isLost of [false, true]) {
    const buyer = await TestBuyer.make(api, price)
    const name = fresh()
    staff.once('domain:create', { pending: true }, name)
    const { id } = (await buyer.order(name, withCredit)).body
    const [isMade, answering] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const create: typeof ours.contacts.create = async (...args) => {
      const answer = await ours.contacts.create(...args)
      isMade.resolve()
      await answering.promise
      return isLost ? { kind: 'unknown', why: 'no answer', reply: null } : answer
    }
    const work = withRegistry(api.orders, { ...ours, contacts: { ...ours.contacts, create } })
    const taken = await database.transact((tx) => takeOrders(tx, work, 50))
    const slow = Promise.all(taken.map((next) => advanceOrder(work, next)))
    await isMade.promise
    await sql`update registry_commands set sent_at = sent_at - interval '121 seconds' where order_id = ${id}`.execute(
      db,
    )
    await due(id)
    const operations = async () => (await attemptsOf(id)).map(({ command, state }) => [command, state])
    const found = [
      ['contact', 'done'],
      ['create', 'pending'],
    ]
    assert.deepEqual(await operations(), found)
    const standing = await stand(buyer, id)
    answering.resolve()
    await slow
    assert.deepEqual(await operations(), found)
    assert.deepEqual(await stand(buyer, id), standing)
    assert.deepEqual(sent(name), ['domain:create'])
    await staff.decide(name, true)
    await hear()
    assert.deepEqual(await stand(buyer, id), ['completed', null])
  }
})

test('commands that a restored database does not contain are found to be done, and nothing is refunded', async () => {
  const buyer = await TestBuyer.make(api, price + 2 * renewal)
  const name = fresh()
  for (const [command, wish] of [
    ['create', withCredit],
    ['renew', renew],
  ] as const) {
    staff.loseAnswer(`domain:${command}`, name)
    const { id } = (await buyer.order(name, wish)).body
    await workDue(api)
    await sql`delete from registry_commands where order_id = ${id} and command = ${command}`.execute(db)
    await due(id)
    assert.deepEqual(await stand(buyer, id), ['completed', null], command)
    const operation = (await attemptsOf(id)).at(-1)
    assert.deepEqual([operation?.command, operation?.attempt, operation?.state], [command, 1, 'done'])
  }
  assert.deepEqual(sent(name), ['domain:create', 'domain:create', 'domain:renew', 'domain:renew'])
  assert.equal((await buyer.call('GET', '/credit')).body.available_kobo, 0)
})

test('an order whose response is lost never gets the domain of another account’s order for the same name', async () => {
  const [quick, slow] = [await TestBuyer.make(api, price), await TestBuyer.make(api, price)]
  const name = fresh()
  const waiting = (await slow.order(name, withCredit)).body
  staff.loseCommand('domain:create', name)
  await workDue(api)
  assert.deepEqual(await stand(slow, waiting.id), ['processing', 'checking'])
  staff.loseAnswer('domain:create', name)
  const first = (await quick.order(name, withCredit)).body
  await workDue(api)
  // The registry has registered the domain for the second order, which does not know it yet.
  await due(waiting.id)
  assert.equal((await slow.read(waiting.id)).status, 'credited')
  assert.match((await slow.read(waiting.id)).last_error, /Someone else registered the name first/)
  await due(first.id)
  assert.deepEqual(await stand(quick, first.id), ['completed', null])
})

test('an empty account at the registry or an unreachable registry delays an order and never fails it', async () => {
  const buyer = await TestBuyer.make(api, price)
  const name = fresh()
  staff.once('domain:create', { code: 2104 }, name)
  const { id } = (await buyer.order(name, withCredit)).body
  await workDue(api)
  const held = await buyer.read(id)
  assert.deepEqual([held.status, held.stage], ['processing', 'checking'])
  assert.match(held.stage_message, /on our side/)
  registry.epp.behaviours.set({ answer: 'drop', times: 2 }, 'greeting')
  registry.epp.closeSessions()
  await eventually('the sessions are gone', () => registry.epp.sessionsOf('zonewright') === 0)
  await wait(id)
  assert.deepEqual(await stand(buyer, id), ['processing', 'sending'])
  await eventually('the registry is reached again', async () => {
    await due(id)
    return (await buyer.read(id)).status === 'completed'
  })
  assert.deepEqual(sent(name), ['domain:create', 'domain:create'], 'what nobody took was not sent')
})

test('a pending registration ends with the registry’s message, approved or rejected, even if the message arrives several times', async () => {
  const buyer = await TestBuyer.make(api, 2 * price)
  const orders: { id: string; name: string }[] = []
  for (const name of [fresh(), fresh()]) {
    staff.once('domain:create', { pending: true }, name)
    orders.push((await buyer.order(name, withCredit)).body)
    await workDue(api)
  }
  const [good, bad] = orders
  assert.ok(good && bad)
  assert.deepEqual(await stand(buyer, good.id), ['processing', 'registry_pending'])
  await wait(good.id)
  assert.deepEqual(await stand(buyer, good.id), ['processing', 'registry_pending'], 'asking does not end it')
  await staff.decide(good.name, true)
  await staff.decide(bad.name, false)
  await hear()
  assert.deepEqual(await stand(buyer, good.id), ['completed', null])
  assert.deepEqual(await stand(buyer, bad.id), ['credited', null])
  assert.match((await buyer.read(bad.id)).last_error, /rejected the request/)
})

test('a rejection whose message is lost is detected by two lookups ten minutes apart', async () => {
  const buyer = await TestBuyer.make(api, price + 2 * renewal)
  const name = await registered(buyer)
  for (const [command, of, wish] of [
    ['renew', name, renew],
    ['create', fresh(), withCredit],
  ] as const) {
    staff.once(`domain:${command}`, { pending: true }, of)
    const { id } = (await buyer.order(of, wish)).body
    await workDue(api)
    await due(id)
    await staff.decide(of, false)
    // As after a restore: the message was acknowledged after the time of the backup.
    for (let told = done(await ours.messages.next()); told !== null; told = done(await ours.messages.next()))
      done(await ours.messages.acknowledge(told.id))
    await due(id)
    await wait(id)
    assert.deepEqual(await stand(buyer, id), ['processing', 'registry_pending'], 'two looks within ten minutes')
    await sql`update registry_commands set missed_at = missed_at - interval '9 minutes' where order_id = ${id}`.execute(
      db,
    )
    await due(id)
    assert.deepEqual(await stand(buyer, id), ['credited', null], command)
    assert.match((await buyer.read(id)).last_error, /rejected the request/)
    assert.deepEqual(await booksOf(api, id), {})
  }
})

test('if a missing pending registration appears again, the lookups start from the beginning', async () => {
  const buyer = await TestBuyer.make(api, price)
  const name = fresh()
  staff.once('domain:create', { pending: true }, name)
  const { id } = (await buyer.order(name, withCredit)).body
  await workDue(api)
  for (const isBehind of [true, false, true]) {
    if (isBehind) staff.once('domain:info', { code: 2303 }, name)
    await due(id)
    await sql`update registry_commands set missed_at = missed_at - interval '11 minutes' where order_id = ${id}`.execute(
      db,
    )
    assert.deepEqual(await stand(buyer, id), ['processing', 'registry_pending'])
  }
  await staff.decide(name, true)
  await hear()
  assert.deepEqual(await stand(buyer, id), ['completed', null])
})

test('a pending registration whose response was lost is found to be pending, and a rejection ends it', async () => {
  const buyer = await TestBuyer.make(api, 2 * price)
  for (const isDone of [true, false]) {
    const name = fresh()
    staff.once('domain:create', { pending: true, answer: 'drop' }, name)
    const { id } = (await buyer.order(name, withCredit)).body
    await workDue(api)
    await due(id)
    assert.deepEqual(await stand(buyer, id), ['processing', 'registry_pending'], 'a pending domain is not ours yet')
    await staff.decide(name, isDone)
    await hear()
    assert.equal((await buyer.read(id)).status, isDone ? 'completed' : 'credited')
    assert.deepEqual(sent(name), ['domain:create'])
  }
})

test('if a refusal arrives before the first lookup, the command is not resent', async () => {
  const buyer = await TestBuyer.make(api, price)
  const name = fresh()
  staff.once('domain:create', { pending: true, answer: 'drop' }, name)
  const { id } = (await buyer.order(name, withCredit)).body
  await workDue(api)
  await staff.decide(name, false)
  await hear()
  assert.deepEqual(await stand(buyer, id), ['credited', null])
  assert.deepEqual(sent(name), ['domain:create'])
})

test('a domain learns that another registrar requested a transfer, even while a renewal waits', async () => {
  const buyer = await TestBuyer.make(api, 2 * renewal)
  const name = await registered(buyer)
  staff.once('domain:renew', { code: 2104 }, name)
  const { id } = (await buyer.order(name, renew)).body
  await workDue(api)
  begun(await staff.rival.domains.requestTransfer({ name, authInfo: staff.domain(name)?.authInfo ?? '' }, trid()))
  const told: string[] = []
  const takeDomainNews: typeof api.orders.takeDomainNews = async (_, { news }) => {
    if (news.kind === 'transfer') told.push(`${news.transfer.name} ${news.transfer.status}`)
  }
  const message = done(await ours.messages.next())
  assert.ok(message)
  await takeNews({ ...api.orders, takeDomainNews }, ours, message)
  assert.deepEqual(told, [`${name} pending`])
  done(await ours.messages.acknowledge(message.id))
  const { rows } = await sql`select 1 from orders where id = ${id} and step_at <= app_now()`.execute(db)
  assert.equal(rows.length, 1, 'and the order looks for itself')
  done(await ours.domains.rejectTransfer(name, trid()))
  await due(id)
  assert.deepEqual(await stand(buyer, id), ['completed', null])
})

test('a registry message is passed to the domains module again until it has been accepted', async () => {
  const buyer = await TestBuyer.make(api, price)
  const name = await registered(buyer)
  const { authInfo = '' } = staff.domain(name) ?? {}
  begun(await staff.rival.domains.requestTransfer({ name, authInfo: authInfo ?? '' }, trid()))
  const told: string[] = []
  let isBroken = true
  const work = {
    ...api.orders,
    takeDomainNews: async (_: unknown, { news }: RegistryMessage) => {
      if (isBroken) throw new Error('not now')
      if (news.kind === 'transfer') told.push(`${news.transfer.name} ${news.transfer.status}`)
    },
  }
  const message = done(await ours.messages.next())
  assert.ok(message)
  await assert.rejects(takeNews(work, ours, message), /not now/)
  isBroken = false
  await takeNews(work, ours, message)
  assert.deepEqual(told, [`${name} pending`])
  done(await ours.messages.acknowledge(message.id))
})

test('an unreadable registry message is logged as an error with its text, and acknowledged', async () => {
  const lines: string[] = []
  const work = { ...api.orders, log: pino({ level: 'info' }, { write: (line: string) => void lines.push(line) }) }
  const news = { kind: 'other', unread: '<infData> lacks <roid>.' } as const
  await takeNews(work, ours, { id: '77', queuedAt: null, text: 'Renewed', news })
  const told = lines.map((line) => JSON.parse(line))
  assert.deepEqual(
    told.map(({ level, message, text, why }) => [level, message, text ?? why]),
    [
      [30, '77', 'Renewed'],
      [50, '77', '<infData> lacks <roid>.'],
    ],
  )
})

test('an operator can list stuck orders, retry them, and end them as the registry says; each action is audited', async () => {
  const buyer = await TestBuyer.make(api, 3 * price)
  const operator = actorNamed('operator', 'ada')
  const stuck: { id: string; name: string }[] = []
  for (let n = 0; n < 3; n++) {
    const name = fresh()
    staff.once('domain:create', { skip: true, answer: 'drop' }, name)
    stuck.push((await buyer.order(name, withCredit)).body)
    await workDue(api)
  }
  const [again, done, refused] = stuck
  assert.ok(again && done && refused)
  const seen = (await readStuckOrders(db, 0)).filter(({ id }) => stuck.some((each) => each.id === id))
  assert.deepEqual(
    seen.map(({ command, state }) => [command, state]),
    Array(3).fill(['create', 'unknown']),
  )
  assert.deepEqual(await readStuckOrders(db, 60), [])
  await database.transact((tx) => retryOrder(tx, operator, again.id))
  const { rows: due } = await sql`select 1 from orders where id = ${again.id} and step_at <= app_now()`.execute(db)
  assert.equal(due.length, 1, 'it is looked for now')
  await workDue(api)
  const decide = (id: string, isDone: boolean) =>
    database.transact((tx) => decideOrder(tx, api.orders, operator, id, { isDone, reason: 'They say so.' }))
  assert.deepEqual(await decide(done.id, true), { status: 'completed' })
  assert.deepEqual(await zoneOf(done.name), ['live'])
  const { rows: asked } = await sql`
    select 1 from domains where name = ${done.name} and sync_at <= app_now() + interval '1 hour'`.execute(db)
  assert.equal(asked.length, 0, 'its registry, which may not show it yet, is asked at the daily look')
  await decide(refused.id, false)
  await workDue(api)
  const order = await buyer.read(refused.id)
  assert.deepEqual([order.status, order.last_error], ['credited', 'They say so.'])
  assert.deepEqual(await booksOf(api, refused.id), {})
  await assert.rejects(decide(refused.id, true), { code: 'conflict' })
  await assert.rejects(decide('ord_none', true), { code: 'not_found' })
  await assert.rejects(
    database.transact((tx) => retryOrder(tx, operator, refused.id)),
    { code: 'conflict' },
  )
  const { rows } = await sql<{ action: string }>`
    select action from audit_log where account_id = ${buyer.accountId} and actor_kind = 'operator' and actor_name = 'ada'
    order by at`.execute(db)
  assert.deepEqual(
    rows.map(({ action }) => action),
    ['order.retried', 'order.decided', 'order.decided'],
  )
})

const zoneOf = async (name: string): Promise<string[]> =>
  (await sql<{ state: string }>`select state from zones where name = ${name}`.execute(db)).rows.map(
    ({ state }) => state,
  )

for (const code of [2003, 2005])
  test(`a contact that the registry refuses (${code}) fails the order with the registry’s message`, async () => {
    const buyer = await TestBuyer.make(api, price)
    staff.once('contact:create', { code, reason: 'Bad postal code' })
    const { id } = (await buyer.order(fresh(), withCredit)).body
    await workDue(api)
    const order = await buyer.read(id)
    assert.equal(order.status, 'credited')
    assert.match(order.last_error, new RegExp(`refused the contact.*Bad postal code \\(${code}\\)`))
  })

test('a contact whose response is lost is looked up, and the order continues', async () => {
  const buyer = await TestBuyer.make(api, price)
  staff.loseAnswer('contact:create')
  const { id } = (await buyer.order(fresh(), withCredit)).body
  await workDue(api)
  await due(id)
  assert.deepEqual(await stand(buyer, id), ['completed', null])
})

/** A domain of the buyer. */
async function registered(buyer: TestBuyer): Promise<string> {
  const name = fresh()
  await buyer.grant(price)
  const { id } = (await buyer.order(name, withCredit)).body
  await workDue(api)
  assert.equal((await buyer.read(id)).status, 'completed')
  return name
}
const renew = { quote: { kind: 'renew', years: 2 }, order: { use_credit: true } }
const expiry = (name: string): number => new Date(staff.domain(name)?.expiresAt ?? 0).getUTCFullYear()

test('a renewal moves the expiry once, whichever message is lost', async () => {
  const buyer = await TestBuyer.make(api, 6 * renewal)
  for (const mishap of [undefined, 'loseAnswer', 'loseCommand'] as const) {
    const name = await registered(buyer)
    const before = expiry(name)
    if (mishap) staff[mishap]('domain:renew', name)
    const { id, amount_kobo } = (await buyer.order(name, renew)).body
    assert.equal(amount_kobo, 2 * renewal)
    await workDue(api)
    // A command that never arrived is resent after two lookups.
    for (let looks = 0; looks < (mishap === 'loseCommand' ? 2 : mishap ? 1 : 0); looks++) await wait(id)
    assert.deepEqual(await stand(buyer, id), ['completed', null], `${mishap}`)
    assert.equal(expiry(name), before + 2)
    const renewals = sent(name).filter((command) => command === 'domain:renew')
    assert.equal(renewals.length, mishap === 'loseCommand' ? 2 : 1)
    const { rows } = await sql<{ year: number }>`
      select extract(year from expires_at)::int as year from domains where name = ${name}`.execute(db)
    assert.equal(rows[0]?.year, before + 2)
  }
})

test('a renewal that gets a server error is not refunded: it happens once, even if the registry executes it late', async () => {
  const buyer = await TestBuyer.make(api, 10 * renewal)
  for (const { isLate, ...trouble } of [
    { code: 2400 },
    { code: 2502 },
    { code: 2400, isLate: true },
    { answer: 'garbage' as const },
  ]) {
    const about = JSON.stringify({ isLate, ...trouble })
    const name = await registered(buyer)
    const before = new Date(staff.domain(name)?.expiresAt ?? 0)
    staff.once('domain:renew', trouble, name)
    const { id } = (await buyer.order(name, renew)).body
    await workDue(api)
    assert.deepEqual(await stand(buyer, id), ['processing', 'checking'], about)
    await due(id)
    if (isLate) done(await ours.domains.renew({ name, years: 2, expiresAt: before }, trid()))
    await wait(id)
    assert.deepEqual(await stand(buyer, id), ['completed', null], about)
    assert.equal(expiry(name), before.getUTCFullYear() + 2, about)
  }
  assert.equal((await buyer.call('GET', '/credit')).body.available_kobo, 2 * renewal)
})

/** The same response without an expiry. */
function untold<Told extends { readonly expiresAt: Date | null }>(outcome: Outcome<Told>): Outcome<Told> {
  return outcome.kind === 'done' ? { ...outcome, value: { ...outcome.value, expiresAt: null } } : outcome
}

test('a registration whose response has no expiry is looked up immediately', async () => {
  const buyer = await TestBuyer.make(api, price)
  const name = fresh()
  const create: typeof ours.domains.create = async (...args) => untold(await ours.domains.create(...args))
  const terse = { ...ours, domains: { ...ours.domains, create } }
  const { id } = (await buyer.order(name, withCredit)).body
  await workDue({ ...api, orders: withRegistry(api.orders, terse) })
  assert.deepEqual(await stand(buyer, id), ['completed', null])
  const { rows } = await sql`select 1 from domains where name = ${name} and sync_at <= app_now()`.execute(db)
  assert.equal(rows.length, 1)
})

test('a quote renews once, even if the response has no new expiry and an operator ends the order', async () => {
  const buyer = await TestBuyer.make(api, 8 * renewal)
  for (const isMarked of [false, true]) {
    const name = await registered(buyer)
    const before = expiry(name)
    const quote_id = await buyer.quote(name, renew.quote)
    const order = () => buyer.call('POST', '/orders', { quote_id, use_credit: true })
    const renewSilently: typeof ours.domains.renew = async (...args) => untold(await ours.domains.renew(...args))
    const terse = { ...ours, domains: { ...ours.domains, renew: renewSilently } }
    if (isMarked) staff.loseAnswer('domain:renew', name)
    const { id } = (await order()).body
    await workDue({ ...api, orders: withRegistry(api.orders, terse) })
    const decision = { isDone: true, reason: 'They say so.' }
    if (isMarked)
      await database.transact((tx) => decideOrder(tx, api.orders, actorNamed('operator', 'ada'), id, decision))
    assert.deepEqual(await stand(buyer, id), ['completed', null])
    assert.equal((await order()).body.error.code, 'quote_expired')
    const { rows } = await sql<{ year: number; isDue: boolean }>`
      select extract(year from expires_at)::int as year, sync_at <= app_now() as "isDue" from domains where name = ${name}`.execute(
      db,
    )
    assert.deepEqual(rows, [{ year: before + 2, isDue: !isMarked }], 'and a registry that has answered is asked')
    assert.equal(expiry(name), before + 2)
    // A lookup to which the registry gives the outdated answer.
    await sql`update domains set expires_at = expires_at - interval '2 years' where name = ${name}`.execute(db)
    assert.equal((await order()).body.error?.code, 'quote_expired')
    // A day later, the registry's answer counts again.
    await sql`update orders set settled_at = settled_at - interval '1 day' where id = ${id}`.execute(db)
    const dryRun = await buyer.call('POST', '/orders?dry_run=true', { quote_id, use_credit: true })
    assert.equal(dryRun.body.error?.code, undefined)
  }
})

test('no one can renew another account’s domain, or more than ten years ahead', async () => {
  const [buyer, other] = [await TestBuyer.make(api), await TestBuyer.make(api)]
  const name = await registered(buyer)
  const quote = async (by: TestBuyer, years: number) =>
    (await by.call('POST', '/quotes', { kind: 'renew', name, years })).body.error
  assert.equal((await quote(other, 1))?.code, 'not_renewable')
  const tooLong = await quote(buyer, 10)
  assert.equal(tooLong?.code, 'not_renewable')
  assert.equal(tooLong.message, 'A registration can run for at most 10 years from now. Choose at most 9 years.')
  assert.equal(tooLong.details?.[0]?.path, '/years')
  assert.equal(await quote(buyer, 9), undefined)
  // The domain has left since the quote and is being transferred back to us.
  const quote_id = await buyer.quote(name, renew.quote)
  await sql`update domains set state = 'arriving' where name = ${name}`.execute(db)
  const refused = await buyer.call('POST', '/orders', { quote_id, use_credit: true })
  assert.equal(refused.body.error?.code, 'not_renewable')
})

const transferFee = 1_250_000
const transferIn = (code = 'their-code') => ({
  quote: { kind: 'transfer' },
  order: { use_credit: true, auth_code: code, contact_id: undefined },
})

async function beginsAfterTwoLooks(buyer: TestBuyer, id: string): Promise<void> {
  assert.deepEqual(await stand(buyer, id), ['processing', 'checking'])
  await wait(id)
  assert.deepEqual(await stand(buyer, id), ['completed', 'registry_pending'])
}

/** A transfer to us that is in progress at the registry. */
async function begunTransfer() {
  const buyer = await TestBuyer.make(api, transferFee)
  const name = fresh()
  await staff.put(name)
  const { id } = (await buyer.order(name, transferIn())).body
  await workDue(api)
  return { buyer, name, id }
}

test('a transfer completes its order when it starts; the domain and its zone arrive when it ends, and only then is the money earned', async () => {
  const { buyer, name, id } = await begunTransfer()
  const listedStage = async () => (await buyer.call('GET', `/orders?name=${name}`)).body.data[0].stage
  assert.deepEqual(await stand(buyer, id), ['completed', 'registry_pending'])
  assert.ok((await buyer.read(id)).act_by)
  assert.equal(await listedStage(), 'registry_pending')
  assert.deepEqual(await booksOf(api, id), { credit: -transferFee, order: transferFee })
  await staff.endTransfer(name, 'approve')
  await hear()
  assert.equal(await listedStage(), null)
  assert.deepEqual(await booksOf(api, id), { credit: -transferFee, sales: transferFee })
  assert.deepEqual(await stand(buyer, id), ['completed', null])
  const { rows } = await sql<{ state: string; origin: string }>`
    select d.state, z.origin from domains d join zones z on z.name = d.name and z.state = 'live' where d.name = ${name}`.execute(
    db,
  )
  assert.deepEqual(rows, [{ state: 'held', origin: 'bought' }])
  assert.deepEqual(await orderEvents(api, buyer.accountId), ['order.paid', 'order.completed'])
  const { rows: looks } = await sql`select from domains where name = ${name} and sync_at <= app_now()`.execute(db)
  assert.equal(looks.length, 1, 'its registry is asked now what nameservers it has')
})

test('a domain whose transfer is in progress gets no quote for another transfer', async () => {
  const name = fresh()
  await staff.put(name)
  begun(await ours.domains.requestTransfer({ name, authInfo: 'their-code' }, trid()))
  const buyer = await TestBuyer.make(api)
  const refused = await buyer.call('POST', '/quotes', { kind: 'transfer', name })
  assert.deepEqual(codeOf(refused), [409, 'domain_locked'])
  assert.match(refused.body.error.message, /already in progress/)
})

test('a transfer that is rejected later fails and is refunded', async () => {
  const { buyer, name, id } = await begunTransfer()
  const finishedAt = (await buyer.read(id)).finished_at
  await staff.endTransfer(name, 'reject')
  await hear()
  const order = await buyer.read(id)
  assert.deepEqual([order.status, order.finished_at], ['credited', finishedAt], 'finished_at is set once')
  assert.deepEqual(await orderEvents(api, buyer.accountId), [
    'order.paid',
    'order.completed',
    'order.failed',
    'order.credited',
  ])
  assert.deepEqual(await booksOf(api, id), {})
})

test('a transfer that is approved while its domain still shows the former registrar is checked again after a minute, and arrives', async () => {
  const { buyer, name, id } = await begunTransfer()
  const before = await ours.domains.info(name)
  assert.equal(before.kind === 'done' && before.value.sponsor, 'rival')
  await staff.endTransfer(name, 'approve')
  // The registry's data about the domain is older than its data about the transfer.
  const lagging = { ...ours, domains: { ...ours.domains, info: async () => before } }
  const work = withRegistry(api.orders, lagging)
  await advanceOrder(work, { order: (await readOrder(db, id)) ?? assert.fail() })
  assert.deepEqual(await stand(buyer, id), ['completed', 'registry_pending'])
  assert.deepEqual(await booksOf(api, id), { credit: -transferFee, order: transferFee })
  const { rows } = await sql<{ inS: number }>`
    select extract(epoch from step_at - app_now())::int as "inS" from orders where id = ${id}`.execute(db)
  assert.ok(Math.abs((rows[0]?.inS ?? 0) - 60) < 30, JSON.stringify(rows))
  await due(id)
  assert.deepEqual(await stand(buyer, id), ['completed', null])
  assert.deepEqual(await booksOf(api, id), { credit: -transferFee, sales: transferFee })
  assert.deepEqual(await zoneOf(name), ['live'])
  await hear()
})

test('a transfer that the registry temporarily does not report on is still awaited', async () => {
  const { buyer, name, id } = await begunTransfer()
  staff.once('domain:transfer', { code: 2306, reason: 'Policy' }, name)
  await sql`update orders set step_at = app_now() where id = ${id}`.execute(db)
  await workDue(api)
  await staff.endTransfer(name, 'approve')
  await hear()
  assert.deepEqual(await orderEvents(api, buyer.accountId), ['order.paid', 'order.completed'])
  assert.deepEqual(await zoneOf(name), ['live'])
})

test('a transfer that the registry shows nothing about is lost after two lookups a minute apart, even if a lookup comes early', async () => {
  const { buyer, name, id } = await begunTransfer()
  // A delay on our side does not count as a lookup.
  const unconfigured = withRegistry(api.orders, undefined)
  await advanceOrder(unconfigured, { order: (await readOrder(db, id)) ?? assert.fail() })
  assert.deepEqual(await stand(buyer, id), ['completed', 'checking'])
  const notTold = (): void => staff.once('domain:transfer', { code: 2301 }, name)
  notTold()
  await due(id)
  assert.deepEqual(await stand(buyer, id), ['completed', 'checking'])
  const info = done(await ours.domains.info(name))
  for (const message of ['said-1', 'said-2']) {
    await takeNews(api.orders, ours, { id: message, queuedAt: null, text: 'News', news: { kind: 'domain', info } })
    notTold()
    assert.equal(await workDue(api), 1)
    assert.deepEqual(await stand(buyer, id), ['completed', 'checking'])
  }
  await database.transact((tx) => retryOrder(tx, actorNamed('operator', 'ada'), id))
  notTold()
  assert.equal(await workDue(api), 1)
  assert.deepEqual(await stand(buyer, id), ['completed', 'checking'])
  notTold()
  await wait(id)
  assert.deepEqual(await stand(buyer, id), ['credited', null])
  assert.deepEqual(await booksOf(api, id), {})
})

test('the minute after which a transfer is lost begins with the first lookup that finds nothing', async () => {
  const { buyer, name, id } = await begunTransfer()
  for (const expected of [
    ['completed', 'checking'],
    ['completed', 'checking'],
    ['credited', null],
  ]) {
    staff.once('domain:transfer', { code: 2301 }, name)
    await due(id)
    assert.deepEqual(await stand(buyer, id), expected)
    await sql`update orders set doubted_at = doubted_at - interval '31 seconds' where id = ${id}`.execute(db)
  }
})

test('a started transfer that the registry shows nothing about is listed after ten days, and an operator can end it', async () => {
  const operator = actorNamed('operator', 'ada')
  const decide = (id: string, isDone: boolean) =>
    database.transact((tx) => decideOrder(tx, api.orders, operator, id, { isDone, reason: 'They say so.' }))
  for (const isDone of [true, false]) {
    const { buyer, name, id } = await begunTransfer()
    const isListed = async () => (await readStuckOrders(db, 10)).some((each) => each.id === id)
    await sql`update orders set paid_at = paid_at - interval '9 days' where id = ${id}`.execute(db)
    assert.equal(await isListed(), false, 'it may take a week')
    await sql`update orders set paid_at = paid_at - interval '1 day' where id = ${id}`.execute(db)
    staff.once('domain:transfer', { code: 2306 }, name)
    staff.once('domain:info', { code: 2201 }, name)
    await due(id)
    assert.deepEqual(await stand(buyer, id), ['completed', 'registry_pending'])
    assert.equal(await isListed(), true)
    assert.deepEqual(await decide(id, isDone), { status: isDone ? 'completed' : 'failed' })
    await workDue(api)
    assert.equal(await isListed(), false)
    const { status, stage, last_error } = await buyer.read(id)
    assert.deepEqual([status, stage, last_error], isDone ? ['completed', null, ''] : ['credited', null, 'They say so.'])
    assert.deepEqual(await booksOf(api, id), isDone ? { credit: -transferFee, sales: transferFee } : {})
    assert.deepEqual(await zoneOf(name), isDone ? ['live'] : [])
    const { rows } = await sql<{ state: string; isAskedSoon: boolean | null }>`
      select state, sync_at <= app_now() + interval '1 hour' as "isAskedSoon" from domains where name = ${name}`.execute(
      db,
    )
    // The registry may not show the domain yet, so it is queried at the daily check.
    assert.deepEqual(rows, [isDone ? { state: 'held', isAskedSoon: false } : { state: 'gone', isAskedSoon: null }])
    await assert.rejects(decide(id, isDone), { code: 'conflict' })
  }
})

test('if a missing transfer appears again, the lookups start from the beginning', async () => {
  const { buyer, name, id } = await begunTransfer()
  for (const stage of ['checking', 'registry_pending', 'checking']) {
    if (stage === 'checking') staff.once('domain:transfer', { code: 2301 }, name)
    await wait(id)
    assert.deepEqual(await stand(buyer, id), ['completed', stage])
  }
})

test('the messages for a wrong transfer code and for a domain that was locked in the meantime say what to do', async () => {
  const buyer = await TestBuyer.make(api, transferFee)
  const [wrong, locked] = [fresh(), fresh()]
  for (const name of [wrong, locked]) await staff.put(name)
  const first = (await buyer.order(wrong, transferIn('guessed'))).body
  await workDue(api)
  assert.match((await buyer.read(first.id)).last_error, /transfer code is wrong.*\(2202\)/)
  const quote_id = await buyer.quote(locked, { kind: 'transfer' })
  const missing = await buyer.call('POST', '/orders', { quote_id })
  assert.equal(missing.body.error.code, 'auth_code_required')
  await staff.lock(locked)
  const second = (await buyer.call('POST', '/orders', { quote_id, use_credit: true, auth_code: 'their-code' })).body
  await workDue(api)
  assert.match((await buyer.read(second.id)).last_error, /locked.*\(2304\)/)
})

test('a transfer whose response is lost is looked up and starts once', async () => {
  const buyer = await TestBuyer.make(api, transferFee)
  const name = fresh()
  await staff.put(name)
  staff.loseAnswer('domain:transfer', name)
  const { id } = (await buyer.order(name, transferIn())).body
  await workDue(api)
  assert.deepEqual(await stand(buyer, id), ['processing', 'checking'])
  await wait(id)
  assert.deepEqual(await stand(buyer, id), ['completed', 'registry_pending'])
  assert.deepEqual(sent(name), ['domain:transfer request'])
})

test('a transfer whose command never arrived starts after two lookups, even if the registry shows other registrars nothing', async () => {
  const buyer = await TestBuyer.make(api, transferFee)
  const name = fresh()
  await staff.put(name)
  const id = await orderLosing('domain:transfer', buyer, name, transferIn())
  await beginsAfterTwoLooks(buyer, id)
})

test('if a registry shows nothing about domains of other registrars, a transfer is sold, resent if it was lost, and arrives', async () => {
  const buyer = await TestBuyer.make(api, transferFee)
  const name = fresh()
  await staff.put(name)
  registry.epp.behaviours.set({ code: 2201 }, 'domain:info', name)
  const id = await orderLosing('domain:transfer', buyer, name, transferIn())
  await beginsAfterTwoLooks(buyer, id)
  assert.deepEqual(sent(name), ['domain:transfer request', 'domain:transfer request'])
  await staff.endTransfer(name, 'approve')
  await hear()
  assert.deepEqual(await stand(buyer, id), ['completed', null])
  staff.once('domain:info', { code: 2201 }, name)
  const quote = await buyer.call('POST', '/quotes', { kind: 'transfer', name })
  assert.deepEqual(codeOf(quote), [503, 'registry_unavailable'], 'ours it tells us of, mostly')
})

test('a transfer that is refused after a lost command is sent twice in total and is refunded', async () => {
  const buyer = await TestBuyer.make(api, transferFee)
  const name = fresh()
  await staff.put(name)
  const id = await orderLosing('domain:transfer', buyer, name, transferIn())
  await staff.lock(name)
  for (let looks = 0; looks < 3; looks++) await wait(id)
  assert.equal((await buyer.read(id)).status, 'credited')
  assert.match((await buyer.read(id)).last_error, /\(2304\)/)
  assert.deepEqual(sent(name), ['domain:transfer request', 'domain:transfer request'])
})

test('a transfer that was rejected before the order was placed is ignored: the order starts its own after two lookups', async () => {
  const buyer = await TestBuyer.make(api, transferFee)
  const name = fresh()
  await staff.put(name)
  begun(await ours.domains.requestTransfer({ name, authInfo: 'their-code' }, trid()))
  await staff.endTransfer(name, 'reject')
  await hear()
  await moveClock(database, '11 minutes')
  try {
    const id = await orderLosing('domain:transfer', buyer, name, transferIn())
    await beginsAfterTwoLooks(buyer, id)
  } finally {
    await moveClock(database, '0 seconds')
  }
})

test('a transfer order whose response is lost never gets the transfer that another account’s order started', async () => {
  const [slow, quick] = [await TestBuyer.make(api, transferFee), await TestBuyer.make(api, transferFee)]
  const name = fresh()
  await staff.put(name)
  staff.loseCommand('domain:transfer', name)
  const waiting = (await slow.order(name, transferIn())).body
  await workDue(api)
  assert.deepEqual(await stand(slow, waiting.id), ['processing', 'checking'])
  const { id } = (await quick.order(name, transferIn())).body
  await workDue(api)
  assert.deepEqual(await stand(quick, id), ['completed', 'registry_pending'])
  await wait(waiting.id)
  const refused = await slow.read(waiting.id)
  assert.equal(refused.status, 'credited')
  assert.match(refused.last_error, /or is transferring it/)
  assert.deepEqual(await booksOf(api, waiting.id), {})
  await staff.endTransfer(name, 'approve')
  await hear()
  assert.deepEqual(await stand(quick, id), ['completed', null])
})

test('an order ends and is refunded if the registry accepts its transfer while the domain belongs to another order', async () => {
  const [late, early] = [await TestBuyer.make(api, transferFee), await TestBuyer.make(api, transferFee)]
  const name = fresh()
  await staff.put(name)
  staff.once('domain:transfer', { code: 2104 }, name)
  const held = (await late.order(name, transferIn())).body
  await workDue(api)
  const begunFirst = (await early.order(name, transferIn())).body
  await workDue(api)
  // The service has not learned yet that the first transfer was rejected.
  await staff.endTransfer(name, 'reject')
  await due(held.id)
  assert.equal((await late.read(held.id)).status, 'credited')
  assert.deepEqual(await booksOf(api, held.id), {})
  await staff.endTransfer(name, 'reject')
  await hear()
  assert.equal((await early.read(begunFirst.id)).status, 'credited')
})

test('an order does not wait for a domain that disappears before its transfer has started or ended', async () => {
  const buyer = await TestBuyer.make(api, 2 * transferFee)
  const [unbegun, begunOne] = [fresh(), fresh()]
  for (const name of [unbegun, begunOne]) await staff.put(name)
  staff.loseCommand('domain:transfer', unbegun)
  const ids = []
  for (const name of [unbegun, begunOne]) ids.push((await buyer.order(name, transferIn())).body.id)
  await workDue(api)
  await staff.endTransfer(begunOne, 'reject')
  for (const name of [unbegun, begunOne]) assert.equal((await staff.rival.domains.delete(name, trid())).kind, 'done')
  for (const id of ids) {
    await due(id)
    assert.equal((await buyer.read(id)).last_error, '', 'one look may be of lists that are behind')
    await wait(id)
    assert.equal((await buyer.read(id)).status, 'credited')
    assert.match((await buyer.read(id)).last_error, /no longer exists/)
  }
})

test('a premium name is registered for the registry’s own fee', async () => {
  const buyer = await TestBuyer.make(api, 20_000_000)
  const name = `premium-${fresh()}`
  const quote = (await buyer.call('POST', '/quotes', { kind: 'register', name, years: 2 })).body
  assert.deepEqual([quote.premium, quote.amount_kobo, quote.renewal_kobo], [true, 12_000_000, 6_000_000])
  const { id } = (
    await buyer.call('POST', '/orders', { quote_id: quote.id, contact_id: buyer.contactId, use_credit: true })
  ).body
  await workDue(api)
  assert.deepEqual(await stand(buyer, id), ['completed', null])
})

test('a name that is premium only for registration is renewed at the usual price, without a fee', async () => {
  const buyer = await TestBuyer.make(api, 6_000_000 + renewal)
  const name = `golden-${fresh()}`
  const quote = (await buyer.call('POST', '/quotes', { kind: 'register', name })).body
  assert.deepEqual([quote.premium, quote.amount_kobo, quote.renewal_kobo], [true, 6_000_000, renewal])
  const fees: unknown[] = []
  const watched = aroundCalls(ours, (method, [request], call) => {
    if (method === 'create' || method === 'renew') {
      const { name: subject, fee } = request as { name?: string; fee?: unknown }
      if (subject === name) fees.push([method, fee])
    }
    return call()
  })
  const watching = { ...api, orders: withRegistry(api.orders, watched) }
  const first = (await buyer.order(name, withCredit)).body
  await workDue(watching)
  assert.deepEqual(await stand(buyer, first.id), ['completed', null])
  const { id, amount_kobo } = (await buyer.order(name, { quote: { kind: 'renew' }, order: { use_credit: true } })).body
  assert.equal(amount_kobo, renewal)
  await workDue(watching)
  assert.deepEqual(await stand(buyer, id), ['completed', null])
  assert.deepEqual(fees, [
    ['create', { amount: '50000.00', currency: 'NGN' }],
    ['renew', undefined],
  ])
})

test('if the registry requires a fee, an order without one is refused and refunded; an order with one is our own fault', async () => {
  const buyer = await TestBuyer.make(api, 6_000_000 + price)
  const [plain, dear] = [fresh(), `premium-${fresh()}`]
  for (const name of [plain, dear]) staff.once('domain:create', { code: 2003, reason: 'State its fee' }, name)
  const refused = (await buyer.order(plain, withCredit)).body
  const held = (await buyer.order(dear, withCredit)).body
  await workDue(api)
  const order = await buyer.read(refused.id)
  assert.equal(order.status, 'credited')
  assert.match(order.last_error, /special price.*State its fee \(2003\)/)
  assert.deepEqual(await booksOf(api, refused.id), {})
  assert.deepEqual(await stand(buyer, held.id), ['processing', 'checking'])
  assert.match((await buyer.read(held.id)).stage_message, /on our side/)
})

test('a completed registration takes over the name from an account that hosted it', async () => {
  const [before, buyer] = [await TestBuyer.make(api), await TestBuyer.make(api, price)]
  const name = fresh()
  await api.zone(before.accountId, name)
  const { id } = (await buyer.order(name, withCredit)).body
  await workDue(api)
  assert.deepEqual(await stand(buyer, id), ['completed', null])
  const { rows } = await sql<{ account: string; origin: string }>`
    select account_id as account, origin from zones where name = ${name} and state = 'live'`.execute(db)
  assert.deepEqual(rows, [{ account: buyer.accountId, origin: 'bought' }])
})

test('an order that no worker processes is taken over when its lease ends', async () => {
  const buyer = await TestBuyer.make(api, price)
  const { id } = (await buyer.order(fresh(), withCredit)).body
  await sql`update orders set step_at = app_now() + interval '120 seconds' where id = ${id}`.execute(db)
  await workDue(api)
  assert.deepEqual(await stand(buyer, id), ['processing', 'sending'])
  await moveClock(database, '121 seconds')
  try {
    await workDue(api)
  } finally {
    await moveClock(database, '0 seconds')
  }
  assert.deepEqual(await stand(buyer, id), ['completed', null])
})
