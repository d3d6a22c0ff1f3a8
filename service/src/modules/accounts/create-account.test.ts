import assert from 'node:assert/strict'
import { test } from 'node:test'
import { actorNamed } from '#platform/caller.ts'
import { sql } from '#platform/postgres/index.ts'
import { asAnotherProcess, cloneDatabase } from '#testing/platform/test-database.ts'
import { createAccount } from './create-account.ts'
import { deleteAccount } from './delete-account.ts'
import { accountByEmail, lockAccount } from './store.ts'

const database = await cloneDatabase()
const { db } = database
const elsewhere = asAnotherProcess(database.url)
const actor = actorNamed('operator', 'root@host')
const create = (email: string) => database.transact((tx) => createAccount(tx, actor, { email, name: 'Ada' }))

test('an account created by the operator has a confirmed address and an audit entry', async () => {
  const account = await create('Ada@Example.net')
  assert.equal(account.emailConfirmed, true)
  assert.equal(account.email, 'ada@example.net', 'letter case means nothing in an address')
  const { rows } =
    await sql`select action, actor_kind, actor_name, summary from audit_log where account_id = ${account.id}`.execute(
      db,
    )
  assert.deepEqual(rows, [
    {
      action: 'account.created',
      actor_kind: 'operator',
      actor_name: 'root@host',
      summary: 'Account ada@example.net was created',
    },
  ])
})

test('an address, in any letter case, has at most one account that is not deleted', async () => {
  const account = await create('one@example.net')
  await assert.rejects(create('ONE@example.NET'), { code: 'conflict' })
  assert.equal((await accountByEmail(db, 'One@Example.net'))?.id, account.id)
  await database.transact((tx) => deleteAccount(tx, actor, account.id, { also: async () => undefined, letGo: false }))
  assert.equal(await accountByEmail(db, 'one@example.net'), undefined)
  assert.notEqual((await create('one@example.net')).id, account.id)
})

test('refuses an invalid address and writes nothing', async () => {
  for (const email of [
    '',
    'ada',
    'ada@',
    '@example.net',
    'a b@example.net',
    'a@b@example.net',
    'ada@example',
    'ada@example.net.',
    'ada@example.net\n',
  ])
    await assert.rejects(create(email), { code: 'validation_failed' }, JSON.stringify(email))
})

test('the account lock makes concurrent counts of an account’s objects run one after the other', async () => {
  const account = await create('counting@example.net')
  const order: string[] = []
  const { promise: firstHolds, resolve: firstHeld } = Promise.withResolvers<void>()
  const first = elsewhere.transact(async (tx) => {
    await lockAccount(tx, account.id)
    firstHeld()
    // Waits until the second transaction is blocked on the lock.
    for (let waiting = 0; waiting === 0; )
      waiting = (
        await sql`select from pg_locks where not granted and pid in (select pid from pg_stat_activity where datname = current_database())`.execute(
          db,
        )
      ).rows.length
    order.push('first')
  })
  await firstHolds
  const second = database.transact(async (tx) => {
    await lockAccount(tx, account.id)
    order.push('second')
  })
  await Promise.all([first, second])
  assert.deepEqual(order, ['first', 'second'])
})
