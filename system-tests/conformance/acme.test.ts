// Third-party programs around a running installation: Debian's unbound as the resolver that everyone queries, Debian's pebble as the certificate
// authority, Debian's lego as the customer's client, with the hook from the documentation.
import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { Resolver } from 'node:dns/promises'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { createAuthority } from '../../sandbox/src/certificates.ts'
import { freeAddresses } from '../../tools/local/addresses.ts'
import { eventually, worldForTests } from '../world/index.ts'
import { commandsOf, inPlace, runInShell, type Shell, shellNames } from './peers/customer-docs.ts'
import { startPebble } from './peers/pebble.ts'
import { tsigKey } from './peers/tsig-key.ts'
import { startUnbound } from './peers/unbound.ts'

// Three unused addresses. Their names do not matter here.
const { resolver: unboundAt, http: pebbleAt, mailbox: managementAt } = await freeAddresses()
const world = await worldForTests({ env: { RESOLVERS: unboundAt } })
const { api, facts } = world
const zone = facts.zone.name
const unbound = await startUnbound(unboundAt, {
  'test.': [facts.registry.dns],
  [`${zone}.`]: facts.nameservers.map(({ address }) => address),
})
after(() => unbound.stop())
/** Node's own resolver, which is independent of our code. */
const client = new Resolver({ timeout: 5_000, tries: 2 })
client.setServers([unboundAt])
const folder = mkdtempSync(join(tmpdir(), 'zonewright-acme-'))
after(() => rmSync(folder, { recursive: true }))

/** The commands of docs/customers/acme.md, with the test's own values in place of the reader's. */
const recipes = commandsOf('docs/customers/acme.md')
const powerdnsRecipe = commandsOf('docs/customers/lego-pdns.md')
const hooks = fileURLToPath(new URL('../../docs/examples', import.meta.url))
const [ns1] = facts.nameservers
const { cert, key } = await certificateFor('127.0.0.1')
const pebble = await startPebble(folder, { listen: pebbleAt, management: managementAt, resolver: unboundAt, cert, key })
after(() => pebble.stop())
const made = await world.admin(
  'key',
  'create',
  facts.account.email,
  'acme',
  '--zones',
  zone,
  '--permissions',
  'acme:dns01',
)
const { secret } = JSON.parse(made) as { secret: string }
/** The same for programs that send DNS updates. */
const signer = await tsigKey(world, [zone], ['acme:dns01'])

test('unbound returns a new record at once and keeps it for its TTL, and the propagation check shows this', async () => {
  const put = await api.call(
    'PUT',
    `/zones/${zone}/rrsets/seen/A`,
    { ttl: 60, records: ['192.0.2.1'] },
    { prefer: 'wait=30' },
  )
  assert.equal(put.body['replicated'], true)
  type Seen = { resolvers: { answer: string[] | null; ttl: number | null; in_sync: boolean }[] }
  const look = async () =>
    (await api.call<Seen>('GET', `/zones/${zone}/propagation?name=seen&type=A`)).body.resolvers[0]
  const first = await look()
  assert.deepEqual([first?.answer, first?.in_sync], [['192.0.2.1'], true])
  await api.call('PUT', `/zones/${zone}/rrsets/seen/A`, { ttl: 60, records: ['192.0.2.2'] }, { prefer: 'wait=30' })
  const kept = await look()
  assert.deepEqual([kept?.answer, kept?.in_sync], [['192.0.2.1'], false], 'what it keeps is not what is true now')
  assert.ok(kept?.ttl !== null && kept !== undefined && kept.ttl <= 60)
  await assert.rejects(client.resolve4(`nobody.${zone}`), { code: 'ENOTFOUND' })
})

test('unbound returns the registry’s answers and our nameservers’ apex NS records unchanged', async () => {
  assert.deepEqual(await client.resolve4('ns1.zonewright.test'), ['127.0.0.1'])
  assert.deepEqual((await client.resolveNs('test')).sort(), ['ns.nic.test'])
  assert.deepEqual(
    (await client.resolveNs(zone)).sort(),
    facts.nameservers.map(({ name }) => name),
  )
  await assert.rejects(client.resolve4('nobody.test'), { code: 'ENOTFOUND' })
})

/** Runs the recipe of one client, for a name of the zone, and returns what its last command printed. */
async function run(
  client: string,
  name: string,
  places: Readonly<Record<string, string>>,
  shell: Shell = 'sh',
  page = recipes,
): Promise<string> {
  const wanted = page.filter(({ name }) => name === '' || name === client)
  const commands = inPlace(wanted, {
    'https://dns.example.net': facts.base_url,
    svc_live_YOUR_KEY: secret,
    ...(page === recipes && { '/opt/zonewright-hooks': hooks }),
    ...places,
    'example.com': name,
  })
  const env = { LEGO_CA_CERTIFICATES: cert, REQUESTS_CA_BUNDLE: cert, TMPDIR: folder }
  const printed = await runInShell(commands, { shell, cwd: folder, env }).catch((error: Error) => {
    throw new Error(`${error.message}\n\npebble: ${pebble.said()}`)
  })
  return printed.at(-1) ?? ''
}

/** Checks that the certificate is for the name and its wildcard, and that no challenge records are left. */
async function isWhole(name: string, certificate: string): Promise<void> {
  const { subjectAltName = '' } = new X509Certificate(readFileSync(join(folder, certificate)))
  assert.deepEqual(subjectAltName.split(', ').sort(), [`DNS:*.${name}`, `DNS:${name}`])
  await eventually('the challenges are taken away again', async () => {
    const { status } = await api.call('GET', `/zones/${zone}/rrsets/_acme-challenge.${name}./TXT`)
    return status === 404
  })
}

test('lego gets a certificate for a wildcard and its apex from pebble with a key that can only set challenges', async () => {
  await run('lego', zone, {
    'lego --accept-tos': `lego --server ${pebble.directoryUrl} --path lego --dns.disable-cp --dns.resolvers ${unboundAt} --accept-tos`,
  })
  await isWhole(zone, `lego/certificates/${zone}.crt`)
})

test('lego also gets one through its provider for PowerDNS, without a hook', async () => {
  const name = `pdns.${zone}`
  const server = `--server ${pebble.directoryUrl} --path lego-pdns --dns.disable-cp --dns.resolvers ${unboundAt}`
  await run('lego-pdns', name, { 'lego --accept-tos': `lego ${server} --accept-tos` }, 'sh', powerdnsRecipe)
  await isWhole(name, `lego-pdns/certificates/${name}.crt`)
})

test('certbot gets a certificate, run from zsh', async () => {
  const own = ['config', 'work', 'logs'].map((kind) => `--${kind}-dir ${folder}/certbot-${kind}`).join(' ')
  // Use another name, which unbound has not cached yet.
  const name = `certs.${zone}`
  const command = { 'certbot certonly': `certbot certonly --server ${pebble.directoryUrl} ${own}` }
  await run('certbot', name, command, 'zsh')
  await isWhole(name, `certbot-config/live/${name}/cert.pem`)
})

/** Runs the recipe of a page for lego without a hook, and checks that there is a certificate and that the challenge is gone. */
async function legoWithoutHook(page: string, name: string, places: Readonly<Record<string, string>>): Promise<void> {
  const commands = inPlace(commandsOf(`docs/customers/${page}.md`), {
    ...places,
    'lego --accept-tos': `lego --server ${pebble.directoryUrl} --path lego --dns.disable-cp --dns.resolvers ${unboundAt} --accept-tos`,
  })
  await runInShell(commands, { cwd: folder, env: { LEGO_CA_CERTIFICATES: cert, TMPDIR: folder } })
  const { subjectAltName } = new X509Certificate(readFileSync(join(folder, `lego/certificates/${name}.crt`)))
  assert.equal(subjectAltName, `DNS:${name}`)
  const { status } = await api.call('GET', `/zones/${zone}/rrsets/_acme-challenge.${name}./TXT`)
  assert.equal(status, 404, 'the challenge is gone')
}

test('lego without a hook gets a certificate through httpreq, its own protocol', async () => {
  const name = `httpreq.${zone}`
  const places = { 'https://dns.example.net': facts.base_url, svc_live_YOUR_KEY: secret, 'www.example.com': name }
  await legoWithoutHook('lego', name, places)
})

test('lego without a hook gets a certificate through DNS updates', async () => {
  const name = `lego-updates.${zone}`
  await legoWithoutHook('lego-rfc2136', name, {
    '192.0.2.53:53': facts.dns_door.address,
    'key-YOUR_KEY': signer.name,
    '=SECRET': `=${signer.secret}`,
    'example.com': name,
  })
})

test('certbot without a hook gets a certificate through DNS updates', async () => {
  const name = `updates.${zone}`
  const credentials = join(folder, 'rfc2136.ini')
  writeFileSync(credentials, await signer.configuration('certbot'), { mode: 0o600 })
  const folders = ['config', 'work', 'logs'].map((kind) => `--${kind}-dir ${folder}/rfc2136-${kind}`).join(' ')
  const commands = inPlace(commandsOf('docs/customers/certbot.md'), {
    '/etc/letsencrypt/rfc2136.ini': credentials,
    'certbot certonly': `certbot certonly --server ${pebble.directoryUrl} ${folders}`,
    'example.com': name,
  })
  await runInShell(commands, { cwd: folder, env: { REQUESTS_CA_BUNDLE: cert, TMPDIR: folder } })
  await isWhole(name, `rfc2136-config/live/${name}/cert.pem`)
})

for (const shell of shellNames)
  test(`the hook that acme.sh calls adds a challenge and removes it, in ${shell}`, async () => {
    const [, port = ''] = (ns1?.address ?? '').split(':')
    const printed = await run('acme.sh', zone, { '@ns1.example.net': `@127.0.0.1 -p ${port}` }, shell)
    assert.equal(printed, recipes.find(({ name }) => name === 'acme.sh')?.prints)
  })

/** Pebble's own certificate, as files. Lego trusts it by name. */
async function certificateFor(host: string): Promise<{ cert: string; key: string }> {
  const authority = createAuthority('pebble of a test')
  const made = authority.issue([host])
  const [cert, key] = [join(folder, 'pebble.crt'), join(folder, 'pebble.key')]
  writeFileSync(cert, `${made.cert}${authority.cert}`)
  writeFileSync(key, made.key, { mode: 0o600 })
  return { cert, key }
}
