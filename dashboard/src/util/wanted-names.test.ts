import assert from 'node:assert/strict'
import { test } from 'node:test'
import { callsFor, mostNames, wantedWordsOf } from './wanted-names.ts'

test('names are found in any pasted text, each of them once', () => {
  assert.deepEqual(
    wantedWordsOf('  Shop, shop;home\nhttps://www.Example.com/path?q=1#x  ada@mail.test  "quoted". <b>!'),
    ['shop', 'home', 'example.com', 'mail.test', 'quoted', 'b'],
  )
  assert.deepEqual(wantedWordsOf(' ,;\n\t| '), [])
})

test('a word is combined with each TLD, and a complete name is not', () => {
  assert.deepEqual(callsFor(['shop', 'home.net'], ['test', 'com.test']), {
    calls: [['shop.test', 'shop.com.test', 'home.net']],
    beyond: 0,
  })
})

test('long lists are sent in several calls, and names beyond the limit are counted', () => {
  const words = Array.from({ length: 70 }, (_, i) => `name${i}`)
  const { calls, beyond } = callsFor(words, ['test', 'com.test'])
  assert.deepEqual(
    calls.map((names) => names.length),
    [50, 50],
  )
  assert.equal(beyond, 140 - mostNames)
})
