import { DnsFault, quoteInput } from './faults.ts'
import { readGenerate } from './generate.ts'
import { type DomainName, isWithin, parseName } from './name.ts'
import { foreignOwnerFault, unescapedFault } from './owner-name.ts'
import { parseRdataTokens } from './rdata.ts'
import type { RecordData } from './rdata-wire.ts'
import type { RecordFault } from './record-rules.ts'
import { relativeNames } from './relative-name.ts'
import { targetFault } from './target.ts'
import { areUnquotedStrings, unquotedWarning } from './text-strings.ts'
import { maxTtl, parseTtl } from './ttl.ts'
import { parseType, type RrType } from './type.ts'
import type { WrittenName } from './words.ts'
import type { LocatedRecord, NewFault, ZoneFileFault, ZoneFileOptions, ZoneFileWarning } from './zone-file.ts'
import type { Entry, Token } from './zone-lexer.ts'

/** Reads the entries of a zone file one after the other: what each says depends on those before it (RFC 1035 §5.1). */
export class ZoneFileReader {
  readonly records: LocatedRecord[] = []
  readonly faults: ZoneFileFault[] = []
  readonly warnings: ZoneFileWarning[] = []
  origin: DomainName
  readonly #zone: DomainName
  readonly #fallbackTtl: number | undefined
  /** Of the last entry that named one; none before the first, and after one that cannot be used. */
  #owner: DomainName | undefined
  #isOwnerFaultTold = false
  #defaultTtl: number | undefined
  #lastTtl: number | undefined
  #isTtlFaultTold = false
  #generated = 0
  #generatedCharacters = 0
  /** How many records of each name and type were read; counted only where there may not be any number of them. */
  readonly #rrsets = new Map<string, number>()
  /** What was warned of, for each code: names, or else lines. */
  readonly #warned = new Map<ZoneFileWarning['code'], Set<string | number>>()
  readonly #maxRrsets: number
  readonly #maxRecordsEach: number

  constructor(options: ZoneFileOptions) {
    this.origin = options.origin
    this.#zone = options.origin
    this.#fallbackTtl = options.defaultTtl
    this.#maxRrsets = options.maxRrsets ?? Infinity
    this.#maxRecordsEach = options.maxRecordsEach ?? Infinity
  }

  /** Are there more rrsets than there may be? */
  get hasTooMany(): boolean {
    return this.#rrsets.size > this.#maxRrsets
  }

  /** Reads one entry, with a pause after each record of several. Faults are noted; it never throws. */
  *read(entry: Entry): Generator<undefined, void> {
    const first = entry.tokens[0]
    const isDirective = first !== undefined && !first.quoted && !entry.indented && first.text.startsWith('$')
    if (!isDirective) {
      this.#record(entry, entry.tokens)
      return
    }
    const directive = first.text.toUpperCase()
    try {
      if (directive === '$GENERATE') yield* this.#generate(entry)
      else this.#carryOut(directive, entry)
    } catch (fault) {
      this.#tell(entry.line, fault)
    }
  }

  /** Takes note of an entry that could not be cut into words. The lines below it must not go to the owner before it. */
  skip(line: number, fault: unknown): void {
    this.#owner = undefined
    this.#isOwnerFaultTold = true
    this.#tell(line, fault)
  }

  #carryOut(directive: string, entry: Entry): void {
    const [, value, extra] = entry.tokens
    switch (directive) {
      case '$ORIGIN':
      case '$TTL':
        // One that cannot be read is told itself, not the records that miss it.
        if (directive === '$TTL') this.#isTtlFaultTold = true
        if (value === undefined || extra !== undefined) {
          throw new DnsFault('bad_syntax', `${directive} needs one value, such as ${example[directive]}.`)
        }
        if (directive === '$ORIGIN') this.origin = parseName(value.text, this.origin)
        else this.#defaultTtl = ttlOf(value.text)
        return
      case '$INCLUDE':
        throw new DnsFault('unsupported_directive', '$INCLUDE is not supported: put the contents of that file here.')
      default:
        throw new DnsFault('unsupported_directive', `${quoteInput(directive)} is not a directive of zone files.`)
    }
  }

  *#generate(entry: Entry): Generator<undefined, void> {
    const characters = entry.tokens.reduce((sum, { text }) => sum + text.length, 0)
    if (characters > maxGenerateCharacters)
      throw new DnsFault('too_large', `A $GENERATE line may have at most ${maxGenerateCharacters / 1024} KiB.`)
    for (const tokens of readGenerate(entry.tokens.slice(1))) {
      if (++this.#generated > maxGenerated)
        throw new DnsFault('bad_syntax', `$GENERATE makes more than ${maxGenerated} records in this file.`)
      for (const { text } of tokens) this.#generatedCharacters += text.length
      if (this.#generatedCharacters > maxGeneratedCharacters)
        throw new DnsFault('bad_syntax', `$GENERATE makes more than ${maxGeneratedCharacters} characters in this file.`)
      // What is wrong with one of its records is wrong with the line.
      if (!this.#record(entry, tokens) || this.hasTooMany) return
      yield
    }
  }

  /** Reads every part of a record, so that all that is wrong with it is told at once. Whether nothing was. */
  #record({ line, indented }: Entry, tokens: readonly Token[]): boolean {
    const toldBefore = this.faults.length
    const ownerText = indented ? undefined : (tokens[0]?.text ?? '')
    if (ownerText === undefined) this.#checkOwner(line)
    else this.#readOwner(line, ownerText)
    const foreign = ownerText === undefined ? undefined : foreignOwnerFault(ownerText)
    const { ttl, type, next } = this.#readHead(line, tokens, indented ? 0 : 1)
    const names: WrittenName[] = []
    const data = type === undefined ? undefined : this.#readData(line, type, tokens, next, names)
    const isGood = this.faults.length === toldBefore
    if (!isGood && foreign !== undefined) {
      // The rest of a comment has many faults.
      this.faults.splice(toldBefore, Infinity, { line, code: 'bad_name', message: foreign.message })
      return false
    }
    const name = this.#owner
    if (!isGood || name === undefined || ttl === undefined || type === undefined || data === undefined) return isGood
    if (this.#isOneTooMany(line, name, type)) return false
    const newFaults = newFaultsOf(foreign, targetFault(type, names, data))
    const relative = relativeNames(names, this.origin)
    this.records.push({
      name,
      type,
      ttl,
      data,
      line,
      ...(newFaults.length > 0 && { newFaults }),
      ...(relative.length > 0 && { relative }),
    })
    const unescaped = ownerText === undefined || foreign !== undefined ? undefined : unescapedFault(ownerText)
    if (unescaped !== undefined) this.#warn(line, name, type, 'unescaped_name', unescaped.message)
    if (areUnquotedStrings(type, tokens, next))
      this.#warn(line, name, type, 'unquoted_text', unquotedWarning(type, tokens.slice(next)))
    return true
  }

  #warn(line: number, name: DomainName, type: RrType, code: ZoneFileWarning['code'], message: string): void {
    const warned = this.#warned.get(code) ?? new Set()
    this.#warned.set(code, warned)
    const about = code === 'unescaped_name' ? name : line
    if (warned.has(about) || warned.size >= maxWarnings) return
    warned.add(about)
    this.warnings.push({ line, name, type, code, message })
  }

  /** Counts a record of an rrset. The first that is one too many is a fault; those after it are passed over. */
  #isOneTooMany(line: number, name: DomainName, type: RrType): boolean {
    if (this.#maxRrsets === Infinity && this.#maxRecordsEach === Infinity) return false
    const rrset = `${name} ${type}`
    const count = (this.#rrsets.get(rrset) ?? 0) + 1
    this.#rrsets.set(rrset, count)
    if (count === this.#maxRecordsEach + 1)
      this.#tell(
        line,
        new DnsFault('too_large', `An rrset has ${this.#maxRecordsEach} records at most; this is one more.`),
      )
    return count > this.#maxRecordsEach
  }

  #readOwner(line: number, text: string): void {
    this.#owner = undefined
    this.#isOwnerFaultTold = true
    try {
      const name = parseName(text, this.origin)
      if (isWithin(name, this.#zone)) this.#owner = name
      else this.#tell(line, new DnsFault('out_of_zone', `${name} does not belong to the zone ${this.#zone}`))
    } catch (fault) {
      this.#tell(line, fault)
    }
  }

  #checkOwner(line: number): void {
    if (this.#owner !== undefined || this.#isOwnerFaultTold) return
    this.#isOwnerFaultTold = true
    this.#tell(line, new DnsFault('bad_name', 'The record has no owner name, and none before it to take.'))
  }

  /** The TTL, class and type in front of the data, from `at` on; `next` is where the data begins. */
  #readHead(line: number, tokens: readonly Token[], at: number) {
    let next = at
    let own: number | undefined
    let hasTtl = false
    let hasClass = false
    for (; next < tokens.length; next++) {
      const text = tokens[next]?.text ?? ''
      if (!hasClass && classForm.test(text)) {
        hasClass = true
        this.#attempt(line, refuseOtherClasses, text)
      } else if (!hasTtl && /^\d/.test(text)) {
        hasTtl = true
        own = this.#attempt(line, ttlOf, text)
      } else {
        break
      }
    }
    const type = this.#attempt(line, typeOf, tokens[next]?.text)
    if (own !== undefined) this.#lastTtl = own
    const ttl = hasTtl || type === undefined ? own : this.#inheritedTtl(line)
    return { ttl, type, next: next + 1 }
  }

  #inheritedTtl(line: number): number | undefined {
    const ttl = this.#defaultTtl ?? this.#lastTtl ?? this.#fallbackTtl
    if (ttl === undefined && !this.#isTtlFaultTold) {
      this.#isTtlFaultTold = true
      this.#tell(line, new DnsFault('bad_ttl', 'The record has no TTL: give it one, or put a $TTL line above.'))
    }
    return ttl
  }

  #readData(
    line: number,
    type: RrType,
    tokens: readonly Token[],
    at: number,
    names: WrittenName[],
  ): RecordData | undefined {
    try {
      return parseRdataTokens(type, tokens, at, this.origin, names)
    } catch (fault) {
      this.#tell(line, fault)
      return undefined
    }
  }

  #attempt<Written, Read>(line: number, read: (written: Written) => Read, written: Written): Read | undefined {
    try {
      return read(written)
    } catch (fault) {
      this.#tell(line, fault)
      return undefined
    }
  }

  /** Notes a fault; what is none is thrown on. */
  #tell(line: number, fault: unknown): void {
    if (!(fault instanceof DnsFault)) throw fault
    this.faults.push({ line, code: fault.code, message: fault.message })
  }
}

/** Warnings of one code that are kept. */
const maxWarnings = 100

function newFaultsOf(owner: RecordFault | undefined, target: RecordFault | undefined): NewFault[] {
  const faults: NewFault[] = []
  if (owner !== undefined) faults.push({ at: 'name', code: 'bad_name', message: owner.message })
  if (target !== undefined) faults.push({ at: 'data', code: 'bad_rdata', message: target.message })
  return faults
}

const example = { $ORIGIN: '`example.com.`', $TTL: '`3600`' } as const

/** The most characters of a `$GENERATE` line: all of it is filled in for each record. */
const maxGenerateCharacters = 16 * 1024
/** Most records that all `$GENERATE` lines of a file make together: a few bytes must not ask for millions. */
const maxGenerated = 100_000
/** Most characters of them together: nor must a long line of text, so often over, fill the memory. */
const maxGeneratedCharacters = 16 * 1024 * 1024

const classForm = /^(?:IN|CH|HS|CS|CHAOS|HESIOD|NONE|CLASS\d+)$/i

function refuseOtherClasses(text: string): void {
  if (/^(?:IN|CLASS0*1)$/i.test(text)) return
  throw new DnsFault('bad_class', `Only the class IN is served, not ${quoteInput(text)}.`)
}

function ttlOf(text: string): number {
  const ttl = parseTtl(text)
  if (ttl !== undefined && ttl <= maxTtl) return ttl
  throw new DnsFault('bad_ttl', `${quoteInput(text)} is not a TTL: seconds from 0 to ${maxTtl}, or such as \`1h30m\`.`)
}

function typeOf(text: string | undefined): RrType {
  if (text === undefined) throw new DnsFault('bad_syntax', 'The record has no type.')
  return parseType(text)
}
