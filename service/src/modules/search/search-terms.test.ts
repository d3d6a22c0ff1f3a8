import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '#platform/errors.ts'
import { readSearch } from './search-terms.ts'

test('a text is searched as it is, in lower case, and no character has a special meaning', () => {
  assert.deepEqual(readSearch(' WWW '), ['www'])
  assert.deepEqual(readSearch('50%_'), ['50%_'])
  assert.deepEqual(readSearch('.*'), ['.*'])
  assert.deepEqual(readSearch('%%'), ['%%'])
})

test('a name is found with and without its final dot, in Unicode and with A-labels, and by its URL', () => {
  assert.deepEqual(readSearch('www.Example.com.'), ['www.example.com.', 'www.example.com'])
  assert.deepEqual(readSearch('Bücher.example'), ['bücher.example', 'xn--bcher-kva.example', 'b\\195\\188cher.example'])
  assert.ok(readSearch('دامنه.example').includes('xn--mgbp1eef.example'))
  assert.deepEqual(readSearch('https://me@www.example.com:8080/a?b#c'), ['www.example.com'])
})

test('an address is found in any notation, and by the name of its PTR record', () => {
  const canonical = '2001:db8::1'
  for (const text of ['2001:DB8:0:0:0:0:0:1', '[2001:db8::1]', '2001:0db8::0001'])
    assert.ok(readSearch(text).includes(canonical), text)
  assert.ok(readSearch(canonical).includes(`1.0.0.0.${'0.0.0.0.'.repeat(5)}8.b.d.0.1.0.0.2.ip6.arpa`))
  assert.ok(readSearch('::FFFF:192.0.2.1').includes('192.0.2.1'))
  assert.deepEqual(readSearch('192.0.2.1'), ['192.0.2.1', '1.2.0.192.in-addr.arpa'])
})

test('text of TXT records is found as people write it and as the API shows it', () => {
  assert.deepEqual(readSearch('"v=spf1 -all"'), ['"v=spf1 -all"', 'v=spf1 -all', 'v=spf1 -all'].slice(0, 2))
  assert.ok(readSearch('"p=AB" "CD"').includes('p=abcd'))
  assert.ok(readSearch('say "hi"').includes('say \\"hi\\"'))
  assert.ok(readSearch('a\\b').includes('a\\\\b'))
})

test('refuses a text that is too short, too long or has control characters, and says what to do', () => {
  const refused = (text: string, code: string, sentence: RegExp): void => {
    assert.throws(
      () => readSearch(text),
      (error) =>
        error instanceof Refusal &&
        error.code === 'validation_failed' &&
        error.details[0]?.code === code &&
        error.details[0].path === 'q' &&
        sentence.test(error.message),
    )
  }
  for (const text of ['', ' ', 'a', ' a ', '🙂', '\u0065\u0301']) refused(text, 'too_short', /at least 2 characters/)
  refused('a'.repeat(101), 'too_long', /at most 100 characters/)
  for (const text of ['a\u0000b', 'a\u202eb', 'a\u0001b']) refused(text, 'bad_character', /Remove the character/)
  assert.deepEqual(readSearch('a'.repeat(100)).length, 1)
})
