import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cpuMs } from './cpu-time.test.ts'
import { DnsFault } from './faults.ts'
import { parseName } from './name.ts'
import { recordValue, removedValue } from './record-rules.ts'
import { parseType, RrType } from './type.ts'
import { parseZoneFile } from './zone-file.ts'

const origin = parseName('example.com.')
const textTypes = ['TXT', 'SPF', 'RESINFO', 'WALLET']

/** The error for a value, which is the same for writing and removing it; undefined if there is none. */
function refusal(type: string, text: string): string | undefined {
  const said = [recordValue, removedValue].map((read) => {
    try {
      read(parseType(type), text, origin)
      return undefined
    } catch (fault) {
      if (!(fault instanceof DnsFault)) throw fault
      assert.equal(fault.code, 'bad_rdata')
      return fault.message
    }
  })
  assert.equal(said[0], said[1], 'removing follows the same rule')
  return said[0]
}

test('each of several strings must be in double quotes, and the message shows the value as one string', () => {
  for (const [text, shown] of [
    ['v=spf1 include:x ~all', '"v=spf1 include:x ~all"'],
    ['v=spf1\tmx  -all', '"v=spf1\tmx  -all"'],
    ['"v=spf1" -all', '"v=spf1 -all"'],
    ['v=spf1 "-all"', '"v=spf1 -all"'],
    ['google-site-verification= abc', '"google-site-verification= abc"'],
    ['a\\032b c', '"a\\032b c"'],
    ['v=DKIM1; k=rsa; p=MIGf', '"v=DKIM1; k=rsa; p=MIGf"'],
    ['v=DMARC1;p=none', '"v=DMARC1;p=none"'],
    ['"v=DKIM1"; k=rsa', '"v=DKIM1; k=rsa"'],
    ['a (comment) b', '"a (comment) b"'],
    ['(word)', '"(word)"'],
    ['f(x)', '"f(x)"'],
    ['two\nlines', '"two\nlines"'],
    ['a b\\', '"a b\\\\"'],
    ['\\300 b', '"\\\\300 b"'],
    ['a\\12 \\;', '"a\\\\12 \\;"'],
    ['é è', '"é è"'],
    ['{"a": 1}', '"{\\"a\\": 1}"'],
  ] as const)
    for (const type of textTypes) {
      const message = refusal(type, text)
      assert.ok(message?.includes(`\`${shown}\``), `${text}: ${message}`)
    }
})

test('a single word needs no quotes, unless it begins with a quotation mark or contains a double one', () => {
  for (const [text, value] of [
    ['LPsIwTo7o8BoG0-vjCyGQGBWSVIPxI-i_X336eUOQZo', '"LPsIwTo7o8BoG0-vjCyGQGBWSVIPxI-i_X336eUOQZo"'],
    ['a\\032b', '"a b"'],
    ['v=DKIM1\\;p=x', '"v=DKIM1;p=x"'],
    ['it’s', '"it\\226\\128\\153s"'],
    ["don't", '"don\'t"'],
    ['\\(x\\)', '"(x)"'],
    ['“', undefined],
    ['”x', '"\\226\\128\\157x"'],
    [' word ', '"word"'],
    ['\\034x\\034', '"\\"x\\""'],
  ] as const)
    for (const type of textTypes)
      if (value === undefined) assert.ok(refusal(type, text), text)
      else assert.equal(recordValue(parseType(type), text, origin), value, text)
  for (const text of [
    "'x'",
    "'x",
    '‘x’',
    '“x”',
    '„x“',
    '«x»',
    '«x',
    'key="value"',
    '"a"b',
    'a\\"b',
    '\\"x\\"',
    'x""',
    'a"b',
    'b"',
  ])
    for (const type of textTypes) assert.match(refusal(type, text) ?? '', /must be in double quotes/, text)
})

test('the message proposes a value with and without the quotation marks around it', () => {
  for (const text of ["'v=spf1 -all'", '‘v=spf1 -all’', '“v=spf1 -all”', '„v=spf1 -all“', '«v=spf1 -all»']) {
    const message = refusal('TXT', text) ?? ''
    assert.ok(message.includes('`"v=spf1 -all"`'), message)
    assert.ok(message.includes(`\`"${text}"\``), message)
  }
})

test('everything is allowed inside double quotes', () => {
  for (const [text, value] of [
    ['"v=spf1 -all"', '"v=spf1 -all"'],
    ['"“v=spf1 -all”"', '"\\226\\128\\156v=spf1 -all\\226\\128\\157"'],
    ['"\'x\'" "y"', '"\'x\'" "y"'],
    ['"a""b"', '"a" "b"'],
    ['("a" "b")', '"a" "b"'],
    ['( "a"\n"b" )', '"a" "b"'],
    ['"" ""', '"" ""'],
    ['"a;b" "c(d"', '"a;b" "c(d"'],
    ['"\\"x\\""', '"\\"x\\""'],
  ] as const)
    for (const type of textTypes) assert.equal(recordValue(parseType(type), text, origin), value, text)
  assert.equal(recordValue(RrType.TXT, '\\# 4 03616263', origin), '"abc"', 'the generic form has no strings')
})

test('a message shows the first 200 characters of the value', () => {
  const value = `v=spf1 ${'ip4:192.0.2.1 '.repeat(100)}-all`
  const message = refusal('TXT', value) ?? ''
  assert.ok(message.includes(`\`"${value.slice(0, 200)}…\``), message)
  assert.ok(message.length < 300, String(message.length))
  assert.ok(refusal('TXT', `${'😀'.repeat(300)} x`)?.includes(`"${'😀'.repeat(200)}…`))
})

test('other faults of a text keep their own messages, and other types keep their own rules', () => {
  assert.match(refusal('TXT', '"never closed') ?? '', /never closed/)
  assert.match(refusal('TXT', '\\300') ?? '', /three digits up to 255/)
  assert.match(refusal('TXT', 'a\\') ?? '', /lone backslash/)
  assert.match(refusal('TXT', '\\# 1 05') ?? '', /^(?!.*double quotes)/)
  assert.match(refusal('TXT', '\\# 2') ?? '', /generic form/)
  assert.match(refusal('TXT', '') ?? '', /nothing is given/)
  assert.match(refusal('TXT', '"a"\n"b"') ?? '', /several lines/)
  assert.equal(recordValue(RrType.HINFO, 'PC Linux', origin), '"PC" "Linux"')
  assert.equal(recordValue(RrType.ISDN, '150862028003217 004', origin), '"150862028003217" "004"')
})

test('strings without quotes are accepted in a zone file, with a warning that names the line', () => {
  const { faults, warnings, records } = parseZoneFile(
    [
      '$TTL 60',
      'a TXT v=spf1 include:x ~all',
      'b TXT "v=spf1" -all',
      "c TXT 'x'",
      'd SPF a b',
      'e RESINFO qnamemin exterr=15',
      'f WALLET ( a',
      '  b )',
      'g TXT “x”',
      'h TXT word',
      'i TXT "a" "b"',
      'j TXT ( "a"',
      '  "b" )',
      'k HINFO PC Linux',
      'l TXT \\# 2 0161',
    ].join('\n'),
    { origin },
  )
  assert.deepEqual(faults, [])
  assert.equal(records.length, 12)
  assert.deepEqual(
    warnings.map(({ line, code, name }) => `${line} ${code} ${name}`),
    ['2 a', '3 b', '4 c', '5 d', '6 e', '7 f', '9 g'].map((told) => {
      const [line, name] = told.split(' ')
      return `${line} unquoted_text ${name}.example.com.`
    }),
  )
  assert.match(warnings[0]?.message ?? '', /as 3 strings.*`"v=spf1 include:x ~all"`/)
})

test('a text in a zone file that continues past the end of its line gets a warning', () => {
  const { faults, warnings } = parseZoneFile(
    [
      '$TTL 60',
      'a TXT "v=DKIM1;',
      'p=MIIB"',
      'b TXT ( "one"',
      '  "two" )',
      'c CAA 0 issue "x',
      'y"',
      'd TXT "on one line \\010"',
      'e SPF ( "a" "b\r',
      '  c" )',
      'f HINFO "x\r',
      '" y',
    ].join('\n'),
    { origin },
  )
  assert.deepEqual(faults, [])
  assert.deepEqual(
    warnings.map(({ line, code, name }) => `${line} ${code} ${name}`),
    ['2 a', '6 c', '9 e', '11 f'].map((told) => {
      const [line, name] = told.split(' ')
      return `${line} line_end_in_text ${name}.example.com.`
    }),
  )
  const many = Array.from({ length: 150 }, (_, i) => `a${i} 60 TXT "a\nb"`).join('\n')
  assert.equal(parseZoneFile(many, { origin }).warnings.length, 100)
})

test('an escaped letter or digit in an owner name gets a warning, because most likely octal was meant', () => {
  const { records, faults, warnings } = parseZoneFile(
    [
      '\\052.dev 60 A 192.0.2.1',
      'a\\100b 60 A 192.0.2.1',
      'a\\072b 60 A 192.0.2.1',
      '0\\057\\050 60 A 192.0.2.1',
      'a\\099 60 A 192.0.2.1',
      'a\\042b 60 A 192.0.2.1',
      'a\\032b 60 A 192.0.2.1',
      'a\\\\100 60 A 192.0.2.1',
      'a\\.b 60 A 192.0.2.1',
      '\\052.dev 60 TXT "x"',
    ].join('\n'),
    { origin },
  )
  assert.deepEqual([faults, records.length], [[], 10])
  assert.deepEqual(
    warnings.map(({ line, code, name }) => `${line} ${code} ${name}`),
    ['1 4.dev', '2 adb', '3 ahb', '4 092', '5 ac'].map((told) => {
      const [line, name] = told.split(' ')
      return `${line} needless_escape ${name}.example.com.`
    }),
  )
  assert.match(warnings[0]?.message ?? '', /^`\\052` was read as `4`, .* 4\.dev\.example\.com\. .* octal .* `\*`\.$/)
  assert.doesNotMatch(warnings[4]?.message ?? '', /octal/)
})

test('a message shows control characters as pictures', () => {
  assert.ok(refusal('A', '192.0.2.2\x1a')?.includes('`192.0.2.2␚`'))
  assert.ok(refusal('AAAA', '\x00\x1b[31m\x7f')?.includes('`␀␛[31m␡`'))
})

test('a zone file has at most a hundred warnings of each kind', () => {
  const lines = Array.from({ length: 150 }, (_, i) => `a#${i} 60 TXT a b`)
  const { warnings } = parseZoneFile(lines.join('\n'), { origin })
  assert.equal(warnings.filter(({ code }) => code === 'unquoted_text').length, 100)
  assert.equal(warnings.filter(({ code }) => code === 'unescaped_name').length, 100)
})

test('each cause gives one warning: an owner name on many lines, or a line that creates many records', () => {
  const { warnings } = parseZoneFile('a#b 60 A 192.0.2.1\na#b A 192.0.2.2\n$GENERATE 1-9 t$ TXT a b\nt TXT a b', {
    origin,
  })
  assert.deepEqual(
    warnings.map(({ line, code }) => `${line} ${code}`),
    ['1 unescaped_name', '3 unquoted_text', '4 unquoted_text'],
  )
})

test('the time to check any text depends only on its length', () => {
  const size = 60_000
  for (const part of [' ', '\t', '"', '\\', '" ', ' "', '"\\" ', '(', ')', 'a ', "'", '\\"', '"a"b ', ';'])
    for (const text of [
      part.repeat(size / part.length),
      `a${part.repeat(size / part.length)}b`,
      `"a" ${part.repeat(size / part.length)}`,
    ]) {
      const ms = cpuMs(() => refusal('TXT', text))
      assert.ok(ms < 500, `${JSON.stringify(part)}: ${ms} ms`)
    }
})
