import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limitOf, limitWords, wordsOf } from './key-limits.ts'

test('names and types are separated by spaces or commas', () => {
  assert.deepEqual(wordsOf(' home,  *.lan ,@\n'), ['home', '*.lan', '@'])
  assert.deepEqual(wordsOf('a\\ b\\,c a\\.b'), ['a\\ b\\,c', 'a\\.b'])
  assert.deepEqual(wordsOf(' , '), [])
  assert.deepEqual(limitOf('example.com', { names: 'home *.lan', types: 'A, AAAA' }), {
    zone: 'example.com',
    names: ['home', '*.lan'],
    types: ['A', 'AAAA'],
  })
})

test('limits are shown with their zones', () => {
  const limit = { zone: 'example.com', names: ['home', '*.lan'], types: ['A', 'AAAA'] }
  assert.equal(limitWords([limit]), 'home, *.lan in example.com (A, AAAA)')
  assert.equal(
    limitWords([limit, { ...limit, names: ['@'], types: ['TXT'] }]),
    'home, *.lan in example.com (A, AAAA); @ in example.com (TXT)',
  )
  assert.equal(limitWords([]), 'no records')
})
