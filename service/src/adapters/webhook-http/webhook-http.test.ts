import assert from 'node:assert/strict'
import type { RequestListener } from 'node:http'
import { createServer, type ServerOptions } from 'node:https'
import { createServer as createTcpServer } from 'node:net'
import { after, test } from 'node:test'
import { createServer as createTlsServer } from 'node:tls'
import { gzipSync } from 'node:zlib'
import { createAuthority } from '@zonewright/sandbox'
import { GivenUp, type WebhookAnswer, type WebhookHttp } from '#ports/webhook-http.ts'
import { standStill } from '#testing/stand-still.ts'
import { createTestAuthority, listen } from '#testing/webhook-http/test-receiver.ts'
import { createWebhookHttp } from './index.ts'
import type { Address } from './resolve.ts'

const { authority, caFile } = await createTestAuthority('Tests of webhook-http')
const certificate = authority.issue(['localhost', '127.0.0.1', 'hooks.example.com'])

const loopback: Address = { address: '127.0.0.1', family: 4 }

function receiver(answer: RequestListener, options: ServerOptions = certificate): Promise<number> {
  return listen(createServer({ ...certificate, ...options }, answer))
}

function client(ports: readonly number[], resolve?: (host: string) => Promise<Address[]>): WebhookHttp {
  const trustedTargets = ports.flatMap((port) => [
    `127.0.0.1:${port}`,
    `localhost:${port}`,
    `hooks.example.com:${port}`,
  ])
  const http = createWebhookHttp({ trustedTargets, caFile, ...(resolve && { resolve }) })
  after(() => http.close())
  return http
}

const headers = { 'Content-Type': 'application/json' }

function post(
  http: WebhookHttp,
  url: string,
  signal?: AbortSignal,
  untilMs = Number.POSITIVE_INFINITY,
): Promise<WebhookAnswer> {
  return http.post({ url, headers, body: Buffer.from('{"a":1}'), untilMs, ...(signal && { signal }) })
}

/** The outcome of posting to a receiver that answers like this. */
async function outcome(answer: RequestListener, options?: ServerOptions): Promise<WebhookAnswer> {
  const port = await receiver(answer, options)
  return await post(client([port]), `https://127.0.0.1:${port}/hooks?x=1`)
}

test('a 2xx is a success, and its headers and body are returned', async () => {
  const seen: string[] = []
  const answer = await outcome((request, response) => {
    seen.push(`${request.method} ${request.url} HTTP/${request.httpVersion} ${request.headers['content-length']}`)
    seen.push(String(request.headers['content-type']), String(request.headers['accept-encoding']))
    response.writeHead(204, { 'X-Note': 'thanks' }).end()
  })
  assert.deepEqual(seen, ['POST /hooks?x=1 HTTP/1.1 7', 'application/json', 'undefined'])
  assert.deepEqual([answer.status, answer.failure, answer.headers?.['x-note'], answer.body], [204, null, 'thanks', ''])
})

test('an answer that arrived while the process was frozen is no timeout, even after ten seconds', async () => {
  const answer = await outcome((_request, response) => {
    response.end()
    // By then, the answer is sent, and the sender has not read it.
    setImmediate(() => standStill(10_050))
  })
  assert.deepEqual([answer.status, answer.failure], [200, null])
})

test('another status is a failure with its status', async () => {
  const answer = await outcome((_request, response) => response.writeHead(404).end('no such hook'))
  assert.deepEqual([answer.status, answer.failure, answer.body], [404, 'status', 'no such hook'])
})

test('a redirect is a failure and is not followed', async () => {
  let requests = 0
  const answer = await outcome((_request, response) => {
    requests += 1
    response.writeHead(307, { location: '/elsewhere' }).end()
  })
  assert.deepEqual([answer.status, answer.failure, requests], [307, 'redirect', 1])
})

test('keeps the first 16 KiB of a body and does not decompress it', async () => {
  const long = await outcome((_request, response) => response.end('x'.repeat(1_000_000)))
  assert.deepEqual([long.failure, long.body?.length], [null, 16_384])
  const packed = gzipSync('y'.repeat(10_000_000))
  const bomb = await outcome((_request, response) =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(packed),
  )
  assert.equal(bomb.failure, null)
  assert.ok((bomb.body?.length ?? 0) <= packed.length)
})

test('headers over 64 KiB are too large', async () => {
  const answer = await outcome((_request, response) => {
    response
      .writeHead(200, Object.fromEntries(Array.from({ length: 70 }, (_, i) => [`x-${i}`, 'a'.repeat(1_000)])))
      .end()
  })
  assert.deepEqual([answer.status, answer.failure], [null, 'too_large'])
  const fits = await outcome((_request, response) => {
    response
      .writeHead(200, Object.fromEntries(Array.from({ length: 55 }, (_, i) => [`x-${i}`, 'a'.repeat(1_000)])))
      .end()
  })
  assert.equal(fits.failure, null)
})

test('ten seconds without an answer are a timeout, and the sentence says what was missing', async () => {
  const port = await receiver((request, response) => {
    if (request.url === '/interim') response.writeProcessing()
  })
  const http = client([port], () => new Promise(() => undefined))
  const started = performance.now()
  const [hung, interim, looked] = await Promise.all([
    post(http, `https://127.0.0.1:${port}/hang`),
    post(http, `https://127.0.0.1:${port}/interim`),
    post(http, `https://hooks.example.com:${port}/`),
  ])
  const tookMs = performance.now() - started
  assert.ok(tookMs > 9_900 && tookMs < 20_000, `${tookMs} ms`)
  for (const answer of [hung, interim, looked])
    assert.deepEqual([answer.status, answer.failure, answer.resent], [null, 'timeout', false])
  assert.equal(hung.failureDetail, 'The receiver did not answer within 10 seconds.')
  assert.equal(interim.failureDetail, 'The receiver sent an interim (1xx) response but no final one within 10 seconds.')
  assert.equal(looked.failureDetail, 'The DNS lookup of hooks.example.com did not finish within 10 seconds.')
})

test('reports after ten seconds that a receiver does not read the request', async () => {
  const port = await listen(createTlsServer(certificate, (socket) => void socket.pause()))
  const http = client([port])
  const answer = await http.post({
    url: `https://127.0.0.1:${port}/`,
    headers,
    body: Buffer.alloc(32 * 1024 * 1024),
  })
  assert.deepEqual(
    [answer.failure, answer.failureDetail],
    ['timeout', 'The receiver did not read the whole request within 10 seconds.'],
  )
})

test('reads a dripping body for only a second, whatever the status; the answer counts', async () => {
  const port = await receiver((request, response) => {
    response.writeHead(request.url === '/ok' ? 200 : 500).write('drip')
    const drip = setInterval(() => response.write('.'), 100)
    response.on('close', () => clearInterval(drip))
  })
  const http = client([port])
  const started = performance.now()
  const [taken, refused] = await Promise.all([
    post(http, `https://127.0.0.1:${port}/ok`),
    post(http, `https://127.0.0.1:${port}/no`),
  ])
  const tookMs = performance.now() - started
  assert.ok(tookMs > 950 && tookMs < 8_000, `${tookMs} ms`)
  assert.deepEqual([taken.status, taken.failure, refused.status, refused.failure], [200, null, 500, 'status'])
  assert.match(taken.body ?? '', /^drip\.+$/)
  assert.match(refused.body ?? '', /^drip\.+$/)
})

test('a connection that is refused, reset or without HTTP fails as connect', async () => {
  const closed = createTcpServer()
  const port = await listen(closed)
  closed.close()
  assert.equal((await post(client([port]), `https://127.0.0.1:${port}/`)).failure, 'connect')
  assert.equal((await outcome((request) => request.socket.destroy())).failure, 'connect')
  assert.equal((await outcome((request) => request.socket.end('garbage\r\n\r\n'))).failure, 'connect')
})

test('a certificate for another name or from another authority, and a port without TLS, fail as tls', async () => {
  const wrongName = authority.issue(['other.example.com'])
  assert.equal((await outcome((_request, response) => response.end(), wrongName)).failure, 'tls')
  const stranger = createAuthority('Nobody').issue(['127.0.0.1'])
  assert.equal((await outcome((_request, response) => response.end(), stranger)).failure, 'tls')
  const plain = createTcpServer((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n'))
  const port = await listen(plain)
  assert.equal((await post(client([port]), `https://127.0.0.1:${port}/`)).failure, 'tls')
})

test('a receiver that speaks only HTTP/2 fails as tls, because there is no common protocol', async () => {
  const answer = await outcome((_request, response) => response.end(), { ALPNProtocols: ['h2'] })
  assert.equal(answer.failure, 'tls')
})

test('a name without an address, or whose lookup fails, fails as dns', async () => {
  const http = client([], async (host) => {
    if (host === 'broken.example.com') throw new Error('SERVFAIL')
    return []
  })
  assert.equal((await post(http, 'https://gone.example.com/')).failure, 'dns')
  assert.equal((await post(http, 'https://broken.example.com/')).failure, 'dns')
})

test('refuses a private address, as a literal or as any address of a name', async () => {
  const port = await receiver((_request, response) => response.end())
  const http = client([], async () => [{ address: '93.184.215.14', family: 4 }, loopback])
  assert.equal((await post(http, `https://127.0.0.1:${port}/`)).failure, 'refused_address')
  assert.equal((await post(http, `https://hooks.example.com:${port}/`)).failure, 'refused_address')
})

test('never connects to a name that resolves to a public address first and to a private one next', async () => {
  const port = await receiver((_request, response) => response.end())
  let asked = 0
  const http = client([], async () => {
    asked += 1
    return asked === 1 ? [{ address: '192.0.1.1', family: 4 }] : [loopback]
  })
  assert.equal(await http.refusal(`https://hooks.example.com:${port}/`), null)
  assert.equal((await post(http, `https://hooks.example.com:${port}/`)).failure, 'refused_address')
  assert.equal(asked, 2, 'one look-up a connection, and no second one by the socket')
})

test('checks the certificate against the name, although it connects to an address', async () => {
  const port = await receiver((request, response) => response.end(String(request.headers.host)))
  const answer = await post(
    client([port], async () => [loopback]),
    `https://hooks.example.com:${port}/`,
  )
  assert.deepEqual([answer.failure, answer.body], [null, `hooks.example.com:${port}`])
})

test('when an endpoint is saved, checks its URL and all its current addresses', async () => {
  const http = client([], async (host) => {
    if (host === 'mixed.example.com')
      return [
        { address: '8.8.8.8', family: 4 },
        { address: 'fd00::1', family: 6 },
      ]
    if (host === 'unknown.example.com') throw new Error('SERVFAIL')
    return [{ address: '8.8.8.8', family: 4 }]
  })
  assert.equal(await http.refusal('https://hooks.example.com/'), null)
  assert.equal(await http.refusal('https://unknown.example.com/'), null, 'every send checks again')
  assert.equal(await http.refusal('https://mixed.example.com/'), 'The address is not public.')
  assert.equal(await http.refusal('https://10.0.0.1/'), 'The address is not public.')
  assert.match((await http.refusal('http://hooks.example.com/')) ?? '', /https/)
})

test('keeps connections; one that the receiver has closed in the meantime causes no failure', async () => {
  let connections = 0
  const server = createServer({ ...certificate, keepAliveTimeout: 60_000 }, (_request, response) => response.end())
  server.on('secureConnection', () => {
    connections += 1
  })
  const port = await listen(server)
  const http = client([port])
  for (let i = 0; i < 5; i += 1) assert.equal((await post(http, `https://127.0.0.1:${port}/`)).failure, null)
  // A second connection may be created while the first is still busy.
  assert.ok(connections <= 2, `${connections} connections`)
  for (let i = 0; i < 20; i += 1) {
    server.closeIdleConnections()
    assert.equal((await post(http, `https://127.0.0.1:${port}/`)).failure, null)
  }
})

test('a request on a broken kept connection is repeated once on a new one, and the answer reports this', async () => {
  let requests = 0
  const port = await receiver((request, response) => {
    requests += 1
    // The second request reaches a connection that its server has already dropped.
    if (requests === 2) request.socket.destroy()
    else response.end(String(requests))
  })
  const http = client([port])
  const outcomes = []
  for (let i = 0; i < 3; i += 1) {
    const { failure, resent, body } = await post(http, `https://127.0.0.1:${port}/`)
    outcomes.push([failure, resent, body])
  }
  assert.deepEqual(outcomes, [
    [null, false, '1'],
    [null, true, '3'],
    [null, false, '4'],
  ])
})

test('a new connection that breaks is not retried; after a broken kept one, the failure is reported as sent twice', async () => {
  let requests = 0
  const port = await receiver((request, response) => {
    requests += 1
    if (requests === 1) response.end()
    else request.socket.destroy()
  })
  const http = client([port])
  assert.equal((await post(http, `https://127.0.0.1:${port}/`)).failure, null)
  const twice = await post(http, `https://127.0.0.1:${port}/`)
  assert.deepEqual([twice.failure, twice.resent, requests], ['connect', true, 3])
  const once = await post(http, `https://127.0.0.1:${port}/`)
  assert.deepEqual([once.failure, once.resent, requests], ['connect', false, 4])
})

test('sends nothing after its deadline, neither after a slow connection nor as a repetition', async () => {
  let requests = 0
  const port = await receiver(() => {
    requests += 1
  })
  const breaking = await receiver((request, response) => {
    requests += 1
    if (requests === 1) return response.end()
    request.socket.destroy()
    standStill(2_000)
  })
  const http = client([port, breaking], async () => {
    standStill(60)
    return [loopback]
  })
  await assert.rejects(post(http, `https://hooks.example.com:${port}/`, undefined, performance.now() + 50), GivenUp)
  assert.equal(requests, 0)
  assert.equal((await post(http, `https://127.0.0.1:${breaking}/`)).failure, null)
  await assert.rejects(post(http, `https://127.0.0.1:${breaking}/`, undefined, performance.now() + 2_000), GivenUp)
  assert.equal(requests, 2, 'the repetition was not sent')
})

test('unrequested data on a kept connection ends it, and is never the answer to the next request', async () => {
  const ended = Promise.withResolvers<void>()
  let requests = 0
  const port = await receiver((request, response) => {
    requests += 1
    response.end('wanted')
    if (requests > 1) return
    request.socket.once('close', () => ended.resolve())
    response.on('close', () => request.socket.write('HTTP/1.1 500 No\r\ncontent-length: 0\r\n\r\n'))
  })
  const http = client([port])
  assert.equal((await post(http, `https://127.0.0.1:${port}/`)).status, 200)
  await ended.promise
  const answer = await post(http, `https://127.0.0.1:${port}/`)
  assert.deepEqual([answer.status, answer.body, answer.resent], [200, 'wanted', false])
})

test('an aborted request says nothing about its receiver', async () => {
  const port = await receiver(() => undefined)
  const stop = new AbortController()
  const posted = post(client([port]), `https://127.0.0.1:${port}/`, stop.signal)
  stop.abort()
  await assert.rejects(posted, GivenUp)
})

test('ignores the proxy settings of the environment', async () => {
  process.env.HTTPS_PROXY = 'http://127.0.0.1:1'
  process.env.https_proxy = 'http://127.0.0.1:1'
  try {
    assert.equal((await outcome((_request, response) => response.end())).failure, null)
  } finally {
    delete process.env.HTTPS_PROXY
    delete process.env.https_proxy
  }
})
