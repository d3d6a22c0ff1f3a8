import assert from 'node:assert/strict'
import { test } from 'node:test'
import { domainToASCII } from 'node:url'
import { parseName } from './name.ts'
import { RrType } from './type.ts'
import { parseZoneFile, readZoneFile, type ZoneFile } from './zone-file.ts'
import type { ZoneFileOptions } from './zone-file-reader.ts'

const example = parseName('example.com.')
const options = { origin: example, defaultTtl: 60 }
const limit = 128 * 1024
const MiB = 1024 * 1024
/** A longer file has more steps, not longer ones. `npm run nightly` verifies this with the largest file that an import accepts. */
const sizeMiB = process.env['NIGHTLY'] ? 16 : 1

/** Reads a file, and returns the duration of its longest step, in milliseconds of processor time. */
function readInSteps(text: string, how: ZoneFileOptions): { file: ZoneFile; longestMs: number } {
  const work = readZoneFile(text, how)
  let longestUs = 0
  for (let before = process.threadCpuUsage(), atMs = performance.now(); ; ) {
    const { done, value } = work.next()
    if (done) return { file: value, longestMs: longestUs / 1_000 }
    // Most steps take a microsecond, as the question does.
    if (performance.now() - atMs < 2) continue
    const { user, system } = process.threadCpuUsage(before)
    longestUs = Math.max(longestUs, user + system)
    before = process.threadCpuUsage()
    atMs = performance.now()
  }
}

/** The longest step, in milliseconds. A step that is long because of its text is long each time; one that a garbage collection slowed down is not. */
function longestStepMs(...file: Parameters<typeof readInSteps>): number {
  let longestMs = Number.POSITIVE_INFINITY
  for (let i = 0; i < 3 && longestMs >= 50; i++) longestMs = Math.min(longestMs, readInSteps(...file).longestMs)
  return longestMs
}

/** A file that repeats one text after the beginning of an entry. It is a flat string, like a request body. */
const filled = (start: string, text: string, end = '', bytes = sizeMiB * MiB): string =>
  Buffer.from(
    start + text.repeat(Math.floor((bytes - start.length - end.length) / text.length)) + end,
    'utf16le',
  ).toString('utf16le')
/** A smaller file for texts that are read to their end, because the time is proportional to the number of lines. */
const lines = (text: string): string => filled('', text, '', Math.min(sizeMiB, 2) * MiB)

test(`no step of reading a ${sizeMiB} MiB zone file takes long, whatever it contains`, () => {
  const wide = '$' + '{0,255}'
  const files: Readonly<Record<string, string>> = {
    'opening parentheses': filled('', '('),
    'closing parentheses': filled('', ')'),
    'words in parentheses': filled('a TXT (', 'x '),
    'lines in parentheses': filled('a TXT (', 'x\n'),
    'empty lines in parentheses': filled('a TXT (', '\n'),
    'comments in parentheses': filled('a TXT (', ';\n'),
    'one comment in parentheses': filled('a TXT (;', 'x'),
    'pairs of parentheses': filled('a TXT ', '()'),
    'pairs of parentheses over lines': filled('a TXT ', '(\n)'),
    backslashes: filled('a TXT ', '\\'),
    'escaped line ends': filled('a TXT ', '\\\n'),
    'escapes by number': filled('a TXT ', '\\065'),
    'escapes in quotes': filled('a TXT "', '\\"'),
    quotes: filled('a TXT ', '"'),
    'empty texts': filled('a TXT ', '"" '),
    'an open quote': filled('a TXT "', 'x'),
    'lines in a quote': filled('a TXT "', 'x\n'),
    'a quote on each line that is never closed': lines('a TXT "\n'),
    'a quote within a word': filled('a TXT x"', 'y '),
    'one word': filled('', 'x'),
    'one owner name': filled('', 'x.'),
    'a word behind a type': filled('a TXT ', 'x'),
    hexadecimal: filled('a TYPE65400 \\# 65535 ', 'ab '),
    spaces: filled('', ' '),
    'tabs before a word': filled('', '\t', 'a'),
    'carriage returns': filled('', '\r'),
    'line ends': lines('\n'),
    comments: lines(';\n'),
    'one comment': filled(';', 'x'),
    'one comment that is not ASCII': filled(';', 'é'),
    'a comment behind a record': filled('a A 192.0.2.1 ;', ';'),
    directives: lines('$TTL 60\n'),
    'a long directive': filled('$', 'X'),
    'a long range to generate': filled('$GENERATE 1-', '9', ' a A 192.0.2.1'),
    'numbers to put in': filled('$GENERATE 1-99999 a TXT ', '$'),
    'wide numbers to put in': filled('$GENERATE 1-99999 a TXT ', wide),
    'wide numbers to put in, as many as an entry has': `$GENERATE 1-99999 a TXT ${wide.repeat(16_000)}`,
    'a line to generate, as long as an entry': `$GENERATE 1-99999 a TXT ${'$ '.repeat(65_000)}`,
    'placeholders that are open': filled('$GENERATE 1-9 a TXT ', '${'),
    'records of one rrset': lines('a A 192.0.2.1\n'),
    'entries as long as there may be': lines(`a TXT ${'xxx '.repeat(21_990)}\n`),
    'entries of quotes as long as there may be': lines(`a TXT ${'"" '.repeat(21_990)}\n`),
    'bytes of zero': filled('', '\0'),
    'halves of characters': filled('a TXT ', '\ud800'),
  }
  const ofOthers: Readonly<Record<string, string>> = {
    'lone carriage returns': lines('a A 192.0.2.1\r'),
    'comments that end with carriage returns': lines(';x\r'),
    'pairs of carriage returns': filled('', '\r\r\n'),
    'carriage returns in parentheses': filled('a TXT (', 'x\r'),
    'typographic quotes': filled('a TXT ', '“x” '),
    'typographic quotes that are open': lines('a TXT “x\n'),
    'a long text in typographic quotes': filled('a TXT “', 'x'),
    'quotes that are closed by another mark': lines('a TXT "x”\n'),
    'spaces of Unicode': filled('a TXT ', '\u00a0'),
    'spaces of Unicode before everything': filled('', '\u00a0', 'a'),
    'invisible characters': filled('a TXT x', '\u200b'),
    'invisible characters between words': filled('', '\u200b \u200b'),
    'line separators': lines('a TXT \u2028\n'),
    'indented comments': lines('  ;\n'),
    'indented lines': lines('  a 60 A 192.0.2.1\n'),
    'ages of Windows': lines('a [AGE:1] 60 A 192.0.2.1\n'),
    'records of another zone': lines('a.example.org. 60 A 192.0.2.1\n'),
    'records of the signer': lines('a 60 RRSIG x\n'),
    'international names': lines('bücher 60 CNAME bücher\n'),
    'TTLs that are too low': lines('a 1 A 192.0.2.1\n'),
    'comments of other systems': lines('a A 192.0.2.1 ; AWS routing="x"\n'),
    'a long comment of others': filled('a A 192.0.2.1 ;', 'AWS routing= '),
    'fences of Markdown': lines('```\n'),
  }
  for (const [what, text] of Object.entries(files)) {
    const longestMs = longestStepMs(text, options)
    assert.ok(longestMs < 50, `${what}: ${longestMs} ms`)
  }
  const dialects = { toAscii: domainToASCII, ignoring }
  for (const [what, text] of Object.entries({ ...files, ...ofOthers })) {
    // Longer files have more steps, not longer ones: a part is enough.
    const longestMs = longestStepMs(text.slice(0, (sizeMiB * MiB) / 4), { ...options, dialects })
    assert.ok(longestMs < 50, `${what}, as others write it: ${longestMs} ms`)
  }
})

const ignoring = (_name: string, type: RrType) => (type === RrType.RRSIG ? 'It is signed here.' : undefined)

test('an entry has at most 128 KiB in all of its lines, and a longer one is one fault', () => {
  const of = (length: number): string => `a TXT (${' '.repeat(length - 'a TXT (x)'.length)}x)`
  assert.deepEqual(parseZoneFile(of(limit), options).faults, [])
  assert.deepEqual(parseZoneFile(`${of(limit)}\n${of(limit)}`, options).faults, [])
  for (const [what, text] of Object.entries({
    spaces: of(limit + 1),
    'lines in parentheses': `a TXT (${'\n'.repeat(limit)}x)`,
    comments: `a TXT (;${'x'.repeat(limit)}\nx)`,
    words: `a TXT ${'x '.repeat(limit / 2)}`,
    'one word': `a TXT ${'x'.repeat(limit)}`,
    escapes: `a TXT ${'\\065'.repeat(limit / 4)}`,
    quotes: `a TXT "${'x'.repeat(limit)}"`,
    'quotes over lines': `a TXT "${'x\\\n'.repeat(limit / 3)}"`,
    $GENERATE: `$GENERATE 1-2 a TXT ${'$ '.repeat(limit / 2)}`,
  })) {
    const { faults, records } = parseZoneFile(`b A 192.0.2.1\n${text}\n`, options)
    assert.deepEqual([faults[0]?.line, faults[0]?.code], [2, 'too_large'], what)
    assert.match(faults[0]?.message ?? '', /^An entry may have at most 128 KiB and 22000 words\./, what)
    assert.equal(records[0]?.line, 1, what)
  }
})

test('after an entry that is too long, reading continues on the next line', () => {
  const text = `a TXT ${'x'.repeat(limit)}\nb A 192.0.2.1\nc TXT (${' '.repeat(limit)}\nd A 192.0.2.2\n`
  const { faults, records } = parseZoneFile(text, options)
  assert.deepEqual(
    faults.map(({ line, code }) => [line, code]),
    [
      [1, 'too_large'],
      [3, 'too_large'],
    ],
  )
  assert.deepEqual(
    records.map(({ line, name }) => [line, name]),
    [
      [2, 'b.example.com.'],
      [4, 'd.example.com.'],
    ],
  )
})

test('a comment at the end of an entry does not count toward its length', () => {
  const { faults, records } = parseZoneFile(`;${'x'.repeat(limit)}\na A 192.0.2.1 ;${'x'.repeat(limit)}\n`, options)
  assert.deepEqual([faults, records.length], [[], 1])
})

test('reading ends soon even if each fault reads a full-size entry', () => {
  const opened = `a TXT (${'x\n'.repeat(60_000)}`
  const before = process.threadCpuUsage()
  const { faults } = parseZoneFile(`${'b TXT "\n'.repeat(1_000)}${opened}`, options)
  const { user, system } = process.threadCpuUsage(before)
  assert.equal(faults.length, 101)
  assert.ok(user + system < 2_000_000, `${user + system} µs`)
})

test('the word limit of an entry leaves room for the text of the largest rrset', () => {
  const of = (words: number): string => `a 60 IN TXT ${'"" '.repeat(words)}`
  const { records, faults } = parseZoneFile(of(21_333), options)
  assert.deepEqual([faults, records[0]?.data.length], [[], 21_333])
  assert.deepEqual(parseZoneFile(of(21_996), options).faults, [])
  assert.deepEqual(parseZoneFile(of(21_997), options).faults[0]?.code, 'too_large')
})
