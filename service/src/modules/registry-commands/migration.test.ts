import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import pg from 'pg'
import { lockStatuses } from '#modules/domains/plan-change.ts'
import { startChange } from '#modules/domains/start-change.ts'
import { advanceOrder, takeOrders } from '#modules/orders/advance-order.ts'
import { actorNamed } from '#platform/caller.ts'
import { sql } from '#platform/postgres/index.ts'
import { migrate } from '#platform/postgres/migrate.ts'
import { migrationsFolder } from '#platform/postgres/migration-files.ts'
import type { Registry } from '#ports/registry.ts'
import { aroundCalls } from '#testing/around-calls.ts'
import { moveClock, stopClock } from '#testing/move-clock.ts'
import { silence } from '#testing/registry-readings.ts'
import { RegistryStaff } from '#testing/registry-staff.ts'
import { startSandboxRegistry } from '#testing/sandbox-registry.ts'
import { startTestApi } from '#testing/test-api.ts'
import { TestBuyer, workDue } from '#testing/test-buyer.ts'
import { statusesAt, TestOwner } from '#testing/test-owner.ts'
import { withRegistry } from '#testing/with-registry.ts'

const server = await startSandboxRegistry()
const staff = new RegistryStaff(server)
await staff.fund()
const api = await startTestApi({ registry: server })
const { database } = api
const { db } = database
const owner = await TestOwner.make(api, server)
const buyer = await TestBuyer.make(api, 100_000_000)
const actor = actorNamed('system', 'test')
const elsewhere = ['ns1.example.net', 'ns2.example.net']

/** What goes wrong with the commands for one name, in addition to what the registry does. */
type Trouble = 'dies before' | 'dies after' | 'sees nothing after' | 'second fails' | 'cannot send'

function troubled(name: string, trouble: Trouble | undefined): Registry {
  let commands = 0
  return aroundCalls(owner.registry, async (method, [first], call) => {
    const about = typeof first === 'string' ? first : (first as { name: string }).name
    if (about !== name) return call()
    if (method === 'info' && trouble === 'sees nothing after' && commands > 0) return silence
    if (method !== 'create' && method !== 'update') return call()
    commands += 1
    if (trouble === 'cannot send') return { kind: 'not_sent', why: 'no session' }
    if (trouble === 'second fails' && commands === 2)
      return { kind: 'fault', fault: 'balance', reply: { code: 2104, message: '', svTrid: '' } }
    if (trouble === 'dies before') throw new Error('the worker was killed')
    const outcome = await call()
    if (trouble === 'dies after') throw new Error('the worker was killed')
    return outcome
  })
}

/** An order or a change, by the state of its last command. `executed`: how many commands the registry carries out in total. */
interface Case {
  readonly state: string
  readonly registry?: (name: string) => void
  readonly trouble?: Trouble
  readonly executed: number
}

const orders: readonly Case[] = [
  { state: 'sending', trouble: 'dies before', executed: 1 },
  { state: 'sending', trouble: 'dies after', executed: 1 },
  { state: 'unknown', registry: (name) => staff.loseAnswer('domain:create', name), executed: 1 },
  { state: 'unknown', registry: (name) => staff.loseCommand('domain:create', name), executed: 1 },
  { state: 'pending', registry: (name) => staff.once('domain:create', { pending: true }, name), executed: 1 },
  { state: 'not_done', registry: (name) => staff.once('domain:create', { code: 2104 }, name), executed: 1 },
  { state: 'refused', registry: (name) => staff.once('domain:create', { code: 2306 }, name), executed: 0 },
  { state: 'done', executed: 1 },
]
const changes: readonly Case[] = [
  { state: 'sending', trouble: 'dies before', executed: 1 },
  { state: 'sending', trouble: 'dies after', executed: 1 },
  {
    state: 'unknown',
    registry: (name) => staff.loseAnswer('domain:update', name),
    trouble: 'sees nothing after',
    executed: 1,
  },
  {
    state: 'unknown',
    registry: (name) => staff.loseCommand('domain:update', name),
    trouble: 'sees nothing after',
    executed: 1,
  },
  { state: 'pending', registry: (name) => staff.once('domain:update', { pending: true }, name), executed: 1 },
  // The domain is locked first. Then updates are allowed, the nameservers set once the account has money again, and updates prohibited.
  { state: 'not_done', trouble: 'second fails', executed: 4 },
  { state: 'not_done', trouble: 'cannot send', executed: 0 },
  { state: 'refused', registry: (name) => staff.once('domain:update', { code: 2306 }, name), executed: 0 },
  { state: 'done', executed: 1 },
]

async function beginOrder({ registry, trouble }: Case, name: string): Promise<string> {
  const { id } = (await buyer.order(name, { order: { use_credit: true } })).body
  registry?.(name)
  const work = withRegistry(api.orders, troubled(name, trouble))
  const taken = await database.transact((tx) => takeOrders(tx, work, 50))
  await Promise.allSettled(taken.map((next) => advanceOrder(work, next)))
  return id
}

async function beginChange({ registry, trouble }: Case): Promise<string> {
  const name = await owner.domain()
  const wish =
    trouble === 'second fails'
      ? ({ kind: 'nameservers', nameservers: elsewhere, hosts: [], isUnsigned: false } as const)
      : ({ kind: 'lock' } as const)
  if (wish.kind === 'nameservers') await startChange(owner.work, { name, actor, wish: { kind: 'lock' } })
  registry?.(name)
  await startChange(withRegistry(owner.work, troubled(name, trouble)), { name, actor, wish }).catch(() => undefined)
  return name
}

/** All recorded commands without their ids, by owner, in the order in which they were sent. */
async function recorded(): Promise<unknown[]> {
  const { rows } = await sql`
    select order_id, change_id, command, attempt, subject, cl_trid, state, sent_at, ended_at, missed_at, reply_code, reply
    from registry_commands order by order_id, change_id, id`.execute(db)
  return rows
}

/** Restores the tables of the previous version, with the recorded commands. */
async function downgrade(client: pg.Client): Promise<void> {
  for (const [file, table] of [
    ['0013-orders.sql', 'registry_operations'],
    ['0014-domains.sql', 'domain_operations'],
  ] as const) {
    const text = await readFile(`${migrationsFolder}${file}`, 'utf8')
    await client.query(text.slice(text.indexOf(`create table ${table} (`)))
  }
  await client.query(`
    insert into registry_operations (order_id, command, attempt, cl_trid, state, sent_at, ended_at, missed_at, reply_code, reply)
      select order_id, command, attempt, cl_trid, state, sent_at, ended_at, missed_at, reply_code, reply
      from registry_commands where order_id is not null order by id;
    insert into domain_operations (act_id, step, subject, cl_trid, state, sent_at, ended_at, reply_code, reply)
      select change_id, command, subject, cl_trid, state, sent_at, ended_at, reply_code, reply
      from registry_commands where change_id is not null order by id;
    drop table registry_commands;
    delete from schema_migrations where name = '0028-registry-commands.sql'`)
}

function executed(name: string, command: string): number {
  return server.epp.noted.filter(
    (each) => each.subject === name && each.command === command && each.code < 2000 && !each.skipped,
  ).length
}

test('a database of the previous version is migrated with commands in every state: none is sent twice, and none is forgotten', async () => {
  // No waiting command becomes due while the other cases begin.
  await stopClock(database)
  const begun: { name: string; id: string; wanted: Case }[] = []
  for (const [i, wanted] of orders.entries()) {
    const name = `migrated${i}.test`
    begun.push({ name, id: await beginOrder(wanted, name), wanted })
  }
  const changed: { name: string; wanted: Case }[] = []
  for (const wanted of changes) changed.push({ name: await beginChange(wanted), wanted })
  for (const { id, name, wanted } of begun) {
    const { rows } = await sql<{ state: string }>`
      select state from registry_commands where order_id = ${id} order by id desc limit 1`.execute(db)
    assert.equal(rows[0]?.state, wanted.state, name)
  }
  for (const { name, wanted } of changed)
    assert.equal((await owner.operations(name)).at(-1)?.split(' ')[1], wanted.state, name)

  const before = await recorded()
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await downgrade(client)
  await client.end()
  assert.deepEqual(await migrate(database.url), ['0028-registry-commands.sql'])
  assert.deepEqual(await recorded(), before)
  const { rows: mixed } = await sql`
    select 1 from registry_commands where order_id is not null
      and id > (select min(id) from registry_commands where change_id is not null)`.execute(db)
  assert.deepEqual(mixed, [], 'the commands of orders come first')

  for (const { name, wanted } of [...begun, ...changed]) if (wanted.state === 'pending') await staff.decide(name, true)
  for (let minutes = 15; minutes <= 90; minutes += 15) {
    await moveClock(database, `${minutes} minutes`)
    await workDue(api)
    await owner.workNow()
  }
  for (const { name, id, wanted } of begun) {
    const { status } = await buyer.read(id)
    // A failed order that credit has paid is credited.
    assert.equal(status, wanted.state === 'refused' ? 'credited' : 'completed', name)
    assert.equal(executed(name, 'domain:create'), wanted.executed, `${name} ${wanted.state}`)
  }
  for (const { name, wanted } of changed) {
    const isLocked = wanted.executed > 0
    assert.deepEqual(statusesAt(staff, name), isLocked ? lockStatuses.toSorted() : [], `${name} ${wanted.state}`)
    if (wanted.trouble === 'second fails') assert.deepEqual(staff.domain(name)?.nameservers.toSorted(), elsewhere)
    assert.equal(executed(name, 'domain:update'), wanted.executed, `${name} ${wanted.state}`)
  }
  const { rows: open } = await sql`
    select 1 from registry_commands where state in ('sending', 'unknown', 'pending')
    union all select 1 from domain_acts where state = 'open'`.execute(db)
  assert.deepEqual(open, [])
})

test('a command belongs to exactly one owner, and its clTRID is unique across orders and changes', async () => {
  const { rows } = await sql<{ orderId: string; clTrid: string }>`
    select order_id as "orderId", cl_trid as "clTrid" from registry_commands where order_id is not null limit 1`.execute(
    db,
  )
  const [order] = rows
  const change = (await sql<{ id: number }>`select min(id)::int as id from domain_acts`.execute(db)).rows[0]
  assert.ok(order && change)
  const insert = (orderId: string | null, changeId: number | null, clTrid: string) =>
    sql`insert into registry_commands (order_id, change_id, command, attempt, subject, cl_trid, state)
      values (${orderId}, ${changeId}, 'renew', 1, 'shop.test', ${clTrid}, 'done')`.execute(db)
  await assert.rejects(insert(order.orderId, change.id, 'ZW-both'), { code: '23514' })
  await assert.rejects(insert(null, null, 'ZW-none'), { code: '23514' })
  await assert.rejects(insert(null, change.id, order.clTrid), { code: '23505' })
  await assert.rejects(insert(order.orderId, null, order.clTrid), { code: '23505' })
})
