import assert from 'node:assert/strict'
import { test } from 'node:test'
import { zonesInWords } from './endpoint-words.ts'

const zonesOf = (...names: string[]) => names.map((name) => ({ id: name, name }))

test('an endpoint whose zones are all gone does not look like one for all zones', () => {
  assert.equal(zonesInWords(null), 'all zones')
  assert.equal(zonesInWords([]), 'no zone left')
  assert.equal(zonesInWords(zonesOf('a.example', 'b.example')), 'only a.example, b.example')
  assert.equal(zonesInWords(zonesOf('a', 'b', 'c', 'd', 'e')), 'only a, b, c and 2 more')
})
