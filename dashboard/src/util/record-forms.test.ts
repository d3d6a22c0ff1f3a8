import assert from 'node:assert/strict'
import { test } from 'node:test'
import { canonicalRdata, parseName, parseType, recordValue } from '@zonewright/dns'
import { formOfRecord, recordFormOf, recordForms } from './record-forms.ts'
import { quoteText } from './text-record.ts'

/** Records in the form of the API, and whether the form of their type shows them. */
const records: readonly (readonly [type: string, data: string, isOwnForm: boolean])[] = [
  ['TXT', '"v=spf1 -all"', true],
  ['TXT', quoteText('x'.repeat(600)), true],
  ['TXT', quoteText('Grüße, "東京" \\ ;'), true],
  ['TXT', '"txtvers=1" "path=/x"', false],
  ['TXT', '"\\255\\000\\128"', false],
  ['TXT', '""', false],
  ['TXT', '"\\"v=spf1 -all\\""', false],
  ['CAA', '0 issue "letsencrypt.org; accounturi=a\\"b"', true],
  ['CAA', '0 issue "\\255"', false],
  ['CAA', '0 issue ""', false],
  ['CAA', '0 issue ";"', true],
  ['MX', '10 mx.example.net.', true],
  ['ALIAS', 'www.example.net.', true],
  ['HTTPS', '1 . alpn="h2,h3"', true],
  ['NAPTR', '100 10 "S" "SIP+D2U" "" _sip._udp.example.net.', true],
  ['NAPTR', '100 10 "U" "E2U+sip" "!^(.*)$!sip:\\\\1@example.net!" .', true],
  ['NAPTR', '100 10 "" "" "" .', false],
  ['NAPTR', '100 10 "" "" "" _sip._udp.example.net.', true],
  ['DS', '2371 13 2 1F987CC6583E92DF0890718C42A60C3C7C0D8E0C9A3D3B6A6F2E9F2B1C0D4E5F', true],
  ['TYPE65280', '\\# 4 0a000001', true],
]

test('an existing record passes through its form unchanged, whatever it contains', () => {
  for (const [type, text, isOwnForm] of records) {
    const data = canonicalRdata(parseType(type), text)
    const form = formOfRecord(type, data)
    assert.equal(canonicalRdata(parseType(type), form.toData(form.toParts(data))), data)
    assert.equal(form === recordFormOf(type), isOwnForm, `${type} ${data}`)
  }
})

test('the initial values of a form are not a record, except for HTTPS and SVCB', () => {
  for (const [type, { fields, toData }] of Object.entries(recordForms)) {
    const data = toData(fields.map(({ initial = '' }) => initial))
    const isRecord = data !== '' && isValid(type, data)
    assert.equal(isRecord, type === 'HTTPS' || type === 'SVCB', `${type} ${data}`)
  }
})

test('text is entered without quotation marks and becomes one string', () => {
  for (const type of ['TXT', 'SPF', 'RESINFO', 'WALLET']) {
    const form = recordFormOf(type)
    for (const [typed, data] of [
      ['v=spf1 include:x ~all', '"v=spf1 include:x ~all"'],
      ['word', '"word"'],
      ["'x'", '"\'x\'"'],
      ['“x”', '"\\226\\128\\156x\\226\\128\\157"'],
      ['say "yes"', '"say \\"yes\\""'],
      ['a;b (c)', '"a;b (c)"'],
      ['a\\032b', '"a\\\\032b"'],
      ['"a" "b"', '"a" "b"'],
    ] as const) {
      assert.equal(form.toData([typed]), data, `${type} ${typed}`)
      assert.ok(isValid(type, data))
    }
    assert.equal(form.toParts('"v=spf1 -all"')[0], 'v=spf1 -all')
  }
})

test('pasted text in quotes is read without them; quotes within a text belong to it', () => {
  const { toData } = recordFormOf('TXT')
  assert.equal(toData([' "v=spf1 -all"\n']), '"v=spf1 -all"')
  assert.equal(toData(['"v=DKIM1; k=rsa; "\n\t"p=MIGf\\"MA0"']), '"v=DKIM1; k=rsa; " "p=MIGf\\"MA0"')
  assert.equal(toData(['say "yes"']), '"say \\"yes\\""')
  assert.equal(toData(['"yes" or "no"']), '"\\"yes\\" or \\"no\\""')
  assert.equal(toData(['"']), '"\\""')
})

function isValid(type: string, data: string): boolean {
  try {
    recordValue(parseType(type), data, parseName('example.com.'))
    return true
  } catch {
    return false
  }
}

test('no field of a type has the label of a field that every form has', () => {
  for (const [type, { fields }] of Object.entries(recordForms))
    for (const { label } of fields) assert.ok(!['Name', 'Type', 'TTL in seconds'].includes(label), `${type}: ${label}`)
})
