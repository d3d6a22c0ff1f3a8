import { accountsToErase, eraseAccount, holdDays } from '#modules/accounts/index.ts'
import { forgetContacts } from '#modules/contacts/index.ts'
import { leaveEveryDomain } from '#modules/domains/index.ts'
import { forgetPeople } from '#modules/orders/index.ts'
import { leaveEveryZone } from '#modules/sharing/index.ts'
import { removeEndpoints } from '#modules/webhooks/index.ts'
import { type Delegate, deleteZone, zonesOwnedBy } from '#modules/zones/index.ts'
import { actorNamed } from '#platform/caller.ts'
import type { Database, Tx } from '#platform/db.ts'

const accountsPerRound = 100
const actor = actorNamed('system', 'account deletion')

/**
 * Ends the hold of accounts that were deleted seven days ago: their zones go, one transaction each, then what is left of them
 * but the id, of which the audit log and old orders speak.
 */
export async function eraseHeldAccounts(database: Database, delegate: Delegate): Promise<number> {
  const accounts = await accountsToErase(database.db, holdDays, accountsPerRound)
  for (const accountId of accounts) {
    for (const zoneId of await zonesOwnedBy(database.db, accountId))
      await database.transact((tx) => deleteZone(tx, actor, zoneId, delegate))
    await database.transact((tx) => eraseWhole(tx, accountId))
  }
  return accounts.length
}

/** In the order in which locks are taken; the account’s own keeps anybody from adding to what goes. */
async function eraseWhole(tx: Tx, accountId: string): Promise<void> {
  await eraseAccount(tx, accountId)
  await forgetPeople(tx, accountId)
  await leaveEveryDomain(tx, accountId)
  await leaveEveryZone(tx, accountId)
  await forgetContacts(tx, accountId)
  await removeEndpoints(tx, accountId)
}
