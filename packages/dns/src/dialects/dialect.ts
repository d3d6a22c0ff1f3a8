import { isClassWord } from '../dns-class.ts'
import { DnsFault, quoteInput } from '../faults.ts'
import { type DomainName, isOriginLast } from '../name.ts'
import { asciiName, foreignOwnerFault } from '../owner-name.ts'
import { ttlBounds } from '../record-rules.ts'
import { textTypes } from '../text-strings.ts'
import { parseTtl } from '../ttl.ts'
import { isType, RrType } from '../type.ts'
import { recordTypeOf } from '../types/table.ts'
import type { Entry, OddText, Token } from '../zone-lexer.ts'
import { type Adaptation, type AdaptationCode, type IgnoredRecord, Noted } from './adaptation.ts'

/** What reading a zone file as another system may have written it has to know. */
export interface DialectOptions {
  /** The host parser of URLs: see `aLabels`. */
  readonly toAscii: (host: string) => string
  /** Why records of a type at a name are left out, whatever they say; undefined: they are not. */
  readonly ignoring: (name: DomainName, type: RrType) => string | undefined
}

/** The TTL that systems mean which write 1 for "automatic". Seconds. */
const automaticTtl = 300

/** Windows writes the age of a dynamic record behind its name. */
const ageForm = /^\[(?:AGE|Aging):\d+\]$/i
const ttlForm = /^\d/
const directives = new Set(['$ORIGIN', '$TTL', '$INCLUDE', '$GENERATE', '$DATE'])

/** Lines that tools print around a zone. */
const chatter =
  /^(?:Returned records:|(?:The )?[Cc]ommand completed successfully\.|(?:ANSWER|AUTHORITY|ADDITIONAL) SECTION:|zone \S+\/IN: loaded serial \d+(?: DNSSEC signed)?|OK)$/
/** Words of the longest of them. */
const chatterWords = 7

/** Types whose data is text that customers write: a `;` or a comment in it would cut it off or be served. */
const typesWithText: ReadonlySet<RrType> = new Set([...textTypes, RrType.CAA, RrType.AVC])

/** Reads what other systems write in their own ways. Everything that it changes is noted. */
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

  /** Notes what concerns many lines alike, at the first of them. */
  noteOnce(line: number, code: AdaptationCode, message: string, reason: string): void {
    if (this.#told.has(code)) return
    this.#told.add(code)
    this.note(line, code, message, reason)
  }

  byteOrderMark(): void {
    this.noteOnce(1, 'byte_order_mark', 'The byte order mark was skipped.', 'It tells how the file is encoded.')
  }

  endMark(line: number): void {
    const reason = 'DOS programs end a text file with it.'
    this.noteOnce(line, 'end_mark', 'The Ctrl-Z at the end of the file was skipped.', reason)
  }

  indentation(): void {
    const reason = 'Otherwise no line would have a name of its own.'
    this.noteOnce(1, 'indentation', 'The white space or `>` at the beginning of all lines was removed.', reason)
  }

  /** Whether a text is a file of Windows, in which the last number of the SOA is the TTL of all records that give none. */
  isOfWindows(text: string): boolean {
    return /;\s*default TTL|\[(?:AGE|Aging):\d|^;\s+Database file /im.test(text.slice(0, 16 * 1024))
  }

  mendedSoaOwner(line: number, zone: DomainName): void {
    const reason = 'The SOA belongs to the zone itself.'
    this.noteOnce(line, 'soa_owner', `The records below the SOA were given to ${zone}`, reason)
  }

  /** Notes what the lexer stepped over. */
  noteOdd(line: number, what: OddText): void {
    this.noteOnce(line, what, ...oddTexts[what])
  }

  /** An entry without what other systems put around records; undefined: it is none. */
  entry(entry: Entry): Entry | undefined {
    const { line, comment } = entry
    if (comment !== undefined && /^;+\s*AWS\s+routing=/i.test(comment))
      this.note(
        line,
        'routing_policy',
        'The routing policy in the comment was left out: the records of the name are all answered, together.',
        'Records have no routing policies here.',
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
    const [first] = tokens
    if (first === undefined || first.quoted || tokens.length > chatterWords) return false
    if (/^\$DATE$/i.test(first.text)) {
      const reason = 'BIND notes there when it wrote a dump.'
      this.noteOnce(line, 'foreign_line', 'The line `$DATE` was skipped.', reason)
      return true
    }
    const isFence = /^(?:```|~~~)/.test(first.text) && tokens.length <= 2
    const isChatter = !isFence && chatter.test(tokens.map(({ text }) => text).join(' '))
    if (isFence || isChatter)
      this.noteOnce(
        line,
        'foreign_line',
        isFence
          ? 'The lines around code in Markdown were skipped.'
          : 'A line of a tool, which is no record, was skipped.',
        isFence ? 'They belong to the document that the zone file was copied from.' : 'It is printed around a zone.',
      )
    return isFence || isChatter
  }

  /** The words without the zone that `knotc zone-read` puts in front, and without the ages of Windows. */
  #withoutMarks({ line, tokens }: Entry): readonly Token[] {
    const marks = tokens.slice(0, 3)
    if (!marks.some(({ text, quoted }) => !quoted && text.startsWith('[') && text.endsWith(']'))) return tokens
    const age = marks.findIndex(({ text }) => ageForm.test(text))
    if (age !== -1) {
      const reason = 'Windows notes there when a dynamic record was refreshed. It is not DNS data.'
      this.noteOnce(line, 'foreign_mark', `${quoteInput(marks[age]?.text ?? '')} and other ages were skipped.`, reason)
      return tokens.toSpliced(age, 1)
    }
    const [first] = marks
    if (first === undefined || tokens.length === 1 || !/^\[[^[\]]+\.\]$/.test(first.text)) return tokens
    const reason = 'Knot DNS puts the zone in front of each record.'
    this.noteOnce(line, 'foreign_mark', `${quoteInput(first.text)} at the beginning of lines was skipped.`, reason)
    return tokens.slice(1)
  }

  /** Whether an indented line begins with a directive or an owner name, which should have stood at its very beginning. */
  #isOwnerAfterAll(line: number, tokens: readonly Token[]): boolean {
    const [first] = tokens
    if (first === undefined || first.quoted) return false
    const { text } = first
    if (directives.has(text.toUpperCase())) {
      const reason = 'A directive stands at the beginning of its line.'
      this.noteOnce(line, 'indented_directive', `The white space before ${text} was removed.`, reason)
      return true
    }
    if (ttlForm.test(text) || isClassWord(text) || isType(text) || foreignOwnerFault(text) !== undefined) return false
    let at = 1
    while (at < Math.min(tokens.length, 3) && isTtlOrClass(tokens[at]?.text ?? '')) at++
    if (!isType(tokens[at]?.text ?? '')) return false
    const reason = 'A line that begins with white space has no name of its own, and would have no meaning like this.'
    this.note(line, 'indented_owner', `The white space before ${quoteInput(text)} was removed.`, reason)
    return true
  }

  /**
   * A name as it is meant: with A-labels, and the last label `@` is the origin.
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
      this.note(line, 'international_name', message, 'DNS has international names as A-labels (RFC 5890).')
    }
    return ascii
  }

  /** The value of `$ORIGIN`, with the final dot that was forgotten. */
  origin(line: number, text: string, zone: DomainName): string {
    const ascii = this.name(line, text)
    const whole = `${ascii.toLowerCase()}.`
    if (ascii.endsWith('.') || zone === '.' || !`.${whole}`.endsWith(`.${zone}`)) return ascii
    const reason = `Without it, the names below would end in ${whole}${zone}`
    this.note(line, 'origin_dot', `$ORIGIN ${quoteInput(ascii)} got its final dot.`, reason)
    return whole
  }

  /** The words of a record with the names in its data as they are meant. */
  data(line: number, type: RrType, tokens: readonly Token[], at: number): readonly Token[] {
    if (!recordTypeOf(type)?.hasNames) return tokens
    if (!tokens.some((token, index) => index >= at && isOddName(token))) return tokens
    return tokens.map((token, index) =>
      index >= at && isOddName(token) ? { ...token, text: this.name(line, token.text) } : token,
    )
  }

  /** What is silently wrong with a text: it is cut off, or has a comment of another format; undefined: nothing. */
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

  /** Whether a word in front of the type is a TTL. */
  isTtl(text: string): boolean {
    return ttlForm.test(text) || /^auto(?:matic)?$/i.test(text)
  }

  /**
   * A TTL within the bounds.
   *
   * @throws DnsFault `bad_ttl` for what is none
   */
  ttl(line: number, text: string): number {
    const seconds = /^auto/i.test(text) ? 1 : /^\d+$/.test(text) ? Number(text) : parseTtl(text)
    if (seconds !== undefined) return this.boundedTtl(line, seconds, text)
    throw new DnsFault('bad_ttl', `${quoteInput(text)} is not a TTL: seconds, or such as \`1h30m\`.`)
  }

  boundedTtl(line: number, seconds: number, written = String(seconds)): number {
    const ttl = usableTtl(seconds)
    const message = `The TTL ${quoteInput(written)} became ${ttl}.`
    if (seconds === 1)
      this.note(line, 'ttl_automatic', message, `1 stands for “automatic”, which is ${automaticTtl} seconds.`)
    else if (ttl > seconds)
      this.note(line, 'ttl_raised', message, `A TTL has at least ${ttlBounds.least} seconds here.`)
    else if (ttl < seconds) this.note(line, 'ttl_lowered', message, `A TTL has at most ${ttlBounds.most} seconds here.`)
    return ttl
  }

  /** The TTL of records that give none, out of the SOA. */
  soaTtl(line: number, minimum: number): number {
    const ttl = usableTtl(minimum)
    const reason = 'The file has no $TTL. Then the last number of the SOA is the default (RFC 2308 §4).'
    this.noteOnce(line, 'ttl_from_soa', `Records without a TTL get ${ttl} seconds.`, reason)
    return ttl
  }

  /** The TTL of records that give none, in a file that has none for them. */
  usualTtl(line: number, ttl: number): number {
    this.noteOnce(line, 'ttl_usual', `Records without a TTL get ${ttl} seconds.`, 'The file gives no TTL for them.')
    return ttl
  }
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
  carriage_return: ['A carriage return alone was read as the end of a line.', 'Old Mac programs end lines like this.'],
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
    'Word processors put them in the place of `"`.',
  ],
}
