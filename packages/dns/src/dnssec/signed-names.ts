import { type DomainName, parentOf } from '../name.ts'
import type { Rrset } from '../rrset.ts'
import { RrType } from '../type.ts'
import type { Zone } from '../zone.ts'

/** How DNSSEC treats a name of a zone that is not below a zone cut. */
export interface SignedName {
  readonly name: DomainName
  /** The types that its NSEC or NSEC3 record lists, besides itself and RRSIG. Empty if the name is an empty non-terminal. */
  readonly types: readonly RrType[]
  /** The rrsets that are signed: only the DS of a delegation, and all rrsets of other names (RFC 4035 §2.2). */
  readonly rrsets: readonly Rrset[]
  readonly isDelegation: boolean
}

/** The names of a zone in canonical order, empty non-terminals included. Glue and other names below zone cuts or DNAMEs are left out. */
export function* signedNames(zone: Zone): Generator<SignedName> {
  for (const name of zone.names) {
    const signed = signedName(zone, name)
    if (signed !== undefined) yield signed
  }
}

/** The same for one name. Undefined if the zone does not have the name, or the name is below a zone cut or a DNAME. */
export function signedName(zone: Zone, name: DomainName): SignedName | undefined {
  if (!zone.has(name) || isHidden(zone, name)) return undefined
  const rrsets = zone.rrsetsAt(name).filter(({ type }) => !madeBySigner.has(type))
  const isDelegation = name !== zone.origin && rrsets.some(({ type }) => type === RrType.NS)
  const listed = isDelegation ? rrsets.filter(({ type }) => type === RrType.NS || type === RrType.DS) : rrsets
  return {
    name,
    types: listed.map(({ type }) => type),
    rrsets: isDelegation ? listed.filter(({ type }) => type === RrType.DS) : rrsets,
    isDelegation,
  }
}

/** The types that signing adds to a name. */
const madeBySigner: ReadonlySet<RrType> = new Set([RrType.RRSIG, RrType.NSEC, RrType.NSEC3])

/** Whether a name is below a zone cut or a DNAME, so that the zone has no authority over it. */
function isHidden(zone: Zone, name: DomainName): boolean {
  for (let below = name; below !== zone.origin; ) {
    const above = parentOf(below)
    if (zone.rrset(above, RrType.DNAME) !== undefined) return true
    if (above !== zone.origin && zone.rrset(above, RrType.NS) !== undefined) return true
    below = above
  }
  return false
}
