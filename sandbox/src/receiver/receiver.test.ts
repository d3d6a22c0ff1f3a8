import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import type { IncomingHttpHeaders } from 'node:http'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { Received } from './inbox.ts'
import { type Receiver, startReceiver } from './start-receiver.ts'

const dataDir = await mkdtemp(join(tmpdir(), 'zonewright-receiver-'))
const secret = 'whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5'
const options = { dataDir, httpsListen: '127.0.0.1:0', httpListen: '127.0.0.1:0' }
const receiver = await startReceiver(options)
const ca = await readFile(receiver.caFile, 'utf8')
after(async () => {
  await receiver.close()
  await rm(dataDir, { recursive: true })
})

interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

/** Sends a POST over HTTPS, and trusts only the receiver's authority. */
function post(
  name: string,
  body: string,
  headers: Record<string, string> = {},
  to: Receiver = receiver,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(
      `https://${to.httpsAddress}/hooks/${name}`,
      { method: 'POST', ca, headers },
      async (response) => {
        let text = ''
        for await (const chunk of response) text += chunk
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text })
      },
    )
    sent.on('error', reject).end(body)
  })
}

function signature(body: string, { ageS = 0, key = secret } = {}): string {
  const t = Math.floor(Date.now() / 1000) - ageS
  return `t=${t},v1=${createHmac('sha256', key).update(`${t}.${body}`).digest('hex')}`
}

async function put(path: string, value: unknown): Promise<number> {
  const answer = await fetch(`http://${receiver.httpAddress}${path}`, { method: 'PUT', body: JSON.stringify(value) })
  await answer.body?.cancel()
  return answer.status
}

async function log(name: string): Promise<Received[]> {
  const answer = await fetch(`http://${receiver.httpAddress}/log?receiver=${name}`)
  return ((await answer.json()) as { data: Received[] }).data
}

test('a request with the right signature is verified', async () => {
  assert.equal(await put('/hooks/right', { secret }), 200)
  const body = '{"id":"evt_1"}'
  const headers = { 'Service-Signature': signature(body), 'Service-Event-Id': 'evt_1', 'Service-Event-Type': 'ping' }
  assert.equal((await post('right', body, headers)).status, 200)
  const [request] = await log('right')
  assert.deepEqual(
    [request?.verified, request?.doubt, request?.event_id, request?.event_type, request?.status, request?.body],
    [true, null, 'evt_1', 'ping', 200, body],
  )
})

test('one valid signature of several is enough, as during a rotation', async () => {
  await put('/hooks/rotated', { secret })
  const other = `v1=${'0'.repeat(64)}`
  assert.equal((await post('rotated', '{}', { 'Service-Signature': `${signature('{}')},${other}` })).status, 200)
})

const refused: readonly (readonly [string, string | undefined])[] = [
  ['there is no Service-Signature header', undefined],
  ['the Service-Signature header cannot be read', 'nonsense'],
  ['the signature does not match', signature('another body')],
  ['the signature does not match', signature('{}', { key: 'whsec_another' })],
  ['the signature is older than 5 minutes', signature('{}', { ageS: 301 })],
]

for (const [doubt, header] of refused)
  test(`a request is refused when ${doubt}`, async () => {
    await put('/hooks/strict', { secret })
    const answer = await post('strict', '{}', header === undefined ? {} : { 'Service-Signature': header })
    assert.deepEqual([answer.status, answer.text], [400, `${doubt}\n`])
    const request = (await log('strict')).at(-1)
    assert.deepEqual([request?.verified, request?.doubt], [false, doubt])
  })

test('a signature that is almost five minutes old is still valid', async () => {
  await put('/hooks/strict', { secret })
  assert.equal((await post('strict', '{}', { 'Service-Signature': signature('{}', { ageS: 290 }) })).status, 200)
})

test('a receiver without a secret accepts a request, and logs that it cannot verify it', async () => {
  const answer = await post('unknown', '{}', { 'Service-Signature': signature('{}') })
  assert.equal(answer.status, 200)
  assert.equal((await log('unknown'))[0]?.doubt, 'no secret is known for this receiver')
})

test('an event id that already got a 2xx response is marked as repeated', async () => {
  const headers = { 'Service-Event-Id': 'evt_again' }
  receiver.inbox.behave({ status: 500, times: 1 }, 'again')
  for (let i = 0; i < 3; i += 1) await post('again', '{}', headers)
  assert.deepEqual(
    (await log('again')).map(({ status, repeated }) => [status, repeated]),
    [
      [500, false],
      [200, false],
      [200, true],
    ],
  )
})

test('a receiver responds as set (status, redirect, delay, reset), for the set number of requests', async () => {
  assert.equal(await put('/behaviour?receiver=told', { status: 503, times: 2 }), 200)
  const statuses = [await post('told', ''), await post('told', ''), await post('told', '')].map(({ status }) => status)
  assert.deepEqual(statuses, [503, 503, 200])
  await put('/behaviour?receiver=told', { redirect: 'https://example.com/' })
  const redirected = await post('told', '')
  assert.deepEqual([redirected.status, redirected.headers.location], [302, 'https://example.com/'])
  await put('/behaviour?receiver=told', { delayMs: 100 })
  const started = performance.now()
  await post('told', '')
  assert.ok(performance.now() - started >= 95)
  await put('/behaviour?receiver=told', { reset: true })
  await assert.rejects(post('told', ''), { code: 'ECONNRESET' })
})

test('an invalid behavior or secret is refused', async () => {
  for (const wrong of [{ status: 99 }, { delayMs: -1 }, { colour: 'red' }, { redirect: 'a\nb' }, [], 'x'])
    assert.equal(await put('/behaviour', wrong), 422, JSON.stringify(wrong))
  assert.equal(await put('/hooks/x', { secret: 7 }), 422)
  assert.equal(await put('/nowhere', {}), 404)
})

test('the page shows the received requests, indented and escaped', async () => {
  await post('shown', '{"text":"<script>alert(1)</script>"}', { 'Service-Event-Type': '<b>bold</b>' })
  const page = await (await fetch(`http://${receiver.httpAddress}/`)).text()
  assert.match(page, /&lt;b&gt;bold&lt;\/b&gt;/)
  assert.match(page, /\{\n {2}&quot;text&quot;: &quot;&lt;script&gt;alert\(1\)&lt;\/script&gt;&quot;\n\}/)
  assert.match(page, /Not verified: no secret is known for this receiver/)
  assert.doesNotMatch(page, /<script>alert/)
})

test('the certificate and the secrets survive a restart', async () => {
  await put('/hooks/kept', { secret })
  const again = await startReceiver(options)
  assert.equal(await readFile(again.caFile, 'utf8'), ca)
  assert.equal((await post('kept', '{}', { 'Service-Signature': signature('{}') }, again)).text, 'verified\n')
  assert.equal((await stat(join(dataDir, 'secrets.json'))).mode & 0o777, 0o600)
  assert.equal((await stat(join(dataDir, 'server-key.pem'))).mode & 0o777, 0o600)
  await again.close()
})
