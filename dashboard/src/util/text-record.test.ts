import assert from 'node:assert/strict'
import { test } from 'node:test'
import { canonicalRdata, RrType } from '@zonewright/dns'
import { partsOf, quoteText, textOf } from './text-record.ts'

test('any text passes through a TXT record unchanged', () => {
  for (const text of [
    '',
    'v=spf1 -all',
    'a "quoted" one',
    'back\\slash',
    'Grüße, 東京',
    'x'.repeat(600),
    'é'.repeat(300),
    'a;b',
    '\t',
  ])
    assert.equal(textOf(canonicalRdata(RrType.TXT, quoteText(text))), text)
})

test('words in quotes are distinguished from plain ones', () => {
  assert.deepEqual(partsOf('0 issue "letsencrypt.org; accounturi=a\\"b"'), [
    '0',
    'issue',
    'letsencrypt.org; accounturi=a"b',
  ])
})
