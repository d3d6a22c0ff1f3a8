import { InfoCode } from '../../extended-error.ts'
import type { DomainName } from '../../name.ts'
import { equalData, type RecordData } from '../../rdata-wire.ts'
import type { DnssecCrypto, DnssecHashes } from '../crypto.ts'
import { DigestType, type DsData, dsFromRdata, isKnownDigest, keyDigest } from '../ds.ts'
import { validationLimits } from './budget.ts'
import { type Doubt, insecure } from './verdict.ts'
import type { ZoneKey } from './verify-rrset.ts'

/**
 * The DS records of a delegation that a validator supports, or why there are none: a zone that is signed only in unsupported ways is
 * insecure (RFC 4035 §5.2). SHA-1 is ignored if there is another digest (RFC 4509 §3).
 */
export function usableDs(zone: DomainName, records: readonly RecordData[], crypto: DnssecCrypto): DsData[] | Doubt {
  const all = records.filter((data) => data.length > 4).map(dsFromRdata)
  const known = all.filter(({ algorithm }) => crypto.algorithms.has(algorithm))
  if (known.length === 0) {
    const algorithms = [...new Set(all.map(({ algorithm }) => algorithm))].join(', ')
    return insecure(
      InfoCode.UNSUPPORTED_DNSKEY_ALGORITHM,
      `The DS records of ${zone} name only keys of algorithms that are not supported (${algorithms}).`,
    )
  }
  const usable = known.filter(({ digestType }) => isKnownDigest(digestType))
  if (usable.length === 0) {
    const types = [...new Set(known.map(({ digestType }) => digestType))].join(', ')
    return insecure(
      InfoCode.UNSUPPORTED_DS_DIGEST_TYPE,
      `The DS records of ${zone} have only digest types that are not supported (${types}).`,
    )
  }
  const strong = usable.filter(({ digestType }) => digestType !== DigestType.SHA1)
  return (strong.length > 0 ? strong : usable).slice(0, validationLimits.dsRecords)
}

/** The keys of a zone that one of its DS records names (RFC 4035 §5.2). */
export function namedKeys(
  zone: DomainName,
  keys: readonly ZoneKey[],
  ds: readonly DsData[],
  hashes: DnssecHashes,
): ZoneKey[] {
  return keys.filter((key) =>
    ds.some(({ keyTag, algorithm, digestType, digest }) => {
      if (keyTag !== key.tag || algorithm !== key.algorithm) return false
      return equalData(keyDigest(zone, key.data, digestType, hashes) ?? new Uint8Array(0), digest)
    }),
  )
}

/** Whether too many keys have the same tag to try them all. */
export function haveCrowdedTag(keys: readonly ZoneKey[]): boolean {
  const groups = Map.groupBy(keys, ({ tag, algorithm }) => `${tag} ${algorithm}`)
  return [...groups.values()].some(({ length }) => length > validationLimits.keysPerTag)
}
