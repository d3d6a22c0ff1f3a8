// Debian's nginx with the configuration of deploy/nginx, in front of two APIs.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders, type RequestListener, type ServerResponse } from 'node:http'
import { Agent, request } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { createAuthority } from '../../sandbox/src/certificates.ts'
import { freeAddresses } from '../../tools/local/addresses.ts'
import { eventually, worldForTests } from '../world/index.ts'
import { startNginx } from './peers/nginx.ts'

const free = await freeAddresses()
const world = await worldForTests({ env: { DRAIN_SECONDS: '3', TRUSTED_PROXIES: '127.0.0.1' } })
const zone = world.facts.zone.name
const made = await world.admin('key', 'create', world.facts.account.email, 'proxied', '--copies', '40')
const keys = (JSON.parse(made) as { secret: string }[]).map(({ secret }) => secret)

const folder = mkdtempSync(join(tmpdir(), 'zonewright-nginx-'))
after(() => rmSync(folder, { recursive: true }))
const builds = [world.env['DASHBOARD_DIR'] ?? '', join(folder, 'renewed')] as const
const scripts = [entryOf(builds[0]), 'index-renewed.js'] as const
renewDashboard()
const second = await world.alsoRun('api', { HTTP_LISTEN: free.http, DASHBOARD_DIR: builds[1] })
const name = 'dns.example.net'
const authority = createAuthority('proxy of a test')
const [http, https] = [free.mailbox, free.receiver]
const apis = [new URL(world.facts.base_url).host, free.http]
const nginx = await startNginx({ folder, http, https, apis, authority })
after(() => nginx.stop())
const agent = new Agent({ ca: authority.cert, keepAlive: true })
after(() => agent.destroy())

interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** Sends a request to a proxy over TLS, whose certificate must be valid. */
function ask(
  method: string,
  path: string,
  body?: string,
  headers: Record<string, string> = {},
  proxy = https,
): Promise<Answer> {
  const [host, port] = proxy.split(':')
  return new Promise((resolve, reject) => {
    const sent = request({ host, port, servername: name, method, path, headers: { host: name, ...headers }, agent })
    sent.once('error', reject).once('response', (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (part: string) => {
        text += part
      })
      answer.once('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: text }))
    })
    sent.end(body)
  })
}

test('plain HTTP is redirected to HTTPS, and operators’ paths are not exposed', async () => {
  const plain = await fetch(`http://${http}/api/v1/zones?limit=1`, { redirect: 'manual' })
  assert.deepEqual([plain.status, new URL(plain.headers.get('location') ?? '').pathname], [308, '/api/v1/zones'])
  assert.equal((await ask('GET', '/metrics')).status, 404)
  const ready = await ask('GET', '/readyz')
  assert.deepEqual([ready.status, ready.headers['strict-transport-security']], [200, 'max-age=31536000'])
})

test('over plain HTTP, paths to which clients send keys are refused and not redirected', async () => {
  const paths = [
    '/nic/update?hostname=a.example.com',
    '/v3/update',
    '/checkip',
    '/acme/present',
    '/acme-dns/update',
    '/api',
  ]
  for (const path of [...paths, '/api/v1/servers', '/api/v1/servers/localhost/zones']) {
    const { status } = await fetch(`http://${http}${path}`, { redirect: 'manual' })
    assert.equal(status, 403, path)
  }
  for (const path of ['/api/v1/zones', '/acmes', '/nice/update', '/app/zones', '/api/auth/session'])
    assert.equal((await fetch(`http://${http}${path}`, { redirect: 'manual' })).status, 308, path)
})

test('the log has clients and paths, but nothing that lets a reader pay, sign in or set a password', async () => {
  const links = [
    '/app/pay/s3cret',
    '/api/v1/pay/s3cret/checkout',
    '/api/auth/reset-password/s3cret?callbackURL=%2F',
    '/app/?token=s3cret',
  ]
  for (const link of links) await ask('GET', link, undefined, { referer: 'https://dns.example.net/app/pay/s3cret' })
  await fetch(`http://${http}/app/pay/s3cret?token=s3cret`, { redirect: 'manual' })
  const log = await eventually('all of them are logged', () => {
    const lines = readFileSync(join(folder, 'access.log'), 'utf8')
    return Promise.resolve(
      lines.match(/pay\/- HTTP|reset-password\/- HTTP|app\/ HTTP/g)?.length === links.length + 1 && lines,
    )
  })
  assert.match(log, /^127\.0\.0\.1 - - \[.*\] "GET \/app\/pay\/- HTTP\/1\.1" \d+ \d+ "-" ".*"$/m)
  assert.doesNotMatch(log, /s3cret/)
})

test('an import of 16 MiB gets through, and the service itself refuses a larger one', async () => {
  const headers = { authorization: `Bearer ${keys[0]}`, 'content-type': 'text/dns' }
  const line = `; ${'x'.repeat(1_021)}\n`
  const whole = `big 60 TXT "there"\n${line.repeat(16 * 1_024 - 1)}`
  const taken = await ask('POST', `/api/v1/zones/${zone}/import`, whole, headers)
  assert.equal(taken.status, 200, taken.body)
  const refused = await ask('POST', `/api/v1/zones/${zone}/import`, line.repeat(16 * 1_024 + 1), headers)
  assert.deepEqual([refused.status, JSON.parse(refused.body).error.code], [413, 'payload_too_large'])
})

test('during an upgrade every page finds its files, whichever API has which build', async (t) => {
  const reversed = await otherProxy(t, apis.toReversed())
  for (const [proxy, shown] of [
    [https, scripts[0]],
    [reversed, scripts[1]],
  ] as const) {
    assert.equal(entryIn((await ask('GET', '/app/', undefined, {}, proxy)).body), shown)
    for (const script of scripts) {
      const { status, headers } = await ask('GET', `/app/assets/${script}`, undefined, {}, proxy)
      assert.deepEqual([status, headers['content-type']], [200, 'text/javascript; charset=utf-8'], script)
      assert.equal(headers['strict-transport-security'], 'max-age=31536000')
    }
    const missing = await ask('GET', '/app/assets/index-former.js', undefined, {}, proxy)
    assert.deepEqual([missing.status, JSON.parse(missing.body).error.code], [404, 'not_found'])
  }
})

test('the first API gets all requests up to 256 at a time; further ones go to the API with the fewest', async (t) => {
  const held: readonly ServerResponse[][] = [[], []]
  const crowded = await otherProxy(
    t,
    await Promise.all(held.map((its) => standIn(t, (_, response) => its.push(response)))),
  )
  const answers: Promise<Answer>[] = []
  const send = (requests: number): void => {
    for (let i = 0; i < requests; i++) answers.push(ask('GET', '/api/v1/zones', undefined, {}, crowded))
  }
  const areHeld = (...counts: readonly number[]) =>
    eventually(`they have ${counts}`, () => Promise.resolve(held.every((its, i) => its.length === counts[i])))
  send(256)
  await areHeld(256, 0)
  send(20)
  await areHeld(266, 10)
  for (const response of held.flat()) response.end()
  for (const answer of answers) assert.equal((await answer).status, 200)
})

/** The limits of deploy/nginx, which then also apply to this machine. */
const limited = { '    127.0.0.0/8 1;\n': '' }

test('a stream of updates is passed on line by line, avoids a stopping API, and does not count as a request', async (t) => {
  const streams: ServerResponse[] = []
  const leaving = await standIn(t, (_, response) => response.writeHead(503, { 'retry-after': '30' }).end('{}'))
  const staying = await standIn(t, (asked, response) => {
    if (asked.url !== '/api/v1/updates') return response.end('{}')
    response.writeHead(200, { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' }).write(':\n\n')
    return streams.push(response)
  })
  // More streams than the requests that one client may have at a time.
  const proxy = await otherProxy(t, [leaving, staying], limited)
  const heard = Array.from({ length: 150 }, () => '')
  const [host, port] = proxy.split(':')
  for (let i = 0; i < heard.length; i++) {
    const sent = request({ host, port, servername: name, path: '/api/v1/updates', headers: { host: name }, agent })
    sent.on('error', () => undefined).end()
    t.after(() => sent.destroy())
    sent.once('response', (answer) =>
      answer.setEncoding('utf8').on('data', (part: string) => {
        heard[i] += part
      }),
    )
  }
  const all = (text: string) =>
    eventually(`all have ${text}`, () => Promise.resolve(heard.every((one) => one === text)))
  await all(':\n\n')
  for (const stream of streams) stream.write('data: {}\n\n')
  await all(':\n\ndata: {}\n\n')
  assert.equal((await ask('GET', '/api/v1/zones', undefined, {}, proxy)).status, 503, 'by the first API')
})

test('a client that exceeds its burst gets 429 in the API’s envelope, and is served again a second later', async (t) => {
  const proxy = await otherProxy(t, [await standIn(t, (_, response) => response.end('{}'))], limited)
  const flood = (path: string, count: number): Promise<Answer[]> =>
    inTurns(count, 64, () => ask('GET', path, undefined, {}, proxy))
  const answers = await flood('/api/v1/zones', 1_200)
  const [taken, refused] = [200, 429].map((wanted) => answers.filter(({ status }) => status === wanted))
  assert.ok(taken && refused)
  assert.equal(taken.length + refused.length, 1_200)
  assert.ok(taken.length >= 300, `${taken.length} of the burst`)
  assert.ok(refused.length > 100, `${refused.length} refused`)
  for (const { headers, body } of refused) {
    const { error } = JSON.parse(body)
    assert.deepEqual(Object.keys(error), ['code', 'message', 'request_id'])
    assert.deepEqual([error.code, /^req_[0-9a-f]{32}$/.test(error.request_id)], ['rate_limited', true])
    assert.deepEqual(
      ['retry-after', 'content-type', 'cache-control', 'x-content-type-options', 'strict-transport-security'].map(
        (header) => headers[header],
      ),
      ['1', 'application/json', 'no-store', 'nosniff', 'max-age=31536000'],
    )
  }
  await eventually('it is served again', async () => {
    const { status } = await ask('GET', '/api/v1/zones', undefined, {}, proxy)
    return status === 200
  })
})

test('a client can have 128 requests at a time, and another 128 once they are answered', async (t) => {
  const held: ServerResponse[] = []
  const proxy = await otherProxy(t, [await standIn(t, (_, response) => held.push(response))], limited)
  for (let round = 0; round < 2; round++) {
    const answers = Array.from({ length: 128 }, () => ask('GET', '/api/v1/zones', undefined, {}, proxy))
    await eventually('they are held', () => Promise.resolve(held.length === 128))
    const { status, headers } = await ask('GET', '/api/v1/zones', undefined, {}, proxy)
    assert.deepEqual([status, headers['retry-after']], [429, '1'])
    for (const response of held.splice(0)) response.end('{}')
    for (const answer of answers) assert.equal((await answer).status, 200)
  }
})

test('the limits of a client’s requests do not apply to callbacks of the card gateway', async (t) => {
  const proxy = await otherProxy(t, [await standIn(t, (_, response) => response.end('{}'))], limited)
  const answers = await inTurns(1_500, 100, () => ask('POST', '/api/v1/gateway/paystack', '{}', {}, proxy))
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
})

test('a 429 of an API is passed on unchanged', async (t) => {
  const body = '{"error":{"code":"rate_limited","message":"Of the API.","request_id":"req_1"}}'
  const api = await standIn(t, (_, response) => response.writeHead(429, { 'retry-after': '17' }).end(body))
  const answer = await ask('GET', '/api/v1/zones', undefined, {}, await otherProxy(t, [api], limited))
  assert.deepEqual([answer.status, answer.headers['retry-after'], answer.body], [429, '17', body])
})

test('no limits apply to this machine and to the addresses that the operator lists', async (t) => {
  const proxy = await otherProxy(t, [await standIn(t, (_, response) => response.end('{}'))])
  const answers = await inTurns(1_200, 100, () => ask('GET', '/api/v1/zones', undefined, {}, proxy))
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
})

test('a change that takes an API long is not repeated at the other one', async (t) => {
  let begun = 0
  const busy = await standIn(t, () => begun++)
  const impatient = await otherProxy(t, [busy, busy], {
    'proxy_read_timeout 300s;': 'proxy_read_timeout 1s;',
    'upstream_timeout 60s;': 'upstream_timeout 500ms;',
  })
  const given = await ask('PUT', '/api/v1/domains/example.com/nameservers', '{}', {}, impatient)
  assert.deepEqual([given.status, begun], [504, 1])
})

test('no request fails while a machine with two APIs is down', async (t) => {
  const off = ['127.0.0.1:9', '127.0.0.1:13']
  const halved = await otherProxy(t, [...off, ...apis])
  const headers = { authorization: `Bearer ${keys[1]}`, 'content-type': 'application/json' }
  for (let n = 0; n < 8; n++) {
    const name = `off${n}`
    const made = await ask('POST', `/api/v1/zones/${zone}/rrsets`, rrsetOf(name), headers, halved)
    assert.equal(made.status, 201, made.body)
    const read = await ask('GET', `/api/v1/zones/${zone}/rrsets/${name}/A`, undefined, headers, halved)
    assert.equal(read.status, 200, read.body)
  }
})

test('no request fails while each API is restarted in turn', async () => {
  const failed: string[] = []
  const end = new AbortController()
  let sent = 0
  let answered = 0
  // nginx repeats a lost PUT, but never a POST that it has sent.
  const client = async (): Promise<void> => {
    while (!end.signal.aborted) {
      const n = sent++
      const headers = { authorization: `Bearer ${keys[n % keys.length]}`, 'content-type': 'application/json' }
      const path = `/api/v1/zones/${zone}/rrsets`
      const answer = await ask('POST', path, rrsetOf(`p${n}`), headers).catch((error: Error) => ({
        status: 0,
        body: error.message,
      }))
      if (answer.status === 201) answered++
      else failed.push(`${answer.status} ${answer.body}`)
      await delay(10)
    }
  }
  const clients = Array.from({ length: 12 }, client)
  for (const api of [world.programs.service, second, world.programs.service]) await api.restart()
  end.abort()
  await Promise.all(clients)
  assert.deepEqual(failed, [])
  assert.ok(answered > 10, `${answered}`)
})

/** Does something `count` times, at most `atOnce` at a time. */
async function inTurns<T>(count: number, atOnce: number, work: () => Promise<T>): Promise<T[]> {
  const results: T[] = []
  let begun = 0
  const one = async (): Promise<void> => {
    while (begun++ < count) results.push(await work())
  }
  await Promise.all(Array.from({ length: atOnce }, one))
  return results
}

/** A proxy for one test, of these APIs, and where it listens for TLS. */
async function otherProxy(
  t: TestContext,
  its: readonly string[],
  replaced: Readonly<Record<string, string>> = {},
): Promise<string> {
  const place = mkdtempSync(join(folder, 'other-'))
  const other = await startNginx({ folder: place, http: free.ns1, https: free.ns2, apis: its, authority, replaced })
  t.after(() => other.stop())
  return free.ns2
}

/** Listens for one test as an API would. */
async function standIn(t: TestContext, handle: RequestListener): Promise<string> {
  const server = createServer(handle).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Makes another version of the dashboard, whose first script has another name. */
function renewDashboard(): void {
  const [present, renewed] = builds
  cpSync(present, renewed, { recursive: true })
  for (const form of ['', '.br', '.gz'])
    renameSync(join(renewed, 'assets', `${scripts[0]}${form}`), join(renewed, 'assets', `${scripts[1]}${form}`))
  const page = join(renewed, 'index.html')
  writeFileSync(page, readFileSync(page, 'utf8').replace(scripts[0], scripts[1]))
}

function entryOf(build: string): string {
  return entryIn(readFileSync(join(build, 'index.html'), 'utf8'))
}

/** The first script of a page. */
function entryIn(page: string): string {
  return /<script [^>]*src="\/app\/assets\/([^"]+)"/.exec(page)?.[1] ?? assert.fail(page)
}

function rrsetOf(name: string): string {
  return JSON.stringify({ name, type: 'A', ttl: 60, records: ['192.0.2.1'] })
}
