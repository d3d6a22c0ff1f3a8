// DNS over TLS, renewed certificates, and the connections of a server that anyone may reach.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { connect as connectTls } from 'node:tls'
import { Rcode } from '@zonewright/dns'
import { createAuthority } from '@zonewright/sandbox'
import { openDnsServer } from '#modules/primary/index.ts'
import { createLogger } from '#platform/log.ts'
import { add, DoorClient, question, startTestDoor, updateOf } from '#testing/dns-door/test-door.ts'
import { startTestApi } from '#testing/test-api.ts'

const folder = mkdtempSync(join(tmpdir(), 'zonewright-door-'))
after(() => rmSync(folder, { recursive: true }))
const [certFile, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
const authority = createAuthority('Authority of a test')
const dayMs = 24 * 60 * 60_000
const install = (host: string, days = 30): void => {
  const { cert, key } = authority.issue([host], { validUntil: new Date(Date.now() + days * dayMs) })
  writeFileSync(certFile, cert)
  writeFileSync(keyFile, key)
}
install('door.example')

const api = await startTestApi()
const door = await startTestDoor(api, { tls: { certFile, keyFile } })
const address = door.tlsAddress ?? assert.fail('the door has TLS')
const owner = await api.account('owner@example.net')
await api.zone(owner, 'example.com')
const key = await door.key(owner)
const options = { ca: authority.cert, servername: 'door.example', ALPNProtocols: ['dot'] }

/** Days until the certificate expires, as `/metrics` shows it. */
async function daysLeft(of = door): Promise<number> {
  const page = await of.metrics.metrics()
  return Number(/^zonewright_door_certificate_expiry_seconds (\S+)$/m.exec(page)?.[1]) / (dayMs / 1_000)
}

test('a door without TLS has no certificate that could expire', async () => {
  assert.ok(Number.isNaN(await daysLeft(await startTestDoor(api))))
})

test('updates and queries work over TLS 1.3 with the ALPN protocol dot', async () => {
  const { client, socket } = await DoorClient.connectTls(address, options)
  assert.deepEqual([socket.getProtocol(), socket.alpnProtocol], ['TLSv1.3', 'dot'])
  const update = updateOf('example.com', [add('tls.example.com', 'A', '192.0.2.1')])
  assert.equal((await client.ask(update, key.tsig)).rcode, Rcode.NOERROR)
  assert.equal((await client.ask(question('tls.example.com.', 'A'), key.tsig)).message.answers.length, 1)
  client.close()
})

test('refuses TLS 1.2, and ALPN protocols other than dot', async () => {
  for (const other of [{ maxVersion: 'TLSv1.2' as const }, { ALPNProtocols: ['http/1.1'] }]) {
    const socket = connectTls({ ...options, ...other, host: address.host, port: address.port })
    const [error] = (await once(socket, 'error')) as [Error]
    assert.match(error.message, /alert/)
  }
})

test('new connections use a renewed certificate, but not one that is invalid', async () => {
  const { client } = await DoorClient.connectTls(address, options)
  assert.ok(Math.abs((await daysLeft()) - 30) < 0.1, 'the metric is of the certificate in use')
  install('renewed.example', 60)
  assert.ok(Math.abs((await daysLeft()) - 30) < 0.1)
  door.renewCertificate()
  assert.ok(Math.abs((await daysLeft()) - 60) < 0.1)
  const renewed = await DoorClient.connectTls(address, { ...options, servername: 'renewed.example' })
  assert.equal(renewed.socket.getPeerX509Certificate()?.checkHost('renewed.example'), 'renewed.example')
  renewed.client.close()
  assert.equal((await client.askUnsigned(question('example.com.', 'SOA'))).rcode, Rcode.NOERROR, 'an open connection')
  client.close()
  writeFileSync(certFile, 'no certificate')
  door.renewCertificate()
  assert.ok(Math.abs((await daysLeft()) - 60) < 0.1)
  const again = await DoorClient.connectTls(address, { ...options, servername: 'renewed.example' })
  again.client.close()
})

test('a connection above the limit closes the one of its network that has been silent longest', async () => {
  const server = await openDnsServer({
    listen: { host: '127.0.0.1', port: 0 },
    answer: async (wire, _transport, { send }) => send(wire),
    limits: { connections: 10, queries: 10, silence: { silentMs: 60_000, crowdedMs: 30_000, perClient: 3 } },
    log: createLogger('test', 'silent'),
  })
  const open = async () => {
    const socket = connect(server.address.port, server.address.host)
    await once(socket, 'connect')
    const echo = async (): Promise<void> => {
      socket.write(Buffer.from([0, 12, ...Array.from({ length: 12 }, () => 0)]))
      await once(socket, 'data')
    }
    await echo()
    return { socket, echo }
  }
  const [first, second] = [await open(), await open(), await open()]
  await first?.echo()
  const isClosed = once(second?.socket ?? assert.fail(), 'close')
  const fourth = await open()
  await isClosed
  await first?.echo()
  fourth.socket.destroy()
  await server.close(0)
})

test('a handshake above the limit ends the one that has lasted longest, but no connection with a complete handshake', async () => {
  install('door.example')
  const server = await openDnsServer({
    listen: { host: '127.0.0.1', port: 0 },
    tls: {
      listen: { host: '127.0.0.1', port: 0 },
      certificate: { cert: readFileSync(certFile), key: readFileSync(keyFile) },
    },
    answer: async (wire, _transport, { send }) => send(wire),
    limits: { connections: 3, queries: 10, silence: { silentMs: 60_000, crowdedMs: 30_000, perClient: 3 } },
    log: createLogger('test', 'silent'),
  })
  const at = server.tlsAddress ?? assert.fail('the server has TLS')
  const complete = await DoorClient.connectTls(at, options)
  const begin = async () => {
    const socket = connect(at.port, at.host)
    socket.on('error', () => undefined).resume()
    await once(socket, 'connect')
    return socket
  }
  const oldest = await begin()
  const isClosed = new Promise((resolve) => oldest.once('close', resolve))
  const others = [await begin(), await begin(), await begin()]
  await isClosed
  assert.equal(complete.socket.destroyed, false)
  for (const socket of others) socket.destroy()
  complete.client.close()
  await server.close(0)
})

test('a connection that gets no answer for a while is closed', async () => {
  const server = await openDnsServer({
    listen: { host: '127.0.0.1', port: 0 },
    answer: async (wire, _transport, { send }) => send(wire),
    limits: { connections: 10, queries: 10, silence: { silentMs: 200, crowdedMs: 100, perClient: 10 } },
    log: createLogger('test', 'silent'),
  })
  const socket = connect(server.address.port, server.address.host)
  socket.on('error', () => undefined).resume()
  await once(socket, 'connect')
  // Bytes of a message that never ends do not keep the connection open.
  socket.write(Buffer.from([0xff, 0xff]))
  const dripping = setInterval(() => socket.write(Buffer.from([0])), 20)
  // Not `once`, which an error ends: bytes that arrive after the end reset the connection.
  await new Promise((resolve) => socket.once('close', resolve))
  clearInterval(dripping)
  await server.close(0)
})
