import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openDatabase } from '#platform/db.ts'
import { createLogger } from '#platform/log.ts'
import { cloneTemplate } from '#platform/test-database.ts'
import { eventually } from '../../testing/eventually.ts'
import { tcpProxy } from '../../testing/tcp-proxy.ts'
import { Leadership } from './leadership.ts'

test('a leader whose database is gone without a word ends its lead in time, and leads again when it is back', async (t) => {
  const proxy = await tcpProxy(await cloneTemplate())
  t.after(() => proxy.close())
  const database = openDatabase(proxy.url, { application: 'zonewright test' })
  t.after(() => database.pool.end())
  const told: string[] = []
  const leadership = new Leadership(database, createLogger('test', 'silent'), async () => {
    told.push('leads')
    return async () => {
      told.push('ends')
    }
  })
  t.after(() => leadership.stop())
  leadership.start()
  await eventually('it leads', () => told.length === 1)
  proxy.freeze()
  await eventually('it leads again', () => told.length === 3, 30_000)
  await leadership.stop()
  assert.deepEqual(told, ['leads', 'ends', 'leads', 'ends'])
})

test('one that is not heard of for three seconds is replaced within five, leads no longer by then, and stands by afterwards', async (t) => {
  const url = await cloneTemplate()
  const proxy = await tcpProxy(url)
  t.after(() => proxy.close())
  const told: string[] = []
  const leading: (() => boolean)[] = []
  const startOn = (name: string, at: string): Leadership => {
    const database = openDatabase(at, { application: `zonewright ${name}` })
    const leadership = new Leadership(database, createLogger('test', 'silent'), async (isLeading) => {
      told.push(`${name} leads`)
      leading.push(isLeading)
      return async () => {
        told.push(`${name} ends`)
      }
    })
    leadership.start()
    t.after(async () => {
      await leadership.stop()
      await database.pool.end()
    })
    return leadership
  }
  startOn('first', proxy.url)
  await eventually('the first leads', () => told.length === 1)
  assert.equal(leading[0]?.(), true)
  const second = startOn('second', url)
  proxy.freeze()
  const frozenAtMs = performance.now()
  await eventually('the second leads', () => told.includes('second leads'))
  const tookMs = performance.now() - frozenAtMs
  assert.ok(tookMs < 5_000, `${Math.round(tookMs)} ms`)
  assert.deepEqual(told, ['first leads', 'first ends', 'second leads'])
  assert.deepEqual(
    leading.map((isLeading) => isLeading()),
    [false, true],
  )
  await second.stop()
  await eventually('the first leads again', () => told.length === 5)
  assert.deepEqual(told.slice(3), ['second ends', 'first leads'])
})

test('whoever goes on after it was frozen knows before anything else that it leads no longer', async (t) => {
  const database = openDatabase(await cloneTemplate(), { application: 'zonewright test' })
  const told: string[] = []
  let isLeading = (): boolean => false
  const leadership = new Leadership(database, createLogger('test', 'silent'), async (given) => {
    isLeading = given
    told.push('leads')
    return async () => {
      told.push('ends')
    }
  })
  t.after(async () => {
    await leadership.stop()
    await database.pool.end()
  })
  leadership.start()
  await eventually('it leads', () => isLeading())
  // This thread stands still, as a frozen process does.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3_500)
  assert.deepEqual([isLeading(), ...told], [false, 'leads'])
  await eventually('it leads again', () => isLeading())
  assert.deepEqual(told, ['leads', 'ends', 'leads'])
})
