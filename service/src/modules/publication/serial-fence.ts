import { nextSerial } from '#modules/zones/index.ts'
import { type Db, sql, type Tx } from '#platform/postgres/index.ts'
import { lockCatalog, writeCatalogSerial } from './catalog-store.ts'

/**
 * How far the clock for serials moves at a failover or a restore, in seconds: further than the serials of changes that were lost. A serial is
 * ahead of the clock only in a zone that changes more than once a second all the time.
 */
export const clockStep = 1_000_000

/** Moves the clock for serials ahead of the serials of all changes that may have been lost. */
export async function advanceSerialClock(tx: Tx): Promise<void> {
  await sql`update serial_fence set serial_offset = serial_offset + ${clockStep}`.execute(tx)
}

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

/** Records that all zones were compared with the nameservers. */
export async function endComparison(db: Db): Promise<void> {
  await sql`update serial_fence set is_compared = true`.execute(db)
}
