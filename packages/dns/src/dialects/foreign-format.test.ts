import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { foreignBytes, foreignFormat, foreignJson } from './foreign-format.ts'

test('a zone file is never mistaken for another format, however it begins', () => {
  const files = [
    '',
    '; Type,Name,Content,TTL\nwww A 192.0.2.1\n',
    '@ 300 TXT "www has address 192.0.2.1 and is an alias for x"\n',
    'www 300 TXT "name,type,ttl"\n',
    'key 300 TXT "{";comment\n',
    'zone IN A 192.0.2.1\n',
    'data TXT "{"\n',
    'D ( 300 IN A 192.0.2.1 )\n',
    'select IN CNAME www\n',
    'server 300 A 192.0.2.1\n',
    '+plus 300 A 192.0.2.1\n',
    'a=b 300 A 192.0.2.1\n',
    '- 300 A 192.0.2.1\n',
    'Ca\\:b 300 A 192.0.2.1\n',
    '192.0.2.1 IN PTR www.example.com.\n',
    '192.0.2.1 PTR www.example.com.\n',
    '[AGE:1] www A 192.0.2.1\n',
    '[example.com.] www.example.com. 300 A 192.0.2.1\n',
    'host A 192.0.2.1\ntype mx 10 mail\n',
    '128/26 NS ns1.example.net.\n',
    '* A 192.0.2.1\n',
    '*.x A 192.0.2.1\n',
    '\\{x\\} A 192.0.2.1\n',
    '> www A 192.0.2.1\n',
    'www;comment\n',
    '"a b" TXT "x","y","z"\n',
    '-- A 192.0.2.1\n',
    'a,b 300 TXT "x,y,z"\n',
    '# comment\nwww A 192.0.2.1\n',
    '// comment\nwww A 192.0.2.1\n',
    '$ORIGIN example.com.\n',
    '\ufeff@ SOA a. b. 1 2 3 4 5\n',
  ]
  for (const file of files) assert.equal(foreignFormat(file), undefined, file)
})

test('detecting a format never fails or takes long, and its message has two sentences', () => {
  const pieces = [
    '"',
    '{',
    '[',
    ':',
    '-',
    '\n',
    ' ',
    'type',
    'TTL',
    ',',
    ';',
    '#',
    "'",
    '<',
    '>',
    '|',
    '+',
    '\0',
    'www',
    'A',
    '.',
  ]
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 60 }), (parts) => {
      const why = foreignFormat(parts.join(''))
      assert.ok(why === undefined || /^This is .+, not a zone file\. .+[.`]$/.test(why), String(why))
    }),
  )
  for (const piece of [...pieces, '"ARecords"', "'':\n", 'a, ']) {
    const before = process.cpuUsage()
    foreignFormat(piece.repeat(1_000_000))
    const { user, system } = process.cpuUsage(before)
    assert.ok(user + system < 200_000, `${JSON.stringify(piece)}: ${user + system} µs`)
  }
})

test('identifies known kinds of JSON, and returns nothing for unknown bytes and unknown JSON', () => {
  for (const bytes of [[], [0], [0x77, 0x77, 0x77], [0xff, 0xfe, 0x77, 0x00], [0xc3, 0xbc]])
    assert.equal(foreignBytes(Uint8Array.from(bytes)), undefined)
  assert.equal(foreignJson('{"records":[]}'), undefined)
  assert.match(String(foreignJson('{"domain_records":[]}')), /JSON of DigitalOcean.*zone_file/)
  assert.match(String(foreignJson('{"properties":{"ARecords":[]}}')), /JSON of Azure DNS.*az network dns zone export/)
  assert.match(String(foreignJson('{"result":[{"proxied":true}]}')), /JSON of Cloudflare/)
  assert.match(String(foreignJson('{"soa_edit_api":"DEFAULT"}')), /JSON of PowerDNS.*pdnsutil/)
  assert.match(String(foreignJson('{"AWSTemplateFormatVersion":"2010-09-09"}')), /CloudFormation/)
})
