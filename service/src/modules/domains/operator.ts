import type { Actor } from '#platform/caller.ts'
import { Refusal } from '#platform/errors.ts'
import type { Db, Tx } from '#platform/postgres/index.ts'
import { endChange, insertChange, takeChange } from './change-store.ts'
import { type StuckChange, stepNow, stuckChanges } from './operator-store.ts'
import { auditDomain, type Domain, hurryDomain, lockDomain, noteRegistrant } from './store.ts'

/** Unfinished changes of domains that were requested at least this many minutes ago, each with its last command. */
export function readStuckChanges(db: Db, minutes: number): Promise<StuckChange[]> {
  return stuckChanges(db, minutes)
}

/** Makes the next step of a domain's change due now, and the check of the domain at its registry. */
export async function retryDomain(tx: Tx, actor: Actor, name: string): Promise<{ change_is_due: boolean }> {
  const domain = await held(tx, name)
  const isDue = await stepNow(tx, domain.id)
  await hurryDomain(tx, domain.name)
  await auditDomain(tx, actor, domain, 'retried', `A check of ${domain.name} was requested`)
  return { change_is_due: isDue }
}

/** The outcome of a change that an operator has learned from the registry, for example by telephone. */
export interface ChangeDecision {
  readonly isDone: boolean
  /** For the audit log. */
  readonly reason: string
}

/**
 * Ends the open change of a domain with the outcome that the operator gives, even if a worker holds the change. The domain is then read from
 * the registry, whose data decides.
 */
export async function decideChange(
  tx: Tx,
  actor: Actor,
  name: string,
  { isDone, reason }: ChangeDecision,
): Promise<{ change: string; state: string; may_be_unlocked: boolean }> {
  const domain = await held(tx, name)
  const change = await takeChange(tx, domain.id)
  if (change === undefined) throw new Refusal('conflict', `No change of ${domain.name} is in progress.`)
  const state = isDone ? 'done' : 'refused'
  await endChange(tx, change, state)
  const { wish } = change
  if (isDone && wish.kind === 'contacts') await noteRegistrant(tx, domain.name, wish.registrantId, wish.contact)
  await auditDomain(
    tx,
    actor,
    domain,
    'change_decided',
    `A change of ${domain.name} (${change.kind}) was marked as ${state}: ${reason}`,
  )
  await hurryDomain(tx, domain.name)
  // If the change had allowed updates, nothing prohibits them again.
  return { change: change.kind, state, may_be_unlocked: change.relock }
}

/**
 * Requests the restore of a domain that its registry is about to delete (RFC 3915). A worker sends the commands, and the audit log shows the
 * result. The registry charges its fee to our account. The customer has paid it in advance.
 */
export async function restoreDomain(
  tx: Tx,
  actor: Actor,
  name: string,
  reason: string,
): Promise<{ domain: string; change: 'restore' }> {
  const domain = await held(tx, name)
  const change = { domainId: domain.id, wish: { kind: 'restore', reason }, secret: null, actor } as const
  if ((await insertChange(tx, change, 0)) === undefined)
    throw new Refusal('conflict', `Another change of ${domain.name} is in progress.`)
  await auditDomain(
    tx,
    actor,
    domain,
    'restore_asked',
    `A restore of ${domain.name} was requested from the registry: ${reason}`,
  )
  tx.wakeAfterCommit('domains_due')
  return { domain: domain.name, change: 'restore' }
}

async function held(tx: Tx, name: string): Promise<Domain> {
  const domain = await lockDomain(tx, name.toLowerCase())
  if (domain?.state !== 'held') throw new Refusal('not_found', `No domain ${name} is registered here.`)
  return domain
}
