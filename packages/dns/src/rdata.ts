import { DnsFault, quoteInput } from './faults.ts'
import { fromHex, toHex } from './hex.ts'
import type { DomainName } from './name.ts'
import { expandRdata, maxRdataBytes, type RecordData } from './rdata-wire.ts'
import type { RecordType } from './record-type.ts'
import { isMetaType, type RrType, typeToText } from './type.ts'
import { recordTypeOf } from './types/table.ts'
import { WireReader } from './wire-reader.ts'
import { WireWriter } from './wire-writer.ts'
import { type DottedNames, type NameReading, Words, type WrittenName } from './words.ts'
import { maxDataWords, type Token, ZoneLexer } from './zone-lexer.ts'

/**
 * Parses record data as written by a customer or in a zone file, on one line.
 *
 * Every type also takes the generic form `\# 4 0a000001` (RFC 3597 §5). An unquoted `;` is refused, because it would silently truncate the data.
 *
 * @throws DnsFault `bad_rdata`, saying what the type needs
 */
export function parseRdata(type: RrType, text: string, origin?: DomainName): RecordData {
  return parseRdataTokens(type, tokensOf(type, text), 0, origin)
}

/** Record data together with how it was written. */
export interface WrittenRdata {
  readonly data: RecordData
  readonly words: readonly Token[]
  /** The domain names of the words; none of the generic form. */
  readonly names: readonly WrittenName[]
}

/** The same, with the words and names as they were written. */
export function readRdata(type: RrType, text: string, origin: DomainName, dotted?: DottedNames): WrittenRdata {
  const words = tokensOf(type, text)
  const names: WrittenName[] = []
  return { data: parseRdataTokens(type, words, 0, origin, { names, dotted }), words, names }
}

/** Parses record data from the words of a zone-file entry, starting at `at`. Throws like `parseRdata`. */
export function parseRdataTokens(
  type: RrType,
  tokens: readonly Token[],
  at: number,
  origin: DomainName | undefined,
  reading?: NameReading,
): RecordData {
  if (isMetaType(type)) throw new DnsFault('bad_type', `${typeToText(type)} records cannot be in a zone.`)
  const first = tokens[at]
  const declared = recordTypeOf(type)
  if (first !== undefined && first.text === '\\#' && !first.quoted) {
    const bytes = genericBytes(type, new Words(tokens, at + 1, origin))
    return expandRdata(type, new WireReader(bytes))
  }
  if (declared === undefined) {
    throw new DnsFault('bad_rdata', `${needs(type)}.`)
  }
  return fieldBytes(declared, new Words(tokens, at, origin, reading))
}

function tokensOf(type: RrType, text: string): readonly Token[] {
  // Bytes that are written as `\\DDD` make the longest data four times as long.
  const lexer = new ZoneLexer(text, { characters: Infinity, words: Infinity })
  try {
    const entry = lexer.next()
    const refuse = (why: string) => new DnsFault('bad_rdata', `${needs(type)}: ${why}.`)
    if (entry === undefined) throw refuse('nothing is given')
    if (/[\n;]/.test(text)) {
      if (lexer.next() !== undefined) throw refuse('the data has several lines')
      if (hasComment(text)) throw refuse('put text with a semicolon in quotes, since it starts a comment')
    }
    return entry.tokens
  } catch (fault) {
    if (fault instanceof DnsFault && fault.code === 'bad_syntax') {
      throw new DnsFault('bad_rdata', `${needs(type)}: ${fault.message}`)
    }
    throw fault
  }
}

/** Whether there is a `;` that is neither escaped nor in quotes. */
function hasComment(text: string): boolean {
  return text
    .replace(/\\./gs, '')
    .replace(/"[^"]*"/g, '')
    .includes(';')
}

function genericBytes(type: RrType, words: Words): Uint8Array {
  const form = `The generic form of ${typeToText(type)} is a length and that many bytes in hexadecimal`
  const refuse = (why: string) => new DnsFault('bad_rdata', `${form}, such as \`\\# 4 0a000001\`: ${why}.`)
  if (words.left === 0) throw refuse('the length is missing')
  const length = words.plain()
  const hex = words.glued()
  const bytes = fromHex(hex)
  if (!/^\d{1,5}$/.test(length)) throw refuse(`${quoteInput(length)} is not a length`)
  if (bytes === undefined) throw refuse(`${quoteInput(hex)} is not hexadecimal`)
  if (bytes.length !== Number(length)) throw refuse(`${length} bytes are announced and ${bytes.length} follow`)
  if (bytes.length > maxRdataBytes) throw refuse('the data is longer than 65535 bytes')
  return bytes
}

function tooLong(): DnsFault {
  return new DnsFault('bad_rdata', 'the data is longer than 65535 bytes')
}

/** Reused for every record. */
const scratch = new WireWriter(512)

function fieldBytes(declared: RecordType, words: Words): RecordData {
  const out = scratch.clear()
  try {
    if (words.left > maxDataWords) throw tooLong()
    for (const field of declared.fields) field.parse(words, out)
    if (words.left > 0) throw new DnsFault('bad_rdata', `${quoteInput(words.next().text)} is too much`)
    if (out.length > maxRdataBytes) throw tooLong()
  } catch (fault) {
    if (!(fault instanceof DnsFault)) throw fault
    throw new DnsFault('bad_rdata', `${needs(declared.type)}: ${fault.message.replace(/\.$/, '')}.`)
  }
  return out.toBytes()
}

function needs(type: RrType): string {
  const text = recordTypeOf(type)?.needs ?? 'data in the generic form, such as `\\# 4 0a000001`'
  return `${typeToText(type)} needs ${text}`
}

/**
 * The one canonical presentation form: absolute lower-case names, texts in quotes, lower-case hexadecimal. The generic form is used for types without
 * a codec, and for data that has no text form in its type.
 *
 * @throws DnsFault `bad_rdata` if the data is incomplete
 */
export function rdataToText(type: RrType, data: RecordData): string {
  const declared = recordTypeOf(type)
  if (declared === undefined) return genericText(data)
  if (!declared.isOpaque) return fieldText(declared, data)
  try {
    return fieldText(declared, data)
  } catch (fault) {
    if (fault instanceof DnsFault) return genericText(data)
    throw fault
  }
}

function fieldText(declared: RecordType, data: RecordData): string {
  const reader = new WireReader(data)
  const words: string[] = []
  for (const field of declared.fields) {
    const word = field.print(reader)
    if (word === undefined) return genericText(data)
    if (word !== '') words.push(word)
  }
  if (reader.left > 0) throw new DnsFault('bad_rdata', `The data of a ${typeToText(declared.type)} record is too long.`)
  return words.join(' ')
}

/** The generic form of record data, which every server reads (RFC 3597 §5). */
export function genericText(data: RecordData): string {
  return data.length === 0 ? '\\# 0' : `\\# ${data.length} ${toHex(data)}`
}

/** The canonical form of written record data. Throws like `parseRdata`. */
export function canonicalRdata(type: RrType, text: string, origin?: DomainName): string {
  return rdataToText(type, parseRdata(type, text, origin))
}
