import { InfoCode } from '../../extended-error.ts'
import { type DomainName, isWithin, labelsOf, parentOf } from '../../name.ts'
import { RrType } from '../../type.ts'
import { nsec3FromRdata, nsecFromRdata } from '../denial-data.ts'
import { NsecProofs, type NsecSpan } from './nsec-proofs.ts'
import { Nsec3Proofs, type Nsec3Span } from './nsec3-proofs.ts'
import type { Proofs } from './proofs.ts'
import type { SignedRrset } from './signed-rrset.ts'
import { bogus, type Doubt } from './verdict.ts'
import { type Means, type TrustedZone, verifyRrset } from './verify-rrset.ts'

/** The denial records of a zone in one response. */
export interface ZoneProofs extends Proofs {
  /** Why there is no proof, if there is none. */
  readonly missing: (what: string) => Doubt
  /** Whether one of the records lacks a valid signature. The response is then not what the zone's servers sent (RFC 4035 §3.2.3). */
  readonly doubt: Doubt | undefined
  /** How long, in seconds, the proofs may be kept. */
  readonly maxTtl: number
}

/** Verifies the NSEC and NSEC3 records of one zone in an authority section. Records without a valid signature prove nothing. */
export function collectProofs(authorities: readonly SignedRrset[], trusted: TrustedZone, means: Means): ZoneProofs {
  const spans: NsecSpan[] = []
  const hashedSpans: Nsec3Span[] = []
  let doubt: Doubt | undefined
  let maxTtl = Number.MAX_SAFE_INTEGER
  for (const rrset of authorities) {
    const [data, ...more] = rrset.data
    if ((rrset.type !== RrType.NSEC && rrset.type !== RrType.NSEC3) || data === undefined || more.length > 0) continue
    if (isOfOtherZone(rrset, trusted.zone)) continue
    const found = verifyRrset(rrset, trusted, means)
    if (found.status !== 'secure') {
      doubt = found
      continue
    }
    // A wildcard is not expanded to denial records.
    if (found.encloser !== undefined) continue
    maxTtl = Math.min(maxTtl, found.maxTtl)
    if (rrset.type === RrType.NSEC) spans.push({ owner: rrset.name, ...nsecFromRdata(data) })
    else if (isHashOf(rrset.name, trusted.zone))
      hashedSpans.push({ owner: labelsOf(rrset.name)[0] ?? '', ...nsec3FromRdata(data) })
  }
  const missing = (what: string): Doubt =>
    doubt ?? bogus(InfoCode.NSEC_MISSING, `The zone ${trusted.zone} does not prove that ${what}.`)
  const kinds = [
    new NsecProofs(trusted.zone, spans),
    new Nsec3Proofs(trusted.zone, hashedSpans, means.crypto.sha1, means.budget),
  ]
  return { ...firstOf(kinds), missing, doubt, maxTtl }
}

/** Aliases may lead through several zones. */
function isOfOtherZone({ name, signatures }: SignedRrset, zone: DomainName): boolean {
  if (signatures.length === 0) return !isWithin(name, zone)
  return signatures.every(({ rrsig }) => rrsig.signer !== zone)
}

function isHashOf(owner: DomainName, zone: DomainName): boolean {
  return owner !== zone && parentOf(owner) === zone
}

/** The result of the first kind that proves something, because a zone that changes from one kind to the other may send both. */
function firstOf(kinds: readonly Proofs[]): Proofs {
  const first = <P>(proofOf: (proofs: Proofs) => P | undefined): P | undefined => {
    for (const proofs of kinds) {
      const proof = proofOf(proofs)
      if (proof !== undefined) return proof
    }
    return undefined
  }
  return {
    nonexistence: (name) => first((proofs) => proofs.nonexistence(name)),
    noData: (name, type) => first((proofs) => proofs.noData(name, type)),
    noCloserMatch: (name, encloser) => first((proofs) => proofs.noCloserMatch(name, encloser)),
    cut: (name) => first((proofs) => proofs.cut(name)),
  }
}
