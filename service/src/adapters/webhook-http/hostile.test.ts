import assert from 'node:assert/strict'
import { createServer as createTcpServer } from 'node:net'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { createServer, type TLSSocket } from 'node:tls'
import { gzipSync } from 'node:zlib'
import type { WebhookAnswer, WebhookHttp } from '#ports/webhook-http.ts'
import { startTestDns } from '#testing/test-dns.ts'
import { createTestAuthority, listen } from '#testing/webhook-http/test-receiver.ts'
import { createResolve, createWebhookHttp } from './index.ts'

// Receivers and names that are malicious or broken, over real DNS and real TLS.

const { authority, caFile } = await createTestAuthority('Hostile')
const dns = await startTestDns()
after(() => dns.close())
const certificate = authority.issue(['hooks.example.com', 'other.example.com', '127.0.0.1'])

/** A TLS server that runs `act` for each request, and counts its connections. */
async function receiver(
  act: (socket: TLSSocket) => void,
  options: { cert: string; key: string } = certificate,
): Promise<{ port: number; connections: () => number }> {
  let connections = 0
  const server = createServer(options, (socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => act(socket))
  })
  server.on('connection', () => {
    connections += 1
  })
  server.on('tlsClientError', () => undefined)
  return { port: await listen(server), connections: () => connections }
}

/** A client that trusts these addresses, as tests need it. Everything else passes through the guard. */
function client(...trustedTargets: string[]): WebhookHttp {
  const resolve = createResolve([`${dns.address.host}:${dns.address.port}`])
  const http = createWebhookHttp({ trustedTargets, caFile, resolve })
  after(() => http.close())
  return http
}

function post(http: WebhookHttp, url: string): Promise<WebhookAnswer> {
  return http.post({ url, headers: { 'Content-Type': 'application/json' }, body: Buffer.from('{}') })
}

const ok = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\nok'
const answerOk = (socket: TLSSocket): void => void socket.end(ok)

/** The outcome of a post to a receiver that behaves like this. */
async function outcome(
  act: (socket: TLSSocket) => void,
  options?: { cert: string; key: string },
): Promise<WebhookAnswer> {
  const { port } = await receiver(act, options)
  return await post(client(`127.0.0.1:${port}`), `https://127.0.0.1:${port}/`)
}

test('looks up a name once per connection with our own resolver, and connects to the checked address', async () => {
  const { port, connections } = await receiver(answerOk)
  dns.set('hooks.example.com', 'A', ['127.0.0.1'])
  const http = client(`127.0.0.1:${port}`)
  const before = dns.asked.length
  const answer = await post(http, `https://hooks.example.com:${port}/`)
  assert.deepEqual([answer.status, answer.failure], [200, null])
  assert.deepEqual(dns.asked.slice(before).sort(), ['udp A hooks.example.com', 'udp AAAA hooks.example.com'].sort())
  assert.equal(connections(), 1)
})

test('refuses a name that is public when saved and private when called, without any connection', async () => {
  const { port, connections } = await receiver(answerOk)
  const http = client()
  for (const [type, address] of [
    ['A', '127.0.0.1'],
    ['A', '10.1.2.3'],
    ['A', '169.254.169.254'],
    ['AAAA', '::1'],
    ['AAAA', 'fd00::1'],
    ['AAAA', '::ffff:127.0.0.1'],
    ['AAAA', '64:ff9b::7f00:1'],
  ] as const) {
    dns.set('other.example.com', 'AAAA', [])
    dns.set('other.example.com', 'A', ['93.184.215.14'])
    assert.equal(await http.refusal(`https://other.example.com:${port}/`), null)
    dns.set('other.example.com', type, [address])
    assert.equal((await post(http, `https://other.example.com:${port}/`)).failure, 'refused_address', address)
    assert.equal(await http.refusal(`https://other.example.com:${port}/`), 'The address is not public.', address)
  }
  assert.equal(connections(), 0)
})

test('one private address of any family among public ones is enough for a refusal', async () => {
  const http = client()
  dns.set('mixed.example.com', 'A', ['93.184.215.14', '192.168.0.1'])
  assert.equal((await post(http, 'https://mixed.example.com/')).failure, 'refused_address')
  dns.set('both.example.com', 'A', ['93.184.215.14'])
  dns.set('both.example.com', 'AAAA', ['fe80::1'])
  assert.equal((await post(http, 'https://both.example.com/')).failure, 'refused_address')
})

test('a trusted address is trusted only on its port', async () => {
  const { port } = await receiver(answerOk)
  const { port: another, connections } = await receiver(answerOk)
  dns.set('hooks.example.com', 'A', ['127.0.0.1'])
  const http = client(`127.0.0.1:${port}`)
  assert.equal((await post(http, `https://hooks.example.com:${port}/`)).failure, null)
  assert.equal((await post(http, `https://hooks.example.com:${another}/`)).failure, 'refused_address')
  assert.equal(connections(), 0)
})

test('no spelling of a private address reaches it, even though a receiver listens there', async () => {
  const { port, connections } = await receiver(answerOk)
  const http = client()
  for (const host of [
    '127.0.0.1',
    '127.1',
    '127.0.1',
    '2130706433',
    '0x7f000001',
    '0x7f.1',
    '0177.0.0.1',
    '017700000001',
    '127.0.0.1.',
    '１２７.0.0.1',
    '127。0。0。1',
    '%31%32%37.0.0.1',
    '0',
    '0.0.0.0',
    '[::]',
    '[::1]',
    '[0:0:0:0:0:0:0:1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::7f00:1]',
    '[64:ff9b::127.0.0.1]',
    '[2002:7f00:1::]',
    'localhost',
    'LOCALHOST.',
    'app.localhost',
    'printer.local',
    'metadata.internal',
  ]) {
    const url = `https://${host}:${port}/`
    assert.equal((await post(http, url)).failure, 'refused_address', url)
    assert.notEqual(await http.refusal(url), null, url)
  }
  assert.equal(connections(), 0)
})

test('a name that does not exist, or whose DNS server is broken, fails as dns; a silent server as dns or timeout', async () => {
  const http = client()
  assert.equal((await post(http, 'https://gone.example.com/')).failure, 'dns')
  dns.mode = 'servfail'
  assert.equal((await post(http, 'https://hooks.example.com/')).failure, 'dns')
  dns.mode = 'silent'
  const began = performance.now()
  assert.match((await post(http, 'https://hooks.example.com/')).failure ?? '', /^(dns|timeout)$/)
  assert.ok(performance.now() - began < 20_000)
  dns.mode = 'good'
})

test('fetches DNS answers that do not fit into UDP over TCP', async () => {
  const { port } = await receiver(answerOk)
  dns.set('hooks.example.com', 'A', ['127.0.0.1'])
  dns.mode = 'cut'
  try {
    assert.equal((await post(client(`127.0.0.1:${port}`), `https://hooks.example.com:${port}/`)).failure, null)
  } finally {
    dns.mode = 'good'
  }
})

test('an expired certificate, and one for another name, fail as tls', async () => {
  const expired = authority.issue(['127.0.0.1'], { validUntil: new Date(Date.now() - 60_000) })
  assert.equal((await outcome(answerOk, expired)).failure, 'tls')
  assert.equal((await outcome(answerOk, authority.issue(['elsewhere.example.com']))).failure, 'tls')
})

/** Writes until the other side has closed the connection. */
function endlessly(socket: TLSSocket, chunk: string): void {
  const write = (): void => {
    while (socket.writable && socket.write(chunk));
    if (socket.writable) socket.once('drain', write)
  }
  write()
}

test('endless headers are too large', async () => {
  const answer = await outcome((socket) => {
    socket.write('HTTP/1.1 200 OK\r\n')
    endlessly(socket, `x-more: ${'a'.repeat(1_000)}\r\n`)
  })
  assert.deepEqual([answer.status, answer.failure], [null, 'too_large'])
})

test('an endless body, and one that decompresses to many megabytes, cost at most 16 KiB and do not change the outcome', async () => {
  const endless = await outcome((socket) => {
    socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n')
    endlessly(socket, `1000\r\n${'b'.repeat(4_096)}\r\n`)
  })
  assert.deepEqual([endless.status, endless.failure, endless.body?.length], [200, null, 16_384])
  const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024))
  const packed = await outcome((socket) => {
    socket.write(`HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`)
    socket.write(bomb)
  })
  assert.deepEqual([packed.status, packed.failure], [200, null])
  assert.ok((packed.body?.length ?? 0) <= 16_384)
})

test('headers at one byte per second time out after ten seconds in total', async () => {
  const drip = (text: string, everyMs: number) => (socket: TLSSocket) => {
    let at = 0
    const timer = setInterval(() => socket.write(text[at++ % text.length] ?? ''), everyMs)
    socket.once('close', () => clearInterval(timer))
  }
  const began = performance.now()
  const dripped = await outcome(drip('HTTP/1.1 200 OK\r\nx-a: '.padEnd(10_000, 'a'), 1_000))
  const tookMs = performance.now() - began
  assert.deepEqual(
    [dripped.status, dripped.failure, dripped.failureDetail],
    [null, 'timeout', 'The receiver began to answer but did not complete the response headers within 10 seconds.'],
  )
  assert.ok(tookMs > 9_900 && tookMs < 20_000, `${tookMs} ms`)
})

test('slow lookups, connections and TLS handshakes count toward the ten seconds', async () => {
  const port = await listen(createTcpServer())
  const trusted = createWebhookHttp({
    trustedTargets: [`127.0.0.1:${port}`],
    caFile,
    resolve: async () => {
      await delay(8_000)
      return [{ address: '127.0.0.1', family: 4 }]
    },
  })
  after(() => trusted.close())
  const began = performance.now()
  const [shook, looked] = await Promise.all([
    post(client(`127.0.0.1:${port}`), `https://127.0.0.1:${port}/`),
    post(trusted, `https://hooks.example.com:${port}/`),
  ])
  const tookMs = performance.now() - began
  assert.deepEqual(
    [shook.failure, shook.failureDetail],
    ['timeout', 'The TLS handshake with 127.0.0.1 did not finish within 10 seconds.'],
  )
  assert.deepEqual(
    [looked.failure, looked.failureDetail],
    ['timeout', 'The TLS handshake with hooks.example.com did not finish within 10 seconds.'],
  )
  // Ten seconds for the handshake alone, after eight for the lookup, would be eighteen.
  assert.ok(tookMs > 9_900 && tookMs < 17_000, `${tookMs} ms`)
})

test('a reset before or within the response headers fails as connect; after them, it changes nothing', async () => {
  assert.equal((await outcome((socket) => void socket.destroy())).failure, 'connect')
  assert.equal(
    (
      await outcome((socket) => {
        socket.write('HTTP/1.1 200 OK\r\nx-', () => socket.destroy())
      })
    ).failure,
    'connect',
  )
  const answer = await outcome((socket) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf', () => setTimeout(() => socket.destroy(), 50))
  })
  assert.deepEqual([answer.status, answer.failure, answer.body], [200, null, 'half'])
})
