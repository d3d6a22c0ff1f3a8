import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { after, test } from 'node:test'
import { route } from '@zonewright/contract'
import { z } from 'zod'
import { Refusal } from '#platform/errors.ts'
import { createMetrics } from '#platform/figures/metrics.ts'
import { mountHealth, mountMetrics } from '#platform/http/operator-routes.ts'
import { createLogger } from '#platform/log.ts'
import type { Readiness } from '#platform/postgres/index.ts'
import { sql } from '#platform/postgres/index.ts'
import { eventually } from '#testing/eventually.ts'
import { sendSlowly } from '#testing/slow-line.ts'
import { startTestApi, testReceiver } from '#testing/test-api.ts'
import { faultsOf } from '#testing/test-zones.ts'
import { createHttpServer } from './create-server.ts'
import { mountReference } from './reference/mount-reference.ts'

const api = await startTestApi()
const { database, server } = api
const since = new Date('2026-11-20T12:00:00Z')
let readiness: Readiness | undefined = { reads: 'ok', writes: 'ok', since }
mountReference(server)
mountHealth(server.fastify, { ready: () => readiness })
mountMetrics(server.fastify, { metrics: createMetrics() })

const thing = { method: 'GET', summary: '', answers: { 200: null } } as const
// These routes end their database connection, as a restart of PostgreSQL does, before and after the caller is known.
server.mount(route({ ...thing, id: 'dieReading', path: '/die-reading', who: 'public' }), async () => {
  await sql`select pg_terminate_backend(pg_backend_pid())`.execute(database.db)
  return { status: 200 }
})
server.mount(
  route({ ...thing, id: 'dieWriting', method: 'POST', path: '/die-writing', who: 'public', query: z.strictObject({}) }),
  ({ transact }) =>
    transact(async (tx) => {
      await sql`insert into accounts (email) values ('written by the dying')`.execute(tx)
      await sql`select pg_terminate_backend(pg_backend_pid())`.execute(tx)
      return { status: 200 }
    }),
)
server.mount(
  route({ ...thing, id: 'endSession', path: '/end-session', who: 'any-key', wholeZone: false }),
  async () => {
    throw new Refusal('signed_out', 'The session has ended meanwhile.')
  },
)
server.mount(route({ ...thing, id: 'crash', path: '/crash', who: 'public' }), async () => {
  throw new Error('secret cause')
})

server.mount(
  route({
    ...thing,
    id: 'someBody',
    method: 'POST',
    path: '/some-body',
    who: 'public',
    body: z.strictObject({ a: z.int() }),
  }),
  async () => ({ status: 200 }),
)
server.mount(
  route({
    ...thing,
    id: 'anyBody',
    method: 'POST',
    path: '/any-body',
    who: 'public',
    body: z.strictObject({ a: z.int().optional(), b: z.int().default(7) }),
    answers: { 200: z.object({ b: z.int() }) },
  }),
  async ({ body }) => ({ status: 200, body }),
)
server.mount(
  route({ ...thing, id: 'noBody', method: 'DELETE', path: '/no-body', who: 'public', answers: { 204: null } }),
  async () => ({
    status: 204,
  }),
)

const account = await api.account('owner@example.net')
const key = await api.key(account)
const call = (method: string, path: string, headers: Record<string, string> = {}) =>
  api.call(method, path, { prefix: '', headers })

test('every error has the same envelope, with a request id', async () => {
  for (const [method, path, status, code] of [
    ['GET', '/nothing', 404, 'not_found'],
    ['GET', '/api/v1/nothing', 404, 'not_found'],
    ['GET', '/api/v1/zones/%zz', 400, 'malformed_request'],
    ['GET', '/api/v1/zones', 401, 'signed_out'],
    ['GET', '/api/v1/crash', 500, 'internal'],
  ] as const) {
    const answer = await call(method, path)
    assert.deepEqual([answer.status, answer.body.error.code], [status, code], path)
    assert.match(answer.body.error.request_id, /^req_[0-9a-f]{32}$/)
    assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8')
    assert.doesNotMatch(JSON.stringify(answer.body), /secret cause/)
  }
})

test('an unsupported method is 405, and Allow lists the methods that the path supports', async () => {
  for (const [method, path, allow] of [
    ['DELETE', '/api/v1/zones', 'GET, HEAD, POST, PATCH'],
    ['PUT', '/api/v1/zones/example.com', 'GET, HEAD, PATCH, DELETE'],
    ['POST', '/api/v1/zones/example.com/rrsets/www/A', 'GET, HEAD, PUT, PATCH, DELETE'],
    ['GET', '/api/v1/zones/example.com/import?mode=merge', 'POST'],
    ['PATCH', '/webhooks', 'GET, HEAD, POST'],
    ['PUT', '/api/v1/webhooks/whe_1', 'GET, HEAD, PATCH, DELETE'],
    ['POST', '/healthz', 'GET, HEAD'],
  ] as const) {
    const { status, headers, body } = await call(method, path)
    assert.deepEqual(
      [status, body.error?.code, headers['allow']],
      [405, 'method_not_allowed', allow],
      `${method} ${path}`,
    )
  }
})

test('health, metrics and the reference page need no key', async () => {
  const { status, time } = (await call('GET', '/healthz')).body as { status: string; time: string }
  assert.equal(status, 'ok')
  assert.ok(Math.abs(Date.parse(time) - Date.now()) < 60_000, time)
  const metrics = await call('GET', '/metrics')
  assert.match(String(metrics.headers['content-type']), /^text\/plain/)
  assert.match(metrics.body, /process_cpu_seconds_total/)
  const page = await call('GET', '/api/v1/reference')
  assert.match(page.body, /<a href="\/api\/v1\/openapi\.json">/)
  assert.match(String(page.headers['content-security-policy']), /default-src 'none'/)
  assert.equal((await call('GET', '/')).status, 302)
})

test('/readyz is 200 with the state of writes while reads work; /readyz?writes is 503 while writes fail', async (t) => {
  t.after(() => {
    readiness = { reads: 'ok', writes: 'ok', since }
  })
  const body = { reads: 'ok', writes: 'ok', since: since.toISOString() }
  for (const path of ['/readyz', '/readyz?writes', '/readyz?other'])
    assert.deepEqual((await call('GET', path)).body, body, path)
  readiness = { reads: 'ok', writes: 'hang', since }
  assert.deepEqual((await call('GET', '/readyz')).body, { ...body, writes: 'hang' })
  for (const path of ['/readyz?writes', '/readyz?writes=1', '/readyz?a=b&writes']) {
    const { status, body, headers } = await call('GET', path)
    assert.deepEqual([status, body.error.code, headers['retry-after']], [503, 'unavailable', '2'], path)
    assert.match(body.error.message, /since 2026-11-20T12:00:00.000Z: hang\.$/)
  }
  readiness = undefined
  for (const path of ['/readyz', '/readyz?writes']) {
    const { status, body, headers } = await call('GET', path)
    assert.deepEqual([status, body.error.code, headers['retry-after']], [503, 'unavailable', '2'], path)
  }
})

test('the OpenAPI document describes exactly the routes that are served', async () => {
  const { body } = await call('GET', '/api/v1/openapi.json')
  const described = Object.values(body.paths).flatMap((path) =>
    Object.values(path as Record<string, { operationId: string }>).map(({ operationId }) => operationId),
  )
  const planted = ['dieReading', 'dieWriting', 'endSession', 'crash', 'anyBody', 'someBody', 'noBody']
  const served = server.routes.map(({ id }) => id).filter((id) => !planted.includes(id))
  assert.deepEqual(described.sort(), served.sort())
})

test('losing the connection to PostgreSQL during a request is 503 with Retry-After, and the next request works', async () => {
  for (const [method, path] of [
    ['GET', '/api/v1/die-reading'],
    ['POST', '/api/v1/die-writing'],
  ] as const) {
    const answer = await call(method, path)
    assert.deepEqual(
      [answer.status, answer.body.error?.code, answer.headers['retry-after']],
      [503, 'unavailable', '2'],
      path,
    )
    // A connection whose end has not been noticed yet may be checked out once more.
    await eventually(
      'requests are answered again',
      async () => (await call('GET', '/api/v1/zones', { authorization: `Bearer ${key}` })).status === 200,
    )
  }
  const { rows } = await sql`select 1 from accounts where email = 'written by the dying'`.execute(database.db)
  assert.deepEqual(rows, [])
})

test('while PostgreSQL kills every connection, requests succeed or get 503, and no accepted change is lost', async () => {
  const zone = await api.zone(account, 'example.com')
  const accepted: string[] = []
  const statuses = new Set<number>()
  let killing = true
  const writer = async (w: number): Promise<void> => {
    for (let i = 0, mine = 0; i < 5_000 && (killing || mine < 20); i++) {
      const name = `h${w}-${i}`
      const { status } = await api.call('PUT', `/zones/example.com/rrsets/${name}/A`, {
        key,
        body: { records: ['192.0.2.1'] },
      })
      statuses.add(status)
      if (status !== 201) continue
      accepted.push(`${name}.example.com`)
      mine++
    }
  }
  const writers = [0, 1, 2, 3].map(writer)
  for (let round = 0; round < 5; round++)
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`
      .execute(database.db)
      .catch(() => undefined)
  killing = false
  await Promise.all(writers)
  assert.deepEqual(
    [...statuses].filter((status) => status !== 201 && status !== 503),
    [],
  )
  const { rows } = await sql<{ name: string }>`select name from zone_rrsets where zone_id = ${zone.id}`.execute(
    database.db,
  )
  const kept = new Set(rows.map(({ name }) => name))
  assert.deepEqual(
    accepted.filter((name) => !kept.has(name)),
    [],
    'no accepted change is lost',
  )
  assert.ok(accepted.length >= 80, 'writers go on once the connections are left alone')
})

test('a repeat of a POST whose response had a secret is refused, because no secret is stored', async () => {
  const post = () =>
    api.call('POST', '/webhooks', { key, body: { url: testReceiver }, headers: { 'idempotency-key': 'endpoint' } })
  const first = await post()
  assert.equal(first.status, 201)
  const again = await post()
  assert.deepEqual([again.status, again.body.error.code], [409, 'idempotency_replayed'])
  const { rows } = await sql<{
    n: number
  }>`select count(*)::int as n from idempotency_keys where answer::text like ${`%${first.body.secret}%`}`.execute(
    database.db,
  )
  assert.equal(rows[0]?.n, 0)
})

test('texts with U+0000 or half a surrogate pair are refused anywhere in a body', async () => {
  for (const description of ['a\u0000b', 'a\ud800b', '\udc00']) {
    const { status, body } = await api.call('POST', '/webhooks', { key, body: { url: testReceiver, description } })
    assert.deepEqual([status, body.error.details?.[0]?.path], [422, '/description'])
  }
})

test('over a socket, a trailing space in a header is ignored, and a body that is far too large is cut off', async () => {
  await server.fastify.listen({ host: '127.0.0.1', port: 0 })
  const { port } = server.fastify.server.address() as AddressInfo
  const exchange = async (request: string): Promise<string> => {
    const socket = connect(port, '127.0.0.1').setEncoding('utf8')
    after(() => socket.destroy())
    socket.write(request)
    const [answer] = (await once(socket, 'data')) as [string]
    socket.destroy()
    return answer.split('\r\n', 1)[0] ?? ''
  }
  assert.equal(
    await exchange(`GET /api/v1/zones HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}  \r\n\r\n`),
    'HTTP/1.1 200 OK',
  )
  const head = `PATCH /api/v1/zones/example.com/rrsets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\n`
  assert.equal(await exchange(`${head}Content-Length: 1048577\r\n\r\n{`), 'HTTP/1.1 413 Payload Too Large')

  const socket = connect(port, '127.0.0.1')
  socket.write(`${head}Content-Length: ${64 * 1024 * 1024 + 1}\r\n\r\n{`)
  await once(socket.resume(), 'end')
  socket.destroy()
})

test('a refused body is read and dropped, so a client that is still sending gets the response and can continue', async () => {
  const { port } = server.fastify.server.address() as AddressInfo
  const socket = connect(port, '127.0.0.1').setEncoding('utf8')
  after(() => socket.destroy())
  const head = (method: string, length: number) =>
    `${method} /api/v1/zones/example.com/rrsets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`
  const large = 20 * 1024 * 1024
  socket.write(head('PATCH', large) + ' '.repeat(large))
  socket.write(`${head('PATCH', 1)}{`)
  socket.write(head('GET', 0))
  let answers = ''
  const statuses = () => [...answers.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => status)
  for await (const text of socket) {
    answers += text
    if (statuses().length === 3) break
  }
  assert.deepEqual(statuses(), ['413', '400', '200'])
})

test('bytes that are not a request get the same envelope, and their connection ends', async () => {
  const { port } = server.fastify.server.address() as AddressInfo
  const exchange = async (request: string): Promise<string> => {
    const socket = connect(port, '127.0.0.1').setEncoding('utf8')
    let answer = ''
    socket.on('data', (text) => {
      answer += text
    })
    const ended = once(socket, 'close')
    socket.write(request)
    await ended
    return answer
  }
  for (const [request, status] of [
    ['GET /api/v1/zones HTTP/1.1\r\nHost: x\r\nNo header\r\n\r\n', '400 Bad Request'],
    ['\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', '400 Bad Request'],
    [`GET / HTTP/1.1\r\nHost: x\r\nX-Large: ${'x'.repeat(20_000)}\r\n\r\n`, '431 Request Header Fields Too Large'],
  ] as const) {
    const [head = '', body = ''] = (await exchange(request)).split('\r\n\r\n')
    const [first, ...headers] = head.split('\r\n')
    assert.equal(first, `HTTP/1.1 ${status}`)
    assert.ok(headers.includes('content-type: application/json; charset=utf-8'), head)
    const { error } = JSON.parse(body) as { error: { code: string; message: string; request_id: string } }
    assert.equal(error.code, 'malformed_request')
    assert.match(error.request_id, /^req_[0-9a-f]{32}$/)
  }
})

test('a caller that loses access before the body arrives does not make the change; a body may take 5 minutes', async () => {
  const slow = await api.account('slow@example.net')
  const zone = await api.zone(slow, 'slow.example.org')
  const slowKey = await api.key(slow)
  const put = { request: `PUT /api/v1/zones/${zone.id}/rrsets/www/A`, key: slowKey, body: { records: ['192.0.2.1'] } }
  const { port } = server.fastify.server.address() as AddressInfo
  const answer = await sendSlowly(port, put, async () => {
    await eventually('the key was looked up', async () => {
      const used = sql`select from api_keys where account_id = ${slow} and last_used_at is not null`
      return (await used.execute(database.db)).rows.length > 0
    })
    await sql`update api_keys set revoked_at = app_now() where account_id = ${slow}`.execute(database.db)
  })
  assert.match(answer, /^HTTP\/1.1 401 .*was revoked at/s)
  assert.doesNotMatch(answer, /^ratelimit/im)
  assert.equal(server.fastify.server.requestTimeout, 300_000)
})

test('a 401 has no rate limit headers, even if its caller was admitted before', async () => {
  const account = await api.account('admitted@example.net')
  const authorization = `Bearer ${await api.key(account)}`
  const ask = (path: string) => server.fastify.inject({ url: `/api/v1${path}`, headers: { authorization } })
  const refused = await ask('/end-session')
  assert.equal(refused.statusCode, 401)
  for (const name of ['ratelimit', 'ratelimit-policy']) {
    assert.equal(refused.headers[name], undefined)
    assert.notEqual((await ask('/zones')).headers[name], undefined, `${name} of what is answered`)
  }
})

test('an empty request that declares JSON is accepted where a route needs no body, and refused where it does', async () => {
  const ask = (method: 'DELETE' | 'POST', url: string) =>
    server.fastify.inject({ method, url: `/api/v1${url}`, headers: { 'content-type': 'application/json' } })
  assert.equal((await ask('DELETE', '/no-body')).statusCode, 204)
  assert.deepEqual((await ask('POST', '/any-body')).json(), { b: 7 })
  const refused = await ask('POST', '/some-body')
  assert.equal(refused.statusCode, 400)
  assert.match(refused.json().error.message, /Send JSON/)
})

test('a refusal names each unknown query parameter and body member; an empty body counts as none', async () => {
  const ask = async (path: string, body?: unknown, type = 'application/json') => {
    const payload = body === undefined ? {} : { payload: body as string, headers: { 'content-type': type } }
    const answer = await server.fastify.inject({ method: 'DELETE', url: `/api/v1/no-body${path}`, ...payload })
    return [
      answer.statusCode,
      ...(answer.body === '' ? [] : faultsOf({ status: answer.statusCode, headers: {}, body: answer.json() })),
    ]
  }
  for (const empty of [undefined, '', '{}', { body: '', type: 'text/plain' }])
    assert.deepEqual(await (typeof empty === 'object' ? ask('', empty.body, empty.type) : ask('', empty)), [204])
  assert.deepEqual(await ask('?dry_run=true'), [422, 'unknown_member dry_run'])
  assert.deepEqual(await ask('', '{"dry_run":true,"force":1}'), [
    422,
    'unknown_member /dry_run',
    'unknown_member /force',
  ])
  for (const other of ['[]', 'null', '"x"', '7']) assert.deepEqual(await ask('', other), [422, 'wrong_type '], other)
  assert.deepEqual(await ask('', 'dry_run=true', 'application/x-www-form-urlencoded'), [415])
})

test('a query that cannot be decoded is refused, and every other query is decoded', async () => {
  const ask = async (query: string) => {
    const url = `/api/v1/zones?${query}`
    const answer = await server.fastify.inject({ method: 'GET', url, headers: { authorization: `Bearer ${key}` } })
    return [answer.statusCode, answer.json().error?.code]
  }
  for (const query of ['%', 'search=%zz', 'search=%ff%fe', '%e4=2', 'search=a&limit=1%', 'search=%ed%a0%80'])
    assert.deepEqual(await ask(query), [422, 'validation_failed'], query)
  for (const query of ['', 'limit=%32', 'name=%C3%A9%2b', 'name=100%25'])
    assert.deepEqual(await ask(query), [200, undefined], query)
})

test('a body that is not UTF-8 is refused and changes nothing; UTF-8 is kept as it was written', async () => {
  const zone = await api.zone(account, 'utf8.example.com')
  const send = async (method: 'PUT' | 'POST', path: string, type: string, payload: Buffer) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': type }
    const answer = await server.fastify.inject({
      method,
      url: `/api/v1/zones/utf8.example.com${path}`,
      headers,
      payload,
    })
    return { status: answer.statusCode, body: answer.json() }
  }
  const put = (value: string, encoding: BufferEncoding) =>
    send('PUT', '/rrsets/@/TXT', 'application/json', Buffer.from(JSON.stringify({ records: [`"${value}"`] }), encoding))
  const load = (file: string, encoding: BufferEncoding) =>
    send('POST', '/import', 'text/dns', Buffer.from(file, encoding))
  for (const refused of [await put('é', 'latin1'), await load('a 60 TXT "é"', 'latin1')]) {
    assert.deepEqual([refused.status, refused.body.error?.code], [400, 'malformed_request'])
    assert.match(refused.body.error.message, /UTF-8/)
  }
  const { rows } = await sql<{ version: number }>`select version from zones where id = ${zone.id}`.execute(database.db)
  assert.equal(rows[0]?.version, 0)
  assert.deepEqual((await put('é', 'utf8')).body.records, ['"\\195\\169"'])
  assert.equal((await load('\ufeffa 60 A 192.0.2.1', 'utf8')).body.diff.changes[0].name, 'a.utf8.example.com')
})

test('metrics show for each response whether it waited for nameservers because its caller preferred to', async () => {
  const metrics = createMetrics()
  const { authenticate, secrets } = server
  const measured = createHttpServer({ database, authenticate, secrets, log: createLogger('test', 'silent'), metrics })
  measured.mount(route({ ...thing, id: 'atOnce', path: '/at-once', who: 'public' }), async () => ({ status: 200 }))
  measured.mount(route({ ...thing, id: 'waiting', path: '/waiting', who: 'public' }), async () => ({
    status: 200,
    headers: { 'preference-applied': 'wait=2' },
  }))
  for (const url of ['/api/v1/at-once', '/api/v1/waiting']) await measured.fastify.inject({ url })
  const figures = await metrics.metrics()
  assert.match(figures, /_seconds_count\{route="atOnce",status="200",waited="no"\} 1/)
  assert.match(figures, /_seconds_count\{route="waiting",status="200",waited="yes"\} 1/)
  await measured.fastify.close()
})

test('a request that arrives on a busy connection while the server closes is answered like any other', async () => {
  const closing = createHttpServer({
    database,
    authenticate: server.authenticate,
    secrets: server.secrets,
    log: createLogger('test', 'silent'),
    metrics: createMetrics(),
  })
  const [underWay, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  closing.mount(route({ ...thing, id: 'slow', path: '/slow', who: 'public' }), async () => {
    underWay.resolve()
    await released.promise
    return { status: 200 }
  })
  await closing.fastify.listen({ host: '127.0.0.1', port: 0 })
  const another = once(closing.fastify.server, 'request').then(() => once(closing.fastify.server, 'request'))
  const socket = connect((closing.fastify.server.address() as AddressInfo).port, '127.0.0.1')
  const request = (path: string) => socket.write(`GET /api/v1${path} HTTP/1.1\r\nHost: x\r\n\r\n`)
  let answers = ''
  socket.on('data', (data) => {
    answers += data
  })
  request('/slow')
  await underWay.promise
  assert.equal(closing.leaving.aborted, false)
  const drained = closing.drain(0)
  assert.equal(closing.leaving.aborted, true)
  await drained
  assert.equal(closing.fastify.server.listening, false)
  const closed = closing.fastify.close()
  socket.write('POST /api/v1/nothing HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}')
  await another
  const ended = once(socket, 'close')
  released.resolve()
  await Promise.all([closed, ended])
  assert.deepEqual(answers.match(/HTTP\/1.1 \d+/g), ['HTTP/1.1 200', 'HTTP/1.1 404'])
  assert.match(answers, /connection: close/i)
  assert.match(answers, /"code":"not_found"/)
})
