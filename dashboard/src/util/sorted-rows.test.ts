import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keysBetween, sortedRows } from './sorted-rows.ts'

const row = (name: string, type: string, at?: string) => ({ name, type, ...(at && { updated_at: at }) })

test('the zone itself comes first, and names follow in order, each group below its parent', () => {
  const rows = [
    row('www.example.com', 'A'),
    row('mail.example.com', 'AAAA'),
    row('a.www.example.com', 'A'),
    row('example.com', 'TXT'),
    row('mail.example.com', 'A'),
    row('example.com', 'MX'),
    row('www-2.example.com', 'A'),
  ]
  assert.deepEqual(
    sortedRows(rows, 'name').map(({ name, type }) => `${name} ${type}`),
    [
      'example.com MX',
      'example.com TXT',
      'mail.example.com A',
      'mail.example.com AAAA',
      'www.example.com A',
      'a.www.example.com A',
      'www-2.example.com A',
    ],
  )
  assert.equal(sortedRows(rows, 'type')[0]?.name, 'mail.example.com')
})

test('the most recently changed rows come first, preceded only by rows that are not saved', () => {
  const rows = [row('a', 'A', '2026-01-01T00:00:00Z'), row('b', 'A'), row('c', 'A', '2026-02-01T00:00:00Z')]
  assert.deepEqual(
    sortedRows(rows, 'changed').map(({ name }) => name),
    ['b', 'c', 'a'],
  )
})

test('Shift selects from the last selected row to this one, in both directions', () => {
  const keys = ['a', 'b', 'c', 'd']
  assert.deepEqual(keysBetween(keys, 'b', 'd'), ['b', 'c', 'd'])
  assert.deepEqual(keysBetween(keys, 'c', 'a'), ['a', 'b', 'c'])
  assert.deepEqual(keysBetween(keys, undefined, 'c'), ['c'])
  assert.deepEqual(keysBetween(keys, 'gone', 'c'), ['c'])
})
