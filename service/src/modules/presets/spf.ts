import { canonicalTxt, textOfTxt } from './txt.ts'

/** Terms of a record that may cost a DNS lookup, each (RFC 7208 §4.6.4). */
const lookupTerm = /^[+?~-]?(include:|a([:/]|$)|mx([:/]|$)|ptr(:|$)|exists:|redirect=)/i
/** More of them and receivers take the record for broken (RFC 7208 §4.6.4). */
export const maxSpfLookups = 10
/** A term that is no mechanism (RFC 7208 §12). */
const modifier = /^[a-z][a-z0-9_.-]*=/i
/** From the most to the least permissive (RFC 7208 §4.6.2). */
const qualifiers = ['+', '?', '~', '-']
/** What a new record says of other senders: their mail is suspect, not refused. */
const usualEnd = '~all'

/** Is this TXT record an SPF record? (RFC 7208 §4.5) */
export function isSpf(record: string): boolean {
  return /^v=spf1( |$)/i.test(textOfTxt(record))
}

/**
 * The one SPF record that keeps what the existing ones allow and also has these rules.
 *
 * Records in and out are canonical record data. A name has one SPF record only (RFC 7208 §4.5). The end stays as its owner chose it. Where the same mechanism stands with
 * different qualifiers, the most permissive one counts. What has no force is given none: it goes. Merging the same rules again changes nothing.
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
  // What says the same in other spaces and strings stays as its owner wrote it.
  const isThere = only !== undefined && more.length === 0 && sameTerms(['v=spf1', ...termsInForce(only)], merged)
  return isThere ? only : canonicalTxt(merged.join(' '))
}

/** How many lookups a record costs at least: those behind its includes are not counted. */
export function lookupsOf(record: string): number {
  return termsInForce(record).filter((term) => lookupTerm.test(term)).length
}

/** What is wrong with rules that are to be merged; undefined: nothing. */
export function faultOfRules(rules: readonly string[]): string | undefined {
  const end = rules.find((rule) => mechanismOf(rule) === 'all' || /^redirect=/i.test(rule))
  return end === undefined ? undefined : `${end} would apply to all other senders of the domain. Remove it.`
}

/** A record's terms but for the version. Mechanisms behind the first `all` are never looked at (RFC 7208 §5.1); modifiers stand anywhere (§6). */
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
