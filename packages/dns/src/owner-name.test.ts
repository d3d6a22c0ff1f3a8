import assert from 'node:assert/strict'
import { test } from 'node:test'
import { domainToASCII } from 'node:url'
import fc from 'fast-check'
import { type DomainName, joinName, nameBytes, parseName } from './name.ts'
import { nameFromWire, nameToWire } from './name-wire.ts'
import { asciiName, foreignOwnerFault, ownerName, printedOwner, readOwner, unescapedFault } from './owner-name.ts'

const origin = parseName('example.com.')
const read = (text: string) => readOwner(text, origin, domainToASCII)

test('letters, digits and - _ * / + = ~ represent themselves in a new owner name', () => {
  for (const text of [
    'www',
    'a-b',
    '_dmarc',
    '*',
    '*.a',
    '0/25',
    'a+b',
    'a=b',
    'user~tag',
    'a.b.c',
    'WWW',
    '//x',
    '-',
    'x*y',
  ])
    assert.deepEqual(read(text), { name: `${text.toLowerCase()}.example.com.` })
  assert.deepEqual(read('@'), { name: 'example.com.' })
})

test('every other ASCII character in a new owner name needs a backslash', () => {
  for (let code = 0x21; code < 0x7f; code++) {
    const character = String.fromCharCode(code)
    const isPlain = /[A-Za-z0-9_*/+=~.-]/.test(character)
    if ('\\".'.includes(character)) continue
    for (const text of [`a${character}b`, `a.${character}b`, `x${character}y.example.com.`])
      assert.equal(read(text).fault === undefined, isPlain, text)
    if (!/\d/.test(character)) assert.equal(read(`a\\${character}b`).fault, undefined, `escaped ${character}`)
    assert.equal(read(`a\\${String(code).padStart(3, '0')}b`).fault, undefined, `decimal ${character}`)
  }
  for (const text of ['a b', 'a"b', 'a\tb', 'a\u0000b', 'a\u007fb', 'a\\', 'a\\25'])
    assert.throws(() => read(text), { code: 'bad_name' }, JSON.stringify(text))
})

test('the fault of an owner name shows how to write the name with backslashes', () => {
  for (const [text, shown] of [
    ['a#b', 'a\\#b'],
    ['#www', '\\#www'],
    ['user@host', 'user\\@host'],
    ['(x)', '\\(x\\)'],
    ['a\\#b,c', 'a\\#b\\,c'],
    ["it's.@", "it\\'s"],
  ] as const) {
    const { fault } = read(text)
    assert.equal(fault?.code, 'bad_name')
    assert.ok(fault.message.includes(`\`${shown}\``), fault.message)
  }
  for (const text of ['https://example.com', 'ftp://x', 'http://www.example.com/x'])
    assert.match(read(text).fault?.message ?? '', /is a URL/, text)
})

test('`@` is the origin if it is the whole name or the last label', () => {
  for (const [text, name] of [
    ['www.@', 'www.example.com.'],
    ['_sip._tls.@', '_sip._tls.example.com.'],
    ['*.@', '*.example.com.'],
    ['bücher.@', 'xn--bcher-kva.example.com.'],
    ['a\\.b.@', 'a\\.b.example.com.'],
    ['a\\\\.@', 'a\\\\.example.com.'],
  ] as const)
    assert.deepEqual(read(text), { name }, text)
  for (const text of ['@.www', 'a.@.b', 'a@', '@@', 'a\\.@', 'x.@.', 'x.@.example.com'])
    if (text === 'x.@.') assert.throws(() => read(text), { code: 'out_of_zone' })
    else assert.equal(read(text).fault?.code, 'bad_name', text)
  for (const text of ['.@', 'a..@']) assert.throws(() => read(text), { code: 'bad_name' }, text)
})

test('each Unicode label becomes its A-label, and the other labels stay unchanged', () => {
  for (const [text, name] of [
    ['bücher', 'xn--bcher-kva.example.com.'],
    ['BÜCHER.a+b', 'xn--bcher-kva.a+b.example.com.'],
    ['bücher.a\\.b', 'xn--bcher-kva.a\\.b.example.com.'],
    ['_dmarc.straße', '_dmarc.xn--strae-oqa.example.com.'],
    ['*.例え', '*.xn--r8jz45g.example.com.'],
    ['0/25.grüße.example.com.', '0/25.xn--gre-6ka8l.example.com.'],
  ] as const)
    assert.deepEqual(read(text), { name }, text)
  for (const text of ['bücher/x', 'ü+', 'b\\ü', 'ü:80', '＠', 'ü\u0000', 'ü'.repeat(2_000)])
    assert.throws(() => read(text), { code: 'bad_name' }, text.slice(0, 20))
  assert.equal(read('a#b.ü').fault?.code, 'bad_name')
})

test('an owner name in a zone file is distinguished from a comment or a URL of another format', () => {
  for (const text of ['#', '#old', '#.www', '//', '//www', 'https://www', 'a.http://b', 'x://'])
    assert.equal(foreignOwnerFault(text)?.code, 'bad_name', text)
  assert.match(
    foreignOwnerFault('#')?.message ?? '',
    /^`#` is not an owner name\. .*, or write `\\#` if this is the name\.$/,
  )
  assert.match(foreignOwnerFault('#old')?.message ?? '', /^`#old` begins with `#`\. .* if the name begins like this\.$/)
  for (const text of [
    'www',
    '\\#old',
    '\\/\\/www',
    '\\//x',
    'a#b',
    'a//b',
    'a:b',
    'http\\://x',
    'http:/\\/x',
    '/x',
    '@',
  ])
    assert.equal(foreignOwnerFault(text), undefined, text)
})

/** Any owner name: bytes of every kind. */
const anyName: fc.Arbitrary<DomainName> = fc
  .array(
    fc.oneof(
      fc.uint8Array({ minLength: 1, maxLength: 12 }),
      fc.constantFrom('#', '//', '://', '@', '.').map((text) => Buffer.from(text)),
    ),
    { minLength: 1, maxLength: 6 },
  )
  .map((labels) =>
    Buffer.concat([...labels.flatMap((label) => [Uint8Array.of(label.length), label]), nameToWire(origin)]),
  )
  .map((wire) => nameFromWire(wire))

test('any name printed in a zone file is read as the same name by the rules for new names and for zone files', () => {
  fc.assert(
    fc.property(anyName, (name) => {
      const printed = printedOwner(name)
      assert.equal(parseName(printed), name)
      assert.equal(ownerName(printed, origin, domainToASCII), name)
      assert.equal(unescapedFault(printed), undefined)
      assert.equal(foreignOwnerFault(printed), undefined)
      assert.equal(ownerName(name.slice(0, -1), origin, domainToASCII), name, 'as the API prints it')
    }),
    { numRuns: 2_000 },
  )
})

test('a text is either refused or read as exactly one name of the zone', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'a.@\\#/:*0ü" '), maxLength: 12 }), (text) => {
      const ascii = attempt(() => asciiName(text, domainToASCII))
      const one = attempt(() => read(text))
      if (one === undefined || ascii === undefined) return
      assert.ok(nameBytes(one.name) <= 255)
      const below = attempt(() => joinName('x', one.name))
      if (below !== undefined && text !== '@') assert.equal(read(`x.${text}`).name, below)
    }),
    { numRuns: 2_000 },
  )
})

function attempt<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}
