import { recordAudit } from '#modules/audit/index.ts'
import type { Actor } from '#platform/caller.ts'
import { Refusal } from '#platform/errors.ts'
import type { Db, Tx } from '#platform/postgres/index.ts'
import { endChange, insertChange, openChange, takeChange } from './change-store.ts'
import { type StuckChange, stepNow, stuckChanges } from './operator-store.ts'
import { type Domain, hurryDomain, lockDomain, noteRegistrant } from './store.ts'

/** Changes of domains that were asked for so many minutes ago and have not come to their end, with the commands that they wait for. */
export function readStuckChanges(db: Db, minutes: number): Promise<StuckChange[]> {
  return stuckChanges(db, minutes)
}

/** Lets the next step of a domain's change be taken now, and its registry be asked how it is. */
export async function retryDomain(tx: Tx, actor: Actor, name: string): Promise<{ change_is_due: boolean }> {
  const domain = await held(tx, name)
  const isDue = await stepNow(tx, domain.id)
  await hurryDomain(tx, domain.name)
  await note(tx, actor, domain, 'retried', `A check of ${domain.name} was requested`)
  return { change_is_due: isDue }
}

/** What an operator has learned from a registry about a change, by telephone say. */
export interface ChangeDecision {
  readonly isDone: boolean
  /** For the audit log. */
  readonly reason: string
}

/**
 * Ends the change of a domain that is under way on an operator's word, whoever is at it. The registry is then asked how the domain
 * is, and what it says is what counts.
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
  await note(
    tx,
    actor,
    domain,
    'change_decided',
    `A change of ${domain.name} (${change.kind}) was marked as ${state}: ${reason}`,
  )
  await hurryDomain(tx, domain.name)
  // Updates were allowed for it, and nobody prohibits them again.
  return { change: change.kind, state, may_be_unlocked: change.relock }
}

/**
 * Has a domain restored that its registry is about to delete (RFC 3915). A worker does it; what came of it stands in the audit log. The
 * registry takes its fee from our account: the customer has paid it before.
 */
export async function restoreDomain(
  tx: Tx,
  actor: Actor,
  name: string,
  reason: string,
): Promise<{ domain: string; change: 'restore' }> {
  const domain = await held(tx, name)
  if (await openChange(tx, domain.id)) throw new Refusal('conflict', `Another change of ${domain.name} is in progress.`)
  await insertChange(tx, { domainId: domain.id, wish: { kind: 'restore', reason }, secret: null, actor }, 0)
  await note(
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

function note(tx: Tx, actor: Actor, { accountId, name }: Domain, done: string, summary: string): Promise<void> {
  return recordAudit(tx, { accountId, actor, action: `domain.${done}`, domain: name, summary })
}
