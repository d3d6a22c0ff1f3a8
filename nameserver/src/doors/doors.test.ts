import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import { frame } from '@zonewright/dns'
import type { Answer } from '../answer.ts'
import { queryFor, sendTcp, sendUdp } from '../testing/ask.ts'
import { keptLog } from '../testing/kept-log.ts'
import { canListen } from '../testing/scripted-primary.ts'
import { openDoors } from './open-doors.ts'
import { type TcpLimits, tcpDoor, usualTcpLimits } from './tcp.ts'

/** Sends back what came, with the transport in its first byte. */
const echo: Answer = (query, transport) => {
  const answer = query.slice()
  answer[0] = transport === 'udp' ? 1 : 2
  return answer
}

async function tcpEcho(test: TestContext, limits: Partial<TcpLimits>) {
  const open = tcpDoor({ ...usualTcpLimits, ...limits })
  const door = await open({ host: '127.0.0.1', port: 0 }, echo, keptLog())
  test.after(() => door.close())
  return door
}

async function client(test: TestContext, endpoint: { host: string; port: number }) {
  const socket = connect(endpoint)
  socket.on('error', () => {})
  test.after(() => socket.destroy())
  await once(socket, 'connect')
  return socket
}

describe('doors', () => {
  it('UDP and TCP are open on the same free port, over IPv4 and IPv6', async (test) => {
    for (const host of ['127.0.0.1', '::1']) {
      if (host === '::1' && !(await canListen(host))) continue
      const [door] = await openDoors([{ host, port: 0 }], echo, keptLog())
      assert.ok(door)
      test.after(() => door.close())
      const query = queryFor('www.example.', 'A')
      assert.equal((await sendUdp(door.endpoint, query))[0], 1)
      assert.equal((await sendTcp(door.endpoint, [query]))[0]?.[0], 2)
    }
  })

  it('when one of several cannot be opened, none stays open', async () => {
    const [taken] = await openDoors([{ host: '127.0.0.1', port: 0 }], echo, keptLog())
    const [free] = await openDoors([{ host: '127.0.0.1', port: 0 }], echo, keptLog())
    assert.ok(taken && free)
    await free.close()
    await assert.rejects(openDoors([free.endpoint, taken.endpoint], echo, keptLog()), /port is taken/)
    const [again] = await openDoors([free.endpoint], echo, keptLog())
    await Promise.all([taken.close(), again?.close()])
  })
})

describe('the TCP door', () => {
  it('answers many queries sent at once on one connection, in pieces of any size', async (test) => {
    const door = await tcpEcho(test, {})
    const queries = Array.from({ length: 200 }, (_, id) => queryFor('www.example.', 'A', { id }))
    assert.equal((await sendTcp(door.endpoint, queries)).length, queries.length)
    const socket = await client(test, door.endpoint)
    for (const byte of frame(queryFor('www.example.', 'A'))) socket.write(Uint8Array.of(byte))
    const [answer] = await once(socket, 'data')
    assert.equal(answer[2], 2)
  })

  it('closes a connection that completes no query in time, even when bytes trickle in', async (test) => {
    const door = await tcpEcho(test, { idleMs: 100 })
    const socket = await client(test, door.endpoint)
    const trickle = setInterval(() => socket.write(Uint8Array.of(0)), 20)
    test.after(() => clearInterval(trickle))
    // Length 0x0000 would be a message of its own: begin one that never ends.
    socket.write(Uint8Array.of(0xff, 0xff))
    await once(socket, 'close')
  })

  it('makes room for a new connection by closing the one silent for longest', async (test) => {
    const door = await tcpEcho(test, { connections: 2 })
    const [first, second] = [await client(test, door.endpoint), await client(test, door.endpoint)]
    first.write(frame(queryFor('www.example.', 'A')))
    await once(first, 'data')
    const closed = once(second, 'close')
    const [third] = [await client(test, door.endpoint)]
    await closed
    third.write(frame(queryFor('www.example.', 'A')))
    await once(third, 'data')
    assert.equal(first.destroyed, false)
  })

  it('stops reading from a client that leaves its answers unread, and goes on when it reads', async (test) => {
    const door = await tcpEcho(test, { unreadBytes: 1000 })
    const socket = await client(test, door.endpoint)
    const query = frame(new Uint8Array(60_000))
    const sent = 400
    for (let count = 0; count < sent; count++) socket.write(query)
    let received = 0
    for await (const chunk of socket) {
      received += chunk.length
      if (received >= sent * query.length) break
    }
    assert.equal(received, sent * query.length)
  })
})
