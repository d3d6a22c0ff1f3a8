import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inSlices } from '#platform/work/slices.ts'
import { readImport, withoutDoubts } from './import-zone.ts'
import type { StoredRrset } from './rrset.ts'

const zone = { name: 'example.com', rrsetCount: 0, bytes: 0, rrsetLimit: null }

test('each record set with unusual names in a file is checked once, however many there are', async () => {
  const lines = Array.from({ length: 5_000 }, (_, i) => `#n${i} 300 CNAME x${i}:80.example.net.`)
  const file = await inSlices(readImport(zone, lines.join('\n')))
  let looks = 0
  const existing = lines.map(
    (_, i): StoredRrset => ({
      get name() {
        looks++
        return `#n${i}.example.com`
      },
      type: 'CNAME',
      ttl: 300,
      records: [i % 2 === 0 ? `x${i}:80.example.net.` : 'other.example.net.'],
    }),
  )
  const { changes, faults } = withoutDoubts(file, existing)
  assert.ok(looks <= 2 * existing.length, String(looks))
  assert.equal(changes.length, 2_500)
  assert.deepEqual(
    faults.slice(0, 2).map(({ line, code }) => `${line} ${code}`),
    ['2 bad_rdata', '4 bad_rdata'],
  )
})

test('the SOA of an internationalized zone can also lack its final dot', async () => {
  const international = { ...zone, name: 'xn--bcher-kva.example' }
  for (const owner of ['bücher.example', 'BÜCHER.example', 'bücher。example', 'xn--bcher-kva.Example']) {
    const text = `$TTL 300\n${owner} IN SOA ns1 host 1 2 3 4 5\n  NS ns1.example.net.\n  MX 10 mail\n`
    const { changes, left, faults } = await inSlices(readImport(international, text))
    assert.deepEqual(
      changes.map(({ name, type }) => `${name} ${type}`),
      ['xn--bcher-kva.example MX'],
      owner,
    )
    assert.deepEqual(
      left.ignored.map(({ line, type }) => `${line} ${type}`),
      ['2 SOA', '3 NS'],
    )
    assert.ok(left.adapted.some(({ line, code }) => line === 3 && code === 'soa_owner'))
    assert.deepEqual(faults, [])
  }
})

test('an import of a file with only SPF records lists the first hundred and counts all of them', async () => {
  const line = (i: number) => `h${i % 2_000} 300 SPF "v=spf1 ip4:192.0.2.1 -all ${i}"\n`
  const text = Array.from({ length: 20_000 }, (_, i) => line(i)).join('')
  const result = await inSlices(readImport(zone, text))
  assert.deepEqual([result.left.adapted.length, result.left.adaptedCount], [100, 20_000])
  assert.deepEqual(
    result.left.adapted.map(({ line }) => line),
    Array.from({ length: 100 }, (_, i) => i + 1),
  )
})
