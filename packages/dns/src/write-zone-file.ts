import type { DomainName } from './name.ts'
import { rdataToText } from './rdata.ts'
import type { Rrset } from './rrset.ts'
import { RrType, typeToText } from './type.ts'

/**
 * A zone file with one record a line, every name absolute and every TTL and class written out, the SOA first whatever the
 * order given. Types without a codec are written as RFC 3597 says, so that any server loads them.
 *
 * The owner name stands on an rrset's first line alone, the others begin with a blank (RFC 1035 §5.1): it may be fifty times as long
 * as the data.
 */
export function writeZoneFile(origin: DomainName, rrsets: Iterable<Rrset>): string {
  const soa: string[] = []
  const rest: string[] = []
  for (const rrset of rrsets) {
    const lines = rrset.type === RrType.SOA && rrset.name === origin ? soa : rest
    const head = `\t${rrset.ttl}\tIN\t${typeToText(rrset.type)}\t`
    for (const [i, data] of rrset.data.entries())
      lines.push(`${i === 0 ? rrset.name : ''}${head}${rdataToText(rrset.type, data)}\n`)
  }
  return [`$ORIGIN ${origin}\n`, ...soa, ...rest].join('')
}
