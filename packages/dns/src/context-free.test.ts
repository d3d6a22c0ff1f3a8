import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contextFault, hasFinalDot } from './context-free.ts'
import { parseType } from './type.ts'

const faultOf = (type: string, text: string) => contextFault(parseType(type), text)?.code

test('a value is context-free if its names have final dots and its texts have quotes', () => {
  for (const [type, text] of [
    ['A', '192.0.2.1'],
    ['CNAME', 'www.example.com.'],
    ['CNAME', String.raw`a\.b.example.com.`],
    ['MX', '10 mail.example.com.'],
    ['MX', '0 .'],
    ['SRV', '0 5 443 host.example.com.'],
    ['HTTPS', '1 . alpn=h2'],
    ['RP', 'ada.example.com. txt.example.com.'],
    ['CNAME', String.raw`\# 3 016100`],
    ['TXT', '"v=spf1 -all"'],
    ['TXT', '"one" "two"'],
    ['TXT', ' "padded"'],
    ['TXT', String.raw`\# 3 026869`],
    ['SPF', '"v=spf1 -all"'],
    ['CAA', '0 issue letsencrypt.org'],
  ] as const)
    assert.equal(faultOf(type, text), undefined, `${type} ${text}`)
})

test('names without a final dot and texts without quotes depend on the context', () => {
  for (const [type, text, code] of [
    ['CNAME', 'www', 'relative_name'],
    ['CNAME', 'www.example.com', 'relative_name'],
    ['CNAME', '@', 'relative_name'],
    ['CNAME', String.raw`www.example\.`, 'relative_name'],
    ['MX', '10 mail', 'relative_name'],
    ['SRV', '0 5 443 host.example.com', 'relative_name'],
    ['RP', 'ada.example.com. txt', 'relative_name'],
    ['SVCB', '1 svc alpn=h2', 'relative_name'],
    ['TXT', 'word', 'unquoted'],
    ['TXT', '', 'unquoted'],
    ['SPF', 'word', 'unquoted'],
  ] as const)
    assert.equal(faultOf(type, text), code, `${type} ${text}`)
})

test('an unreadable value has no context fault', () => {
  for (const [type, text] of [
    ['MX', 'mail'],
    ['CNAME', 'a..b'],
    ['MX', '10 192.0.2.1'],
    ['CNAME', `${'\\'.repeat(60_000)}x`],
    ['SRV', ''],
    ['TYPE65400', 'www'],
  ] as const)
    assert.equal(faultOf(type, text), undefined, `${type} ${text.slice(0, 20)}`)
})

test('a dot after an odd number of backslashes is part of a label', () => {
  const tails = ['', '.', 'a', 'a.', String.raw`a\.`, String.raw`a\\.`, String.raw`a\\\.`, '\\.', '..']
  assert.deepEqual(tails.filter(hasFinalDot), ['.', 'a.', String.raw`a\\.`, '..'])
})
