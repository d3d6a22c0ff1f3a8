import assert from 'node:assert/strict'
import { test } from 'node:test'
import { afterLookup, type KnownTarget, newTarget, publishedTtl } from './rules.ts'

const isPublic = (address: string): boolean => !address.startsWith('10.') && !address.startsWith('fd')
const known: KnownTarget = {
  ...newTarget('www.example.net'),
  ...{ a: ['93.184.216.1'], aaaa: ['2606::1'], found: 2, ttl: 300, ttlAgeS: 10, revision: 4 },
}
const found = { a: ['93.184.216.1'], aaaa: ['2606::1'], ttl: 300 }
const after = (lookup: Parameters<typeof afterLookup>[1], was: Partial<KnownTarget> = {}) =>
  afterLookup({ ...known, ...was }, lookup, isPublic)

test('the same answer changes nothing, whatever the order of its addresses', () => {
  const same = after({ a: ['93.184.216.1', '93.184.216.1'], aaaa: ['2606::1'], ttl: 300 })
  assert.deepEqual([same.isChanged, same.known, same.nextS, same.error], [false, 4, 300, null])
  const two = after({ a: ['93.184.216.9', '93.184.216.10'], aaaa: [], ttl: 300 })
  assert.deepEqual(two.a, ['93.184.216.9', '93.184.216.10'], 'by number, not by text')
  const turned = after({ a: ['93.184.216.10', '93.184.216.9'], aaaa: [], ttl: 300 }, { a: two.a, aaaa: [] })
  assert.equal(turned.isChanged, false)
})

test('a target is looked up again after its TTL, within 30 seconds to an hour', () => {
  for (const [ttl, nextS] of [
    [0, 30],
    [29, 30],
    [45, 45],
    [3_600, 3_600],
    [86_400, 3_600],
  ] as const)
    assert.deepEqual([after({ ...found, ttl }).nextS], [nextS], String(ttl))
})

test('the published TTL is the lower one of the ALIAS and its target, within the same bounds', () => {
  assert.equal(publishedTtl(60, 300), 60)
  assert.equal(publishedTtl(3_600, 120), 120)
  assert.equal(publishedTtl(30, 0), 30)
  assert.equal(publishedTtl(604_800, 86_400), 3_600)
})

test('a lower TTL counts only once the known TTL has not been seen for its own duration, as it may come from a cache', () => {
  const left = after({ ...found, ttl: 120 }, { ttlAgeS: 180 })
  assert.deepEqual([left.ttl, left.isChanged, left.isTtlSeen, left.nextS], [300, false, false, 120])
  const lower = after({ ...found, ttl: 120 }, { ttlAgeS: 300 })
  assert.deepEqual([lower.ttl, lower.isChanged, lower.isTtlSeen], [120, true, true])
  const higher = after({ ...found, ttl: 600 })
  assert.deepEqual([higher.ttl, higher.isChanged], [600, true])
  const moved = after({ a: ['93.184.216.2'], aaaa: [], ttl: 60 })
  assert.deepEqual([moved.ttl, moved.isChanged], [60, true])
})

test('at most 20 addresses are published, the lowest of each family', () => {
  const v4 = (count: number) => Array.from({ length: count }, (_, i) => `93.184.216.${count - i}`)
  const v6 = (count: number) => Array.from({ length: count }, (_, i) => `2606::${(count - i).toString(16)}`)
  for (const [a, aaaa, ofA, ofAaaa] of [
    [100, 0, 20, 0],
    [0, 100, 0, 20],
    [100, 100, 10, 10],
    [100, 4, 16, 4],
    [3, 21, 3, 17],
    [10, 10, 10, 10],
    [20, 0, 20, 0],
    [21, 0, 20, 0],
  ] as const) {
    const result = after({ a: v4(a), aaaa: v6(aaaa), ttl: 60 })
    assert.deepEqual([result.a.length, result.aaaa.length, result.found], [ofA, ofAaaa, a + aaaa], `${a} and ${aaaa}`)
    if (a > 0) assert.equal(result.a[0], '93.184.216.1')
    if (aaaa > 0) assert.equal(result.aaaa[0], '2606::1')
  }
})

test('orders addresses by their numbers, not by their text', () => {
  const { a, aaaa } = after({ a: ['93.184.10.1', '93.184.9.1'], aaaa: ['2606:10::', '2606:9::'], ttl: 60 })
  assert.deepEqual(
    [a, aaaa],
    [
      ['93.184.9.1', '93.184.10.1'],
      ['2606:9::', '2606:10::'],
    ],
  )
})

test('an answer with any private address is a failure, even after the twentieth address', () => {
  const many = Array.from({ length: 30 }, (_, i) => `93.184.216.${i}`)
  for (const lookup of [
    { a: ['93.184.216.1', '10.0.0.1'], aaaa: [], ttl: 60 },
    { a: ['93.184.216.1'], aaaa: ['fd00::1'], ttl: 60 },
    { a: [...many, '10.0.0.1'], aaaa: [], ttl: 60 },
  ]) {
    const result = after(lookup)
    assert.deepEqual([result.error, result.a, result.isChanged], ['private_address', known.a, false])
  }
})

test('the addresses of a failing target are kept for 24 hours, and then removed once', () => {
  const day = 86_400
  for (const [failingS, kept] of [
    [null, true],
    [3_600, true],
    [day - 1, true],
    [day, false],
  ] as const) {
    const result = after('no_address', { failingS })
    assert.deepEqual(
      [result.error, result.a.length === 1, result.isChanged],
      ['no_address', kept, !kept],
      `${failingS}`,
    )
  }
  assert.equal(after('timeout', { failingS: day + 60, a: [], aaaa: [] }).isChanged, false)
})

test('a failing target is retried less and less often, at least every five minutes', () => {
  const next = [null, 5, 100, 299, 7_200].map((failingS) => after('timeout', { failingS }).nextS)
  assert.deepEqual(next, [30, 30, 100, 299, 300])
})

test('a family without an answer is a failure only if the target had addresses of that family', () => {
  assert.equal(after({ a: ['93.184.216.1'], aaaa: undefined, ttl: 60 }).error, 'server_failure')
  assert.equal(after({ a: undefined, aaaa: ['2606::1'], ttl: 60 }).error, 'server_failure')
  const none = after({ a: ['93.184.216.1'], aaaa: undefined, ttl: 300 }, { aaaa: [] })
  assert.deepEqual([none.error, none.a, none.aaaa], [null, ['93.184.216.1'], []])
})

test('a target that recovers after its addresses were removed counts as changed', () => {
  const back = after(found, { a: [], aaaa: [], failingS: 90_000, error: 'timeout' })
  assert.deepEqual([back.isChanged, back.error, back.a], [true, null, ['93.184.216.1']])
})
