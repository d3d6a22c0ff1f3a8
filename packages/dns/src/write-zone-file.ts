import type { DomainName } from './name.ts'
import { rdataToText } from './rdata.ts'
import type { Rrset } from './rrset.ts'
import { RrType, typeToText } from './type.ts'
import { withoutPauses } from './without-pauses.ts'

/**
 * A zone file with one record a line, every name absolute and every TTL and class written out, the SOA first whatever the
 * order given. Types without a codec are written as RFC 3597 says, so that any server loads them.
 *
 * The owner name stands on an rrset's first line alone, the others begin with a blank (RFC 1035 §5.1): it may be fifty times as long
 * as the data.
 */
export function writeZoneFile(origin: DomainName, rrsets: Iterable<Rrset>): string {
  return withoutPauses(composeZoneFile(origin, rrsets))
}

/** The same rrset by rrset: whoever must do something else meanwhile does it between two of them. */
export function* composeZoneFile(origin: DomainName, rrsets: Iterable<Rrset>): Generator<undefined, string> {
  const soa: string[] = []
  const rest: string[] = []
  for (const rrset of rrsets) {
    const isSoa = rrset.type === RrType.SOA && rrset.name === origin
    ;(isSoa ? soa : rest).push(linesOf(rrset))
    yield
  }
  return [`$ORIGIN ${origin}\n`, ...soa, ...rest].join('')
}

function linesOf({ name, type, ttl, data }: Rrset): string {
  const head = `\t${ttl}\tIN\t${typeToText(type)}\t`
  return data.map((each, i) => `${i === 0 ? name : ''}${head}${rdataToText(type, each)}\n`).join('')
}
