import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WireSearchResult } from '@zonewright/contract'
import { paletteEntries } from './palette-entries.ts'
import { paletteGroups } from './palette-options.ts'

const titles = (text: string, zone?: string): string[] => paletteEntries(text, zone).map(({ title }) => title)
const none = { data: [], has_more: false }
const nothing: WireSearchResult = {
  zones: none,
  records: none,
  domains: null,
  orders: null,
  keys: none,
  complete: true,
}

test('the beginning of a word finds pages and actions; those whose title begins with the text come first', () => {
  assert.deepEqual(titles('audit'), ['Audit log'])
  assert.deepEqual(titles('api k'), ['API keys'])
  assert.deepEqual(titles('regis')[0], 'Domains')
  assert.deepEqual(titles('con').slice(0, 2), ['Connect a client', 'Contacts'])
  assert.deepEqual(titles('udit'), [])
  assert.ok(titles('').length > 10)
})

test('every tab of a zone, the bulk changes and the documentation are found', () => {
  assert.deepEqual(titles('secondar', 'example.com'), ['Secondaries'])
  assert.deepEqual(titles('replace'), ['Replace a value'])
  for (const text of ['docs', 'documentation']) assert.deepEqual(titles(text), ['Documentation', 'API reference'])
})

test('pages of a zone are offered while one of its pages is open', () => {
  assert.deepEqual(titles('health'), [])
  assert.deepEqual(paletteEntries('health', 'example.com')[0]?.to, {
    to: '/zones/$zone/health',
    params: { zone: 'example.com' },
  })
  assert.equal(titles('add', 'example.com')[0], 'Add records')
})

test('hits come after pages and actions, lead to their pages, and are limited in number', () => {
  const zone = {
    id: 'z1',
    name: 'orders.example',
    unicode_name: 'orders.example',
    state: 'live',
    role: 'owner',
  } as const
  const record = (n: number) => ({
    zone: { id: 'z2', name: 'pending.example', state: 'pending' as const },
    name: `h${n}.pending.example`,
    type: 'A',
    ttl: 300,
    value: '192.0.2.1',
    record_count: 1,
  })
  const found: WireSearchResult = {
    ...nothing,
    zones: { data: [zone], has_more: true },
    records: { data: Array.from({ length: 20 }, (_, n) => record(n)), has_more: false },
  }
  const groups = paletteGroups('orders', { zone: undefined, found })
  assert.deepEqual(
    groups.map(({ heading, options, hasMore }) => [heading, options.length, hasMore]),
    [
      ['Pages', 1, false],
      ['Zones', 1, true],
      ['Records', 8, true],
    ],
  )
  const [, zones, records] = groups
  assert.deepEqual(zones?.options[0]?.to, { to: '/zones/$zone', params: { zone: 'orders.example' } })
  assert.deepEqual(
    records?.options[0]?.to,
    { to: '/zones/$zone', params: { zone: 'z2' }, search: { show: 'h0.pending.example A' } },
    'another zone may have the name of a pending one',
  )
  assert.deepEqual(paletteGroups('zq', { zone: undefined, found: nothing }), [])
})
