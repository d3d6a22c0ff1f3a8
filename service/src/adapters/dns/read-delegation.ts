import { type DomainName, isWithin, type Message, nameFromWire, Rcode, RrType, type WireRecord } from '@zonewright/dns'

/** What one server of the parent says about a name. */
export type Word =
  | { readonly kind: 'nameservers'; readonly nameservers: readonly string[] }
  | { readonly kind: 'missing' }
  /** No usable response: an error, a cached response, or a zone that it does not have. */
  | { readonly kind: 'lame' }

const lame: Word = { kind: 'lame' }

/** More nameservers than any zone has. Such a response is malicious. */
const maxNameservers = 50

/**
 * Reads the response of a server of the parent to a query for the NS of `name`.
 *
 * A delegation is a referral: without authority, the NS set in the authority section (RFC 1034 §4.2.1). A server that also has
 * the zone itself answers with its own NS set and authority. Any other response without authority is not evidence.
 */
export function readDelegation(message: Message, name: DomainName): Word {
  const { aa, rcode, answers, authorities } = message
  const nsAt = (records: Message['answers']): Word | undefined => {
    const found = records.filter((record) => record.type === RrType.NS && record.name === name)
    if (found.length > maxNameservers) return lame
    return found.length > 0 ? { kind: 'nameservers', nameservers: hostNamesOf(found) } : undefined
  }
  if (message.questions[0]?.name !== name) return lame
  if (!aa) {
    const isReferral = rcode === Rcode.NOERROR && answers.length === 0
    return (isReferral ? nsAt(authorities) : undefined) ?? lame
  }
  if (rcode === Rcode.NXDOMAIN) return hasSoaAbove(message, name) ? { kind: 'missing' } : lame
  if (rcode !== Rcode.NOERROR) return lame
  const own = nsAt(answers)
  if (own !== undefined) return own
  const isAlias = answers.some((record) => record.type === RrType.CNAME && record.name === name)
  // It exists, and has no delegation (RFC 2308 §2.2).
  if (isAlias || hasSoaAbove(message, name)) return { kind: 'nameservers', nameservers: [] }
  return lame
}

/** A negative response has the SOA of its zone (RFC 2308 §3), which must be above the name. */
function hasSoaAbove({ authorities }: Message, name: DomainName): boolean {
  return authorities.some((record) => record.type === RrType.SOA && record.name !== name && isWithin(name, record.name))
}

/** The host names in NS records: lower-case, without trailing dot, sorted and without duplicates. */
function hostNamesOf(records: readonly WireRecord[]): string[] {
  const names = records.map(({ data }) => withoutDot(nameFromWire(data)))
  return [...new Set(names)].sort()
}

function withoutDot(name: DomainName): string {
  return name.length > 1 ? name.slice(0, -1) : name
}
