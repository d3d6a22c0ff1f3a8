import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Db } from '#platform/postgres/index.ts'
import { startTestApi, type TestAnswer } from '#testing/test-api.ts'
import { type FreshZone, testZones, zoneFileType } from '#testing/test-zones.ts'
import { readChangeWarnings } from './change-warnings.ts'
import type { RrsetMove } from './rrset.ts'

const api = await startTestApi()
const { account, freshZone } = await testZones(api)

/** Warnings as `name type code`, names relative to the zone. */
function told({ body }: TestAnswer, zone: FreshZone): string[] {
  return (body.warnings ?? [])
    .map(({ name, type, code }: { name: string; type: string; code: string }) => {
      const relative = name === zone.name ? '@' : name.slice(0, -zone.name.length - 1)
      return `${relative} ${type} ${code}`
    })
    .toSorted()
}

const odd = { ttl: 604_800, records: ['10 mail', '10 mail', '20 mail.lan'] }
const oddWarnings = ['duplicates_merged', 'forgotten_dot', 'long_ttl', 'no_address', 'no_address']

test('every write returns the same warnings as its dry run', async () => {
  for (const [method, path, body] of [
    ['PUT', '/rrsets/@/MX', odd],
    ['POST', '/rrsets', { name: '@', type: 'MX', ...odd }],
    ['PATCH', '/rrsets/@/MX', { ttl: odd.ttl, add: odd.records }],
    ['PATCH', '/rrsets', { changes: [{ name: '@', type: 'MX', ...odd }] }],
    ['PUT', '/rrsets', { rrsets: [{ name: '@', type: 'MX', ...odd }] }],
    ['POST', '/import', { rrsets: [{ name: '@', type: 'MX', ...odd }] }],
    ['POST', '/import?mode=replace', { rrsets: [{ name: '@', type: 'MX', ...odd }] }],
  ] as const)
    for (const headers of [{}, { 'idempotency-key': `${method} ${path}` }]) {
      const what = `${method} ${path} ${JSON.stringify(headers)}`
      const zone = await freshZone()
      const dry = await zone.call(method, `${path}${path.includes('?') ? '&' : '?'}dry_run=true`, { body })
      const real = await zone.call(method, path, { body, headers })
      assert.ok(real.status < 300, what)
      assert.deepEqual(real.body.warnings, dry.body.warnings, what)
      assert.deepEqual(
        told(real, zone),
        oddWarnings.map((code) => `@ MX ${code}`),
        what,
      )
      if (method !== 'POST' || !('idempotency-key' in headers)) continue
      assert.deepEqual((await zone.call(method, path, { body, headers })).body, real.body, `repeat of ${what}`)
    }
  const zone = await freshZone()
  const file = '@ 604800 MX 10 mail\n@ 604800 MX 10 mail\n@ 604800 MX 20 mail.lan\n'
  const imported = await zone.call('POST', '/import', { body: file, headers: zoneFileType })
  assert.deepEqual(
    told(imported, zone),
    oddWarnings.map((code) => `@ MX ${code}`),
  )
})

test('a response about a single record set omits `warnings` if there are none, and every other write returns an empty list', async () => {
  const zone = await freshZone()
  const rrset = { name: 'www', type: 'A', records: ['192.0.2.1'] }
  for (const [method, path, body] of [
    ['PUT', '/rrsets/www/A', { records: rrset.records }],
    ['PUT', '/rrsets/www/A', { records: rrset.records }],
    ['POST', '/rrsets', { ...rrset, name: 'x' }],
    ['PATCH', '/rrsets/www/A', { add: ['192.0.2.2'] }],
    ['PATCH', '/rrsets/www/A', {}],
  ] as const) {
    const { status, body: answer } = await zone.call(method, path, { body })
    assert.equal(status < 300 && !('warnings' in answer), true, `${method} ${path}`)
  }
  for (const [method, path, body] of [
    ['PATCH', '/rrsets', { changes: [rrset] }],
    ['PUT', '/rrsets', { rrsets: [rrset] }],
    ['POST', '/import', { rrsets: [rrset] }],
    ['POST', '/versions/1/restore', {}],
    ['POST', '/presets/google.com.site-verification', { parameters: { code: 'x' } }],
    ['DELETE', '/rrsets/www/A?dry_run=true', undefined],
  ] as const)
    assert.deepEqual((await zone.call(method, path, { body })).body.warnings, [], `${method} ${path}`)
  assert.equal((await zone.call('DELETE', '/rrsets/www/A')).status, 204)
})

test('a write gets warnings about other record sets that it affects', async () => {
  const mx = ['@', 'MX', '10 mail'] as const
  for (const [there, change, expected] of [
    [[mx, ['mail', 'TXT', '"x"']], ['a', 'A', '192.0.2.1'], []],
    [[mx, ['*', 'A', '192.0.2.1']], ['mail', 'TXT', '"x"'], ['@ MX no_address']],
    [[mx, ['*', 'A', '192.0.2.1']], ['_x.mail', 'TXT', '"x"'], ['@ MX no_address']],
    [[mx, ['*', 'A', '192.0.2.1']], ['_x', 'TXT', '"x"'], []],
    [[mx, ['*', 'A', '192.0.2.1']], ['mail', 'AAAA', '2001:db8::1'], []],
    [
      [
        ['sub', 'MX', '10 a.b'],
        ['*', 'A', '192.0.2.1'],
      ],
      ['c.b', 'A', '192.0.2.1'],
      ['sub MX no_address'],
    ],
    [[mx, ['*', 'A', '192.0.2.1']], ['mail', 'CNAME', 'example.net.'], ['@ MX target_is_alias']],
    [[['child', 'NS', 'ns1']], ['ns1', 'CNAME', 'example.net.'], ['child NS target_is_alias']],
    [[['@', 'TXT', '"v=spf1 -all"']], ['@', 'TXT', '"v=spf1 mx -all"'], ['@ TXT two_spf']],
  ] as const) {
    const zone = await freshZone()
    for (const [name, type, record] of there) assert.ok((await zone.put(name, type, [record])).status < 300)
    const [name, type, record] = change
    const answer = await zone.call('PATCH', `/rrsets/${name}/${type}`, { body: { add: [record] } })
    assert.deepEqual(told(answer, zone), expected, JSON.stringify([there, change]))
  }
})

test('a bulk change gets warnings about what it removes, but not about earlier problems', async () => {
  const zone = await freshZone()
  await zone.put('@', 'MX', ['10 mail', '20 none'])
  await zone.put('mail', 'A', ['192.0.2.1'])
  const gone = { changes: [{ name: 'mail', type: 'A', records: [] }] }
  const { warnings } = (await zone.call('PATCH', '/rrsets', { body: gone })).body
  assert.deepEqual(
    warnings.map(({ message }: { message: string }) => message),
    [`${zone.name} MX points to mail.${zone.name}, which has no A or AAAA record.`],
  )
})

test('removing a delegation warns about hosts below it that no longer have an address', async () => {
  const zone = await freshZone()
  await zone.put('@', 'MX', ['10 mail.child'])
  await zone.put('child', 'NS', ['ns.example.net.', 'ns.example.org.'])
  const fewer = await zone.call('PUT', '/rrsets/child/NS', { body: { records: ['ns.example.net.'] } })
  assert.deepEqual(told(fewer, zone), [])
  const gone = { changes: [{ name: 'child', type: 'NS', records: [] }] }
  assert.deepEqual(told(await zone.call('PATCH', '/rrsets', { body: gone }), zone), ['@ MX no_address'])
})

test('a restore and a preset get the same warnings as their dry runs', async () => {
  const zone = await freshZone()
  await zone.put('@', 'MX', ['10 mail'], { ttl: 604_800 }) // 1
  await zone.put('mail', 'A', ['192.0.2.1']) // 2
  await zone.put('www', 'CNAME', ['mail']) // 3
  await zone.call('PUT', '/rrsets', { body: { rrsets: [] } }) // 4
  const restore = (version: number, query = '') => zone.call('POST', `/versions/${version}/restore${query}`, {})
  const dry = await restore(1, '?dry_run=true')
  const real = await restore(1)
  assert.deepEqual([real.status, real.body.warnings], [200, dry.body.warnings])
  assert.deepEqual(told(real, zone), ['@ MX long_ttl', '@ MX no_address'])
  assert.deepEqual(told(await restore(3), zone), [])

  await zone.put('child', 'NS', ['www.apex', 'ns.example.net.'])
  await zone.put('www.apex', 'A', ['192.0.2.1'])
  const apply = (query = '') =>
    zone.call('POST', `/presets/cloudflare.com.pages${query}`, {
      body: { parameters: { project: 'x', host: 'www.apex' } },
    })
  const planned = await apply('?dry_run=true')
  const applied = await apply()
  assert.deepEqual([applied.status, applied.body.warnings], [200, planned.body.warnings])
  assert.deepEqual(told(applied, zone), ['child NS target_is_alias', 'www.apex A removed'])
})

test('a key without records:read gets only warnings about what it sent', async () => {
  const zone = await freshZone()
  await zone.put('*', 'A', ['192.0.2.1'])
  await zone.put('@', 'MX', ['10 mail', '10 other'])
  await zone.put('@', 'TXT', ['"v=spf1 -all"'], { ttl: 604_800 })
  const writer = await api.key(account, { permissions: ['records:write'] })
  const as = (method: string, path: string, body: unknown) => zone.call(method, path, { key: writer, body })
  const spf = '"v=spf1 mx -all"'
  for (const [method, path, body, expected] of [
    ['PATCH', '/rrsets/@/TXT', { add: [spf] }, []],
    ['PUT', '/rrsets/@/TXT', { records: [spf] }, []],
    ['PUT', '/rrsets/@/TXT', { records: [spf, '"v=spf1 -all"'], ttl: 86_401 }, ['@ TXT long_ttl', '@ TXT two_spf']],
    ['PUT', '/rrsets/mail/CNAME', { records: ['example.net.'] }, []],
    ['PUT', '/rrsets/@/MX', { records: ['10 nowhere.mail', '10 mail'] }, ['@ MX forgotten_dot']],
    ['PATCH', '/rrsets/@/TXT', { remove: [spf] }, []],
    ['PUT', '/rrsets/new/TXT', { records: ['"a"', '"a"'] }, ['new TXT duplicates_merged']],
    [
      'PATCH',
      '/rrsets',
      {
        changes: [
          { name: 'mail', type: 'CNAME', records: [] },
          { name: 'x', type: 'A', ttl: 86_401, records: ['192.0.2.1'] },
        ],
      },
      ['x A long_ttl'],
    ],
    ['POST', '/versions/1/restore', {}, []],
  ] as const) {
    const dry = await as(method, `${path}?dry_run=true`, body)
    assert.deepEqual(told(dry, zone), expected, `dry run of ${method} ${path}`)
    assert.deepEqual(told(await as(method, path, body), zone), expected, `${method} ${path}`)
  }
})

test('for any change, the real write gets the warnings of its dry run', async () => {
  const name = fc.constantFrom('@', '*', 'a', 'b', 'a.b', 'c.b', '*.b', 'x.c.b', '_x.a')
  const host = fc.constantFrom('a', 'b', 'a.b', 'y.a.b', 'c.b', 'd', '@', 'example.net.')
  const rrset = fc.oneof(
    fc.record({ name, type: fc.constant('A'), records: fc.constant(['192.0.2.1']) }),
    fc.record({ name, type: fc.constant('TXT'), records: fc.constant(['"x"']) }),
    fc.record({ name, type: fc.constant('CNAME'), records: host.map((target) => [target]) }),
    fc.record({ name, type: fc.constant('NS'), records: host.map((target) => [target]) }),
    fc.record({
      name,
      type: fc.constant('MX'),
      records: fc.array(
        host.map((target) => `10 ${target}`),
        { minLength: 1, maxLength: 3 },
      ),
    }),
  )
  const removal = rrset.map((each) => ({ ...each, records: [] }))
  const changes = fc.array(fc.oneof({ weight: 3, arbitrary: rrset }, { weight: 1, arbitrary: removal }), {
    minLength: 1,
    maxLength: 3,
  })
  let warned = 0
  await fc.assert(
    fc.asyncProperty(fc.array(changes, { minLength: 4, maxLength: 8 }), async (steps) => {
      const zone = await freshZone()
      for (const step of steps) {
        const [first] = step
        const isSingle = step.length === 1 && first !== undefined && first.records.length > 0
        const [method, path, body] = isSingle
          ? ['PUT', `/rrsets/${encodeURIComponent(first.name)}/${first.type}`, { records: first.records }]
          : ['PATCH', '/rrsets', { changes: step }]
        const dry = await zone.call(method, `${path}?dry_run=true`, { body })
        const real = await zone.call(method, path, { body })
        assert.equal(real.status < 300, dry.status === 200, JSON.stringify(real.body))
        if (dry.status !== 200) continue
        assert.deepEqual(real.body.warnings ?? [], dry.body.warnings)
        warned += dry.body.warnings.length
      }
    }),
    { numRuns: 60 },
  )
  assert.ok(warned > 50, `${warned} warnings`)
})

test('the warnings about an ordinary change of one record set need no query', async () => {
  const zone = { id: '00000000-0000-4000-8000-000000000000', name: 'example.com' }
  const nobody = new Proxy({} as Db, {
    get: () => {
      throw new Error('the database is asked')
    },
  })
  const side = (record: string) => ({ ttl: 300, records: [record] })
  const move = (name: string, type: string, before: string | null, after: string | null): RrsetMove => ({
    name: `${name}.example.com`,
    type,
    before: before === null ? null : side(before),
    after: after === null ? null : side(after),
  })
  const warningsOf = (each: RrsetMove, hasWildcards: boolean) =>
    readChangeWarnings(nobody, zone, { moves: [each], hasWildcards })
  for (const [each, hasWildcards] of [
    [move('www', 'A', null, '192.0.2.1'), false],
    [move('www', 'A', '192.0.2.2', '192.0.2.1'), true],
    [move('www', 'CNAME', 'a.example.net.', 'b.example.net.'), true],
    [move('@', 'MX', null, '10 mail.example.net.'), false],
    [move('_acme-challenge', 'TXT', null, '"x"'), true],
    [move('www', 'TXT', '"x"', null), true],
  ] as const)
    assert.deepEqual(await warningsOf(each, hasWildcards), [])
  for (const [each, hasWildcards] of [
    [move('www', 'A', null, '192.0.2.1'), true],
    [move('www', 'CNAME', null, 'a.example.net.'), false],
    [move('www', 'A', '192.0.2.1', null), false],
    [move('@', 'MX', null, '10 mail.example.com.'), false],
  ] as const)
    await assert.rejects(warningsOf(each, hasWildcards), /is asked/)
})
