import { DnsFault, type FaultCode, quoteInput } from './faults.ts'
import { readGenerate } from './generate.ts'
import { type DomainName, isWithin, parseName } from './name.ts'
import { parseRdataTokens } from './rdata.ts'
import type { ResourceRecord } from './rrset.ts'
import { maxTtl, parseTtl } from './ttl.ts'
import { parseType, type RrType } from './type.ts'
import { type Entry, type Token, ZoneLexer } from './zone-lexer.ts'

/** What is wrong with one line of a zone file; lines count from 1. */
export interface ZoneFileFault {
  readonly line: number
  readonly code: FaultCode
  readonly message: string
}

export interface ZoneFileOptions {
  /** The zone: what relative names are completed with at first, and what every record must belong to. */
  readonly origin: DomainName
  /** TTL in seconds for records before any `$TTL` or TTL of their own. */
  readonly defaultTtl?: number | undefined
  /** Faults after which reading stops with a last one, `too_many_faults`; 1000 by default. */
  readonly maxFaults?: number | undefined
}

export interface ZoneFile {
  readonly records: (ResourceRecord & { readonly line: number })[]
  readonly faults: ZoneFileFault[]
  /** The `$ORIGIN` in force at the end. */
  readonly origin: DomainName
}

const defaultMaxFaults = 1000

/**
 * Reads a zone file (RFC 1035 §5, RFC 2308 §4) and reports every fault with its line; never throws.
 *
 * `$INCLUDE` is a fault, `$GENERATE` is carried out, `TTL` and `IN` come in either order. A record without a TTL takes that
 * of `$TTL`, else that of the record before it, else `defaultTtl`; without any of them it is a fault.
 */
export function parseZoneFile(text: string, options: ZoneFileOptions): ZoneFile {
  const reader = new ZoneFileReader(options)
  // A byte order mark is no part of the first name.
  const lexer = new ZoneLexer(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text)
  const maxFaults = options.maxFaults ?? defaultMaxFaults
  for (;;) {
    try {
      const entry = lexer.next()
      if (entry === undefined) break
      reader.read(entry)
    } catch (fault) {
      if (!(fault instanceof DnsFault)) throw fault
      reader.faults.push({ line: lexer.line, code: fault.code, message: fault.message })
      if (reader.faults.length < maxFaults) continue
      reader.faults.push({
        line: lexer.line,
        code: 'too_many_faults',
        message: `Reading stopped after ${maxFaults} faults.`,
      })
      break
    }
  }
  return { records: reader.records, faults: reader.faults, origin: reader.origin }
}

class ZoneFileReader {
  readonly records: (ResourceRecord & { readonly line: number })[] = []
  readonly faults: ZoneFileFault[] = []
  origin: DomainName
  readonly #zone: DomainName
  readonly #fallbackTtl: number | undefined
  #defaultTtl: number | undefined
  #lastTtl: number | undefined
  #owner: DomainName | undefined
  #generated = 0

  constructor(options: ZoneFileOptions) {
    this.origin = options.origin
    this.#zone = options.origin
    this.#fallbackTtl = options.defaultTtl
  }

  read(entry: Entry): void {
    const first = entry.tokens[0]
    if (first !== undefined && !first.quoted && !entry.indented && first.text.startsWith('$')) {
      this.#directive(first.text.toUpperCase(), entry)
    } else {
      this.#record(entry, entry.tokens)
    }
  }

  #directive(directive: string, entry: Entry): void {
    const [, value, extra] = entry.tokens
    switch (directive) {
      case '$ORIGIN':
      case '$TTL':
        if (value === undefined || extra !== undefined) {
          throw new DnsFault('bad_syntax', `${directive} needs one value, such as ${example[directive]}.`)
        }
        if (directive === '$ORIGIN') this.origin = parseName(value.text, this.origin)
        else this.#defaultTtl = ttlOf(value.text)
        return
      case '$GENERATE':
        for (const tokens of readGenerate(entry.tokens.slice(1))) {
          if (++this.#generated > maxGenerated) {
            throw new DnsFault('bad_syntax', `$GENERATE makes more than ${maxGenerated} records in this file.`)
          }
          this.#record({ ...entry, indented: false }, tokens)
        }
        return
      case '$INCLUDE':
        throw new DnsFault('unsupported_directive', '$INCLUDE is not supported: put the contents of that file here.')
      default:
        throw new DnsFault('unsupported_directive', `${quoteInput(directive)} is not a directive of zone files.`)
    }
  }

  #record(entry: Entry, tokens: readonly Token[]): void {
    let at = 0
    if (!entry.indented) {
      // An owner that cannot be read must not leave its lines below to the owner before it.
      this.#owner = undefined
      this.#owner = parseName(tokens[0]?.text ?? '', this.origin)
      at = 1
    }
    const { ttl, type, next } = readHead(tokens, at)
    if (this.#owner === undefined)
      throw new DnsFault('bad_name', 'The record has no owner name, and none before it to take.')
    const name = this.#owner
    if (!isWithin(name, this.#zone))
      throw new DnsFault('out_of_zone', `${name} does not belong to the zone ${this.#zone}`)
    if (ttl !== undefined) this.#lastTtl = ttl
    const data = parseRdataTokens(type, tokens, next, this.origin)
    this.records.push({ name, type, ttl: this.#ttl(ttl), data, line: entry.line })
  }

  #ttl(own: number | undefined): number {
    const ttl = own ?? this.#defaultTtl ?? this.#lastTtl ?? this.#fallbackTtl
    if (ttl !== undefined) return ttl
    throw new DnsFault('bad_ttl', 'The record has no TTL: give it one, or put a $TTL line above.')
  }
}

const example = { $ORIGIN: '`example.com.`', $TTL: '`3600`' } as const

/** Most records that all `$GENERATE` lines of a file make together: a few bytes must not ask for millions. */
const maxGenerated = 100_000

/** The TTL, class and type in front of the data, from `at` on; `next` is where the data begins. */
function readHead(tokens: readonly Token[], at: number): { ttl: number | undefined; type: RrType; next: number } {
  let ttl: number | undefined
  let hasClass = false
  for (let next = at; next < tokens.length; next++) {
    const text = tokens[next]?.text ?? ''
    if (!hasClass && isClass(text)) {
      hasClass = true
    } else if (ttl === undefined && /^\d/.test(text)) {
      ttl = ttlOf(text)
    } else {
      return { ttl, type: parseType(text), next: next + 1 }
    }
  }
  throw new DnsFault('bad_syntax', 'The record has no type.')
}

function isClass(text: string): boolean {
  const upper = text.toUpperCase()
  if (upper === 'IN' || upper === 'CLASS1') return true
  if (/^(?:CH|HS|CS|CHAOS|HESIOD|NONE|CLASS\d+)$/.test(upper)) {
    throw new DnsFault('bad_class', `Only the class IN is served, not ${upper}.`)
  }
  return false
}

function ttlOf(text: string): number {
  const ttl = parseTtl(text)
  if (ttl !== undefined && ttl <= maxTtl) return ttl
  throw new DnsFault('bad_ttl', `${quoteInput(text)} is no TTL: seconds from 0 to ${maxTtl}, or such as \`1h30m\`.`)
}
