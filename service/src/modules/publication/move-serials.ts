import { auditStatement } from '#modules/audit/index.ts'
import { advanceSerialClock, advanceStatement, clockStep, nextSerial, serialClock } from '#modules/zones/index.ts'
import { type Actor, actorNamed } from '#platform/caller.ts'
import type { Logger } from '#platform/log.ts'
import { type Database, sql, type Tx } from '#platform/postgres/index.ts'
import { lockCatalog, writeCatalogSerial } from './catalog-store.ts'
import { lockLiveZones, type PublishedZone } from './store.ts'

/** Zones or entries in one statement. */
const pageLength = 5_000

/**
 * Adopts the timeline of the database, if it is a new one: moves the clock for serials and the catalog ahead, so that changes can have serials
 * again. Returns whether zones must be compared with the nameservers, which may serve changes that the database lost.
 */
export async function adoptTimeline(tx: Tx): Promise<{ isNew: boolean; isToBeCompared: boolean }> {
  const { rows: adopted } = await sql`
    update serial_fence f set timeline = now.timeline, system_identifier = now.system_identifier, is_compared = false
    from (
      select substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8) as timeline, system_identifier from pg_control_system()
    ) now
    where (f.timeline, f.system_identifier) is distinct from (now.timeline, now.system_identifier) returning 1`.execute(
    tx,
  )
  const isNew = adopted.length > 0
  if (isNew) {
    await advanceSerialClock(tx)
    const catalog = await lockCatalog(tx)
    await writeCatalogSerial(tx, nextSerial(catalog.serial, catalog.serialClock))
    tx.wakeAfterCommit('zones_changed')
  }
  const { rows } = await sql<{ isToBeCompared: boolean }>`
    select not is_compared as "isToBeCompared" from serial_fence`.execute(tx)
  return { isNew, isToBeCompared: rows[0]?.isToBeCompared === true }
}

/** A nameserver serves a serial that its zone does not have in the database. */
export interface Ahead {
  readonly zoneId: string
  readonly serial: number
}

const publication = actorNamed('system', 'publication')

/**
 * Moves the serials of zones ahead of those that nameservers serve, so that the nameservers fetch the zones in full. Leaves out zones that have
 * changed in the meantime, and serials that the clock for serials has not passed: no change of ours has had them. Returns the ids of the zones
 * that were moved.
 */
export async function moveAhead(database: Database, log: Logger, ahead: readonly Ahead[]): Promise<string[]> {
  if (ahead.length === 0) return []
  const moved = await database.transact(async (tx) => {
    const zones = await lockLost(tx, ahead)
    const serials = zones.map((zone) => ({ ...zone, serial: nextSerial(zone.serial, zone.serialClock) }))
    await writeSerials(tx, serials, publication, 'because the database lost changes')
    return zones
  })
  const such = moved.slice(0, 5).map(({ name }) => name)
  if (moved.length > 0)
    log.warn({ zones: moved.length, such }, 'the database lost changes of zones; their serials were moved ahead')
  return moved.map(({ id }) => id)
}

/** The zones of these that still lack a serial, locked. */
async function lockLost(
  tx: Tx,
  ahead: readonly Ahead[],
): Promise<(PublishedZone & { readonly name: string; readonly serialClock: number })[]> {
  const { rows } = await sql<PublishedZone & { name: string; serialClock: number }>`
    select z.id, z.name, z.account_id as "accountId", z.version, z.serial, z.rrset_count as "rrsetCount", z.bytes,
      ${serialClock} as "serialClock"
    from zones z where z.id = any(${ahead.map(({ zoneId }) => zoneId)}::uuid[]) and z.state = 'live' and exists (
      select from ${aheadRows(ahead)} where ahead."zoneId" = z.id and z.serial < ahead.serial and ahead.serial < ${serialClock})
    order by z.id for no key update`.execute(tx)
  return rows
}

const aheadRows = sql.recordset('ahead', '"zoneId" uuid, serial bigint')

/**
 * Moves the serials of all live zones and of the catalog forward, after a restore from a backup: the nameservers then have newer
 * serials than the database, and would accept nothing before it had caught up with them.
 */
export async function restoreSerials(tx: Tx, actor: Actor): Promise<{ zones: number; catalogSerial: number }> {
  // The restored cluster may be on a new timeline, and no primary runs yet that would adopt it.
  await adoptTimeline(tx)
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
async function writeSerials(tx: Tx, zones: readonly PublishedZone[], actor: Actor, why: string): Promise<void> {
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
