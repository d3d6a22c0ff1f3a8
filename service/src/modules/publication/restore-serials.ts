import { auditStatement } from '#modules/audit/index.ts'
import { advanceStatement } from '#modules/zones/index.ts'
import type { Actor } from '#platform/caller.ts'
import type { Tx } from '#platform/postgres/index.ts'
import { lockCatalog, writeCatalogSerial } from './catalog-store.ts'
import { lockLiveZones, type PublishedZone } from './store.ts'

/**
 * How far serials are moved forward: by more than the changes of any one zone that were lost with the backup. A serial is
 * never behind the clock, so only a zone that changes more than once a second all the time gets far ahead of it.
 */
const ahead = 1_000_000
/** Zones or entries in one statement. */
const pageLength = 5_000

/**
 * Moves the serials of all live zones and of the catalog forward, after a restore from a backup: the nameservers then have newer
 * serials than the database, and would accept nothing before it had caught up with them.
 *
 * There is no journal step, so each nameserver fetches every zone in full.
 */
export async function restoreSerials(tx: Tx, actor: Actor): Promise<{ zones: number; catalogSerial: number }> {
  const zones = await lockLiveZones(tx)
  const catalog = await lockCatalog(tx)
  const advanced = zones.map((zone) => ({ ...zone, serial: Math.max(zone.serial, catalog.unixSeconds) + ahead }))
  for (const page of pages(advanced)) await tx.runTogether([advanceStatement(page)])
  const catalogSerial = Math.max(catalog.serial, catalog.unixSeconds) + ahead
  await writeCatalogSerial(tx, catalogSerial)
  for (const page of pages(auditEntries(zones, actor))) await tx.runTogether([auditStatement(page)])
  tx.wakeAfterCommit('zones_changed')
  return { zones: zones.length, catalogSerial }
}

/** One audit entry for each account with zones. */
function auditEntries(zones: readonly PublishedZone[], actor: Actor) {
  return [...Map.groupBy(zones, ({ accountId }) => accountId)].map(([accountId, { length }]) => ({
    accountId,
    actor,
    action: 'zone.serials_restored',
    summary: `The serials of ${length} zone${length === 1 ? '' : 's'} were moved ahead after a restore`,
  }))
}

function pages<T>(items: readonly T[]): T[][] {
  const count = Math.ceil(items.length / pageLength)
  return Array.from({ length: count }, (_, i) => items.slice(i * pageLength, (i + 1) * pageLength))
}
