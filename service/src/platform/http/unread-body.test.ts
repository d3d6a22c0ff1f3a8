import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { eventually } from '#testing/eventually.ts'
import { RawConnection, type RawResponse } from '#testing/raw-connection.ts'
import { startTestApi } from '#testing/test-api.ts'
import { sql } from '../postgres/index.ts'
import { maxUnreadBytes } from './unread-body.ts'

const api = await startTestApi()
const account = await api.account('owner@example.net')
const key = await api.key(account)
await api.zone(account, 'example.com')
await api.server.fastify.listen({ host: '127.0.0.1', port: 0 })
const { port } = api.server.fastify.server.address() as AddressInfo

const rrsets = '/api/v1/zones/example.com/rrsets'
const asOwner = `Authorization: Bearer ${key}\r\n`

interface Head {
  readonly method?: string
  readonly path: string
  readonly version?: string
  readonly headers: string
}

function headOf({ method = 'POST', path, version = '1.1', headers }: Head): string {
  return `${method} ${path} HTTP/${version}\r\nHost: localhost\r\nContent-Type: application/json\r\n${headers}\r\n`
}

/** Sends all of a request before it reads anything, as many clients do; undefined: the response is lost. */
async function sendThenRead(request: readonly Buffer[], method?: string): Promise<RawResponse | undefined> {
  const connection = await RawConnection.open(port)
  const { socket } = connection
  socket.pause()
  for (const part of request) if (!(await written(socket, part))) break
  socket.resume()
  const response = await connection.exchange('', method)
  if (response?.headers['connection'] === 'close') await connection.closed()
  connection.close()
  return response
}

function written(socket: RawConnection['socket'], part: Buffer): Promise<boolean> {
  return new Promise((resolve) => socket.write(part, (error) => resolve(error == null)))
}

const closings = {
  'Connection: close': { version: '1.1', headers: 'Connection: close\r\n' },
  'HTTP/1.0': { version: '1.0', headers: '' },
  'Expect with Connection: close': { version: '1.1', headers: 'Expect: 100-continue\r\nConnection: close\r\n' },
}

const refusals: readonly (Head & { readonly status: number })[] = [
  { path: rrsets, method: 'PATCH', headers: asOwner, status: 413 },
  { path: rrsets, method: 'PATCH', headers: '', status: 401 },
  { path: '/api/v1/nowhere', headers: '', status: 404 },
  { path: '/api/v1/zones/other.example/import', headers: asOwner, status: 404 },
  { path: '/api/v1/pay/x/checkout', headers: '', status: 404 },
  { path: '/api/v1/zones/example.com', headers: asOwner, status: 405 },
  { path: '/api/auth/sign-up/email', headers: '', status: 413 },
  { path: `/api/v1/zones/${'a'.repeat(5_000)}`, method: 'PATCH', headers: asOwner, status: 414 },
]

for (const [name, { version, headers }] of Object.entries(closings))
  test(`a client that ends its connection with the response gets the refusal of a large body: ${name}`, async () => {
    for (const bytes of [2_000_000, 20_000_000])
      for (const refusal of refusals)
        for (const length of version === '1.0' ? ['declared'] : ['declared', 'chunked']) {
          const about = `${refusal.method ?? 'POST'} ${refusal.path.slice(0, 50)} with ${bytes} bytes, ${length}`
          const body = Buffer.alloc(bytes, ' ')
          const [framing, parts] =
            length === 'declared'
              ? [`Content-Length: ${bytes}\r\n`, [body]]
              : [
                  'Transfer-Encoding: chunked\r\n',
                  [Buffer.from(`${bytes.toString(16)}\r\n`), body, Buffer.from('\r\n0\r\n\r\n')],
                ]
          const head = headOf({ ...refusal, version, headers: `${refusal.headers}${headers}${framing}` })
          const response = await sendThenRead([Buffer.from(head), ...parts])
          assert.equal(response?.status, refusal.status, about)
          assert.equal(response.headers['connection'], 'close', about)
          assert.match(JSON.parse(response.body).error.request_id, /^req_/, about)
        }
  })

test('only a limited part of a refused body is read, whether or not the connection would stay open', async () => {
  for (const headers of ['', 'Connection: close\r\n'])
    for (const framing of [`Content-Length: ${10 * maxUnreadBytes}\r\n`, 'Transfer-Encoding: chunked\r\n']) {
      const connection = await RawConnection.open(port)
      connection.socket.write(headOf({ path: '/api/v1/nowhere', headers: headers + framing }))
      const piece = Buffer.alloc(1024 * 1024, ' ')
      const isChunked = framing.startsWith('T')
      const chunk = isChunked ? Buffer.concat([Buffer.from('100000\r\n'), piece, Buffer.from('\r\n')]) : piece
      let sent = 0
      // More than this can be sent, because the buffers of both sockets hold some of it.
      while (sent < 2 * maxUnreadBytes && (await written(connection.socket, chunk))) sent += piece.length
      await connection.closed()
      const [least, most] = isChunked ? [maxUnreadBytes, 2 * maxUnreadBytes] : [0, maxUnreadBytes / 2]
      assert.ok(sent >= least && sent < most, `${sent} bytes of ${headers}${framing}`)
    }
})

test('a client that disconnects while its refused body is read leaves no connection behind', async () => {
  const connection = await RawConnection.open(port)
  connection.socket.write(
    headOf({ path: '/api/v1/nowhere', headers: 'Connection: close\r\nContent-Length: 20000000\r\n' }),
  )
  const response = await connection.exchange(Buffer.alloc(1_000_000, ' '))
  assert.equal(response?.status, 404)
  connection.close()
  const open = () =>
    new Promise<number>((resolve) => api.server.fastify.server.getConnections((_, count) => resolve(count)))
  await eventually('the connection is gone', async () => (await open()) === 0)
})

test('a body whose length differs from its headers changes nothing', async () => {
  const good = '{"ttl":60,"records":["192.0.2.1"]}'
  const lies: readonly [about: string, headers: string, body: string, status: number | undefined][] = [
    ['longer than it is', `Content-Length: ${good.length + 50}\r\n`, good, undefined],
    ['by one byte longer than it is', `Content-Length: ${good.length + 1}\r\n`, good, undefined],
    ['shorter than it is', `Content-Length: ${good.length - 5}\r\n`, good, 400],
    ['none', 'Content-Length: 0\r\n', good, 400],
    ['not told', '', good, 400],
    ['negative', `Content-Length: -${good.length}\r\n`, good, 400],
    ['with a sign', `Content-Length: +${good.length}\r\n`, good, 400],
    ['in hexadecimal', `Content-Length: 0x${good.length.toString(16)}\r\n`, good, 400],
    ['in words', 'Content-Length: many\r\n', good, 400],
    ['empty', 'Content-Length: \r\n', good, 400],
    ['larger than any number', `Content-Length: ${'9'.repeat(30)}\r\n`, good, 400],
    ['told twice', `Content-Length: ${good.length}\r\nContent-Length: ${good.length + 1}\r\n`, good, 400],
    ['a list', `Content-Length: ${good.length}, ${good.length}\r\n`, good, 400],
    [
      'told beside chunks',
      `Content-Length: ${good.length}\r\nTransfer-Encoding: chunked\r\n`,
      `${good.length.toString(16)}\r\n${good}\r\n0\r\n\r\n`,
      400,
    ],
    [
      'of chunks that do not end',
      'Transfer-Encoding: chunked\r\n',
      `${good.length.toString(16)}\r\n${good}\r\n`,
      undefined,
    ],
    [
      'of a chunk that is shorter',
      'Transfer-Encoding: chunked\r\n',
      `${(good.length + 9).toString(16)}\r\n${good}\r\n0\r\n\r\n`,
      undefined,
    ],
    ['of a chunk that is longer', 'Transfer-Encoding: chunked\r\n', `5\r\n${good}\r\n0\r\n\r\n`, 400],
    ['of a chunk with a length that is no number', 'Transfer-Encoding: chunked\r\n', `x\r\n${good}\r\n0\r\n\r\n`, 400],
    ['of a chunk of 2^70 bytes', 'Transfer-Encoding: chunked\r\n', `${'f'.repeat(18)}\r\n${good}\r\n0\r\n\r\n`, 400],
    ['in another encoding', 'Transfer-Encoding: gzip\r\n', good, 400],
  ]
  for (const [about, headers, body, status] of lies) {
    const connection = await RawConnection.open(port)
    const head = headOf({ method: 'PUT', path: `${rrsets}/www/A`, headers: asOwner + headers })
    connection.socket.write(head + body)
    connection.socket.end()
    const response = await connection.exchange()
    // A client that ends its connection in the middle of a body may not get a response.
    if (status !== undefined || response) assert.equal(response?.status, status ?? 400, `${about}: ${response?.body}`)
    await connection.closed()
  }
  const { rows } = await sql`select 1 from zone_rrsets where name like 'www.%'`.execute(api.database.db)
  assert.equal(rows.length, 0)
  // A body with the right length, declared or in chunks, does make the change.
  for (const [headers, body] of [
    [`Content-Length: ${good.length}\r\n`, good],
    [
      'Transfer-Encoding: chunked\r\n',
      `5\r\n${good.slice(0, 5)}\r\n${(good.length - 5).toString(16)}\r\n${good.slice(5)}\r\n0\r\n\r\n`,
    ],
  ] as const) {
    const connection = await RawConnection.open(port)
    const response = await connection.exchange(
      headOf({ method: 'PUT', path: `${rrsets}/www/A`, headers: asOwner + headers }) + body,
    )
    assert.ok(response && response.status < 300, `${response?.status} ${response?.body}`)
    connection.close()
  }
})
