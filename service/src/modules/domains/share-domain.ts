import { lockAccount, readAccount } from '#modules/accounts/index.ts'
import { recordAudit } from '#modules/audit/index.ts'
import { domainInvitation, queueMail } from '#modules/mail/index.ts'
import { type ManagerRow, mayInvite } from '#modules/sharing/index.ts'
import type { Actor } from '#platform/caller.ts'
import type { Tx } from '#platform/db.ts'
import { Refusal } from '#platform/errors.ts'
import { newId } from '#platform/ids.ts'
import type { SecretBox } from '#platform/secrets.ts'
import {
  deleteInvitation,
  deleteManager,
  insertManager,
  readGuest,
  readInvitations,
  upsertInvitation,
  withdrawInvitation,
} from './manager-store.ts'
import { noSuchDomain } from './seen-domain.ts'
import { type Domain, lockDomain } from './store.ts'

/**
 * Invites whoever reads the mail of an address to manage a domain. Nothing is shared before an account of that very address
 * accepts, and whether there is one is not told.
 */
export async function inviteManager(
  tx: Tx,
  actor: Actor,
  { ownerId, name, email: written }: { ownerId: string; name: string; email: string },
  { secrets, site }: { secrets: SecretBox; site: string },
): Promise<ManagerRow> {
  await lockAccount(tx, ownerId) // so that its invitations can be counted
  const domain = await lockDomain(tx, name)
  const owner = await readAccount(tx, ownerId)
  if (domain?.accountId !== ownerId || owner === undefined) throw noSuchDomain()
  const email = written.toLowerCase()
  mayInvite('domain', email, await readGuest(tx, domain.id, ownerId, email))
  const id = newId('inv')
  const about = { id, domainId: domain.id, email, inviter: owner.email, accountId: ownerId }
  const invited = await upsertInvitation(tx, about)
  await note(tx, actor, domain, 'invited', `${email} was invited to manage ${name}`)
  const message = domainInvitation({ site, domain: name, inviter: owner.email })
  await queueMail(tx, secrets, { to: email, message })
  return invited
}

/** Makes the account a manager of the domain that it was invited to. Returns the domain's name. */
export async function acceptInvitation(tx: Tx, actor: Actor, accountId: string, id: string): Promise<string> {
  const account = await readAccount(tx, accountId)
  if (account?.emailConfirmed !== true)
    throw new Refusal('email_unconfirmed', 'Confirm your email address first: the invitation was sent to it.')
  const domain = await takeInvitation(tx, accountId, id)
  await insertManager(tx, domain.id, accountId)
  await note(tx, actor, domain, 'accepted', `${account.email} manages ${domain.name} now`)
  return domain.name
}

export async function declineInvitation(tx: Tx, actor: Actor, accountId: string, id: string): Promise<void> {
  const domain = await takeInvitation(tx, accountId, id)
  await note(tx, actor, domain, 'declined', `${actor.name} will not manage ${domain.name}`)
}

/** The domain of an open invitation of this account, locked; the invitation is gone. */
async function takeInvitation(tx: Tx, accountId: string, id: string): Promise<Domain> {
  const [invitation] = await readInvitations(tx, accountId, { id, max: 1 })
  const domain = invitation && (await lockDomain(tx, invitation.domain))
  // Meanwhile the domain has gone, or the invitation was taken back.
  if (domain === undefined || !(await deleteInvitation(tx, id)))
    throw new Refusal('not_found', 'There is no such invitation for this account any more.')
  return domain
}

const uuidShape = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Ends somebody's part in a domain: its owner removes a manager or takes an invitation back, a manager leaves. */
export async function removeManager(
  tx: Tx,
  actor: Actor,
  { callerId, name, whom }: { callerId: string; name: string; whom: string },
): Promise<void> {
  const domain = await lockDomain(tx, name)
  if (domain === undefined) throw noSuchDomain()
  const isLeaving = whom.toLowerCase() === callerId
  if (domain.accountId !== callerId && !isLeaving)
    throw new Refusal('forbidden', 'Only the owner of a domain removes its managers; a manager may leave.')
  const isGone = uuidShape.test(whom)
    ? await deleteManager(tx, domain.id, whom.toLowerCase())
    : await withdrawInvitation(tx, domain.id, whom.toLowerCase())
  if (!isGone) throw new Refusal('not_found', 'This domain has no such manager, and nobody of that address is invited.')
  await note(
    tx,
    actor,
    domain,
    'removed',
    isLeaving ? `${actor.name} no longer manages ${name}` : `A manager of ${name} was removed`,
  )
}

function note(tx: Tx, actor: Actor, { accountId, name }: Domain, done: string, summary: string): Promise<void> {
  return recordAudit(tx, { accountId, actor, action: `manager.${done}`, domain: name, summary })
}
