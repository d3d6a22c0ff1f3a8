import type { DomainName } from './name.ts'
import { rdataToText } from './rdata.ts'
import type { Rrset } from './rrset.ts'
import { RrType, typeToText } from './type.ts'

/**
 * A zone file with one record a line, every name absolute and every TTL and class written out, the SOA first whatever the
 * order given. Types without a codec are written as RFC 3597 says, so that any server loads them.
 */
export function writeZoneFile(origin: DomainName, rrsets: Iterable<Rrset>): string {
  const soa: string[] = []
  const rest: string[] = []
  for (const rrset of rrsets) {
    const lines = rrset.type === RrType.SOA && rrset.name === origin ? soa : rest
    const head = `${rrset.name}\t${rrset.ttl}\tIN\t${typeToText(rrset.type)}\t`
    for (const data of rrset.data) lines.push(`${head}${rdataToText(rrset.type, data)}\n`)
  }
  return [`$ORIGIN ${origin}\n`, ...soa, ...rest].join('')
}
