import { DnsFault, type FaultCode } from './faults.ts'
import {
  closesCurly,
  curlyQuotes,
  isInvisible,
  isLineSeparator,
  isOddSpace,
  opensCurly,
  withoutInvisible,
} from './odd-characters.ts'

/** A word of a zone file (RFC 1035 §5.1), with unchanged escapes and without the quotes around it. */
export interface Token {
  readonly text: string
  /** Whether the whole word was in quotes. `key="value"` was not, and keeps its quotes. */
  readonly quoted: boolean
}

/** One entry: a line, or several lines that are joined by parentheses or quotes. */
export interface Entry {
  /** Line of the first word, from 1. */
  readonly line: number
  /** Whether the line began with white space, so that the previous owner name applies. */
  readonly indented: boolean
  /** All words, or at least more than any data has (`maxDataWords`). */
  readonly tokens: readonly Token[]
  /** The beginning of the comment that ends the entry. Only in lenient reading. */
  readonly comment?: string | undefined
  /** Whether that comment follows an unquoted word without a space, as in `k=rsa;p=x`. Then it is most likely not a comment. */
  readonly isCut?: boolean | undefined
}

/** What lenient reading skips or replaces. */
export type OddText = 'carriage_return' | 'odd_space' | 'invisible_character' | 'curly_quotes'

/** Options for reading pasted text, or text of a system with its own rules. */
export interface LenientText {
  /** White space at the beginning of every line, which is skipped. */
  readonly indent: string
  readonly note: (line: number, what: OddText) => void
}

/** The maximum number of words of data: it has at most 65535 bytes, and each hexadecimal word may be half a byte. */
export const maxDataWords = 2 * 65_535
/** The number of words of an entry that are kept: those before the data, and more than data can have. One line must not fill the memory. */
const maxTokens = maxDataWords + 8

/** Limits of one entry, from its first line to the end of its last. */
export interface EntryLimits {
  readonly characters: number
  readonly words: number
}

/** Reading an entry takes a few milliseconds. The export of the largest rrset that may be written, a TXT of 21,333 empty strings, can be read. */
export const entryLimits: EntryLimits = { characters: 128 * 1024, words: 22_000 }

/** Whether a word contains a quotation mark that is not escaped. */
export function hasBareQuote(text: string): boolean {
  return text.includes('"') && text.replace(/\\./gs, '').includes('"')
}

const tab = 0x09
const newline = 0x0a
const carriageReturn = 0x0d
const space = 0x20
const quote = 0x22
const open = 0x28
const close = 0x29
const semicolon = 0x3b
const backslash = 0x5c
const ascii = 0x7f

/** A text whose first line ends with a typographic quotation mark. */
const endsCurly = new RegExp(`^[^\\r\\n]*[${curlyQuotes}][ \\t]*(?:;[^\\r\\n]*)?[\\r\\n]`)

/** Characters of a comment that are kept: an ALIAS with the longest names, whose every byte may be an escape. */
const commentCharacters = 1_500

/**
 * Splits zone-file text into entries. After a fault, it continues on the line after the one on which the entry began. A fault costs at most as much
 * as one entry (`EntryLimits`).
 */
export class ZoneLexer {
  /** The line on which the last entry or fault began, from 1. */
  line = 0
  readonly #text: string
  readonly #limits: EntryLimits
  readonly #lenient: LenientText | undefined
  readonly #lineEnds: LineEnds | undefined
  #at = 0
  #nextLine = 1
  /** Where the entry that is being read must have ended. */
  #mostAt = 0

  /** `lenient`: a lone carriage return ends a line, and spaces, quotation marks and invisible characters of Unicode are read as meant. */
  constructor(text: string, limits = entryLimits, lenient?: LenientText) {
    this.#text = text
    this.#limits = limits
    this.#lenient = lenient
    this.#lineEnds = lenient && new LineEnds(text)
  }

  /** The line that is read next, from 1. */
  get nextLine(): number {
    return this.#nextLine
  }

  /**
   * Returns the next entry with at least one word, or `undefined` at the end.
   *
   * @throws DnsFault `bad_syntax`, `too_large`; the next call continues after it
   */
  next(): Entry | undefined {
    for (;;) {
      const entry = this.step()
      if (entry === undefined || entry.tokens.length > 0) return entry
    }
  }

  /** The same, but the next entry may have no words, because a text may have long runs of comments and empty lines. */
  step(): Entry | undefined {
    return this.#at < this.#text.length ? this.#entry() : undefined
  }

  #entry(): Entry {
    const text = this.#text
    const start = this.#at
    const line = this.#nextLine
    this.line = line
    const lenient = this.#lenient
    if (lenient !== undefined && lenient.indent !== '') this.#at += this.#indentAt(start, lenient.indent)
    const first = text.charCodeAt(this.#at)
    const indented = first === space || first === tab || (lenient !== undefined && isOddSpace(first))
    const tokens: Token[] = []
    let firstTokenLine = line
    let depth = 0
    let commentAt: number | undefined
    this.#mostAt = start + this.#limits.characters
    while (this.#at < text.length) {
      const code = text.charCodeAt(this.#at)
      if ((commentAt ?? this.#at) > this.#mostAt) this.#refuseLong(start, line)
      if (code === newline || (code === carriageReturn && lenient !== undefined && isLoneReturn(text, this.#at))) {
        if (code === carriageReturn) lenient?.note(this.#nextLine, 'carriage_return')
        this.#at++
        this.#nextLine++
        if (depth === 0) return this.#entryOf({ line: firstTokenLine, indented, tokens }, commentAt)
      } else if (code === space || code === tab || code === carriageReturn) {
        this.#at++
      } else if (code === semicolon) {
        // A comment that ends the entry may have any length.
        if (depth === 0) commentAt = this.#at
        this.#at = this.#lineEnd(this.#at)
      } else if (code === open || code === close) {
        this.#at++
        depth += code === open ? 1 : -1
        if (depth > 1) this.#refuse(start, line, 'A second parenthesis is opened before the first is closed.')
        if (depth < 0) this.#refuse(start, line, 'There is a closing parenthesis without an opening one.')
      } else if (code > ascii && lenient !== undefined && this.#skipOdd(code, start, line)) {
        this.#at++
      } else {
        if (tokens.length === 0) {
          firstTokenLine = this.#nextLine
          this.line = firstTokenLine
        }
        const token =
          code === quote
            ? this.#quoted(start, line)
            : lenient !== undefined && opensCurly(code)
              ? this.#curlyQuoted(lenient, start, line)
              : this.#word(start, line)
        if (tokens.length >= this.#limits.words) this.#refuseLong(start, line)
        if (tokens.length < maxTokens) tokens.push(token)
      }
    }
    if ((commentAt ?? this.#at) > this.#mostAt) this.#refuseLong(start, line)
    if (depth > 0) this.#refuse(start, line, 'A parenthesis is opened here and never closed.')
    return this.#entryOf({ line: firstTokenLine, indented, tokens }, commentAt)
  }

  /** How many characters of the common indentation a line has. An empty line may lack its trailing white space. */
  #indentAt(start: number, indent: string): number {
    if (this.#text.startsWith(indent, start)) return indent.length
    const marks = indent.trimEnd()
    return this.#text.startsWith(marks, start) ? marks.length : 0
  }

  #entryOf(entry: Entry, commentAt: number | undefined): Entry {
    if (this.#lenient === undefined || commentAt === undefined) return entry
    const before = this.#text.charCodeAt(commentAt - 1)
    const isApart = before <= space || before === open || before === close || isOddSpace(before)
    const comment = this.#text.slice(commentAt, Math.min(this.#at, commentAt + commentCharacters)).trimEnd()
    return { ...entry, comment, isCut: !isApart && entry.tokens.at(-1)?.quoted === false }
  }

  /** The end of the line that `from` is on. */
  #lineEnd(from: number): number {
    if (this.#lineEnds !== undefined) return this.#lineEnds.next(from)
    const end = this.#text.indexOf('\n', from)
    return end === -1 ? this.#text.length : end
  }

  /** Whether a character outside ASCII is skipped between words. */
  #skipOdd(code: number, entryStart: number, entryLine: number): boolean {
    if (isLineSeparator(code)) this.#refuseSeparator(entryStart, entryLine)
    const what = isOddSpace(code) ? 'odd_space' : isInvisible(code) ? 'invisible_character' : undefined
    if (what !== undefined) this.#lenient?.note(this.#nextLine, what)
    return what !== undefined
  }

  #refuseSeparator(entryStart: number, entryLine: number): never {
    const message = 'There is a Unicode line separator in this line. Put an ordinary line end in its place.'
    return this.#refuse(entryStart, entryLine, message)
  }

  /** A text in typographic quotation marks, which must end on its line. */
  #curlyQuoted(lenient: LenientText, entryStart: number, entryLine: number): Token {
    const from = this.#at + 1
    const end = this.#lineEnd(from)
    for (let at = from; at < end; at++) {
      if (at > this.#mostAt) this.#refuseLong(entryStart, entryLine)
      const code = this.#text.charCodeAt(at)
      if (code === backslash) at++
      else if (closesCurly(code)) {
        lenient.note(this.#nextLine, 'curly_quotes')
        this.#at = at + 1
        return { text: this.#text.slice(from, at), quoted: true }
      }
    }
    const message = 'A typographic quotation mark is opened here and not closed on this line. Use `"` on both sides.'
    return this.#refuse(entryStart, entryLine, message)
  }

  #quoted(entryStart: number, entryLine: number): Token {
    const from = this.#at + 1
    this.#at = this.#closingQuote(from, entryStart, entryLine) + 1
    const text = this.#text.slice(from, this.#at - 1)
    // The text would continue up to the next `"` further down.
    if (this.#lenient !== undefined && endsCurly.test(text)) {
      const message = 'The text begins with `"` and ends with a typographic quotation mark. Use `"` on both sides.'
      this.#refuse(entryStart, entryLine, message)
    }
    return { text, quoted: true }
  }

  #word(entryStart: number, entryLine: number): Token {
    const text = this.#text
    const from = this.#at
    let hasInvisible = false
    while (this.#at < text.length) {
      const code = text.charCodeAt(this.#at)
      if (code === backslash) {
        // An escaped line end would hide it from the count of lines.
        this.#at += text.charCodeAt(this.#at + 1) === newline ? 1 : 2
        if (this.#at > this.#mostAt) this.#refuseLong(entryStart, entryLine)
        continue
      }
      if (code <= space && (code === space || code === tab || code === newline || code === carriageReturn)) break
      if (code === semicolon || code === open || code === close) break
      if (code > ascii && this.#lenient !== undefined) {
        if (isOddSpace(code)) break
        if (isLineSeparator(code)) this.#refuseSeparator(entryStart, entryLine)
        if (isInvisible(code)) hasInvisible = true
      }
      if (code === quote) this.#at = this.#closingQuote(this.#at + 1, entryStart, entryLine)
      this.#at++
      if (this.#at > this.#mostAt) this.#refuseLong(entryStart, entryLine)
    }
    this.#at = Math.min(this.#at, text.length)
    const word = text.slice(from, this.#at)
    if (!hasInvisible) return { text: word, quoted: false }
    this.#lenient?.note(this.#nextLine, 'invisible_character')
    return { text: withoutInvisible(word), quoted: false }
  }

  #closingQuote(from: number, entryStart: number, entryLine: number): number {
    const text = this.#text
    for (let at = from; at < text.length; at++) {
      if (at > this.#mostAt) this.#refuseLong(entryStart, entryLine)
      const code = text.charCodeAt(at)
      if (code === quote) return at
      if (code === backslash) at++
      if (text.charCodeAt(at) === newline) this.#nextLine++
    }
    return this.#refuse(entryStart, entryLine, 'A quotation mark is opened here and never closed.')
  }

  #refuseLong(entryStart: number, entryLine: number): never {
    const { characters, words } = this.#limits
    const message = `An entry may have at most ${characters / 1024} KiB and ${words} words. This one has more, or its parenthesis or quote is not closed.`
    return this.#refuse(entryStart, entryLine, message, 'too_large')
  }

  #refuse(entryStart: number, entryLine: number, message: string, code: FaultCode = 'bad_syntax'): never {
    this.#at = Math.min(this.#lineEnd(entryStart) + 1, this.#text.length)
    this.#nextLine = entryLine + 1
    throw new DnsFault(code, message)
  }
}

/** Finds line ends, including lone carriage returns. */
class LineEnds {
  readonly #text: string
  readonly #feeds: Finder
  readonly #returns: Finder

  constructor(text: string) {
    this.#text = text
    this.#feeds = new Finder(text, '\n')
    this.#returns = new Finder(text, '\r')
  }

  /** Where the line ends that `from` is on. */
  next(from: number): number {
    const end = this.#feeds.next(from)
    for (let at = this.#returns.next(from); at < end; at = this.#returns.next(at + 1)) {
      if (isLoneReturn(this.#text, at)) return at
    }
    return end
  }
}

/** Whether a carriage return is the whole end of a line. Some editors write two of them before the line feed. */
function isLoneReturn(text: string, at: number): boolean {
  const next = text.charCodeAt(at + 1)
  return next !== newline && !(next === carriageReturn && text.charCodeAt(at + 2) === newline)
}

/** Finds one character repeatedly. A text without any is searched only once. */
class Finder {
  readonly #text: string
  readonly #wanted: string
  #from = 0
  #found = -1

  constructor(text: string, wanted: string) {
    this.#text = text
    this.#wanted = wanted
  }

  /** The index of the next one at or after `from`; the length of the text if there is none. */
  next(from: number): number {
    if (from >= this.#from && from <= this.#found) return this.#found
    const found = this.#text.indexOf(this.#wanted, from)
    this.#from = from
    this.#found = found === -1 ? this.#text.length : found
    return this.#found
  }
}
