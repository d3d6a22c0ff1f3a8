import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type MemoryLimit, memoryLimits } from '#platform/http/request-limits.ts'
import { sql } from '#platform/postgres/index.ts'
import type { RateLimit } from '#platform/rates.ts'
import { TestProvider } from '#testing/domain-connect/test-provider.ts'
import { moveClock } from '#testing/move-clock.ts'
import { tcpProxy } from '#testing/tcp-proxy.ts'
import { startTestApi, type TestAnswer, testNameservers, testOrigin } from '#testing/test-api.ts'
import { TestPerson } from '#testing/test-person.ts'
import { codeOf, faultsOf } from '#testing/test-zones.ts'

const api = await startTestApi()
const signer = new TestProvider('service.example', 'signed')
const unsigned = new TestProvider('service.example', 'open')
api.dns.set('_dck1.keys.example', 'TXT', signer.texts)

const owner = await TestPerson.signedIn(api, 'owner@example.net')
const manager = await TestPerson.signedIn(api, 'manager@example.net')
const stranger = await TestPerson.signedIn(api, 'stranger@example.net')
const accountOf = async ({ email }: TestPerson): Promise<string> => {
  const { rows } = await sql<{ id: string }>`select id from accounts where email = ${email}`.execute(api.database.db)
  return rows[0]?.id ?? assert.fail()
}
const ownerId = await accountOf(owner)
let zones = 0
const freshZone = () => api.zone(ownerId, `connect${++zones}.example.com`)
const values = 'IP=192.0.2.7&RANDOMTEXT=shm%3A1%3Ahello+world'

const read = (request: string, person = owner, headers = {}): Promise<TestAnswer> =>
  person.call('POST', '/domain-connect/requests', { body: { request }, headers })

interface Apply {
  readonly person?: TestPerson
  readonly token?: string
  readonly query?: string
  readonly headers?: Record<string, string>
}

async function apply(zone: string, request: string, { person = owner, token, query = '', headers = {} }: Apply = {}) {
  const known = token ?? (await read(request, person)).body.token
  return person.call('POST', `/zones/${zone}/domain-connect${query}`, { body: { request, token: known }, headers })
}

const get = (path: string) => api.call('GET', path, { prefix: '' })

/** The customer's records of a zone, as `name type values`. */
async function recordsOf(zone: string): Promise<string[]> {
  const { body } = await owner.call('GET', `/zones/${zone}/rrsets`)
  return body.data
    .filter(({ managed }: { managed: boolean }) => !managed)
    .map(({ name, type, records }: { name: string; type: string; records: string[] }) =>
      [name, type, ...records].join(' '),
    )
}

test('a service provider finds the settings of live zones and of no other names', async () => {
  const { name } = await freshZone()
  const answer = await get(`/v2/${name.toUpperCase()}/settings`)
  assert.deepEqual(
    [answer.status, answer.body],
    [
      200,
      {
        providerId: 'zonewright.test',
        providerName: 'Zonewright Test',
        providerDisplayName: 'Zonewright Test',
        urlSyncUX: testOrigin,
        urlAPI: testOrigin,
        urlControlPanel: `${testOrigin}/app/zones/%domain%`,
        width: 900,
        height: 900,
        nameServers: testNameservers,
      },
    ],
  )
  assert.equal(answer.headers['access-control-allow-origin'], undefined)
  for (const other of [`www.${name}`, 'example.com', 'x', '%00', '%2e%2e%2e', `${name}%2f`, 'a'.repeat(300)]) {
    const { status, headers } = await get(`/v2/${other}/settings`)
    assert.deepEqual([status, headers['content-type']], [404, 'text/plain; charset=utf-8'], other)
  }
})

test('a service provider finds whether a template is installed', async () => {
  const path = '/v2/domainTemplates/providers/Service.example/services'
  assert.deepEqual((await get(`${path}/signed`)).body, { version: 3 })
  assert.deepEqual((await get(`${path}/open`)).body, {})
  for (const service of ['blocked', 'unknown', 'none', '__proto__', '%2e%2e', 'open/apply/x'])
    assert.equal((await get(`${path}/${service}`)).status, 404, service)
})

test('the link opens the dashboard page, with the original request in the fragment, and not in a frame', async () => {
  const link = signer.signed(`domain=example.com&b=2&a=%2b+%C3%A9`)
  const { status, headers } = await get(link)
  assert.equal(status, 302)
  const [page, fragment = ''] = String(headers['location']).split('#')
  assert.equal(page, `${testOrigin}/app/domain-connect`)
  assert.equal(Buffer.from(fragment, 'base64url').toString('latin1'), link)
  assert.match(String(headers['content-security-policy']), /frame-ancestors 'none'/)
  assert.equal(headers['referrer-policy'], 'no-referrer')
  assert.equal((await api.call('POST', link, { prefix: '' })).status, 405)
})

test('a signed link names its sender and is applied as one change with its source', async () => {
  const zone = await freshZone()
  await owner.call('PUT', `/zones/${zone.name}/rrsets/@/AAAA`, { body: { records: ['2001:db8::1'] } })
  const query = `domain=${zone.name}&host=&${values}&redirect_uri=https%3A%2F%2Fapp.service.example%2Fdone&state=s1`
  const link = signer.signed(query)
  const asked = await read(link)
  assert.equal(asked.status, 200)
  const { token, return_urls, ...facts } = asked.body
  assert.deepEqual(facts, {
    provider: 'Example Service',
    provider_id: 'service.example',
    service: 'Stateless hosting',
    service_id: 'signed',
    on_behalf_of: null,
    domain: zone.name,
    host: '',
    signed: true,
    phishing_warning: false,
  })
  assert.equal(return_urls.applied, 'https://app.service.example/done?state=s1')

  const dry = await apply(zone.name, link, { token, query: '?dry_run=true' })
  assert.equal(dry.status, 200)
  assert.deepEqual(
    dry.body.warnings.map(({ code, type }: { code: string; type: string }) => `${code} ${type}`),
    ['removed AAAA'],
  )
  assert.equal((await recordsOf(zone.name)).length, 1)

  const done = await apply(zone.name, link, { token })
  assert.deepEqual([done.status, done.body.diff], [200, dry.body.diff])
  assert.deepEqual(await recordsOf(zone.name), [
    `${zone.name} A 192.0.2.7`,
    `${zone.name} TXT "shm:1:hello world"`,
    `whd.${zone.name} CNAME ${zone.name}.`,
  ])
  const { rows } = await sql<{ source: string }>`
    select source from zone_changes where zone_id = ${zone.id} order by version desc limit 1`.execute(api.database.db)
  assert.deepEqual(rows, [{ source: 'domain-connect' }])
  // Applying the same link again has no effect.
  assert.deepEqual((await apply(zone.name, link)).body.diff.changes, [])
})

test('a forged link shows nothing, changes nothing and redirects nowhere', async () => {
  const zone = await freshZone()
  const query = `domain=${zone.name}&${values}&redirect_uri=https%3A%2F%2Fapp.service.example%2F`
  const token = (await read(signer.signed(query))).body.token
  const other = new TestProvider('service.example', 'signed')
  for (const [code, link] of [
    ['bad_signature', signer.signed(query, { sent: query.replace('192.0.2.7', '192.0.2.66') })],
    ['bad_signature', signer.signed(query, { sent: `${query}&host=www` })],
    ['bad_signature', signer.signed(query, { key: '_dck2' })],
    ['bad_signature', other.signed(query)],
    ['unsigned', signer.link(query)],
    ['duplicate', signer.signed(query, { sent: `${query}&IP=192.0.2.66` })],
  ] as const) {
    const answer = await read(link)
    assert.deepEqual([answer.status, answer.body.error.details[0].code], [422, code], link)
    assert.equal(JSON.stringify(answer.body).includes('app.service.example'), false)
    // A token of another link does not help.
    const applied = await apply(zone.name, link, { token })
    assert.equal(applied.status, 422, link)
  }
  assert.deepEqual(await recordsOf(zone.name), [])
})

test('a link can be retried if its key cannot be looked up', async () => {
  const link = signer.signed(`domain=example.com&${values}`)
  api.dns.mode = 'servfail'
  try {
    const answer = await read(link)
    assert.deepEqual(codeOf(answer), [503, 'unavailable'])
    assert.equal(answer.headers['retry-after'], '5')
  } finally {
    api.dns.mode = 'good'
  }
})

test('a link without a key always shows the phishing warning and returns only to its template’s domain', async () => {
  const query = `domain=example.com&${values}&providerName=My%20Reseller`
  const good = (await read(unsigned.link(`${query}&redirect_uri=https%3A%2F%2Fwww.service.example%2F`))).body
  assert.deepEqual([good.signed, good.phishing_warning, good.on_behalf_of], [false, true, 'My Reseller'])
  assert.equal(good.return_urls.cancelled.startsWith('https://www.service.example/?error=access_denied'), true)
  for (const uri of [
    'https://evil.example/',
    'https://a@service.example/',
    'http://service.example/',
    'javascript:1',
  ]) {
    const answer = await read(unsigned.link(`${query}&redirect_uri=${encodeURIComponent(uri)}`))
    assert.deepEqual([answer.status, answer.body.return_urls], [200, null], uri)
  }
  // A signature has no effect if the template has no key.
  const signed = await read(unsigned.signed(`${query}&redirect_uri=https%3A%2F%2Fevil.example%2F`))
  assert.deepEqual([signed.body.signed, signed.body.phishing_warning, signed.body.return_urls], [false, true, null])
})

test('the name of a reseller is short and has no control characters', async () => {
  const name = encodeURIComponent(`Bank\u202e\n${'x'.repeat(500)}`)
  const { on_behalf_of: shown } = (await read(unsigned.link(`domain=example.com&${values}&providerName=${name}`))).body
  assert.equal(shown.length, 100)
  assert.doesNotMatch(shown, /\p{Cc}|\u202e/u)
})

test('refuses templates that are not installed, not for browsers, or of unknown types', async () => {
  for (const [service, status] of [
    ['none', 404],
    ['unknown', 404],
    ['__proto__', 404],
    ['blocked', 422],
  ] as const) {
    const link = new TestProvider('service.example', service).link(`domain=example.com&${values}`)
    assert.equal((await read(link)).status, status, service)
    assert.equal((await apply('example.com', link, { token: 'x' })).status, 404, 'no zone is found first')
  }
})

test('names the malicious values of a link in a refusal, and changes nothing', async () => {
  const { name } = await freshZone()
  for (const [query, fault] of [
    [`domain=${name}&IP=192.0.2.1%0A192.0.2.2&RANDOMTEXT=x`, 'invalid /parameters/IP'],
    [`domain=${name}&IP=evil.example&RANDOMTEXT=x`, 'invalid /parameters/IP'],
    [`domain=${name}&IP=192.0.2.1&RANDOMTEXT=a%0D%0Ab`, 'invalid /parameters/RANDOMTEXT'],
    [`domain=${name}&IP=192.0.2.1`, 'missing /parameters/RANDOMTEXT'],
    [`domain=${name}&host=*&${values}`, 'bad_name /parameters/host'],
    [`domain=${name}&host=example.org.&${values}`, 'out_of_zone /parameters/host'],
    [`domain=${name}&host=a%40b&${values}`, 'bad_name /parameters/host'],
  ] as const)
    assert.deepEqual(faultsOf(await apply(name, unsigned.link(query), { query: '?dry_run=true' })), [fault], query)
  assert.deepEqual(await recordsOf(name), [])
})

test('a link changes only the zone that it names', async () => {
  const [one, other] = [await freshZone(), await freshZone()]
  const link = unsigned.link(`domain=${one.name}&${values}`)
  const token = (await read(link)).body.token
  const answer = await apply(other.name, link, { token })
  assert.deepEqual([answer.status, answer.body.error.details[0].code], [422, 'other_zone'])
  assert.equal((await apply(one.id, link, { token })).status, 200)
  for (const domain of ['', '%20', 'a..b', `${one.name}%00`])
    assert.equal((await read(unsigned.link(`domain=${domain}&${values}`))).status, 422, domain)
})

test('owners and managers can apply a link; a stranger, a key and a signed-out visitor cannot', async () => {
  const zone = await freshZone()
  await sql`insert into zone_managers (zone_id, account_id) values (${zone.id}, ${await accountOf(manager)})`.execute(
    api.database.db,
  )
  const link = unsigned.link(`domain=${zone.name}&${values}`)
  const { token } = (await read(link)).body
  assert.deepEqual(codeOf(await apply(zone.name, link, { person: stranger })), [404, 'not_found'])
  assert.deepEqual(codeOf(await apply(zone.name, link, { person: new TestPerson(api, 'nobody@example.net'), token })), [
    401,
    'signed_out',
  ])
  assert.deepEqual(codeOf(await read(link, new TestPerson(api, 'nobody@example.net'))), [401, 'signed_out'])
  const key = await api.key(ownerId)
  const body = { request: link, token }
  assert.deepEqual(codeOf(await api.call('POST', `/zones/${zone.name}/domain-connect`, { key, body })), [
    403,
    'forbidden',
  ])
  assert.deepEqual(codeOf(await api.call('POST', '/domain-connect/requests', { key, body: { request: link } })), [
    403,
    'forbidden',
  ])
  assert.deepEqual(await recordsOf(zone.name), [])
  assert.equal((await apply(zone.name, link, { person: manager })).status, 200)
})

test('a session that ended, or whose account is deleted, cannot read or apply a link', async () => {
  const zone = await freshZone()
  const link = unsigned.link(`domain=${zone.name}&${values}`)
  const refused = async (person: TestPerson): Promise<void> => {
    assert.deepEqual(codeOf(await read(link, person)), [401, 'signed_out'])
    const { token } = (await read(link)).body
    assert.deepEqual(codeOf(await apply(zone.name, link, { person, token })), [401, 'signed_out'])
    assert.deepEqual(await recordsOf(zone.name), [])
  }
  const ended = await TestPerson.signedIn(api, 'ended@example.net')
  await sql`update account_sessions set expires_at = app_now() - interval '1 second' where account_id = ${await accountOf(ended)}`.execute(
    api.database.db,
  )
  await refused(ended)
  const gone = await TestPerson.signedIn(api, 'gone@example.net')
  await sql`update accounts set deleted_at = app_now(), deleted_email = email, email = 'deleted:' || id where email = 'gone@example.net'`.execute(
    api.database.db,
  )
  await refused(gone)
})

test('refuses a body that is too large, truncated or of another shape, and changes nothing', async () => {
  const zone = await freshZone()
  const link = unsigned.link(`domain=${zone.name}&${values}`)
  const { token } = (await read(link)).body
  const headers = { 'content-type': 'application/json' }
  for (const [body, status] of [
    [JSON.stringify({ request: link, token }).slice(0, -1), 400],
    ['', 400],
    ['null', 422],
    ['[]', 422],
    ['{}', 422],
    [JSON.stringify({ request: [link], token: [token] }), 422],
    [JSON.stringify({ request: link, token, padding: 'x'.repeat(2 * 1024 * 1024) }), 413],
  ] as const)
    for (const path of ['/domain-connect/requests', `/zones/${zone.name}/domain-connect`]) {
      const answer = await owner.call('POST', path, { headers, body })
      assert.equal(answer.status, status, `${path} ${body.slice(0, 40)}`)
    }
  assert.deepEqual(await recordsOf(zone.name), [])
})

test('applying a link again changes nothing', async () => {
  const zone = await freshZone()
  const link = unsigned.link(`domain=${zone.name}&${values}`)
  const { token } = (await read(link)).body
  const versionOf = async () =>
    (await sql<{ version: number }>`select version from zones where id = ${zone.id}`.execute(api.database.db)).rows[0]
  assert.equal((await apply(zone.name, link, { token })).status, 200)
  const before = await versionOf()
  assert.equal((await apply(zone.name, link, { token })).status, 200)
  assert.deepEqual(await versionOf(), before)
})

test('a link cannot be read or applied while the database is down, and can be afterwards', async () => {
  const proxy = await tcpProxy(api.database.url)
  const cut = await startTestApi({ databaseUrl: proxy.url })
  const person = await TestPerson.signedIn(cut, 'cut@example.net')
  const zone = await api.zone(await accountOf(person), 'cut.example.net')
  const link = unsigned.link(`domain=${zone.name}&${values}`)
  const { token } = (await read(link, person)).body
  proxy.shut()
  assert.equal((await read(link, person)).status, 503)
  assert.equal((await apply(zone.name, link, { person, token })).status, 503)
  proxy.open()
  assert.equal((await apply(zone.name, link, { person, token })).status, 200)
  await proxy.close()
})

test('refuses a session with too many requests, and changes nothing', async () => {
  const limits = Object.fromEntries(
    Object.entries(memoryLimits).map(([name, limit]) => [
      name,
      { ...limit, most: name === 'session' ? 20 : 1_000_000 },
    ]),
  ) as Record<MemoryLimit, RateLimit>
  const limited = await startTestApi({ databaseUrl: api.database.url, limits })
  const person = await TestPerson.signedIn(limited, 'hasty@example.net')
  const zone = await api.zone(await accountOf(person), 'hasty.example.net')
  const link = unsigned.link(`domain=${zone.name}&${values}`)
  const { token } = (await read(link, person)).body
  const answers = await Promise.all(Array.from({ length: 30 }, () => read(link, person)))
  assert.ok(answers.some(({ status }) => status === 429))
  const late = await apply(zone.name, link, { person, token })
  assert.deepEqual(codeOf(late), [429, 'rate_limited'])
  const { rows } = await sql`select from zone_rrsets where zone_id = ${zone.id} and not managed`.execute(
    api.database.db,
  )
  assert.deepEqual(rows, [])
})

test('another site cannot apply a link: this needs the Origin and the token of the page', async () => {
  const zone = await freshZone()
  const link = unsigned.link(`domain=${zone.name}&${values}`)
  const { token } = (await read(link)).body
  for (const origin of ['https://service.example', 'null', 'http://dashboard.test.evil.example', '']) {
    assert.deepEqual(codeOf(await read(link, owner, { origin })), [403, 'forbidden'], origin)
    assert.deepEqual(codeOf(await apply(zone.name, link, { token, headers: { origin } })), [403, 'forbidden'], origin)
  }
  const strangers = (await read(link, stranger)).body.token
  const others = (await read(`${link}&state=2`)).body.token
  const bad = ['', 'x', strangers, others, token.slice(0, -2), `${token}AA`, token.toUpperCase()]
  for (const wrong of bad) {
    const answer = await apply(zone.name, link, { token: wrong })
    assert.deepEqual([answer.status, answer.body.error.details[0].code], [422, 'expired'], wrong)
  }
  assert.deepEqual(await recordsOf(zone.name), [])
})

test('changes the zone only if it is still in the state that the page showed', async () => {
  const { name } = await freshZone()
  const link = unsigned.link(`domain=${name}&${values}`)
  const stale = await apply(name, link, { headers: { 'if-match': '"5"' } })
  assert.deepEqual(codeOf(stale), [412, 'precondition_failed'])
  assert.equal((await apply(name, link, { headers: { 'if-match': '"0"' } })).status, 200)
})

test('an installation without DOMAIN_CONNECT answers service providers with 404', async () => {
  const off = await startTestApi({ hasDomainConnect: false })
  const link = unsigned.link('domain=example.com')
  for (const path of ['/v2/example.com/settings', link, link.split('/apply')[0] ?? ''])
    assert.equal((await off.call('GET', path, { prefix: '' })).status, 404, path)
})

// This is the last test, because it moves the clock.
test('a page can be open for an hour', async () => {
  const { name } = await freshZone()
  const link = unsigned.link(`domain=${name}&${values}`)
  const { token } = (await read(link)).body
  await moveClock(api.database, '59 min')
  assert.equal((await apply(name, link, { token, query: '?dry_run=true' })).status, 200)
  await moveClock(api.database, '61 min')
  assert.equal((await apply(name, link, { token })).status, 422)
})
