import type { DomainName } from '@zonewright/dns'
import type { Db } from '#platform/postgres/index.ts'
import { CatalogSource } from './catalog-source.ts'
import type { TransferSource } from './rules.ts'
import { ZoneSource } from './zone-source.ts'

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
