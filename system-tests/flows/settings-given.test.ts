// `npm start` with every documented setting: the service gets the value that a person sets.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { sandboxRegistries } from '@zonewright/service/registries'
import { cloneTemplate } from '@zonewright/service/test-database'
import { createAuthority, startReceiver } from '../../sandbox/src/index.ts'
import { environmentOf, freeAddresses, freePort } from '../../tools/local/addresses.ts'
import type { SandboxFacts } from '../../tools/local/installation.ts'
import { Api, eventually, startHeard } from '../world/index.ts'

const folder = mkdtempSync(join(tmpdir(), 'zonewright-given-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const inFolder = (name: string): string => join(folder, name)
for (const name of ['presets', 'dashboard/assets', 'receiver']) mkdirSync(inFolder(name), { recursive: true })
writeFileSync(join(inFolder('dashboard'), 'index.html'), '<!doctype html><title>Ours</title>')
const certificate = createAuthority('Authority of a test').issue(['127.0.0.1'])
writeFileSync(inFolder('door-cert.pem'), certificate.cert)
writeFileSync(inFolder('door-key.pem'), certificate.key)
writeFileSync(inFolder('registries.json'), JSON.stringify(sandboxRegistries))
writeFileSync(inFolder('providers.secret'), 'secret-of-google\n')
writeFileSync(
  inFolder('providers.json'),
  JSON.stringify({
    providers: [{ id: 'google', client_id: 'given', client_secret_file: inFolder('providers.secret') }],
  }),
)
writeFileSync(inFolder('logo.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')

/** A receiver of the person's own, with a certificate that only its own authority vouches for. */
const own = await startReceiver({
  dataDir: inFolder('receiver'),
  httpsListen: '127.0.0.1:0',
  httpListen: '127.0.0.1:0',
})
after(() => own.close())

const addresses = await freeAddresses()
const port = async (): Promise<string> => `127.0.0.1:${await freePort()}`

/** A value for each documented setting, different from what `npm start` would use by default. */
const given: Readonly<Record<string, string>> = {
  DATA_DIR: inFolder('data'),
  DATABASE_URL: await cloneTemplate(),
  DATABASE_ROLE: 'zonewright_given',
  DATABASE_DOCTOR_ROLE: 'zonewright_given_doctor',
  DATABASE_DOCTOR_URL: 'postgres://zonewright_given_doctor@127.0.0.1/given',
  DATABASE_DISK_METRIC: 'http://127.0.0.1:9100/metrics node_filesystem_avail_bytes{mountpoint="/"}',
  SECRET_KEY: randomBytes(32).toString('base64'),
  SECRET_KEY_FALLBACK: randomBytes(32).toString('base64'),
  TSIG_KEY: `hmac-sha256:given-transfer:${randomBytes(32).toString('base64')}`,
  TSIG_KEY_FALLBACK: `hmac-sha256:given-before:${randomBytes(32).toString('base64')}`,
  HTTP_LISTEN: addresses.http,
  METRICS_LISTEN: await port(),
  METRICS_TARGETS: await port(),
  TRUSTED_PROXIES: '192.0.2.0/24',
  CONNECTIONS_PER_ADDRESS: '255',
  HTTP_MEMORY_MIB: '200',
  DRAIN_SECONDS: '0.1',
  PUBLIC_URL: `http://${addresses.http}`,
  SERVICE_NAME: 'Given DNS',
  SERVICE_LOGO: inFolder('logo.svg'),
  SERVICE_COLOR: '#204080',
  SERVICE_LINKS: 'Status=https://status.example.net/',
  PRIMARY_LISTEN: addresses.primary,
  DATABASE_DOOR_ROLE: 'zonewright_given_door',
  DOOR_LISTEN: addresses.door,
  DOOR_ADDRESS: await port(),
  DOOR_TLS_CERT: inFolder('door-cert.pem'),
  DOOR_TLS_KEY: inFolder('door-key.pem'),
  DOOR_TLS_LISTEN: await port(),
  DOOR_KEY: randomBytes(32).toString('base64'),
  DOOR_KEY_FALLBACK: randomBytes(32).toString('base64'),
  NAMESERVERS: `a.ns.example.net=${addresses.ns1},b.ns.example.net=${addresses.ns2}`,
  FREE_PARENTS: 'free.example.net',
  VERIFICATION_RESOLVER: await port(),
  ALIAS_RESOLVER: await port(),
  DELEGATION_RESOLVER: await port(),
  RDAP_BOOTSTRAP: 'off',
  RESOLVERS: await port(),
  WEBHOOK_TRUSTED_TARGETS: own.httpsAddress,
  WEBHOOK_RESOLVER: await port(),
  WEBHOOK_SOURCE_ADDRESSES: '192.0.2.10,2001:db8:1::/48',
  WEBHOOK_CA_FILE: own.caFile,
  SMTP_URL: `smtp://${await port()}`,
  MAIL_FROM: 'DNS <dns@example.net>',
  PAYMENTS: 'sandbox',
  PAYSTACK_SECRET_KEY: 'sk_test_given',
  PAYSTACK_URL: `http://${addresses.gateway}/`,
  SAVED_CARDS: 'off',
  SIGN_IN_PROVIDERS: inFolder('providers.json'),
  REGISTRIES: inFolder('registries.json'),
  PRESETS_DIR: inFolder('presets'),
  DOMAIN_CONNECT: 'dns.example.net=Example DNS',
  DOMAIN_CONNECT_DIR: inFolder('presets'),
  DASHBOARD_DIR: inFolder('dashboard'),
  LOG_LEVEL: 'warn',
}

const started = startHeard(['--disable-warning=ExperimentalWarning', 'tools/start.ts'], {
  ...environmentOf(addresses),
  ...given,
})
after(async () => {
  started.process.kill('SIGINT')
  await started.end
})
const factsFile = join(inFolder('data'), 'sandbox.json')
await Promise.race([
  eventually('npm start is ready', async () => existsSync(factsFile)),
  started.end.then((code) => assert.fail(`npm start ended with ${code}: ${started.said()}`)),
])
const facts = JSON.parse(readFileSync(factsFile, 'utf8')) as SandboxFacts
const api = new Api(facts.base_url, [facts.api_key])

/** The environment of the service's process, as the system has it: `NAME=value`, one after the other. */
async function environmentOfService(): Promise<string> {
  const pid = String(facts.pids['service'])
  if (process.platform === 'linux') return readFileSync(`/proc/${pid}/environ`, 'utf8').replaceAll('\0', ' ')
  return (await promisify(execFile)('ps', ['eww', '-o', 'command=', '-p', pid])).stdout
}

const configuration = readFileSync(new URL('../../docs/reference/configuration.md', import.meta.url), 'utf8')
const settingsOfTheService = configuration.split('\n## ')[0] ?? ''
const documented = [...settingsOfTheService.matchAll(/^\| `([A-Z][A-Z_]+)`(?: ✱)? \|/gm)].map(([, name = '']) => name)

test('this test has a value for every documented setting, and for no other', () => {
  assert.deepEqual(documented.toSorted(), Object.keys(given).toSorted())
})

const environment = await environmentOfService()

for (const name of documented.filter((name) => name !== 'WEBHOOK_CA_FILE' && name !== 'WEBHOOK_TRUSTED_TARGETS'))
  test(`the service gets the configured ${name}`, () => {
    assert.ok(` ${environment} `.includes(` ${name}=${given[name]} `), `${name} is not ${given[name]}`)
  })

test('the service trusts configured receivers and authorities in addition to the sandbox’s', async () => {
  const url = `https://${own.httpsAddress}/hooks/own`
  const made = await api.call<{ id: string }>('POST', '/webhooks', { url })
  assert.equal(made.status, 201)
  for (const id of [made.body.id, facts.webhook.id])
    assert.equal((await api.call<{ status: string }>('POST', `/webhooks/${id}/test`)).body.status, 'succeeded', id)
  assert.equal(own.inbox.received('own').filter((request) => request.event_type === 'ping').length, 1)
})

test('zones name the configured nameservers, which serve them', async () => {
  const { body } = await api.call<{ nameservers: string[] }>('GET', `/zones/${facts.zone.name}`)
  assert.deepEqual(body.nameservers, ['a.ns.example.net', 'b.ns.example.net'])
  assert.deepEqual(
    facts.nameservers,
    [addresses.ns1, addresses.ns2].map((address, i) => ({ name: body.nameservers[i], address })),
  )
  const put = await api.call(
    'PUT',
    `/zones/${facts.zone.name}/rrsets/given/A`,
    { ttl: 60, records: ['192.0.2.1'] },
    { prefer: 'wait=30' },
  )
  assert.equal(put.body['replicated'], true)
})
