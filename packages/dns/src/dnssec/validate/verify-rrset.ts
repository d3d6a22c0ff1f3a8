import { InfoCode } from '../../extended-error.ts'
import { type DomainName, isWithin } from '../../name.ts'
import type { RecordData } from '../../rdata-wire.ts'
import { serialNewer, toSerial } from '../../serial.ts'
import { typeToText } from '../../type.ts'
import type { DnssecCrypto } from '../crypto.ts'
import { type DnskeyData, dnskeyFromRdata, KeyFlag, keyTag } from '../dnskey.ts'
import type { RrsigData } from '../rrsig.ts'
import { enclosing, signedLabels, signingInput } from '../signing-input.ts'
import { type Budget, overBudget } from './budget.ts'
import type { SignedRrset } from './signed-rrset.ts'
import { bogus, type Doubt } from './verdict.ts'

/** What the verification needs: the caller's cryptography and time, and the remaining budget. */
export interface Means {
  readonly crypto: DnssecCrypto
  readonly unixSeconds: number
  readonly budget: Budget
}

/** A key of a zone, with its tag and the data of its record. */
export interface ZoneKey extends DnskeyData {
  readonly tag: number
  readonly data: RecordData
}

/** A zone whose keys are trusted. */
export interface TrustedZone {
  readonly status: 'secure'
  readonly zone: DomainName
  readonly keys: readonly ZoneKey[]
}

/** An rrset with a valid signature. */
export interface Verified {
  readonly status: 'secure'
  readonly maxTtl: number
  /** Only for records that were expanded from a wildcard: the name directly above the wildcard (RFC 4035 §5.3.4). */
  readonly encloser: DomainName | undefined
}

/**
 * Checks that one of the signatures is from the zone, is valid now, and covers the rrset (RFC 4035 §5.3). One signature is enough, with any algorithm
 * (RFC 6840 §5.11).
 */
export function verifyRrset(rrset: SignedRrset, { zone, keys }: TrustedZone, means: Means): Verified | Doubt {
  const what = `The ${typeToText(rrset.type)} records of ${rrset.name}`
  if (!isWithin(rrset.name, zone)) return bogus(InfoCode.DNSSEC_BOGUS, `${what} are not in the zone ${zone}.`)
  const labels = signedLabels(rrset.name)
  let doubt = bogus(InfoCode.RRSIGS_MISSING, `${what} have no signature of the zone ${zone}.`)
  for (const { rrsig, ttl } of rrset.signatures) {
    if (rrsig.signer !== zone || rrsig.labels > labels) continue
    const found = verifySignature(rrset, rrsig, keys, means)
    if (found === 'overBudget') return overBudget
    if (found === 'good') {
      const left = (rrsig.expiration - means.unixSeconds) | 0
      return {
        status: 'secure',
        maxTtl: Math.min(rrset.ttl, ttl, rrsig.originalTtl, left),
        encloser: rrsig.labels < labels ? enclosing(rrset.name, rrsig.labels) : undefined,
      }
    }
    const [infoCode, why] = failures[found]
    doubt = bogus(infoCode, `${what} have a signature of key ${rrsig.keyTag} of ${zone} ${why}.`)
  }
  return doubt
}

/** Why a signature is not accepted, as the end of a sentence. */
const failures = {
  expired: [InfoCode.SIGNATURE_EXPIRED, 'that has expired'],
  early: [InfoCode.SIGNATURE_NOT_YET_VALID, 'that is not valid yet'],
  unsupported: [InfoCode.UNSUPPORTED_DNSKEY_ALGORITHM, 'by an algorithm that is not supported'],
  noKey: [InfoCode.DNSKEY_MISSING, 'but the zone has no such key'],
  wrong: [InfoCode.DNSSEC_BOGUS, 'that is wrong'],
} as const

function verifySignature(
  rrset: SignedRrset,
  rrsig: RrsigData,
  keys: readonly ZoneKey[],
  { crypto, unixSeconds, budget }: Means,
): keyof typeof failures | 'good' | 'overBudget' {
  const now = toSerial(unixSeconds)
  // Times wrap around (RFC 4034 §3.1.5).
  if (serialNewer(now, toSerial(rrsig.expiration))) return 'expired'
  if (serialNewer(toSerial(rrsig.inception), now)) return 'early'
  if (!crypto.algorithms.has(rrsig.algorithm)) return 'unsupported'
  const candidates = keys.filter(({ tag, algorithm }) => tag === rrsig.keyTag && algorithm === rrsig.algorithm)
  if (candidates.length === 0) return 'noKey'
  const input = signingInput(rrset, rrsig)
  for (const { publicKey } of candidates) {
    if (!budget.hasCheck) return 'overBudget'
    const isRight = crypto.verify(rrsig.algorithm, publicKey, input, rrsig.signature)
    budget.noteCheck(isRight)
    if (isRight) return 'good'
  }
  return 'wrong'
}

/** The keys of a DNSKEY rrset that may sign a zone: those for DNSSEC with the zone key flag that are not revoked (RFC 4034 §2.1, RFC 5011 §2.1). */
export function zoneKeys(data: readonly RecordData[]): ZoneKey[] {
  return data
    .filter((each) => each.length >= 4)
    .map((each) => ({ ...dnskeyFromRdata(each), tag: keyTag(each), data: each }))
    .filter(({ flags, protocol }) => (flags & KeyFlag.ZONE) !== 0 && (flags & KeyFlag.REVOKED) === 0 && protocol === 3)
}
