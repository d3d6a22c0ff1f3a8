import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '#platform/postgres/index.ts'
import { startTestApi, type TestAnswer } from '#testing/test-api.ts'
import { codeOf, type FreshZone, testZones, zoneFileType } from '#testing/test-zones.ts'

const api = await startTestApi()
const { account, key, freshZone } = await testZones(api)
const writer = await api.key(account, { permissions: ['records:write'] })
const reader = await api.key(account, { permissions: ['records:write', 'records:read'] })

/** The contents of the zone that no request sends: values, names, types and TTLs. */
const hidden = /secret|192\.0\.2\.77|SSHFP|"ttl":(77|3600)\b|2020-02-02/

/** A zone with data that a key without records:read must not learn. The last change makes version 5. */
async function secretZone(): Promise<FreshZone> {
  const zone = await freshZone()
  const changes = [
    { name: '@', type: 'TXT', ttl: 77, records: ['"secret one"', '"v=spf1 include:secret.example -all"'] },
    { name: '@', type: 'MX', ttl: 77, records: ['10 secret.example.net.'] },
    { name: 'www', type: 'A', records: ['192.0.2.77'] },
    { name: 'www', type: 'SSHFP', ttl: 77, records: ['1 1 dd465c09cfa51fb45020cc83316fff21b9ec74ac'] },
    { name: 'alias', type: 'CNAME', ttl: 77, records: ['secret.example.net.'] },
    { name: 'secret-child', type: 'CNAME', ttl: 77, records: ['secret.example.net.'] },
  ]
  assert.equal((await zone.call('PATCH', '/rrsets', { body: { changes } })).status, 200) // 1
  await zone.call('DELETE', '/rrsets/secret-child/CNAME') // 2
  await zone.put('@', 'TXT', ['"another secret"', '"secret one"']) // 3
  await zone.put('secret-host', 'A', ['192.0.2.77'], { ttl: 77 }) // 4
  const child = await api.call('POST', '/zones', { key, body: { name: `secret-child.${zone.name}` } }) // 5
  assert.equal(child.body.state, 'live')
  await sql`update zone_rrsets set updated_at = '2020-02-02' where zone_id = ${zone.id}`.execute(api.database.db)
  return zone
}

/** Every kind of write on existing records: the request, and its status. */
const writes: readonly [method: string, path: string, status: number, body?: unknown][] = [
  ['PUT', '/rrsets/@/TXT', 200, { records: ['"x"'] }],
  ['PUT', '/rrsets/@/TXT', 200, { ttl: 60, records: ['"x"'] }],
  ['PUT', '/rrsets/www/A', 200, { records: ['192.0.2.1'] }],
  ['PUT', '/rrsets/www/CNAME', 422, { records: ['example.net.'] }],
  ['PUT', '/rrsets/alias/A', 422, { records: ['192.0.2.1'] }],
  ['PUT', '/rrsets/alias/CNAME', 200, { records: ['example.net.'] }],
  ['POST', '/rrsets', 409, { name: 'www', type: 'A', records: ['192.0.2.1'] }],
  ['POST', '/rrsets', 201, { name: 'www', type: 'AAAA', ttl: 60, records: ['2001:db8::1'] }],
  ['PATCH', '/rrsets/@/TXT', 200, { add: ['"x"'] }],
  ['PATCH', '/rrsets/@/TXT', 200, { ttl: 60 }],
  ['PATCH', '/rrsets/@/TXT', 200, { remove: ['"x"'] }],
  ['PATCH', '/rrsets/@/MX', 422, { add: ['0 .'] }],
  ['PATCH', '/rrsets/alias/CNAME', 422, { add: ['example.net.'] }],
  ['PATCH', '/rrsets/@/TXT', 200, {}],
  ['DELETE', '/rrsets/@/TXT', 204],
  [
    'PATCH',
    '/rrsets',
    200,
    {
      changes: [
        { name: '@', type: 'TXT', records: ['"x"'] },
        { name: 'www', type: 'A', records: [] },
      ],
    },
  ],
  ['PATCH', '/rrsets', 422, { changes: [{ name: 'www', type: 'CNAME', records: ['example.net.'] }] }],
  ['PUT', '/rrsets', 200, { rrsets: [{ name: '@', type: 'TXT', records: ['"x"'] }] }],
  ['POST', '/import', 200, { rrsets: [{ name: '@', type: 'TXT', records: ['"x"'] }] }],
  ['POST', '/import?mode=replace', 200, { rrsets: [{ name: '@', type: 'TXT', records: ['"x"'] }] }],
  ['POST', '/import', 200, '@ 60 TXT "x"\n'],
  ['POST', '/import?mode=replace', 200, '@ 60 TXT "x"\n'],
  ['POST', '/import', 422, 'www 60 CNAME example.net.\nalias 60 A 192.0.2.1\n'],
  ['POST', '/import', 422, 'www 60 CNAME example.net.\nfaulty A 192.0.2.\n'],
  ['POST', '/presets/google.com.site-verification', 200, { parameters: { code: 'x' } }],
  ['POST', '/presets/google.com.workspace', 200, {}],
  ['POST', '/presets/zonewright.no-mail', 200, {}],
  ['POST', '/versions/2/restore', 200, {}],
  ['POST', '/versions/1/restore', 422, {}],
]

function send(zone: FreshZone, as: string, [method, path, , body]: (typeof writes)[number], dry: boolean) {
  const headers = typeof body === 'string' ? zoneFileType : {}
  const query = dry ? `${path.includes('?') ? '&' : '?'}dry_run=true` : ''
  return zone.call(method, path + query, { key: as, headers, ...(body !== undefined && { body }) })
}

function told({ headers, body }: TestAnswer): string {
  return `${JSON.stringify(headers)} ${JSON.stringify(body)}`
}

test('no response to a write reveals anything to a key that cannot read, except what it sent', async () => {
  let seenByReader = 0
  for (const write of writes) {
    const [method, path, status, body] = write
    const what = `${method} ${path} ${JSON.stringify(body)}`
    const tried = await secretZone()
    for (const as of [writer, reader]) {
      const dry = await send(tried, as, write, true)
      assert.equal(dry.status, status < 300 ? 200 : status, `${what}: ${told(dry)}`)
      if (as === writer) assert.doesNotMatch(told(dry), hidden, `dry run of ${what}`)
      else if (hidden.test(told(dry))) seenByReader++
    }
    const done = await send(tried, writer, write, false)
    assert.equal(done.status, status, `${what}: ${told(done)}`)
    assert.doesNotMatch(told(done), hidden, what)
  }
  assert.ok(seenByReader > 20, `only ${seenByReader} of the answers had anything to hide`)
})

test('a key that cannot read sees what it sent: the values that it adds, and its TTL if it names one', async () => {
  const zone = await secretZone()
  const call = async (method: string, path: string, body: unknown) =>
    (await zone.call(method, path, { key: writer, body })).body
  const sides = async (method: string, path: string, body: unknown) =>
    (await call(method, `${path}?dry_run=true`, body)).diff.changes.map(
      ({ before, after }: { before: unknown; after: unknown }) => [before, after],
    )
  const x = ['"x"']
  assert.deepEqual(await sides('PATCH', '/rrsets/@/TXT', { add: x }), [[null, { ttl: null, records: x }]])
  assert.deepEqual(await sides('PATCH', '/rrsets/@/TXT', { add: x, ttl: 60 }), [[null, { ttl: 60, records: x }]])
  assert.deepEqual(await sides('PUT', '/rrsets/@/TXT', { records: x }), [[null, { ttl: null, records: x }]])
  assert.deepEqual(await sides('PATCH', '/rrsets', { changes: [{ name: '@', type: 'TXT', ttl: 60, records: x }] }), [
    [null, { ttl: 60, records: x }],
  ])
  const fresh = await call('PUT', '/rrsets/new/TXT', { records: x })
  assert.equal(fresh.ttl, 3_600, 'the usual TTL of a new one is no secret')
  assert.ok(fresh.updated_at)
  const { ttl, updated_at, records } = await call('PUT', '/rrsets/new/TXT', { records: x })
  assert.deepEqual([ttl, updated_at, records], [null, null, x])
})

test('an error names the conflicting types only to a key that can read or has sent them', async () => {
  const zone = await secretZone()
  const messageFor = async (as: string, ...more: object[]) => {
    const body = { changes: [{ name: 'www', type: 'CNAME', records: ['example.net.'] }, ...more] }
    const answer = await zone.call('PATCH', '/rrsets', { key: as, body })
    assert.deepEqual(codeOf(answer), [422, 'validation_failed'])
    return answer.body.error.details[0].message
  }
  assert.match(await messageFor(reader), /^www\.\S+ has A, SSHFP records\. A CNAME/)
  assert.match(await messageFor(writer), /^www\.\S+ has other records\. A CNAME/)
  assert.match(
    await messageFor(writer, { name: 'www', type: 'AAAA', records: ['2001:db8::1'] }),
    /^www\.\S+ has AAAA records\. A CNAME/,
  )
})
