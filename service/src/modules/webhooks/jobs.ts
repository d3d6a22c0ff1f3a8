import { retentionDays } from '#modules/events/index.ts'
import type { Database } from '#platform/db.ts'
import { dropDeliveries } from './store.ts'

/** Daily: drops deliveries and attempts of events older than 30 days (specification, "Limits"). Returns what was dropped. */
export async function keepDeliveryPartitions(database: Database): Promise<string[]> {
  return await dropDeliveries(database.db, retentionDays)
}
