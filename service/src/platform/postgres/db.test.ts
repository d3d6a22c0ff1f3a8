import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '#testing/eventually.ts'
import { cloneDatabase } from '#testing/platform/test-database.ts'
import { tcpProxy } from '#testing/tcp-proxy.ts'
import { type Db, databaseNow, openDatabase, sql, type Tx } from './db.ts'

const database = await cloneDatabase()
const { db } = database

const insert = (email: string) => sql`insert into accounts (email) values (${email}) returning id`
const emails = async (): Promise<string[]> =>
  (await sql<{ email: string }>`select email from accounts order by email`.execute(db)).rows.map(({ email }) => email)

test('a transaction keeps all of its work or none', async () => {
  await database.transact(async (tx) => {
    await insert('a').execute(tx)
    await insert('b').execute(tx)
  })
  await assert.rejects(
    database.transact(async (tx) => {
      await insert('c').execute(tx)
      throw new Error('crashed')
    }),
    /crashed/,
  )
  assert.deepEqual(await emails(), ['a', 'b'])
})

test('sequential work uses the same connection, whatever ran concurrently before', async () => {
  const processOf = async (asked: Db): Promise<number | undefined> =>
    (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(asked)).rows[0]?.pid
  const alone = await processOf(db)
  for (let round = 0; round < 3; round++) {
    const all = Promise.withResolvers<void>()
    const processes = new Set<number | undefined>()
    const oneOfThree = () =>
      database.transact(async (tx) => {
        if (processes.add(await processOf(tx)).size === 3) all.resolve()
        await all.promise
      })
    await Promise.all([oneOfThree(), oneOfThree(), oneOfThree()])
    assert.ok(processes.has(alone))
    assert.equal(await processOf(db), alone)
  }
})

test('work that was started inside a failed transaction writes nothing after it', async () => {
  let beside: Promise<unknown> = Promise.resolve()
  const failed = database.transact(async (tx) => {
    await insert('before@example.net').execute(tx)
    // It continues during the rollback, before PostgreSQL has confirmed it.
    beside = new Promise(setImmediate).then(() => insert('beside@example.net').execute(tx))
    beside.catch(() => undefined)
    throw new Error('the work failed')
  })
  await assert.rejects(failed, /the work failed/)
  await assert.rejects(beside, /this transaction is over/)
  assert.ok(!(await emails()).some((email) => /^(?:before|beside)@/.test(email)))
})

test('statements that run together take one round trip, and one that fails undoes the others', async () => {
  await database.transact((tx) =>
    tx.runTogether([insert('d'), insert('e'), sql`delete from accounts where email = 'a' returning id`]),
  )
  assert.deepEqual(await emails(), ['b', 'd', 'e'])
  await assert.rejects(
    database.transact((tx) => tx.runTogether([insert('f'), insert('E'), insert('e')])),
    { code: '23505' },
  )
  await database.transact((tx) => tx.runTogether([]))
  assert.deepEqual(await emails(), ['b', 'd', 'e'])
})

test('the statement that fails is the cause, whichever of the statements sent together is awaited first', async () => {
  const failing = (tx: Tx) => sql`select 1 / 0`.execute(tx)
  await assert.rejects(
    database.transact(async (tx) => {
      const [cause, consequence] = [failing(tx), sql`select 1`.execute(tx)]
      cause.catch(() => undefined)
      await consequence
    }),
    { code: '22012' },
  )
  await assert.rejects(
    database.transact(async (tx) => {
      await sql`savepoint here`.execute(tx)
      await assert.rejects(failing(tx), { code: '22012' })
      await sql`rollback to savepoint here`.execute(tx)
      await sql`select nothing`.execute(tx)
    }),
    { code: '42703' },
  )
})

test('work that only leaves statements for the commit is sent as one message: all of it is kept, or none', async () => {
  const one = openDatabase(database.url, { application: 'zonewright one', connections: 1 })
  const lastSent = async () => {
    const { rows } = await sql<{ query: string }>`
      select query from pg_stat_activity where application_name = 'zonewright one'`.execute(db)
    return rows[0]?.query
  }
  const written = (first: string, second: string) =>
    one.transact(async (tx) => {
      tx.requireAtCommit(sql`select case when ${first} = 'refused' then refuse_stale() end`)
      tx.writeAtCommit([insert(first), insert(second)])
    })
  // The second time all statements are prepared on the connection, and there is no BEGIN.
  for (const n of [1, 2]) {
    await written(`first${n}`, `second${n}`)
    assert.match((await lastSent()) ?? '', n === 1 ? /^commit$/ : /^with part0/)
    await assert.rejects(written('refused', `third${n}`), { code: '40001' })
    await assert.rejects(written(`fourth${n}`, `first${n}`), { code: '23505' })
  }
  const kept = (await emails()).filter((email) => /^(first|second|third|fourth)/.test(email))
  assert.deepEqual(kept, ['first1', 'first2', 'second1', 'second2'])
  // The connection still works, and its next transaction is a normal one.
  await assert.rejects(
    one.transact(async (tx) => {
      await insert('fifth').execute(tx)
      throw new Error('crashed')
    }),
    /crashed/,
  )
  assert.ok(!(await emails()).includes('fifth'))
  await one.transact(async () => undefined)
  await one.close()
})

test('if PostgreSQL is lost, it is unknown whether a single message was carried out', async () => {
  const proxy = await tcpProxy(database.url)
  const far = openDatabase(proxy.url, { application: 'zonewright far', answerWithinMs: 200, connections: 1 })
  const write = (email: string) => far.transact(async (tx) => tx.writeAtCommit([insert(email)]))
  try {
    await write('near1')
    await write('near2')
    proxy.freeze()
    await assert.rejects(write('far'), { code: 'unavailable', message: /unknown whether the change was made/ })
  } finally {
    await proxy.close()
    await far.close()
  }
})

test('a connection that ended with its single message is not given to the next waiting caller', async () => {
  const one = openDatabase(database.url, { application: 'zonewright one', connections: 1 })
  const end = () =>
    one.transact(async (tx) => tx.requireAtCommit(sql`select pg_terminate_backend(pg_backend_pid() + ${0}::int)`))
  const write = (email: string) => one.transact(async (tx) => tx.writeAtCommit([insert(email)]))
  const never = sql`select pg_terminate_backend(pg_backend_pid() + ${1_000_000}::int)`
  await one.transact(async (tx) => tx.requireAtCommit(never))
  await write('waited1')
  const ended = assert.rejects(end(), { code: 'unavailable' })
  await write('waited2')
  await ended
  assert.ok((await emails()).includes('waited2'))
  await one.close()
})

test('work inside a transaction cannot get a second connection: it fails at once, and nothing is kept', async () => {
  const asking: Record<string, () => Promise<unknown>> = {
    statement: () => sql`select 1`.execute(db),
    transact: () => database.transact(async () => undefined),
    transactInTurn: () => database.transactInTurn('key', async () => undefined),
    transactLate: () => database.transactLate((late) => late.begin()),
    pollFor: database.pollFor(sql`true`),
    connect: () => database.pool.connect(),
    query: async () => database.pool.query('select 1'),
    databaseNow: () => databaseNow(db),
    'after a while': async () => {
      await new Promise(setImmediate)
      await sql`select 1`.execute(db)
    },
    'among others': () => Promise.all([Promise.resolve(), sql`select 1`.execute(db)]),
  }
  for (const [what, ask] of Object.entries(asking))
    await assert.rejects(
      database.transact(async (tx) => {
        await insert(`nested ${what}`).execute(tx)
        await ask()
      }),
      /inside a transaction/,
      what,
    )
  assert.ok(!(await emails()).some((email) => email.startsWith('nested')))
  // Before and after the transaction, the pool can be used, also by work that was started inside it.
  let later: Promise<unknown> = Promise.resolve()
  const over = Promise.withResolvers<void>()
  await database.transact(async (tx) => {
    later = over.promise.then(() => sql`select 1`.execute(db))
    await sql`select 1`.execute(tx)
  })
  over.resolve()
  await later
})

test('a late transaction begins on request; before that the work uses the pool, and afterwards only the transaction', async () => {
  const work = (end: () => void) =>
    database.transactLate(async (late) => {
      await sql`select 1`.execute(db)
      assert.equal(late.hasBegun, false)
      const [tx, same] = await Promise.all([late.begin(), late.begin()])
      assert.equal(tx, same)
      await insert('late').execute(tx)
      await assert.rejects(sql`select 1`.execute(db), /inside a transaction/)
      end()
      return 'result'
    })
  const crash = () => {
    throw new Error('crashed')
  }
  await assert.rejects(work(crash), /crashed/)
  assert.ok(!(await emails()).includes('late'))
  assert.equal(await work(() => undefined), 'result')
  assert.ok((await emails()).includes('late'))
  await assert.rejects(
    work(() => undefined),
    { code: '23505' },
  )
  assert.equal(await database.transactLate(async () => 'nothing was begun'), 'nothing was begun')
  await assert.rejects(
    database.transactLate(async () => crash()),
    /crashed/,
  )
})

test('a request that waits too long for a connection, or has too many before it, is refused with Retry-After', async () => {
  const one = openDatabase(database.url, {
    application: 'zonewright one',
    connections: 1,
    connectWithinMs: 300,
    waiting: 3,
  })
  const busy = { code: 'unavailable', message: /busy/, headers: { 'retry-after': '5' } }
  const client = await one.pool.connect()
  const waiting = Array.from({ length: 3 }, () => one.transact(async () => undefined))
  const late = Promise.all(waiting.map((each) => assert.rejects(each, busy)))
  await assert.rejects(
    one.transact(async () => undefined),
    busy,
  )
  await assert.rejects(sql`select 1`.execute(one.db), busy)
  await late
  client.release()
  await one.transact(async () => undefined)
  await one.close()
})

test('big integers are returned as numbers, days as text, and instants as dates', async () => {
  const { rows } =
    await sql`select 9007199254740991::bigint as n, date '2026-11-20' as day, timestamptz '2026-11-20T01:02:03.004Z' as at`.execute(
      db,
    )
  assert.deepEqual(rows, [{ n: 9_007_199_254_740_991, day: '2026-11-20', at: new Date('2026-11-20T01:02:03.004Z') }])
})

test('a wake-up is sent only after the commit, and only once', async () => {
  const told: string[] = []
  const wake = { tell: (channel: string, item: string) => told.push(`${channel} ${item}`) }
  const telling = openDatabase(database.url, { application: 'zonewright test', connections: 1, wake: wake as never })
  const work = async (tx: Tx): Promise<void> => {
    tx.wakeAfterCommit('events_ready')
    tx.wakeAfterCommit('zones_changed', 'z')
    await insert(`told${told.length}`).execute(tx)
    assert.deepEqual(told, [])
  }
  await assert.rejects(
    telling.transact(async (tx) => {
      await work(tx)
      throw new Error('crashed')
    }),
  )
  assert.deepEqual(told, [])
  await telling.transact(work)
  assert.deepEqual(told, ['events_ready ', 'zones_changed z'])
  const began = performance.now()
  await telling.transact(async (tx) => tx.wakeAfterCommit('lanes_due', 'later', 50))
  assert.equal(told.length, 2)
  await eventually('the later one is told', () => told.length > 2)
  assert.equal(told[2], 'lanes_due later')
  assert.ok(performance.now() - began >= 45)
  await telling.close()
})

test('a missing database is "unavailable", whether nothing listens or the connection dies during the work', async () => {
  const away = openDatabase('postgres://nobody@127.0.0.1:1/none', { application: 'zonewright test' })
  await assert.rejects(
    away.transact(async () => undefined),
    { code: 'unavailable' },
  )
  await away.close()
  await assert.rejects(
    database.transact((tx) => sql`select pg_terminate_backend(pg_backend_pid())`.execute(tx)),
    { code: 'unavailable' },
  )
  assert.equal(await database.transact(async (tx) => (await sql`select 1`.execute(tx)).rows.length), 1)
})

test('if PostgreSQL is lost before the commit, nothing was changed; after COMMIT was sent, the outcome is unknown', async () => {
  const proxy = await tcpProxy(database.url)
  const far = openDatabase(proxy.url, { application: 'zonewright far', answerWithinMs: 200 })
  const lost = (when: 'at work' | 'at the commit') =>
    far.transact(async (tx) => {
      await sql`select 1`.execute(tx)
      proxy.freeze()
      if (when === 'at work') await sql`select 1`.execute(tx)
    })
  try {
    await assert.rejects(lost('at work'), { code: 'unavailable', message: /Nothing was changed/ })
    await assert.rejects(lost('at the commit'), { code: 'unavailable', message: /unknown whether the change was made/ })
  } finally {
    await proxy.close()
    await far.close()
  }
})

test('an idle connection that dies is reported and replaced, and does not end the process', async () => {
  const lost: Error[] = []
  const fragile = openDatabase(database.url, {
    application: 'zonewright fragile',
    connections: 1,
    onIdleError: (error) => lost.push(error),
  })
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(fragile.db)
  await sql`select pg_terminate_backend(${rows[0]?.pid})`.execute(db)
  for (;;) {
    const again = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(fragile.db).catch(() => undefined)
    if (again !== undefined && again.rows[0]?.pid !== rows[0]?.pid) break
  }
  await fragile.close()
  assert.ok(lost.length <= 1)
})

test('a TCP session ends soon after its client’s machine is gone; a Unix socket has no such limit, and still works', async () => {
  const settings = ['tcp_keepalives_idle', 'tcp_keepalives_interval', 'tcp_keepalives_count', 'tcp_user_timeout']
  const seen = async (on: Db) => {
    const { rows } = await sql<{ setting: string }>`
      select setting from pg_settings where name = any(${settings}) order by array_position(${settings}, name)`.execute(
      on,
    )
    return rows.map(({ setting }) => setting)
  }
  const url = new URL(database.url)
  const isPath = decodeURIComponent(url.hostname).startsWith('/')
  if (isPath) url.hostname = '127.0.0.1'
  const overTcp = openDatabase(url.href, { application: 'zonewright test', connections: 1 })
  assert.deepEqual(await seen(overTcp.db), ['5', '2', '3', '11000'])
  await overTcp.close()
  if (isPath) assert.deepEqual(await seen(db), ['0', '0', '0', '0'])
})
