import assert from 'node:assert/strict'
import { request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { test } from 'node:test'
import { type MemoryLimit, memoryLimits } from '#platform/http/request-limits.ts'
import { sql } from '#platform/postgres/index.ts'
import type { RateLimit } from '#platform/rates.ts'
import { startTestApi } from '#testing/test-api.ts'

const unlimited = Object.fromEntries(
  Object.entries(memoryLimits).map(([name, limit]) => [
    name,
    name === 'checkIp' ? limit : { ...limit, most: 1_000_000 },
  ]),
) as Record<MemoryLimit, RateLimit>
const api = await startTestApi({ limits: unlimited })
const { db } = api.database
const owner = await api.account('owner@example.net')
const stranger = await api.account('stranger@example.net')
const zone = await api.zone(owner, 'example.com')
await api.zone(owner, 'example.org')
await api.zone(stranger, 'other.example.net')
const everything = await api.key(owner, { name: 'router' })

/** A public address from which clients call. */
const home = '8.8.4.4'

interface Asked {
  key?: string
  user?: string
  method?: string
  path?: string
  address?: string
  headers?: Record<string, string>
  form?: string
}

/** Sends an update like most clients: a GET with HTTP Basic. */
async function update(query: string, { key = everything, user = 'any', ...asked }: Asked = {}) {
  const { method = 'GET', path = '/nic/update', address = home, headers = {}, form } = asked
  return api.call(method, `${path}${query === '' ? '' : `?${query}`}`, {
    prefix: '',
    address,
    headers: { authorization: basic(user, key), ...(form !== undefined && formType), ...headers },
    ...(form !== undefined && { body: form }),
  })
}

const formType = { 'content-type': 'application/x-www-form-urlencoded' }

function basic(user: string, key: string): string {
  return `Basic ${Buffer.from(`${user}:${key}`).toString('base64')}`
}

/** The addresses of a host, by type, with their TTL: `A 60 192.0.2.1`. */
async function recordsAt(name: string): Promise<string[]> {
  const { rows } = await sql<{ text: string }>`
    select type || ' ' || ttl || ' ' || array_to_string(records, ' ') as text from zone_rrsets where name = ${name} order by type`.execute(
    db,
  )
  return rows.map(({ text }) => text)
}

/** The same of one zone. */
async function recordsIn(zoneId: string, name: string): Promise<string[]> {
  const { rows } = await sql<{ text: string }>`
    select type || ' ' || array_to_string(records, ' ') as text from zone_rrsets
    where zone_id = ${zoneId} and name = ${name} order by type`.execute(db)
  return rows.map(({ text }) => text)
}

let hosts = 0
const freshHost = (): string => `h${++hosts}.example.com`

async function has(name: string, type: string, records: readonly string[]): Promise<void> {
  const path = `/zones/example.com/rrsets/${name}/${type}`
  const { status } = await api.call('PUT', path, { key: everything, body: { ttl: 300, records } })
  assert.ok(status < 300)
}

test('a host gets its address with a TTL of 60; sending the same address again changes nothing', async () => {
  const host = freshHost()
  const first = await update(`hostname=${host}&myip=192.0.2.1`)
  assert.deepEqual(
    [first.status, first.body, first.headers['content-type']],
    [200, 'good 192.0.2.1\n', 'text/plain; charset=utf-8'],
  )
  assert.deepEqual(await recordsAt(host), ['A 60 192.0.2.1'])
  assert.equal((await update(`hostname=${host}&myip=192.0.2.1`)).body, 'nochg 192.0.2.1\n')
  const { rows } = await sql<object>`
    select actor_name, source, changes_count as count from zone_changes where zone_id = ${zone.id} order by version desc limit 1`.execute(
    db,
  )
  assert.deepEqual(rows, [{ actor_name: 'router', source: 'dyndns2', count: 1 }])
})

// The addresses that a request sets. `before` and `after`: the records of the host.
const addressCases: [query: string, before: string[], after: string[], line: string][] = [
  ['myip=192.0.2.1', [], ['A 60 192.0.2.1'], 'good 192.0.2.1'],
  ['ip=192.0.2.1', [], ['A 60 192.0.2.1'], 'good 192.0.2.1'],
  ['myipv4=192.0.2.1', [], ['A 60 192.0.2.1'], 'good 192.0.2.1'],
  ['myip=2001:db8::1', [], ['AAAA 60 2001:db8::1'], 'good 2001:db8::1'],
  ['myipv6=2001:DB8:0::1', [], ['AAAA 60 2001:db8::1'], 'good 2001:db8::1'],
  ['ipv6=2001:db8::1', [], ['AAAA 60 2001:db8::1'], 'good 2001:db8::1'],
  ['ip6addr=2001:db8::1', [], ['AAAA 60 2001:db8::1'], 'good 2001:db8::1'],
  ['myip=192.0.2.1,2001:db8::1', [], ['A 60 192.0.2.1', 'AAAA 60 2001:db8::1'], 'good 192.0.2.1,2001:db8::1'],
  ['myip=192.0.2.1&myipv6=2001:db8::1', [], ['A 60 192.0.2.1', 'AAAA 60 2001:db8::1'], 'good 192.0.2.1,2001:db8::1'],
  ['myip=192.0.2.1,192.0.2.2', [], ['A 60 192.0.2.1 192.0.2.2'], 'good 192.0.2.1,192.0.2.2'],
  ['myip=::ffff:192.0.2.1', [], ['A 60 192.0.2.1'], 'good 192.0.2.1'],
  ['myip=192.168.1.5', [], ['A 60 192.168.1.5'], 'good 192.168.1.5'],
  // Without an address: the address of the connection.
  ['', [], [`A 60 ${home}`], `good ${home}`],
  ['myip=', [], [`A 60 ${home}`], `good ${home}`],
  ['ip=&myip=', [], [`A 60 ${home}`], `good ${home}`],
  ['system=dyndns&wildcard=NOCHG&mx=mail.example.com&backmx=NO&offline=NO', [], [`A 60 ${home}`], `good ${home}`],
  // The other family does not change.
  ['myip=192.0.2.2', ['A 192.0.2.1', 'AAAA 2001:db8::1'], ['A 60 192.0.2.2', 'AAAA 300 2001:db8::1'], 'good 192.0.2.2'],
  ['', ['AAAA 2001:db8::1'], [`A 60 ${home}`, 'AAAA 300 2001:db8::1'], `good ${home}`],
  // An empty parameter of a family deletes it.
  ['myip=192.0.2.1&myipv6=', ['AAAA 2001:db8::1'], ['A 60 192.0.2.1'], 'good 192.0.2.1'],
  ['myipv4=&myipv6=2001:db8::2', ['A 192.0.2.1'], ['AAAA 60 2001:db8::2'], 'good 2001:db8::2'],
  ['myipv4=&myipv6=', ['A 192.0.2.1', 'AAAA 2001:db8::1'], [], 'good'],
  ['myipv4=', ['A 192.0.2.1'], [], 'good'],
  ['myipv4=', [], [], 'nochg'],
  ['ip6addr=', ['AAAA 2001:db8::1'], [], 'good'],
  ['myip=&myipv6=', ['A 192.0.2.1', 'AAAA 2001:db8::1'], ['A 300 192.0.2.1'], 'good'],
  // `preserve` counts as an address: the address of the connection is not used.
  ['myip=preserve', ['A 192.0.2.1'], ['A 300 192.0.2.1'], 'nochg'],
  [
    'myipv4=preserve&myipv6=2001:db8::2',
    ['A 192.0.2.1'],
    ['A 300 192.0.2.1', 'AAAA 60 2001:db8::2'],
    'good 2001:db8::2',
  ],
  ['myip=192.0.2.9&myipv4=preserve', ['A 192.0.2.1'], ['A 300 192.0.2.1'], 'nochg'],
  // A parameter of a family takes precedence over a general one.
  ['myip=192.0.2.1&myipv4=192.0.2.2', [], ['A 60 192.0.2.2'], 'good 192.0.2.2'],
  ['myipv6=&ip6addr=2001:db8::1', [], ['AAAA 60 2001:db8::1'], 'good 2001:db8::1'],
  // A prefix.
  ['myipv6=2001:db8:1:2::/64', ['AAAA 2001:db8::5'], ['AAAA 60 2001:db8:1:2::5'], 'good 2001:db8:1:2::5'],
  ['myip=2001:db8:1:2::/64', ['AAAA 2001:db8::5'], ['AAAA 60 2001:db8:1:2::5'], 'good 2001:db8:1:2::5'],
  ['myipv6=2001:db8:1:2::/64', ['AAAA 2001:db8:1:2::5'], ['AAAA 60 2001:db8:1:2::5'], 'good 2001:db8:1:2::5'],
  ['myipv6=2001:db8:1:2::7/64', [], ['AAAA 60 2001:db8:1:2::7'], 'good 2001:db8:1:2::7'],
  ['myipv6=2001:db8:1:2::/64', [], [], 'dnserr'],
  ['myip=192.0.2.9/32', ['A 192.0.2.1'], ['A 60 192.0.2.9'], 'good 192.0.2.9'],
  // An invalid address changes nothing.
  ['myip=<ipaddr>', ['A 192.0.2.1'], ['A 300 192.0.2.1'], 'dnserr'],
  ['myip=192.0.2.300', [], [], 'dnserr'],
  ['myip=192.0.2.1,nonsense', [], [], 'dnserr'],
  ['myip=192.0.2.1&myipv6=nonsense', [], [], 'dnserr'],
  ['myipv4=2001:db8::1', [], [], 'dnserr'],
  ['myipv6=192.0.2.1', [], [], 'dnserr'],
  ['myip=home.example.com', [], [], 'dnserr'],
  ['myip=192.0.2.1/33', [], [], 'dnserr'],
]
for (const [query, before, after, line] of addressCases)
  test(`${query || 'no address'}${before.length > 0 ? ` after ${before.join(', ')}` : ''}: ${line}`, async () => {
    const host = freshHost()
    for (const rrset of before) {
      const [type = '', ...records] = rrset.split(' ')
      await has(host, type, records)
    }
    const { status, body } = await update(`hostname=${host}&${query}`)
    assert.deepEqual([status, body], [200, `${line}\n`])
    assert.deepEqual(await recordsAt(host), after)
  })

test('uses the address of the connection only if it is public, and an IPv4-mapped address as IPv4', async () => {
  const host = freshHost()
  for (const address of [
    '127.0.0.1',
    '192.168.1.1',
    '10.0.0.1',
    '100.64.0.1',
    '::1',
    'fe80::1',
    'fd00::1',
    '203.0.113.9',
  ])
    assert.equal((await update(`hostname=${host}`, { address })).body, 'dnserr\n', address)
  assert.deepEqual(await recordsAt(host), [])
  assert.equal((await update(`hostname=${host}`, { address: '::ffff:8.8.8.8' })).body, 'good 8.8.8.8\n')
  assert.equal((await update(`hostname=${host}`, { address: '2606:4700::1111' })).body, 'good 2606:4700::1111\n')
})

test('each host gets its own line in order, and a fault of one host does not affect the others', async () => {
  const [a, b, taken] = [freshHost(), freshHost(), freshHost()]
  await has(taken, 'CNAME', ['www.example.com.'])
  const names = [a, 'nodots', taken, 'www.example.org', b, 'www.example.invalid', a, 'a..b.example.com', `${b}.`]
  const { status, body } = await update(`hostname=${names.join(',')}&myip=192.0.2.7`)
  assert.equal(status, 200)
  const lines = [
    'good 192.0.2.7',
    'notfqdn',
    'dnserr',
    'nohost',
    'good 192.0.2.7',
    'nohost',
    'good 192.0.2.7',
    'notfqdn',
    'good 192.0.2.7',
  ]
  assert.deepEqual(body.trimEnd().split('\n'), lines)
  assert.deepEqual([await recordsAt(a), await recordsAt(b)], [['A 60 192.0.2.7'], ['A 60 192.0.2.7']])
  assert.deepEqual(await recordsAt(taken), ['CNAME 300 www.example.com.'])
  const { rows } = await sql<{ count: number }>`
    select changes_count as count from zone_changes where zone_id = ${zone.id} order by version desc limit 1`.execute(
    db,
  )
  assert.deepEqual(rows, [{ count: 2 }], 'one change of both')
})

// Hosts that cannot be changed.
const hostCases: [hostname: string, line: string][] = [
  ['example.org.', 'good 192.0.2.7'],
  ['EXAMPLE.COM', 'good 192.0.2.7'],
  ['*.dyn.example.com', 'good 192.0.2.7'],
  ['büro.example.com', 'good 192.0.2.7'],
  ['_srv.example.com', 'good 192.0.2.7'],
  ['www.other.example.net', 'nohost'],
  ['com', 'notfqdn'],
  ['localhost', 'notfqdn'],
  ['.', 'notfqdn'],
  ['-', 'notfqdn'],
  ['.example.com', 'notfqdn'],
  ['192.0.2.1', 'nohost'],
  [`${'x'.repeat(64)}.example.com`, 'notfqdn'],
  ['https://home.example.com', 'notfqdn'],
  ['home.example.com/', 'notfqdn'],
  ['home example.com', 'notfqdn'],
  ['home.*.example.com', 'notfqdn'],
  [`${zone.id}`, 'notfqdn'],
]
for (const [hostname, line] of hostCases)
  test(`the host ${hostname}: ${line}`, async () => {
    const { status, body } = await update(`hostname=${encodeURIComponent(hostname)}&myip=192.0.2.7`)
    assert.deepEqual([status, body], [200, `${line}\n`])
  })

test('without a hostname, the user name is the host', async () => {
  const host = freshHost()
  assert.equal((await update('myip=192.0.2.1', { user: host })).body, 'good 192.0.2.1\n')
  assert.equal((await update('hostname=&myip=192.0.2.2', { user: host })).body, 'good 192.0.2.2\n')
  assert.equal((await update('myip=192.0.2.1', { user: 'ada' })).body, 'notfqdn\n')
  const bearer = { authorization: `Bearer ${everything}` }
  assert.equal((await update('myip=192.0.2.1', { headers: bearer })).body, 'notfqdn\n')
  assert.equal((await update(`hostname=${host}&myip=192.0.2.3`, { headers: bearer })).body, 'good 192.0.2.3\n')
})

test('a request can have at most 20 hosts', async () => {
  const names = Array.from({ length: 21 }, freshHost)
  assert.equal((await update(`hostname=${names.join(',')}&myip=192.0.2.1`)).body, 'numhost\n')
  assert.deepEqual(await recordsAt(names[0] ?? ''), [])
  const { body } = await update(`hostname=${names.slice(1).join(',')}&myip=192.0.2.1`)
  assert.equal(body, 'good 192.0.2.1\n'.repeat(20))
})

test('the answer is !yours for a host outside the key’s permissions, zones or limits', async () => {
  const host = freshHost()
  const write = { permissions: ['records:write'] as const }
  const cases: [what: string, key: string, line: string][] = [
    ['records:read', await api.key(owner, { permissions: ['records:read'] }), '!yours'],
    ['acme:dns01', await api.key(owner, { permissions: ['acme:dns01'] }), '!yours'],
    ['another zone', await api.key(owner, { ...write, picks: ['example.org'] }), '!yours'],
    ['another account', await api.key(stranger, write), 'nohost'],
    ['other names', await limited(['other'], ['A']), '!yours'],
    ['other types', await limited([host.split('.')[0] ?? ''], ['AAAA']), '!yours'],
    ['this name and type', await limited([host.split('.')[0] ?? ''], ['A']), 'good 192.0.2.1'],
    ['this zone', await api.key(owner, { ...write, picks: ['example.com'] }), 'nochg 192.0.2.1'],
  ]
  for (const [what, key, line] of cases)
    assert.equal((await update(`hostname=${host}&myip=192.0.2.1`, { key })).body, `${line}\n`, what)
})

function limited(names: string[], types: string[]): Promise<string> {
  const limits = [{ zone: 'example.com', names, types }]
  return api.key(owner, { permissions: ['records:write'], picks: ['example.com'], limits })
}

test('a key that is limited to one host changes only this host of a request', async () => {
  const [mine, theirs] = [freshHost(), freshHost()]
  const key = await limited([mine.split('.')[0] ?? ''], ['A', 'AAAA'])
  const { body } = await update(`hostname=${theirs},${mine}&myip=192.0.2.1,2001:db8::1`, { key })
  assert.equal(body, '!yours\ngood 192.0.2.1,2001:db8::1\n')
  assert.deepEqual(await recordsAt(theirs), [])
})

test('the sixth change of a host and address family in five minutes is abuse; an unchanged address is not a change', async () => {
  const [host, other] = [freshHost(), freshHost()]
  const change = async (n: number) => (await update(`hostname=${host}&myip=192.0.2.${n}`)).body
  for (const n of [1, 2, 3, 4, 5]) assert.equal(await change(n), `good 192.0.2.${n}\n`)
  for (let i = 0; i < 3; i++) assert.equal(await change(5), 'nochg 192.0.2.5\n')
  assert.equal(await change(6), 'abuse\n')
  assert.deepEqual(await recordsAt(host), ['A 60 192.0.2.5'])
  assert.equal((await update(`hostname=${host}&myip=2001:db8::1`)).body, 'good 2001:db8::1\n')
  assert.equal((await update(`hostname=${host},${other}&myip=192.0.2.6`)).body, 'abuse\ngood 192.0.2.6\n')
  assert.equal(
    (await update(`hostname=${host}&myip=192.0.2.5&myipv6=2001:db8::2`)).body,
    'good 192.0.2.5,2001:db8::2\n',
  )
})

test('of many concurrent changes of a host, five are made; repeats of its current address are not abuse', async () => {
  for (const n of [0, 1, 4]) {
    const host = freshHost()
    for (let i = 1; i <= n; i++) await update(`hostname=${host}&myip=198.51.100.${i}`)
    const all = await Promise.all(
      Array.from({ length: 30 }, (_, i) => update(`hostname=${host}&myip=192.0.2.${i + 1}`)),
    )
    const made = all.filter(({ body }) => body.startsWith('good')).length
    assert.equal(made, 5 - n)
    assert.equal(all.filter(({ body }) => body === 'abuse\n').length, 30 - made)
    const [had = ''] = await recordsAt(host)
    const same = `hostname=${host}&myip=${had.split(' ').at(-1)}`
    const repeats = await Promise.all([update(same), update(same), update(same)])
    assert.ok(repeats.every(({ body }) => body.startsWith('nochg')))
  }
})

test('refuses a key in the URL, even next to a valid one', async () => {
  const host = freshHost()
  const query = `hostname=${host}&myip=192.0.2.1&username=me&password=${everything}`
  for (const asked of [
    {},
    { headers: { authorization: '' } },
    { form: `password=${everything}`, method: 'POST' },
  ] as Asked[]) {
    const { status, body, headers } = await update(asked.form ? `hostname=${host}` : query, asked)
    assert.deepEqual([status, body], [401, 'badauth\n'])
    assert.equal(headers['www-authenticate'], 'Basic realm="Zonewright", charset="UTF-8"')
  }
  assert.deepEqual(await recordsAt(host), [])
})

test('reads a form in the body, whose parameters take precedence', async () => {
  const host = freshHost()
  const posted = await update('', { method: 'POST', form: `hostname=${host}&myip=192.0.2.1` })
  assert.equal(posted.body, 'good 192.0.2.1\n')
  const both = await update(`hostname=${host}&myip=192.0.2.1`, { method: 'POST', form: 'myip=192.0.2.2' })
  assert.equal(both.body, 'good 192.0.2.2\n')
  const large = await update('', { method: 'POST', form: `hostname=${host}&x=${'x'.repeat(5_000)}` })
  assert.deepEqual([large.status, large.body], [413, 'dnserr\n'])
})

test('applies all of many concurrent requests for hosts of one zone', async () => {
  const names = Array.from({ length: 40 }, freshHost)
  const answers = await Promise.all(names.map((name, n) => update(`hostname=${name}&myip=192.0.2.${n}`)))
  assert.deepEqual(
    answers.map(({ body }) => body),
    names.map((_, n) => `good 192.0.2.${n}\n`),
  )
  for (const [n, name] of names.entries()) assert.deepEqual(await recordsAt(name), [`A 60 192.0.2.${n}`])
})

test('concurrent prefix changes of one host leave exactly one prefix', async () => {
  const host = freshHost()
  await has(host, 'AAAA', ['2001:db8::5', '2001:db8::6'])
  await Promise.all([1, 2, 3, 4].map((n) => update(`hostname=${host}&myipv6=2001:db8:0:${n}::/64`)))
  const [rrset = ''] = await recordsAt(host)
  assert.match(rrset, /^AAAA 60 2001:db8:0:(\d)::5 2001:db8:0:\1::6$/)
})

test('an update of a delegated name applies to the child zone, and the parent keeps its delegation', async () => {
  await api.call('POST', '/zones', { key: everything, body: { name: 'child.example.com' } })
  const delegation = await recordsIn(zone.id, 'child.example.com')
  assert.match(delegation.join(), /^NS /)
  const { body } = await update('hostname=child.example.com&myip=192.0.2.1')
  assert.equal(body, 'good 192.0.2.1\n', 'the child zone is the closest one')
  assert.deepEqual(await recordsIn(zone.id, 'child.example.com'), delegation)
})

test('a later host in a closer zone than the first host gets nohost and does not change', async () => {
  const { body } = await update('hostname=parent.example.com,www.child.example.com,child.example.com&myip=192.0.2.77')
  assert.equal(body, 'good 192.0.2.77\nnohost\nnohost\n')
  assert.deepEqual(await recordsAt('www.child.example.com'), [])
  const reverse = await update('hostname=www.child.example.com,other.example.com&myip=192.0.2.77')
  assert.equal(reverse.body, 'good 192.0.2.77\nnohost\n')
})

// The requests that clients send, without their keys, read from their sources.
interface ClientRequest {
  readonly client: string
  readonly source: string
  readonly path: (host: string) => string
  readonly headers?: Record<string, string>
  readonly version?: '1.0'
  readonly line: string
}
const clientRequests: readonly ClientRequest[] = [
  {
    client: 'ddclient 3.10.0 (Debian 12)',
    source: 'ddclient: nic_dyndns2_update, geturl',
    path: (host) => `/nic/update?system=dyndns&hostname=${host}&myip=192.0.2.1`,
    headers: { 'user-agent': 'ddclient/3.10.0', connection: 'close' },
    version: '1.0',
    line: 'good 192.0.2.1',
  },
  {
    client: 'ddclient 3.11 with usev4 and usev6',
    source: 'ddclient.in: nic_dyndns2_update (0040fc96)',
    path: (host) =>
      `/nic/update?system=dyndns&hostname=${host}&myip=192.0.2.1,2001:db8::1&wildcard=ON&mx=m.example.com&backmx=NO`,
    line: 'good 192.0.2.1,2001:db8::1',
  },
  {
    client: 'inadyn 2.10 (default@dyndns.org with a custom server)',
    source: 'plugins/common.c: DYNDNS_UPDATE_IP_HTTP_REQUEST (0e18a250)',
    path: (host) => `/nic/update?hostname=${host}&myip=192.0.2.1`,
    headers: { 'user-agent': 'inadyn/2.10.0 https://github.com/troglobit/inadyn/issues' },
    version: '1.0',
    line: 'good 192.0.2.1',
  },
  {
    client: 'inadyn 2.10 (custom, ddns-path with %h and %i), UniFi gateways',
    source: 'plugins/generic.c: url_encode keeps no separator as it is (02e22f29)',
    path: (host) => `/nic/update?hostname=${host}&myipv6=2001%3adb8%3a%3a1`,
    version: '1.0',
    line: 'good 2001:db8::1',
  },
  {
    client: 'FRITZ!OS 7 and 8, IPv4',
    source: 'AVM knowledge base, "Setting up dynamic DNS": no placeholder is escaped',
    path: (host) => `/nic/update?hostname=${host}&myip=192.0.2.1&myipv6=2001:db8::1`,
    headers: { 'user-agent': 'Fritz!Box DDNS/1.0.1' },
    line: 'good 192.0.2.1,2001:db8::1',
  },
  {
    client: 'FRITZ!OS without IPv6',
    source: 'the same: <ip6addr> is empty',
    path: (host) => `/nic/update?hostname=${host}&myip=192.0.2.1&myipv6=`,
    headers: { 'user-agent': 'Fritz!Box DDNS/1.0.1' },
    line: 'good 192.0.2.1',
  },
  {
    client: 'FRITZ!OS with <ipaddr>,<ip6addr>',
    source: 'the form that No-IP documents',
    path: (host) => `/nic/update?hostname=${host}&myip=192.0.2.1,2001:db8::1`,
    headers: { 'user-agent': 'Fritz!Box DDNS/1.0.1' },
    line: 'good 192.0.2.1,2001:db8::1',
  },
  {
    client: 'OPNsense os-ddclient, native backend',
    source: 'lib/account/dyndns2.py (04c04631)',
    path: (host) => `/nic/update?hostname=${host}&myip=192.0.2.1&wildcard=NOCHG`,
    headers: { 'user-agent': 'OPNsense-dyndns', accept: '*/*', 'accept-encoding': 'gzip, deflate' },
    line: 'good 192.0.2.1',
  },
  {
    client: 'OpenWrt ddns-scripts',
    source: 'update_url "http://[USERNAME]:[PASSWORD]@…/nic/update?hostname=[DOMAIN]&myip=[IP]"',
    path: (host) => `/nic/update?hostname=${host}&myip=192.0.2.1`,
    headers: { 'user-agent': 'Wget/1.21', accept: '*/*' },
    line: 'good 192.0.2.1',
  },
  {
    client: 'OVH DynHost clients',
    source: 'system=dyndns before the host',
    path: (host) => `/nic/update?system=dyndns&hostname=${host}&myip=192.0.2.1`,
    line: 'good 192.0.2.1',
  },
  {
    client: 'Dyn API v3 clients',
    source: '/v3/update of members.dyndns.org',
    path: (host) => `/v3/update?hostname=${host}&myip=192.0.2.1`,
    line: 'good 192.0.2.1',
  },
]
const { port } = await listening()
for (const { client, source, path, headers = {}, version, line } of clientRequests)
  test(`${client} (${source})`, async () => {
    const host = freshHost()
    const lines = [
      `GET ${path(host)} HTTP/${version ?? '1.1'}`,
      'Host: dns.example.net',
      `Authorization: ${basic('router', everything)}`,
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
      ...(version === undefined ? ['Connection: close'] : []),
    ]
    const answer = await exchange(`${lines.join('\r\n')}\r\n\r\n`)
    assert.match(answer, /^HTTP\/1\.1 200 OK\r\n/)
    assert.equal(answer.slice(answer.indexOf('\r\n\r\n') + 4), `${line}\n`)
  })

async function listening(): Promise<AddressInfo> {
  await api.server.fastify.listen({ host: '127.0.0.1', port: 0 })
  return api.server.fastify.server.address() as AddressInfo
}

/** Sends bytes, and returns the complete response. */
function exchange(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text))
    let answer = ''
    socket.setEncoding('utf8').on('data', (part) => {
      answer += part
    })
    socket.on('end', () => resolve(answer)).on('error', reject)
  })
}

test('a client that waits for a challenge, such as wget, gets one', async () => {
  const status = await new Promise((resolve) => {
    httpRequest({ port, path: '/nic/update?hostname=home.example.com' }, (response) => {
      response.resume()
      resolve([response.statusCode, response.headers['www-authenticate']])
    }).end()
  })
  assert.deepEqual(status, [401, 'Basic realm="Zonewright", charset="UTF-8"'])
})

test('/checkip returns the client’s address, up to 60 times a minute for each address', async () => {
  const ask = (address: string) => api.call('GET', '/checkip', { prefix: '', address })
  const { status, body, headers } = await ask('8.8.4.4')
  assert.deepEqual([status, body, headers['content-type']], [200, '8.8.4.4\n', 'text/plain; charset=utf-8'])
  assert.equal((await ask('2606:4700::1111')).body, '2606:4700::1111\n')
  assert.equal((await ask('::ffff:8.8.8.8')).body, '8.8.8.8\n')
  const statuses: number[] = []
  for (let i = 0; i < 60; i++) statuses.push((await ask('8.8.4.4')).status)
  assert.deepEqual([statuses.filter((each) => each === 200).length, statuses.at(-1)], [59, 429])
  assert.equal((await ask('8.8.4.5')).status, 200)
})
