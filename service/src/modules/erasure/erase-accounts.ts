import { accountsToErase, eraseAccount, holdDays, lockToErase } from '#modules/accounts/index.ts'
import { forgetKeyUses } from '#modules/api-keys/index.ts'
import { forgetContacts } from '#modules/contacts/index.ts'
import { leaveEveryDomain } from '#modules/domains/index.ts'
import { forgetPeople } from '#modules/orders/index.ts'
import { forgetInvited, leaveEveryZone } from '#modules/sharing/index.ts'
import { removeEndpoints } from '#modules/webhooks/index.ts'
import { type Delegate, deleteZone, zonesOwnedBy } from '#modules/zones/index.ts'
import { actorNamed } from '#platform/caller.ts'
import type { Database, Tx } from '#platform/postgres/index.ts'

const accountsPerRound = 100
const actor = actorNamed('system', 'account deletion')

/**
 * Erases accounts that were deleted seven days ago: their zones, one transaction each, then everything else
 * except the id, which the audit log and old orders refer to. Returns the number of erased accounts.
 */
export async function eraseHeldAccounts(database: Database, delegate: Delegate): Promise<number> {
  let erased = 0
  for (const accountId of await accountsToErase(database.db, holdDays, accountsPerRound))
    if (await eraseHeld(database, delegate, accountId)) erased++
  return erased
}

/** False: the account must no longer be erased, so the rest of it is kept. */
async function eraseHeld(database: Database, delegate: Delegate, accountId: string): Promise<boolean> {
  // Each transaction checks again, because support may be restoring the account.
  const take = (part: (tx: Tx) => Promise<unknown>): Promise<boolean> =>
    database.transact(async (tx) => {
      const isHeld = await lockToErase(tx, accountId, holdDays)
      if (isHeld) await part(tx)
      return isHeld
    })
  for (const zoneId of await zonesOwnedBy(database.db, accountId))
    if (!(await take((tx) => deleteZone(tx, actor, zoneId, delegate)))) return false
  return take((tx) => eraseWhole(tx, accountId))
}

/** In the order in which locks are taken. The account is locked, so nothing can be added in the meantime. */
async function eraseWhole(tx: Tx, accountId: string): Promise<void> {
  const email = await eraseAccount(tx, accountId)
  await forgetKeyUses(tx, accountId)
  await forgetPeople(tx, accountId)
  await leaveEveryDomain(tx, accountId)
  await leaveEveryZone(tx, accountId)
  await forgetInvited(tx, email)
  await forgetContacts(tx, accountId)
  await removeEndpoints(tx, accountId)
}
