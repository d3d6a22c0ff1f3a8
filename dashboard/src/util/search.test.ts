import assert from 'node:assert/strict'
import { test } from 'node:test'
import { search } from './search.ts'

test('only the named text parameters of a URL are read, in any form; empty ones are omitted', () => {
  const read = search<{ q?: string; tlds?: string; status?: string }>(['q', 'tlds', 'status'])
  assert.deepEqual(read({ q: 'shop', tlds: 'com,net', other: 'x' }), { q: 'shop', tlds: 'com,net' })
  // The router converts texts that look like numbers and booleans.
  assert.deepEqual(read({ q: 0, tlds: 42, status: false }), { q: '0', tlds: '42', status: 'false' })
  assert.deepEqual(read({ q: '', tlds: null, status: undefined }), {})
  assert.deepEqual(read({ q: ['a'], tlds: { a: 'b' }, status: ' ' }), { status: ' ' })
  assert.deepEqual(read({}), {})
})
