import { DnsFault, type FaultCode } from './faults.ts'

/** A word of a zone file (RFC 1035 §5.1), its escapes untouched and the quotes around it removed. */
export interface Token {
  readonly text: string
  /** Whether it stood in quotes as a whole; `key="value"` did not, and keeps its quotes. */
  readonly quoted: boolean
}

/** One entry: a line, or several held together by parentheses or quotes. */
export interface Entry {
  /** Line of the first word, from 1. */
  readonly line: number
  /** Whether the line began with white space, so that the owner name is carried over. */
  readonly indented: boolean
  /** All of them, or so many that no data has as many (`maxDataWords`). */
  readonly tokens: readonly Token[]
}

/** No data has more words: it has 65535 bytes at most, and each word of hexadecimal may be half of one. */
export const maxDataWords = 2 * 65_535
/** Words of an entry that are kept: those before the data, and more than this may have. One line must not fill the memory. */
const maxTokens = maxDataWords + 8

/** Limits of one entry, from its first line to the end of its last. */
export interface EntryLimits {
  readonly characters: number
  readonly words: number
}

/** Reading an entry takes some milliseconds at most. */
export const entryLimits: EntryLimits = { characters: 128 * 1024, words: 32 * 1024 }

/** Whether a word has a quotation mark in it that is not escaped. */
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

/**
 * Cuts zone-file text into entries. After a fault, it continues on the line after the one on which the entry began. A fault costs at most as
 * much as one entry (`EntryLimits`).
 */
export class ZoneLexer {
  /** Line that the last entry or fault began on, from 1. */
  line = 0
  readonly #text: string
  readonly #limits: EntryLimits
  #at = 0
  #nextLine = 1
  /** Where the entry that is being read must have ended. */
  #mostAt = 0

  constructor(text: string, limits = entryLimits) {
    this.#text = text
    this.#limits = limits
  }

  /**
   * The next entry with at least one word, or `undefined` at the end.
   *
   * @throws DnsFault `bad_syntax`, `too_large`; calling again goes on after it
   */
  next(): Entry | undefined {
    for (;;) {
      const entry = this.step()
      if (entry === undefined || entry.tokens.length > 0) return entry
    }
  }

  /** The same, but the next entry may have no words: a text may be nothing but comments and empty lines for long. */
  step(): Entry | undefined {
    return this.#at < this.#text.length ? this.#entry() : undefined
  }

  #entry(): Entry {
    const text = this.#text
    const start = this.#at
    const line = this.#nextLine
    this.line = line
    const first = text.charCodeAt(start)
    const indented = first === space || first === tab
    const tokens: Token[] = []
    let firstTokenLine = line
    let depth = 0
    let commentAt: number | undefined
    this.#mostAt = start + this.#limits.characters
    while (this.#at < text.length) {
      const code = text.charCodeAt(this.#at)
      if ((commentAt ?? this.#at) > this.#mostAt) this.#refuseLong(start, line)
      if (code === newline) {
        this.#at++
        this.#nextLine++
        if (depth === 0) return { line: firstTokenLine, indented, tokens }
      } else if (code === space || code === tab || code === carriageReturn) {
        this.#at++
      } else if (code === semicolon) {
        // One that ends the entry may be of any length.
        if (depth === 0) commentAt = this.#at
        const end = text.indexOf('\n', this.#at)
        this.#at = end === -1 ? text.length : end
      } else if (code === open || code === close) {
        this.#at++
        depth += code === open ? 1 : -1
        if (depth > 1) this.#refuse(start, line, 'A second parenthesis is opened before the first is closed.')
        if (depth < 0) this.#refuse(start, line, 'There is a closing parenthesis without an opening one.')
      } else {
        if (tokens.length === 0) {
          firstTokenLine = this.#nextLine
          this.line = firstTokenLine
        }
        const token = code === quote ? this.#quoted(start, line) : this.#word(start, line)
        if (tokens.length >= this.#limits.words) this.#refuseLong(start, line)
        if (tokens.length < maxTokens) tokens.push(token)
      }
    }
    if ((commentAt ?? this.#at) > this.#mostAt) this.#refuseLong(start, line)
    if (depth > 0) this.#refuse(start, line, 'A parenthesis is opened here and never closed.')
    return { line: firstTokenLine, indented, tokens }
  }

  #quoted(entryStart: number, entryLine: number): Token {
    const from = this.#at + 1
    this.#at = this.#closingQuote(from, entryStart, entryLine) + 1
    return { text: this.#text.slice(from, this.#at - 1), quoted: true }
  }

  #word(entryStart: number, entryLine: number): Token {
    const text = this.#text
    const from = this.#at
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
      if (code === quote) this.#at = this.#closingQuote(this.#at + 1, entryStart, entryLine)
      this.#at++
      if (this.#at > this.#mostAt) this.#refuseLong(entryStart, entryLine)
    }
    this.#at = Math.min(this.#at, text.length)
    return { text: text.slice(from, this.#at), quoted: false }
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
    const end = this.#text.indexOf('\n', entryStart)
    this.#at = end === -1 ? this.#text.length : end + 1
    this.#nextLine = entryLine + 1
    throw new DnsFault(code, message)
  }
}
