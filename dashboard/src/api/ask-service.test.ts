import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { askService, type TimeLimits } from './ask-service.ts'
import { ApiFailure } from './failure.ts'

const answers: Record<string, (answer: ServerResponse) => unknown> = {
  '/hang': () => undefined,
  '/stop': (answer) => answer.writeHead(200, { 'content-type': 'application/json' }).write('{'),
  '/cut': (answer) => {
    answer.writeHead(200, { 'content-length': '100' }).write('{')
    setImmediate(() => answer.destroy())
  },
  '/html': (answer) => answer.setHeader('content-type', 'text/html').end('<h1>Welcome to this hotel</h1>'),
  '/broken': (answer) => answer.setHeader('content-type', 'application/json').end('{"data":'),
  '/502': (answer) => answer.writeHead(502, { 'content-type': 'text/html' }).end('<h1>502 Bad Gateway</h1>'),
  '/429': (answer) => answer.writeHead(429, { 'retry-after': '7', 'content-type': 'text/html' }).end('<h1>429</h1>'),
}
const server = createServer((asked, answer) => answers[asked.url ?? '']?.(answer)).listen(0, '127.0.0.1')
await once(server, 'listening')
after(() => {
  server.close()
  server.closeAllConnections()
})

const short: TimeLimits = { readMs: 100, writeMs: 100, restMs: 100 }

async function failureAt(path: string, method = 'GET', limits?: TimeLimits): Promise<ApiFailure> {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`
  const error = await askService(url, { method }, (answer) => answer.json(), limits).then(assert.fail, (e) => e)
  assert.ok(error instanceof ApiFailure, String(error))
  return error
}

test('a request that gets no response, or only part of one, times out', async () => {
  assert.equal((await failureAt('/hang', 'GET', short)).code, 'timed_out')
  assert.equal((await failureAt('/stop', 'GET', short)).code, 'timed_out')
  assert.match((await failureAt('/hang', 'POST', short)).message, /may have done what you asked/)
})

test('a response that breaks off counts as no response, and a response of another program is recognized', async () => {
  assert.equal((await failureAt('/cut')).code, 'unreachable')
  assert.equal((await failureAt('/html')).code, 'unreadable')
  assert.equal((await failureAt('/broken')).code, 'unreadable')
  assert.equal((await failureAt('/502')).code, 'unavailable')
  const { code, retryAfterS } = await failureAt('/429')
  assert.deepEqual([code, retryAfterS], ['rate_limited', 7])
})

test('a request that the page no longer needs does not count as a failure of the service', async () => {
  const unwanted = AbortSignal.abort()
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hang`
  await assert.rejects(
    askService(url, { method: 'GET', signal: unwanted }, (answer) => answer.text()),
    (error) => !(error instanceof ApiFailure),
  )
})
