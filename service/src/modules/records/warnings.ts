import { isIPv4 } from 'node:net'
import { codePoint, displayText } from '@zonewright/contract'
import { type DomainName, isWithin, namesIn, parseRdata, parseType, textTypes } from '@zonewright/dns'
import { absolute, relativeToRoot } from '#modules/zones/index.ts'
import { firstCharacters } from '#platform/bounded-text.ts'
import { withoutPauses } from '#platform/work/slices.ts'
import type { StoredRrset } from './rrset.ts'
import { ZoneNames } from './zone-names.ts'

/** Something that is allowed but probably a mistake. */
export interface Warning {
  readonly name: string
  readonly type: string
  readonly code:
    | 'long_ttl'
    | 'two_spf'
    | 'target_is_alias'
    | 'no_address'
    | 'below_dname'
    | 'forgotten_dot'
    | 'duplicates_merged'
    | 'typographic_quote'
    | 'invisible_character'
    | 'reverse_name'
    | 'unescaped_name'
    | 'needless_escape'
    | 'unquoted_text'
    | 'line_end_in_text'
    | 'alias_unresolved'
    | 'alias_truncated'
  readonly message: string
  /** Line of an imported zone file, from 1. */
  readonly line?: number
}

/** Seconds. With a TTL of more than a day, a mistake stays in caches for more than a day. */
const longTtl = 86_400
/** Types whose target is a host that must have an address of its own (RFC 2181 §10.3, RFC 5321 §5.1). */
const hostTypes = new Set(['MX', 'NS'])

/** The warnings about all records of a zone (design: zones, "Records"). They never refuse a change. */
export function warningsOf(zone: string, rrsets: readonly StoredRrset[]): Warning[] {
  const names = new ZoneNames(absolute(zone), rrsets)
  return [
    ...withoutPauses(findWarnings(rrsets, names)),
    ...rrsets.flatMap((rrset) => doubledTargets(rrset, names.origin)),
  ]
}

/**
 * The warnings about some record sets of a zone, with pauses. `names` must cover the targets of MX and NS, and the names around them
 * (`readOutline`).
 */
export function* findWarnings(rrsets: readonly StoredRrset[], names: ZoneNames): Generator<undefined, Warning[]> {
  const warnings: Warning[] = []
  for (const rrset of rrsets) {
    yield
    warnings.push(...ownWarnings(rrset, names.origin), ...targetWarnings(rrset, names), ...hiddenWarnings(rrset, names))
  }
  return warnings
}

/** The warnings about a record set that do not depend on the rest of the zone. */
export function ownWarnings(rrset: StoredRrset, origin: DomainName): Warning[] {
  return [
    ...ttlWarnings(rrset),
    ...spfWarnings(rrset),
    ...textWarnings(rrset),
    ...reverseWarnings(rrset, origin),
    ...doubledOwner(rrset, origin),
  ]
}

/** The warnings of the second list that are not in the first: those that a change adds. */
export function newWarnings(before: readonly Warning[], after: readonly Warning[]): Warning[] {
  const known = new Set(before.map(({ message }) => message))
  return after.filter(({ message }) => !known.has(message))
}

function ttlWarnings({ name, type, ttl }: StoredRrset): Warning[] {
  // The addresses of an ALIAS are published with a TTL of at most an hour.
  if (type === 'ALIAS') return []
  if (ttl <= longTtl) return []
  const message = `${name} ${type} has a TTL of ${ttl} s. Resolvers would cache a mistake for more than a day.`
  return [{ name, type, code: 'long_ttl', message }]
}

function spfWarnings({ name, type, records }: StoredRrset): Warning[] {
  if (type !== 'TXT' || records.filter((text) => /^"v=spf1[ "]/i.test(text)).length < 2) return []
  const message = `${name} has two SPF records. Receivers treat this as an error (RFC 7208 §4.5). Merge them into one.`
  return [{ name, type, code: 'two_spf', message }]
}

/** A PTR at an address in its usual form: resolvers query the reverse name (RFC 1035 §3.5). */
function reverseWarnings({ name, type }: StoredRrset, origin: DomainName): Warning[] {
  const address = name.slice(0, -origin.length)
  if (type !== 'PTR' || name.endsWith('.arpa') || !isIPv4(address)) return []
  const reverse = `${address.split('.').reverse().join('.')}.in-addr.arpa`
  const message = `${name} PTR: resolvers look up the PTR record of ${address} at ${reverse}. To set the reverse name of this address, add the record at that name in your reverse zone.`
  return [{ name, type, code: 'reverse_name', message }]
}

/** A string that begins with ‘, “, „ or «, as canonical data has it: the bytes of their UTF-8. */
const typographicQuote = /^"\\(?:226\\128\\(?:152|156|158)|194\\171)/

/** Invisible characters that no text needs, and characters that control the direction of the text after them. */
const alwaysOdd = /[\u00ad\u202a-\u202e\u2060\u2066-\u2069\ufeff]/
/** Characters that look like a space or like nothing. Texts in some languages need them, but no ASCII text does. */
const oddInAscii = /[\u00a0\u061c\u200b\u200e\u200f]/
const notAscii = /[^\x00-\x7f\u00a0\u061c\u200b\u200e\u200f]/

/** Characters of word processors and web pages in a text: programs that read the record do not understand them. */
function textWarnings({ name, type, records }: StoredRrset): Warning[] {
  if (!textTypes.has(parseType(type))) return []
  const quoted = records.filter((text) => typographicQuote.test(text)).slice(0, mostTextWarnings)
  // Canonical data has an escape for each byte that is not ASCII.
  const unseen = records.flatMap((record) => (record.includes('\\') ? oddCharacterIn(textOf(type, record)) : []))
  return [
    ...quoted.map((text): Warning => {
      const shown = firstCharacters(stringOf(type, text), shownCharacters)
      const message = `${name} ${type}: the text ${displayText(shown)} begins with a typographic quotation mark, which is published as part of the text. Remove it if this is a mistake.`
      return { name, type, code: 'typographic_quote', message }
    }),
    ...unseen.slice(0, mostTextWarnings).map(({ text, character, position }): Warning => {
      const shown = displayText(firstCharacters(text, shownCharacters))
      const message = `${name} ${type}: the text that begins with ${shown} contains ${character} at position ${position}, which is invisible or looks like a space. It is published as part of the text. Remove it, or replace it with a space, if this is a mistake.`
      return { name, type, code: 'invisible_character', message }
    }),
  ]
}

/** The first odd character of a text, as U+00A0, with its position from 1. */
function oddCharacterIn(text: string | undefined): { text: string; character: string; position: number }[] {
  if (text === undefined) return []
  const found = alwaysOdd.exec(text) ?? (notAscii.test(text) ? null : oddInAscii.exec(text))
  if (found === null) return []
  const position = [...text.slice(0, found.index)].length + 1
  return [{ text, character: codePoint(found[0]), position }]
}

/** Maximum number of warnings of one kind about texts of one record set, and of characters of each text that are shown. */
const mostTextWarnings = 10
const shownCharacters = 40

/** All strings of text data together; undefined: they are not UTF-8. */
function textOf(type: string, record: string): string | undefined {
  const data = parseRdata(parseType(type), record)
  const strings: Uint8Array[] = []
  for (let at = 0; at < data.length; at += 1 + (data[at] ?? 0))
    strings.push(data.subarray(at + 1, at + 1 + (data[at] ?? 0)))
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.concat(strings))
  } catch {
    return undefined
  }
}

/** The first string of text data. */
function stringOf(type: string, record: string): string {
  const data = parseRdata(parseType(type), record)
  return new TextDecoder().decode(data.subarray(1, 1 + (data[0] ?? 0)))
}

/** Maximum number of warnings about the hosts of one record set. */
const mostHostWarnings = 100

function targetWarnings(rrset: StoredRrset, names: ZoneNames): Warning[] {
  const warnings = hostsOf(rrset).flatMap((target): Warning[] => {
    const about = { name: rrset.name, type: rrset.type }
    const host = relativeToRoot(target)
    if (names.isAlias(target))
      return [
        {
          ...about,
          code: 'target_is_alias',
          message: `${rrset.name} ${rrset.type} points to ${host}, which is a CNAME. Use a host name that has its own address.`,
        },
      ]
    if (names.lacksAddress(target))
      return [
        {
          ...about,
          code: 'no_address',
          message: `${rrset.name} ${rrset.type} points to ${host}, which has no A or AAAA record.`,
        },
      ]
    return []
  })
  return warnings.slice(0, mostHostWarnings)
}

/** Whether it is an MX or NS record set. */
export function namesHosts({ type }: Pick<StoredRrset, 'type'>): boolean {
  return hostTypes.has(type)
}

/** The hosts that an MX or NS record set names; none for any other type. */
export function hostsOf(rrset: Pick<StoredRrset, 'type' | 'records'>): DomainName[] {
  if (!namesHosts(rrset)) return []
  const [type, { records }] = [parseType(rrset.type), rrset]
  return [...new Set(records.flatMap((record) => namesIn(type, parseRdata(type, record))))]
}

function hiddenWarnings({ name, type }: StoredRrset, names: ZoneNames): Warning[] {
  const above = names.dnameAbove(absolute(name))
  if (above === undefined) return []
  const message = `${name} ${type} is never served, because the DNAME of ${relativeToRoot(above)} replaces all names below it (RFC 6672 §2.4).`
  return [{ name, type, code: 'below_dname', message }]
}

/** An owner name that ends in the zone's name twice: in a zone file, a name without a final dot is relative (RFC 1035 §5.1). */
function doubledOwner({ name, type }: StoredRrset, origin: DomainName): Warning[] {
  const whole = `${name}.` as DomainName
  return isWithin(whole, doubled(origin)) ? [doubledWarning(name, type, whole, origin)] : []
}

/** The same for the names in the data. For the names of a request, `DotlessName` covers it. */
function doubledTargets({ name, type, records }: StoredRrset, origin: DomainName): Warning[] {
  const targets = records
    .filter((text) => text.toLowerCase().includes(doubled(origin)))
    .flatMap((text) => namesIn(parseType(type), parseRdata(parseType(type), text, origin)))
  const odd = [...new Set(targets)].filter((whole) => isWithin(whole, doubled(origin)))
  return odd.map((whole) => doubledWarning(name, type, whole, origin))
}

function doubled(origin: DomainName): DomainName {
  return `${origin}${origin}` as DomainName
}

function doubledWarning(name: string, type: string, whole: DomainName, origin: DomainName): Warning {
  const meant = whole.slice(0, -origin.length)
  const message = `${name} ${type} has the name ${whole} If you mean ${meant}, write the final dot in the zone file.`
  return { name, type, code: 'forgotten_dot', message }
}
