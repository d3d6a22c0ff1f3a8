import assert from 'node:assert/strict'
import { test } from 'node:test'
import { copiedEdits } from './copied-edits.ts'

test('copied record sets have the same names below the other zone, and the same values', () => {
  const rrset = (name: string) => ({
    name,
    type: 'A',
    ttl: 60,
    records: ['192.0.2.1'],
    managed: false,
    edit: undefined,
  })
  const deleted = { name: 'old.example.com', type: 'A', before: null, after: null }
  const edits = copiedEdits(
    [rrset('example.com'), rrset('a.www.example.com'), { ...rrset('old.example.com'), edit: deleted }],
    'example.com',
    'example.net',
  )
  assert.deepEqual([...edits.keys()], ['example.net A', 'a.www.example.net A'])
  assert.deepEqual(edits.get('example.net A')?.after, { ttl: 60, records: ['192.0.2.1'] })
})
