import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { connect, type TLSSocket } from 'node:tls'
import { FrameReader, frame, type Message, Namespace, readMessage, writeMessage, xmlReader } from '@zonewright/epp'
import * as libxml from 'libxml2-wasm'
import { startRegistryDns } from '../dns/start-registry-dns.ts'

const dataDir = await mkdtemp(join(tmpdir(), 'zonewright-registry-epp-'))
const registry = await startRegistryDns({
  dataDir,
  dnsListen: '127.0.0.1:0',
  httpListen: '127.0.0.1:0',
  eppListen: '127.0.0.1:0',
  tlds: ['test', 'com.test'],
  servers: [{ name: 'ns.nic.test', address: '127.0.0.1' }],
  hosts: [{ name: 'ns1.zonewright.test', address: '192.0.2.1' }],
})
after(async () => {
  await registry.close()
  await rm(dataDir, { recursive: true })
})
const access = registry.epp?.access['zonewright']
assert.ok(access)
const password = (await readFile(access.password_file, 'utf8')).trim()
const readXml = xmlReader(libxml)

/** A client that can send anything. */
class RawClient {
  readonly #socket: TLSSocket
  readonly #frames = new FrameReader()
  readonly #messages: Message[] = []

  private constructor(socket: TLSSocket) {
    this.#socket = socket
    socket.on('error', () => undefined)
    socket.on('data', (chunk: Buffer) => {
      this.#messages.push(...this.#frames.feed(chunk).map((document) => readMessage(readXml(document))))
      socket.emit('message')
    })
  }

  static async open(): Promise<RawClient> {
    assert.ok(access)
    const { host, port, ca_file, cert_file, key_file, server_name } = access
    const [ca, cert, key] = await Promise.all([ca_file, cert_file, key_file].map((file) => readFile(file)))
    const client = new RawClient(connect({ host, port, ca, cert, key, servername: server_name } as never))
    after(() => client.#socket.destroy())
    assert.equal((await client.next()).kind, 'greeting')
    return client
  }

  async next(): Promise<Message> {
    for (;;) {
      const message = this.#messages.shift()
      if (message !== undefined) return message
      await once(this.#socket, 'message')
    }
  }

  /** The code of the answer to a document. */
  async code(document: string): Promise<number> {
    this.#socket.write(frame(Buffer.from(document)))
    const message = await this.next()
    return message.kind === 'response' ? message.response.results[0].code : 0
  }

  write(bytes: Uint8Array): void {
    this.#socket.write(bytes)
  }

  async closed(): Promise<void> {
    if (!this.#socket.closed) await once(this.#socket, 'close')
  }
}

function login(more: { password?: string; objects?: string[]; extensions?: string[] } = {}): string {
  const services = {
    objects: more.objects ?? [Namespace.domain],
    ...(more.extensions && { extensions: more.extensions }),
  }
  const options = { version: '1.0', language: 'en' }
  const body = { registrarId: 'zonewright', password: more.password ?? password, options, services }
  return writeMessage({ kind: 'command', command: { kind: 'login', body, extensions: {} } })
}

const check = writeMessage({
  kind: 'command',
  command: { kind: 'domain:check', body: { ids: ['a.test'] }, extensions: {} },
})

test('a command before the login is refused, and a logout closes the connection', async () => {
  const client = await RawClient.open()
  assert.equal(await client.code(check), 2002)
  assert.equal(await client.code(login()), 1000)
  assert.equal(await client.code(login()), 2002)
  assert.equal(await client.code(check), 1000)
  const logout = writeMessage({ kind: 'command', command: { kind: 'logout', body: null, extensions: {} } })
  assert.equal(await client.code(logout), 1500)
  await client.closed()
})

test('a login is only for services that exist, and the third refused one closes the connection', async () => {
  const client = await RawClient.open()
  assert.equal(await client.code(login({ objects: ['urn:example:unheard-of'] })), 2307)
  assert.equal(await client.code(login({ extensions: ['urn:example:unheard-of'] })), 2103)
  assert.equal(await client.code(login({ password: 'not-this-one' })), 2501)
  await client.closed()
})

test('invalid EPP is answered with an error, and the session continues', async () => {
  const client = await RawClient.open()
  assert.equal(await client.code(login()), 1000)
  assert.equal(await client.code('<!DOCTYPE epp [<!ENTITY a "b">]><epp>&a;</epp>'), 2001)
  assert.equal(await client.code('<epp'), 2001)
  assert.equal(await client.code(check.replaceAll('domain:check', 'domain:chuck')), 2001)
  assert.equal(await client.code(check.replace('a.test', `${'a'.repeat(300)}.test`)), 2005)
  assert.equal(await client.code(check.replace('a.test', '')), 2005)
  assert.equal(await client.code(check), 1000)
})

test('a frame with an impossible length, or one that is too large, closes the connection', async () => {
  for (const length of [0x7fff_ffff, 300_000, 3]) {
    const client = await RawClient.open()
    const header = Buffer.alloc(4)
    header.writeUInt32BE(length)
    client.write(header)
    await client.closed()
  }
})

test('commands that arrive together are answered in order', async () => {
  const client = await RawClient.open()
  assert.equal(await client.code(login()), 1000)
  const named = (id: string) =>
    frame(
      Buffer.from(
        writeMessage({
          kind: 'command',
          command: { kind: 'domain:check', body: { ids: [id] }, extensions: {}, clTrid: id },
        }),
      ),
    )
  const ids = ['one.test', 'two.test', 'three.test']
  client.write(Buffer.concat(ids.map(named)))
  for (const id of ids) {
    const message = await client.next()
    assert.equal(message.kind === 'response' && message.response.transaction.clTrid, id)
  }
})

test('a behavior, a clock and a balance are validated before they take effect', async () => {
  const put = async (path: string, body: unknown): Promise<number> =>
    (await fetch(`http://${registry.httpAddress}/epp/${path}`, { method: 'PUT', body: JSON.stringify(body) })).status
  assert.equal(await put('behaviour', { answer: 'shout' }), 422)
  assert.equal(await put('behaviour', { code: 1234 }), 422)
  assert.equal(await put('clock', { ahead_days: -1 }), 422)
  assert.equal(await put('registrars/zonewright', { balance: '1.234' }), 422)
  assert.equal(await put('registrars/nobody', { balance: '1.00' }), 404)
  assert.equal(await put('registrars/zonewright', { balance: '12.5' }), 200)
  assert.equal(await put('nothing', {}), 404)
})
