import { DnsFault, quoteInput } from './faults.ts'

declare const brand: unique symbol

/**
 * A fully qualified domain name in canonical presentation form (RFC 1035 §5.1, RFC 4343): lower-case, with the trailing dot.
 *
 * Two names are equal exactly when their strings are. The escapes are normalised: `\` before one of `. \ " ( ) ; @ $`,
 * `\DDD` for a byte outside printable ASCII. `.` is the root.
 */
export type DomainName = string & { readonly [brand]: 'DomainName' }

/** The root of the tree, `.`. */
export const rootName = '.' as DomainName

/** Longest label in bytes (RFC 1035 §2.3.4). */
const maxLabelBytes = 63
/** Longest name in wire form, length bytes and root included (RFC 1035 §2.3.4). */
export const maxNameBytes = 255

const backslash = 0x5c
const dot = 0x2e
const plainName = /^[A-Za-z0-9_*-]{1,63}(?:\.[A-Za-z0-9_*-]{1,63})*\.?$/

/**
 * Reads a name as written in a zone file or by a customer.
 *
 * `@` is the origin; a name without trailing dot is relative and needs an origin. ASCII only: the caller converts
 * U-labels to A-labels (RFC 5890).
 *
 * @throws DnsFault `bad_name`
 */
export function parseName(text: string, origin?: DomainName): DomainName {
  if (text === '@' && origin !== undefined) return origin
  if (text === '.') return rootName
  if (text === '') throw new DnsFault('bad_name', 'A domain name must not be empty.')
  // Names almost always have no escapes: the regular expression is then the whole check but for the length.
  if (plainName.test(text)) return absolute(text.toLowerCase(), text.endsWith('.'), text, origin)
  const { normal, isAbsolute } = normalise(text)
  return absolute(normal, isAbsolute, text, origin)
}

function absolute(text: string, isAbsolute: boolean, written: string, origin: DomainName | undefined): DomainName {
  if (!isAbsolute && origin === undefined) {
    throw new DnsFault('bad_name', `${quoteInput(written)} is not fully qualified: end the name with a dot.`)
  }
  const name = (isAbsolute ? text : origin === rootName ? `${text}.` : `${text}.${origin}`) as DomainName
  if (wireLength(name) > maxNameBytes) {
    throw new DnsFault('bad_name', `The name ${quoteInput(written)} is longer than 255 bytes.`)
  }
  return name
}

function normalise(text: string): { normal: string; isAbsolute: boolean } {
  const refuse = (why: string) => new DnsFault('bad_name', `${quoteInput(text)} is not a domain name: ${why}.`)
  const parts: string[] = []
  let labelBytes = 0
  let isAbsolute = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === dot) {
      if (labelBytes === 0) throw refuse('it has an empty label')
      labelBytes = 0
      isAbsolute = at === text.length - 1
      parts.push('.')
      continue
    }
    let byte = code
    let highest = 0x7e
    if (code === backslash) {
      const digits = /^\d{3}/.exec(text.slice(at + 1, at + 4))?.[0]
      byte = digits === undefined ? text.charCodeAt(at + 1) : Number(digits)
      if (Number.isNaN(byte) || byte > 255) throw refuse('a backslash takes one character or three digits up to 255')
      if (digits !== undefined) highest = 255
      at += digits === undefined ? 1 : 3
    } else if (code < 0x21 || code === 0x22 || code === 0x7f) {
      throw refuse('spaces, quotes and control characters must be escaped')
    }
    if (byte > highest) throw refuse('write international names in their xn-- form')
    if (++labelBytes > maxLabelBytes) throw refuse('a label is longer than 63 bytes')
    parts.push(labelText[byte] ?? '')
  }
  return { normal: parts.join(''), isAbsolute }
}

/** How each byte of a label is written in the canonical form; upper case becomes lower case (RFC 4343 §3). */
const labelText: readonly string[] = Array.from({ length: 256 }, (_, byte) => {
  if ('."();@$\\'.includes(String.fromCharCode(byte))) return `\\${String.fromCharCode(byte)}`
  if (byte < 0x21 || byte > 0x7e) return `\\${String(byte).padStart(3, '0')}`
  return String.fromCharCode(byte).toLowerCase()
})

/** The bytes that the canonical form writes as themselves, lower-cased; 0 for those that need an escape. */
const plainByte = Uint8Array.from(labelText, (text) => (text.length === 1 ? text.charCodeAt(0) : 0))

/** Whether `text` is a fully qualified name in any case and escaping. */
export function isDomainName(text: string): boolean {
  try {
    parseName(text)
    return true
  } catch {
    return false
  }
}

/** The name in uncompressed wire form (RFC 1035 §3.1). */
export function nameToWire(name: DomainName): Uint8Array {
  const wire = new Uint8Array(wireLength(name))
  putName(name, wire, 0)
  return wire
}

/** Writes the wire form at `at` (255 bytes must be free) and returns the offset after it. */
export function putName(name: DomainName, wire: Uint8Array, at: number): number {
  let next = at
  for (let start = 0; start < name.length && name !== rootName; ) {
    const end = dotAfter(name, start)
    next = putLabel(name, start, end, wire, next)
    start = end + 1
  }
  wire[next] = 0
  return next + 1
}

/** Writes the label `name[start, end)` with its length byte and returns the offset after it. */
export function putLabel(name: DomainName, start: number, end: number, wire: Uint8Array, at: number): number {
  let next = at + 1
  for (let index = start; index < end; index++) {
    let byte = name.charCodeAt(index)
    if (byte === backslash) {
      const digit = name.charCodeAt(index + 1)
      const numeric = digit >= 0x30 && digit <= 0x39
      byte = numeric ? Number(name.slice(index + 1, index + 4)) : digit
      index += numeric ? 3 : 1
    }
    wire[next++] = byte
  }
  wire[at] = next - at - 1
  return next
}

/** Index of the dot that ends the label starting at `start`; dots behind a backslash belong to the label. */
export function dotAfter(name: DomainName, start: number): number {
  for (let index = start; index < name.length; index++) {
    const code = name.charCodeAt(index)
    if (code === dot) return index
    if (code === backslash) index++
  }
  return name.length
}

/** Length in wire form, in bytes. */
function wireLength(name: DomainName): number {
  if (name === rootName) return 1
  if (!name.includes('\\')) return name.length + 1
  return name.replace(/\\(?:\d{3}|.)/gs, '-').length + 1
}

/**
 * The name in uncompressed wire form at `offset`.
 *
 * @throws DnsFault `bad_name` when a label is cut short or compressed
 */
export function nameFromWire(wire: Uint8Array, offset = 0): DomainName {
  const read = scanName(wire, offset, wire.length, false)
  if (typeof read === 'string') throw new DnsFault('bad_name', read)
  return read.name
}

/**
 * Reads a possibly compressed name out of a message (RFC 1035 §4.1.4); `next` is the offset after it.
 *
 * Pointers must lead strictly backwards, and no name grows past 255 bytes, so hostile messages end quickly.
 *
 * @throws DnsFault `bad_message`
 */
export function readName(message: Uint8Array, offset: number): { name: DomainName; next: number } {
  const read = scanName(message, offset, message.length, true)
  if (typeof read === 'string') throw new DnsFault('bad_message', read)
  return read
}

/** A chain of pointers without labels between them is legal but never useful; a cap keeps it from costing time. */
const maxPointers = 127

/** The name at `offset`, or what is wrong with it. `end` bounds the bytes before the first pointer. */
export function scanName(
  wire: Uint8Array,
  offset: number,
  end: number,
  mayPoint: boolean,
): { name: DomainName; next: number } | string {
  const codes: number[] = []
  let next = -1
  let length = 1
  let pointers = 0
  let limit = end
  let at = offset
  for (;;) {
    const size = at < limit ? wire[at] : undefined
    if (size === undefined) return 'A domain name is cut short.'
    if (size === 0) break
    if (size >= 0xc0) {
      const low = at + 1 < limit ? wire[at + 1] : undefined
      if (!mayPoint) return 'A compressed name is not allowed here.'
      if (low === undefined) return 'A compression pointer is cut short.'
      const target = ((size & 0x3f) << 8) | low
      if (target >= at || ++pointers > maxPointers) return 'A compression pointer does not lead backwards.'
      if (next === -1) next = at + 2
      limit = at
      at = target
      continue
    }
    if (size > maxLabelBytes) return 'A label has an unknown kind.'
    length += size + 1
    if (length > maxNameBytes) return 'A domain name is longer than 255 bytes.'
    if (at + size >= limit) return 'A domain name is cut short.'
    pushLabel(wire, at + 1, at + 1 + size, codes)
    at += size + 1
  }
  if (codes.length === 0) codes.push(dot)
  return { name: String.fromCharCode(...codes) as DomainName, next: next === -1 ? at + 1 : next }
}

function pushLabel(wire: Uint8Array, from: number, to: number, codes: number[]): void {
  for (let at = from; at < to; at++) {
    const byte = wire[at] ?? 0
    const plain = plainByte[byte] ?? 0
    if (plain !== 0) {
      codes.push(plain)
    } else {
      const escaped = labelText[byte] ?? ''
      for (let index = 0; index < escaped.length; index++) codes.push(escaped.charCodeAt(index))
    }
  }
  codes.push(dot)
}

/** The labels in presentation form, leftmost first; none for the root. */
export function labelsOf(name: DomainName): string[] {
  if (name === rootName) return []
  if (!name.includes('\\')) return name.slice(0, -1).split('.')
  const labels: string[] = []
  for (let start = 0; start < name.length; ) {
    const end = dotAfter(name, start)
    labels.push(name.slice(start, end))
    start = end + 1
  }
  return labels
}

/** The name without its leftmost label; the root is its own parent. */
export function parentOf(name: DomainName): DomainName {
  const rest = name.slice(dotAfter(name, 0) + 1)
  return rest === '' ? rootName : (rest as DomainName)
}

/** Whether `name` is `ancestor` or below it. */
export function isWithin(name: DomainName, ancestor: DomainName): boolean {
  if (ancestor === rootName || name === ancestor) return true
  if (!name.endsWith(ancestor)) return false
  const before = name.length - ancestor.length - 1
  if (name.charCodeAt(before) !== dot) return false
  let backslashes = 0
  while (name.charCodeAt(before - 1 - backslashes) === backslash) backslashes++
  return backslashes % 2 === 0
}

/**
 * `label` put in front of `parent`.
 *
 * @throws DnsFault `bad_name` when the result is no name (a dot inside the label counts as a separator)
 */
export function joinName(label: string, parent: DomainName): DomainName {
  return parseName(parent === rootName ? `${label}.` : `${label}.${parent}`)
}

/** Canonical order (RFC 4034 §6.1): by labels from the right, byte by byte; a parent comes before its children. */
export function compareNames(a: DomainName, b: DomainName): number {
  if (a === b) return 0
  return nameSortKey(a) < nameSortKey(b) ? -1 : 1
}

/** A string whose plain order is the canonical order: sort many names by it, worked out once for each. */
export function nameSortKey(name: DomainName): string {
  const labels = labelsOf(name)
  const raw = name.includes('\\') ? labels.map(rawLabel) : labels
  return raw.reverse().join('\u0000')
}

/** The label as one character a byte; the two lowest bytes take two, since U+0000 separates labels. */
function rawLabel(label: string): string {
  return label.replace(/\\(\d{3}|.)/gs, (_, escaped: string) => {
    if (escaped.length === 1) return escaped
    const byte = Number(escaped)
    return byte < 2 ? `\u0001${String.fromCharCode(byte + 1)}` : String.fromCharCode(byte)
  })
}

/** Whether every label is letters, digits and inner hyphens (RFC 1123 §2.1). The root is no host name. */
export function isHostName(name: DomainName): boolean {
  return /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+$/.test(name)
}

/** Whether the leftmost label is the asterisk alone (RFC 4592 §2.1.1). */
export function isWildcard(name: DomainName): boolean {
  return name.startsWith('*.')
}
