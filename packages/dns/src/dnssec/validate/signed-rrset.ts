import { DnsClass } from '../../dns-class.ts'
import type { WireRecord } from '../../message.ts'
import { groupRecords, type Rrset, recordsOf } from '../../rrset.ts'
import { RrType } from '../../type.ts'
import { type RrsigData, rrsigFromRdata } from '../rrsig.ts'

/** The records of one name and type in a section of a response, with the signatures that cover them. */
export interface SignedRrset extends Rrset {
  readonly signatures: readonly { readonly rrsig: RrsigData; readonly ttl: number }[]
}

/** The rrsets of a section. Signatures that cover nothing in it are left out. */
export function signedRrsets(section: readonly WireRecord[]): SignedRrset[] {
  const rrsets = groupRecords(section.filter((record) => record.class === DnsClass.IN))
  const signatures = rrsets
    .filter(({ type }) => type === RrType.RRSIG)
    .flatMap(recordsOf)
    .map(({ name, ttl, data }) => ({ name, ttl, rrsig: rrsigFromRdata(data) }))
  return rrsets
    .filter(({ type }) => type !== RrType.RRSIG)
    .map((rrset) => ({
      ...rrset,
      signatures: signatures.filter(({ name, rrsig }) => name === rrset.name && rrsig.covered === rrset.type),
    }))
}
