import { recordAudit } from '#modules/audit/index.ts'
import { hurryCheck } from '#modules/delegation/index.ts'
import type { Database, Tx } from '#platform/postgres/index.ts'
import { sameId } from '#ports/registry.ts'
import type { Act, ActOperation, Progress, Sight } from './act.ts'
import { endAct } from './act-store.ts'
import { leave } from './leave-domain.ts'
import { type Domain, hurryDomain, lockDomain, noteFacts, noteRegistrant } from './store.ts'

/** How it is at the end, and what was sent for that. Without it: the registry did not tell. */
interface Seen {
  readonly sight: Sight
  /** Who we are there. */
  readonly registrarId: string
  readonly operations: readonly ActOperation[]
}

/**
 * Ends an act in one transaction: what the registry has now is kept, the audit log says what was done and by whom, and a
 * delegation that has changed is checked soon. Throws `TakenOver`.
 */
export async function finishAct(
  work: { readonly database: Database },
  act: Act,
  seen?: Seen | 'dropped',
): Promise<Progress> {
  const { failure } = act
  return work.database.transact(async (tx) => {
    const domain = await lockDomain(tx, act.name)
    const end: Progress =
      seen === 'dropped' ? { end: seen } : failure === null ? { end: 'done' } : { end: 'refused', failure }
    await endAct(tx, act, end.end)
    if (seen === 'dropped') return end
    // The same name may be another domain by now.
    if (domain?.id !== act.domainId) return end
    if (seen !== undefined) await noteSight(tx, act, domain, seen.sight)
    // Even if the rest failed.
    if (seen?.operations.some(({ command, state }) => command === 'remove_ds' && state === 'done')) {
      const summary = `The DS records of ${act.name} were removed, because our nameservers do not sign its zone`
      await audit(tx, act, domain, 'domain.ds_removed', summary)
    }
    // Nobody waits for its answer.
    if (failure !== null && act.kind === 'restore')
      await audit(tx, act, domain, 'domain.restore_refused', failure.message)
    // What is not as we thought is for the registry to say.
    if (failure?.code === 'conflict') await hurryDomain(tx, act.name)
    if (failure !== null || seen === undefined) return end
    if (seen.operations.some(({ state }) => state === 'done')) await note(tx, act, domain, seen.sight)
    if (!sameId(seen.sight.info.sponsor, seen.registrarId)) await leave(tx, act.actor, domain, 'transferred')
    // The transfer was completed between the registry's two answers, about the domain and about the transfer.
    else if (act.kind === 'approve_transfer') await hurryDomain(tx, act.name)
    return end
  })
}

async function noteSight(tx: Tx, act: Act, domain: Domain, { info }: Sight): Promise<void> {
  // A renewal may have been carried out since the look: only a restore that was done moves the expiry.
  const isRestored = act.kind === 'restore' && act.failure === null
  await noteFacts(tx, domain.name, isRestored ? info : { ...info, expiresAt: null })
  if (act.failure === null && act.wish.kind === 'contacts')
    await noteRegistrant(tx, domain.name, act.wish.registrantId, act.wish.contact)
  if (info.nameservers.join() !== domain.nameservers.toSorted().join()) await hurryCheck(tx, domain.name)
}

async function note(tx: Tx, act: Act, domain: Domain, sight: Sight): Promise<void> {
  const { name, wish } = act
  const said: Readonly<Record<Act['kind'], readonly [action: string, summary: string]>> = {
    nameservers: [
      'domain.nameservers_changed',
      `The nameservers of ${name} were set to ${sight.info.nameservers.join(', ')}`,
    ],
    lock: ['domain.locked', `${name} was locked`],
    unlock: ['domain.unlocked', `${name} was unlocked`],
    contacts: [
      'domain.contacts_changed',
      `The registrant of ${name} was changed to ${wish.kind === 'contacts' ? wish.contact.name : ''}`,
    ],
    transfer_code: ['domain.transfer_code_shown', `A new transfer code for ${name} was set and shown`],
    approve_transfer: ['domain.transfer_approved', `The transfer of ${name} to another registrar was approved`],
    restore: ['domain.restored', `The registry restored ${name}`],
    reject_transfer: ['domain.transfer_rejected', `The transfer of ${name} to another registrar was rejected`],
  }
  await audit(tx, act, domain, ...said[act.kind])
}

function audit(tx: Tx, { actor, name }: Act, { accountId }: Domain, action: string, summary: string): Promise<void> {
  return recordAudit(tx, { accountId, actor, action, domain: name, summary })
}
