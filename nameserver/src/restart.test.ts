// Restarts that leave no query unanswered: two instances share the sockets and the store. `DRILL=true` runs 20 restarts.
import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { frame, Rcode } from '@zonewright/dns'
import type { Endpoint } from './endpoint.ts'
import { queryFor } from './testing/ask.ts'
import { eventually } from './testing/eventually.ts'
import { addressAt, runPrimary, serialAt, temporaryDirectory, untilSerial } from './testing/run-secondary.ts'
import { catalogName, type ScriptedPrimary, testKey } from './testing/scripted-primary.ts'
import { SocketUnit } from './testing/socket-unit.ts'
import { endBy, runToEnd } from './testing/spawn-nameserver.ts'

const restarts = process.env['DRILL'] === 'true' ? 20 : 3
const large = Array.from({ length: 300 }, (_, index) => `n${index} A 192.0.2.9`)

async function setting(test: TestContext) {
  const primary = await runPrimary(test)
  const directory = temporaryDirectory(test)
  const tsigFile = join(directory, 'tsig')
  writeFileSync(tsigFile, `hmac-sha256:test-key:${Buffer.from(testKey.secret).toString('base64')}\n`)
  const from = ['--primary', `127.0.0.1:${primary.endpoint.port}`, '--catalog', catalogName, '--tsig', tsigFile]
  primary.publish('example.', 1, ['www A 192.0.2.1'])
  primary.publish('large.', 1, large)
  for (const zone of ['example.', 'large.']) primary.list(zone)
  const unit = SocketUnit.open(test)
  const args = [...from, '--store', join(directory, 'store'), '--rrl', 'off']
  const first = await unit.start(test, args)
  for (const zone of ['example.', 'large.']) await untilSerial(unit.endpoint, zone, 1)
  return { primary, directory, args, unit, first }
}

/** Sends queries over UDP at a fixed rate, with a limit on open queries, and over TCP with a connection for each. No query is repeated. */
function startLoad(test: TestContext, { host, port }: Endpoint, udpRate: number) {
  const query = queryFor('example.', 'SOA')
  const counts = { udp: 0, tcp: 0, unanswered: { udp: 0, tcp: 0 }, wrong: 0 }
  const sockets = Array.from({ length: 64 }, () => createSocket('udp4'))
  const waiting = sockets.map(() => new Set<number>())
  let id = 0
  let isOver = false
  test.after(() => {
    isOver = true
  })
  const check = (wire: Uint8Array) => {
    // The rcode, and whether there is an answer.
    if (((wire[3] ?? 0) & 15) !== Rcode.NOERROR || wire[7] !== 1) counts.wrong++
  }
  for (const [index, socket] of sockets.entries())
    socket.on('message', (wire) => {
      const asked = ((wire[0] ?? 0) << 8) | (wire[1] ?? 0)
      if (waiting[index]?.delete(asked)) check(wire)
    })
  const startedAtMs = performance.now()
  const send = () => {
    const due = ((performance.now() - startedAtMs) * udpRate) / 1000
    for (const [index, socket] of sockets.entries()) {
      const open = waiting[index]
      if (!open || open.size >= 4 || counts.udp >= due) continue
      id = (id + 1) & 0xffff
      const wire = query.slice()
      wire[0] = id >> 8
      wire[1] = id & 0xff
      open.add(id)
      counts.udp++
      socket.send(wire, port, host)
    }
  }
  const sending = (async () => {
    while (!isOver) {
      send()
      await new Promise(setImmediate)
    }
  })()
  const tcpClient = async () => {
    while (!isOver) {
      const socket = connect({ host, port })
      counts.tcp++
      try {
        socket.end(frame(query))
        const chunks: Buffer[] = []
        for await (const chunk of socket) chunks.push(chunk)
        const answer = Buffer.concat(chunks)
        if (answer.length > 2) check(answer.subarray(2))
        else counts.unanswered.tcp++
      } catch {
        counts.unanswered.tcp++
      }
    }
  }
  const clients = Array.from({ length: 4 }, tcpClient)
  const stop = async () => {
    isOver = true
    await Promise.all([sending, ...clients])
    const isAnswered = () => waiting.every((open) => open.size === 0)
    await eventually('all are answered', isAnswered).catch(() => {})
    counts.unanswered.udp += waiting.reduce((sum, open) => sum + open.size, 0)
    for (const socket of sockets) socket.close()
    return { ...counts, rate: Math.round(counts.udp / ((performance.now() - startedAtMs) / 1000)) }
  }
  return { stop }
}

/** Changes both zones and sends a NOTIFY, until it is stopped. */
function startChanges(test: TestContext, primary: ScriptedPrimary, endpoint: Endpoint) {
  let serial = 1
  let isOver = false
  test.after(() => {
    isOver = true
  })
  const changing = (async () => {
    while (!isOver) {
      serial++
      primary.publish('example.', serial, [`www A 192.0.2.${serial % 256}`])
      primary.publish('large.', serial, [...large, `x${serial} A 192.0.2.1`])
      for (const zone of ['example.', 'large.']) await primary.notify(endpoint, zone)
      await untilSerial(endpoint, 'example.', serial)
    }
  })()
  return {
    stop: async () => {
      isOver = true
      await changing
      return serial
    },
  }
}

describe('a restart with shared sockets', () => {
  it(`loses no query and no change, ${restarts} times, over UDP and TCP`, async (test) => {
    const { primary, directory, args, unit, first } = await setting(test)
    const load = startLoad(test, unit.endpoint, 10_000)
    const changes = startChanges(test, primary, unit.endpoint)
    let running = first
    for (let restart = 0; restart < restarts; restart++) {
      const next = await unit.start(test, args)
      assert.equal((await endBy('SIGTERM', running)).code, 0)
      await eventually('the second writes', () => next.stderr().includes('written by this process'))
      running = next
    }
    const serial = await changes.stop()
    const { unanswered, wrong, udp, tcp, rate } = await load.stop()
    test.diagnostic(
      `${udp} queries over UDP (${rate} a second), ${tcp} over TCP, ${serial} changes; unanswered: ${unanswered.udp} and ${unanswered.tcp}`,
    )
    assert.deepEqual({ unanswered, wrong }, { unanswered: { udp: 0, tcp: 0 }, wrong: 0 })
    await untilSerial(unit.endpoint, 'large.', serial)
    // It serves what the last instance wrote, without transferring a whole zone.
    await endBy('SIGTERM', running)
    primary.asked.length = 0
    const again = await unit.start(test, args)
    assert.equal(await serialAt(unit.endpoint, 'large.'), serial)
    assert.equal(await addressAt(unit.endpoint, `x${serial}.large.`), '192.0.2.1')
    assert.equal(await addressAt(unit.endpoint, `x${serial - 1}.large.`), `rcode ${Rcode.NXDOMAIN}`)
    assert.ok(!primary.asked.some((asked) => asked.startsWith('AXFR')), primary.asked.join())
    assert.doesNotMatch(again.stderr(), /lost rows|corrupt/)
    assert.ok(readFileSync(join(directory, 'store', 'zones.sqlite')).length > 0)
  })

  it('a NOTIFY reaches both instances, whichever of them reads it', async (test) => {
    const { primary, args, unit } = await setting(test)
    const second = await unit.start(test, args)
    for (let serial = 2; serial < 12; serial++) {
      primary.publish('example.', serial, [`www A 192.0.2.${serial}`])
      await primary.notify(unit.endpoint, 'example.')
      // Each query comes from its own port, and either instance may read it.
      let inSuccession = 0
      await eventually('both have it', async () => {
        inSuccession = (await serialAt(unit.endpoint, 'example.')) === serial ? inSuccession + 1 : 0
        return inSuccession >= 20
      })
    }
    assert.doesNotMatch(second.stderr(), /written by this process/)
  })

  it('a failed start does not affect the other instance', async (test) => {
    const { args, unit, primary } = await setting(test)
    const wrong = args.with(args.indexOf('off'), 'nonsense')
    await assert.rejects(unit.start(test, wrong), /--rrl nonsense/)
    await assert.rejects(unit.start(test, [...args, '--listen', '127.0.0.1:5353']), /remove --listen/)
    await assert.rejects(unit.start(test, args, unit.descriptors.slice(0, -1)), /has no ListenStream=127\.0\.0\.1:/)
    await assert.rejects(unit.start(test, args, unit.descriptors.slice(-1)), /has no ListenDatagram=127\.0\.0\.1:/)
    await assert.rejects(unit.start(test, [...args, '--door', 'portable']), /need --door fast/)
    const apart = await runToEnd(test, ['--listen', '127.0.0.1:0', ...args])
    assert.match(apart.stderr, /in use by another process/)
    primary.publish('example.', 2, ['www A 192.0.2.2'])
    await primary.notify(unit.endpoint, 'example.')
    await untilSerial(unit.endpoint, 'example.', 2)
  })

  it('the other instance becomes the writer after kill -9 of the writer', async (test) => {
    const { args, unit, first, primary } = await setting(test)
    const second = await unit.start(test, args)
    await endBy('SIGKILL', first)
    await eventually('the second writes', () => second.stderr().includes('written by this process'))
    primary.publish('example.', 2, ['www A 192.0.2.2'])
    await primary.notify(unit.endpoint, 'example.')
    await untilSerial(unit.endpoint, 'example.', 2)
    await endBy('SIGTERM', second)
    await primary.stop()
    await unit.start(test, args)
    assert.equal(await addressAt(unit.endpoint, 'www.example.'), '192.0.2.2')
  })
})
