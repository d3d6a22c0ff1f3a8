import { decimalEscape, escapedByte } from './escape.ts'
import { DnsFault, quoteInput } from './faults.ts'

declare const brand: unique symbol

/**
 * A fully qualified domain name in canonical presentation form (RFC 1035 §5.1, RFC 4343): lower-case, with the trailing dot.
 *
 * Two names are equal exactly when their strings are. The escapes are normalized: `\` before one of `. \ " ( ) ; @ $`,
 * `\DDD` for a byte outside printable ASCII. `.` is the root.
 */
export type DomainName = string & { readonly [brand]: 'DomainName' }

/** The root of the tree, `.`. */
export const rootName = '.' as DomainName

/** Longest label in bytes (RFC 1035 §2.3.4). */
export const maxLabelBytes = 63
/** Longest name in wire form, length bytes and root included (RFC 1035 §2.3.4). */
export const maxNameBytes = 255
/** The maximum length of a name in text form, because `\DDD` is one byte. */
export const maxNameCharacters = 4 * maxNameBytes

const backslash = 0x5c
const dot = 0x2e
const plainName = /^[A-Za-z0-9_*-]{1,63}(?:\.[A-Za-z0-9_*-]{1,63})*\.?$/

/**
 * Reads a name as written in a zone file or by a customer.
 *
 * `@` is the origin, also as the last label (`www.@`); a name without trailing dot is relative and needs an origin. ASCII only: the
 * caller converts U-labels to A-labels (RFC 5890).
 *
 * @throws DnsFault `bad_name`
 */
export function parseName(text: string, origin?: DomainName): DomainName {
  if (text === '@' && origin !== undefined) return origin
  if (text === '.') return rootName
  if (text === '') throw new DnsFault('bad_name', 'A domain name must not be empty.')
  // The regular expression runs out of memory for millions of labels.
  if (text.length > maxNameCharacters) throw tooLong(text)
  // Names almost always have no escapes: the regular expression then checks everything except the length.
  if (plainName.test(text)) return absolute(text.toLowerCase(), text.endsWith('.'), text, origin)
  if (origin !== undefined && isBelowOrigin(text)) return parseName(text.slice(0, -2), origin)
  const { normal, isAbsolute } = normalise(text)
  return absolute(normal, isAbsolute, text, origin)
}

function absolute(text: string, isAbsolute: boolean, written: string, origin: DomainName | undefined): DomainName {
  if (!isAbsolute && origin === undefined) {
    throw new DnsFault('bad_name', `${quoteInput(written)} is not fully qualified: end the name with a dot.`)
  }
  const name = (isAbsolute ? text : origin === rootName ? `${text}.` : `${text}.${origin}`) as DomainName
  if (nameBytes(name) > maxNameBytes) throw tooLong(written)
  return name
}

function tooLong(written: string): DnsFault {
  return new DnsFault('bad_name', `The name ${quoteInput(written)} is longer than 255 bytes.`)
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
      const decimal = decimalEscape(text, at + 1)
      byte = decimal ?? text.charCodeAt(at + 1)
      if (Number.isNaN(byte)) throw refuse('a backslash takes one character or three digits up to 255')
      if (decimal !== undefined) highest = 255
      at += decimal === undefined ? 1 : 3
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
export const labelText: readonly string[] = Array.from({ length: 256 }, (_, byte) => {
  if ('."();@$\\'.includes(String.fromCharCode(byte))) return `\\${String.fromCharCode(byte)}`
  if (byte < 0x21 || byte > 0x7e) return escapedByte(byte)
  return String.fromCharCode(byte).toLowerCase()
})

/** Whether `text` is a fully qualified name in any case and escaping. */
export function isDomainName(text: string): boolean {
  return asName(text) !== undefined
}

/** `text`, in any case and escaping, as a fully qualified name; undefined if it is not one. */
export function asName(text: string): DomainName | undefined {
  try {
    return parseName(text)
  } catch {
    return undefined
  }
}

/** Index of the dot that ends the label starting at `start`; dots after a backslash belong to the label. */
export function dotAfter(name: DomainName, start: number): number {
  for (let index = start; index < name.length; index++) {
    const code = name.charCodeAt(index)
    if (code === dot) return index
    if (code === backslash) index++
  }
  return name.length
}

/** Length in wire form, in bytes. */
export function nameBytes(name: DomainName): number {
  if (name === rootName) return 1
  if (!name.includes('\\')) return name.length + 1
  return name.replace(/\\(?:\d{3}|.)/gs, '-').length + 1
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
  return name.charCodeAt(before) === dot && !isEscaped(name, before)
}

/** Whether the last label is an unescaped `@`, below other labels: the origin. */
export function isOriginLast(text: string): boolean {
  return text.endsWith('.@') && !isEscaped(text, text.length - 2)
}

/** The same, and the label before it is not empty. */
function isBelowOrigin(text: string): boolean {
  const at = text.length - 2
  return at > 0 && isOriginLast(text) && (text.charCodeAt(at - 1) !== dot || isEscaped(text, at - 1))
}

/** Whether the character at an index follows a backslash that is not itself escaped. */
function isEscaped(text: string, at: number): boolean {
  let backslashes = 0
  while (text.charCodeAt(at - 1 - backslashes) === backslash) backslashes++
  return backslashes % 2 === 1
}

/**
 * `label` put in front of `parent`.
 *
 * @throws DnsFault `bad_name` if the result is not a name (a dot inside the label counts as a separator)
 */
export function joinName(label: string, parent: DomainName): DomainName {
  return parseName(parent === rootName ? `${label}.` : `${label}.${parent}`)
}

/** Whether a name lies below in-addr.arpa or ip6.arpa, where labels are parts of addresses (RFC 1035 §3.5, RFC 3596 §2.5, RFC 2317). */
export function isReverseName(name: DomainName): boolean {
  return name.endsWith('.arpa.') && /\.(?:in-addr|ip6)\.arpa\.$/.test(name)
}

/** Whether every label is letters, digits and inner hyphens (RFC 1123 §2.1). The root is not a host name. */
export function isHostName(name: DomainName): boolean {
  return /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+$/.test(name)
}

/** Suffixes of names that never mean a host on the public internet: mDNS, RFC 6762; ICANN's private-use TLD; RFC 6761; RFC 7686. */
const localSuffixes = ['local', 'internal', 'localhost', 'onion']

/** Whether a host name, with its final dot or without, never means a host on the public internet. One label alone never does. */
export function isLocalHost(name: string): boolean {
  const labels = (name.endsWith('.') ? name.slice(0, -1) : name).toLowerCase().split('.')
  return labels.length < 2 || labels.includes('') || localSuffixes.includes(labels.at(-1) ?? '')
}

/** Whether the leftmost label is the asterisk alone (RFC 4592 §2.1.1). */
export function isWildcard(name: DomainName): boolean {
  return name.startsWith('*.')
}
