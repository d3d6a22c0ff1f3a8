import type { Database } from '#platform/postgres/index.ts'
import type { RecurringJob } from '#platform/work/jobs.ts'
import { eraseSome, eraseZoneRow, zonesToErase } from './deleted-store.ts'
import { undoDays } from './rules.ts'

const zonesPerRound = 1_000
/** Rows of each table that one statement erases, so that none takes long. */
const rowsAtOnce = 5_000

/** Erases zones that were deleted seven days ago, with all their records and histories, permanently. */
export async function eraseDeletedZones(database: Database): Promise<number> {
  const zones = await zonesToErase(database.db, undoDays, zonesPerRound)
  for (const zoneId of zones) {
    while ((await eraseSome(database.db, zoneId, rowsAtOnce)) > 0);
    await database.transact((tx) => eraseZoneRow(tx, zoneId))
  }
  return zones.length
}

export const zoneJobs: readonly RecurringJob[] = [
  {
    name: 'erase-deleted-zones',
    cron: '50 * * * *',
    run: async (database) => {
      await eraseDeletedZones(database)
    },
  },
]
