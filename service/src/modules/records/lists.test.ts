import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApi } from '#testing/test-api.ts'
import { codeOf, faultsOf, rrsetNames, testZones } from '#testing/test-zones.ts'

const api = await startTestApi()
const { key, freshZone } = await testZones(api)

test('a list is paged by name and type, and its pages stay complete while the zone is written to', async () => {
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
    seen.push(...rrsetNames(answer))
    const next = /^<(.*)>; rel="next"$/.exec(String(answer.headers.link))?.[1]
    assert.equal(next !== undefined, answer.body.next_cursor !== null)
    if (next !== undefined)
      assert.equal(new URL(next, 'http://localhost').searchParams.get('cursor'), answer.body.next_cursor)
    path = next
    // Written between the pages: before the position, at it, and after it.
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

test('a list is filtered by name, type and part of a name or value', async () => {
  const zone = await freshZone()
  await zone.put('www', 'A', ['192.0.2.1'])
  await zone.put('www', 'TXT', ['"Hello 50%_"'])
  await zone.put('mail', 'A', ['192.0.2.2'])
  const list = async (query: string) =>
    rrsetNames(await zone.call('GET', `/rrsets?${query}`)).map((name) => name.replace(`.${zone.name}`, ''))
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

test('invalid sizes, cursors and parameters of a list are refused, and the error names them', async () => {
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
