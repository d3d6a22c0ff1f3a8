import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { describe, it, type TestContext } from 'node:test'
import { parseMessage, Rcode } from '@zonewright/dns'
import { CookieJar } from '../../cookies/cookie-jar.ts'
import type { Endpoint } from '../../endpoint.ts'
import { Counters } from '../../metrics/counters.ts'
import { Tables } from '../../tables/tables.ts'
import { answerTexts, queryFor, sendUdp } from '../../testing/ask.ts'
import { eventually } from '../../testing/eventually.ts'
import { keptLog } from '../../testing/kept-log.ts'
import { canListen } from '../../testing/scripted-primary.ts'
import { zoneOf } from '../../testing/zone-of.ts'
import { chooseDoor } from '../choose-door.ts'
import { FastDoors } from './fast-door.ts'
import { testLibc } from './self-test.ts'
import { UdpSocket } from './udp-socket.ts'

const loopback = { host: '127.0.0.1', port: 0 }

async function opened(test: TestContext, endpoint: Endpoint = loopback, threads = 2) {
  let doors: FastDoors | undefined
  const tables = new Tables({ segmentBytes: 2 ** 18, onSegment: (buffer) => doors?.addSegment(buffer) })
  const zone = zoneOf('example.', 1, ['www A 192.0.2.1'])
  tables.publish(zone.origin, zone.rrsets())
  const log = keptLog()
  const guards = { cookies: CookieJar.allocate(), counters: Counters.allocate(1 + threads), tcpIdleMs: 1000 }
  doors = new FastDoors({ libc: testLibc(), segments: tables.segments, guards, log })
  const door = await doors.open(endpoint, threads)
  let isClosed = false
  const close = async () => {
    if (isClosed) return
    isClosed = true
    await door.close()
  }
  test.after(close)
  return { door, doors, tables, log, close }
}

/** Queries from a new socket, and therefore a new port: the kernel chooses the thread by the port. */
async function address(endpoint: Endpoint, name = 'www.example.'): Promise<string | undefined> {
  return answerTexts(parseMessage(await sendUdp(endpoint, queryFor(name, 'A'))))[0]
}

describe('the fast door', () => {
  it('answers over IPv4 and IPv6, and serves each client from one of its threads', async (test) => {
    for (const host of ['127.0.0.1', '::1']) {
      if (host === '::1' && !(await canListen(host))) continue
      const { door } = await opened(test, { host, port: 0 }, 3)
      for (let client = 0; client < 20; client++) assert.equal(await address(door.endpoint), '192.0.2.1')
    }
  })

  it('never fragments an answer, even on an inherited socket', () => {
    const libc = testLibc()
    const view = new DataView(new ArrayBuffer(8))
    const at = libc.addressOf(view.buffer)
    const [levelIpv4, mtuDiscovery, want, probe] = [0, 10, 1, 3]
    const discoveryOf = ({ descriptor }: UdpSocket) => {
      view.setInt32(4, 4, true)
      assert.equal(libc.getsockopt(descriptor, levelIpv4, mtuDiscovery, at, at + 4n), 0)
      return view.getInt32(0, true)
    }
    const socket = UdpSocket.open(libc, loopback)
    assert.equal(discoveryOf(socket), probe)
    view.setInt32(0, want, true)
    libc.setsockopt(socket.descriptor, levelIpv4, mtuDiscovery, at, 4)
    assert.equal(discoveryOf(socket), want)
    assert.equal(discoveryOf(UdpSocket.inherit(libc, socket.descriptor, socket.endpoint)), probe)
    socket.close()
  })

  it('answers many queries of one client, with junk among them, each with its own id', async (test) => {
    const { door } = await opened(test)
    const socket = createSocket('udp4')
    test.after(() => socket.close())
    const ids = new Set<number>()
    socket.on('message', (answer) => ids.add(parseMessage(answer).id))
    const count = 500
    for (let id = 0; id < count; id++) {
      socket.send(queryFor('www.example.', 'A', { id }), door.endpoint.port, door.endpoint.host)
      socket.send(Uint8Array.of(1, 2, 3), door.endpoint.port, door.endpoint.host)
      if (id % 50 === 49) await eventually('the answers are there', () => ids.size === id + 1)
    }
    assert.equal(ids.size, count)
  })

  it('handles full batches of queries that fill their slots and have names that expand', async (test) => {
    const { door, log } = await opened(test, loopback, 1)
    const socket = createSocket('udp4')
    test.after(() => socket.close())
    const [plainId, strangeId] = [0x1234, 0x7777]
    const plain = queryFor('www.example.', 'A', { id: plainId })
    let answers = 0
    const ids = new Set<number>()
    socket.on('message', (answer) => {
      const { id, rcode } = parseMessage(answer)
      if (rcode === Rcode.NOERROR) answers++
      ids.add(id)
    })
    for (const bytes of [512, 1232, 1536, 2047, 2048, 4096]) {
      // A name with a pointer to the id, followed by as many bytes as fit. The last of them are the beginning of another query.
      const query = new Uint8Array(bytes)
      query.set([9, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0xc0, 0, 0, 1, 0, 1, 0, 0, 41, 4, 0xd0, 0, 0, 0, 0])
      const options = bytes - 29
      query.set([options >> 8, options & 0xff, 0xfd, 0xe9, (options - 4) >> 8, (options - 4) & 0xff], 27)
      query.set([strangeId >> 8, strangeId & 0xff, 0, 0, 0, 1, 0, 0, 0], bytes - 9)
      answers = 0
      const send = () => {
        for (const wire of [query, plain]) socket.send(wire, door.endpoint.port, door.endpoint.host)
      }
      for (let each = 0; each < 100; each++) send()
      await eventually('as many are answered', () => {
        // A burst may be larger than the socket buffer, so lost queries are repeated.
        if (answers < 100) send()
        return answers >= 100
      })
    }
    assert.deepEqual([...ids].sort(), [0x0901, plainId])
    assert.deepEqual(log.lines, [])
  })

  it('answers for zones that are published later, even in a new segment', async (test) => {
    const { door, tables } = await opened(test)
    const many = Array.from({ length: 6000 }, (_, index) => `n${index} A 192.0.2.2`)
    const zone = zoneOf('large.', 1, many)
    tables.publish(zone.origin, zone.rrsets())
    assert.ok(tables.segments.handle.segments.length > 1)
    for (let client = 0; client < 10; client++) {
      assert.equal(await address(door.endpoint, `n${client * 599}.large.`), '192.0.2.2')
    }
  })

  it('replaces a crashed thread on the same socket, so every client still gets answers', async (test) => {
    const { door, doors, log } = await opened(test, loopback, 2)
    const before = doors.workers
    await Promise.all(before.map((worker) => worker.terminate()))
    await eventually('both are replaced', () => doors.workers.every((worker) => !before.includes(worker)))
    for (let client = 0; client < 20; client++) assert.equal(await address(door.endpoint), '192.0.2.1')
    assert.equal(log.lines.filter(({ msg }) => msg.includes('crashed')).length, 2)
  })

  it('stops within a second, idle or busy, and releases the port', async (test) => {
    const stopMs = async (isBusy: boolean): Promise<number> => {
      const { door, close } = await opened(test)
      const socket = createSocket('udp4')
      const query = queryFor('www.example.', 'A')
      const sending = isBusy ? setInterval(() => socket.send(query, door.endpoint.port, '127.0.0.1'), 1) : undefined
      if (isBusy) await once(socket, 'message')
      const startedAtMs = performance.now()
      await close()
      const tookMs = performance.now() - startedAtMs
      clearInterval(sending)
      socket.close()
      const again = createSocket('udp4')
      again.bind(door.endpoint.port, '127.0.0.1')
      await once(again, 'listening')
      again.close()
      return tookMs
    }
    // The machine may be briefly busy, but is unlikely to be busy every time.
    for (const isBusy of [false, true])
      assert.ok(Math.min(await stopMs(isBusy), await stopMs(isBusy), await stopMs(isBusy)) < 1000)
  })

  it('loses no query when it stops: it answers earlier ones, and another door of the port gets new ones', async (test) => {
    const clients = Array.from({ length: 16 }, () => createSocket('udp4'))
    test.after(() => clients.map((client) => client.close()))
    let answers = 0
    for (const client of clients) client.on('message', () => answers++)
    let { door, close } = await opened(test)
    const query = queryFor('www.example.', 'A')
    let sent = 0
    for (let stops = 0; stops < 10; stops++) {
      const next = await opened(test, door.endpoint)
      const before = sent
      let isStopped = false
      const stopped = close().then(() => {
        isStopped = true
      })
      while (!isStopped || sent < before + 1000) {
        // Send no more at once than the socket buffers hold.
        for (const client of clients)
          for (let each = 0; each < 8; each++) client.send(query, door.endpoint.port, door.endpoint.host, () => sent++)
        await new Promise(setImmediate)
        await eventually('most are answered', () => answers > sent - 2000)
      }
      await stopped
      ;({ door, close } = next)
    }
    await eventually(`all are answered`, () => answers === sent).catch(() => {})
    assert.equal(answers, sent)
  })

  it('rejects with the code EADDRINUSE when the port is taken', async (test) => {
    const socket = createSocket('udp4')
    socket.bind(0, '127.0.0.1')
    await once(socket, 'listening')
    test.after(() => socket.close())
    await assert.rejects(opened(test, { host: '127.0.0.1', port: socket.address().port }), { code: 'EADDRINUSE' })
  })
})

describe('the choice of the door', () => {
  const broken = () => {
    throw new Error('no such thing here')
  }

  it('is the fast one where it works, with one thread for each processor', () => {
    const chosen = chooseDoor('auto', undefined, keptLog())
    assert.ok(chosen.kind === 'fast' && chosen.threads >= 1)
    assert.ok(chooseDoor('portable', undefined, keptLog()).kind === 'portable')
  })

  it('falls back to the portable one with one log line, unless the fast one is required', () => {
    const log = keptLog()
    assert.deepEqual(chooseDoor('auto', undefined, log, broken), { kind: 'portable' })
    assert.deepEqual(log.lines, [{ level: 'info', msg: 'the portable door is used', reason: 'no such thing here' }])
    assert.throws(() => chooseDoor('fast', undefined, log, broken), /--door fast: no such thing here/)
  })
})
