import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { createLogger } from '#platform/log.ts'
import { openDatabase, sql } from '#platform/postgres/index.ts'
import { eventually } from '#testing/eventually.ts'
import { cloneTemplate } from '#testing/platform/test-database.ts'
import { standStill } from '#testing/stand-still.ts'
import { tcpProxy } from '#testing/tcp-proxy.ts'
import { Leadership } from './leader-lease.ts'

/** A process that leads when it can. The states of its lead are added to `told`. */
function startOn(t: TestContext, url: string, told: string[], name = 'it') {
  const database = openDatabase(url, { application: `zonewright ${name}` })
  let isLeading = (): boolean => false
  const leadership = new Leadership(database, createLogger('test', 'silent'), async (given) => {
    isLeading = given
    told.push(`${name} leads`)
    return async () => {
      told.push(`${name} ends`)
    }
  })
  leadership.start()
  t.after(async () => {
    await leadership.stop()
    await database.pool.end()
  })
  return { stop: () => leadership.stop(), isLeading: () => isLeading() }
}

test('a leader whose database disappears silently stops leading in time, and leads again when it is back', async (t) => {
  const proxy = await tcpProxy(await cloneTemplate())
  t.after(() => proxy.close())
  const told: string[] = []
  const { stop } = startOn(t, proxy.url, told)
  await eventually('it leads', () => told.length === 1)
  proxy.freeze()
  await eventually('it leads again', () => told.length === 3, 30_000)
  await stop()
  assert.deepEqual(told, ['it leads', 'it ends', 'it leads', 'it ends'])
})

test('neither a leading primary nor a standby holds a connection of the pool', async (t) => {
  const url = await cloneTemplate()
  const databases = ['leader', 'standby'].map((name) =>
    openDatabase(url, { application: `zonewright ${name}`, connections: 1, connectWithinMs: 1_000 }),
  )
  const told: string[] = []
  const leaderships = databases.map(
    (database, i) =>
      new Leadership(database, createLogger('test', 'silent'), async () => {
        await database.transact((tx) => sql`select 1`.execute(tx))
        told.push(`${i} leads`)
        return async () => {
          await database.transact((tx) => sql`select 1`.execute(tx))
          told.push(`${i} ends`)
        }
      }),
  )
  t.after(async () => {
    for (const leadership of leaderships) await leadership.stop()
    for (const database of databases) await database.close()
  })
  leaderships[0]?.start()
  await eventually('the first leads', () => told.includes('0 leads'))
  leaderships[1]?.start()
  const holding = databases.map(({ pool }) => pool.connect())
  // The standby takes over although all connections of its pool are in use, and works once one is free.
  const [first, second] = await Promise.all(holding)
  first?.release()
  await leaderships[0]?.stop()
  second?.release()
  await eventually('the second leads', () => told.includes('1 leads'))
  assert.deepEqual(told, ['0 leads', '0 ends', '1 leads'])
})

test('a leader that is silent for three seconds stops leading, is replaced within five, and is on standby afterwards', async (t) => {
  const url = await cloneTemplate()
  const proxy = await tcpProxy(url)
  t.after(() => proxy.close())
  const told: string[] = []
  const first = startOn(t, proxy.url, told, 'first')
  await eventually('the first leads', () => told.length === 1)
  assert.equal(first.isLeading(), true)
  const second = startOn(t, url, told, 'second')
  proxy.freeze()
  const frozenAtMs = performance.now()
  await eventually('the second leads', () => told.includes('second leads'))
  const tookMs = performance.now() - frozenAtMs
  assert.ok(tookMs < 5_000, `${Math.round(tookMs)} ms`)
  assert.deepEqual(told, ['first leads', 'first ends', 'second leads'])
  assert.deepEqual([first.isLeading(), second.isLeading()], [false, true])
  await second.stop()
  await eventually('the first leads again', () => told.length === 5)
  assert.deepEqual(told.slice(3), ['second ends', 'first leads'])
})

test('a process that continues after being frozen knows first of all that it no longer leads', async (t) => {
  const told: string[] = []
  const { isLeading } = startOn(t, await cloneTemplate(), told)
  await eventually('it leads', isLeading)
  standStill(3_500)
  assert.deepEqual([isLeading(), ...told], [false, 'it leads'])
  await eventually('it leads again', isLeading)
  assert.deepEqual(told, ['it leads', 'it ends', 'it leads'])
})
