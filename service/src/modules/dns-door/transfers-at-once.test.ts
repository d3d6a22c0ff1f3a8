// How many transfers of one key run at once.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { axfrQuery, frame, ixfrQuery, parseName, Rcode } from '@zonewright/dns'
import { sql } from '#platform/postgres/index.ts'
import { type SigningKey, signed, startTestDoor } from '#testing/dns-door/test-door.ts'
import { eventually } from '#testing/eventually.ts'
import { soaOfSerial } from '#testing/primary/test-secondary.ts'
import { startTestApi } from '#testing/test-api.ts'

const api = await startTestApi()
const { db } = api.database
const door = await startTestDoor(api)
const client = await door.connect()
const owner = await api.account('owner@example.net')
await api.zone(owner, 'small.example')
const zone = await api.zone(owner, 'large.example')
const origin = parseName('large.example.')
// More than the buffers of a connection hold, so that a transfer waits for a client that does not read.
await sql`
  insert into zone_rrsets (zone_id, name, type, ttl, records)
  select ${zone.id}, 'n' || n || '.large.example', 'TXT', 300, array['"' || repeat('x', 250) || '" "' || repeat('y', 250) || '"']
  from generate_series(1, 16000) n`.execute(db)
await sql`
  insert into nameservers (name, address, position) values
  ('ns1.zonewright.test', '127.0.0.1:9', 0), ('ns2.zonewright.test', '127.0.0.1:9', 1)`.execute(db)
const key = await door.key(owner)
const other = await door.key(owner)
const neighbour = await api.account('neighbour@example.net')
await api.zone(neighbour, 'neighbour.example')
const neighbours = await door.key(neighbour)

/** A transfer that has begun, to a client that stops reading. */
async function begin(by: SigningKey = key): Promise<Socket> {
  const socket = connect({ ...door.address })
  await once(socket, 'connect')
  socket.write(frame(signed(axfrQuery(0, origin), by.tsig).wire))
  await once(socket, 'data')
  return socket.pause()
}

/** A small transfer, which ends immediately. */
const small = parseName('small.example.')
const axfr = (by: SigningKey = key) => client.ask(axfrQuery(0, small), by.tsig)
const refused = [Rcode.REFUSED, ['This key has 4 transfers in progress, the maximum. Wait for one to end.']]

async function isRefused(): Promise<void> {
  for (const query of [axfrQuery(0, small), ixfrQuery(0, origin, soaOfSerial(origin, 1))]) {
    const { rcode, reasons } = await client.ask(query, key.tsig)
    assert.deepEqual([rcode, reasons], refused)
  }
}

test('a key can have four transfers at once; one that ends, or whose client disconnects, makes room for another', async () => {
  const running = await Promise.all([begin(), begin(), begin(), begin()])
  await isRefused()
  assert.equal((await axfr(other)).rcode, Rcode.NOERROR, 'another key has its own four')
  const [first, second] = running
  first?.destroy()
  await eventually('the place of a closed connection is free', async () => (await axfr()).rcode === Rcode.NOERROR)

  running.push(await begin())
  await isRefused()
  second?.resume()
  await eventually('the place of a transfer that has ended is free', async () => (await axfr()).rcode === Rcode.NOERROR)
  for (const socket of running) socket.destroy()
})

test('an account whose clients stop reading has at most eight whole transfers at once, and delays no other account', async () => {
  const keys = await Promise.all(Array.from({ length: 9 }, () => door.key(owner)))
  const running = await Promise.all(keys.slice(0, 2).flatMap((by) => Array.from({ length: 4 }, () => begin(by))))
  // More than would fit into all slots of the door.
  const waiting = keys.slice(2).flatMap((by) => Array.from({ length: 4 }, () => begin(by)))
  let begun = 0
  for (const each of waiting) void each.then(() => begun++)
  const { rcode } = await client.ask(axfrQuery(0, parseName('neighbour.example.')), neighbours.tsig)
  assert.equal(rcode, Rcode.NOERROR)
  assert.equal(begun, 0)

  running[0]?.destroy()
  await eventually('a transfer that has ended makes room for one that waits', async () => begun === 1)
  for (const each of waiting) void each.then((socket) => socket.destroy())
  for (const socket of running) socket.destroy()
  await Promise.all(waiting)
})

test('a refused transfer takes no slot', async () => {
  const limits = [{ zone: 'large.example', names: ['n1'], types: ['TXT'] }]
  const limited = await door.key(owner, { picks: ['large.example'], limits, permissions: ['records:read'] })
  for (let i = 0; i < 10; i++) {
    const { rcode, reasons } = await client.ask(axfrQuery(0, origin), limited.tsig)
    assert.equal(rcode, Rcode.REFUSED)
    assert.match(reasons[0] ?? '', /is limited to some record sets/)
  }
})
