import { sql } from './sql.ts'

/**
 * Settings for a transaction that processes a queue. It finds its rows by index, one by one, and never scans a table.
 *
 * Queues grow and shrink faster than their statistics, and plans are kept. A plan from when a queue was short would scan or hash all of it once it is
 * long.
 */
export const byIndexAlone = sql`
  set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true),
  set_config('enable_material', 'off', true), set_config('enable_bitmapscan', 'off', true)`

/**
 * A setting for a transaction, of one statement or of many: its commit does not wait for the disk. Use it only for writes that are repeated after a
 * crash.
 */
export const withoutWaitingForDisk = sql`set_config('synchronous_commit', 'off', true)`
