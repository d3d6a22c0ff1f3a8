import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pastedLines } from './pasted-names.ts'

const namesOf = (text: string) => pastedLines(text).lines.map(({ name }) => name)

test('lines become names: URLs, www, final dots, capitals, Unicode, tables and quotes', () => {
  for (const [text, name] of [
    ['example.com', 'example.com'],
    ['  Example.COM.  ', 'example.com'],
    ['https://www.example.com/shop?x=1', 'example.com'],
    ['http://user:pw@example.com:8080', 'example.com'],
    ['www.example.com', 'example.com'],
    ['Bücher.example', 'xn--bcher-kva.example'],
    ['例え.テスト', 'xn--r8jz45g.xn--zckzah'],
    ['"example.com","Ada"', 'example.com'],
    ['example.com;active', 'example.com'],
    ['example.com\t2027-01-01', 'example.com'],
    ['a_b.example.com', 'a_b.example.com'],
  ] as const)
    assert.deepEqual(namesOf(text), [name], text)
})

test('a line that is not the name of a zone says why', () => {
  for (const [text, said] of [
    ['example', /has a dot/],
    ['ada@example.com', /email/],
    ['192.0.2.1', /IP address/],
    ['a b.example.com', /not a domain name/],
    ['-a.example.com', /not a domain name/],
    ['a..example.com', /not a domain name/],
    ['*.example.com', /not a domain name/],
    [`${'a'.repeat(64)}.example.com`, /not a domain name/],
    [`${'abcdefg.'.repeat(40)}com`, /not a domain name/],
    ['=cmd()', /has a dot/],
    ['.', /not a domain name/],
  ] as const) {
    const [line] = pastedLines(text).lines
    assert.equal(line?.name, undefined, text)
    assert.match(line?.fault ?? '', said, text)
  }
})

test('empty lines are counted, duplicates name the first line, and line numbers are those of the list', () => {
  const { lines, empty } = pastedLines('a.example\r\n\n  \nA.example.\rb.example\nhttps://a.example/')
  assert.equal(empty, 2)
  assert.deepEqual(
    lines.map(({ line, name, fault }) => [line, name, fault]),
    [
      [1, 'a.example', undefined],
      [4, 'a.example', 'The same as line 1.'],
      [5, 'b.example', undefined],
      [6, 'a.example', 'The same as line 1.'],
    ],
  )
})

test('5,000 lines with faults are read in less than a second', () => {
  const text = Array.from({ length: 5_000 }, (_, i) =>
    i % 7 === 0 ? `http://x${i}.example.` : `x${i % 4_000}.example`,
  ).join('\n')
  const begun = performance.now()
  assert.equal(pastedLines(text).lines.length, 5_000)
  assert.ok(performance.now() - begun < 1_000)
})
