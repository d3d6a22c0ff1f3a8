import assert from 'node:assert/strict'
import { test } from 'node:test'
import { permissions, tsigClients } from '@zonewright/contract'
import { clientConfigs, clientUse, secretPlaceholder } from './client-configs.ts'
import { type Client, canUse, clientGroups, clientWith, configParts, wishedKey } from './clients.ts'

const clients = clientGroups().flatMap((group) => group.clients)
const zone = { id: 'z1', name: 'example.com', role: 'owner' } as const
const named = (id: string): Client => clientWith(id) ?? assert.fail(id)
/** What the configurations with a host contain, unless it is the name of the key and the host. */
const valuesIn: Readonly<Record<string, readonly string[]>> = {
  traefik: ['my-key'],
  'cert-manager': ['acmedns.json'],
  'acme-dns': [],
}
const withKey = clients.filter(({ tsig }) => tsig === undefined)

test('a configuration has the values of its reader, and no example values', () => {
  const use = clientUse({
    origin: 'http://127.0.0.1:8080',
    zone: { name: 'shop.test', nameservers: ['a.ns.test', 'b.ns.test', 'c.ns.test'] },
    host: 'a.b',
    key: { id: 'key_7', name: 'my-key' },
    email: 'ada@shop.test',
  })
  for (const client of withKey) {
    const text = configParts(client, use)
      .map((part) => part.text)
      .join('')
    assert.doesNotMatch(text, /example\.(?:com|net)|undefined|\[object/, client.id)
    if (!client.hasAccountFile) assert.ok(text.includes(secretPlaceholder), client.id)
    if (client.host === undefined) continue
    for (const value of valuesIn[client.id] ?? ['my-key', 'a.b.shop.test'])
      assert.ok(text.includes(value), `${client.id} ${value}`)
  }
  const textOf = (id: string): string =>
    configParts(named(id), use)
      .map((part) => part.text)
      .join('')
  assert.match(textOf('octodns'), /host: 127\.0\.0\.1\n {4}port: 8080\n {4}scheme: http\n/)
  assert.match(textOf('ddclient'), /^ssl=no$/m)
  assert.match(textOf('inadyn'), /ssl {9}= false\n {4}checkip-ssl = false\n/)
  assert.match(textOf('dnscontrol'), /\["a\.ns\.test\.", "b\.ns\.test\.", "c\.ns\.test\."\]/)
})

test('names and addresses with shell metacharacters are not used in a configuration', () => {
  const use = (name: string, email = 'you@example.net') =>
    clientUse({
      origin: 'https://dns.example.net',
      zone: { name: 'example.com', nameservers: [] },
      host: '@',
      key: { id: 'key_1', name },
      email,
    })
  for (const name of ['deploy', 'a.b-c_d', '0']) assert.equal(use(name).user, name)
  const others = ['two words', '$(id)', "o'brien", '`id`', '"', 'a\nb', '-x', '.x', 'büro', 'a;b', 'a\\b', '%h', '#']
  for (const name of others) assert.equal(use(name).user, 'key_1', name)
  assert.equal(use('a', 'ada.l+dns@example.org').email, 'ada.l+dns@example.org')
  for (const email of ["o'brien@example.org", '$x@example.org', '"a b"@example.org', 'a@b@c', '-a@example.org', ''])
    assert.equal(use('a', email).email, 'you@example.net', email)
  assert.equal(use('a').host, 'example.com')
})

test('every client has exactly one configuration, and every configuration has its client', () => {
  assert.equal(new Set(clients.map(({ id }) => id)).size, clients.length)
  assert.deepEqual(clients.flatMap(({ tsig }) => tsig ?? []).toSorted(), [...tsigClients].toSorted())
  assert.deepEqual(withKey.map(({ id }) => id).toSorted(), Object.keys(clientConfigs).toSorted())
  assert.ok(clientGroups().every((group) => group.clients.length > 0))
  for (const { id } of clients) assert.equal(clientWith(id)?.id, id)
  assert.equal(clientWith('telnet'), undefined)
  assert.equal(clientWith(undefined), undefined)
})

test('a new key has what its client needs, and no more', () => {
  for (const [id, host, key] of [
    ['traefik', 'www', { permissions: ['acme:dns01'], limit: { names: '_acme-challenge.www', types: 'TXT' } }],
    ['caddy', '@', { permissions: ['acme:dns01'], limit: { names: '_acme-challenge', types: 'TXT' } }],
    ['fritzbox', 'home', { permissions: ['records:write'], limit: { names: 'home', types: 'A, AAAA' } }],
    ['terraform', '@', { permissions: ['records:read', 'records:write'], limit: undefined }],
    ['bind', '@', { permissions: ['records:read'], limit: undefined }],
    ['kea', '@', { permissions: ['records:read', 'records:write'], limit: { names: '*', types: 'A, AAAA, DHCID' } }],
  ] as const) {
    const { permissions: given, limit, zone: of } = wishedKey(named(id), zone, host)
    assert.deepEqual({ permissions: given, limit }, key, id)
    assert.deepEqual(of, { id: 'z1', name: 'example.com' })
  }
  assert.equal(wishedKey(named('kea'), { ...zone, name: '2.0.192.in-addr.arpa' }, '@').limit?.types, 'PTR, DHCID')
  assert.equal(wishedKey(named('traefik'), zone, 'www').name, 'traefik-www.example.com')
  assert.equal(wishedKey(named('traefik'), zone, '@').name, 'traefik-example.com')
  const long = wishedKey(named('terraform'), { ...zone, name: `${'x'.repeat(60)}.`.repeat(4) }, '@').name
  assert.equal(long.length, 100)
  const again = wishedKey(named('terraform'), { ...zone, name: `${'x'.repeat(60)}.`.repeat(4) }, '@', [
    { name: long },
  ]).name
  assert.deepEqual([again.length, again.slice(-2)], [100, '-2'])
  const others = ['traefik-www.example.com', 'traefik-www.example.com-2'].map((name) => ({ name }))
  assert.equal(wishedKey(named('traefik'), zone, 'www', others).name, 'traefik-www.example.com-3')
})

test('a client can use the key that is created for it', () => {
  for (const client of clients) {
    const host = client.host ?? '@'
    const { limit, permissions: given } = wishedKey(client, zone, host)
    const limits = limit && [{ zone: zone.name, names: [limit.names], types: limit.types.split(', ') }]
    const key = { state: 'live', zones: [{ kind: 'zone', id: 'z1', name: zone.name }], limits: limits ?? null } as const
    assert.ok(canUse(client, { ...key, permissions: given }, zone, host), client.id)
    assert.ok(!canUse(client, { ...key, permissions: [] }, zone, host), client.id)
    assert.ok(!canUse(client, { ...key, permissions, state: 'expired' }, zone, host), client.id)
    assert.ok(!canUse(client, { ...key, permissions }, { ...zone, id: 'z2' }, host), client.id)
    const forAll = { state: 'live', zones: 'all', permissions, limits: null } as const
    assert.ok(canUse(client, forAll, zone, host), client.id)
    assert.ok(!canUse(client, forAll, { ...zone, role: 'manager' }, host), client.id)
  }
})

test('a client can use a key with limits only if its records are within them', () => {
  const key = (names: string[], types: string[], of: string = zone.name) => ({
    state: 'live' as const,
    zones: [{ kind: 'zone' as const, id: 'z1', name: zone.name }],
    permissions: ['records:read', 'records:write', 'acme:dns01'] as const,
    limits: [{ zone: of, names, types }],
  })
  for (const [id, host, names, types, can] of [
    ['traefik', 'www', ['_acme-challenge.www'], ['TXT'], true],
    ['traefik', 'www', ['*.www'], ['TXT'], true],
    ['traefik', 'www', ['*'], ['A', 'TXT'], true],
    ['traefik', 'www', ['_acme-challenge'], ['TXT'], false],
    ['traefik', 'www', ['_acme-challenge.www'], ['A'], false],
    ['traefik', '@', ['_acme-challenge'], ['TXT'], true],
    ['traefik', '@', ['*'], ['TXT'], true],
    ['ddclient', 'home', ['home'], ['A', 'AAAA'], true],
    ['ddclient', 'home', ['home'], ['A'], false],
    ['ddclient', 'home.lan', ['*.lan'], ['A', 'AAAA'], true],
    ['ddclient', 'lan', ['*.lan'], ['A', 'AAAA'], false],
    ['ddclient', 'xlan', ['*.lan'], ['A', 'AAAA'], false],
    ['ddclient', '@', ['*'], ['A', 'AAAA'], false],
    ['ddclient', '@', ['@'], ['A', 'AAAA'], true],
    ['proxmox', '@', ['*.lan'], ['A'], true],
    ['certbot', '@', ['home'], ['A'], false],
    ['certbot', '@', ['_acme-challenge.www'], ['TXT'], true],
    ['bind', '@', ['*', '@'], ['A'], false],
    ['external-dns-rfc2136', '@', ['*', '@'], ['A'], false],
  ] as const) {
    const limited = key([...names], [...types])
    assert.equal(canUse(named(id), limited, zone, host), can, `${id} ${host} ${names}`)
  }
  assert.ok(!canUse(named('ddclient'), key(['home'], ['A', 'AAAA'], 'example.org'), zone, 'home'))
})
