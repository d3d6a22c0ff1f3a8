import { isIPv4 } from 'node:net'
import { domainToASCII } from 'node:url'
import { displayFault, searchLengths, tooLongSearch } from '@zonewright/contract'
import { aLabels, ipv6ToText, isMappedIpv4, parseIpv6 } from '@zonewright/dns'
import { Refusal } from '#platform/errors.ts'

/**
 * The texts that a search looks for, in lower case. An object that contains any of them is a hit.
 *
 * People write names in Unicode, addresses in any notation and whole URLs. Records and zones have A-labels, canonical addresses and escapes.
 *
 * @throws Refusal `validation_failed` for a text that is too short or too long, or that has control or bidirectional characters
 */
export function readSearch(written: string): readonly string[] {
  const text = written.normalize('NFC').trim()
  const length = [...text].length
  if (length < searchLengths.least)
    throw badSearch('too_short', `Search for at least ${searchLengths.least} characters.`)
  if (length > searchLengths.most) throw badSearch('too_long', tooLongSearch)
  const fault = displayFault(text)
  if (fault !== undefined) throw badSearch('bad_character', fault)
  const plain = hostOf(text.toLowerCase())
  const terms = [
    plain,
    withoutQuotes(plain),
    withoutDot(plain),
    ...asName(plain),
    ...escaped(plain),
    ...asAddress(plain),
  ]
  return [...new Set(terms.filter((term) => term.length >= searchLengths.least))]
}

function badSearch(code: string, message: string): Refusal {
  return new Refusal('validation_failed', message, { details: [{ path: 'q', code, message }] })
}

/** The host of a URL; any other text as it is. */
function hostOf(text: string): string {
  return /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#@]*@)?(\[[^\]]+\]|[^/?#:]{2,})/.exec(text)?.[1] ?? text
}

/** The strings of a TXT record as one text, as records are searched (`ZoneText`), without the quotes around them. */
function withoutQuotes(text: string): string {
  const joined = joinStrings(text)
  return /^".*"$/s.test(joined) ? joined.slice(1, -1) : joined
}

/** Joins several strings of TXT data, because long texts are split at every 255th byte. */
export function joinStrings(text: string): string {
  return text.includes('" "') ? text.replaceAll('" "', '') : text
}

function withoutDot(text: string): string {
  return text.endsWith('.') ? text.slice(0, -1) : text
}

/** A name in Unicode with A-labels. */
function asName(text: string): string[] {
  return /^[\x00-\x7f]*$/.test(text) ? [] : [withoutDot(aLabels(text, domainToASCII))]
}

/** The text as record data and owner names have it: backslashes and quotes escaped, and bytes outside ASCII as `\DDD`. */
function escaped(text: string): string[] {
  if (/^[\x00-\x21\x23-\x5b\x5d-\x7f]*$/.test(text)) return []
  const quoted = withoutQuotes(text).replaceAll(/["\\]/g, '\\$&')
  return [
    quoted.replaceAll(/[\u0080-\u{10ffff}]/gu, (character) =>
      [...Buffer.from(character)].map((byte) => `\\${byte}`).join(''),
    ),
  ]
}

/** An address in its canonical form, and the name of its PTR record. */
function asAddress(text: string): string[] {
  const inner = /^\[(.*)\]$/.exec(text)?.[1] ?? text
  if (isIPv4(inner)) return [`${inner.split('.').reverse().join('.')}.in-addr.arpa`]
  const v6 = inner.includes(':') ? parseIpv6(inner) : undefined
  if (v6 === undefined) return []
  const digits = Buffer.from(v6).toString('hex')
  return [
    ipv6ToText(v6),
    ...(isMappedIpv4(v6) ? [v6.subarray(12).join('.')] : []),
    `${[...digits].reverse().join('.')}.ip6.arpa`,
  ]
}
