import { escapeBytes, maxStringBytes, unescapeBytes } from '../character-string.ts'
import { DnsFault, quoteInput } from '../faults.ts'
import { utf8Text } from '../utf8.ts'
import type { WireReader } from '../wire-reader.ts'
import { ipv4, ipv6 } from './address.ts'
import { remainingBase64 } from './binary.ts'
import type { Field } from './field.ts'
import { u16 } from './number.ts'
import { remainingText } from './text.ts'

/** Keys of the parameters of SVCB and HTTPS (RFC 9460 §14.3.2, RFC 9461 §5, RFC 9540 §4, IANA "SvcParamKeys"). */
export const SvcKey = {
  mandatory: 0,
  alpn: 1,
  noDefaultAlpn: 2,
  port: 3,
  ipv4hint: 4,
  ech: 5,
  ipv6hint: 6,
  dohpath: 7,
  ohttp: 8,
  tlsSupportedGroups: 9,
  docpath: 10,
  pvd: 11,
  oots: 12,
  /** Reserved as a key that is always invalid. */
  invalid: 65535,
} as const

/** The value of a parameter. With `isList` its items are written with commas between them, and parsed as words. */
interface SvcValue extends Field {
  readonly isList?: boolean
  /** On the wire and under the key's number, any bytes are accepted, because the key had no name before (compare `RecordType.isOpaque`). */
  readonly isOpaque?: true
}

/** The known keys. A new parameter is one line here and one in `SvcKey`. */
const svcParams: readonly (readonly [key: number, name: string, value: SvcValue])[] = [
  [SvcKey.mandatory, 'mandatory', mandatoryKeys()],
  [SvcKey.alpn, 'alpn', protocols()],
  [SvcKey.noDefaultAlpn, 'no-default-alpn', nothing()],
  [SvcKey.port, 'port', u16('port')],
  [SvcKey.ipv4hint, 'ipv4hint', listOf(ipv4())],
  [SvcKey.ech, 'ech', remainingBase64('configuration')],
  [SvcKey.ipv6hint, 'ipv6hint', listOf(ipv6())],
  [SvcKey.dohpath, 'dohpath', dohPath()],
  [SvcKey.ohttp, 'ohttp', nothing()],
  [SvcKey.tlsSupportedGroups, 'tls-supported-groups', supportedGroups()],
  [SvcKey.docpath, 'docpath', { ...segments(), isOpaque: true }],
  [SvcKey.pvd, 'pvd', { ...nothing(), isOpaque: true }],
  [SvcKey.oots, 'oots', { ...listOf(transportWeight()), isOpaque: true }],
]

const keyOfName = new Map(svcParams.map(([key, name]) => [name, key]))
const nameOfKey = new Map(svcParams.map(([key, name]) => [key, name]))
const valueOfKey = new Map(svcParams.map(([key, , value]) => [key, value]))
const opaque: SvcValue = {
  ...remainingText('value'),
  parse: (words, out) => {
    if (words.left > 0) out.bytes(unescapeBytes(words.next().text))
  },
}

/**
 * Reads the name of a key, or `key667` (RFC 9460 §2.1). Names are lower-case.
 *
 * @throws DnsFault `bad_rdata`
 */
export function parseSvcKey(text: string): number {
  const known = keyOfName.get(text)
  if (known !== undefined) return known
  const digits = /^key(0|[1-9]\d{0,4})$/.exec(text)?.[1]
  const key = digits === undefined ? Number.NaN : Number(digits)
  if (key <= 65535) return key
  throw new DnsFault('bad_rdata', `${quoteInput(text)} is not a parameter, such as alpn or key667`)
}

/** The name of a key, or `key667` for one without a name. */
export function svcKeyToText(key: number): string {
  return nameOfKey.get(key) ?? `key${key}`
}

/** How the value of a key is read and written; that of an unknown key is text of any bytes. */
export function svcValueOf(key: number): SvcValue {
  return valueOfKey.get(key) ?? opaque
}

/** The keys that a client must understand, in ascending order (RFC 9460 §8). */
function mandatoryKeys(): SvcValue {
  return {
    isList: true,
    parse: (words, out) => {
      const keys: number[] = []
      do keys.push(parseSvcKey(words.plain()))
      while (words.left > 0)
      keys.sort((a, b) => a - b)
      if (keys[0] === SvcKey.mandatory) throw new DnsFault('bad_rdata', '`mandatory` must not be listed itself')
      if (new Set(keys).size < keys.length) throw new DnsFault('bad_rdata', 'a key is listed twice')
      for (const key of keys) out.u16(key)
    },
    print: (wire) => readMandatory(wire).map(svcKeyToText).join(','),
    skip: (wire) => {
      readMandatory(wire)
    },
  }
}

function readMandatory(wire: WireReader): number[] {
  const keys: number[] = []
  let last: number = SvcKey.mandatory
  do {
    const key = wire.u16()
    if (key <= last) throw new DnsFault(wire.code, 'The mandatory keys are not in order.')
    last = key
    keys.push(key)
  } while (wire.left > 0)
  return keys
}

/** Protocols of TLS (RFC 7301) with a length byte each, at least one (RFC 9460 §7.1.1). */
function protocols(): SvcValue {
  return {
    isList: true,
    parse: (words, out) => {
      do {
        const bytes = unescapeBytes(words.next().text)
        if (bytes.length === 0 || bytes.length > maxStringBytes) {
          throw new DnsFault('bad_rdata', 'a protocol is empty or longer than 255 bytes')
        }
        out.u8(bytes.length)
        out.bytes(bytes)
      } while (words.left > 0)
    },
    print: (wire) => {
      const items: string[] = []
      do items.push(escapeBytes(wire.bytes(wire.u8())).replace(/\\\\|,/g, (special) => `\\\\${special}`))
      while (wire.left > 0)
      return `"${items.join(',')}"`
    },
    skip: (wire) => {
      do {
        const length = wire.u8()
        if (length === 0) throw new DnsFault(wire.code, 'A protocol is empty.')
        wire.skip(length)
      } while (wire.left > 0)
    },
  }
}

/** The path of DNS over CoAP (RFC 9953 §3): a list like that of protocols, which may be empty. */
function segments(): SvcValue {
  const some = protocols()
  return {
    isList: true,
    parse: (words, out) => {
      if (words.left > 0) some.parse(words, out)
    },
    print: (wire) => (wire.left === 0 ? '' : some.print(wire)),
    skip: (wire) => {
      if (wire.left > 0) some.skip(wire)
    },
  }
}

/** A transport and its share of the load in percent, `dot:10` (IANA "oots", draft-johani-dnsop-svcb-oots). */
function transportWeight(): Field {
  return {
    parse: (words, out) => {
      const text = words.plain()
      const [, transport, weight] = /^([A-Za-z0-9-]{1,255}):(\d{1,3})$/.exec(text) ?? []
      if (transport === undefined || Number(weight) > 100)
        throw new DnsFault(
          'bad_rdata',
          `${quoteInput(text)} is not a transport with its percentage, such as \`dot:10\``,
        )
      out.u8(transport.length)
      out.bytes(unescapeBytes(transport))
      out.u8(Number(weight))
    },
    print: (wire) => {
      const transport = String.fromCharCode(...wire.bytes(wire.u8()))
      const weight = wire.u8()
      if (/^[A-Za-z0-9-]+$/.test(transport) && weight <= 100) return `${transport}:${weight}`
      throw new DnsFault(wire.code, 'An oots transport has an invalid name or more than 100 percent.')
    },
    skip: (wire) => {
      wire.skip(wire.u8())
      wire.skip(1)
    },
  }
}

/** One or more values of the same kind. */
function listOf(item: Field): SvcValue {
  return {
    isList: true,
    parse: (words, out) => {
      do item.parse(words, out)
      while (words.left > 0)
    },
    print: (wire) => {
      const items: (string | undefined)[] = []
      do items.push(item.print(wire))
      while (wire.left > 0)
      return items.join(',')
    },
    skip: (wire) => {
      do item.skip(wire)
      while (wire.left > 0)
    },
  }
}

/** Groups of TLS, each at most once (draft-ietf-tls-key-share-prediction §3.1). */
function supportedGroups(): SvcValue {
  const groups = listOf(u16('group'))
  return {
    ...groups,
    isOpaque: true,
    parse: (words, out) => {
      const seen = new Set<number>()
      do {
        const text = words.plain()
        const group = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN
        if (!(group <= 65535)) throw new DnsFault('bad_rdata', `${quoteInput(text)} is not a group from 0 to 65535`)
        if (seen.has(group)) throw new DnsFault('bad_rdata', `the group ${group} is listed twice`)
        seen.add(group)
        out.u16(group)
      } while (words.left > 0)
    },
    print: (wire) => {
      const text = groups.print(wire) ?? ''
      const each = text.split(',')
      if (new Set(each).size === each.length) return text
      throw new DnsFault(wire.code, 'A group is listed twice.')
    },
  }
}

/** A parameter without a value: the key itself is the information. */
function nothing(): SvcValue {
  return { parse: () => {}, print: () => '', skip: () => {} }
}

/** The path of DNS over HTTPS, a URI template with the variable `dns` (RFC 9461 §5). */
function dohPath(): SvcValue {
  return {
    ...remainingText('path'),
    parse: (words, out) => {
      const { text } = words.next()
      if (!isDohPath(text)) {
        throw new DnsFault('bad_rdata', `${quoteInput(text)} is not a path such as \`/dns-query{?dns}\``)
      }
      out.bytes(unescapeBytes(text))
    },
  }
}

function isDohPath(text: string): boolean {
  if (!text.startsWith('/')) return false
  // One expression at a time: a single pattern for the whole path would try every pair of braces.
  return (text.match(/\{[^{}]*\}/g) ?? []).some((expression) => /\bdns\b/.test(expression))
}

/** Whether bytes are a path of this form in UTF-8 with only well-formed expressions (RFC 6570 §2.2). BIND loads no others. */
export function isLoadableDohPath(bytes: Uint8Array): boolean {
  const text = utf8Text(bytes)
  if (text === undefined || !isDohPath(text)) return false
  const [, ...pieces] = text.split('{')
  return pieces.every((piece) => {
    const end = piece.indexOf('}')
    return (
      end !== -1 &&
      piece
        .slice(0, end)
        .replace(/^[+#./;?&]/, '')
        .split(',')
        .every((variable) => variableForm.test(variable))
    )
  })
}

const variableForm = /^(?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2})(?:\.?(?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2}))*(?::[1-9]\d{0,3}|\*)?$/
