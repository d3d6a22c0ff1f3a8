import { hurryCheck } from '#modules/delegation/index.ts'
import type { ChangeCommand, RecordedCommand } from '#modules/registry-commands/index.ts'
import type { Database, Tx } from '#platform/postgres/index.ts'
import { type Registry, sameId } from '#ports/registry.ts'
import { endChange } from './change-store.ts'
import { type Change, isDefaultLock, isUnattended, type Progress, type Sight } from './domain-change.ts'
import { leave } from './leave-domain.ts'
import { auditDomain, type Domain, hurryDomain, lockDomain, noteFacts, noteRegistrant } from './store.ts'

/** A change in progress, and the commands that were recorded for it. */
export interface Stand {
  readonly database: Database
  readonly registry: Registry
  readonly change: Change
  readonly operations: readonly RecordedCommand<ChangeCommand>[]
  /** What the registry has; undefined: it must be queried, or the domain is no longer with us. */
  readonly sight?: Sight | undefined
}

/**
 * Ends a change in one transaction: stores what the registry has now, writes to the audit log, and makes the check of a delegation due if the
 * nameservers have changed. Throws `TakenOver`.
 */
export function finishChange({ database, registry, change, operations, sight }: Stand): Promise<Progress> {
  const { failure } = change
  return database.transact(async (tx) => {
    const domain = await lockDomain(tx, change.name)
    const end: Progress = failure === null ? { end: 'done' } : { end: 'refused', failure }
    await endChange(tx, change, end.end)
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
    if (failure !== null || sight === undefined) return end
    if (operations.some(({ state }) => state === 'done')) await note(tx, change, domain, sight)
    if (!sameId(sight.info.sponsor, registry.registrarId)) await leave(tx, change.actor, domain, 'transferred')
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

async function note(tx: Tx, change: Change, domain: Domain, sight: Sight): Promise<void> {
  const { name, wish } = change
  const registrant = wish.kind === 'contacts' ? wish.contact.name : ''
  const said: Readonly<Record<Change['kind'], readonly [done: string, summary: string]>> = {
    nameservers: ['nameservers_changed', `The nameservers of ${name} were set to ${sight.info.nameservers.join(', ')}`],
    lock: ['locked', `${name} was locked${isDefaultLock(change) ? ' against transfers, because it is new' : ''}`],
    unlock: ['unlocked', `${name} was unlocked`],
    contacts: ['contacts_changed', `The registrant of ${name} was changed to ${registrant}`],
    transfer_code: ['transfer_code_shown', `A new transfer code for ${name} was set and shown`],
    approve_transfer: ['transfer_approved', `The transfer of ${name} to another registrar was approved`],
    reject_transfer: ['transfer_rejected', `The transfer of ${name} to another registrar was rejected`],
    restore: ['restored', `The registry restored ${name}`],
  }
  await auditDomain(tx, change.actor, domain, ...said[change.kind])
}
