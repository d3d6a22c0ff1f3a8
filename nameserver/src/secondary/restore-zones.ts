import { DnsFault, type DomainName, InfoCode, RrType } from '@zonewright/dns'
import type { Log } from '../log.ts'
import { reasonOf } from '../startup-fault.ts'
import type { StoredZone } from '../store/store.ts'
import type { Owner } from '../tables/owners.ts'
import type { Tables } from '../tables/tables.ts'
import { SecondaryZone } from './secondary-zone.ts'
import { soaTimes } from './soa-times.ts'

/**
 * Loads the zones as the last process left them, into the tables, so that they are answered as soon as a door is open. The agenda finds zones that
 * have expired since then. A zone that lost some of its rows is not answered before it has been transferred again.
 */
export function restoreZones(tables: Tables, stored: Iterable<StoredZone>, log: Log): Map<DomainName, SecondaryZone> {
  const zones = new Map<DomainName, SecondaryZone>()
  for (const { origin, label, serial, contactAtMs, isByName, owners, isWhole } of stored) {
    const zone = new SecondaryZone(origin, label)
    zones.set(origin, zone)
    if (serial !== undefined) {
      zone.contactAtMs = contactAtMs
      zone.isStoredByName = isByName
      const fault = publish(tables, origin, watchApex(owners, zone), zone.isCatalog)
      if (fault === undefined && isWhole()) continue
      tables.remove(origin)
      zones.set(origin, new SecondaryZone(origin, label))
      if (fault === undefined) {
        log.warn('a zone has lost rows in the store: it is transferred again', { zone: origin, serial })
      } else {
        log.warn('a zone in the store cannot be served: it is transferred again', {
          zone: origin,
          serial,
          reason: fault,
        })
      }
    }
    tables.withhold(origin, InfoCode.NOT_READY, zone.isCatalog)
  }
  return zones
}

/** @returns why the zone cannot be served: an earlier release may have stored what this one refuses. */
function publish(tables: Tables, origin: DomainName, owners: Iterable<Owner>, isPrivate: boolean): string | undefined {
  try {
    tables.publishOwners(origin, owners, isPrivate)
    return undefined
  } catch (error) {
    if (error instanceof DnsFault) return reasonOf(error)
    throw error
  }
}

/** Passes the names on, and gives the zone its SOA, which comes with the first name. */
function* watchApex(owners: Iterable<Owner>, zone: SecondaryZone): Generator<Owner> {
  for (const owner of owners) {
    const soa = zone.serial === undefined ? owner.rrsets.find(({ type }) => type === RrType.SOA) : undefined
    if (soa?.data[0]) zone.hold(soaTimes(soa.data[0]))
    yield owner
  }
}
