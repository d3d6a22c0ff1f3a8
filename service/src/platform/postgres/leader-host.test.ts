import assert from 'node:assert/strict'
import dns from 'node:dns'
import { after, test } from 'node:test'
import { eventually } from '#testing/eventually.ts'
import { listOf, startTestServer, type TestServer } from '#testing/platform/test-cluster.ts'
import { testPooler } from '#testing/platform/test-pooler.ts'
import { tcpProxy } from '#testing/tcp-proxy.ts'
import { CannotStart } from '../cannot-start.ts'
import { Refusal } from '../errors.ts'
import { createLogger } from '../log.ts'
import { chooseLeader } from './ask-host.ts'
import { type Database, openDatabase, sql } from './db.ts'
import { LeaderHost } from './leader-host.ts'
import { migrate } from './migrate.ts'
import { Wake } from './wake.ts'

const first = await startTestServer()
const second = await first.addStandby()
const stranger = await startTestServer()
await first.run('create table kept (n int)')
const nowhere = '127.0.0.1:1'

const closers: (() => Promise<void>)[] = []
after(async () => {
  for (const close of closers) await close()
})

function open(address: string | LeaderHost, application = 'zonewright test'): Database {
  const database = openDatabase(address, { application, connections: 3 })
  closers.push(() => database.close())
  return database
}

async function askedPort(database: Database): Promise<number> {
  const { rows } = await sql<{ port: number }>`select inet_server_port() as port`.execute(database.db)
  return rows[0]?.port ?? 0
}
const write = (database: Database) => database.transact((tx) => sql`insert into kept values (1)`.execute(tx))
const writes = (database: Database) =>
  write(database).then(
    () => true,
    () => false,
  )
const portOf = ({ host }: { host: string }) => Number(host.split(':')[1])
const isAway = (error: unknown): boolean => {
  assert.ok(error instanceof Refusal, String(error))
  assert.deepEqual([error.code, error.headers], ['unavailable', { 'retry-after': '2' }])
  return true
}

/** Changes the leader cleanly. The former leader then follows the new one. */
async function switchOver(from: TestServer, to: TestServer): Promise<void> {
  await from.stop()
  await to.promote()
  await from.follow(to)
  await from.start()
}

test('finds the host that accepts writes anywhere in the list, even next to hosts that are wrong or unavailable', async () => {
  for (const url of [
    listOf(first, second),
    listOf(second, first),
    listOf(second, nowhere, 'nowhere.invalid:5432', first),
  ]) {
    const database = open(url)
    assert.equal(await askedPort(database), portOf(first), url)
    await write(database)
  }
})

test('hosts of different clusters are refused at the start, in one sentence', async () => {
  const standby = await stranger.addStandby()
  for (const [url, wrong] of [
    [listOf(first, stranger), stranger],
    [listOf(first, second, stranger), stranger],
    [listOf(first, second, standby), standby],
  ] as const)
    await assert.rejects(migrate(url), (error: Error) => {
      assert.ok(error instanceof CannotStart)
      const says = `DATABASE_URL: ${wrong.host} and the other hosts are of different clusters (system_identifier); remove the wrong ones.`
      assert.equal(error.message, says)
      return true
    })
})

test('a host of another cluster that appears later is reported once and never used, even while there is no leader', async () => {
  await stranger.stop()
  const said: string[] = []
  const leader = new LeaderHost(listOf(first, stranger), (sentence) => said.push(sentence))
  const database = open(leader)
  await write(database)
  await first.kill()
  await stranger.start()
  const states = new Set<string>()
  for (const _ of [1, 2]) await assert.rejects(write(database), isAway)
  await assert.rejects(new leader.Client().connect(), (error: Error) => {
    states.add(error.message)
    return true
  })
  assert.match([...states].join(), new RegExp(`${stranger.host} is of another cluster`))
  await first.start()
  await eventually('the leader is used again', () => writes(database))
  assert.equal(await askedPort(database), portOf(first))
  assert.equal(said.length, 1, said.join('\n'))
})

test('without a leader, requests are 503 with Retry-After; with a new one, pool and wake-ups continue automatically', async () => {
  const log = createLogger('test', 'silent')
  const leader = new LeaderHost(listOf(first, second))
  const database = open(leader)
  const wake = new Wake(leader, log)
  await wake.start()
  closers.push(() => wake.close())
  const heard: string[] = []
  wake.on('zones_changed', (items) => heard.push(...items))
  await write(database)
  await first.stop()
  await eventually('the loss is seen', async () => !(await writes(database)))
  await assert.rejects(write(database), isAway)
  await second.promote()
  await eventually('the new leader is used', () => writes(database))
  assert.equal(await askedPort(database), portOf(second))
  await eventually('it wakes', () => {
    wake.tell('zones_changed', 'zone')
    return heard.includes('zone')
  })
  await first.follow(second)
  await first.start()
})

test('a leader that becomes read-only empties the pool, and is used again once it accepts writes', async () => {
  const application = 'zonewright emptied'
  const database = open(listOf(first, second), application)
  const sessions = async () =>
    (await second.run(`select from pg_stat_activity where application_name = '${application}'`)).rowCount
  await Promise.all([1, 2, 3].map(() => write(database)))
  assert.equal(await sessions(), 3)
  await second.run('alter system set default_transaction_read_only = on')
  await second.run('select pg_reload_conf()')
  // Open sessions stay open, and the server refuses their writes.
  await eventually('a write is refused', () =>
    write(database).then(
      () => false,
      (error) => isAway(error),
    ),
  )
  await eventually('no session is left', async () => (await sessions()) === 0, 5_000)
  await assert.rejects(write(database), isAway)
  await second.run('alter system reset default_transaction_read_only')
  await second.run('select pg_reload_conf()')
  await eventually('it is used again', () => writes(database))
})

test('when an address leads elsewhere after a switchover, no connection to the former leader is kept', async () => {
  const door = await tcpProxy(second.url)
  closers.push(() => door.close())
  const database = open(door.url)
  await write(database)
  await switchOver(second, first)
  await eventually('the former leader is refused as long as the address leads there', () =>
    write(database).then(
      () => false,
      (error) => isAway(error) && /is a standby/.test(String(error.cause)),
    ),
  )
  door.leadTo(first.url)
  await eventually('the new leader is used', () => writes(database))
  assert.equal(await askedPort(database), portOf(first))
})

test('when a name’s address changes, the new leader is used, even if connections to the former address hang', async (t) => {
  const former = await tcpProxy(first.url)
  const port = Number(new URL(former.url).port)
  const latter = await tcpProxy(second.url, { port, host: '127.0.0.2' })
  t.after(() => Promise.all([former.close(), latter.close()]))
  let address = '127.0.0.1'
  // No test can change what the machine's resolver answers.
  t.mock.method(
    dns,
    'lookup',
    (name: string, _: unknown, told: (error: null, address: string | dns.LookupAddress[], family: number) => void) => {
      assert.equal(name, 'db.test')
      told(null, [{ address, family: 4 }], 4)
    },
  )
  const url = first.url.replace(first.host, `db.test:${port}`)
  const database = openDatabase(url, { application: 'zonewright test', connections: 3, answerWithinMs: 500 })
  t.after(() => database.close())
  await Promise.all([1, 2, 3].map(() => write(database)))
  assert.equal(await askedPort(database), portOf(first))
  former.freeze()
  await switchOver(first, second)
  address = '127.0.0.2'
  await eventually('the new leader is used', () => writes(database))
  assert.equal(await askedPort(database), portOf(second))
  await switchOver(second, first)
  address = '127.0.0.1'
  await eventually('the first leader is used again', () => writes(database))
  assert.equal(await askedPort(database), portOf(first))
})

test('a transaction pooler that is later placed in front of PostgreSQL is an outage', async (t) => {
  const door = await tcpProxy(first.url)
  const pooler = await testPooler(first.url, 'transaction')
  t.after(() => Promise.all([door.close(), pooler.close()]))
  const leader = new LeaderHost(door.url)
  leader.refusesPoolers = true
  const database = open(leader)
  await write(database)
  const leadTo = (url: string): void => {
    door.shut()
    door.leadTo(url)
    door.open()
  }
  leadTo(pooler.url)
  await eventually('it is refused', () =>
    write(database).then(
      () => assert.fail('it was written through a pooler'),
      (error) => isAway(error) && / is behind a transaction pooler$/.test(String(error.cause)),
    ),
  )
  leadTo(first.url)
  await eventually('PostgreSQL is used again', () => writes(database))
})

test('a leader that is cut off does not block work once another one leads; if it answers, it is reported and not used', async () => {
  const door = await tcpProxy(first.url)
  closers.push(() => door.close())
  const said: string[] = []
  const throughDoor = new URL(door.url).host
  const hosts = new LeaderHost(listOf(first, second).replace(first.host, throughDoor), (says) => said.push(says))
  const database = open(hosts)
  const watch = new hosts.Client({ query_timeout: 200, pipeline: true })
  await watch.connect()
  const hanging = database.transact(async (tx) => {
    await sql`select 1`.execute(tx)
    door.freeze()
    await sql`select 2`.execute(tx)
  })
  // The pool alone would wait for 35 s.
  const beganMs = performance.now()
  const ended = assert.rejects(hanging, isAway)
  await second.promote()
  await assert.rejects(watch.query('select 1'))
  await eventually('the new leader is used', async () => (await askedPort(database).catch(() => 0)) === portOf(second))
  await ended
  assert.ok(performance.now() - beganMs < 30_000)
  assert.deepEqual(said, [`DATABASE_URL: ${throughDoor} also accepts writes, as ${second.host} does; stop it.`])
})

test('of two writable hosts, the later timeline leads, in any order; other hosts in the list do not matter', () => {
  const report = (port: number, timeline?: string, cluster = '7', fault?: string) => ({
    ...{ host: { host: 'h', port }, isReached: true, cluster, timeline },
    ...(fault !== undefined && { fault }),
  })
  const [old, late, other] = [report(1, '0000000A'), report(2, '0000000B'), report(3, '0000000F', '8')]
  const standby = report(4, undefined, '7', 'is a standby')
  for (const reports of [
    [old, late, standby],
    [late, standby, old],
  ])
    assert.deepEqual(chooseLeader(reports, undefined), { leader: late, rival: old, foreign: [] })
  assert.deepEqual(chooseLeader([other, old], '7'), { leader: old, foreign: [other] })
  assert.deepEqual(chooseLeader([other, standby], '7'), { foreign: [other] })
  assert.deepEqual(chooseLeader([standby], undefined), { foreign: [] })
})
