import { auditStatement } from '#modules/audit/index.ts'
import { advanceStatement } from '#modules/zones/index.ts'
import type { Actor } from '#platform/caller.ts'
import type { Tx } from '#platform/postgres/index.ts'
import { lockCatalog, writeCatalogSerial } from './catalog-store.ts'
import { advanceSerialClock, clockStep } from './serial-fence.ts'
import { lockLiveZones, type PublishedZone } from './store.ts'

/** Zones or entries in one statement. */
const pageLength = 5_000

/**
 * Moves the serials of all live zones and of the catalog forward, after a restore from a backup: the nameservers then have newer
 * serials than the database, and would accept nothing before it had caught up with them.
 */
export async function restoreSerials(tx: Tx, actor: Actor): Promise<{ zones: number; catalogSerial: number }> {
  const zones = await lockLiveZones(tx)
  const catalog = await lockCatalog(tx)
  await advanceSerialClock(tx)
  const ahead = (serial: number): number => Math.max(serial, catalog.serialClock) + clockStep
  const advanced = zones.map((zone) => ({ ...zone, serial: ahead(zone.serial) }))
  await writeSerials(tx, advanced, actor, 'after a restore')
  const catalogSerial = ahead(catalog.serial)
  await writeCatalogSerial(tx, catalogSerial)
  tx.wakeAfterCommit('zones_changed')
  return { zones: zones.length, catalogSerial }
}

/**
 * Writes the serials of zones that were moved ahead, and an audit entry for each account. `why`: the end of its sentence.
 *
 * There is no journal step, so each nameserver fetches every zone in full.
 */
export async function writeSerials(tx: Tx, zones: readonly PublishedZone[], actor: Actor, why: string): Promise<void> {
  for (const page of pages(zones)) await tx.runTogether([advanceStatement(page)])
  const entries = [...Map.groupBy(zones, ({ accountId }) => accountId)].map(([accountId, { length }]) => ({
    accountId,
    actor,
    action: 'zone.serials_restored',
    summary: `The serials of ${length} zone${length === 1 ? '' : 's'} were moved ahead ${why}`,
  }))
  for (const page of pages(entries)) await tx.runTogether([auditStatement(page)])
}

function pages<T>(items: readonly T[]): T[][] {
  const count = Math.ceil(items.length / pageLength)
  return Array.from({ length: count }, (_, i) => items.slice(i * pageLength, (i + 1) * pageLength))
}
