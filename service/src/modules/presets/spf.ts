import { canonicalTxt, textOfTxt } from './txt.ts'

/** Terms of a record that may each cost a DNS lookup (RFC 7208 §4.6.4). */
const lookupTerm = /^[+?~-]?(include:|a([:/]|$)|mx([:/]|$)|ptr(:|$)|exists:|redirect=)/i
/** With more of them, receivers treat the record as broken (RFC 7208 §4.6.4). */
export const maxSpfLookups = 10
/** A term that is not a mechanism (RFC 7208 §12). */
const modifier = /^[a-z][a-z0-9_.-]*=/i
/** From the most to the least permissive (RFC 7208 §4.6.2). */
const qualifiers = ['+', '?', '~', '-']
/** What a new record says about other senders: their mail is suspicious, but not refused. */
const usualEnd = '~all'

/** Whether this TXT record is an SPF record (RFC 7208 §4.5). */
export function isSpf(record: string): boolean {
  return /^v=spf1( |$)/i.test(textOfTxt(record))
}

/**
 * The SPF record that keeps what the existing ones allow and adds these rules.
 *
 * Records in and out are canonical record data. A name has only one SPF record (RFC 7208 §4.5). The end stays as its owner chose it. If the same
 * mechanism has different qualifiers, the most permissive one counts. Terms without effect are removed. Merging the same rules again changes nothing.
 */
export function mergeSpf(existing: readonly string[], rules: readonly string[]): string {
  const before = existing.flatMap(termsInForce)
  const terms = new Map<string, string>()
  for (const term of [...before, ...rules]) {
    const mechanism = mechanismOf(term)
    terms.set(mechanism, morePermissive(terms.get(mechanism) ?? term, term))
  }
  const end = terms.get('all') ?? (existing.length === 0 ? usualEnd : undefined)
  terms.delete('all')
  const merged = ['v=spf1', ...terms.values(), ...(end === undefined ? [] : [end])]
  const [only, ...more] = existing
  // A record with the same meaning in different spaces and strings stays as its owner wrote it.
  const isThere = only !== undefined && more.length === 0 && sameTerms(['v=spf1', ...termsInForce(only)], merged)
  return isThere ? only : canonicalTxt(merged.join(' '))
}

/** The minimum number of lookups that a record costs: those within its includes are not counted. */
export function lookupsOf(record: string): number {
  return termsInForce(record).filter((term) => lookupTerm.test(term)).length
}

/** What is wrong with the rules to be merged; undefined: nothing. */
export function faultOfRules(rules: readonly string[]): string | undefined {
  const end = rules.find((rule) => mechanismOf(rule) === 'all' || /^redirect=/i.test(rule))
  return end === undefined ? undefined : `${end} would apply to all other senders of the domain. Remove it.`
}

/** A record's terms, except the version. Mechanisms after the first `all` are ignored (RFC 7208 §5.1); modifiers may be anywhere (§6). */
function termsInForce(record: string): string[] {
  const terms = termsOf(textOfTxt(record)).slice(1)
  const end = terms.findIndex((term) => mechanismOf(term) === 'all')
  return terms.filter((term, i) => end === -1 || i <= end || modifier.test(term))
}

export function termsOf(text: string): string[] {
  return text.split(/\s+/).filter((term) => term !== '')
}

function sameTerms(a: readonly string[], b: readonly string[]): boolean {
  return a.toSorted().join(' ') === b.toSorted().join(' ')
}

function mechanismOf(term: string): string {
  return term.toLowerCase().replace(/^[+?~-]/, '')
}

function morePermissive(a: string, b: string): string {
  return rankOf(b) < rankOf(a) ? b : a
}

function rankOf(term: string): number {
  return Math.max(0, qualifiers.indexOf(term.charAt(0)))
}
