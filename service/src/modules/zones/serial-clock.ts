import { type Statement, sql } from '#platform/postgres/index.ts'

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
