import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isLongAsJson, jsonBytes, jsonPieces } from './json-pieces.ts'
import { withoutPauses } from './work/slices.ts'

const long = 'x'.repeat(300_000)

test('the pieces join to the output of JSON.stringify, and none is much longer than 256 KiB', () => {
  for (const value of [
    null,
    1,
    'a',
    [],
    {},
    long,
    `${'x'.repeat(256 * 1024 - 1)}😀${long}`,
    `"\\\n\u2028\ud800${'\0'.repeat(270_000)}`,
    [long, undefined, null, [long], {}],
    { a: undefined, b: long, c: { d: [long, 1], e: undefined }, 'f"': new Date(0) },
    { data: Array.from({ length: 5_000 }, (_, i) => ({ name: `h${i}`, records: ['192.0.2.1'] })) },
    { a: undefined, b: { c: undefined, d: long } },
    ['POST', '/x', undefined],
  ]) {
    const pieces = [...jsonPieces(value)]
    assert.equal(pieces.join(''), JSON.stringify(value))
    assert.equal(withoutPauses(jsonBytes(value)).toString(), Buffer.from(JSON.stringify(value)).toString())
    for (const piece of pieces) assert.ok(piece.length < 2_000_000)
  }
})

test('recognizes long values without reading all of them', () => {
  assert.equal(isLongAsJson({ a: [1, 2, 3] }), false)
  assert.equal(isLongAsJson(long), true)
  assert.equal(isLongAsJson(Array.from({ length: 200_000 }, () => 1)), true)
  assert.equal(isLongAsJson({ data: [{ text: long }] }), true)
})

test('the length of a value’s JSON is counted exactly, unless it has escapes', () => {
  for (const value of [
    null,
    true,
    1,
    -1.5,
    1e21,
    'text',
    [1],
    [1, 2.25, 'x', null, false],
    { a: 1 },
    { a: 'text', b: [1, [2, { c: null }]], d: undefined },
    Array.from({ length: 500 }, (_, n) => n),
    { data: [{ name: 'www', ttl: 300, records: ['192.0.2.1'] }], next_cursor: null },
  ]) {
    const { length } = JSON.stringify(value)
    assert.deepEqual(
      [isLongAsJson(value, length), isLongAsJson(value, length - 1)],
      [false, true],
      JSON.stringify(value),
    )
  }
  // With escapes it may be longer than counted, never shorter.
  for (const value of ['"\\n', [], {}, [undefined], { at: new Date(0) }])
    assert.equal(isLongAsJson(value, JSON.stringify(value).length), false)
})
