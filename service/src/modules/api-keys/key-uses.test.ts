import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '#platform/postgres/index.ts'
import { moveClock } from '#testing/move-clock.ts'
import { startTestApi } from '#testing/test-api.ts'
import { noteUses } from './store.ts'

const api = await startTestApi()
const { database } = api
const { db } = database

test('keeps the first of several uses that processes record within a minute', async () => {
  await api.key(await api.account('owner@example.net'), { name: 'shared' })
  const { rows } = await sql<{ id: string }>`select id from api_keys where name = 'shared'`.execute(db)
  const keyId = rows[0]?.id ?? ''
  const usedFrom = async (address: string): Promise<string | undefined> => {
    await noteUses(db, [{ keyId, address }])
    const { rows } = await sql<{ address: string }>`
      select host(last_used_ip) as address from api_keys where id = ${keyId}`.execute(db)
    return rows[0]?.address
  }
  assert.equal(await usedFrom('192.0.2.1'), '192.0.2.1')
  assert.equal(await usedFrom('192.0.2.2'), '192.0.2.1')
  await moveClock(database, '61 seconds')
  assert.equal(await usedFrom('192.0.2.3'), '192.0.2.3')
})
