import { lockAccount, readAccount } from '#modules/accounts/index.ts'
import { recordAudit } from '#modules/audit/index.ts'
import { queueMail, zoneInvitation } from '#modules/mail/index.ts'
import { lockZone } from '#modules/zones/index.ts'
import type { Actor } from '#platform/caller.ts'
import type { Tx } from '#platform/db.ts'
import { noSuchZone } from '#platform/http/authorise.ts'
import { newId } from '#platform/ids.ts'
import type { SecretBox } from '#platform/secrets.ts'
import { mayInvite } from './rules.ts'
import { type ManagerRow, readGuest, upsertInvitation } from './store.ts'

/** What inviting needs from outside its module. */
export interface InvitationMails {
  readonly secrets: SecretBox
  /** The dashboard's address, for the mail. */
  readonly site: string
}

/**
 * Invites whoever reads the mail of an address to manage a zone. Nothing is shared before an account of that very address
 * accepts, and whether there is one is not told.
 */
export async function inviteManager(
  tx: Tx,
  actor: Actor,
  { ownerId, zoneId, email: written }: { ownerId: string; zoneId: string; email: string },
  { secrets, site }: InvitationMails,
): Promise<ManagerRow> {
  await lockAccount(tx, ownerId) // so that its invitations can be counted
  const zone = await lockZone(tx, zoneId)
  const owner = await readAccount(tx, ownerId)
  if (zone?.accountId !== ownerId || owner === undefined) throw noSuchZone()
  const email = written.toLowerCase()
  mayInvite('zone', email, await readGuest(tx, zone.id, ownerId, email))
  const id = newId('inv')
  const invited = await upsertInvitation(tx, { id, zoneId: zone.id, email, inviter: owner.email, accountId: ownerId })
  await recordAudit(tx, {
    accountId: ownerId,
    actor,
    action: 'manager.invited',
    zone,
    summary: `${email} was invited to manage ${zone.name}`,
  })
  const message = zoneInvitation({ site, zone: zone.name, inviter: owner.email })
  await queueMail(tx, secrets, { to: email, message })
  return invited
}
