import { DnsFault } from '../faults.ts'
import { type DomainName, parentOf } from '../name.ts'
import { compareData } from '../rdata-wire.ts'
import type { Rrset } from '../rrset.ts'
import { RrType } from '../type.ts'
import type { Zone } from '../zone.ts'
import { nsec3ParametersToRdata, nsec3ToRdata, optOutFlag } from './denial-data.ts'
import { denialTtl } from './nsec-chain.ts'
import { type Nsec3Parameters, nsec3Hash, nsec3Owner, type Sha1 } from './nsec3-hash.ts'
import { type SignedName, signedNames } from './signed-names.ts'

/**
 * The NSEC3PARAM record and the NSEC3 records of a zone, the latter in the order of their hashes (RFC 5155 §7.1).
 *
 * With the opt-out flag, unsigned delegations and the empty non-terminals that lead only to them have no NSEC3 record.
 *
 * @throws DnsFault `bad_zone` if two names have the same hash
 */
export function nsec3Chain(zone: Zone, parameters: Nsec3Parameters, sha1: Sha1): Rrset[] {
  const isOptOut = (parameters.flags & optOutFlag) !== 0
  const [ttl, announced] = [denialTtl(zone), { ...parameters, flags: 0 }]
  const param = { name: zone.origin, type: RrType.NSEC3PARAM, ttl, data: [nsec3ParametersToRdata(announced)] }
  const hashed = [...hashedNames(zone, isOptOut)]
    .map((signed) => ({ signed, hash: nsec3Hash(signed.name, parameters, sha1) }))
    .sort((a, b) => compareData(a.hash, b.hash))
  const chain = hashed.map(({ signed, hash }, i): Rrset => {
    const next = (hashed[i + 1] ?? hashed[0])?.hash ?? hash
    if (i + 1 < hashed.length && compareData(hash, next) === 0) {
      throw new DnsFault('bad_zone', `Another name has the hash of ${signed.name}; choose another salt.`)
    }
    const data = nsec3ToRdata({ ...parameters, next, types: typesOf(signed, zone.origin) })
    return { name: nsec3Owner(hash, zone.origin), type: RrType.NSEC3, ttl, data: [data] }
  })
  return [param, ...chain]
}

function hashedNames(zone: Zone, isOptOut: boolean): Iterable<SignedName> {
  const names = [...signedNames(zone)]
  if (!isOptOut) return names
  const needed = new Set<DomainName>([zone.origin])
  for (const { name, rrsets } of names) {
    if (rrsets.length === 0) continue
    for (let at = name; !needed.has(at); at = parentOf(at)) needed.add(at)
  }
  return names.filter(({ name }) => needed.has(name))
}

/** An unsigned delegation has no signature, and an empty non-terminal has no records. */
function typesOf({ name, types, rrsets }: SignedName, apex: DomainName): RrType[] {
  const announced = name === apex ? [RrType.NSEC3PARAM] : []
  return [...types, ...announced, ...(rrsets.length > 0 ? [RrType.RRSIG] : [])]
}
