import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { test } from 'node:test'
import { createLogger } from '#platform/log.ts'
import { sql } from '#platform/postgres/index.ts'
import { testKey } from '#testing/primary/test-secondary.ts'
import { a, plantChange, plantZone } from '#testing/primary/test-zones.ts'
import { openTestWorld, testCatalog } from '#testing/publication/test-publication.ts'
import { inspectNameservers } from './inspect.ts'

const world = await openTestWorld()
const { database } = world
const [ns1] = await world.nameservers()
const log = createLogger('test', 'silent')
const look = { db: database.db, key: testKey, catalogName: testCatalog, log, from: '127.0.0.1' }

/** The zones that one of the nameservers lacks, and the number of checked zones. */
async function lacks(): Promise<{ behind: string[]; looked: number }> {
  const [facts] = await inspectNameservers(look, [ns1.entry])
  return { behind: facts?.behind.map(({ zone }) => zone) ?? [], looked: facts?.looked ?? 0 }
}

test('a zone that was added or changed at most half a minute ago is no fault; after that it is', async () => {
  const long = sql`app_now() - interval '31 seconds'`
  const kept = await plantZone(database, 'kept.test')
  await sql`update zones set live_at = ${long}`.execute(database.db)
  ns1.serve('kept.test', 1_000)
  await plantZone(database, 'new.test', { serial: 2_000 })
  assert.deepEqual(await lacks(), { behind: [], looked: 1 })
  await sql`update zones set live_at = ${long}`.execute(database.db)
  assert.deepEqual(await lacks(), { behind: ['new.test'], looked: 2 })
  ns1.serve('new.test', 2_000)
  assert.deepEqual(await lacks(), { behind: [], looked: 2 })

  await plantChange(database, kept, { added: [a('www.kept.test', '192.0.2.1')] })
  assert.deepEqual(await lacks(), { behind: [], looked: 2 })
  await sql`update zone_journal set at = ${long}`.execute(database.db)
  assert.deepEqual(await lacks(), { behind: ['kept.test'], looked: 2 })
  // The zone continues to change.
  await plantChange(database, kept, { added: [a('www2.kept.test', '192.0.2.1')] })
  assert.deepEqual(await lacks(), { behind: ['kept.test'], looked: 2 })
})

test('nameservers that accept a NOTIFY only from the primary are notified from its address', async () => {
  const socket = createSocket('udp4').bind(0, '127.0.0.1')
  await once(socket, 'listening')
  world.onEnd(() => socket.close())
  const from = new Set<string>()
  socket.on('message', (query, { address, port }) => {
    from.add(address)
    const answer = Buffer.from(query)
    answer[2] = (answer[2] ?? 0) | 0x80
    socket.send(answer, port, address)
  })
  const ns = { name: 'ns3.zonewright.test', address: `127.0.0.1:${socket.address().port}` }
  await inspectNameservers({ ...look, from: '127.0.0.2' }, [ns])
  assert.deepEqual([...from], ['127.0.0.2'])
})
