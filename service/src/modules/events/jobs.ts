import type { Database } from '#platform/db.ts'
import { dropPartitions, ensurePartitions } from './store.ts'

/** Events and delivery history are kept this long (specification, "Limits"). */
export const retentionDays = 30

/** Daily: makes the partitions of the coming days, and drops events older than 30 days. Returns what was dropped. */
export async function keepEventPartitions(database: Database): Promise<string[]> {
  await ensurePartitions(database.db)
  return await dropPartitions(database.db, retentionDays)
}
