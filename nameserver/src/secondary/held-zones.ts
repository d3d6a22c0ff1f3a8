import { type CatalogMember, type DomainName, InfoCode, type Rrset, type ZoneDiff } from '@zonewright/dns'
import type { TableZone } from '../tables/table-zone.ts'
import type { Tables } from '../tables/tables.ts'
import type { MembersInForce } from './catalog-members.ts'
import type { Saver } from './saver.ts'
import { SecondaryZone } from './secondary-zone.ts'

/**
 * The zones that follow the primary, kept in sync in three places: their timers here, their records in the tables that
 * answer queries, and both, a moment later, on disk.
 */
export class HeldZones implements MembersInForce {
  readonly #tables: Tables
  readonly #saver: Saver
  readonly #zones: Map<DomainName, SecondaryZone>

  /** `zones` are those in the tables already, and what the saver reads; only this class writes to it from now on. */
  constructor(tables: Tables, saver: Saver, zones: Map<DomainName, SecondaryZone>) {
    this.#tables = tables
    this.#saver = saver
    this.#zones = zones
  }

  get(origin: DomainName): SecondaryZone | undefined {
    return this.#zones.get(origin)
  }

  zones(): Iterable<SecondaryZone> {
    return this.#zones.values()
  }

  labelOf(origin: DomainName): string | undefined {
    return this.#zones.get(origin)?.label
  }

  /** The members of the catalog zone. */
  *all(): Generator<CatalogMember> {
    for (const { origin, label } of this.#zones.values()) if (label !== undefined) yield { zone: origin, label }
  }

  /** Whether `zone` is still held: it may have been dropped, or reset, while the primary was queried. */
  has(zone: SecondaryZone): boolean {
    return this.#zones.get(zone.origin) === zone
  }

  /** The data of a zone, whether it is served or not; `undefined` before the first transfer. */
  content(zone: SecondaryZone): TableZone | undefined {
    return this.#tables.zone(zone.origin)
  }

  /** Adds a zone of which only the name is known. Queries get SERVFAIL until it has been transferred. */
  add(origin: DomainName, label: string | undefined): SecondaryZone {
    const zone = new SecondaryZone(origin, label)
    this.#zones.set(origin, zone)
    this.#tables.withhold(origin, InfoCode.NOT_READY, zone.isCatalog)
    this.#saver.whole(origin)
    return zone
  }

  /** Removes a zone. Queries get REFUSED from now on, and the zone is deleted from disk. */
  drop(zone: SecondaryZone): void {
    this.#zones.delete(zone.origin)
    this.#tables.remove(zone.origin)
    this.#saver.whole(zone.origin)
  }

  change(zone: SecondaryZone, diff: ZoneDiff): void {
    this.#tables.apply(zone.origin, diff)
    this.#hold(zone)
    this.#saver.records(zone.origin, diff.removed, diff.added)
  }

  replace(zone: SecondaryZone, rrsets: readonly Rrset[]): void {
    this.#tables.publish(zone.origin, rrsets, zone.isCatalog)
    this.#hold(zone)
    this.#saver.whole(zone.origin)
  }

  /** The primary confirmed that the held zone is current: it is served, and every timer starts over. */
  vouchedFor(zone: SecondaryZone, nowMs: number): void {
    if (zone.isExpired) this.#tables.resume(zone.origin)
    zone.refreshed(nowMs)
    this.#saver.contact(zone.origin)
  }

  /** @returns whether the zone has just expired. Queries then get SERVFAIL until the primary confirms the zone. */
  expireIfDue(zone: SecondaryZone, nowMs: number): boolean {
    if ((zone.expiresAtMs ?? Number.POSITIVE_INFINITY) > nowMs) return false
    zone.isExpired = true
    this.#tables.withhold(zone.origin, InfoCode.INVALID_DATA, zone.isCatalog)
    return true
  }

  /** A transfer failed. If nothing is held of the zone yet, queries get SERVFAIL with the extended error `why` (RFC 8914). */
  notTransferred(zone: SecondaryZone, why: number): void {
    if (this.content(zone) === undefined) this.#tables.withhold(zone.origin, why, zone.isCatalog)
  }

  #hold(zone: SecondaryZone): void {
    const soa = this.#tables.zone(zone.origin)?.soa
    if (soa) zone.hold(soa)
  }
}
