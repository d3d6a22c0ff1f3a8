import assert from 'node:assert/strict'
import { test } from 'node:test'
import { canonicalRdata, parseType } from '@zonewright/dns'
import { formOfRecord, recordFormOf } from './record-forms.ts'
import { quoteText } from './text-record.ts'

/** Records as the API has them, and whether their type's own form shows them. */
const records: readonly (readonly [type: string, data: string, isOwnForm: boolean])[] = [
  ['TXT', '"v=spf1 -all"', true],
  ['TXT', quoteText('x'.repeat(600)), true],
  ['TXT', quoteText('Grüße, "東京" \\ ;'), true],
  ['TXT', '"txtvers=1" "path=/x"', false],
  ['TXT', '"\\255\\000\\128"', false],
  ['TXT', '""', false],
  ['CAA', '0 issue "letsencrypt.org; accounturi=a\\"b"', true],
  ['CAA', '0 issue "\\255"', false],
  ['MX', '10 mx.example.net.', true],
  ['HTTPS', '1 . alpn="h2,h3"', true],
  ['NAPTR', '100 10 "S" "SIP+D2U" "" _sip._udp.example.net.', true],
  ['NAPTR', '100 10 "U" "E2U+sip" "!^(.*)$!sip:\\\\1@example.net!" .', true],
  ['DS', '2371 13 2 1F987CC6583E92DF0890718C42A60C3C7C0D8E0C9A3D3B6A6F2E9F2B1C0D4E5F', true],
  ['TYPE65280', '\\# 4 0a000001', true],
]

test('a record that is there already comes through its form as it is, whatever it says', () => {
  for (const [type, text, isOwnForm] of records) {
    const data = canonicalRdata(parseType(type), text)
    const form = formOfRecord(type, data)
    assert.equal(canonicalRdata(parseType(type), form.toData(form.toParts(data))), data)
    assert.equal(form === recordFormOf(type), isOwnForm, `${type} ${data}`)
  }
})
