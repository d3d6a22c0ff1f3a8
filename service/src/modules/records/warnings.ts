import { type DomainName, isWithin, namesIn, parentOf, parseRdata, parseType, RrType } from '@zonewright/dns'
import { absolute, relativeToRoot } from '#modules/zones/index.ts'
import { withoutPauses } from '#platform/slices.ts'
import type { ParsedChange } from './rrset-change.ts'
import type { StoredRrset } from './rules.ts'

/** Something that is allowed, and most likely not meant. */
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
    | 'unescaped_name'
    | 'unquoted_text'
  readonly message: string
  /** Line of the zone file that it speaks of, from 1. */
  readonly line?: number
}

/** Seconds: longer than a day, a mistake cannot be mended for longer than a day. */
const longTtl = 86_400
/** Types whose target is a host that must have an address of its own (RFC 2181 §10.3, RFC 5321 §5.1). */
const hostTypes = new Set<RrType>([RrType.MX, RrType.NS])

/** What is odd about a zone's records as a whole (design: zones, "Records"). Never a reason to refuse them. */
export function warningsOf(zone: string, rrsets: readonly StoredRrset[]): Warning[] {
  return withoutPauses(findWarnings(zone, rrsets))
}

/** The same with pauses. */
export function* findWarnings(zone: string, rrsets: readonly StoredRrset[]): Generator<undefined, Warning[]> {
  const names = new Names(absolute(zone), rrsets)
  const warnings: Warning[] = []
  for (const rrset of rrsets) {
    yield
    warnings.push(
      ...rrsetWarnings(rrset),
      ...targetWarnings(rrset, names),
      ...hiddenWarnings(rrset, names),
      ...dotWarnings(rrset, names.origin),
    )
  }
  return warnings
}

/** Those of the second list that are not in the first: what a change brings about. */
export function newWarnings(before: readonly Warning[], after: readonly Warning[]): Warning[] {
  const known = new Set(before.map(({ message }) => message))
  return after.filter(({ message }) => !known.has(message))
}

/** What is odd about an rrset by itself. */
function rrsetWarnings(rrset: StoredRrset): Warning[] {
  return [...ttlWarnings(rrset), ...spfWarnings(rrset), ...quoteWarnings(rrset)]
}

function ttlWarnings({ name, type, ttl }: StoredRrset): Warning[] {
  if (ttl <= longTtl) return []
  const message = `${name} ${type} has a TTL of ${ttl} s: a mistake in it would be remembered for longer than a day.`
  return [{ name, type, code: 'long_ttl', message }]
}

function spfWarnings({ name, type, records }: StoredRrset): Warning[] {
  if (type !== 'TXT' || records.filter((text) => /^"v=spf1[ "]/i.test(text)).length < 2) return []
  const message = `${name} has two SPF records: receivers take that for an error (RFC 7208 §4.5). Make one of them.`
  return [{ name, type, code: 'two_spf', message }]
}

/** Types of text that programs read. */
const textTypes: ReadonlySet<string> = new Set(['TXT', 'SPF', 'RESINFO', 'WALLET'])
/** A string that begins with ‘, “, „ or «, as canonical data has it: the bytes of their UTF-8. */
const typographicQuote = /^"\\(?:226\\128\\(?:152|156|158)|194\\171)/

/** Quotation marks of word processors quote nothing in a record: they are part of the text, which programs then do not understand. */
function quoteWarnings({ name, type, records }: StoredRrset): Warning[] {
  if (!textTypes.has(type) || !records.some((text) => typographicQuote.test(text))) return []
  const message = `${name} ${type} has a text that begins with a typographic quotation mark, which is published as part of the text. Remove it unless it is meant.`
  return [{ name, type, code: 'typographic_quote', message }]
}

function targetWarnings(rrset: StoredRrset, names: Names): Warning[] {
  const type = parseType(rrset.type)
  if (!hostTypes.has(type)) return []
  const targets = rrset.records.flatMap((text) => namesIn(type, parseRdata(type, text, names.origin)))
  return [...new Set(targets)].flatMap((target): Warning[] => {
    const about = { name: rrset.name, type: rrset.type }
    const host = relativeToRoot(target)
    if (names.isAlias(target))
      return [
        {
          ...about,
          code: 'target_is_alias',
          message: `${rrset.name} ${rrset.type} names ${host}, which is a CNAME: it must be a host with an address of its own.`,
        },
      ]
    if (names.lacksAddress(target))
      return [
        {
          ...about,
          code: 'no_address',
          message: `${rrset.name} ${rrset.type} names ${host}, which has no A or AAAA record.`,
        },
      ]
    return []
  })
}

function hiddenWarnings({ name, type }: StoredRrset, names: Names): Warning[] {
  const above = names.dnameAbove(absolute(name))
  if (above === undefined) return []
  const message = `${name} ${type} is never answered: the DNAME of ${relativeToRoot(above)} stands for all names below it (RFC 6672 §2.4).`
  return [{ name, type, code: 'below_dname', message }]
}

/**
 * Names that end in the zone's name twice: of a zone file, in which a name without a dot at its end goes on with the zone's
 * (RFC 1035 §5.1), most likely such a dot was forgotten. What comes as JSON is refused for it, and owner names are read as whole ones.
 */
function dotWarnings({ name, type, records }: StoredRrset, origin: DomainName): Warning[] {
  const twice = `${origin}${origin}` as DomainName
  const targets = records
    .filter((text) => text.toLowerCase().includes(twice))
    .flatMap((text) => namesIn(parseType(type), parseRdata(parseType(type), text, origin)))
  const odd = [...new Set([`${name}.` as DomainName, ...targets])].filter((whole) => isWithin(whole, twice))
  return odd.map((whole) => {
    const meant = whole.slice(0, -origin.length)
    const message = `${name} ${type} has the name ${whole} If ${meant} is meant, a zone file must write its dot at the end.`
    return { name, type, code: 'forgotten_dot', message }
  })
}

/** What stands at the names of a zone. */
class Names {
  readonly origin: DomainName
  readonly #types = new Map<DomainName, Set<string>>()
  /** Names that exist, those between a record and the apex too (RFC 4592 §2.2.2). */
  readonly #existing: Set<DomainName>
  readonly #hasDname: boolean

  constructor(origin: DomainName, rrsets: readonly StoredRrset[]) {
    this.origin = origin
    this.#existing = new Set([origin])
    this.#hasDname = rrsets.some(({ type }) => type === 'DNAME')
    for (const { name, type } of rrsets) {
      const at = absolute(name)
      this.#types.set(at, (this.#types.get(at) ?? new Set()).add(type))
      for (let name = at; !this.#existing.has(name); name = parentOf(name)) this.#existing.add(name)
    }
  }

  isAlias(name: DomainName): boolean {
    return this.#types.get(name)?.has('CNAME') ?? false
  }

  /** The nearest name above, in this zone, that has a DNAME. */
  dnameAbove(name: DomainName): DomainName | undefined {
    if (!this.#hasDname || name === this.origin) return undefined
    const above = parentOf(name)
    return this.#types.get(above)?.has('DNAME') ? above : this.dnameAbove(above)
  }

  /** In this zone, not in one that is delegated from it, and without an address, also none by a wildcard (RFC 4592). */
  lacksAddress(name: DomainName): boolean {
    if (!isWithin(name, this.origin)) return false
    for (let at = name; at !== this.origin; at = parentOf(at)) if (this.#types.get(at)?.has('NS')) return false
    const answering = this.#types.get(this.#existing.has(name) ? name : this.#wildcardFor(name))
    return !['A', 'AAAA', 'CNAME'].some((type) => answering?.has(type))
  }

  /** The closest name that exists decides which wildcard counts (RFC 4592 §3.3.1). */
  #wildcardFor(name: DomainName): DomainName {
    let at = parentOf(name)
    while (!this.#existing.has(at)) at = parentOf(at)
    return `*.${at}` as DomainName
  }
}

/** That equal values were merged, for each change of a request in which there were any. */
export function duplicateWarnings(parsed: readonly ParsedChange[]): Warning[] {
  return parsed.flatMap((item) => {
    if (!('change' in item) || item.duplicates === 0) return []
    const { name, type } = item.change
    const message = `${name} ${type}: ${item.duplicates} of the values were the same as others, and are there once.`
    return [{ name, type, code: 'duplicates_merged' as const, message }]
  })
}
