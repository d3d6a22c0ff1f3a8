import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '#testing/eventually.ts'
import { cloneTemplate } from '#testing/platform/test-database.ts'
import { tcpProxy } from '#testing/tcp-proxy.ts'
import { Refusal } from '../errors.ts'
import { openDatabase, sql, withOutagesInDoubt, withOutagesNamed } from './db.ts'
import { isFull, isOutage, isTooSlow } from './outage.ts'

const failure = (message: string, code?: string): Error =>
  Object.assign(new Error(message), code === undefined ? {} : { code })

test('a PostgreSQL that is unreachable, starting, stopping or full is an outage', () => {
  for (const code of [
    '08006',
    '08001',
    '57P01',
    '57P02',
    '57P03',
    '53300',
    '25006',
    'ECONNREFUSED',
    'ECONNRESET',
    'ECONNABORTED',
    'EPIPE',
    'ETIMEDOUT',
    'EHOSTUNREACH',
    'EHOSTDOWN',
    'ENETUNREACH',
    'ENETDOWN',
    'ENOTFOUND',
    'EAI_AGAIN',
  ])
    assert.equal(isOutage(failure('x', code)), true, code)
  for (const message of [
    'Connection terminated unexpectedly',
    'Connection terminated due to connection timeout',
    'timeout exceeded when trying to connect',
  ])
    assert.equal(isOutage(failure(message)), true, message)
  assert.equal(isOutage(new AggregateError([failure('x', 'EINVAL'), failure('x', 'ECONNREFUSED')])), true)
})

test('a statement that PostgreSQL refused is not an outage, and neither is any other error', () => {
  for (const code of ['23505', '40001', '40P01', '42601', '22P02', '57014', '53100', '53200', '58030', 'EACCES'])
    assert.equal(isOutage(failure('x', code)), false, code)
  for (const other of [
    failure('boom'),
    new AggregateError([failure('x', 'EINVAL')]),
    undefined,
    null,
    'ECONNREFUSED',
    { code: 'ECONNREFUSED' },
  ])
    assert.equal(isOutage(other), false)
})

test('an outage becomes a refusal to try again later, with its cause kept for the log; other errors are rethrown', async () => {
  const cause = failure('gone', '57P01')
  await assert.rejects(
    withOutagesNamed(() => Promise.reject(cause)),
    (error: unknown) => {
      assert.ok(error instanceof Refusal)
      assert.deepEqual([error.code, error.headers, error.cause], ['unavailable', { 'retry-after': '2' }, cause])
      return true
    },
  )
  const fault = failure('syntax', '42601')
  await assert.rejects(
    withOutagesNamed(() => Promise.reject(fault)),
    (error) => error === fault,
  )
  assert.equal(await withOutagesNamed(async () => 7), 7)
})

test('a failover is 503 with Retry-After; after earlier transactions of the same work, the outcome is unknown', async () => {
  const error = failure('fenced', 'ZW001')
  const named = withOutagesNamed(() => Promise.reject(error))
  const refusal = { code: 'unavailable', headers: { 'retry-after': '1' } }
  await assert.rejects(named, { ...refusal, message: /failed over.*Nothing was changed/ })
  for (const cause of [error, new Refusal('unavailable', 'Nothing was changed.', { cause: error })]) {
    const inDoubt = withOutagesInDoubt(() => Promise.reject(cause))
    await assert.rejects(inDoubt, { ...refusal, message: /failed over.*unknown whether/ })
  }
})

test('a lack of room in PostgreSQL is 503 with Retry-After, and not an outage', async () => {
  for (const state of ['53100', '53200', '58030']) {
    const error = failure('no room', state)
    assert.deepEqual([isFull(error), isOutage(error), isTooSlow(error)], [true, false, false], state)
    const named = withOutagesNamed(() => Promise.reject(error))
    const refusal = { code: 'unavailable', headers: { 'retry-after': '10' }, cause: error }
    await assert.rejects(named, { ...refusal, message: /no room for changes.*Nothing was changed/ }, state)
    const inDoubt = withOutagesInDoubt(() => Promise.reject(error))
    await assert.rejects(inDoubt, { ...refusal, message: /no room for changes.*unknown whether/ }, state)
  }
  for (const other of [failure('x', '23505'), failure('x'), undefined, { code: '53100' }])
    assert.equal(isFull(other), false)
})

test('a statement or transaction that took too long is 503 with Retry-After: the service is busy, not away', async (t) => {
  const database = openDatabase(await cloneTemplate(), { application: 'zonewright test', connections: 1 })
  t.after(() => database.close())
  const busy = (error: unknown): boolean => {
    assert.ok(error instanceof Refusal)
    assert.deepEqual([error.code, error.headers], ['unavailable', { 'retry-after': '5' }])
    assert.match(error.message, /^The service is busy\./)
    return true
  }
  const slowStatement = database.transact(async (tx) => {
    await sql`set local statement_timeout = 20`.execute(tx)
    await sql`select pg_sleep(10)`.execute(tx)
  })
  await assert.rejects(slowStatement, busy)
  await sql`set statement_timeout = 20`.execute(database.db)
  await assert.rejects(
    withOutagesNamed(() => sql`select pg_sleep(10)`.execute(database.db)),
    busy,
  )
  const [idle, slow] = ['25P03', '57014'].map((code) => failure('took too long', code))
  for (const error of [idle, slow]) {
    assert.deepEqual([isTooSlow(error), isOutage(error)], [true, false])
    await assert.rejects(
      withOutagesNamed(() => Promise.reject(error)),
      busy,
    )
    const inDoubt = withOutagesInDoubt(() => withOutagesNamed(() => Promise.reject(error)))
    await assert.rejects(inDoubt, (refusal: Error) => busy(refusal) && /unknown whether/.test(refusal.message))
  }
})

test('connections that silently lose their server are given up in time, whatever their state, and new ones work', async (t) => {
  const proxy = await tcpProxy(await cloneTemplate())
  t.after(() => proxy.close())
  const connections = 3
  const database = openDatabase(proxy.url, { application: 'zonewright test', connections, answerWithinMs: 500 })
  t.after(() => database.close())
  const one = () => database.transact((tx) => sql`select 1`.execute(tx))
  const all = <T>(work: () => Promise<T>) => Promise.allSettled(Array.from({ length: connections }, work))
  const works = async () => (await all(one)).every(({ status }) => status === 'fulfilled')
  const began = new Set<() => void>()
  // Each on a connection of its own.
  const held = all(() =>
    database.transact(async (tx) => {
      await sql`select 1`.execute(tx)
      await new Promise<void>((resolve) => {
        began.add(resolve)
        if (began.size < connections) return
        proxy.freeze()
        for (const go of began) go()
      })
      await Promise.all([sql`select 2`.execute(tx), sql`select 3`.execute(tx)])
    }),
  )
  for (const outcome of await held) {
    assert.ok(outcome.status === 'rejected')
    assert.equal(outcome.reason.code, 'unavailable', outcome.reason)
  }
  await eventually('new connections work', works, 5_000)
  // Checked out after it was lost.
  proxy.freeze()
  const lost = await all(() => sql`select 1`.execute(database.db))
  for (const outcome of lost) assert.ok(outcome.status === 'rejected' && isOutage(outcome.reason))
  await eventually('new connections work', works, 5_000)
})

test('a read-only database refuses changes until it can be written, and reads continue', async (t) => {
  const url = await cloneTemplate()
  const name = new URL(url).pathname.slice(1)
  const [owner, database] = ['owner', 'test'].map((application) => openDatabase(url, { application }))
  t.after(() => Promise.all([owner?.close(), database?.close()]))
  assert.ok(owner && database)
  await sql.raw(`alter database ${name} set default_transaction_read_only = on`).execute(owner.db)
  assert.deepEqual((await sql`select 1 as one`.execute(database.db)).rows, [{ one: 1 }])
  await assert.rejects(
    database.transact(async (tx) => sql`create table refused ()`.execute(tx)),
    { code: 'unavailable' },
  )
  await sql.raw(`alter database ${name} reset default_transaction_read_only`).execute(owner.db)
  await database.transact(async (tx) => sql`create table accepted ()`.execute(tx))
})
