import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { route } from '@zonewright/contract'
import { z } from 'zod'
import { createHttpServer } from '#http/create-server.ts'
import { eventually } from '#testing/eventually.ts'
import { createMetrics } from '../figures/metrics.ts'
import { createLogger } from '../log.ts'
import type { Database } from '../postgres/index.ts'
import { SecretBox } from '../secrets.ts'

/** More than the system itself buffers, so that a slow reader really is slow. */
const unit = 5 * 1024 * 1024
const server = createHttpServer({
  // None of the routes here uses it.
  database: {} as Database,
  authenticate: async () => assert.fail('every route here is public'),
  secrets: new SecretBox(Buffer.alloc(32)),
  log: createLogger('test', 'silent'),
  metrics: createMetrics(),
  httpMemoryBytes: 8 * unit,
})
const { held } = server
const thing = { summary: '', who: 'public', answers: { 200: null } } as const
const raw = { raw: 'text/dns', maxBytes: 16 * unit }
let released = Promise.withResolvers<void>()
server.mount(route({ ...thing, id: 'take', method: 'PUT', path: '/take', body: raw }), async ({ body }) => ({
  status: 200,
  body: { characters: body.length },
}))
server.mount(route({ ...thing, id: 'keep', method: 'PUT', path: '/keep', body: raw }), async () => {
  await released.promise
  return { status: 200 }
})
server.mount(
  route({ ...thing, id: 'small', method: 'PUT', path: '/small', body: z.strictObject({ a: z.int() }) }),
  async () => ({
    status: 200,
    body: {},
  }),
)
const large = { data: Array.from({ length: 12_000 }, () => 'x'.repeat(1_000)) }
server.mount(route({ ...thing, id: 'give', method: 'GET', path: '/give', query: z.strictObject({}) }), async () => ({
  status: 200,
  body: large,
}))
server.mount(route({ ...thing, id: 'done', method: 'PUT', path: '/done' }), async () => ({ status: 200, body: large }))
await server.fastify.listen({ host: '127.0.0.1', port: 0 })
after(() => server.fastify.close())
const { port } = server.fastify.server.address() as AddressInfo

function open(): Socket {
  const socket = connect(port, '127.0.0.1').setEncoding('latin1')
  socket.on('error', () => undefined)
  after(() => socket.destroy())
  return socket
}

const head = (method: string, path: string, more: Record<string, string | number> = {}): string =>
  [
    `${method} /api/v1${path} HTTP/1.1`,
    'Host: x',
    ...Object.entries(more).map(([name, value]) => `${name}: ${value}`),
    '',
    '',
  ].join('\r\n')
const put = (path: string, length: number): string =>
  head('PUT', path, { 'Content-Type': 'text/dns', 'Content-Length': length })
const putSmall = `${head('PUT', '/small', { 'Content-Type': 'application/json', 'Content-Length': 7 })}{"a":1}`

/** The head of the next response, and its error's code. */
async function response(socket: Socket): Promise<{ head: string; status: string; code: string | undefined }> {
  let text = ''
  while (!text.includes('\r\n\r\n')) text += ((await once(socket, 'data')) as [string])[0]
  const [, status = ''] = /^HTTP\/1\.1 (\d+)/.exec(text) ?? []
  return { head: text, status, code: /"code":"(\w+)"/.exec(text)?.[1] }
}

const empty = () => eventually('nothing is held', async () => held.bytes === 0)
const holds = (bytes: number) => eventually(`${bytes} bytes are held`, async () => held.bytes >= bytes)

test('a body counts by the bytes that have arrived, not its declared length, until its request is answered', async () => {
  const socket = open()
  socket.write(put('/keep', 4 * unit))
  socket.write('x'.repeat(unit))
  await holds(unit)
  assert.equal(held.bytes, unit)
  socket.write('x'.repeat(3 * unit))
  await holds(4 * unit)
  released.resolve()
  assert.equal((await response(socket)).status, '200')
  await empty()
  released = Promise.withResolvers()
})

test('a request that needs more room than is left is refused with 503 and Retry-After, and its connection continues', async () => {
  const [first, second] = [open(), open()]
  first.write(put('/take', 5 * unit))
  first.write('x'.repeat(5 * unit - 1))
  await holds(5 * unit - 1)
  second.write(put('/take', 3 * unit))
  second.write('x'.repeat(3 * unit))
  const refused = await response(second)
  assert.deepEqual([refused.status, refused.code], ['503', 'unavailable'])
  assert.match(refused.head, /retry-after: 5/)
  second.write(putSmall)
  assert.equal((await response(second)).status, '200', 'a small request finds room in what large ones leave free')
  first.write('x')
  assert.equal((await response(first)).status, '200')
  await empty()
})

test('chunked bodies also count', async () => {
  const [first, second] = [open(), open()]
  first.write(put('/take', 6 * unit))
  first.write('x'.repeat(6 * unit - 1))
  await holds(6 * unit - 1)
  second.write(head('PUT', '/take', { 'Content-Type': 'text/dns', 'Transfer-Encoding': 'chunked' }))
  second.write(`${unit.toString(16)}\r\n${'x'.repeat(unit)}\r\n0\r\n\r\n`)
  assert.equal((await response(second)).status, '503')
  first.write('x')
  assert.equal((await response(first)).status, '200')
  await empty()
})

test('a partial or refused body leaves no bytes counted', async () => {
  for (const [what, rest] of [
    ['announced', put('/take', 2 * unit) + 'x'.repeat(unit)],
    [
      'chunked',
      `${head('PUT', '/take', { 'Content-Type': 'text/dns', 'Transfer-Encoding': 'chunked' })}${unit.toString(16)}\r\n${'x'.repeat(unit)}`,
    ],
  ] as const) {
    const socket = open()
    socket.write(rest)
    await eventually(what, async () => held.bytes > unit / 2)
    socket.resetAndDestroy()
    await empty()
  }
  const socket = open()
  socket.write(
    `${head('PUT', '/take', { 'Content-Type': 'text/dns', 'Transfer-Encoding': 'chunked' })}${(3 * unit).toString(16)}\r\n${'x'.repeat(unit)}`,
  )
  await holds(unit)
  socket.write('not a chunk')
  socket.end('x'.repeat(16 * unit))
  await empty()
})

test('the body of a request whose caller has disconnected counts until its work is done', async () => {
  const socket = open()
  socket.write(put('/keep', unit) + 'x'.repeat(unit))
  await holds(unit)
  socket.resetAndDestroy()
  const other = open()
  other.write(putSmall)
  assert.equal((await response(other)).status, '200')
  assert.ok(held.bytes >= unit)
  released.resolve()
  await empty()
  released = Promise.withResolvers()
})

test('a response counts until it is read, and large ones are refused while there is no room', async () => {
  const readers = [open(), open()]
  for (const reader of readers) {
    reader.pause()
    reader.write(head('GET', '/give'))
  }
  await holds(24_000_000)
  const third = open()
  third.write(head('GET', '/give'))
  const refused = await response(third)
  assert.deepEqual([refused.status, refused.code], ['503', 'unavailable'])
  assert.doesNotMatch(refused.head, /etag/)
  readers[0]?.resume()
  await eventually('what was read is free', async () => held.bytes < 14_000_000)
  third.write(head('GET', '/give'))
  assert.equal((await response(third)).status, '200')
  readers[1]?.destroy()
  third.destroy()
  await empty()
})

test('a request that changed something gets its response, however little room there is', async () => {
  const readers = [open(), open()]
  for (const reader of readers) {
    reader.pause()
    reader.write(head('GET', '/give'))
  }
  await holds(24_000_000)
  const socket = open()
  socket.write(head('PUT', '/done', { 'Content-Length': 0 }))
  assert.equal((await response(socket)).status, '200')
  for (const each of [...readers, socket]) each.destroy()
  await empty()
})

test('a queued request holds no bytes, and none stay counted when its connection closes', async () => {
  const socket = open()
  socket.pause()
  socket.write(put('/keep', 10) + 'x'.repeat(10) + head('GET', '/give'))
  await holds(10)
  socket.resetAndDestroy()
  released.resolve()
  await empty()
  released = Promise.withResolvers()
})
