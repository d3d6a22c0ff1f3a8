import { readAccount } from '#modules/accounts/index.ts'
import { recordAudit } from '#modules/audit/index.ts'
import { lockZone, type ZoneRow } from '#modules/zones/index.ts'
import type { Actor } from '#platform/caller.ts'
import type { Tx } from '#platform/db.ts'
import { Refusal } from '#platform/errors.ts'
import { deleteInvitation, insertManager, readInvitation } from './store.ts'

/** Makes the account a manager of the zone it was invited to: from now on it sees the zone, and gets its events. */
export async function acceptInvitation(tx: Tx, actor: Actor, accountId: string, id: string): Promise<ZoneRow> {
  const account = await readAccount(tx, accountId)
  if (account?.emailConfirmed !== true)
    throw new Refusal('email_unconfirmed', 'Confirm your email address first: the invitation was sent to it.')
  const zone = await takeInvitation(tx, accountId, id)
  await insertManager(tx, zone.id, accountId)
  await recordAudit(tx, {
    accountId: zone.accountId,
    actor,
    action: 'manager.accepted',
    zone,
    summary: `${account.email} manages ${zone.name} now`,
  })
  return zone
}

export async function declineInvitation(tx: Tx, actor: Actor, accountId: string, id: string): Promise<void> {
  const zone = await takeInvitation(tx, accountId, id)
  await recordAudit(tx, {
    accountId: zone.accountId,
    actor,
    action: 'manager.declined',
    zone,
    summary: `${actor.name} will not manage ${zone.name}`,
  })
}

/** The zone of an open invitation of this account, locked; the invitation is gone. */
async function takeInvitation(tx: Tx, accountId: string, id: string): Promise<ZoneRow> {
  const invitation = await readInvitation(tx, accountId, id)
  const zone = invitation && (await lockZone(tx, invitation.zoneId))
  // Meanwhile the zone was deleted, or the invitation taken back.
  if (zone === undefined || !(await deleteInvitation(tx, id)))
    throw new Refusal('not_found', 'There is no such invitation for this account any more.')
  return zone
}
