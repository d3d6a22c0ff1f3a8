import assert from 'node:assert/strict'
import { test } from 'node:test'
import { namesTwice } from './names-twice.ts'

test('only names that appear more than once are reported, once each', () => {
  const zones = ['a.test', 'b.test', 'a.test', 'c.test', 'b.test', 'b.test'].map((name) => ({ name }))
  assert.deepEqual([...namesTwice(zones)], ['a.test', 'b.test'])
  assert.deepEqual([...namesTwice([{ name: 'a.test' }])], [])
  assert.deepEqual([...namesTwice([])], [])
})
