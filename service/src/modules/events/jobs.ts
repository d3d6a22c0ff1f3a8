import type { Database } from '#platform/postgres/index.ts'
import { dropPartitions } from './store.ts'

/** Events and delivery history are kept this long (specification, "Limits"). */
export const retentionDays = 30

/** Drops the days of events that are older than 30 days. Returns the names of their partitions. */
export async function dropOldEvents(database: Database): Promise<string[]> {
  return await dropPartitions(database.db, retentionDays)
}
