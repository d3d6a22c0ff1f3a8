import { DnsFault, quoteInput } from './faults.ts'
import type { DomainName } from './name.ts'
import { hasBareQuote, type Token } from './zone-lexer.ts'

/** A domain name in record data, and how it was written. */
export interface WrittenName {
  readonly text: string
  readonly name: DomainName
}

/** How names of two or more labels without a final dot are read: relative as in zone files, or absolute as in forms. */
export type DottedNames = 'relative' | 'absolute'

/** How the domain names of a record's data are read. */
export interface NameReading {
  /** Each name that is read is added here, if it is set. */
  readonly names?: WrittenName[] | undefined
  /** `relative` by default. */
  readonly dotted?: DottedNames | undefined
  /** Keeps the case of names if signatures cover it (RFC 6840 §5.1). By default, all names are in lower case. */
  readonly keepsCase?: boolean | undefined
}

/** The words of one record's data. The fields of its type read them from left to right. */
export class Words {
  /** Completes relative names. Without it, they are refused. */
  readonly origin: DomainName | undefined
  readonly reading: NameReading
  readonly #tokens: readonly Token[]
  #at: number

  constructor(tokens: readonly Token[], at: number, origin: DomainName | undefined, reading: NameReading = {}) {
    this.#tokens = tokens
    this.#at = at
    this.origin = origin
    this.reading = reading
  }

  get left(): number {
    return this.#tokens.length - this.#at
  }

  /** @throws DnsFault `bad_rdata` if there is none left */
  next(): Token {
    const token = this.#tokens[this.#at]
    if (token === undefined) throw new DnsFault('bad_rdata', 'a value is missing')
    this.#at++
    return token
  }

  /** The text of the next word, without consuming it. */
  peek(): string | undefined {
    return this.#tokens[this.#at]?.text
  }

  /** The text of the next word, which must not be quoted or contain quotes. */
  plain(): string {
    const token = this.next()
    if (token.quoted || hasBareQuote(token.text)) {
      throw new DnsFault('bad_rdata', `${quoteInput(token.text)} must not be quoted`)
    }
    return token.text
  }

  /** The texts of all remaining words, joined without spaces (hexadecimal and base 64 may contain spaces anywhere). */
  glued(): string {
    const parts: string[] = []
    while (this.left > 0) parts.push(this.plain())
    return parts.join('')
  }
}
