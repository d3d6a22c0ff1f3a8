import assert from 'node:assert/strict'
import { test } from 'node:test'
import { maxImportBytes } from '@zonewright/contract'
import { parseName, parseZoneFile, rdataToText, typeToText } from '@zonewright/dns'
import { sql } from '#platform/db.ts'
import { moveClock } from '../../testing/move-clock.ts'
import { startTestApi, type TestAnswer, testNameservers } from '../../testing/test-api.ts'

const api = await startTestApi()
const { database } = api
const account = await api.account('owner@example.net')
const key = await api.key(account)
let zones = 0

interface Options {
  readonly body?: unknown
  readonly headers?: Record<string, string>
  readonly key?: string
}

/** A zone of its own for each test, and calls to it by its name. */
async function freshZone() {
  const zone = await api.zone(account, `zone${++zones}.example.com`)
  const call = (method: string, path: string, options: Options = {}): Promise<TestAnswer> =>
    api.call(method, `/zones/${zone.name}${path}`, { key, ...options })
  const put = (name: string, type: string, records: string[], more: object = {}): Promise<TestAnswer> =>
    call('PUT', `/rrsets/${encodeURIComponent(name)}/${type}`, { body: { records, ...more } })
  const version = async (): Promise<number> => Number(JSON.parse(String((await call('GET', '')).headers.etag)))
  return { ...zone, call, put, version }
}

function codeOf({ status, body }: TestAnswer): [status: number, code: string] {
  return [status, body.error?.code]
}

/** The faults of an answer, as `code place`. */
function faultsOf({ body }: TestAnswer): string[] {
  return (body.error.details ?? []).map(
    (detail: { code: string; path?: string; line?: number }) => `${detail.code} ${detail.line ?? detail.path}`,
  )
}

function names({ body }: TestAnswer): string[] {
  return body.data.map((rrset: { name: string; type: string }) => `${rrset.name} ${rrset.type}`)
}

const dns = { 'content-type': 'text/dns' }

test('PUT creates with 201, replaces with 200, and repeats without effect', async () => {
  const zone = await freshZone()
  const created = await zone.put('WWW', 'a', ['192.0.2.2', '192.0.2.1'], { ttl: 300 })
  assert.equal(created.status, 201)
  assert.equal(created.headers.etag, '"1"')
  const { updated_at, ...rrset } = created.body
  assert.deepEqual(rrset, {
    name: `www.${zone.name}`,
    type: 'A',
    ttl: 300,
    records: ['192.0.2.1', '192.0.2.2'],
    managed: false,
  })
  assert.match(updated_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

  const replaced = await zone.put(`www.${zone.name}.`, 'A', ['192.0.2.3'])
  assert.deepEqual(
    [replaced.status, replaced.headers.etag, replaced.body.ttl, replaced.body.records],
    [200, '"2"', 300, ['192.0.2.3']],
  )

  const same = await zone.put('www', 'A', ['192.0.2.3'])
  assert.deepEqual([same.status, same.headers.etag], [200, '"2"'])
  assert.equal(same.headers['zone-serial'], replaced.headers['zone-serial'])
  assert.deepEqual((await zone.call('GET', '/rrsets/www/A')).body, replaced.body, 'what PUT answered is what is read')
})

test('a PUT without effect answers with the time of the last change', async () => {
  const zone = await freshZone()
  const first = await zone.put('www', 'A', ['192.0.2.1'])
  const again = await zone.put('www', 'A', ['192.0.2.1'])
  assert.equal(again.body.updated_at, first.body.updated_at)
})

test('POST creates an rrset that is not there, and is refused with 409 when it is', async () => {
  const zone = await freshZone()
  const body = { name: 'www', type: 'A', records: ['192.0.2.1'] }
  assert.equal((await zone.call('POST', '/rrsets', { body })).status, 201)
  assert.deepEqual(codeOf(await zone.call('POST', '/rrsets', { body })), [409, 'rrset_exists'])
})

test('PATCH of one rrset adds and removes single values, any number of times', async () => {
  const zone = await freshZone()
  const patch = (body: object) => zone.call('PATCH', '/rrsets/_acme-challenge/TXT', { body })
  assert.equal((await patch({ add: ['"one"'] })).status, 201)
  assert.deepEqual((await patch({ add: ['"two"'] })).body.records, ['"one"', '"two"'])
  assert.equal((await patch({ add: ['"two"'] })).status, 200)
  assert.deepEqual((await patch({ remove: ['"one"', '"never there"'], ttl: 60 })).body.ttl, 60)
  assert.equal((await patch({ remove: ['"two"'] })).status, 204)
  assert.equal((await patch({ remove: ['"two"'] })).status, 204)
  assert.equal(await zone.version(), 4)
})

test('DELETE answers 204, also when there is nothing to delete', async () => {
  const zone = await freshZone()
  await zone.put('www', 'A', ['192.0.2.1'])
  assert.equal((await zone.call('DELETE', '/rrsets/www/A')).status, 204)
  assert.equal((await zone.call('DELETE', '/rrsets/www/A')).status, 204)
  assert.deepEqual(codeOf(await zone.call('GET', '/rrsets/www/A')), [404, 'not_found'])
  assert.equal(await zone.version(), 2)
})

test('If-Match with an old version, a weak one or nonsense is refused with 412, and changes nothing', async () => {
  const zone = await freshZone()
  await zone.put('www', 'A', ['192.0.2.1'])
  for (const ifMatch of ['"0"', 'W/"1"', '1', '"x"', ''])
    assert.deepEqual(
      codeOf(
        await zone.call('PUT', '/rrsets/www/A', { body: { records: ['192.0.2.9'] }, headers: { 'if-match': ifMatch } }),
      ),
      [412, 'precondition_failed'],
      ifMatch,
    )
  assert.equal(await zone.version(), 1)
  for (const ifMatch of ['"1"', '*', ' "2" '])
    assert.equal(
      (
        await zone.call('PATCH', '/rrsets/www/A', {
          body: { add: [`192.0.2.${ifMatch.length}`] },
          headers: { 'if-match': ifMatch },
        })
      ).status,
      200,
    )
  for (const [method, path, body] of [
    ['DELETE', '/rrsets/www/A', undefined],
    ['POST', '/rrsets', { name: 'n', type: 'A', records: ['192.0.2.1'] }],
    ['PATCH', '/rrsets', { changes: [{ name: 'n', type: 'A', records: ['192.0.2.1'] }] }],
    ['POST', '/import', 'n A 192.0.2.1'],
  ] as const)
    assert.deepEqual(
      codeOf(
        await zone.call(method, path, {
          body,
          headers: { 'if-match': '"1"', ...(method === 'POST' && path === '/import' ? dns : {}) },
        }),
      ),
      [412, 'precondition_failed'],
    )
})

test('reads of a zone carry its version as ETag', async () => {
  const zone = await freshZone()
  await zone.put('www', 'A', ['192.0.2.1'])
  for (const path of ['', '/rrsets', '/rrsets/www/A', '/export'])
    assert.equal((await zone.call('GET', path)).headers.etag, '"1"', path)
})

test('the service’s own SOA and NS are listed and read as managed, and never written', async () => {
  const zone = await freshZone()
  await zone.put('@', 'A', ['192.0.2.1'])
  const { body } = await zone.call('GET', '/rrsets')
  assert.deepEqual(
    body.data.map(({ type, managed }: { type: string; managed: boolean }) => [type, managed]),
    [
      ['SOA', true],
      ['NS', true],
      ['A', false],
    ],
  )
  const ns = await zone.call('GET', '/rrsets/@/NS')
  assert.deepEqual(
    [ns.status, ns.body.managed, ns.body.records],
    [200, true, testNameservers.map((name) => `${name}.`)],
  )
  for (const [method, path, sent] of [
    ['PUT', '/rrsets/@/NS', { records: ['ns.example.net.'] }],
    ['PUT', '/rrsets/@/SOA', { records: ['a. b. 1 2 3 4 5'] }],
    ['PATCH', '/rrsets/@/NS', { add: ['ns.example.net.'] }],
    ['DELETE', '/rrsets/@/NS', undefined],
    ['DELETE', `/rrsets/${zone.name}/SOA`, undefined],
    ['POST', '/rrsets', { name: zone.name, type: 'ns', records: ['ns.example.net.'] }],
    ['PATCH', '/rrsets', { changes: [{ name: '@', type: 'NS', records: [] }] }],
  ] as const)
    assert.deepEqual(codeOf(await zone.call(method, path, { body: sent })), [422, 'service_owned'], `${method} ${path}`)
  assert.equal(await zone.version(), 1)
})

test('a list is paged by name and type, and its pages stay whole while the zone is written to', async () => {
  const zone = await freshZone()
  const changes = Array.from({ length: 25 }, (_, i) => ({
    name: `h${String(i).padStart(2, '0')}`,
    type: 'A',
    records: ['192.0.2.1'],
  }))
  await zone.call('PATCH', '/rrsets', { body: { changes } })
  const seen: string[] = []
  let path: string | undefined = `/api/v1/zones/${zone.name}/rrsets?limit=10`
  for (let page = 0; path !== undefined; page++) {
    const answer = await api.call('GET', path, { key, prefix: '' })
    assert.equal(answer.status, 200)
    seen.push(...names(answer))
    const next = /^<(.*)>; rel="next"$/.exec(String(answer.headers.link))?.[1]
    assert.equal(next !== undefined, answer.body.next_cursor !== null)
    if (next !== undefined)
      assert.equal(new URL(next, 'http://localhost').searchParams.get('cursor'), answer.body.next_cursor)
    path = next
    // Written between the pages: before the place, at it, and after it.
    await zone.put('a-new', 'A', [`192.0.2.${page + 1}`])
    await zone.call('DELETE', '/rrsets/h09/A')
    if (page === 0) await zone.put('h155', 'A', ['192.0.2.1'])
  }
  const hosts = seen.filter((name) => name.startsWith('h')).map((name) => name.split('.')[0])
  assert.deepEqual(hosts, [
    ...changes.slice(0, 16).map(({ name }) => name),
    'h155',
    ...changes.slice(16).map(({ name }) => name),
  ])
  assert.equal(new Set(seen).size, seen.length, 'nothing is listed twice')
  assert.equal(seen.filter((name) => /SOA|NS/.test(name)).length, 2, 'the managed ones stand on the first page alone')
})

test('a list is narrowed by name, type and part of a name or value', async () => {
  const zone = await freshZone()
  await zone.put('www', 'A', ['192.0.2.1'])
  await zone.put('www', 'TXT', ['"Hello 50%_"'])
  await zone.put('mail', 'A', ['192.0.2.2'])
  const list = async (query: string) =>
    names(await zone.call('GET', `/rrsets?${query}`)).map((name) => name.replace(`.${zone.name}`, ''))
  assert.deepEqual(await list('name=www'), ['www A', 'www TXT'])
  assert.deepEqual(await list(`name=WWW.${zone.name}.&type=txt`), ['www TXT'])
  assert.deepEqual(await list('type=A'), ['mail A', 'www A'])
  assert.deepEqual(await list('name=@'), [`${zone.name} SOA`, `${zone.name} NS`])
  assert.deepEqual(await list('q=hello'), ['www TXT'])
  assert.deepEqual(await list('q=%25_'), ['www TXT'], 'the wildcards of SQL mean nothing')
  assert.deepEqual(await list('q=MAIL'), ['mail A'])
  assert.deepEqual(await list('q=hostmaster'), [`${zone.name} SOA`])
  assert.deepEqual(await list('q=nowhere'), [])
  assert.deepEqual(faultsOf(await zone.call('GET', '/rrsets?type=BOGUS')), ['bad_type type'])
})

test('what a list cannot understand is refused by name: sizes, cursors, parameters', async () => {
  const zone = await freshZone()
  const forged = (values: unknown): string => Buffer.from(JSON.stringify(values)).toString('base64url')
  const queries: [query: string, fault: string][] = [
    ['limit=0', 'too_small limit'],
    ['limit=201', 'too_large limit'],
    ['limit=ten', 'wrong_type limit'],
    ['limit=1.5', 'wrong_type limit'],
    ['limit=5&limit=6', 'wrong_type limit'],
    ['bogus=1', 'unknown_member bogus'],
    ['cursor=%25%25', 'invalid cursor'],
    [`cursor=${forged(['a'])}`, 'invalid cursor'],
    [`cursor=${forged([1, 2])}`, 'invalid cursor'],
    [`cursor=${forged({ a: 1 })}`, 'invalid cursor'],
    [`cursor=${forged(['a\u0000', 'A'])}`, 'invalid cursor'],
    ['name=a..b', 'bad_name name'],
    ['q=%00', 'invalid q'],
  ]
  for (const [query, fault] of queries) {
    const answer = await zone.call('GET', `/rrsets?${query}`)
    assert.deepEqual(codeOf(answer), [422, 'validation_failed'], query)
    assert.deepEqual(faultsOf(answer), [fault], query)
  }
})

test('bulk changes are all or nothing, and every fault is named by its path', async () => {
  const zone = await freshZone()
  await zone.put('www', 'A', ['192.0.2.1'])
  const refused = await zone.call('PATCH', '/rrsets', {
    body: {
      changes: [
        { name: 'ok', type: 'A', records: ['192.0.2.1'] },
        { name: 'a..b', type: 'A', records: ['192.0.2.1'] },
        { name: 'x', type: 'A', ttl: 5, records: ['192.0.2.1', '192.0.2.1', 'bad'] },
        { name: 'y', type: 'BOGUS', records: [] },
        { name: '@', type: 'NS', records: ['ns.example.net.'] },
      ],
    },
  })
  assert.deepEqual(codeOf(refused), [422, 'validation_failed'])
  assert.deepEqual(faultsOf(refused), [
    'bad_name /changes/1/name',
    'bad_ttl /changes/2/ttl',
    'bad_rdata /changes/2/records/2',
    'bad_type /changes/3/type',
    'service_owned /changes/4/type',
  ])
  const planned = await zone.call('PATCH', '/rrsets', {
    body: {
      changes: [
        { name: 'ok', type: 'A', records: ['192.0.2.1'] },
        { name: 'www', type: 'CNAME', records: ['x.example.net.'] },
        { name: 'ok', type: 'A', records: [] },
      ],
    },
  })
  assert.deepEqual(faultsOf(planned).toSorted(), ['cname_not_alone /changes/1', 'duplicate /changes/2'])
  assert.equal(await zone.version(), 1)
})

test('a bulk change answers where the zone is and what moved', async () => {
  const zone = await freshZone()
  await zone.put('old', 'A', ['192.0.2.1'], { ttl: 60 })
  const answer = await zone.call('PATCH', '/rrsets', {
    body: {
      changes: [
        { name: 'old', type: 'A', records: [] },
        { name: 'new', type: 'A', ttl: 90, records: ['192.0.2.2'] },
        { name: 'none', type: 'A', records: [] },
      ],
    },
  })
  assert.equal(answer.status, 200)
  const { serial, ...rest } = answer.body
  assert.equal(String(serial), answer.headers['zone-serial'])
  assert.deepEqual(rest, {
    version: 2,
    diff: {
      changes: [
        { name: `old.${zone.name}`, type: 'A', before: { ttl: 60, records: ['192.0.2.1'] }, after: null },
        { name: `new.${zone.name}`, type: 'A', before: null, after: { ttl: 90, records: ['192.0.2.2'] } },
      ],
    },
  })
})

test('a bulk change takes a thousand rrsets and no more', async () => {
  const zone = await freshZone()
  const changes = Array.from({ length: 1_001 }, (_, i) => ({ name: `h${i}`, type: 'A', records: ['192.0.2.1'] }))
  assert.deepEqual(faultsOf(await zone.call('PATCH', '/rrsets', { body: { changes } })), ['too_large /changes'])
  assert.equal((await zone.call('PATCH', '/rrsets', { body: { changes: changes.slice(1) } })).status, 200)
})

test('a dry run of any write answers as the write would, and changes nothing', async () => {
  const zone = await freshZone()
  await zone.put('www', 'A', ['192.0.2.1'])
  const body = { records: ['192.0.2.9'] }
  const wishes = [
    ['PUT', '/rrsets/www/A', body, 200],
    ['PUT', '/rrsets/new/A', body, 201],
    ['POST', '/rrsets', { name: 'new', type: 'A', ...body }, 201],
    ['PATCH', '/rrsets/www/A', { add: ['192.0.2.9'] }, 200],
    ['DELETE', '/rrsets/www/A', undefined, 204],
    ['PATCH', '/rrsets', { changes: [{ name: 'www', type: 'A', records: [] }] }, 200],
  ] as const
  for (const [method, path, sent, status] of wishes)
    assert.equal((await zone.call(method, `${path}?dry_run=true`, { body: sent })).status, status, `${method} ${path}`)
  assert.equal((await zone.call('PUT', '/rrsets/www/A?dry_run=true', { body: { records: ['x'] } })).status, 422)
  assert.equal((await zone.call('PUT', '/rrsets/www/A?dry_run=maybe', { body })).status, 422)
  assert.equal(await zone.version(), 1)
})

test('bodies that cannot be understood are refused, each with what is wrong and where', async () => {
  const zone = await freshZone()
  const path = '/rrsets/www/A'
  const json = { 'content-type': 'application/json' }
  const unread: [body: string, headers: Record<string, string>, status: number, code: string][] = [
    ['{"records": [', json, 400, 'malformed_request'],
    ['{records: []}', json, 400, 'malformed_request'],
    ['', json, 400, 'malformed_request'],
    ['{"__proto__": {"x": 1}, "records": ["192.0.2.1"]}', json, 400, 'malformed_request'],
    ['{"records": ["192.0.2.1"]}', { 'content-type': 'text/plain' }, 415, 'unsupported_media_type'],
    [
      '{"records": ["192.0.2.1"]}',
      { 'content-type': 'application/x-www-form-urlencoded' },
      415,
      'unsupported_media_type',
    ],
    ['{"records": ["192.0.2.1"]}', {}, 415, 'unsupported_media_type'],
    [`{"records": ["${'x'.repeat(1024 * 1024)}"]}`, json, 413, 'payload_too_large'],
  ]
  for (const [body, headers, status, code] of unread)
    assert.deepEqual(codeOf(await zone.call('PUT', path, { body, headers })), [status, code], body.slice(0, 40))

  const misunderstood: [body: unknown, ...faults: string[]][] = [
    [{ records: ['192.0.2.1'], TTL: 60, extra: 1 }, 'unknown_member /TTL', 'unknown_member /extra'],
    [{}, 'missing /records'],
    [{ records: [] }, 'too_small /records'],
    [{ records: '192.0.2.1' }, 'wrong_type /records'],
    [{ records: [1, null] }, 'wrong_type /records/0', 'wrong_type /records/1'],
    [{ records: ['192.0.2.1'], ttl: '60' }, 'wrong_type /ttl'],
    [{ records: ['192.0.2.1'], ttl: 60.5 }, 'wrong_type /ttl'],
    [{ records: ['192.0.2.1'], ttl: 7 }, 'bad_ttl /ttl'],
    [[], 'wrong_type '],
    ['"text"', 'wrong_type '],
    ['null', 'wrong_type '],
    ['7', 'wrong_type '],
  ]
  for (const [body, ...faults] of misunderstood) {
    const answer = await zone.call('PUT', path, { body, headers: json })
    assert.deepEqual(codeOf(answer), [422, 'validation_failed'], JSON.stringify(body))
    assert.deepEqual(faultsOf(answer), faults, JSON.stringify(body))
  }
  assert.equal(await zone.version(), 0)
})

test('control characters and odd bytes in a value are kept as escapes, never an error of ours', async () => {
  const zone = await freshZone()
  const answer = await zone.put('odd', 'TXT', ['"\\000\\255"', '"tab\there"'])
  assert.equal(answer.status, 201)
  assert.deepEqual((await zone.call('GET', '/rrsets/odd/TXT')).body.records, answer.body.records)
  assert.deepEqual(faultsOf(await zone.put('odd', 'TXT', ['"a\u0000b"'])), ['invalid /records/0'])
  assert.ok((await zone.put('odd', 'TXT', ['"\ud800"'])).status < 500)
  assert.deepEqual(codeOf(await zone.call('GET', '/rrsets/%00/TXT')), [422, 'validation_failed'])
})

test('a name, type or zone in the path that makes no sense is the caller’s fault', async () => {
  const zone = await freshZone()
  assert.deepEqual(faultsOf(await zone.call('PUT', '/rrsets/a..b/BOGUS', { body: { records: ['x'] } })), [
    'bad_name name',
    'bad_type type',
  ])
  assert.deepEqual(codeOf(await zone.call('GET', '/rrsets/%zz/A')), [400, 'malformed_request'])
  assert.deepEqual(codeOf(await api.call('GET', '/zones/%00/rrsets', { key })), [404, 'not_found'])
  assert.deepEqual(codeOf(await api.call('GET', `/zones/${'x'.repeat(3_000)}/rrsets`, { key })), [404, 'not_found'])
})

test('a key that may write but not read sees only what it sent', async () => {
  const zone = await freshZone()
  await zone.put('www', 'A', ['192.0.2.1'], { ttl: 77 })
  const writer = await api.key(account, { permissions: ['records:write'] })
  const patched = await zone.call('PATCH', '/rrsets/www/A', { key: writer, body: { add: ['192.0.2.2'] } })
  assert.equal(patched.status, 200)
  assert.deepEqual(patched.body.records, ['192.0.2.2'])
  const put = await zone.call('PUT', '/rrsets/www/A', { key: writer, body: { records: ['192.0.2.3'] } })
  assert.deepEqual(put.body.records, ['192.0.2.3'])
  const bulk = await zone.call('PATCH', '/rrsets?dry_run=true', {
    key: writer,
    body: { changes: [{ name: 'www', type: 'A', records: [] }] },
  })
  assert.doesNotMatch(JSON.stringify(bulk.body), /192\.0\.2\.3|77/)
  const replaced = await zone.call('POST', '/import?mode=replace&dry_run=true', {
    key: writer,
    body: 'new A 192.0.2.9',
    headers: dns,
  })
  assert.doesNotMatch(JSON.stringify(replaced.body), /192\.0\.2\.3|77|www/)
  const clash = await zone.call('PUT', '/rrsets/www/CNAME', { key: writer, body: { records: ['x.example.net.'] } })
  assert.deepEqual(faultsOf(clash), ['cname_not_alone /records'])
})

test('an import merges a zone file: what it names is replaced, the rest stays, the service’s own is listed as ignored', async () => {
  const zone = await freshZone()
  await zone.put('kept', 'A', ['192.0.2.1'])
  await zone.put('www', 'A', ['192.0.2.1'])
  const body = [
    '$TTL 600',
    '@ IN SOA ns.old.net. admin.old.net. 1 2 3 4 5',
    '@ IN NS ns.old.net.',
    'www 60 IN A 192.0.2.7',
    '    60 IN A 192.0.2.8 ; and another',
    'mail IN MX 10 mail',
    'sub IN NS ns.sub',
    '',
  ].join('\n')
  const answer = await zone.call('POST', '/import', { body, headers: dns })
  assert.equal(answer.status, 200)
  assert.deepEqual(
    answer.body.ignored.map(({ line, type }: { line: number; type: string }) => [line, type]),
    [
      [2, 'SOA'],
      [3, 'NS'],
    ],
  )
  assert.deepEqual(answer.body.errors, [])
  assert.equal(answer.body.version, 3)
  const { data } = (await zone.call('GET', '/rrsets')).body
  assert.deepEqual(
    data
      .filter(({ managed }: { managed: boolean }) => !managed)
      .map(({ name, type, ttl, records }: Record<string, unknown>) => [
        String(name).replace(`.${zone.name}`, ''),
        type,
        ttl,
        records,
      ]),
    [
      ['kept', 'A', 3_600, ['192.0.2.1']],
      ['mail', 'MX', 600, [`10 mail.${zone.name}.`]],
      ['sub', 'NS', 600, [`ns.sub.${zone.name}.`]],
      ['www', 'A', 60, ['192.0.2.7', '192.0.2.8']],
    ],
  )
})

test('an import that replaces also deletes what the file lacks, and a dry run only tells', async () => {
  const zone = await freshZone()
  await zone.put('old', 'A', ['192.0.2.1'])
  const body = 'new 60 A 192.0.2.2\n'
  const moved = [
    { name: `new.${zone.name}`, type: 'A', before: null, after: { ttl: 60, records: ['192.0.2.2'] } },
    { name: `old.${zone.name}`, type: 'A', before: { ttl: 3_600, records: ['192.0.2.1'] }, after: null },
  ]
  const tried = await zone.call('POST', '/import?mode=replace&dry_run=true', { body, headers: dns })
  assert.deepEqual(tried.body.diff.changes, moved)
  assert.equal(await zone.version(), 1)
  const done = await zone.call('POST', '/import?mode=replace', { body, headers: dns })
  assert.deepEqual(done.body.diff.changes, moved)
  assert.equal(
    (await zone.call('POST', '/import?mode=replace', { body, headers: dns })).body.version,
    done.body.version,
  )
  assert.deepEqual(faultsOf(await zone.call('POST', '/import?mode=append', { body, headers: dns })), ['invalid mode'])
})

test('a zone file with twenty faults is refused with each on its line, and nothing of it is kept', async () => {
  const zone = await freshZone()
  const bad = [
    'a A 192.0.2.256',
    'b A',
    'c AAAA 192.0.2.1',
    'd MX mail',
    'e MX 10 192.0.2.1',
    'f BOGUS x',
    'g CH A 192.0.2.1',
    'h..i A 192.0.2.1',
    'far.example.org. A 192.0.2.1',
    '$INCLUDE other.zone',
    '$BOGUS 1',
    '@ CNAME www',
    'k 5 A 192.0.2.1',
    'l 9999999 A 192.0.2.1',
    'm.*.n A 192.0.2.1',
    'o TXT "open',
    'p CNAME a b',
    'q CAA 0 issue',
    'r 60 A 192.0.2.1',
    'r 61 A 192.0.2.2',
    's CNAME www',
    's A 192.0.2.1',
    '* NS ns.example.net.',
  ]
  const lines = [...bad.map((line) => [line, true] as const)].flatMap(([line]) => ['fine 60 A 192.0.2.1', line])
  const answer = await zone.call('POST', '/import', { body: `${lines.join('\n')}\n`, headers: dns })
  assert.deepEqual(codeOf(answer), [422, 'validation_failed'])
  const expected = bad
    .map((line, i) => ({ line, at: 2 * i + 2 }))
    .filter(({ line }) => !/^(r 60|s CNAME|s A)/.test(line))
  const faultyLines = answer.body.error.details.map(({ line }: { line: number }) => line)
  for (const { line, at } of expected) assert.ok(faultyLines.includes(at), `line ${at}: ${line}`)
  assert.ok(
    faultyLines.some((at: number) => at === 42 || at === 44),
    'the CNAME beside an A is on the line of one of them',
  )
  assert.equal(faultyLines.length, 21)
  assert.deepEqual(
    faultyLines,
    faultyLines.toSorted((a: number, b: number) => a - b),
  )
  assert.ok(answer.body.error.details.every(({ message }: { message: string }) => message.length > 10))
  assert.equal(await zone.version(), 0)

  const tried = await zone.call('POST', '/import?dry_run=true', {
    body: 'a A 192.0.2.256\nb 60 A 192.0.2.1\n',
    headers: dns,
  })
  assert.equal(tried.status, 200)
  assert.deepEqual(
    tried.body.errors.map(({ line, code }: { line: number; code: string }) => [line, code]),
    [[1, 'bad_rdata']],
  )
  assert.equal(tried.body.diff.changes.length, 1)
})

test('an import may be as large as 16 MiB, and not a byte larger', async () => {
  const zone = await freshZone()
  const record = 'www 60 A 192.0.2.1\n'
  const comment = `${';'.repeat(999)}\n`
  const full = record + comment.repeat(Math.floor((maxImportBytes - record.length) / comment.length))
  const body = full + ';'.repeat(maxImportBytes - full.length)
  assert.equal(Buffer.byteLength(body), maxImportBytes)
  assert.equal((await zone.call('POST', '/import', { body, headers: dns })).status, 200)
  assert.deepEqual(codeOf(await zone.call('POST', '/import', { body: `${body};`, headers: dns })), [
    413,
    'payload_too_large',
  ])
})

test('an import is a zone file: JSON is refused with what to send instead', async () => {
  const zone = await freshZone()
  for (const body of [{ records: [] }, '"www A 192.0.2.1"']) {
    const answer = await zone.call('POST', '/import', { body, headers: { 'content-type': 'application/json' } })
    assert.deepEqual(codeOf(answer), [415, 'unsupported_media_type'])
    assert.match(answer.body.error.message, /text\/dns/)
  }
})

test('ten thousand records are imported within three seconds', async () => {
  const zone = await freshZone()
  const body = Array.from({ length: 9_000 }, (_, i) => `h${i} 300 A 10.0.${i >> 8}.${i & 255}`).join('\n')
  const more = Array.from({ length: 1_000 }, (_, i) => `h${i} 300 A 10.1.${i >> 8}.${i & 255}`).join('\n')
  const startedAt = performance.now()
  const answer = await zone.call('POST', '/import', { body: `${body}\n${more}\n`, headers: dns })
  assert.equal(answer.status, 200)
  assert.equal(answer.body.diff.changes.length, 9_000)
  assert.ok(performance.now() - startedAt < 3_000)
})

test('an export is read back as the very zone, and importing it changes nothing', async () => {
  const zone = await freshZone()
  const wanted = [
    ['@', 'MX', ['10 mail', '20 mail2.example.net.']],
    ['@', 'TXT', ['"v=spf1 -all"', '"quote \\" semicolon ; backslash \\\\"']],
    ['*', 'CNAME', ['www']],
    ['www', 'A', ['192.0.2.1', '192.0.2.2']],
    ['www', 'AAAA', ['2001:db8::1']],
    ['_sip._tcp', 'SRV', ['0 5 5060 sip.example.net.']],
    ['@', 'CAA', ['0 issue "letsencrypt.org"']],
    ['odd\\.label', 'TXT', ['"\\000\\255"']],
    ['sub', 'NS', ['ns.sub', 'ns2.example.net.']],
    ['any', 'TYPE65400', ['\\# 3 abcdef']],
  ] as const
  const changes = wanted.map(([name, type, records], i) => ({ name, type, ttl: 60 + i, records }))
  assert.equal((await zone.call('PATCH', '/rrsets', { body: { changes } })).status, 200)
  const exported = await zone.call('GET', '/export')
  assert.match(String(exported.headers['content-type']), /^text\/dns/)
  assert.match(String(exported.headers['content-disposition']), /filename="zone\d+\.example\.com\.zone"/)

  const read = parseZoneFile(exported.body, { origin: parseName(`${zone.name}.`) })
  assert.deepEqual(read.faults, [])
  const lines = read.records.map(
    ({ name, type, ttl, data }) => `${name.slice(0, -1)} ${ttl} ${typeToText(type)} ${rdataToText(type, data)}`,
  )
  const { data } = (await zone.call('GET', '/rrsets?limit=200')).body
  const listed = data.flatMap((rrset: { name: string; ttl: number; type: string; records: string[] }) =>
    rrset.records.map((record) => `${rrset.name} ${rrset.ttl} ${rrset.type} ${record}`),
  )
  assert.deepEqual(lines.toSorted(), listed.toSorted())

  const again = await zone.call('POST', '/import?mode=replace', { body: exported.body, headers: dns })
  assert.deepEqual([again.status, again.body.diff.changes, again.body.version], [200, [], 1])
  assert.equal(again.body.ignored.length, 3)
})

test('a POST repeated with its Idempotency-Key is answered as it was, to the letter, and done once', async () => {
  const zone = await freshZone()
  const post = (name: string, once: string) =>
    zone.call('POST', '/rrsets', {
      body: { name, type: 'A', records: ['192.0.2.1'] },
      headers: { 'idempotency-key': once },
    })
  const first = await post('www', 'k1')
  const again = await post('www', 'k1')
  assert.deepEqual([again.status, again.body, again.headers.etag], [201, first.body, first.headers.etag])
  assert.equal(await zone.version(), 1)
  assert.deepEqual(codeOf(await post('other', 'k1')), [409, 'idempotency_mismatch'])
  assert.deepEqual(codeOf(await post('www', 'k2')), [409, 'rrset_exists'])
})

test('two POSTs with one Idempotency-Key at the same time are done once, and both get the answer', async () => {
  const zone = await freshZone()
  const body = { name: 'www', type: 'A', records: ['192.0.2.1'] }
  const answers = await Promise.all(
    Array.from({ length: 6 }, () => zone.call('POST', '/rrsets', { body, headers: { 'idempotency-key': 'together' } })),
  )
  for (const answer of answers) assert.deepEqual([answer.status, answer.body], [201, answers[0]?.body])
  assert.equal(await zone.version(), 1)
})

test('a refused POST leaves its Idempotency-Key free, and keys of two callers never meet', async () => {
  const zone = await freshZone()
  const post = (name: string, as = key) =>
    zone.call('POST', '/rrsets', {
      key: as,
      body: { name, type: 'A', records: ['192.0.2.1'] },
      headers: { 'idempotency-key': 'again' },
    })
  assert.equal((await post('a..b')).status, 422)
  await zone.put('taken', 'A', ['192.0.2.1'])
  assert.equal((await post('taken')).status, 409)
  assert.equal((await post('free')).status, 201)
  assert.equal((await post('other', await api.key(account))).status, 201)
})

test('an Idempotency-Key has 1 to 255 characters', async () => {
  const zone = await freshZone()
  const post = (once: string) =>
    zone.call('POST', '/rrsets?dry_run=true', {
      body: { name: 'w', type: 'A', records: ['192.0.2.1'] },
      headers: { 'idempotency-key': once },
    })
  assert.deepEqual(faultsOf(await post('')), ['invalid Idempotency-Key'])
  assert.deepEqual(faultsOf(await post('x'.repeat(256))), ['invalid Idempotency-Key'])
  assert.equal((await post('x'.repeat(255))).status, 201)
})

test('after 24 hours an Idempotency-Key counts as new', async () => {
  const zone = await freshZone()
  const post = (name: string) =>
    zone.call('POST', '/rrsets', {
      body: { name, type: 'A', records: ['192.0.2.1'] },
      headers: { 'idempotency-key': 'daily' },
    })
  assert.equal((await post('one')).status, 201)
  await moveClock(database, '23 hours 59 minutes')
  assert.deepEqual(codeOf(await post('two')), [409, 'idempotency_mismatch'])
  await moveClock(database, '24 hours 1 minute')
  assert.equal((await post('two')).status, 201)
  assert.equal((await post('two')).status, 201, 'and is remembered from then on')
  await moveClock(database, '0 seconds')
})

test('a key with acme:dns01 alone sees only its TXT names, whatever it asks for', async () => {
  const zone = await freshZone()
  await zone.put('_acme-challenge', 'TXT', ['"token"'])
  await zone.put('_acme-challenge.sub', 'TXT', ['"token"'])
  await zone.put('_acme-challenge', 'CAA', ['0 issue ";"'])
  await zone.put('_acme-challenges', 'TXT', ['"no"'])
  await zone.put('sub._acme-challenge', 'TXT', ['"no"'])
  await zone.put('xacme-challenge', 'TXT', ['"no"'])
  await zone.put('www', 'TXT', ['"token"'])
  const acme = await api.key(account, { permissions: ['acme:dns01'] })
  const own = [`_acme-challenge.sub.${zone.name} TXT`, `_acme-challenge.${zone.name} TXT`]
  for (const query of ['', '?type=TXT', '?q=token', '?limit=2'])
    assert.deepEqual(names(await zone.call('GET', `/rrsets${query}`, { key: acme })), own, query)
  for (const query of ['?name=www', '?type=SOA', '?q=issue', '?name=@'])
    assert.deepEqual(names(await zone.call('GET', `/rrsets${query}`, { key: acme })), [], query)

  assert.equal((await zone.call('GET', '/rrsets/_acme-challenge/TXT', { key: acme })).status, 200)
  assert.equal((await zone.call('GET', '/rrsets/_acme-challenge.nothing/TXT', { key: acme })).status, 404)
  for (const target of [
    'www/TXT',
    '_acme-challenge/CAA',
    'sub._acme-challenge/TXT',
    '_acme-challenges/TXT',
    '@/SOA',
    '@/NS',
    '_acme-challengex/A',
  ])
    for (const [method, body] of [
      ['GET', undefined],
      ['PUT', { records: ['"x"'] }],
      ['PATCH', { add: ['"x"'] }],
      ['DELETE', undefined],
    ] as const)
      assert.deepEqual(
        codeOf(await zone.call(method, `/rrsets/${target}`, { key: acme, body })),
        [403, 'forbidden'],
        `${method} ${target}`,
      )
})

test('a key with acme:dns01 alone writes its TXT names, and two values at one name never disturb each other', async () => {
  const zone = await freshZone()
  const acme = await api.key(account, { permissions: ['acme:dns01'] })
  const patch = (body: object) => zone.call('PATCH', '/rrsets/_acme-challenge/TXT', { key: acme, body })
  assert.equal((await patch({ add: ['"wildcard"'] })).status, 201)
  assert.equal((await patch({ add: ['"apex"'] })).status, 200)
  assert.deepEqual((await patch({ remove: ['"wildcard"'] })).body.records, ['"apex"'])
  assert.equal(
    (await zone.call('PUT', '/rrsets/_ACME-challenge.sub/txt', { key: acme, body: { records: ['"x"'] } })).status,
    201,
  )
  assert.equal(
    (
      await zone.call('POST', '/rrsets', {
        key: acme,
        body: { name: '_acme-challenge.new', type: 'TXT', records: ['"x"'] },
      })
    ).status,
    201,
  )
  assert.equal((await zone.call('DELETE', '/rrsets/_acme-challenge.new/TXT', { key: acme })).status, 204)
  assert.deepEqual(
    codeOf(await zone.call('POST', '/rrsets', { key: acme, body: { name: 'new', type: 'TXT', records: ['"x"'] } })),
    [403, 'forbidden'],
  )
})

test('one foreign name in a bulk change refuses it whole to a key with acme:dns01 alone', async () => {
  const zone = await freshZone()
  const acme = await api.key(account, { permissions: ['acme:dns01'] })
  const bulk = (...changes: object[]) => zone.call('PATCH', '/rrsets', { key: acme, body: { changes } })
  const mine = { name: '_acme-challenge', type: 'TXT', records: ['"x"'] }
  assert.deepEqual(codeOf(await bulk(mine, { name: 'www', type: 'TXT', records: ['"x"'] })), [403, 'forbidden'])
  assert.deepEqual(codeOf(await bulk(mine, { name: '_acme-challenge', type: 'A', records: [] })), [403, 'forbidden'])
  assert.deepEqual(codeOf(await bulk(mine, { name: '@', type: 'NS', records: [] })), [403, 'forbidden'])
  assert.deepEqual(
    codeOf(await bulk({ ...mine, ttl: 1 }, { name: 'www', type: 'A', records: ['bad'] })),
    [403, 'forbidden'],
    'before what is wrong with it',
  )
  assert.equal(await zone.version(), 0)
  assert.equal((await bulk(mine)).status, 200)
})

test('a key that may read and answer challenges reads everything and writes only challenges', async () => {
  const zone = await freshZone()
  await zone.put('www', 'A', ['192.0.2.1'])
  const both = await api.key(account, { permissions: ['acme:dns01', 'records:read'] })
  assert.equal(names(await zone.call('GET', '/rrsets', { key: both })).length, 3)
  assert.equal((await zone.call('GET', '/rrsets/www/A', { key: both })).status, 200)
  assert.deepEqual(codeOf(await zone.call('DELETE', '/rrsets/www/A', { key: both })), [403, 'forbidden'])
})

test('a change made with a key bears the key’s name in the audit log and in the zone’s history', async () => {
  const zone = await freshZone()
  const named = await api.key(account, { name: 'Deploy bot' })
  const answer = await zone.call('PUT', '/rrsets/www/A', { key: named, body: { records: ['192.0.2.1'] } })
  assert.equal(answer.status, 201)
  const { rows } = await sql<Record<string, unknown>>`
    select c.actor_name, a.actor_kind, a.actor_name as audited, a.address, a.request_id like 'req\_%' as "hasRequest" from zone_changes c
    join audit_log a on a.zone_id = c.zone_id and a.action = 'records.changed' where c.zone_id = ${zone.id}`.execute(
    database.db,
  )
  assert.deepEqual(rows, [
    { actor_name: 'Deploy bot', actor_kind: 'key', audited: 'Deploy bot', address: '127.0.0.1', hasRequest: true },
  ])
})
