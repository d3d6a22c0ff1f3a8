import { sortedData } from '../data-set.ts'
import { DnsClass } from '../dns-class.ts'
import { type DomainName, isWildcard, labelsOf, parentOf } from '../name.ts'
import { nameToWire } from '../name-wire.ts'
import type { Rrset } from '../rrset.ts'
import { WireWriter } from '../wire-writer.ts'
import { wildcardBelow } from './denial.ts'
import { putRrsigHead, type RrsigData } from './rrsig.ts'

/**
 * The bytes that a signature of an rrset covers: the data of the RRSIG without the signature, then each record in canonical form and order, with the
 * original TTL (RFC 4034 §3.1.8.1 and §6).
 *
 * If the records were expanded from a wildcard, which `labels` shows, their owner name is the wildcard again.
 */
export function signingInput(rrset: Pick<Rrset, 'name' | 'data'>, rrsig: Omit<RrsigData, 'signature'>): Uint8Array {
  const out = new WireWriter(512)
  putRrsigHead(rrsig, out)
  const owner = nameToWire(signedOwner(rrset.name, rrsig.labels))
  for (const data of sortedData(rrset.data)) {
    out.bytes(owner)
    out.u16(rrsig.covered)
    out.u16(DnsClass.IN)
    out.u32(rrsig.originalTtl)
    out.u16(data.length)
    out.bytes(data)
  }
  return out.toBytes()
}

/** The number of labels in a signature of this owner name, without the root and a leading `*` (RFC 4034 §3.1.3). */
export function signedLabels(owner: DomainName): number {
  return labelsOf(owner).length - (isWildcard(owner) ? 1 : 0)
}

/** The name that was signed: the owner name, or the wildcard that it comes from (RFC 4035 §5.3.2). */
function signedOwner(owner: DomainName, labels: number): DomainName {
  const encloser = enclosing(owner, labels)
  if (encloser === owner || signedLabels(owner) === labels) return owner
  return wildcardBelow(encloser)
}

/** The ancestor of `name` with this number of labels; the name itself if it has no more. */
export function enclosing(name: DomainName, labels: number): DomainName {
  let ancestor = name
  for (let left = labelsOf(name).length; left > labels; left--) ancestor = parentOf(ancestor)
  return ancestor
}
