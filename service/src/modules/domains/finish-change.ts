import { hurryCheck } from '#modules/delegation/index.ts'
import type { Tx } from '#platform/postgres/index.ts'
import { type RegistryReply, sameId } from '#ports/registry.ts'
import { endChange } from './change-store.ts'
import { type Change, isUnattended, lockedAs, type Progress, type Sight, type Stand } from './domain-change.ts'
import { leave } from './leave-domain.ts'
import { auditDomain, type Domain, hurryDomain, lockDomain, noteFacts, noteRegistrant } from './store.ts'

/**
 * Ends a change in one transaction: stores what the registry has now, writes to the audit log, and makes the check of a delegation due if the
 * nameservers have changed. `reply`: the response to its last command, if that is done and not settled yet. Throws `TakenOver`.
 */
export function finishChange(stand: Stand, reply?: RegistryReply | null): Promise<Progress> {
  const { database, registry, change, operations, sight } = stand
  const { failure } = change
  return database.transact(async (tx) => {
    const end: Progress = failure === null ? { end: 'done' } : { end: 'refused', failure }
    const [domain] = await Promise.all([lockDomain(tx, change.name), endChange(tx, change, end.end, reply)])
    // The name may belong to another domain by now.
    if (domain?.id !== change.domainId) return end
    if (sight !== undefined) await noteSight(tx, change, domain, sight)
    // Even if the rest failed.
    if (sight !== undefined && operations.some(({ command, state }) => command === 'remove_ds' && state === 'done')) {
      const summary = `The DS records of ${change.name} were removed, because our nameservers do not sign its zone`
      await auditDomain(tx, change.actor, domain, 'ds_removed', summary)
    }
    if (failure !== null && isUnattended(change))
      await auditDomain(tx, change.actor, domain, `${change.kind}_refused`, failure.message)
    // The domain is not in the expected state, or may have another expiry, so the service reads it from the registry.
    if (failure?.code === 'conflict' || change.kind === 'restore') await hurryDomain(tx, change.name)
    if (failure !== null) return end
    if (operations.some(({ state }) => state === 'done')) await note(tx, change, domain)
    if (sight !== undefined && !sameId(sight.info.sponsor, registry.registrarId))
      await leave(tx, change.actor, domain, 'transferred')
    // The transfer was completed between the registry's two answers, about the domain and about the transfer.
    else if (change.kind === 'approve_transfer') await hurryDomain(tx, change.name)
    return end
  })
}

async function noteSight(tx: Tx, change: Change, domain: Domain, { info }: Sight): Promise<void> {
  // Of all changes, only a completed restore moves the expiry, and only forward: a renewal may have moved it since the lookup.
  const isRestored = change.kind === 'restore' && change.failure === null
  const isLater = info.expiresAt !== null && info.expiresAt.getTime() > (domain.expiresAt?.getTime() ?? 0)
  await noteFacts(tx, domain.name, isRestored && isLater ? info : { ...info, expiresAt: null })
  if (change.failure === null && change.wish.kind === 'contacts')
    await noteRegistrant(tx, domain.name, change.wish.registrantId, change.wish.contact)
  if (info.nameservers.join() !== domain.nameservers.toSorted().join()) await hurryCheck(tx, domain.name)
}

async function note(tx: Tx, change: Change, domain: Domain): Promise<void> {
  const { name, wish } = change
  const registrant = wish.kind === 'contacts' ? wish.contact.name : ''
  const nameservers = wish.kind === 'nameservers' ? wish.nameservers.toSorted().join(', ') : ''
  const said: Readonly<Record<Change['kind'], readonly [done: string, summary: string]>> = {
    nameservers: ['nameservers_changed', `The nameservers of ${name} were set to ${nameservers}`],
    lock: ['locked', `${name} ${lockedAs(change)}`],
    unlock: ['unlocked', `${name} was unlocked`],
    contacts: ['contacts_changed', `The registrant of ${name} was changed to ${registrant}`],
    transfer_code: ['transfer_code_shown', `A new transfer code for ${name} was set and shown`],
    approve_transfer: ['transfer_approved', `The transfer of ${name} to another registrar was approved`],
    reject_transfer: ['transfer_rejected', `The transfer of ${name} to another registrar was rejected`],
    restore: ['restored', `The registry restored ${name}`],
  }
  await auditDomain(tx, change.actor, domain, ...said[change.kind])
}
