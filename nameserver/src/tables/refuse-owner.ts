import { coveredType, DnsFault, nameFromWire, type RecordData, RrType, toType, typeToText } from '@zonewright/dns'
import { mostTypes } from './compile-name.ts'
import { recordHeadBytes } from './layout.ts'
import { hashInWire } from './nsec3-owner.ts'
import type { Owner, OwnerRrset } from './owners.ts'

/** Types that may share their name with a CNAME (RFC 4035 §2.5), and those of the first DNSSEC (RFC 2535). */
const besideCname: ReadonlySet<RrType> = new Set([
  RrType.RRSIG,
  RrType.NSEC,
  RrType.NSEC3,
  RrType.KEY,
  RrType.SIG,
  RrType.NXT,
])
/** The types that one message names. */
const mostShown = 10
/** More bytes fit into no answer. */
const longestSignatures = 0xffff

/**
 * Refuses a name whose records cannot be served as a whole. `owner` has all rrsets of the name.
 *
 * @throws DnsFault `bad_zone` if the name has more types than its block can hold, two CNAME or two DNAME records, a CNAME beside other data, NSEC3
 * records without being a hash, or signatures of one rrset that fit into no answer
 */
export function refuseOwner({ name, rrsets }: Owner, apexLength: number): void {
  const fault = faultOf(name, rrsets, apexLength)
  if (fault !== undefined) throw new DnsFault('bad_zone', `${nameFromWire(name)} has ${fault}.`)
}

function faultOf(name: Uint8Array, rrsets: readonly OwnerRrset[], apexLength: number): string | undefined {
  if (rrsets.length > mostTypes) return `records of ${rrsets.length} types; at most ${mostTypes} are held`
  for (const { type, data } of rrsets) {
    let fault: string | undefined
    if (type === RrType.CNAME) fault = severalFault(type, data) ?? besideFault(rrsets)
    else if (type === RrType.DNAME) fault = severalFault(type, data)
    else if (type === RrType.NSEC3) fault = nsec3Fault(name, apexLength)
    else if (type === RrType.RRSIG) fault = signaturesFault(data)
    if (fault !== undefined) return fault
  }
  return undefined
}

/** RFC 2181 §10.1, RFC 6672 §2.4. */
function severalFault(type: RrType, data: readonly RecordData[]): string | undefined {
  return data.length > 1 ? `${data.length} ${typeToText(type)} records; a name can have only one` : undefined
}

/** RFC 1034 §3.6.2. */
function besideFault(rrsets: readonly OwnerRrset[]): string | undefined {
  const others = rrsets.filter(({ type }) => type !== RrType.CNAME && !besideCname.has(type))
  if (others.length === 0) return undefined
  const shown = others.slice(0, mostShown).map(({ type }) => typeToText(type))
  if (others.length > mostShown) shown.push(`${others.length - mostShown} more`)
  return `a CNAME record and records of other types: ${shown.join(', ')}`
}

/** A chain of NSEC3 records has only names that are hashes directly below the apex (RFC 5155 §3). */
function nsec3Fault(name: Uint8Array, apexLength: number): string | undefined {
  return hashInWire(name, apexLength) === undefined
    ? 'an NSEC3 record, but is not a hash directly below the apex'
    : undefined
}

function signaturesFault(data: readonly RecordData[]): string | undefined {
  if (bytesOf(data) <= longestSignatures) return undefined
  const byType = Map.groupBy(data, coveredType)
  for (const [covered, signatures] of byType) {
    const bytes = bytesOf(signatures)
    if (bytes > longestSignatures) {
      return `${bytes} bytes of signatures over ${typeToText(toType(covered))}; at most ${longestSignatures} fit into an answer`
    }
  }
  return undefined
}

function bytesOf(data: readonly RecordData[]): number {
  return data.reduce((sum, { length }) => sum + recordHeadBytes + length, 0)
}
