import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isolated, partsAroundNames, shownName } from './shown-name.ts'

test('a name is shown as people write it', () => {
  assert.equal(shownName('xn--mller-kva.test'), 'müller.test')
  assert.equal(shownName('shop.test'), 'shop.test')
  assert.equal(shownName('shop.xn--mgbaam7a8h: records (“xn--mller-kva.test”)'), 'shop.امارات: records (“müller.test”)')
})

test('a label that could be taken for another one is shown unchanged', () => {
  for (const [name, shown] of [
    ['xn--80ak6aa92e.test', 'xn--80ak6aa92e.test'],
    ['xn--pypal-4ve.test', 'xn--pypal-4ve.test'],
    ['xn--e1afmkfd.test', 'пример.test'],
    ['xn--fsq.test', '例.test'],
    ['xn--4gbrim.test', 'موقع.test'],
  ] as const)
    assert.equal(shownName(name), shown)
})

test('a label that only resembles an A-label is shown unchanged', () => {
  for (const name of ['xn--a-\u00e9.test', 'xn--99999999999.test']) assert.equal(shownName(name), name)
})

test('names in a right-to-left script are isolated once within a text, and other words are not', () => {
  assert.equal(isolated('The zone שלום.example (live).'), 'The zone \u2066שלום.example\u2069 (live).')
  assert.equal(isolated(isolated('"موقع.test", www')), '"\u2066موقع.test\u2069", www')
  assert.equal(isolated('שלום.example: records'), '\u2066שלום.example\u2069: records')
  assert.equal(isolated('bücher.example'), 'bücher.example')
})

test('a text is split around its names in a right-to-left script', () => {
  assert.deepEqual(partsAroundNames('Delete שלום.example, now'), ['Delete ', 'שלום.example', ', now'])
  assert.deepEqual(partsAroundNames('bücher.example'), ['bücher.example'])
})
