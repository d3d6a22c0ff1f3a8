import assert from 'node:assert/strict'
import { test } from 'node:test'
import { suggestedNames } from './suggested-names.ts'

test('words become related names, the closest first', () => {
  assert.deepEqual(suggestedNames('Ngozi Cakes', ['test', 'com.test']), [
    'ngozicakes.test',
    'ngozicakes.com.test',
    'ngozi-cakes.test',
    'ngozi-cakes.com.test',
    'myngozicakes.test',
    'myngozicakes.com.test',
    'ngozicakesshop.test',
    'ngozicakesshop.com.test',
    'ngozicakesonline.test',
    'ngozicakesonline.com.test',
    'thengozicakes.test',
    'thengozicakes.com.test',
  ])
  assert.deepEqual(suggestedNames('Cakes', ['test']), [
    'mycakes.test',
    'cakesshop.test',
    'cakesonline.test',
    'thecakes.test',
  ])
  assert.equal(suggestedNames("Chidi's Café & Bar", ['test'])[0], 'chidiscafeandbar.test')
})

test('nothing is suggested for lists, URLs, complete names and other scripts', () => {
  for (const text of [
    '',
    ' ',
    'shop.test',
    'shop, home',
    'https://shop.test',
    'ada@shop.test',
    'a\nb',
    'עוגות נגוזי',
    'a b c d e f',
    '--',
  ])
    assert.deepEqual(suggestedNames(text, ['test']), [], text)
})

test('every suggestion is a valid host name, and there are at most as many as one call checks', () => {
  const names = suggestedNames(`${'x'.repeat(40)} ${'y'.repeat(30)} xn`, ['test'])
  for (const name of names) assert.ok((name.split('.')[0] ?? '').length <= 63, name)
  assert.equal(
    suggestedNames(
      'a b',
      Array.from({ length: 40 }, (_, i) => `t${i}`),
    ).length,
    50,
  )
})
