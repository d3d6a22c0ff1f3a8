import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lockAccount } from '#modules/accounts/index.ts'
import { actorNamed } from '#platform/caller.ts'
import { Refusal } from '#platform/errors.ts'
import { sql } from '#platform/postgres/index.ts'
import { startTestApi } from '#testing/test-api.ts'
import { TestPerson } from '#testing/test-person.ts'
import { testPromo } from '#testing/test-promo.ts'
import { availableCredit, freeHold, grantCredit, holdCredit, spendHold } from './credit.ts'
import { kobo, noKobo } from './kobo.ts'
import { createPromo, endPromo, type NewPromo, reservePromo, settlePromo } from './promo.ts'
import { insertEntry } from './store.ts'

const api = await startTestApi()
const { database } = api
const { db } = database
const operator = actorNamed('operator', 'test')
let names = 0
const fresh = (): string => `ord_${++names}`
const account = (): Promise<string> => api.account(`buyer${++names}@example.net`)
const grant = (accountId: string, amount: number) =>
  database.transact((tx) => grantCredit(tx, operator, { accountId, amountKobo: kobo(amount), note: 'sorry' }))

const code = async (change: Partial<NewPromo> = {}): Promise<string> => {
  const promo: NewPromo = { ...testPromo, code: `CODE-${++names}`, ...change }
  await database.transact((tx) => createPromo(tx, operator, promo))
  return promo.code
}
const reserve = (promo: string, accountId: string, orderId = fresh()): Promise<string> =>
  database
    .transact(async (tx) => {
      await lockAccount(tx, accountId)
      await reservePromo(tx, promo, { accountId, orderId, kind: 'register', tld: 'test' })
      return 'reserved'
    })
    .catch((error: unknown) => {
      assert.ok(error instanceof Refusal)
      return error.code
    })

test('the credit balance is the sum of its entries; credit reserved by an open order is not available', async () => {
  const person = await TestPerson.signedIn(api, 'credit@example.net')
  const { id } = (await person.call('GET', '/account')).body
  assert.deepEqual(await grant(id, 5_000), { balance_kobo: 5_000 })
  const [spent, freed] = [fresh(), fresh()]
  await database.transact((tx) => holdCredit(tx, { orderId: spent, accountId: id, amountKobo: kobo(3_000) }))
  await database.transact((tx) => holdCredit(tx, { orderId: freed, accountId: id, amountKobo: kobo(500) }))
  assert.deepEqual((await person.call('GET', '/credit')).body, {
    currency: 'NGN',
    balance_kobo: 5_000,
    reserved_kobo: 3_500,
    available_kobo: 1_500,
  })
  await database.transact((tx) => freeHold(tx, freed))
  await database.transact((tx) => spendHold(tx, spent))
  await database.transact((tx) => spendHold(tx, spent)) // spending a hold twice has no effect
  assert.equal(await availableCredit(db, id), 2_000)
  const { data } = (await person.call('GET', '/credit/entries')).body
  const lines = data.map((entry: Record<string, unknown>) => [
    entry.kind,
    entry.amount_kobo,
    entry.balance_kobo,
    entry.note,
  ])
  assert.deepEqual(lines, [
    ['credit_used', -3_000, 2_000, ''],
    ['credit_granted', 5_000, 5_000, 'sorry'],
  ])
  const first = (await person.call('GET', '/credit/entries?limit=1')).body
  const second = (await person.call('GET', `/credit/entries?limit=1&cursor=${first.next_cursor}`)).body
  assert.deepEqual([second.data[0].balance_kobo, second.next_cursor], [5_000, null])
})

test('an order has at most one entry of each kind, entries are immutable, and a zero amount writes none', async () => {
  const accountId = await account()
  const entry = { kind: 'card_paid', accountId, orderId: fresh(), amountKobo: 100 } as const
  await database.transact((tx) => insertEntry(tx, entry))
  await assert.rejects(
    database.transact((tx) => insertEntry(tx, entry)),
    { code: '23505' },
  )
  await database.transact((tx) => insertEntry(tx, { ...entry, kind: 'earned', amountKobo: noKobo }))
  await assert.rejects(sql`update ledger_entries set amount_kobo = 1`.execute(db), /append-only/)
  await assert.rejects(sql`delete from ledger_entries`.execute(db), /append-only/)
})

test('eight concurrent orders never spend more than the available credit', async () => {
  const accountId = await account()
  await grant(accountId, 1_000)
  const outcomes = await Promise.all(
    Array.from({ length: 8 }, () =>
      database.transact(async (tx) => {
        await lockAccount(tx, accountId)
        const amountKobo = kobo(Math.min(400, await availableCredit(tx, accountId)))
        await holdCredit(tx, { orderId: fresh(), accountId, amountKobo })
        return amountKobo
      }),
    ),
  )
  assert.equal(
    outcomes.reduce<number>((sum, amount) => sum + amount, 0),
    1_000,
  )
  assert.equal(await availableCredit(db, accountId), 0)
})

test('only two of eight concurrent accounts get the last two uses of a code', async () => {
  const promo = await code({ maxUses: 2 })
  const accounts = await Promise.all(Array.from({ length: 8 }, account))
  const outcomes = await Promise.all(accounts.map((accountId) => reserve(promo, accountId)))
  assert.deepEqual(outcomes.sort(), [...Array(6).fill('promo_in_use'), 'reserved', 'reserved'])
})

test('a freed use is available to others, a consumed one is not, and a use ends only once', async () => {
  const promo = await code({ maxUses: 1, onceAnAccount: true })
  const [ada, bob] = [await account(), await account()]
  const order = fresh()
  assert.equal(await reserve(promo, ada, order), 'reserved')
  assert.equal(await reserve(promo, ada), 'promo_in_use')
  await database.transact((tx) => settlePromo(tx, order, 'freed'))
  await database.transact((tx) => settlePromo(tx, order, 'consumed')) // the reservation has already ended
  assert.equal(await reserve(promo, bob), 'reserved')
  assert.equal(await reserve(promo, ada, order), 'promo_in_use')
  await sql`update promo_uses set state = 'freed' where account_id = ${bob}`.execute(db)
  assert.equal(await reserve(promo, ada, order), 'reserved', 'a late payment reserves it again for the same order')
  await database.transact((tx) => settlePromo(tx, order, 'consumed'))
  assert.equal(await reserve(promo, ada), 'promo_invalid')
  assert.equal(await reserve(promo, bob), 'promo_invalid')
})

test('a consumed use stays consumed even if its order reserves the code again', async () => {
  const promo = await code({ maxUses: null, onceAnAccount: false })
  const ada = await account()
  const order = fresh()
  assert.equal(await reserve(promo, ada, order), 'reserved')
  await database.transact((tx) => settlePromo(tx, order, 'consumed'))
  await reserve(promo, ada, order)
  const { rows } = await sql`select state from promo_uses where order_id = ${order}`.execute(db)
  assert.deepEqual(rows, [{ state: 'consumed' }])
})

test('a code that is ended, expired or not valid yet applies to no one', async () => {
  const ada = await account()
  const ended = await code()
  await database.transact((tx) => endPromo(tx, operator, ended.toLowerCase()))
  await assert.rejects(
    database.transact((tx) => endPromo(tx, operator, ended)),
    { code: 'not_found' },
  )
  const late = await code({ startsAt: '2001-01-01T00:00:00Z', endsAt: '2002-01-01T00:00:00Z' })
  const justOver = await code({ startsAt: '2001-01-01T00:00:00Z', endsAt: new Date(Date.now() - 1_000).toISOString() })
  const early = await code({ startsAt: '2999-01-01T00:00:00Z' })
  const soon = await code({ startsAt: new Date(Date.now() + 60_000).toISOString() })
  for (const promo of [ended, late, justOver, early, soon, 'NO-SUCH-CODE'])
    assert.equal(await reserve(promo, ada), 'promo_invalid', promo)
  const { rows } = await sql<{ action: string }>`
    select action from audit_log where reference ->> 'promo_code' = ${ended} order by id`.execute(db)
  assert.deepEqual(
    rows.map(({ action }) => action),
    ['promo.created', 'promo.ended'],
  )
})

test('a check returns the discount of a code, or why the code does not apply', async () => {
  const key = await api.key(await account())
  const promo = await code({ percent: null, fixedKobo: 250_000, tlds: ['test'] })
  const check = async (body: object) =>
    (
      await api.call('POST', '/promo-codes/check', {
        key,
        body: { code: promo.toLowerCase(), kind: 'register', ...body },
      })
    ).body
  const good = await check({ name: 'shop.test', years: 2 })
  assert.deepEqual([good.valid, good.code, good.amount_kobo, good.promo_kobo], [true, promo, 2_500_000, 250_000])
  const bad = await check({ name: 'shop.com.test' })
  assert.deepEqual([bad.valid, bad.reason, bad.promo_kobo, bad.fixed_kobo], [false, 'promo_invalid', 0, null])
  const nowhere = await check({ name: 'shop.example' })
  assert.equal(nowhere.error.code, 'tld_unsupported')
})
