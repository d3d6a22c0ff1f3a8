import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '#platform/postgres/index.ts'
import { startTestApi } from '#testing/test-api.ts'

const api = await startTestApi()
const { db } = api.database
const owner = await api.account('owner@example.net')
const stranger = await api.account('stranger@example.net')
// Changes of a pending zone do not wait for the nameservers, which this test lacks.
const zone = await api.zone(owner, 'example.com')
await sql`update zones set state = 'pending' where id = ${zone.id}`.execute(db)
await api.zone(stranger, 'other.example.net')
const acme = await api.key(owner, { name: 'certificates', permissions: ['acme:dns01'] })

interface Asked {
  key?: string | undefined
  headers?: Record<string, string>
  type?: string
}
const post = (path: string, body: unknown, { key, headers = {}, type = 'application/json' }: Asked = {}) =>
  api.call('POST', path, {
    prefix: '',
    headers: { 'content-type': type, ...(key !== undefined && { authorization: basic('lego', key) }), ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

function basic(user: string, key: string): string {
  return `Basic ${Buffer.from(`${user}:${key}`).toString('base64')}`
}

async function textsAt(name: string): Promise<string[]> {
  const { rows } = await sql<{ ttl: number; records: string[] }>`
    select ttl, records from zone_rrsets where zone_id = ${zone.id} and name = ${name} and type = 'TXT'`.execute(db)
  return rows.flatMap(({ ttl, records }) => records.map((record) => `${ttl} ${record}`)).sort()
}

async function changes(): Promise<[number, string | undefined]> {
  const { rows } = await sql<{ count: number; source: string }>`
    select (select count(*) from zone_changes where zone_id = ${zone.id})::int as count, source from zone_changes
    where zone_id = ${zone.id} order by version desc limit 1`.execute(db)
  return [rows[0]?.count ?? 0, rows[0]?.source]
}

let names = 0
const freshName = (): string => `n${++names}.example.com`
const challengeAt = (name: string): string => `_acme-challenge.${name}`
let values = 0
const freshValue = (): string => `${++values}`.padStart(43, 'v-_')

test('httpreq adds and removes single values with a TTL of 60 and keeps the others', async () => {
  const name = challengeAt(freshName())
  const [first, second] = [freshValue(), freshValue()]
  for (const value of [first, second]) {
    const { status, body } = await post('/acme/present', { fqdn: `${name}.`, value }, { key: acme })
    assert.deepEqual([status, body], [200, 'ok'])
  }
  assert.deepEqual(await textsAt(name), [`60 "${first}"`, `60 "${second}"`].sort())
  assert.equal((await changes())[1], 'httpreq')
  assert.equal((await post('/acme/cleanup', { fqdn: `${name}.`, value: first }, { key: acme })).status, 200)
  assert.deepEqual(await textsAt(name), [`60 "${second}"`])
  assert.equal((await post('/acme/cleanup', { fqdn: `${name}.`, value: second }, { key: acme })).status, 200)
  assert.deepEqual(await textsAt(name), [])
})

test('a repeated request changes nothing and is not an error', async () => {
  const [name, value] = [challengeAt(freshName()), freshValue()]
  for (const path of ['/acme/present', '/acme/present', '/acme/cleanup', '/acme/cleanup'])
    assert.equal((await post(path, { fqdn: name, value }, { key: acme })).status, 200)
  assert.deepEqual(await textsAt(name), [])
})

test('accepts any text as a value; a key with records:write can also write other names', async () => {
  const key = await api.key(owner, { permissions: ['records:write'] })
  const name = freshName()
  assert.equal((await post('/acme/present', { fqdn: name, value: 'say "hi" \\' }, { key })).status, 200)
  assert.deepEqual(await textsAt(name), ['60 "say \\"hi\\" \\\\"'])
})

// Requests as clients send them, read from their sources.
const lego = 'lego 4.9, Traefik 3: providers/dns/httpreq/httpreq.go (1669bb65)'
const httpreqCases: [client: string, path: string, body: (name: string) => unknown, headers: Record<string, string>][] =
  [
    [
      lego,
      '/acme/present',
      (name) => ({ fqdn: `${challengeAt(name)}.`, value: freshValue() }),
      { 'user-agent': 'Go-http-client/1.1' },
    ],
    [
      `${lego}, RAW`,
      '/acme/present',
      (name) => ({
        domain: name,
        token: 'LHDhK3oGRvkiefQnx7OOczTY5Tic_xZ6HcMOc_gmtoM',
        keyAuth: 'LHDhK3oGRvkiefQnx7OOczTY5Tic_xZ6HcMOc_gmtoM.x',
      }),
      { 'user-agent': 'Go-http-client/1.1', 'accept-encoding': 'gzip' },
    ],
  ]
for (const [client, path, body, headers] of httpreqCases)
  test(client, async () => {
    const name = freshName()
    const sent = `${JSON.stringify(body(name))}\n`
    assert.equal((await post(path, sent, { key: acme, headers })).status, 200)
    assert.equal((await textsAt(challengeAt(name))).length, 1)
    assert.equal((await post('/acme/cleanup', sent, { key: acme, headers })).status, 200)
    assert.deepEqual(await textsAt(challengeAt(name)), [])
  })

const update = (subdomain: string, txt: string, key: string | undefined = acme, headers: Record<string, string> = {}) =>
  post(
    '/acme-dns/update',
    { subdomain, txt },
    { headers: { 'x-api-user': 'anything', ...(key !== '' && { 'x-api-key': key }), ...headers } },
  )

test('acme-dns keeps its own two newest values and changes no other value', async () => {
  const name = freshName()
  const theirs = freshValue()
  await post('/acme/present', { fqdn: challengeAt(name), value: theirs }, { key: acme })
  const [a, b, c, d] = [freshValue(), freshValue(), freshValue(), freshValue()]
  const expected: [txt: string, kept: string[]][] = [
    [a, [a]],
    [b, [a, b]],
    [c, [b, c]],
    [c, [b, c]],
    [b, [b, c]],
    [d, [b, d]],
  ]
  for (const [txt, kept] of expected) {
    const answer = await update(name, txt)
    assert.deepEqual([answer.status, answer.body], [200, { txt }])
    assert.deepEqual(await textsAt(challengeAt(name)), [theirs, ...kept].map((each) => `60 "${each}"`).sort(), txt)
  }
  assert.equal((await changes())[1], 'acme-dns')
})

test('keeps a value that someone else wrote, even if a client of acme-dns sends the same one', async () => {
  const name = freshName()
  const theirs = freshValue()
  await post('/acme/present', { fqdn: challengeAt(name), value: theirs }, { key: acme })
  assert.equal((await update(name, theirs)).status, 200)
  for (let i = 0; i < 3; i++) await update(name, freshValue())
  assert.ok((await textsAt(challengeAt(name))).includes(`60 "${theirs}"`))
  assert.equal((await textsAt(challengeAt(name))).length, 3)
})

test('values that someone else removed do not return and do not count as stored', async () => {
  const name = freshName()
  const [a, b] = [freshValue(), freshValue()]
  await update(name, a)
  await post('/acme/cleanup', { fqdn: challengeAt(name), value: a }, { key: acme })
  assert.equal((await update(name, b)).status, 200)
  assert.deepEqual(await textsAt(challengeAt(name)), [`60 "${b}"`])
})

test('two concurrent updates of a name both add their values', async () => {
  const name = freshName()
  const pair = [freshValue(), freshValue()]
  const answers = await Promise.all(pair.map((txt) => update(name, txt)))
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200],
  )
  assert.deepEqual(await textsAt(challengeAt(name)), pair.map((txt) => `60 "${txt}"`).sort())
})

const acmeDnsCases: [client: string, body: (name: string, txt: string) => string, type: string][] = [
  [
    'goacmedns 0.1, lego, cert-manager, Traefik: client.go (24055643) writes the members with capital letters',
    (name, txt) => JSON.stringify({ SubDomain: name, Txt: txt }),
    'application/json',
  ],
  [
    'libdns/acmedns, Caddy: provider.go (10a44525)',
    (name, txt) => JSON.stringify({ subdomain: name, txt }),
    'application/json',
  ],
  [
    'acme.sh: dnsapi/dns_acmedns.sh (22e16394) sends JSON as a form, and looks for the quoted value in the answer',
    (name, txt) => `{"subdomain":"${name}", "txt": "${txt}"}`,
    'application/x-www-form-urlencoded',
  ],
]
for (const [client, body, type] of acmeDnsCases)
  test(client, async () => {
    const [name, txt] = [freshName(), freshValue()]
    const answer = await api.server.fastify.inject({
      method: 'POST',
      url: '/acme-dns/update',
      headers: { 'content-type': type, 'x-api-user': 'key_1', 'x-api-key': acme },
      payload: body(name, txt),
    })
    assert.equal(answer.statusCode, 200)
    assert.ok(answer.body.includes(`"${txt}"`))
    assert.deepEqual(await textsAt(challengeAt(name)), [`60 "${txt}"`])
  })

test('an acme-dns error is a word of that protocol, with a sentence', async () => {
  const txt = freshValue()
  const keyless = await update('a.example.com', txt, '')
  assert.equal(keyless.body.message, 'This request has no API key. Send the API key in the header X-API-Key.')
  const send = (body: unknown, headers = {}) =>
    post('/acme-dns/update', body, { headers: { 'x-api-key': acme, ...headers } })
  const cases: [answer: Awaited<ReturnType<typeof send>>, status: number, error: string][] = [
    [await update('a.example.com', txt, ''), 401, 'forbidden'],
    [await update('a.example.com', txt, 'svc_live_x'), 401, 'forbidden'],
    [await update('a.example.com', txt, await api.key(owner, { permissions: ['records:read'] })), 403, 'forbidden'],
    [await send({ subdomain: 'a.example.com', txt: 'short' }), 400, 'bad_txt'],
    [await send({ txt }), 400, 'bad_subdomain'],
    [await send('{'), 400, 'malformed_json_payload'],
    [await send({ subdomain: 'a.example.org', txt }), 404, 'not_found'],
    [await send({ subdomain: 'a.other.example.net', txt }), 404, 'not_found'],
    [await send({ subdomain: 'a', txt }), 404, 'not_found'],
    [await post('/acme-dns/register', {}), 403, 'forbidden'],
    [await post('/acme-dns/register', ''), 403, 'forbidden'],
  ]
  const before = (await changes())[0]
  for (const [{ status, body }, expected, error] of cases) {
    assert.deepEqual([status, body.error], [expected, error], JSON.stringify(body))
    assert.match(body.message, /\.$/)
  }
  assert.equal((await changes())[0], before)
  assert.match((await post('/acme-dns/register', {})).body.message, /http:\/\/dashboard\.test\/app\/connect-a-client/)
})

test('httpreq errors are text', async () => {
  const fqdn = `${challengeAt('a.example.com')}.`
  const value = freshValue()
  const cases: [answer: Awaited<ReturnType<typeof post>>, status: number, text: RegExp][] = [
    [await post('/acme/present', { fqdn, value }), 401, /^This request has no API key\. Send HTTP Basic /],
    [await post('/acme/present', { fqdn, value }, { key: 'svc_live_x' }), 401, /^The API key is mistyped\.\n$/],
    [
      await post('/acme/present', { fqdn: 'www.example.com', value }, { key: acme }),
      403,
      /^This key can change only TXT records named _acme-challenge\./,
    ],
    [
      await post('/acme/present', { fqdn: '_acme-challenge.example.org', value }, { key: acme }),
      404,
      /^No zone of this account contains _acme-challenge\.example\.org\.\n$/,
    ],
    [await post('/acme/present', { fqdn }, { key: acme }), 422, /^\/value: Send value as text/],
    [await post('/acme/present', { fqdn: 'a..b.example.com', value }, { key: acme }), 404, /^No zone/],
    [await post('/acme/present', '[]', { key: acme }), 400, /^The body is not a JSON object\.\n$/],
    [
      await post('/acme/present', { fqdn, value: 'x'.repeat(5_000) }, { key: acme }),
      413,
      /^The body is larger than 4 KiB/,
    ],
  ]
  for (const [{ status, body, headers }, expected, text] of cases) {
    assert.equal(status, expected, body)
    assert.match(body, text)
    assert.equal(headers['content-type'], 'text/plain; charset=utf-8')
  }
})

test('a key with limits changes only names within them', async () => {
  const limits = [{ zone: 'example.com', names: ['_acme-challenge.mine'], types: ['TXT'] }]
  const picks = ['example.com']
  const key = await api.key(owner, { permissions: ['acme:dns01'], picks, limits })
  assert.equal((await update('mine.example.com', freshValue(), key)).status, 200)
  assert.equal((await update('theirs.example.com', freshValue(), key)).status, 403)
  assert.equal(
    (await post('/acme/present', { fqdn: challengeAt('mine.example.com'), value: 'x' }, { key })).status,
    200,
  )
  assert.equal(
    (await post('/acme/present', { fqdn: challengeAt('theirs.example.com'), value: 'x' }, { key })).status,
    403,
  )
})

test('the acme-dns health check succeeds while the service runs', async () => {
  const { status, body } = await api.call('GET', '/acme-dns/health', { prefix: '' })
  assert.deepEqual([status, body], [200, ''])
})

test('deleting a zone deletes its acme-dns values', async () => {
  const gone = await api.zone(owner, 'gone.example.net')
  await update('www.gone.example.net', freshValue())
  const count = async () =>
    (await sql<{ n: number }>`select count(*)::int as n from acme_dns_values where zone_id = ${gone.id}`.execute(db))
      .rows[0]?.n
  assert.equal(await count(), 1)
  await sql`delete from zone_journal where zone_id = ${gone.id}`.execute(db)
  await sql`delete from zones where id = ${gone.id}`.execute(db)
  assert.equal(await count(), 0)
})
