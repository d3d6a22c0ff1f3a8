import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { updateStreamLimits } from '@zonewright/contract'
import { createLogger } from '#platform/log.ts'
import { eventually } from '#testing/eventually.ts'
import { startTestApi } from '#testing/test-api.ts'
import { TestPerson } from '#testing/test-person.ts'
import { UpdateStreams } from './update-streams.ts'

const api = await startTestApi({ updateTimes: { sessionsMs: 400, changesMs: 100, commentMs: 200 } })
const person = await TestPerson.signedIn(api, 'person@example.net')
const accountId: string = (await person.call('GET', '/account')).body.id
await api.server.fastify.listen({ host: '127.0.0.1', port: 0 })
const { port } = api.server.fastify.server.address() as AddressInfo
const cookie = [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
const lines = `GET /api/v1/updates HTTP/1.1\r\nHost: x\r\nCookie: ${cookie}\r\n\r\n`

/** A raw connection that requested a stream. */
async function asked(): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.on('error', () => undefined).write(lines)
  return socket
}

const readOf = async (socket: Socket): Promise<() => string> => {
  let text = ''
  socket.on('data', (part) => {
    text += part
  })
  await eventually('a response', () => text !== '')
  return () => text
}

test('a stream sends a comment line from time to time', async () => {
  const socket = await asked()
  const text = await readOf(socket)
  await eventually('three comments', () => (text().match(/^:$/gm) ?? []).length >= 3)
  socket.destroy()
})

test('a client that does not read is disconnected, and its buffer stays small', async () => {
  const streams = new UpdateStreams(api.database.db, createLogger('test', 'silent'), {
    sessionsMs: 400,
    changesMs: 100,
    commentMs: 300,
  })
  const [session] = (await person.auth('GET', '/list-sessions')).body
  const body = await streams.open({ accountId, sessionId: session.id })
  body.pause()
  let most = 0
  const watch = setInterval(() => {
    most = Math.max(most, body.readableLength)
  }, 10)
  await eventually('it is closed', () => body.destroyed)
  clearInterval(watch)
  assert.ok(most < 64 * 1_024, `${most} bytes`)
  assert.equal(streams.count, 0)
})

test('a process has a maximum number of streams', async () => {
  const streams = new UpdateStreams(api.database.db, createLogger('test', 'silent'), {
    sessionsMs: 60_000,
    changesMs: 60_000,
  })
  const { session } = updateStreamLimits
  const follower = (i: number) => ({
    accountId: `00000000-0000-4000-8000-${String(Math.floor(i / session)).padStart(12, '0')}`,
    sessionId: `00000000-0000-4000-9000-${String(Math.floor(i / session)).padStart(12, '0')}`,
  })
  // A stream counts before it is open, so these need not be open.
  const opening = Array.from({ length: updateStreamLimits.process }, (_, i) => streams.open(follower(i)))
  await assert.rejects(streams.open(follower(updateStreamLimits.process)), { code: 'unavailable' })
  streams.end()
  for (const one of await Promise.allSettled(opening)) if (one.status === 'fulfilled') one.value.destroy()
})

test('when the process drains, all streams end, including unread ones, and new ones are refused', async () => {
  const [reads, idle] = [await asked(), await asked()]
  const text = await readOf(reads)
  const ended = once(reads, 'close')
  idle.pause()
  await eventually('both are open', async () =>
    /^zonewright_update_streams 2$/m.test(await api.parts.metrics.metrics()),
  )
  const draining = api.server.drain(2_000)
  await eventually('the response ends', () => /\r\n0\r\n\r\n$/.test(text()))
  const refused = await new Promise<{ status: number; retryAfter: string | undefined }>((resolve, reject) => {
    request({ host: '127.0.0.1', port, path: '/api/v1/updates', headers: { cookie }, agent: false }, (answer) => {
      answer.resume()
      resolve({ status: answer.statusCode ?? 0, retryAfter: answer.headers['retry-after'] })
    })
      .once('error', reject)
      .end()
  })
  assert.deepEqual(refused, { status: 503, retryAfter: '30' })
  await draining
  idle.destroy()
  await api.server.fastify.close()
  await ended
})
