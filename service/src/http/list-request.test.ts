import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeCursor, encodeCursor } from './cursor.ts'
import { ListRequest } from './list-request.ts'

const keyOf = (row: string): string[] => [row]

test('a page has at most `limit` rows, and a cursor only if there are more', () => {
  const rows = ['a', 'b', 'c']
  assert.deepEqual(new ListRequest({ limit: 3 }).page(rows, keyOf), { rows, nextCursor: null })
  assert.deepEqual(new ListRequest({ limit: 2 }).page(rows, keyOf), {
    rows: ['a', 'b'],
    nextCursor: encodeCursor(['b']),
  })
  assert.deepEqual(new ListRequest({ limit: 2 }).page([], keyOf), { rows: [], nextCursor: null })
})

test('pages of a list that is read whole have each row once, in key order', () => {
  const seen: string[] = []
  for (let cursor: string | undefined; ; ) {
    const list = new ListRequest({ cursor, limit: 2 })
    const { rows, nextCursor } = list.pageOfAll(['d', 'b', 'e', 'a', 'c'], (row) => row)
    seen.push(...rows)
    if (nextCursor === null) break
    cursor = nextCursor
  }
  assert.deepEqual(seen, ['a', 'b', 'c', 'd', 'e'])
})

test('a list continues after its cursor’s key, and refuses the cursor of a list with a different key', () => {
  const list = new ListRequest({ cursor: encodeCursor(['a', '7']), limit: 2 })
  assert.deepEqual(list.after('text', 'number'), ['a', '7'])
  assert.equal(new ListRequest({ limit: 2 }).after('text'), undefined)
  for (const forms of [['text'], ['number', 'text'], ['text', 'uuid'], ['text', 'text', 'text']] as const)
    assert.throws(() => list.after(...forms), { code: 'validation_failed' }, forms.join(' '))
  assert.deepEqual(decodeCursor(list.cursorTo('b', '8'), ['text', 'number']), ['b', '8'])
})
