import { accountsToErase, eraseAccount, holdDays } from '#modules/accounts/index.ts'
import { actorNamed } from '#platform/caller.ts'
import type { Database } from '#platform/db.ts'
import type { RecurringJob } from '#platform/jobs.ts'
import type { Delegate } from './delegate.ts'
import { deleteZone } from './delete-zone.ts'
import { eraseSome, eraseZoneRow, zonesToErase } from './deleted-store.ts'
import { undoDays } from './rules.ts'
import { zonesOwnedBy } from './store.ts'

const accountsPerRound = 100
const zonesPerRound = 1_000
/** Rows of each table that one statement erases: none may take long. */
const rowsAtOnce = 5_000
const actor = actorNamed('system', 'account deletion')

/** Ends the hold of accounts that were deleted seven days ago: their zones go, one transaction each, then what is left of them. */
export async function eraseHeldAccounts(database: Database, delegate: Delegate): Promise<number> {
  const accounts = await accountsToErase(database.db, holdDays, accountsPerRound)
  for (const accountId of accounts) {
    for (const zoneId of await zonesOwnedBy(database.db, accountId))
      await database.transact((tx) => deleteZone(tx, actor, zoneId, delegate))
    await database.transact((tx) => eraseAccount(tx, accountId))
  }
  return accounts.length
}

/** Erases zones that were deleted seven days ago, with all their records and histories. Nothing brings them back. */
export async function eraseDeletedZones(database: Database): Promise<number> {
  const zones = await zonesToErase(database.db, undoDays, zonesPerRound)
  for (const zoneId of zones) {
    while ((await eraseSome(database.db, zoneId, rowsAtOnce)) > 0);
    await database.transact((tx) => eraseZoneRow(tx, zoneId))
  }
  return zones.length
}

export function zoneJobs({ delegate }: { delegate: Delegate }): readonly RecurringJob[] {
  return [
    {
      name: 'erase-held-accounts',
      cron: '35 * * * *',
      run: async (database) => {
        await eraseHeldAccounts(database, delegate)
      },
    },
    {
      name: 'erase-deleted-zones',
      cron: '50 * * * *',
      run: async (database) => {
        await eraseDeletedZones(database)
      },
    },
  ]
}
