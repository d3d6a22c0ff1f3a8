import type { DomainName, IxfrStep, ResourceRecord, Rrset, Serial } from '@zonewright/dns'
import type { Db } from '#platform/db.ts'
import { CatalogSource } from './catalog-source.ts'
import { ZoneSource } from './zone-source.ts'

/** What has happened to a zone since the serial that an asker has, and its SOA now. */
export interface Since {
  readonly soa: ResourceRecord
  /** Nothing newer, the differences step by step, or more than is worth sending as differences. */
  readonly plan: 'unchanged' | 'steps' | 'whole'
  readonly steps: Iterable<IxfrStep>
}

/** What secondaries may fetch. Undefined: no such zone here. */
export interface TransferSource {
  soa(origin: DomainName): Promise<ResourceRecord | undefined>
  since(origin: DomainName, have: Serial): Promise<Since | undefined>
  /** All of the zone, SOA first. Read by then: sending it slowly holds up no snapshot. */
  whole(origin: DomainName): Promise<Iterable<Rrset> | undefined>
}

/** The live zones, and the catalog that lists them. */
export function createTransferSource(db: Db, catalogName: DomainName): TransferSource {
  const zones = new ZoneSource(db)
  const catalog = new CatalogSource(db)
  const sourceOf = (origin: DomainName): TransferSource => (origin === catalogName ? catalog : zones)
  return {
    soa: (origin) => sourceOf(origin).soa(origin),
    since: (origin, have) => sourceOf(origin).since(origin, have),
    whole: (origin) => sourceOf(origin).whole(origin),
  }
}
