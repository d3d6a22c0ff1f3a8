import { isClassWord } from '../dns-class.ts'
import { DnsFault, quoteInput } from '../faults.ts'
import { type DomainName, isOriginLast } from '../name.ts'
import { aLabels, asciiName, foreignOwnerFault } from '../owner-name.ts'
import { ttlBounds } from '../record-rules.ts'
import { textTypes } from '../text-strings.ts'
import { parseTtl } from '../ttl.ts'
import { isType, RrType } from '../type.ts'
import { recordTypeOf } from '../types/table.ts'
import type { Entry, OddText, Token } from '../zone-lexer.ts'
import { type Adaptation, type AdaptationCode, type IgnoredRecord, Noted } from './adaptation.ts'

/** What `Dialect` needs to know. */
export interface DialectOptions {
  /** The host parser of URLs: see `aLabels`. */
  readonly toAscii: (host: string) => string
  /** Why all records of a type at a name are left out; undefined if they are kept. */
  readonly ignoring: (name: DomainName, type: RrType) => string | undefined
}

/** The TTL in seconds that replaces 1, which some systems write for "automatic". */
const automaticTtl = 300

/** Windows writes the age of a dynamic record after its owner name. */
const ageForm = /^\[(?:AGE|Aging):\d+\]$/i
const ttlForm = /^\d/
const directives = new Set(['$ORIGIN', '$TTL', '$INCLUDE', '$GENERATE', '$DATE'])

/** The first word of each line that tools print around a zone, and what follows it. A list is faster here than a map, which hashes each word. */
const chatter: readonly (readonly [first: string, rest: RegExp])[] = [
  ['Returned', /^records:$/],
  ['The', /^[Cc]ommand completed successfully\.$/],
  ['Command', /^completed successfully\.$/],
  ['command', /^completed successfully\.$/],
  ['ANSWER', /^SECTION:$/],
  ['AUTHORITY', /^SECTION:$/],
  ['ADDITIONAL', /^SECTION:$/],
  ['zone', /^\S+\/IN: loaded serial \d+(?: DNSSEC signed)?$/],
  ['OK', /^$/],
]
/** Maximum number of words of these lines. */
const chatterWords = 7

/** Types with text that customers write. A `;` in it would end it, and a comment of another format would become part of it. */
const typesWithText: ReadonlySet<RrType> = new Set([...textTypes, RrType.CAA, RrType.AVC])

/** Reads zone files as other systems write them. Notes everything that it changes. */
export class Dialect {
  readonly adapted = new Noted<Adaptation>()
  readonly ignored = new Noted<IgnoredRecord>()
  readonly options: DialectOptions
  readonly #told = new Set<AdaptationCode>()

  constructor(options: DialectOptions) {
    this.options = options
  }

  note(line: number, code: AdaptationCode, message: string, reason: string): void {
    this.adapted.add({ line, code, message, reason })
  }

  /** Notes something that concerns many lines, at the first of them only. */
  noteOnce(line: number, code: AdaptationCode, message: string, reason: string): void {
    if (this.#told.has(code)) return
    this.#told.add(code)
    this.note(line, code, message, reason)
  }

  byteOrderMark(): void {
    this.noteOnce(1, 'byte_order_mark', 'The byte order mark was skipped.', 'It only marks the encoding of the file.')
  }

  endMark(line: number): void {
    const reason = 'DOS programs end text files with it.'
    this.noteOnce(line, 'end_mark', 'The Ctrl-Z at the end of the file was skipped.', reason)
  }

  indentation(): void {
    const reason = 'A line that begins with white space has no owner name.'
    this.noteOnce(1, 'indentation', 'The white space or `>` at the beginning of all lines was removed.', reason)
  }

  /** Whether a Windows server wrote the file. Then the last number of the SOA is the TTL of all records without one. */
  isOfWindows(text: string): boolean {
    return /;\s*default TTL|\[(?:AGE|Aging):\d|^;\s+Database file /im.test(text.slice(0, 16 * 1024))
  }

  mendedSoaOwner(line: number, zone: DomainName): void {
    const reason = 'The SOA is a record of the zone itself.'
    this.noteOnce(
      line,
      'soa_owner',
      `The records that follow the SOA without an owner name were read as records of ${zone}`,
      reason,
    )
  }

  /** Notes a character that the lexer skipped or replaced. */
  noteOdd(line: number, what: OddText): void {
    this.noteOnce(line, what, ...oddTexts[what])
  }

  /** The entry without the marks that other systems add to records; undefined if it is neither a record nor a directive. */
  entry(entry: Entry): Entry | undefined {
    const { line, comment } = entry
    if (comment !== undefined && /^;+\s*AWS\s+routing=/i.test(comment))
      this.note(
        line,
        'routing_policy',
        'The routing policy in the comment was left out: every answer has all records of the name.',
        'Routing policies are not supported.',
      )
    if (this.#isNoise(entry)) return undefined
    const tokens = this.#withoutMarks(entry)
    const isPrefixed = tokens !== entry.tokens && !entry.indented && entry.tokens[0] !== tokens[0]
    const [first] = tokens
    if (first === undefined) return undefined
    const indented = isPrefixed ? false : entry.indented && !this.#isOwnerAfterAll(line, tokens)
    return tokens === entry.tokens && indented === entry.indented ? entry : { ...entry, tokens, indented }
  }

  #isNoise({ line, tokens }: Entry): boolean {
    const first = tokens[0]
    if (first === undefined || first.quoted || tokens.length > chatterWords) return false
    if (first.text.toUpperCase() === '$DATE') {
      const reason = 'BIND writes the time of the dump there.'
      this.noteOnce(line, 'foreign_line', 'The line `$DATE` was skipped.', reason)
      return true
    }
    const isFence = (first.text.startsWith('```') || first.text.startsWith('~~~')) && tokens.length <= 2
    if (!isFence && !isChatter(first.text, tokens)) return false
    this.noteOnce(
      line,
      'foreign_line',
      isFence
        ? 'The lines around code in Markdown were skipped.'
        : 'A line that a tool printed, which is not a record, was skipped.',
      isFence
        ? 'They belong to the document that the zone file was copied from.'
        : 'Tools print such lines before and after a zone.',
    )
    return true
  }

  /** The words without the zone that `knotc zone-read` prints first, or without the age that Windows writes. */
  #withoutMarks({ line, tokens }: Entry): readonly Token[] {
    if (!tokens.some(({ text, quoted }, index) => index < 3 && !quoted && text.startsWith('[') && text.endsWith(']')))
      return tokens
    const marks = tokens.slice(0, 3)
    const age = marks.findIndex(({ text }) => ageForm.test(text))
    if (age !== -1) {
      const reason = 'Windows writes the time of the last refresh of a dynamic record there. It is not DNS data.'
      this.noteOnce(line, 'foreign_mark', `${quoteInput(marks[age]?.text ?? '')} and other ages were skipped.`, reason)
      return tokens.toSpliced(age, 1)
    }
    const [first] = marks
    if (first === undefined || tokens.length === 1 || !/^\[[^[\]]+\.\]$/.test(first.text)) return tokens
    const reason = 'Knot DNS puts the zone in front of each record.'
    this.noteOnce(line, 'foreign_mark', `${quoteInput(first.text)} at the beginning of lines was skipped.`, reason)
    return tokens.slice(1)
  }

  /** Whether an indented line begins with a directive or an owner name, and so should not be indented. */
  #isOwnerAfterAll(line: number, tokens: readonly Token[]): boolean {
    const [first] = tokens
    if (first === undefined || first.quoted) return false
    const { text } = first
    if (directives.has(text.toUpperCase())) {
      const reason = 'A directive must be at the beginning of its line.'
      this.noteOnce(line, 'indented_directive', `The white space before ${text} was removed.`, reason)
      return true
    }
    if (ttlForm.test(text) || isClassWord(text) || isType(text) || foreignOwnerFault(text) !== undefined) return false
    let at = 1
    while (at < Math.min(tokens.length, 3) && isTtlOrClass(tokens[at]?.text ?? '')) at++
    const type = tokens[at]?.text ?? ''
    if (!isType(type) && type.toUpperCase() !== 'ANAME') return false
    const reason =
      'A line that begins with white space has no owner name of its own, and this one would not be a valid record.'
    this.note(line, 'indented_owner', `The white space before ${quoteInput(text)} was removed.`, reason)
    return true
  }

  /**
   * A name in ASCII: Unicode labels become A-labels. A last label `@` stays, and is noted.
   *
   * @throws DnsFault `bad_name`
   */
  name(line: number, text: string): string {
    if (isOriginLast(text)) {
      const message = `${quoteInput(text)} was read as ${quoteInput(text.slice(0, -2))} of the zone.`
      this.note(line, 'origin_label', message, '`@` as the last label is the origin.')
    }
    const ascii = asciiName(text, this.options.toAscii)
    if (ascii !== text) {
      const message = `${quoteInput(text)} became ${quoteInput(ascii)}.`
      this.note(line, 'international_name', message, 'In DNS, international names are written as A-labels (RFC 5890).')
    }
    return ascii
  }

  /** Whether a text is this name without its final dot. */
  isDotless(text: string, name: DomainName): boolean {
    if (/^[\x00-\x7f]*$/.test(text)) return `${text.toLowerCase()}.` === name
    return `${aLabels(text, this.options.toAscii)}.` === name
  }

  /** The value of `$ORIGIN`, with a final dot added if it is missing. */
  origin(line: number, text: string, zone: DomainName): string {
    const ascii = this.name(line, text)
    const whole = `${ascii.toLowerCase()}.`
    if (ascii.endsWith('.') || zone === '.' || !`.${whole}`.endsWith(`.${zone}`)) return ascii
    const reason = `Without it, the names below would end in ${whole}${zone}`
    this.note(line, 'origin_dot', `A final dot was added to $ORIGIN ${quoteInput(ascii)}.`, reason)
    return whole
  }

  /** The words of a record, with the type ALIAS for ANAME, as some providers call it. */
  typed(line: number, tokens: readonly Token[], typeAt: number): readonly Token[] {
    const token = tokens[typeAt]
    if (token === undefined || token.quoted || token.text.toUpperCase() !== 'ANAME') return tokens
    const reason = 'Other providers call this type ANAME.'
    this.noteOnce(line, 'aname_as_alias', 'ANAME records were read as ALIAS records.', reason)
    return tokens.with(typeAt, { ...token, text: 'ALIAS' })
  }

  /** The words of a record, with the names in its data read as `name` does. */
  data(line: number, type: RrType, tokens: readonly Token[], at: number): readonly Token[] {
    if (!recordTypeOf(type)?.hasNames) return tokens
    if (!tokens.some((token, index) => index >= at && isOddName(token))) return tokens
    return tokens.map((token, index) =>
      index >= at && isOddName(token) ? { ...token, text: this.name(line, token.text) } : token,
    )
  }

  /** Why a text that parses is still wrong: it is cut off, or contains a comment of another format; undefined if it is fine. */
  textFault(type: RrType, { isCut, comment }: Entry, tokens: readonly Token[], at: number): DnsFault | undefined {
    if (!typesWithText.has(type)) return undefined
    if (type === RrType.CAA && tokens.length === at + 2 && comment !== undefined)
      return new DnsFault(
        'bad_rdata',
        'A `;` without quotes begins a comment: the value of the CAA is missing. For no certificates at all, write `";"`.',
      )
    const last = tokens.at(-1)
    const isTagList = tokens.length === at + 1 && /^v=[A-Z0-9]+$/i.test(last?.text ?? '') && comment?.includes('=')
    if (tokens.length > at && last?.quoted === false && (isCut || isTagList))
      return new DnsFault(
        'bad_rdata',
        `A \`;\` without quotes begins a comment: the text would end after ${quoteInput(last.text)}. Put the whole text in double quotes.`,
      )
    const odd = tokens.find(({ text, quoted }, index) => index > at && !quoted && /^(?:#|\/\/)/.test(text))
    if (odd === undefined) return undefined
    const message = `${quoteInput(odd.text)} does not begin a comment in a zone file, and would be part of the text. Delete it, or write \`;\` before it.`
    return new DnsFault('bad_rdata', message)
  }

  /** Whether a word before the type is a TTL. */
  isTtl(text: string): boolean {
    return ttlForm.test(text) || /^auto(?:matic)?$/i.test(text)
  }

  /**
   * A TTL within the bounds, in seconds.
   *
   * @throws DnsFault `bad_ttl`
   */
  ttl(line: number, text: string): number {
    const seconds = /^\d+$/.test(text) ? Number(text) : /^auto/i.test(text) ? 1 : parseTtl(text, Infinity)
    if (seconds !== undefined) return this.boundedTtl(line, seconds, text)
    throw new DnsFault('bad_ttl', `${quoteInput(text)} is not a TTL. Write seconds, or units as in \`1h30m\`.`)
  }

  boundedTtl(line: number, seconds: number, written = String(seconds)): number {
    const ttl = usableTtl(seconds)
    if (ttl === seconds) return ttl
    const message = `The TTL ${quoteInput(written)} became ${ttl}.`
    if (seconds === 1)
      this.note(line, 'ttl_automatic', message, `1 stands for “automatic”, which is ${automaticTtl} seconds.`)
    else if (ttl > seconds)
      this.note(line, 'ttl_raised', message, `A TTL has at least ${ttlBounds.least} seconds here.`)
    else this.note(line, 'ttl_lowered', message, `A TTL has at most ${ttlBounds.most} seconds here.`)
    return ttl
  }

  /** The TTL from the SOA, for records without one. */
  soaTtl(line: number, minimum: number): number {
    const ttl = usableTtl(minimum)
    const reason = 'The file has no $TTL, so the last number of the SOA is the default (RFC 2308 §4).'
    this.noteOnce(line, 'ttl_from_soa', `Records without a TTL get ${ttl} seconds.`, reason)
    return ttl
  }

  /** The usual TTL, for records without one in a file that sets no default. */
  usualTtl(line: number, ttl: number): number {
    this.noteOnce(line, 'ttl_usual', `Records without a TTL get ${ttl} seconds.`, 'The file gives no TTL for them.')
    return ttl
  }
}

/** Whether a tool printed a line. It is called for every line, so nothing is built unless the first word matches. */
function isChatter(first: string, tokens: readonly Token[]): boolean {
  const [, rest] = chatter.find(([word]) => word === first) ?? []
  if (rest === undefined) return false
  return rest.test(
    tokens
      .slice(1)
      .map(({ text }) => text)
      .join(' '),
  )
}

/** The nearest TTL within the bounds, or the automatic one. */
function usableTtl(seconds: number): number {
  if (seconds === 1) return automaticTtl
  return Math.min(Math.max(seconds, ttlBounds.least), ttlBounds.most)
}

function isOddName({ text, quoted }: Token): boolean {
  return !quoted && (text.endsWith('.@') || /[^\x00-\x7f]/.test(text))
}

function isTtlOrClass(text: string): boolean {
  return ttlForm.test(text) || isClassWord(text)
}

const oddTexts: Readonly<Record<OddText, readonly [message: string, reason: string]>> = {
  carriage_return: [
    'A carriage return without a line feed was read as a line end.',
    'Old Mac programs end lines like this.',
  ],
  odd_space: [
    'Unicode spaces between words, such as U+00A0, were read as spaces.',
    'They come from web pages and word processors, and mean nothing in a zone file.',
  ],
  invisible_character: [
    'Invisible characters in names and words, such as U+200B, were removed.',
    'They come from web pages and word processors, and mean nothing in a zone file.',
  ],
  curly_quotes: [
    'Typographic quotation marks around texts were read as `"`.',
    'Word processors replace `"` with them.',
  ],
}
