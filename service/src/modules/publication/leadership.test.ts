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
