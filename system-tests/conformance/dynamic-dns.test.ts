// Debian's ddclient and inadyn update a name of a running installation, each with exactly the configuration of its page.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { createAuthority } from '../../sandbox/src/certificates.ts'
import { worldForTests } from '../world/index.ts'
import { inRepository } from './peers/deploy-files.ts'

const world = await worldForTests({ env: { TRUSTED_PROXIES: '127.0.0.1' } })
const { api, facts } = world
const zone = facts.zone.name
const folder = mkdtempSync(join(tmpdir(), 'zonewright-router-'))
after(() => rmSync(folder, { recursive: true }))
const authority = createAuthority('proxy of a test')
const ca = join(folder, 'ca.pem')
writeFileSync(ca, authority.cert)

/** Where the router is, as the proxy reports it: clients refuse loopback addresses. */
const home = '8.8.4.4'
const proxy = createServer(authority.issue(['127.0.0.1']), (incoming, outgoing) => {
  const headers = { ...incoming.headers, 'x-forwarded-for': home, 'x-forwarded-proto': 'https' }
  const { hostname, port } = new URL(facts.base_url)
  const sent = request({ hostname, port, method: incoming.method, path: incoming.url, headers }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(outgoing)
  })
  incoming.pipe(sent)
})
proxy.listen(0, '127.0.0.1')
await once(proxy, 'listening')
after(() => proxy.close())
const server = `127.0.0.1:${(proxy.address() as AddressInfo).port}`

const made = await world.admin(
  'key',
  'create',
  facts.account.email,
  'router',
  '--zones',
  zone,
  '--permissions',
  'records:write',
)
const { secret } = JSON.parse(made) as { secret: string }

/** The configuration of a page, with the test's own values in place of the reader's, in a file that only its owner can read. */
function configuration(client: string, host: string, more: string): string {
  const page = readFileSync(inRepository(`docs/customers/${client}.md`), 'utf8')
  const [, text = ''] = new RegExp(`^\`\`\`ini ${client}\\n(.*?)^\`\`\``, 'ms').exec(page) ?? []
  const places = { 'dns.example.net': server, svc_live_YOUR_KEY: secret, 'home.example.com': host }
  for (const place of Object.keys(places)) assert.ok(text.includes(place), place)
  const own = Object.entries(places).reduce((done, [place, own]) => done.replaceAll(place, own), text)
  const file = join(folder, `${client}.conf`)
  writeFileSync(file, `${more}\n${own}`, { mode: 0o600 })
  return file
}

const clients: readonly { client: string; more: string; run: (file: string) => string[] }[] = [
  {
    client: 'ddclient',
    more: `ssl_ca_file=${ca}`,
    run: (file) => ['-daemon=0', '-verbose', '-noquiet', `-file=${file}`, `-cache=${join(folder, 'ddclient.cache')}`],
  },
  {
    client: 'inadyn',
    more: `ca-trust-file = "${ca}"`,
    run: (file) => [
      '--once',
      '--foreground',
      '--loglevel=debug',
      `--config=${file}`,
      `--cache-dir=${folder}`,
      `--pidfile=${join(folder, 'inadyn.pid')}`,
    ],
  },
]
for (const { client, more, run } of clients)
  test(`${client} updates a name as its page says`, async () => {
    const host = `${client}.${zone}`
    const { stdout, stderr } = await promisify(execFile)(client, run(configuration(client, host, more)), {
      timeout: 60_000,
    }).catch((error: { stdout: string; stderr: string }) => error)
    const { status, body } = await api.call('GET', `/zones/${zone}/rrsets/${host}./A`)
    assert.equal(status, 200, `${stdout}\n${stderr}`)
    assert.deepEqual([body['records'], body['ttl']], [[home], 60])
  })
