import { type Statement, sql, type Tx } from '#platform/postgres/index.ts'

/**
 * The clock for serials in seconds, as SQL: the Unix time, moved ahead at each failover and each restore of the database. No serial is behind it.
 * Fails with ZW001 until the leading primary has adopted the database's timeline (migration 0030).
 */
export const serialClock: Statement = sql`(select seconds from serial_clock)`

/** The same, but it never fails: for a plan that is written only if `serialClock` is near it. */
export const uncheckedSerialClock: Statement = sql`(select unchecked_seconds from serial_clock)`

/** The next serial of a zone or the catalog: higher than its last one, and never behind the clock for serials. */
export function nextSerial(last: number, clock: number): number {
  return Math.max(last + 1, clock)
}

/**
 * How far the clock for serials moves at a failover or a restore, in seconds: further than the serials of changes that were lost. A serial is
 * ahead of the clock only in a zone that changes more than once a second all the time.
 */
export const clockStep = 1_000_000

/** Moves the clock for serials ahead of the serials of all changes that may have been lost. */
export async function advanceSerialClock(tx: Tx): Promise<void> {
  await sql`update serial_fence set serial_offset = serial_offset + ${clockStep}`.execute(tx)
}
