import assert from 'node:assert/strict'
import { test } from 'node:test'
import { firstHeaders } from './sender.ts'

test('keeps the first 16 KiB of a response’s headers, whole headers only', () => {
  const few = { server: 'nginx', 'set-cookie': ['a', 'b'] }
  assert.deepEqual(firstHeaders(few), few)
  const long = (count: number) => 'x'.repeat(count)
  assert.deepEqual(Object.keys(firstHeaders({ a: long(8_000), b: long(8_000), c: long(8_000), d: 'short' })), [
    'a',
    'b',
  ])
  assert.deepEqual(firstHeaders({ a: long(16_384) }), {}, 'its name counts, too')
  assert.deepEqual(firstHeaders({ cookies: [long(9_000), long(9_000)] }), {})
  assert.deepEqual(firstHeaders({}), {})
})
