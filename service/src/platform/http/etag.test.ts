import assert from 'node:assert/strict'
import { test } from 'node:test'
import { etagOf, parseIfMatch } from './etag.ts'

test('an ETag is the quoted version, and If-Match parses it back', () => {
  for (const version of [0, 1, 999_999_999_999_999]) assert.deepEqual(parseIfMatch(etagOf(version)), [version])
  assert.deepEqual(parseIfMatch(' "7" '), [7])
})

test('If-Match may list several versions, and tags that no zone can have are ignored', () => {
  assert.deepEqual(parseIfMatch('"7", "8"'), [7, 8])
  assert.deepEqual(parseIfMatch('W/"6","a,b", ,"7"'), [7])
})

test('a missing If-Match, or a star, requires no version', () => {
  for (const header of [undefined, '*', ' * ']) assert.equal(parseIfMatch(header), undefined)
})

test('a tag that no zone can have matches nothing', () => {
  for (const header of [
    '',
    '7',
    'W/"7"',
    '"x"',
    '""',
    '"-1"',
    '"1.5"',
    '"7" "8"',
    'W/"7", "x"',
    ',',
    `"${'9'.repeat(16)}"`,
  ])
    assert.throws(() => parseIfMatch(header), { code: 'precondition_failed' }, header)
})
