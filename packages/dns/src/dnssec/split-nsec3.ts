import { type Rrset, signaturesOver } from '../rrset.ts'
import { RrType } from '../type.ts'

type TypedRrset = Pick<Rrset, 'type' | 'ttl' | 'data' | 'ttls'>

/**
 * Splits the rrsets of a name that is a hash: NSEC3 with the signatures over it, and all others. Lookups see only the others, because NSEC3
 * does not make a name exist (RFC 5155 §7.2.8).
 */
export function splitNsec3<Typed extends TypedRrset>(
  rrsets: readonly Typed[],
): { readonly nsec3: readonly Typed[]; readonly others: readonly Typed[] } {
  if (!rrsets.some(({ type }) => type === RrType.NSEC3)) return { nsec3: [], others: rrsets }
  const part = (isNsec3: boolean) =>
    rrsets.flatMap((rrset) => {
      if (rrset.type !== RrType.RRSIG) return (rrset.type === RrType.NSEC3) === isNsec3 ? [rrset] : []
      const { ttls: _, ...rest } = rrset
      const signatures = signaturesOver(rrset, (covered) => (covered === RrType.NSEC3) === isNsec3)
      return signatures === undefined ? [] : [{ ...rest, ...signatures } as Typed]
    })
  return { nsec3: part(true), others: part(false) }
}
