import { escapeBytes, quoteBytes, unescapeBytes } from '../character-string.ts'
import { DnsFault, quoteInput } from '../faults.ts'
import { WireReader } from '../wire-reader.ts'
import { WireWriter } from '../wire-writer.ts'
import { Words } from '../words.ts'
import { hasBareQuote } from '../zone-lexer.ts'
import type { Field } from './field.ts'
import { isLoadableDohPath, parseSvcKey, SvcKey, svcKeyToText, svcValueOf } from './svc-param.ts'

/**
 * The parameters of SVCB and HTTPS up to the end of the data, `alpn="h3,h2" port=8443`, in the order of their keys
 * (RFC 9460 §2.1 and §2.2).
 *
 * New values must also be consistent. For received data, only the form is checked, because a server passes on what it gets.
 */
export function svcParams(): Field {
  return {
    parse: (words, out) => {
      const params = new Map<number, Uint8Array>()
      while (words.left > 0) {
        const { key, value } = parseParam(words)
        if (params.has(key)) throw new DnsFault('bad_rdata', `${svcKeyToText(key)} is given twice`)
        params.set(key, value)
      }
      refuseContradictions(params)
      for (const [key, value] of [...params].sort(([a], [b]) => a - b)) {
        out.u16(key)
        out.u16(value.length)
        out.bytes(value)
      }
    },
    print: (wire) => {
      const texts: string[] = []
      for (const { key, value } of paramsIn(wire)) {
        const { name, text } = printParam(key, value)
        if (text === undefined) return undefined
        texts.push(text === '' || text === '""' ? name : `${name}=${text}`)
      }
      return texts.join(' ')
    },
    skip: (wire) => {
      for (const { key, value } of paramsIn(wire)) if (!svcValueOf(key).isOpaque) checkValue(key, value)
    },
  }
}

/** Why the parameters of a new record are refused although they parse; undefined if they are fine. `data` is that of a whole record. */
export function svcFault(data: Uint8Array): string | undefined {
  for (const { key, value } of paramsOf(data)) {
    const name = svcKeyToText(key)
    if (key === SvcKey.invalid) return `${name} is the invalid key (RFC 9460 §14.3.2)`
    if (key === SvcKey.alpn && !hasPlainProtocols(value))
      return 'a protocol may have only printable ASCII characters, and no quotes, parentheses or semicolons'
    if (key === SvcKey.dohpath && !isLoadableDohPath(value.wire.subarray(value.at, value.end)))
      return 'the dohpath is not a URI template such as `/dns-query{?dns}`'
    if (svcValueOf(key).isOpaque && printParam(key, value).name !== name)
      return `these are not the bytes of a value of ${name}`
  }
  return undefined
}

/** Whether PowerDNS can answer with them: it cannot read back the text that it stores for others. */
function hasPlainProtocols(value: WireReader): boolean {
  const bytes = new WireReader(value.wire, value.at, value.end)
  while (bytes.left > 0)
    if (bytes.bytes(bytes.u8()).some((byte) => byte < 0x20 || byte > 0x7e || unservable.has(byte))) return false
  return true
}

/** `"`, `(`, `)` and `;`. */
const unservable: ReadonlySet<number> = new Set([0x22, 0x28, 0x29, 0x3b])

/** Whether other servers know the names of all keys: BIND 9.18, Knot 3.2 and NSD 4.6 know only those of RFC 9460. */
export function hasCommonKeys(data: Uint8Array): boolean {
  return [...paramsOf(data)].every(({ key }) => key < SvcKey.dohpath || key > SvcKey.oots)
}

function paramsOf(data: Uint8Array): Generator<{ key: number; value: WireReader }> {
  const wire = new WireReader(data)
  wire.skip(2)
  wire.skipName()
  return paramsIn(wire)
}

/** A parameter as text: under its name, or under its number if the bytes are not valid for that name. */
function printParam(key: number, value: WireReader): { name: string; text: string | undefined } {
  const known = svcValueOf(key)
  if (!known.isOpaque) return { name: svcKeyToText(key), text: known.print(value) }
  const bytes = value.wire.subarray(value.at, value.end)
  try {
    const text = known.print(value)
    if (value.left === 0) return { name: svcKeyToText(key), text }
  } catch (fault) {
    if (!(fault instanceof DnsFault)) throw fault
  }
  return { name: `key${key}`, text: quoteBytes(bytes) }
}

/** Parses one parameter. Its value is in wire form. */
function parseParam(words: Words): { key: number; value: Uint8Array } {
  const { text, quoted } = words.next()
  if (quoted) throw new DnsFault('bad_rdata', `${quoteInput(text)} is not such as \`alpn="h2"\`, quoted after the =`)
  const equals = text.indexOf('=')
  const name = equals === -1 ? text : text.slice(0, equals)
  const bytes = equals === -1 ? new Uint8Array(0) : unescapeBytes(withoutQuotes(text.slice(equals + 1)))
  const key = parseSvcKey(name)
  try {
    return { key, value: name === svcKeyToText(key) ? parseValue(key, bytes) : genericValue(key, bytes) }
  } catch (fault) {
    if (!(fault instanceof DnsFault)) throw fault
    throw new DnsFault('bad_rdata', `${name}: ${fault.message}`)
  }
}

function withoutQuotes(text: string): string {
  const isQuoted = text.length > 1 && text.startsWith('"') && text.endsWith('"')
  const inner = isQuoted ? text.slice(1, -1) : text
  if (!hasBareQuote(inner)) return inner
  throw new DnsFault('bad_rdata', `put the value ${quoteInput(text)} in quotes as a whole`)
}

/** The maximum length of the text of 65,535 bytes: `key65535,` represents two of them. */
const maxValueCharacters = 5 * 65_535

function parseValue(key: number, bytes: Uint8Array): Uint8Array {
  if (bytes.length > maxValueCharacters) throw new DnsFault('bad_rdata', 'the value is longer than 65535 bytes')
  const { isList, ...value } = svcValueOf(key)
  const parts = bytes.length === 0 ? [] : isList ? listItems(bytes) : [bytes]
  const tokens = parts.map((part) => ({ text: escapeBytes(part), quoted: false }))
  const words = new Words(tokens, 0, undefined)
  const out = new WireWriter()
  value.parse(words, out)
  if (words.left > 0) throw new DnsFault('bad_rdata', `${quoteInput(words.next().text)} is too much`)
  return out.toBytes()
}

/** The items of a comma-separated list, in which a backslash escapes a comma or another backslash (RFC 9460 §A.1). */
function listItems(bytes: Uint8Array): Uint8Array[] {
  const items: number[][] = [[]]
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === comma) {
      items.push([])
      continue
    }
    if (byte === backslash) at++
    const escaped = bytes[at]
    if (byte === backslash && escaped !== comma && escaped !== backslash) {
      throw new DnsFault('bad_rdata', 'a backslash is not before a comma or another backslash')
    }
    items.at(-1)?.push(escaped ?? 0)
  }
  return items.map((item) => Uint8Array.from(item))
}

const comma = 0x2c
const backslash = 0x5c

/** The value of a known key under its number, `key3="\001\187"`: its bytes as they are (RFC 9460 §2.1). */
function genericValue(key: number, bytes: Uint8Array): Uint8Array {
  try {
    if (!svcValueOf(key).isOpaque) checkValue(key, new WireReader(bytes))
    return bytes
  } catch (fault) {
    if (!(fault instanceof DnsFault)) throw fault
    throw new DnsFault('bad_rdata', `these are not the bytes of a value of ${svcKeyToText(key)}`)
  }
}

function checkValue(key: number, value: WireReader): void {
  svcValueOf(key).skip(value)
  if (value.left > 0) throw new DnsFault(value.code, `The value of ${svcKeyToText(key)} is too long.`)
}

/** A mandatory parameter must exist (RFC 9460 §8), and `no-default-alpn` requires other protocols (§7.1.1). */
function refuseContradictions(params: ReadonlyMap<number, Uint8Array>): void {
  const mandatory = new WireReader(params.get(SvcKey.mandatory) ?? new Uint8Array(0))
  while (mandatory.left > 0) {
    const key = mandatory.u16()
    if (!params.has(key)) throw new DnsFault('bad_rdata', `${svcKeyToText(key)} is mandatory and not given`)
  }
  if (params.has(SvcKey.noDefaultAlpn) && !params.has(SvcKey.alpn)) {
    throw new DnsFault('bad_rdata', 'no-default-alpn needs an alpn')
  }
}

/** @throws DnsFault if the keys are not in ascending order */
function* paramsIn(wire: WireReader): Generator<{ key: number; value: WireReader }> {
  for (let last = -1; wire.left > 0; ) {
    const key = wire.u16()
    if (key <= last) throw new DnsFault(wire.code, 'The parameters are not in the order of their keys.')
    last = key
    yield { key, value: wire.part(wire.u16()) }
  }
}
