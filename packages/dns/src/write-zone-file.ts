import { hasCommonKeys } from './fields/svc-params.ts'
import type { DomainName } from './name.ts'
import { printedOwner } from './owner-name.ts'
import { genericText, rdataToText } from './rdata.ts'
import { namesIn, type RecordData } from './rdata-wire.ts'
import type { Rrset } from './rrset.ts'
import { parseType, RrType, typeToText } from './type.ts'
import { withoutPauses } from './without-pauses.ts'

/**
 * A zone file with one record per line. Every name is absolute, every line has a TTL and a class, and the SOA comes first, whatever the given order.
 * Values that some servers cannot read as text are written in the generic form of RFC 3597, so that every server loads them.
 *
 * Only the first line of an rrset has the owner name, because it may be fifty times as long as the data. The other lines begin with a space (RFC 1035
 * §5.1).
 */
export function writeZoneFile(origin: DomainName, rrsets: Iterable<Rrset | Comment>): string {
  return withoutPauses(composeZoneFile(origin, rrsets))
}

/** The same, with a pause after rrsets, in which the caller can do other work. */
export function* composeZoneFile(origin: DomainName, rrsets: Iterable<Rrset | Comment>): Generator<undefined, string> {
  const soa: string[] = []
  const rest: string[] = []
  for (const rrset of rrsets) {
    if ('comment' in rrset) {
      rest.push(`; ${rrset.comment}\n`)
      yield
      continue
    }
    const isSoa = rrset.type === RrType.SOA && rrset.name === origin
    ;(isSoa ? soa : rest).push(linesOf(rrset))
    yield
  }
  return [`$ORIGIN ${origin}\n`, ...soa, ...rest].join('')
}

/** A line of a zone file that is not a record. */
export interface Comment {
  /** Its text, without line ends. */
  readonly comment: string
}

/** An ALIAS as a comment, above the addresses that are published for it. `readZoneFile` reads it back if it reads dialects. */
export function aliasComment({ name, ttl, data }: Pick<Rrset, 'name' | 'ttl' | 'data'>): Comment {
  return {
    comment: `ALIAS ${ttl} ${printedOwner(name)} ${data.map((each) => rdataToText(RrType.ALIAS, each)).join(' ')}`,
  }
}

function linesOf({ name, type, ttl, ttls, data }: Rrset): string {
  return data
    .map((each, i) => `${i === 0 ? printedOwner(name) : ''}\t${ttls?.[i] ?? ttl}\tIN\t${typedText(type, each)}\n`)
    .join('')
}

function typedText(type: RrType, data: RecordData): string {
  if (isReadInWords(type, data)) return `${typeToText(type)}\t${rdataToText(type, data)}`
  return `TYPE${type}\t${genericText(data)}`
}

/** Whether BIND 9.18, Knot 3.2, NSD 4.6 and PowerDNS 4.7 all read its text form: some do not know every type or parameter by name. */
function isReadInWords(type: RrType, data: RecordData): boolean {
  if (!commonTypes.has(type) || !namesIn(type, data).every(isPlain)) return false
  const typesFrom = typesInData.get(type)
  if (typesFrom !== undefined)
    return rdataToText(type, data)
      .split(' ')
      .slice(...typesFrom)
      .every(isCommonType)
  if (type !== RrType.SVCB && type !== RrType.HTTPS) return true
  // They disagree on escapes and spaces within lists of protocols.
  return hasCommonKeys(data) && !/\\|="[^" ]* /.test(rdataToText(type, data))
}

/** Whether a name is written without escapes, and without characters that Knot or a new record must escape. */
function isPlain(name: DomainName): boolean {
  return /^[a-z0-9_*/.-]+$/.test(name) && !name.includes('//')
}

/** Types whose data contains type names: the range of those words, as arguments of `slice`. */
const typesInData: ReadonlyMap<RrType, readonly [from: number, to?: number]> = new Map([
  [RrType.RRSIG, [0, 1]],
  [RrType.NSEC, [1]],
  [RrType.NSEC3, [5]],
  [RrType.CSYNC, [2]],
])

/** Whether every server knows a type by its mnemonic. A number is always known. */
function isCommonType(word: string): boolean {
  return word.startsWith('TYPE') || commonTypes.has(parseType(word))
}

const commonTypes: ReadonlySet<RrType> = new Set([
  RrType.A,
  RrType.NS,
  RrType.CNAME,
  RrType.SOA,
  RrType.PTR,
  RrType.HINFO,
  RrType.MINFO,
  RrType.MX,
  RrType.TXT,
  RrType.RP,
  RrType.AFSDB,
  RrType.RT,
  RrType.AAAA,
  RrType.LOC,
  RrType.SRV,
  RrType.NAPTR,
  RrType.KX,
  RrType.CERT,
  RrType.DNAME,
  RrType.APL,
  RrType.DS,
  RrType.SSHFP,
  RrType.IPSECKEY,
  RrType.RRSIG,
  RrType.NSEC,
  RrType.DNSKEY,
  RrType.DHCID,
  RrType.NSEC3,
  RrType.NSEC3PARAM,
  RrType.TLSA,
  RrType.SMIMEA,
  RrType.CDS,
  RrType.CDNSKEY,
  RrType.OPENPGPKEY,
  RrType.CSYNC,
  RrType.ZONEMD,
  RrType.SVCB,
  RrType.HTTPS,
  RrType.SPF,
  RrType.NID,
  RrType.L32,
  RrType.L64,
  RrType.LP,
  RrType.EUI48,
  RrType.EUI64,
  RrType.URI,
  RrType.CAA,
])
