import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { decodeCursor, encodeCursor, nextLink } from './cursor.ts'

const text = fc.string({ unit: 'binary' }).filter((value) => value.isWellFormed() && !value.includes('\0'))

test('a cursor decodes to the values that it was made from, and needs no escaping in a URL', () => {
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 3 }), (values) => {
      const cursor = encodeCursor(values)
      assert.match(cursor, /^[A-Za-z0-9_-]+$/)
      assert.deepEqual(
        decodeCursor(
          cursor,
          values.map(() => 'text'),
        ),
        values,
      )
    }),
  )
  assert.equal(decodeCursor(undefined, ['text']), undefined)
})

test('refuses any other text as a cursor', () => {
  const refused = { code: 'validation_failed' }
  fc.assert(fc.property(fc.string(), (cursor) => assert.throws(() => decodeCursor(cursor, ['text']), refused)))
  for (const values of [
    [],
    ['a'],
    ['a', 1],
    ['a', null],
    { 0: 'a', 1: 'b', length: 2 },
    'ab',
    null,
    ['a', 'b\0'],
    ['a', 'b'],
    ['a', '1e5'],
  ])
    assert.throws(
      () => decodeCursor(Buffer.from(JSON.stringify(values)).toString('base64url'), ['text', 'number']),
      refused,
      JSON.stringify(values),
    )
})

test('an instant in a cursor must be a real date and time', () => {
  const isInstant = (value: string) => {
    try {
      return decodeCursor(encodeCursor([value]), ['instant'])?.[0] === value
    } catch {
      return false
    }
  }
  for (const real of [
    '2026-11-22 17:00:00.123456+00',
    '2024-02-29 23:59:59+05:30',
    '0001-01-01 00:00:00-11',
    '9999-12-31 23:59:59.9+14',
  ])
    assert.ok(isInstant(real), real)
  for (const none of [
    '2026-99-99 99:99:99+00',
    '2026-02-29 00:00:00+00',
    '2026-02-30 00:00:00+00',
    '2026-04-31 00:00:00+00',
    '2026-13-01 00:00:00+00',
    '2026-01-00 00:00:00+00',
    '0000-01-01 00:00:00+00',
    '2026-01-01 24:00:00+00',
    '2026-01-01 23:60:00+00',
    '2026-01-01 23:59:60+00',
    '2026-01-01 00:00:00+16',
    '2026-01-01 00:00:00+00:60',
    '2026-01-01T00:00:00+00',
    '2026-01-01 00:00:00',
    'infinity',
    '',
  ])
    assert.ok(!isInstant(none), none)
})

test('the link to the next page requests the same list with the new cursor', () => {
  assert.equal(
    nextLink('/api/v1/zones?limit=5&q=a%26b&cursor=old', { body: { next_cursor: 'new' } }),
    '</api/v1/zones?limit=5&q=a%26b&cursor=new>; rel="next"',
  )
  assert.equal(
    nextLink('/api/v1/audit-log', { body: 'a table', nextCursor: 'new' }),
    '</api/v1/audit-log?cursor=new>; rel="next"',
  )
  for (const body of [undefined, null, 'text', 7, {}, { next_cursor: null }])
    for (const nextCursor of [{}, { nextCursor: null }])
      assert.equal(nextLink('/api/v1/zones', { body, ...nextCursor }), undefined)
})
