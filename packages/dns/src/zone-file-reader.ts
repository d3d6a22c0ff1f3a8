import type { Dialect, DialectOptions } from './dialects/dialect.ts'
import { foreignType } from './dialects/foreign-type.ts'
import { isClassWord } from './dns-class.ts'
import { DnsFault, type FaultCode, quoteInput, type RecordFault } from './faults.ts'
import { readGenerate } from './generate.ts'
import { type DomainName, isWithin, parseName, rootName } from './name.ts'
import { foreignOwnerFault, unescapedFault } from './owner-name.ts'
import { parseRdataTokens } from './rdata.ts'
import type { RecordData } from './rdata-wire.ts'
import { type RelativeName, relativeNames } from './relative-name.ts'
import type { ResourceRecord } from './rrset.ts'
import { soaFromRdata } from './soa.ts'
import { targetFault } from './target.ts'
import { areUnquotedStrings, unquotedWarning } from './text-strings.ts'
import { maxTtl, parseTtl } from './ttl.ts'
import { asType, isType, parseType, RrType, typeToText } from './type.ts'
import type { WrittenName } from './words.ts'
import type { Entry, Token } from './zone-lexer.ts'

/** What is wrong with one line of a zone file; lines count from 1. */
export interface ZoneFileFault {
  readonly line: number
  readonly code: FaultCode
  readonly message: string
}

export interface ZoneFileOptions {
  /** The zone. It is the initial origin of relative names, and every record must belong to it. */
  readonly origin: DomainName
  /** TTL in seconds for records without a TTL before the first `$TTL` or explicit TTL. */
  readonly defaultTtl?: number | undefined
  /** Faults after which reading stops with a last one, `too_many_faults`; 100 by default. */
  readonly maxFaults?: number | undefined
  /** Maximum number of rrsets. With one more, reading stops. Unlimited by default. */
  readonly maxRrsets?: number | undefined
  /** Maximum number of records of one rrset. The first record above it is the fault `too_large`, and none above it is kept. Unlimited by default. */
  readonly maxRecordsEach?: number | undefined
  /** Keep the case of names in record data if signatures cover it (RFC 6840 §5.1). By default, all names are in lower case. */
  readonly keepsCase?: boolean | undefined
  /** Also read the dialects of other systems, and list what was adapted and ignored. Otherwise, everything that is not standard is a fault. */
  readonly dialects?: DialectOptions | undefined
}

/** A record with the line that its entry begins on. */
export type LocatedRecord = ResourceRecord & {
  readonly line: number
  /** Faults that hold unless the zone already has the name or data: an owner name that looks like a comment, a target that is an address. */
  readonly newFaults?: readonly NewFault[]
  /** The relative names of two or more labels in its data, if there are any. */
  readonly relative?: readonly RelativeName[]
  /** An ALIAS from a comment of an export: the A and AAAA records at its name are what it published. */
  readonly isExportedAlias?: true
}

/** A fault in an owner name or data, which counts only if the zone does not already have them. */
export interface NewFault {
  readonly at: 'name' | 'data'
  readonly code: FaultCode
  readonly message: string
}

/** Something in a line that is allowed but probably a mistake. */
export interface ZoneFileWarning {
  readonly line: number
  readonly name: DomainName
  readonly type: RrType
  readonly code: 'unescaped_name' | 'needless_escape' | 'unquoted_text' | 'line_end_in_text'
  readonly message: string
}

/** Reads the entries of a zone file one after the other: what each says depends on those before it (RFC 1035 §5.1). */
export class ZoneFileReader {
  readonly records: LocatedRecord[] = []
  readonly faults: ZoneFileFault[] = []
  readonly warnings: ZoneFileWarning[] = []
  origin: DomainName
  /** The name of the SOA outside the zone, or of the first record outside it: most likely the zone of the file. */
  otherZone: DomainName | undefined
  readonly #dialect: Dialect | undefined
  readonly #zone: DomainName
  readonly #fallbackTtl: number | undefined
  readonly #keepsCase: boolean | undefined
  /** The owner name of the last entry that has one; none before the first one, and after an unusable one. */
  #owner: DomainName | undefined
  #isOwnerFaultTold = false
  /** The last owner name, if it is not in the zone and records of such names are ignored. */
  #outside: DomainName | undefined
  /** Whether the last owner name is that of the SOA, without its final dot. */
  #isSoaOwnerMended = false
  #defaultTtl: number | undefined
  #lastTtl: number | undefined
  /** The minimum of the SOA. `#prefersSoaTtl`: it takes precedence over the TTL of the preceding record. */
  #soaTtl: number | undefined
  readonly #prefersSoaTtl: boolean
  #isTtlFaultTold = false
  #generated = 0
  #generatedCharacters = 0
  /** The number of records of each name and type; counted only if there is a limit. */
  readonly #rrsets = new Map<string, number>()
  /** The names or lines that already have a warning, by code. */
  readonly #warned = new Map<ZoneFileWarning['code'], Set<string | number>>()
  readonly #maxRrsets: number
  readonly #maxRecordsEach: number

  constructor(options: ZoneFileOptions, dialect?: Dialect, prefersSoaTtl = false) {
    this.#dialect = dialect
    this.#prefersSoaTtl = prefersSoaTtl
    this.origin = options.origin
    this.#zone = options.origin
    this.#fallbackTtl = options.defaultTtl
    this.#keepsCase = options.keepsCase
    this.#maxRrsets = options.maxRrsets ?? Infinity
    this.#maxRecordsEach = options.maxRecordsEach ?? Infinity
  }

  /** Whether there are more rrsets than allowed. */
  get hasTooMany(): boolean {
    return this.#rrsets.size > this.#maxRrsets
  }

  /** Reads one entry, with a pause after each record of several. Faults are noted; it never throws. */
  *read(written: Entry): Generator<undefined, void> {
    const entry = this.#dialect ? this.#dialect.entry(written) : written
    if (entry === undefined) return
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

  /** Reads the ALIAS in a comment, as exports write it (`aliasComment`). The lines around it are read as if it were not there. */
  readComment({ line, comment }: Entry): void {
    const words = exportedAlias.exec(comment ?? '')
    if (words === null || this.#dialect === undefined) return
    const [, ttl = '', name = '', target = ''] = words
    const tokens = [name, ttl, typeToText(RrType.ALIAS), target].map((text) => ({ text, quoted: false }))
    const before = {
      owner: this.#owner,
      outside: this.#outside,
      isOwnerFaultTold: this.#isOwnerFaultTold,
      isSoaOwnerMended: this.#isSoaOwnerMended,
      lastTtl: this.#lastTtl,
    }
    const count = this.records.length
    this.#record({ line, indented: false, tokens }, tokens)
    const [record] = this.records.splice(count)
    if (record !== undefined) this.records.push({ ...record, isExportedAlias: true })
    this.#owner = before.owner
    this.#outside = before.outside
    this.#isOwnerFaultTold = before.isOwnerFaultTold
    this.#isSoaOwnerMended = before.isSoaOwnerMended
    this.#lastTtl = before.lastTtl
  }

  /** Records an entry that could not be split into words. The lines after it must not belong to the previous owner. */
  skip(line: number, fault: unknown): void {
    this.#owner = undefined
    this.#outside = undefined
    this.#isOwnerFaultTold = true
    this.#tell(line, fault)
  }

  #carryOut(directive: string, entry: Entry): void {
    const [, value, extra] = entry.tokens
    switch (directive) {
      case '$ORIGIN':
      case '$TTL':
        // If it cannot be read, that is the only fault: the records that need it have none.
        if (directive === '$TTL') this.#isTtlFaultTold = true
        if (value === undefined || extra !== undefined) {
          throw new DnsFault('bad_syntax', `${directive} needs one value, such as ${example[directive]}.`)
        }
        if (directive === '$TTL') this.#defaultTtl = this.#ttlOf(entry.line, value.text)
        else {
          const text = this.#dialect?.origin(entry.line, value.text, this.#zone) ?? value.text
          this.origin = parseName(text, this.origin)
        }
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
      // One faulty record is a fault of the whole line.
      if (!this.#record(entry, tokens) || this.hasTooMany) return
      yield
    }
  }

  /** Reads every part of a record, so that all its faults are reported at once. Returns whether there were none. */
  #record(entry: Entry, written: readonly Token[]): boolean {
    const { line, indented } = entry
    const toldBefore = this.faults.length
    const ownerText = indented ? undefined : (written[0]?.text ?? '')
    if (ownerText === undefined) this.#checkOwner(line)
    else this.#readOwner(line, ownerText)
    const foreign = ownerText === undefined ? undefined : foreignOwnerFault(ownerText)
    const head = headOf(written, indented ? 0 : 1, this.#dialect)
    const tokens = this.#dialect?.typed(line, written, head.typeAt) ?? written
    if (this.#dialect !== undefined && foreign === undefined && this.#isIgnored(line, this.#dialect, tokens, head)) {
      this.faults.length = toldBefore
      return true
    }
    const { ttl, type } = this.#readHead(line, tokens, head)
    const next = head.typeAt + 1
    const names: WrittenName[] = []
    const data = type === undefined ? undefined : this.#readData(entry, type, tokens, next, names)
    const isGood = this.faults.length === toldBefore
    if (!isGood && foreign !== undefined) {
      // Reading a comment as a record gives many faults: one is enough.
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
    const needless = ownerText === undefined ? undefined : needlessEscape(ownerText)
    if (needless !== undefined) this.#warn(line, name, type, 'needless_escape', escapeWarning(needless, name))
    if (areUnquotedStrings(type, tokens, next))
      this.#warn(line, name, type, 'unquoted_text', unquotedWarning(type, tokens.slice(next)))
    if (tokens.some(({ text }, index) => index >= next && text.includes('\n')))
      this.#warn(line, name, type, 'line_end_in_text', lineEndWarning)
    return true
  }

  /**
   * Whether the record is left out, whatever its data: the service ignores it, it is not in the zone, or it is not DNS data. Lists it if so.
   * Reads the default TTL from a SOA.
   */
  #isIgnored(line: number, dialect: Dialect, tokens: readonly Token[], head: Head): boolean {
    const text = tokens[head.typeAt]?.text
    if (text === undefined) return false
    const type = asType(text)
    if (type === RrType.SOA) this.#readSoa(dialect, tokens, head)
    const name = this.#owner ?? this.#outside
    if (name === undefined) return false
    const reason =
      ignoredType(text) ??
      (this.#owner === undefined
        ? `${name} is not in the zone ${this.#zone}`
        : type && dialect.options.ignoring(this.#owner, type))
    if (reason === undefined) return false
    if (this.#owner === undefined && this.otherZone === undefined) this.otherZone = name
    dialect.ignored.add({ line, name, type: type === undefined ? text.toUpperCase() : typeToText(type), reason })
    // The TTL of an ignored record is not bounded, and so not listed as adapted.
    this.#lastTtl = head.ttlText === undefined ? this.#lastTtl : (parseTtl(head.ttlText) ?? this.#lastTtl)
    return true
  }

  #readSoa(dialect: Dialect, tokens: readonly Token[], { typeAt }: Head): void {
    const [first] = tokens
    const isApex = typeAt > 0 && first !== undefined && dialect.isDotless(first.text, this.#zone)
    if (isApex && this.#owner !== this.#zone && this.#zone !== rootName) {
      this.#owner = this.#zone
      this.#outside = undefined
      this.#isSoaOwnerMended = true
    }
    if (this.#outside !== undefined && this.#soaTtl === undefined) this.otherZone = this.#outside
    try {
      const data = parseRdataTokens(RrType.SOA, tokens, typeAt + 1, this.origin)
      this.#soaTtl ??= soaFromRdata(data).minimum
    } catch (fault) {
      // The SOA is ignored, and so are its faults.
      if (!(fault instanceof DnsFault)) throw fault
    }
  }

  #warn(line: number, name: DomainName, type: RrType, code: ZoneFileWarning['code'], message: string): void {
    const warned = this.#warned.get(code) ?? new Set()
    this.#warned.set(code, warned)
    const about = code === 'unescaped_name' || code === 'needless_escape' ? name : line
    if (warned.has(about) || warned.size >= maxWarnings) return
    warned.add(about)
    this.warnings.push({ line, name, type, code, message })
  }

  /** Counts a record of an rrset. The first one above the limit is a fault; those after it are skipped. */
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
    this.#outside = undefined
    this.#isSoaOwnerMended = false
    this.#isOwnerFaultTold = true
    try {
      const name = parseName(this.#dialect?.name(line, text) ?? text, this.origin)
      if (isWithin(name, this.#zone)) this.#owner = name
      else if (this.#dialect) this.#outside = name
      else this.#tell(line, new DnsFault('out_of_zone', `${name} does not belong to the zone ${this.#zone}`))
    } catch (fault) {
      this.#tell(line, fault)
    }
  }

  #checkOwner(line: number): void {
    if (this.#isSoaOwnerMended) this.#dialect?.mendedSoaOwner(line, this.#zone)
    if (this.#owner !== undefined || this.#outside !== undefined || this.#isOwnerFaultTold) return
    this.#isOwnerFaultTold = true
    this.#tell(line, new DnsFault('bad_name', 'The record has no owner name, and none before it to take.'))
  }

  #readHead(line: number, tokens: readonly Token[], { classText, ttlText, isTtlFirst, typeAt }: Head) {
    const readClass = () => classText !== undefined && this.#attempt(line, refuseOtherClasses, classText)
    if (!isTtlFirst) readClass()
    const own = ttlText === undefined ? undefined : this.#attempt(line, (text) => this.#ttlOf(line, text), ttlText)
    if (isTtlFirst) readClass()
    const type = this.#attempt(line, typeOf, tokens[typeAt])
    if (own !== undefined) this.#lastTtl = own
    const ttl = ttlText !== undefined || type === undefined ? own : this.#inheritedTtl(line)
    return { ttl, type }
  }

  #ttlOf(line: number, text: string): number {
    return this.#dialect ? this.#dialect.ttl(line, text) : ttlOf(text)
  }

  #inheritedTtl(line: number): number | undefined {
    if (this.#dialect && this.#defaultTtl === undefined) return this.#undeclaredTtl(line, this.#dialect)
    const ttl = this.#defaultTtl ?? this.#lastTtl ?? this.#fallbackTtl
    if (ttl === undefined && !this.#isTtlFaultTold) {
      this.#isTtlFaultTold = true
      this.#tell(line, new DnsFault('bad_ttl', 'The record has no TTL: give it one, or put a $TTL line above.'))
    }
    return ttl
  }

  /** The TTL of a record without one, in a file without `$TTL`. */
  #undeclaredTtl(line: number, dialect: Dialect): number | undefined {
    if (this.#soaTtl !== undefined && (this.#prefersSoaTtl || this.#lastTtl === undefined))
      return dialect.soaTtl(line, this.#soaTtl)
    if (this.#lastTtl !== undefined) {
      // The TTL of an ignored record is not bounded yet.
      this.#lastTtl = dialect.boundedTtl(line, this.#lastTtl)
      return this.#lastTtl
    }
    return this.#fallbackTtl === undefined ? undefined : dialect.usualTtl(line, this.#fallbackTtl)
  }

  #readData(
    entry: Entry,
    type: RrType,
    tokens: readonly Token[],
    at: number,
    names: WrittenName[],
  ): RecordData | undefined {
    try {
      const fault = this.#dialect?.textFault(type, entry, tokens, at)
      if (fault !== undefined) throw fault
      const words = this.#dialect?.data(entry.line, type, tokens, at) ?? tokens
      return parseRdataTokens(type, words, at, this.origin, { names, keepsCase: this.#keepsCase })
    } catch (fault) {
      this.#tell(entry.line, fault)
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

  /** Records a fault. Other errors are thrown again. */
  #tell(line: number, fault: unknown): void {
    if (!(fault instanceof DnsFault)) throw fault
    this.faults.push({ line, code: fault.code, message: fault.message })
  }
}

/** The first escape of a letter, digit or hyphen, which no nameserver writes; undefined if there is none. */
function needlessEscape(name: string): string | undefined {
  return name
    .match(/\\(?:\d{3}|[^\d])/g)
    ?.find((part) => /^\\\d{3}$/.test(part) && /[A-Za-z0-9-]/.test(characterOf(part, 10)))
}

function characterOf(written: string, base: 8 | 10): string {
  return String.fromCharCode(Number.parseInt(written.slice(1), base))
}

function escapeWarning(written: string, name: DomainName): string {
  const octal = /^\\[0-3][0-7]{2}$/.test(written)
    ? ` In the octal escapes of Route 53 it is ${quoteInput(characterOf(written, 8))}.`
    : ''
  return `${quoteInput(written)} was read as ${quoteInput(characterOf(written, 10))}, and the owner name is ${name} Escapes in zone files are decimal (RFC 1035 §5.1).${octal}`
}

/** An ALIAS in a comment: TTL, owner name and target, both absolute. */
const exportedAlias = /^;+ *ALIAS[ \t]+(\d+)[ \t]+(\S+\.)[ \t]+(\S+\.)$/i

const lineEndWarning =
  'A quoted text continues past the end of its line, so the line break is published as part of it. Close its quotes at the end of each line, and put all strings in parentheses: `( "…" "…" )`.'

/** Maximum number of warnings with the same code. */
const maxWarnings = 100

function newFaultsOf(owner: RecordFault | undefined, target: RecordFault | undefined): NewFault[] {
  const faults: NewFault[] = []
  if (owner !== undefined) faults.push({ at: 'name', code: 'bad_name', message: owner.message })
  if (target !== undefined) faults.push({ at: 'data', code: 'bad_rdata', message: target.message })
  return faults
}

const example = { $ORIGIN: '`example.com.`', $TTL: '`3600`' } as const

/** Maximum number of characters of a `$GENERATE` line, because the whole line is filled in for each record. */
const maxGenerateCharacters = 16 * 1024
/** Maximum number of records that all `$GENERATE` lines of a file create together, because a few bytes must not create millions. */
const maxGenerated = 100_000
/** Maximum number of their characters together, because a long line that is repeated must not fill the memory. */
const maxGeneratedCharacters = 16 * 1024 * 1024

/** The class and TTL before the type, in either order, and the position of the type. */
interface Head {
  readonly classText: string | undefined
  readonly ttlText: string | undefined
  readonly isTtlFirst: boolean
  readonly typeAt: number
}

function headOf(tokens: readonly Token[], at: number, dialect: Dialect | undefined): Head {
  let typeAt = at
  let classText: string | undefined
  let ttlText: string | undefined
  let isTtlFirst = false
  for (; typeAt < tokens.length; typeAt++) {
    const text = tokens[typeAt]?.text ?? ''
    if (classText === undefined && (isClassWord(text) || isClassAny(tokens, typeAt, dialect))) classText = text
    else if (ttlText === undefined && (dialect ? dialect.isTtl(text) : /^\d/.test(text))) {
      ttlText = text
      isTtlFirst = classText === undefined
    } else break
  }
  return { classText, ttlText, isTtlFirst, typeAt }
}

/** Whether a word is the class ANY: a type follows it. dig prints message signatures of that class among the records. */
function isClassAny(tokens: readonly Token[], at: number, dialect: Dialect | undefined): boolean {
  if (dialect === undefined || tokens[at]?.text.toUpperCase() !== 'ANY') return false
  const isTtlNext = dialect.isTtl(tokens[at + 1]?.text ?? '')
  const next = tokens[at + (isTtlNext ? 2 : 1)]?.text ?? ''
  return ignoredType(next) !== undefined || isType(next)
}

function ignoredType(text: string): string | undefined {
  const type = foreignType(text)
  return type?.isIgnored ? type.message : undefined
}

function refuseOtherClasses(text: string): void {
  if (/^(?:IN|CLASS0*1)$/i.test(text)) return
  throw new DnsFault('bad_class', `Only the class IN is served, not ${quoteInput(text)}.`)
}

function ttlOf(text: string): number {
  const ttl = parseTtl(text)
  if (ttl !== undefined && ttl <= maxTtl) return ttl
  throw new DnsFault('bad_ttl', `${quoteInput(text)} is not a TTL: seconds from 0 to ${maxTtl}, or such as \`1h30m\`.`)
}

function typeOf(token: Token | undefined): RrType {
  if (token === undefined) throw new DnsFault('bad_syntax', 'The record has no type.')
  const { text, quoted } = token
  if (quoted && !isType(text)) {
    const message = `The text ${quoteInput(`"${text}"`)} belongs to no record. Put text on several lines in parentheses: \`TXT ( "…" "…" )\`.`
    throw new DnsFault('bad_syntax', message)
  }
  const foreign = foreignType(text)
  if (foreign !== undefined && !foreign.isIgnored) throw new DnsFault('bad_type', foreign.message)
  return parseType(text)
}
