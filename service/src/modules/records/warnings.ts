import { displayText } from '@zonewright/contract'
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
  readonly message: string
  /** Line of an imported zone file, from 1. */
  readonly line?: number
}

/** Seconds: longer than a day, a mistake cannot be mended for longer than a day. */
const longTtl = 86_400
/** Types whose target is a host that must have an address of its own (RFC 2181 §10.3, RFC 5321 §5.1). */
const hostTypes = new Set(['MX', 'NS'])

/** What is odd about a zone's records as a whole (design: zones, "Records"). Never a reason to refuse them. */
export function warningsOf(zone: string, rrsets: readonly StoredRrset[]): Warning[] {
  const names = new ZoneNames(absolute(zone), rrsets)
  return [
    ...withoutPauses(findWarnings(rrsets, names)),
    ...rrsets.flatMap((rrset) => doubledTargets(rrset, names.origin)),
  ]
}

/**
 * What is odd about some record sets of a zone, with pauses. `names` must know what stands at the targets of MX and NS, and around them
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

/** What is odd about a record set by itself, whatever else is in the zone. */
export function ownWarnings(rrset: StoredRrset, origin: DomainName): Warning[] {
  return [
    ...ttlWarnings(rrset),
    ...spfWarnings(rrset),
    ...textWarnings(rrset),
    ...reverseWarnings(rrset),
    ...doubledOwner(rrset, origin),
  ]
}

/** The warnings of the second list that are not in the first: those that a change adds. */
export function newWarnings(before: readonly Warning[], after: readonly Warning[]): Warning[] {
  const known = new Set(before.map(({ message }) => message))
  return after.filter(({ message }) => !known.has(message))
}

function ttlWarnings({ name, type, ttl }: StoredRrset): Warning[] {
  if (ttl <= longTtl) return []
  const message = `${name} ${type} has a TTL of ${ttl} s. Resolvers would cache a mistake for more than a day.`
  return [{ name, type, code: 'long_ttl', message }]
}

function spfWarnings({ name, type, records }: StoredRrset): Warning[] {
  if (type !== 'TXT' || records.filter((text) => /^"v=spf1[ "]/i.test(text)).length < 2) return []
  const message = `${name} has two SPF records. Receivers treat this as an error (RFC 7208 §4.5). Merge them into one.`
  return [{ name, type, code: 'two_spf', message }]
}

/** A PTR at an address as it is usually written: resolvers look for it at the reverse name (RFC 1035 §3.5). */
function reverseWarnings({ name, type }: StoredRrset): Warning[] {
  const address = type === 'PTR' ? /^\d{1,3}(?:\.\d{1,3}){3}(?=\.|$)/.exec(name)?.[0] : undefined
  if (address === undefined || name.endsWith('.in-addr.arpa')) return []
  const reverse = `${address.split('.').reverse().join('.')}.in-addr.arpa`
  const message = `${name} PTR: resolvers look up the PTR record of ${address} at ${reverse}. If you mean this address, use that name in the zone of your network.`
  return [{ name, type, code: 'reverse_name', message }]
}

/** A string that begins with ‘, “, „ or «, as canonical data has it: the bytes of their UTF-8. */
const typographicQuote = /^"\\(?:226\\128\\(?:152|156|158)|194\\171)/

/**
 * U+00A0, U+00AD, U+200B, U+2060, U+FEFF, and the characters that control the direction of text (U+061C, U+200E, U+200F, U+202A to U+202E,
 * U+2066 to U+2069), as canonical data has them.
 */
const invisible = /\\194\\1(?:60|73)|\\216\\156|\\226\\128\\1(?:39|4[23]|7[0-4])|\\226\\129\\16[06-9]|\\239\\187\\191/

/** Characters of word processors and web pages in a text: programs that read the record do not understand them. */
function textWarnings({ name, type, records }: StoredRrset): Warning[] {
  if (!textTypes.has(parseType(type))) return []
  const shown = (text: string): string => displayText(firstCharacters(stringOf(type, text), shownCharacters))
  const quoted = records.filter((text) => typographicQuote.test(text)).slice(0, mostTextWarnings)
  const unseen = records.filter((text) => invisible.test(text)).slice(0, mostTextWarnings)
  return [
    ...quoted.map((text): Warning => {
      const message = `${name} ${type}: the text ${shown(text)} begins with a typographic quotation mark, which is published as part of the text. Remove it if this is a mistake.`
      return { name, type, code: 'typographic_quote', message }
    }),
    ...unseen.map((text): Warning => {
      const [bytes = ''] = invisible.exec(text) ?? []
      const message = `${name} ${type}: the text ${shown(text)} contains ${characterOf(bytes)}, which is invisible or looks like a space. It is published as part of the text. Remove it, or replace it with a space, if this is a mistake.`
      return { name, type, code: 'invisible_character', message }
    }),
  ]
}

/** The character of such bytes, as U+00A0. */
function characterOf(escaped: string): string {
  const bytes = escaped.split('\\').slice(1).map(Number)
  const code = new TextDecoder('utf-8', { ignoreBOM: true }).decode(Uint8Array.from(bytes)).charCodeAt(0)
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
}

/** The most warnings of a kind about texts of one record set, and the characters of each text that are shown. */
const mostTextWarnings = 10
const shownCharacters = 40

/** The first string of text data. */
function stringOf(type: string, record: string): string {
  const data = parseRdata(parseType(type), record)
  return new TextDecoder().decode(data.subarray(1, 1 + (data[0] ?? 0)))
}

/** The most warnings about the hosts of one record set. */
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

/** The hosts that an MX or NS record set names; of any other type, none. */
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
