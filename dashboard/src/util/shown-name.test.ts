import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shownName } from './shown-name.ts'

test('a name is shown as people write it', () => {
  assert.equal(shownName('xn--mller-kva.test'), 'müller.test')
  assert.equal(shownName('shop.test'), 'shop.test')
})

test('a label that only resembles an A-label is shown unchanged', () => {
  for (const name of ['xn--a-\u00e9.test', 'xn--99999999999.test']) assert.equal(shownName(name), name)
})
