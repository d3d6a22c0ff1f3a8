import type { DomainName } from '../name.ts'
import type { Rrset } from '../rrset.ts'
import { RrType } from '../type.ts'
import type { Zone } from '../zone.ts'
import { nsecToRdata } from './denial-data.ts'
import { type SignedName, signedName } from './signed-names.ts'

/** The NSEC record of a name (RFC 4035 §2.3). Undefined if the name owns none. */
export function nsecOf(zone: Zone, { name, types }: SignedName): Rrset | undefined {
  if (types.length === 0) return undefined
  const next = nsecOwnerAfter(zone, name) ?? zone.origin
  const data = nsecToRdata({ next, types: [...types, RrType.NSEC, RrType.RRSIG] })
  return { name, type: RrType.NSEC, ttl: denialTtl(zone), data: [data] }
}

/**
 * The last name before `name` that owns an NSEC record; for the apex, the last name of the zone. Its NSEC record must point to `name`, or to the
 * name after it.
 */
export function nsecOwnerBefore(zone: Zone, name: DomainName): DomainName {
  for (let at = zone.names.before(name); at !== undefined; at = zone.names.before(at)) {
    if (ownsNsec(zone, at)) return at
  }
  return zone.origin
}

function nsecOwnerAfter(zone: Zone, name: DomainName): DomainName | undefined {
  let at = zone.names.after(name)
  while (at !== undefined && !ownsNsec(zone, at)) at = zone.names.after(at)
  return at
}

function ownsNsec(zone: Zone, name: DomainName): boolean {
  return (signedName(zone, name)?.types.length ?? 0) > 0
}

/** The TTL of NSEC and NSEC3 records: that of a negative answer (RFC 9077 §3). */
export function denialTtl(zone: Zone): number {
  const ttl = zone.rrset(zone.origin, RrType.SOA)?.ttl ?? 0
  return Math.min(ttl, zone.soa.minimum)
}
