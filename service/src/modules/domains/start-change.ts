import { changeCommands } from '#modules/registry-commands/index.ts'
import { Refusal } from '#platform/errors.ts'
import type { Tx } from '#platform/postgres/index.ts'
import { workLeaseS } from '#ports/registry.ts'
import { advanceChange } from './advance-change.ts'
import { claimChange, insertChange } from './change-store.ts'
import type { ChangeWork, ClaimedChange, NewChange, Progress } from './domain-change.ts'
import { noSuchDomain } from './seen-domain.ts'
import { lockDomain } from './store.ts'

/**
 * Changes a domain at its registry. Returns `done`, or `pending` if the registry decides later.
 *
 * A domain has one change at a time. If an earlier change was interrupted, it is completed first. Throws `conflict` while another change is
 * in progress, `registry_unavailable` if the registry cannot be reached, and the failure of the change if the registry refuses it.
 */
export async function startChange(work: ChangeWork, wanted: NewChange): Promise<'done' | 'pending'> {
  for (;;) {
    const { isMine, ...claimed } = await work.database.transact((tx) => begin(tx, work, wanted))
    const progress = await advanceChange(work, claimed)
    if (isMine) return outcomeOf(wanted.name, progress)
    if (progress.end === 'pending') throw undecided(wanted.name)
    if (progress.end === 'later')
      throw unavailable(`An earlier change of ${wanted.name} is still in progress. Try again in a minute.`)
  }
}

/** Stores the change, or claims an earlier one that no worker holds. */
async function begin(
  tx: Tx,
  { secrets }: ChangeWork,
  { name, actor, wish, secret, permit }: NewChange,
): Promise<ClaimedChange & { readonly isMine: boolean }> {
  const domain = await lockDomain(tx, name)
  if (domain === undefined) throw noSuchDomain()
  if (domain.state !== 'held')
    throw new Refusal('conflict', `The transfer of ${name} to us is not complete yet. Try again when it is.`)
  const sealed = secret === undefined ? null : secrets.seal('domain_acts.secret', domain.id, secret)
  const stored = await insertChange(tx, { domainId: domain.id, wish, secret: sealed, actor }, workLeaseS)
  if (stored !== undefined) {
    await permit?.(tx)
    return { change: stored, operations: [], isMine: true }
  }
  const change = await claimChange(tx, domain.id)
  if (change === undefined) throw conflict(`Another change of ${name} is in progress. Try again in a few seconds.`, 3)
  // The rollback returns the claim.
  const operations = await changeCommands.read(tx, [change.id])
  if (operations.some(({ state }) => state === 'pending')) throw undecided(name)
  return { change, operations, isMine: false }
}

function outcomeOf(name: string, progress: Progress): 'done' | 'pending' {
  if (progress.end === 'refused')
    throw new Refusal(progress.failure.code, progress.failure.message, { details: progress.failure.details ?? [] })
  if (progress.end === 'dropped')
    throw unavailable('The registry is not responding. Nothing was changed. Try again in a minute.')
  if (progress.end === 'later')
    throw unavailable(
      `The registry did not respond, so the outcome is unknown. We are checking it and continue automatically. Read ${name} again in a minute.`,
    )
  return progress.end
}

function unavailable(message: string): Refusal {
  return new Refusal('registry_unavailable', message, { headers: { 'retry-after': '60' } })
}

function conflict(message: string, retryAfterS: number): Refusal {
  return new Refusal('conflict', message, { headers: { 'retry-after': `${retryAfterS}` } })
}

function undecided(name: string): Refusal {
  return conflict(`The last change of ${name} is waiting for the registry. This can take a few days.`, 3_600)
}
