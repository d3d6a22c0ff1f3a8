// Debian's nginx with the configuration of deploy/nginx, in front of two APIs.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import { Agent, request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { createAuthority } from '../../sandbox/src/certificates.ts'
import { freeAddresses } from '../../tools/local/addresses.ts'
import { worldForTests } from '../world/index.ts'
import { startNginx } from './peers/nginx.ts'

const free = await freeAddresses()
const world = await worldForTests({ env: { DRAIN_SECONDS: '1', TRUSTED_PROXIES: '127.0.0.1' } })
const second = await world.alsoRun('api', { HTTP_LISTEN: free.http })
const zone = world.facts.zone.name
const made = await world.admin('key', 'create', world.facts.account.email, 'proxied', '--copies', '40')
const keys = (JSON.parse(made) as { secret: string }[]).map(({ secret }) => secret)

const folder = mkdtempSync(join(tmpdir(), 'zonewright-nginx-'))
after(() => rmSync(folder, { recursive: true }))
const name = 'dns.example.net'
const authority = createAuthority('proxy of a test')
const own = authority.issue([name])
const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
writeFileSync(cert, `${own.cert}${authority.cert}`)
writeFileSync(key, own.key, { mode: 0o600 })
const [http, https] = [free.mailbox, free.receiver]
const nginx = await startNginx({
  folder,
  http,
  https,
  apis: [new URL(world.facts.base_url).host, free.http],
  cert,
  key,
})
after(() => nginx.stop())
const agent = new Agent({ ca: authority.cert, keepAlive: true })
after(() => agent.destroy())

interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** Asks the proxy by TLS, whose certificate must be right. */
function ask(method: string, path: string, body?: string, headers: Record<string, string> = {}): Promise<Answer> {
  const [host, port] = https.split(':')
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

test('plain HTTP is sent to https, and what is for operators stays inside', async () => {
  const plain = await fetch(`http://${http}/api/v1/zones?limit=1`, { redirect: 'manual' })
  assert.deepEqual([plain.status, new URL(plain.headers.get('location') ?? '').pathname], [308, '/api/v1/zones'])
  assert.equal((await ask('GET', '/metrics')).status, 404)
  const ready = await ask('GET', '/readyz')
  assert.deepEqual([ready.status, ready.headers['strict-transport-security']], [200, 'max-age=31536000'])
})

test('an import of 16 MiB gets through, and the service says itself what is too large', async () => {
  const headers = { authorization: `Bearer ${keys[0]}`, 'content-type': 'text/dns' }
  const line = `; ${'x'.repeat(1_021)}\n`
  const whole = `big 60 TXT "there"\n${line.repeat(16 * 1_024 - 1)}`
  const taken = await ask('POST', `/api/v1/zones/${zone}/import`, whole, headers)
  assert.equal(taken.status, 200, taken.body)
  const refused = await ask('POST', `/api/v1/zones/${zone}/import`, line.repeat(16 * 1_024 + 1), headers)
  assert.deepEqual([refused.status, JSON.parse(refused.body).error.code], [413, 'payload_too_large'])
})

test('no request fails while each API is restarted in turn', async () => {
  const failed: string[] = []
  const end = new AbortController()
  let sent = 0
  let answered = 0
  const client = async (): Promise<void> => {
    while (!end.signal.aborted) {
      const n = sent++
      const headers = { authorization: `Bearer ${keys[n % keys.length]}`, 'content-type': 'application/json' }
      const path = `/api/v1/zones/${zone}/rrsets/p${n}/A`
      const answer = await ask('PUT', path, '{"ttl": 60, "records": ["192.0.2.1"]}', headers).catch((error: Error) => ({
        status: 0,
        body: error.message,
      }))
      if (answer.status === 201) answered++
      else failed.push(`${answer.status} ${answer.body}`)
      await delay(50)
    }
  }
  const clients = [client(), client(), client()]
  await second.restart()
  await world.programs.service.restart()
  end.abort()
  await Promise.all(clients)
  assert.deepEqual(failed, [])
  assert.ok(answered > 10, `${answered}`)
})
