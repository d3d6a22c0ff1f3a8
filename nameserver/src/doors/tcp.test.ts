import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket, type TcpNetConnectOpts } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import { FrameReader, frame } from '@zonewright/dns'
import { queryFor, sendTcp } from '../testing/ask.ts'
import { eventually } from '../testing/eventually.ts'
import { keptLog } from '../testing/kept-log.ts'
import { canListen } from '../testing/scripted-primary.ts'
import { tcpDoor, usualTcpLimits } from './tcp.ts'
import type { TcpAnswer, TcpLimits } from './tcp-connection.ts'
import { TcpTally } from './tcp-tally.ts'

const query = queryFor('www.example.', 'A')
const echo: TcpAnswer = (message) => message

async function openEcho(test: TestContext, limits: Partial<TcpLimits> = {}, answer = echo, host = '127.0.0.1') {
  const tally = new TcpTally()
  const open = tcpDoor({ ...usualTcpLimits, ...limits }, tally)
  const door = await open({ host, port: 0 }, answer, keptLog())
  test.after(() => door.close())
  return { door, open, tally, endpoint: door.endpoint }
}

async function client(test: TestContext, options: TcpNetConnectOpts): Promise<Socket> {
  const socket = connect(options)
  socket.on('error', () => {})
  test.after(() => socket.destroy())
  await once(socket, 'connect')
  return socket
}

/** Waits until the connection is closed, even with a reset, which unread bytes cause. */
function closing(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.once('close', () => resolve()))
}

/** Sends one query and waits for its answer. */
async function askOn(socket: Socket): Promise<void> {
  socket.write(frame(query))
  await once(socket, 'data')
}

/** All messages until the other side ends the connection. */
async function readAll(socket: Socket): Promise<Uint8Array[]> {
  const reader = new FrameReader()
  const messages: Uint8Array[] = []
  // A half-open client keeps its own side open.
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) messages.push(...reader.feed(chunk))
  return messages
}

const idOf = (message: Uint8Array) => ((message[0] ?? 0) << 8) | (message[1] ?? 0)

describe('the TCP door', () => {
  it('answers many queries sent at once on one connection, in order, in pieces of any size', async (test) => {
    const { endpoint } = await openEcho(test)
    const queries = Array.from({ length: 500 }, (_, id) => queryFor('www.example.', 'A', { id }))
    assert.deepEqual((await sendTcp(endpoint, queries)).map(idOf), queries.map(idOf))
    const socket = await client(test, endpoint)
    for (const byte of frame(query)) socket.write(Uint8Array.of(byte))
    const [answer] = await once(socket, 'data')
    assert.deepEqual(new Uint8Array(answer), frame(query))
  })

  it('passes the source address of a query to the responder', async (test) => {
    const own: TcpAnswer = (_message, transport, from) => {
      assert.equal(transport, 'tcp')
      return new Uint8Array(from.buffer, from.byteOffset, from.byteLength)
    }
    const { endpoint } = await openEcho(test, {}, own)
    assert.deepEqual(
      (await sendTcp(endpoint, [query])).map((answer) => [...answer]),
      [[127, 0, 0, 1]],
    )
    if (!(await canListen('::1'))) return
    const { endpoint: over6 } = await openEcho(test, {}, own, '::1')
    assert.deepEqual(
      (await sendTcp(over6, [query])).map((answer) => [...answer]),
      [[...Array(15).fill(0), 1]],
    )
  })

  it('answers all queries of a client that has closed its side of the connection', async (test) => {
    const { endpoint } = await openEcho(test, { queriesPerTurn: 3 })
    const socket = await client(test, { ...endpoint, allowHalfOpen: true })
    const queries = Array.from({ length: 100 }, (_, id) => queryFor('www.example.', 'A', { id }))
    for (const message of queries) socket.write(frame(message))
    socket.end()
    assert.deepEqual((await readAll(socket)).map(idOf), queries.map(idOf))
  })

  it('sends nothing when the responder returns no answer, and continues', async (test) => {
    const { endpoint } = await openEcho(test, {}, (message) => (message.length < 12 ? undefined : message))
    const answers = await sendTcp(
      endpoint,
      [query]
        .concat([new Uint8Array(0), new Uint8Array(11)])
        .reverse()
        .slice(-1),
    )
    assert.equal(answers.length, 1)
    const socket = await client(test, endpoint)
    for (const message of [new Uint8Array(0), new Uint8Array(11), query]) socket.write(frame(message))
    const [answer] = await once(socket, 'data')
    assert.deepEqual(new Uint8Array(answer), frame(query))
  })

  it('closes a connection that gets no answer in time, even when bytes or empty messages trickle in', async (test) => {
    for (const trickled of [0xff, 0]) {
      const { endpoint, tally } = await openEcho(test, { idleMs: 100 }, () => undefined)
      const socket = await client(test, endpoint)
      const trickle = setInterval(() => socket.write(Uint8Array.of(trickled)), 20)
      test.after(() => clearInterval(trickle))
      await closing(socket)
      assert.deepEqual([tally.open, tally.closed.idle], [0, 1])
    }
  })

  it('keeps a connection open while it sends queries', async (test) => {
    const { endpoint, tally } = await openEcho(test, { idleMs: 1_500 })
    const socket = await client(test, endpoint)
    const startedAt = performance.now()
    while (performance.now() - startedAt < 3_000) await askOn(socket)
    assert.equal(tally.open, 1)
  })

  it('closes idle connections sooner when many are open', async (test) => {
    const { endpoint, tally } = await openEcho(test, { connections: 4, crowdedIdleMs: 50 })
    const sockets = await Promise.all([1, 2, 3].map(() => client(test, endpoint)))
    await eventually('three are open', () => tally.open === 3)
    sockets.push(await client(test, endpoint))
    await eventually('one had to go', () => tally.closed.idle > 0)
    assert.equal(tally.closed.crowded, 0)
  })

  it('closes a connection whose message arrives in too many pieces', async (test) => {
    const { endpoint, tally } = await openEcho(test, { piecesPerMessage: 20 })
    const socket = await client(test, endpoint)
    socket.setNoDelay(true)
    const trickle = setInterval(() => socket.write(Uint8Array.of(0xff)), 1)
    test.after(() => clearInterval(trickle))
    await closing(socket)
    assert.equal(tally.closed.slow, 1)
  })

  it('makes room for a new connection by closing the one that has been idle longest', async (test) => {
    const { endpoint, tally } = await openEcho(test, { connections: 2 })
    const [first, second] = [await client(test, endpoint), await client(test, endpoint)]
    await askOn(second)
    await askOn(first)
    const closed = once(second, 'close')
    const third = await client(test, endpoint)
    await closed
    await askOn(third)
    await askOn(first)
    assert.deepEqual([tally.open, tally.accepted, tally.closed.crowded], [2, 3, 1])
  })

  it('limits the connections of each client, and closes one of its own to make room', async (test) => {
    const { endpoint, tally } = await openEcho(test, { connectionsPerClient: 2 })
    const other = await client(test, { ...endpoint, localAddress: '127.0.0.2' })
    await eventually('the other one is open', () => tally.open === 1)
    const first = await client(test, endpoint)
    await eventually('the first of its own is open', () => tally.open === 2)
    const second = await client(test, endpoint)
    await eventually('the second, too', () => tally.open === 3)
    await askOn(first)
    const [third] = await Promise.all([client(test, endpoint), once(second, 'close')])
    assert.equal(tally.open, 3)
    for (const socket of [other, first, third]) await askOn(socket)
  })

  it('counts the connections of all doors that were opened together toward one limit', async (test) => {
    const { endpoint, open, tally } = await openEcho(test, { connections: 1 })
    const second = await open({ host: '127.0.0.1', port: 0 }, echo, keptLog())
    test.after(() => second.close())
    const first = await client(test, endpoint)
    await eventually('it is open', () => tally.open === 1)
    const [over] = await Promise.all([client(test, second.endpoint), once(first, 'close')])
    await askOn(over)
  })

  it('stops answering a client that leaves its answers unread, and continues when it reads', async (test) => {
    let answered = 0
    const { endpoint } = await openEcho(test, { unreadBytes: 1000 }, (message) => {
      answered++
      return message
    })
    const socket = await client(test, { ...endpoint, allowHalfOpen: true })
    socket.pause()
    const large = frame(new Uint8Array(60_000))
    const sent = 400
    for (let count = 0; count < sent; count++) socket.write(large)
    socket.end()
    let before = 0
    await eventually('it waits for the client', () => {
      const isStill = answered > 0 && answered === before
      before = answered
      return isStill
    })
    assert.ok(answered < sent)
    assert.equal((await readAll(socket)).length, sent)
  })

  it('closes the connection of a client that never reads, and buffers little for it', async (test) => {
    let answered = 0
    const large = new Uint8Array(60_000)
    const { endpoint, tally } = await openEcho(test, { idleMs: 200, queriesPerTurn: 5000 }, () => {
      answered++
      return large
    })
    const socket = await client(test, endpoint)
    socket.pause()
    // This many queries fit into one piece. Answered all at once, they would need 200 MB.
    socket.write(Buffer.concat(Array.from({ length: 3000 }, () => frame(new Uint8Array(12)))))
    await eventually('it was closed', () => tally.closed.unread === 1)
    assert.ok(answered * large.length < 30_000_000, `${answered} answers`)
  })

  it('serves other clients while one client sends very many queries', async (test) => {
    let answered = 0
    const { endpoint } = await openEcho(test, { queriesPerTurn: 10 }, (message) => {
      answered++
      return message.length === 12 ? message : Uint8Array.of(answered >> 8, answered & 0xff)
    })
    const [greedy, modest] = [await client(test, endpoint), await client(test, endpoint)]
    greedy.once('data', () => modest.write(frame(query)))
    greedy.write(Buffer.concat(Array.from({ length: 4000 }, () => frame(new Uint8Array(12)))))
    const [answer] = await once(modest, 'data')
    assert.ok(idOf(answer.subarray(2)) < 4000, `the answer came after ${idOf(answer.subarray(2))} others`)
  })

  it('stops in time: pending queries are answered, and a client that does not read is cut off', async (test) => {
    let answered = 0
    const { door, endpoint, tally } = await openEcho(test, {}, (message) => {
      answered++
      return message
    })
    const [busy, idle, deaf] = [
      await client(test, endpoint),
      await client(test, endpoint),
      await client(test, { ...endpoint, allowHalfOpen: true }),
    ]
    busy.pause()
    deaf.pause()
    const queries = Array.from({ length: 200 }, (_, id) => queryFor('www.example.', 'A', { id }))
    busy.write(Buffer.concat(queries.map(frame)))
    await eventually('all were answered', () => answered === queries.length)
    const startedAt = performance.now()
    // Listen from the beginning, because this connection may close while the other one reads.
    const closed = [door.close(), closing(idle.resume())]
    assert.deepEqual((await readAll(busy)).map(idOf), queries.map(idOf))
    await Promise.all(closed)
    const tookMs = performance.now() - startedAt
    assert.ok(tookMs < 5_000, `${tookMs} ms`)
    assert.deepEqual([tally.open, tally.closed.stopped, tally.closed.client], [0, 1, 2])
    await assert.rejects(client(test, endpoint))
  })

  it('answers the queries it has read when it stops, but none that arrive later', async (test) => {
    let answered = 0
    const first = Promise.withResolvers<void>()
    const { door, endpoint, tally } = await openEcho(test, { queriesPerTurn: 1 }, (message) => {
      answered++
      first.resolve()
      return message
    })
    const socket = await client(test, { ...endpoint, allowHalfOpen: true })
    const queries = Array.from({ length: 200 }, (_, id) => queryFor('www.example.', 'A', { id }))
    socket.write(Buffer.concat(queries.map(frame)))
    await first.promise
    const stopped = door.close()
    assert.ok(answered < queries.length)
    assert.deepEqual((await readAll(socket)).map(idOf), queries.map(idOf))
    socket.end(frame(query))
    await stopped
    assert.deepEqual([answered, tally.closed.stopped], [queries.length, 0])
  })

  it('answers a query that arrives during the stop while its process is blocked', async (test) => {
    const { door, endpoint, tally } = await openEcho(test, { lastQueryMs: 50, stopMs: 20_000 })
    const socket = await client(test, endpoint)
    await eventually('it is open', () => tally.open === 1)
    const stopped = door.close()
    socket.write(frame(query))
    for (const until = performance.now() + 200; performance.now() < until; );
    assert.equal((await readAll(socket)).length, 1)
    await stopped
  })

  it('answers a query that is in transit when it stops, and then closes', async (test) => {
    const { door, endpoint, tally } = await openEcho(test, { lastQueryMs: 20_000, stopMs: 20_000 })
    const sockets = [await client(test, endpoint), await client(test, endpoint)]
    await eventually('they are open', () => tally.open === 2)
    const stopped = door.close()
    const answers = await Promise.all(
      sockets.map((socket) => {
        socket.write(frame(query))
        return readAll(socket)
      }),
    )
    assert.deepEqual(
      answers.map((each) => each.length),
      [1, 1],
    )
    await stopped
    assert.equal(tally.closed.stopped, 0)
  })

  it('stops immediately when all its clients disconnect', async (test) => {
    const { door, endpoint, tally } = await openEcho(test, { stopMs: 60_000 })
    const socket = await client(test, endpoint)
    await eventually('it is open', () => tally.open === 1)
    socket.resume()
    const startedAt = performance.now()
    await door.close()
    assert.ok(performance.now() - startedAt < 20_000)
  })
})
