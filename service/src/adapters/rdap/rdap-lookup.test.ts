import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { after, test } from 'node:test'
import { startRegistryDns } from '@zonewright/sandbox'
import { createRdapLookup } from './index.ts'
import { RdapLookup } from './rdap-lookup.ts'
import { readDomain } from './read-domain.ts'

const registry = await startRegistryDns({
  dnsListen: '127.0.0.1:0',
  httpListen: '127.0.0.1:0',
  tlds: ['test', 'com.test'],
  servers: [{ name: 'ns.nic.test', address: '127.0.0.1' }],
  hosts: [],
})
after(() => registry.close())
const base = `http://${registry.httpAddress}/rdap/`

const lookups: RdapLookup[] = []
after(() => Promise.all(lookups.map((lookup) => lookup.close())))

function lookupAt(bootstrap: string, timeoutMs = 2_000): RdapLookup {
  const resolve = async (host: string) => [
    { address: host === 'public.example' ? '192.0.2.1' : '10.0.0.1', family: 4 as const },
  ]
  const lookup = new RdapLookup({ bootstrap: new URL(bootstrap), resolve, timeoutMs })
  lookups.push(lookup)
  return lookup
}

let names = 0
/** A registered domain. */
function fresh(nameservers = ['NS2.host.example', 'ns1.host.example'], tld = 'test'): string {
  const domain = `domain${++names}.${tld}`
  registry.zones.delegate(
    domain,
    nameservers.map((name) => name.toLowerCase()),
  )
  return domain
}

const expected = ['ns1.host.example', 'ns2.host.example']

test('returns a domain’s nameservers, sorted and in lower case, its expiry and its registrar', async () => {
  const lookup = createRdapLookup(`${base}dns.json`)
  after(() => lookup.close())
  for (const tld of ['test', 'com.test']) {
    const domain = fresh(undefined, tld)
    registry.rdap.registrations.tell(domain, { expiresAt: new Date('2031-02-03T04:05:06Z') })
    const entry = await lookup.entryOf(domain)
    assert.deepEqual(entry, {
      nameservers: expected,
      expiresAt: new Date('2031-02-03T04:05:06.000Z'),
      registrar: { name: 'Example Registrar', url: 'https://registrar.example/' },
    })
  }
})

test('a domain that the registry does not have has no data; no server is queried for other names', async () => {
  const lookup = lookupAt(`${base}dns.json`)
  assert.deepEqual(await lookup.entryOf('nobody.test'), { nameservers: [], expiresAt: null, registrar: null })
  const domain = fresh()
  registry.rdap.behaviours.set({ status: 500, times: 1 }, `sub.${domain}`)
  assert.equal(await lookup.entryOf(`sub.${domain}`), undefined)
  assert.ok(registry.rdap.behaviours.take(`sub.${domain}`), 'the registry was not asked')
  assert.equal(await lookup.entryOf('example.org'), undefined)
  assert.equal(await lookup.entryOf('test'), undefined)
})

test('whatever a server answers, the worst outcome is unknown data', async () => {
  const lookup = lookupAt(`${base}dns.json`, 300)
  const domain = fresh()
  const other = fresh()
  const good = JSON.stringify({ objectClassName: 'domain', ldhName: domain, nameservers: [] })
  const behaviours = [
    { silent: true },
    { delayMs: 2_000 },
    { status: 500 },
    { status: 400 },
    { body: 'no JSON' },
    { body: '[]' },
    { body: 'null' },
    { body: '['.repeat(200_000) },
    { body: JSON.stringify({ objectClassName: 'domain', ldhName: other, nameservers: [] }) },
    { body: good.replace('[]', '[{"ldhName":"not a name"}]') },
    { body: good.replace('[]', '[{"ldhName":5}]') },
    { body: good.replace('[]', `[${'{"ldhName":"ns.example"},'.repeat(60)}{}]`) },
    { padBytes: 70_000 },
    { redirect: `${base}domain/${domain}` },
    { redirect: 'http://public.example/' },
    { redirect: 'https://127.0.0.1/' },
    { redirect: 'https://private.example/' },
    { redirect: 'file:///etc/passwd' },
    { redirect: 'nonsense://' },
  ]
  for (const behaviour of behaviours) {
    registry.rdap.behaviours.set(behaviour, domain)
    assert.equal(await lookup.entryOf(domain), undefined, JSON.stringify(behaviour).slice(0, 80))
  }
  registry.rdap.behaviours.set({}, domain)
  assert.ok(await lookup.entryOf(domain), 'and afterwards it is as before')
})

test('a redirect within the trusted server is followed, three of them at most', async () => {
  const lookup = lookupAt(`${base}dns.json`)
  const [domain, elsewhere] = [fresh(), fresh()]
  registry.rdap.behaviours.set({ redirect: `${base}domain/${domain}`, times: 1 }, domain)
  assert.deepEqual((await lookup.entryOf(domain))?.nameservers, expected)
  registry.rdap.behaviours.set({ redirect: `${base}domain/${elsewhere}` }, domain)
  assert.equal(await lookup.entryOf(domain), undefined, 'it tells of another domain')
})

test('a server that returns 429 is not queried for as long as it says', async () => {
  const lookup = lookupAt(`${base}dns.json`)
  const [busy, calm] = [fresh(), fresh()]
  registry.rdap.behaviours.set({ status: 429, retryAfterS: 3_600, times: 1 }, busy)
  assert.equal(await lookup.entryOf(busy), undefined)
  assert.equal(await lookup.entryOf(calm), undefined, 'not asked')
  assert.ok(await lookupAt(`${base}dns.json`).entryOf(calm), 'though it would answer')
})

test('sends many queries a few at a time, and each gets its answer', async () => {
  const lookup = lookupAt(`${base}dns.json`, 10_000)
  const domains = Array.from({ length: 30 }, () => fresh())
  const entries = await Promise.all(domains.map((domain) => lookup.entryOf(domain)))
  assert.ok(entries.every((entry) => entry?.nameservers.length === 2))
})

test('without a valid list of servers nothing is known; listed servers must be public and use TLS', async () => {
  const domain = fresh()
  assert.equal(await lookupAt('http://127.0.0.1:9/dns.json').entryOf(domain), undefined)
  const lists = [
    '{}',
    '[]',
    'nonsense',
    '{"services": 5}',
    '{"services": [5, [], [["test"]], [["test"], ["nonsense"]], [[5], ["http://x/"]]]}',
    `{"services": [[["test"], ["${base}"]]]}`,
    '{"services": [[["test"], ["https://private.example/"]]]}',
    '{"services": [[["test"], ["https://[::1]/", "http://public.example/"]]]}',
  ]
  for (const list of lists) {
    const server = createServer((_request, response) => response.end(list)).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as { port: number }
    assert.equal(await lookupAt(`http://127.0.0.1:${port}/`, 500).entryOf(domain), undefined, list)
    server.close()
    server.closeAllConnections()
  }
})

test('invalid dates are not used as the end of a registration', () => {
  const until = (eventDate: unknown) =>
    readDomain(
      { objectClassName: 'domain', ldhName: 'A.test', events: [{ eventAction: 'expiration', eventDate }] },
      'a.test',
    )
  assert.deepEqual(until('2030-01-01T00:00:00Z')?.expiresAt, new Date('2030-01-01T00:00:00Z'))
  for (const date of ['soon', 5, null, undefined, '+275000-01-01T00:00:00Z']) assert.equal(until(date)?.expiresAt, null)
})

test('the registrar is the entity with that role, and only website URLs become links', () => {
  const of = (...entities: unknown[]) =>
    readDomain({ objectClassName: 'domain', ldhName: 'a.test', entities }, 'a.test')?.registrar
  const card = (name: unknown, url?: unknown) => [
    'vcard',
    [['version', {}, 'text', '4.0'], ['fn', {}, 'text', name], ...(url === undefined ? [] : [['url', {}, 'uri', url]])],
  ]
  const registrar = (name: unknown, href?: unknown, url?: unknown) => ({
    roles: ['sponsor', 'registrar'],
    vcardArray: card(name, url),
    links: [{ rel: 'self', href: 'https://rdap.example/' }, ...(href === undefined ? [] : [{ rel: 'about', href }])],
  })
  const registrant = { roles: ['registrant'], vcardArray: card('Ada') }
  assert.deepEqual(of(registrant, registrar('Names Ltd', 'http://names.example')), {
    name: 'Names Ltd',
    url: 'http://names.example/',
  })
  assert.deepEqual(of(registrar('Names Ltd', undefined, 'https://names.example/a')), {
    name: 'Names Ltd',
    url: 'https://names.example/a',
  })
  for (const url of [
    'javascript:alert(1)',
    'https://bank.example@evil.example/',
    'names.example',
    5,
    `https://${'x'.repeat(600)}/`,
  ])
    assert.deepEqual(of(registrar('Names Ltd', url)), { name: 'Names Ltd', url: null })
  assert.equal(of(registrant), null)
  for (const name of ['', '  ', 5, null]) assert.equal(of(registrar(name)), null)
  for (const odd of [5, null, {}, { roles: 'registrar' }, { roles: ['registrar'], vcardArray: 5 }])
    assert.equal(of(odd), null)
  const long = of(registrar(`Names\u202e${'x'.repeat(500)}`))
  assert.ok(typeof long === 'object' && long !== null && long.name.length === 200 && !long.name.includes('\u202e'))
})
