import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WireUpdate } from '@zonewright/contract'
import { HintReader, isConcerned } from './update-hints.ts'

const zoneIdOf = (zone: string) => ({ 'a.example': 'a', a: 'a', 'b.example': 'b' })[zone]
const keys: readonly (readonly unknown[])[] = [
  ['zones'],
  ['zone', 'a.example', 'rrsets'],
  ['zone', 'a', 'itself'],
  ['zone', 'b.example', 'rrsets'],
  ['zone', 'not-read-yet.example', 'rrsets'],
  ['zone', 'a.example', 'propagation', {}],
  ['zone', 'a.example', 'diff', 1],
  ['webhooks', 'list'],
  ['webhooks', 'whe_1', 'deliveries', undefined],
  ['webhooks', 'whe_2', 'itself'],
  ['orders', 'list', {}],
  ['orders', 'ord_1', 'itself'],
  ['orders', 'ord_1', 'check'],
  ['domains'],
  ['domain', 'a.example', 'itself'],
  ['api-keys'],
  ['api-keys', 'key_1', 'tsig-config', 'lego', 'a.example'],
  ['account'],
]

const concerned = (hint: WireUpdate): string[] =>
  keys.filter((key) => isConcerned(hint, key, zoneIdOf)).map((key) => key.slice(0, 3).join(' '))

test('a hint concerns the lists that show its object, and the object’s own page', () => {
  const ofZone = ['zones', 'zone a.example rrsets', 'zone a itself', 'zone not-read-yet.example rrsets']
  assert.deepEqual(concerned({ kind: 'records', id: 'a' }), ofZone)
  assert.deepEqual(concerned({ kind: 'zones', id: 'a' }), ofZone)
  assert.deepEqual(concerned({ kind: 'deliveries', id: 'whe_1' }), ['webhooks list', 'webhooks whe_1 deliveries'])
  assert.deepEqual(concerned({ kind: 'orders', id: 'ord_1' }), ['orders list [object Object]', 'orders ord_1 itself'])
  assert.deepEqual(concerned({ kind: 'orders', id: 'ord_2' }), ['orders list [object Object]'])
  assert.deepEqual(concerned({ kind: 'domains', id: 'a.example' }), ['domains', 'domain a.example itself'])
  assert.deepEqual(concerned({ kind: 'keys', id: 'key_1' }), ['api-keys'])
})

test('a hint without an id concerns everything of its kind, but never data that is queried from other servers', () => {
  assert.deepEqual(concerned({ kind: 'zones', id: null }).length, 5)
  for (const kind of ['zones', 'orders', 'keys'] as const)
    for (const key of concerned({ kind, id: null })) assert.doesNotMatch(key, /propagation|diff|check|tsig/)
})

test('hints are read from a stream that is split anywhere, and comments are ignored', () => {
  const text = ':\n\ndata: {"kind":"keys","id":null}\n\n:\n\ndata: {"kind":"zones","id":"a"}\n\n'
  for (let size = 1; size < text.length; size++) {
    const reader = new HintReader()
    const parts = text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []
    assert.deepEqual(
      parts.flatMap((part) => reader.read(part)),
      [
        { kind: 'keys', id: null },
        { kind: 'zones', id: 'a' },
      ],
    )
  }
})
