// How each HTTP port of the service responds to whatever arrives on a socket.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { eventually } from '#testing/eventually.ts'
import { RawConnection, type RawResponse } from '#testing/raw-connection.ts'
import { createMetrics } from '../figures/metrics.ts'
import { createLogger } from '../log.ts'
import { connectionTimes, maxPipelined } from './connections.ts'
import { createFastify } from './fastify.ts'
import { startOperatorServer } from './operator-routes.ts'
import { refuseOnSocket } from './unreadable.ts'

/** More than the buffers of both sockets hold. */
const largeBytes = 64 * 1024 * 1024
const log = createLogger('test', 'silent')
const quick = { ...connectionTimes, headersMs: 150, requestMs: 300, responseMs: 100, checkEveryMs: 20 }

async function listening(options: Parameters<typeof createFastify>[1] = {}): Promise<number> {
  const fastify = createFastify(log, { endsAbruptly: true, ...options })
  fastify.get('/things/:thing', async () => ({ ok: true }))
  fastify.get('/things/:thing/parts/:part', async () => ({ ok: true }))
  fastify.post('/things', async () => ({ ok: true }))
  fastify.get('/large', async () => Buffer.alloc(largeBytes))
  fastify.get('/away', async (_request, reply) => reply.redirect('/things/1'))
  return await portOf(fastify)
}

async function portOf(fastify: FastifyInstance): Promise<number> {
  await fastify.listen({ host: '127.0.0.1', port: 0 })
  after(() => fastify.close())
  return (fastify.server.address() as AddressInfo).port
}

async function ask(port: number, request: string | Buffer, method = 'GET'): Promise<RawResponse> {
  const connection = await RawConnection.open(port)
  const response = await connection.exchange(request, method)
  connection.close()
  assert.ok(response, `no response to ${String(request).slice(0, 80)}`)
  return response
}

function assertRefused(response: RawResponse, status: number, code: string, of: string): void {
  assert.equal(response.status, status, of)
  assert.equal(response.headers['content-type'], 'application/json; charset=utf-8', of)
  const { error } = JSON.parse(response.body) as { error: { code: string; message: string; request_id: string } }
  assert.equal(error.code, code, of)
  assert.ok(error.message.length < 300, 'a message repeats nothing long')
  assert.match(error.request_id, /^req_[0-9a-f]{32}$/)
  assert.equal(response.headers['x-request-id'], error.request_id, of)
  assertPrivate(response, of)
}

function assertPrivate({ headers }: RawResponse, of: string): void {
  assert.equal(headers['cache-control'], 'no-store', of)
  assert.equal(headers['x-content-type-options'], 'nosniff', of)
}

test('a path segment that is longer than any name is 414 in the envelope', async () => {
  const port = await listening()
  const long = (n: number, of = 'a'): string => of.repeat(n)
  for (const [path, status] of [
    [`/things/${long(4_096)}`, 200],
    [`/things/${long(4_097)}`, 414],
    [`/things/${long(5_000)}`, 414],
    [`/things/${long(8_000)}`, 414],
    [`/things/${long(15_000)}`, 414],
    [`/things/1/parts/${long(5_000)}`, 414],
    [`/things/${long(5_000)}/parts/1`, 414],
    [`/things/${long(5_000)}?q=1`, 414],
    [`/things/${long(4_097, '%61')}`, 414],
    [`/things/${long(2_500, '%C3%A9')}`, 200],
    [`/things/${long(5_000, '.')}`, 414],
  ] as const) {
    const response = await ask(port, `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`)
    const of = `${path.slice(0, 30)}… of ${path.length}`
    if (status === 200) assert.equal(response.status, 200, of)
    else assertRefused(response, status, 'uri_too_long', of)
  }
  const none = await ask(port, `GET /nothing/${long(5_000)} HTTP/1.1\r\nHost: x\r\n\r\n`)
  assertRefused(none, 404, 'not_found', 'a long path of no route')
})

test('refusals of the router, the parser and Node itself have the envelope, and are never a 500', async () => {
  const port = await listening()
  for (const [request, status, code] of [
    ['GET /things/%zz HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'malformed_request'],
    ['GET /things/%ff HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'malformed_request'],
    ['GET /%e0%a4%a HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'malformed_request'],
    ['PROPFIND /%zz HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'malformed_request'],
    ['GET http://[::z/things/1 HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'malformed_request'],
    [`GET /${'%'.repeat(8_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 400, 'malformed_request'],
    ['GET x HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'malformed_request'],
    ['GET /things/1 HTTP/1.1\r\n\r\n', 400, 'malformed_request'],
    ['GET /things/1 HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n', 400, 'malformed_request'],
    ['GET /things/1 HTTP/1.0\r\nHost: a\r\nhOst: b\r\n\r\n', 400, 'malformed_request'],
    ['CONNECT x:80 HTTP/1.1\r\nHost: x\r\n\r\n', 405, 'method_not_allowed'],
    ['CONNECT /things/1 HTTP/1.1\r\nHost: x\r\n\r\n', 405, 'method_not_allowed'],
    ['OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n', 404, 'not_found'],
    ['TRACE /things/1 HTTP/1.1\r\nHost: x\r\n\r\n', 405, 'method_not_allowed'],
    ['QUERY /things/1 HTTP/1.1\r\nHost: x\r\n\r\n', 405, 'method_not_allowed'],
    ['POST /things/1 HTTP/1.1\r\nHost: x\r\nExpect: tea\r\nContent-Length: 0\r\n\r\n', 405, 'method_not_allowed'],
    ['GET /nothing HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n', 404, 'not_found'],
    ['\r\n\r\nGET\r\n\r\n', 400, 'malformed_request'],
    ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400, 'malformed_request'],
    [`GET /things/1 HTTP/1.1\r\nHost: x\r\nA: ${'a'.repeat(17_000)}\r\n\r\n`, 431, 'malformed_request'],
    [`GET /things?${'a'.repeat(17_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 431, 'malformed_request'],
    [
      'POST /things HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
      400,
      'malformed_request',
    ],
    ['POST /things HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabc', 400, 'malformed_request'],
    [Buffer.from('GET /h\u00e9 HTTP/1.1\r\nHost: x\r\n\r\n', 'latin1'), 400, 'malformed_request'],
    [Buffer.from([0x16, 3, 1, 2, 0, 1, 0, 1, 0xfc, 3, 3]), 400, 'malformed_request'],
    [
      'POST /things HTTP/1.1\r\nHost: x\r\nContent-Type: a/b/c\r\nContent-Length: 1\r\n\r\n1',
      415,
      'unsupported_media_type',
    ],
    [
      'POST /things HTTP/1.1\r\nHost: x\r\nContent-Type: ;\r\nContent-Length: 1\r\n\r\n1',
      415,
      'unsupported_media_type',
    ],
  ] as const)
    assertRefused(await ask(port, request), status, code, String(request).slice(0, 60))
})

test('an expectation or an upgrade that we do not know is ignored, and HTTP/1.0 needs no Host', async () => {
  const port = await listening()
  for (const head of [
    'GET /things/1 HTTP/1.1\r\nHost: x\r\nExpect: tea',
    'GET /things/1 HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket',
    'GET /things/1 HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AA',
    'GET /things/1 HTTP/1.0',
    'GET http://elsewhere/things/1 HTTP/1.1\r\nHost: x',
    'GET /things/1 HTTP/1.1\r\nHost:',
  ]) {
    const response = await ask(port, `${head}\r\n\r\n`)
    assert.deepEqual([response.status, response.body], [200, '{"ok":true}'], head)
    assertPrivate(response, head)
  }
  const away = await ask(port, 'GET /away HTTP/1.1\r\nHost: x\r\n\r\n')
  assert.equal(away.status, 302)
  assertPrivate(away, 'a redirect')
  const head = await ask(port, 'HEAD /nothing HTTP/1.1\r\nHost: x\r\n\r\n', 'HEAD')
  assert.equal(head.status, 404)
  assertPrivate(head, 'HEAD')
})

test('the response to an upgrade that we do not know ends its connection, so that no later request is lost', async () => {
  const port = await listening()
  const upgrade = 'Connection: upgrade\r\nUpgrade: websocket'
  const next = 'GET /things/1 HTTP/1.1\r\nHost: x\r\n\r\n'
  for (const [about, request, status] of [
    ['without a body', `GET /things/1 HTTP/1.1\r\nHost: x\r\n${upgrade}\r\n\r\n`, 200],
    [
      'refused before its body is read',
      `POST /nothing HTTP/1.1\r\nHost: x\r\n${upgrade}\r\nTransfer-Encoding: chunked\r\n\r\n`,
      404,
    ],
    [
      'with a body in chunks',
      `POST /things HTTP/1.1\r\nHost: x\r\n${upgrade}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`,
      200,
    ],
  ] as const) {
    const body = request.includes('chunked') ? '2\r\n{}\r\n0\r\n\r\n' : ''
    const connection = await RawConnection.open(port)
    // The next request arrives with the end of this one.
    const response = await connection.exchange(request + body + next)
    assert.deepEqual([response?.status, response?.headers['connection']], [status, 'close'], about)
    await connection.closed()
  }
})

test('if the connection ends with the response to a GET, the body of the GET is read first', async () => {
  const port = await listening()
  for (const header of ['Connection: close', 'Connection: upgrade\r\nUpgrade: h2c']) {
    const connection = await RawConnection.open(port)
    connection.socket.write(`GET /things/1 HTTP/1.1\r\nHost: x\r\n${header}\r\nContent-Length: 2\r\n\r\n{`)
    // These arrive later: by the time they have a response, the first one would have its response as well.
    await ask(port, 'GET /things/1 HTTP/1.1\r\nHost: x\r\n\r\n')
    await ask(port, 'GET /things/1 HTTP/1.1\r\nHost: x\r\n\r\n')
    assert.equal(connection.socket.bytesRead, 0, header)
    const response = await connection.exchange('}')
    assert.deepEqual([response?.status, response?.body], [200, '{"ok":true}'], header)
    await connection.closed()
  }
})

test("the operators' port answers like the API: its refusals have the envelope, and its responses are not cached", async () => {
  const operators = await startOperatorServer(
    { host: '127.0.0.1', port: 0 },
    { metrics: createMetrics(), ready: () => undefined },
    log,
  )
  after(() => operators.stop())
  const { port } = operators
  const get = (path: string) => ask(port, `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`)
  for (const path of ['/healthz', '/metrics']) {
    const response = await get(path)
    assert.equal(response.status, 200)
    assertPrivate(response, path)
  }
  assertRefused(await get('/readyz'), 503, 'unavailable', 'not ready')
  assertRefused(await get('/nothing'), 404, 'not_found', 'nothing')
  assertRefused(await get('/%zz'), 400, 'malformed_request', 'a path that cannot be decoded')
  assertRefused(await ask(port, 'POST /metrics HTTP/1.1\r\nHost: x\r\n\r\n'), 405, 'method_not_allowed', 'POST')
  assertRefused(await ask(port, 'no HTTP\r\n\r\n'), 400, 'malformed_request', 'no HTTP')
})

test('an address has a limited number of connections; closing one makes room; other addresses have their own limit', async () => {
  const port = await listening({ connectionsPerAddress: 3 })
  const request = 'GET /things/1 HTTP/1.1\r\nHost: x\r\n\r\n'
  const open = await Promise.all([1, 2, 3].map(() => RawConnection.open(port, '127.0.0.2')))
  for (const connection of open) assert.equal((await connection.exchange(request))?.status, 200)
  for (let more = 0; more < 3; more++) {
    const beyond = await RawConnection.open(port, '127.0.0.2')
    const refused = await beyond.exchange()
    assert.ok(refused)
    assertRefused(refused, 429, 'rate_limited', 'a fourth connection')
    assert.equal(refused.headers['retry-after'], '1')
    await beyond.closed()
  }
  const other = await RawConnection.open(port, '127.0.0.3')
  assert.equal((await other.exchange(request))?.status, 200, 'another address')
  assert.equal((await open[0]?.exchange(request))?.status, 200, 'those that are open go on')
  open[1]?.close()
  await eventually('there is room again', async () => {
    const next = await RawConnection.open(port, '127.0.0.2')
    const response = await next.exchange(request)
    if (response?.status !== 200) return false
    open.push(next)
    return true
  })
  for (const connection of [...open, other]) connection.close()
})

test('a request on a connection beyond the limit is not carried out', async () => {
  let carriedOut = 0
  const fastify = createFastify(log, { connectionsPerAddress: 1, endsAbruptly: true })
  fastify.get('/', async () => {
    carriedOut++
    return {}
  })
  const port = await portOf(fastify)
  const first = await RawConnection.open(port)
  const request = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'
  await first.exchange(request)
  for (let n = 0; n < 20; n++) {
    const beyond = await RawConnection.open(port)
    beyond.socket.write(request)
    await beyond.closed()
  }
  assert.equal(carriedOut, 1)
  first.close()
})

test('trusted proxies can open any number of connections, listed by address or by network', async () => {
  const port = await listening({
    connectionsPerAddress: 1,
    trustedProxies: ['127.0.0.4', '127.0.8.0/24', '2001:db8::/32'],
  })
  for (const [address, most] of [
    ['127.0.0.4', 5],
    ['127.0.8.77', 5],
    ['127.0.0.5', 1],
    ['127.0.9.1', 1],
  ] as const) {
    const connections = []
    let taken = 0
    for (let n = 0; n < 5; n++) {
      const connection = await RawConnection.open(port, address)
      connections.push(connection)
      const response = await connection.exchange('GET /things/1 HTTP/1.1\r\nHost: x\r\n\r\n')
      if (response?.status === 200) taken++
    }
    assert.equal(taken, most, address)
    for (const connection of connections) connection.close()
  }
})

test('headers that do not arrive in time are 408, even if bytes keep arriving; so is a connection that sends nothing', async () => {
  const port = await listening({ connectionTimes: quick })
  for (const [start, drip] of [
    ['', ''],
    ['GET ', 'x'],
    ['GET /things/1 HTTP/1.1\r\nHost: x\r\n', 'A: b\r\n'],
    ['GET /things/1 HTTP/1.1\r\nHost: x\r\nA: ', 'a'],
    ['POST /things HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n', 'B:\r\n'],
    // An empty line before a request is allowed, but buys no time.
    ['\r\n', '\r\n'],
  ] as const) {
    const connection = await RawConnection.open(port)
    if (start !== '') connection.socket.write(start)
    const dripping = setInterval(() => drip !== '' && connection.socket.writable && connection.socket.write(drip), 10)
    const response = await connection.exchange()
    clearInterval(dripping)
    assert.ok(response, JSON.stringify(start))
    assertRefused(response, 408, 'malformed_request', JSON.stringify(start))
    await connection.closed()
  }
})

test('the second request of a connection gets no more time for its headers than the first', async () => {
  const port = await listening({ connectionTimes: quick })
  const connection = await RawConnection.open(port)
  assert.equal((await connection.exchange('GET /things/1 HTTP/1.1\r\nHost: x\r\n\r\n'))?.status, 200)
  assert.equal((await connection.exchange('GET /things/1 HTTP/1.1\r\nHo'))?.status, 408)
  await connection.closed()
})

test('a body that does not arrive in time is 408, even if bytes keep arriving', async () => {
  const port = await listening({ connectionTimes: quick })
  for (const head of ['Content-Length: 10000\r\n\r\n', 'Transfer-Encoding: chunked\r\n\r\n']) {
    const connection = await RawConnection.open(port)
    connection.socket.write(`POST /things HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${head}`)
    const byte = head.startsWith('C') ? ' ' : '1\r\n \r\n'
    const dripping = setInterval(() => connection.socket.writable && connection.socket.write(byte), 10)
    const response = await connection.exchange()
    clearInterval(dripping)
    assert.ok(response, head)
    assertRefused(response, 408, 'malformed_request', head)
    await connection.closed()
  }
})

test('a connection that is idle between requests is closed automatically', async () => {
  const port = await listening({ connectionTimes: { ...quick, idleMs: 50 } })
  const connection = await RawConnection.open(port)
  assert.equal((await connection.exchange('GET /things/1 HTTP/1.1\r\nHost: x\r\n\r\n'))?.status, 200)
  await connection.closed()
})

test('a client that does not read its response is disconnected, and one that reads it in time is not', async () => {
  const port = await listening({ connectionTimes: quick })
  const deaf = await RawConnection.open(port)
  deaf.socket.pause()
  deaf.socket.write('GET /large HTTP/1.1\r\nHost: x\r\n\r\n')
  // A socket that is not read does not notice that it has ended, but sending on it does.
  const poking = setInterval(() => deaf.socket.write('x'), 20)
  await deaf.closed()
  clearInterval(poking)
  const patient = await listening({ connectionTimes: { ...quick, responseMs: 60_000 } })
  const slow = await RawConnection.open(patient)
  let bytes = 0
  slow.socket.removeAllListeners('data').on('data', (text: Buffer) => {
    bytes += text.length
  })
  slow.socket.write('GET /large HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  await slow.closed()
  assert.ok(bytes > largeBytes, 'all of it came')
})

test('no refusal is written into a response that is partly sent', async () => {
  const port = await listening()
  for (const garbage of [
    'x\r\n\r\n',
    'GET /things/1 HTTP/1.1\r\nHost',
    `GET / HTTP/1.1\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`,
  ]) {
    const client = await RawConnection.open(port)
    const received: Buffer[] = []
    client.socket.removeAllListeners('data').on('data', (data: Buffer) => received.push(data))
    client.socket.write('GET /large HTTP/1.1\r\nHost: x\r\n\r\n')
    // The response has begun, and its client reads no more of it until the garbage is sent.
    await once(client.socket, 'data')
    client.socket.pause()
    await new Promise((resolve) => client.socket.end(garbage, () => resolve(undefined)))
    client.socket.resume()
    await client.closed()
    const text = Buffer.concat(received).toString('latin1')
    assert.match(text, /^HTTP\/1\.1 200 OK\r\n/)
    assert.doesNotMatch(text, /malformed_request|HTTP\/1\.1 4/, garbage.slice(0, 30))
  }
})

test('the documented time limits are the enforced ones', async () => {
  const port = await listening()
  assert.ok(port > 0)
  assert.deepEqual(connectionTimes, {
    headersMs: 20_000,
    requestMs: 300_000,
    idleMs: 72_000,
    responseMs: 300_000,
    checkEveryMs: 5_000,
  })
})

test('pipelined requests are served one after another, in their order', async () => {
  const fastify = createFastify(log, { endsAbruptly: true })
  let atOnce = 0
  let mostAtOnce = 0
  const serve = async (answer: unknown) => {
    mostAtOnce = Math.max(mostAtOnce, ++atOnce)
    await nextTurn()
    atOnce--
    return answer
  }
  fastify.get('/:n', (request) => serve(request.params))
  fastify.post('/', (request) => serve(request.body))
  fastify.get('/fails', () => serve(undefined).then(() => Promise.reject(new Error('on purpose'))))
  const port = await portOf(fastify)
  const connection = await RawConnection.open(port)
  const posted = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n42'
  const sent = Array.from({ length: maxPipelined }, (_, n) =>
    n % 10 === 9 ? posted : `GET /${n % 10 === 8 ? 'fails' : n} HTTP/1.1\r\nHost: x\r\n\r\n`,
  )
  connection.socket.write(sent.join(''))
  for (let n = 0; n < sent.length; n++) {
    const response = await connection.exchange()
    assert.ok(response, String(n))
    if (n % 10 === 9) assert.deepEqual([response.status, response.body], [200, '42'])
    else if (n % 10 === 8) assert.equal(response.status, 500)
    else assert.deepEqual(JSON.parse(response.body), { n: String(n) })
  }
  assert.equal(mostAtOnce, 1)
  connection.close()
})

test('a connection with too many waiting requests is closed, and the waiting requests are not carried out', async () => {
  const fastify = createFastify(log, { endsAbruptly: true })
  let carriedOut = 0
  const { promise: mayGoOn, resolve: goOn } = Promise.withResolvers<void>()
  fastify.get('/', async () => {
    carriedOut++
    await mayGoOn
    return {}
  })
  fastify.get('/now', async () => ({}))
  const port = await portOf(fastify)
  for (const requests of [maxPipelined + 2, 1_000, 20_000]) {
    carriedOut = 0
    const connection = await RawConnection.open(port)
    connection.socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(requests))
    await connection.closed()
    assert.equal(carriedOut, 1, `of ${requests}`)
  }
  const other = await RawConnection.open(port)
  assert.equal((await other.exchange('GET /now HTTP/1.1\r\nHost: x\r\n\r\n'))?.status, 200)
  goOn()
  other.close()
})

test('waiting requests are not carried out once their client has closed the connection', async () => {
  const fastify = createFastify(log, { endsAbruptly: true })
  let carriedOut = 0
  const { promise: mayGoOn, resolve: goOn } = Promise.withResolvers<void>()
  fastify.get('/', async (request) => {
    carriedOut++
    await mayGoOn
    return { gone: request.raw.destroyed }
  })
  const port = await portOf(fastify)
  const connection = await RawConnection.open(port)
  connection.socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(50))
  await eventually('the first one is served', async () => carriedOut === 1)
  connection.close()
  await eventually('the connection is gone', async () => (await connectionsOf(fastify)) === 0)
  goOn()
  await nextTurn()
  assert.equal(carriedOut, 1)
})

function connectionsOf(fastify: FastifyInstance): Promise<number> {
  return new Promise((resolve, reject) => {
    fastify.server.getConnections((error, count) => (error ? reject(error) : resolve(count)))
  })
}

test('a connection is refused once, however much more unreadable data it sends', async () => {
  const accepted = Promise.withResolvers<Socket>()
  const server = createServer((socket) => accepted.resolve(socket)).listen(0, '127.0.0.1')
  after(() => server.close())
  await once(server, 'listening')
  const client = await RawConnection.open((server.address() as AddressInfo).port)
  const socket = await accepted.promise
  for (let n = 0; n < 20; n++) refuseOnSocket(socket, 'unreadable')
  assert.ok(socket.listenerCount('finish') <= 1, `${socket.listenerCount('finish')} listeners`)
  const refusal = await client.exchange()
  assert.ok(refusal)
  assertRefused(refusal, 400, 'malformed_request', 'the first')
  assert.equal(await client.exchange(), undefined, 'nothing follows')
})
