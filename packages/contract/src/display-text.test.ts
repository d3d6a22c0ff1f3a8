import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accountName } from './accounts.ts'
import { chosenText, displayData, displayFault, displayText } from './display-text.ts'

/** One text with each kind of character that is refused, and how it is displayed. */
const refused: readonly [text: string, shown: string, character: string, position: number][] = [
  ['de\u202eyolp', 'de\\u202eyolp', 'U+202E', 3],
  ['\u0000', '\\u0000', 'U+0000', 1],
  ['bell\u0007', 'bell\\u0007', 'U+0007', 5],
  ['red\u001b[31m', 'red\\u001b[31m', 'U+001B', 4],
  ['two\nlines', 'two\\u000alines', 'U+000A', 4],
  ['a\tb', 'a\\u0009b', 'U+0009', 2],
  ['a\rb', 'a\\u000db', 'U+000D', 2],
  ['delete\u007f', 'delete\\u007f', 'U+007F', 7],
  ['next\u0085line', 'next\\u0085line', 'U+0085', 5],
  ['csi\u009b', 'csi\\u009b', 'U+009B', 4],
  ['line\u2028', 'line\\u2028', 'U+2028', 5],
  ['paragraph\u2029', 'paragraph\\u2029', 'U+2029', 10],
  ['\u061cmark', '\\u061cmark', 'U+061C', 1],
  ['\u200emark', '\\u200emark', 'U+200E', 1],
  ['\u200fmark', '\\u200fmark', 'U+200F', 1],
  ['\u202aembed\u202c', '\\u202aembed\\u202c', 'U+202A', 1],
  ['\u2066isolate\u2069', '\\u2066isolate\\u2069', 'U+2066', 1],
  ['soft\u00adhyphen', 'soft\\u00adhyphen', 'U+00AD', 5],
  ['zero\u200bwidth', 'zero\\u200bwidth', 'U+200B', 5],
  ['\u2060joiner', '\\u2060joiner', 'U+2060', 1],
  ['swap\u206a', 'swap\\u206a', 'U+206A', 5],
  ['\ufeffmark', '\\ufeffmark', 'U+FEFF', 1],
  ['note\ufff9', 'note\\ufff9', 'U+FFF9', 5],
  ['🔑🔑\u2067', '🔑🔑\\u2067', 'U+2067', 3],
]

/** Right-to-left letters, joiners and emoji are text. */
const accepted = [
  '',
  'deploy bot',
  '  spaced  ',
  'Ọmọ Ṣàngó',
  'مفتاح النشر',
  'מפתח',
  'می‌خواهم',
  '👩‍💻',
  '🏴󠁧󠁢󠁥󠁮󠁧󠁿',
  '\\u202e',
  '<b>"&\'',
]

test('the error for a text with control or bidirectional characters names the first one and its position', () => {
  for (const [text, , character, position] of refused) {
    const message = `Remove the character ${character} at position ${position}: control, bidirectional and invisible characters are not allowed.`
    assert.equal(displayFault(text), message, JSON.stringify(text))
    assert.equal(chosenText.safeParse(text).error?.issues[0]?.message, message)
  }
  for (const text of accepted) {
    assert.equal(displayFault(text), undefined, text)
    assert.equal(chosenText.parse(text), text)
  }
})

test('a refused text is displayed with escapes, which are accepted; any other text is displayed as it is', () => {
  for (const [text, shown] of refused) {
    assert.equal(displayText(text), shown)
    assert.equal(displayFault(displayText(text)), undefined)
  }
  for (const text of accepted) assert.equal(displayText(text), text)
})

test('data is displayed with every text in it escaped, at any depth', () => {
  const data = { name: 'a\u202eb', list: ['c\nd', 1, null, true], deep: { name: 'e\u2069' } }
  assert.deepEqual(displayData(data), {
    name: 'a\\u202eb',
    list: ['c\\u000ad', 1, null, true],
    deep: { name: 'e\\u2069' },
  })
})

test('the name of an account is trimmed of spaces, but not of characters that are refused', () => {
  assert.equal(accountName.parse('  Ada Obi '), 'Ada Obi')
  for (const name of ['Ada\n', '\tAda', '\u2028', 'Ada\u200f', '\r\n'])
    assert.equal(accountName.safeParse(name).success, false, JSON.stringify(name))
})
