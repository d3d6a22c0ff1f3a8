import type { UseCode } from '#modules/accounts/index.ts'
import { changeCommands } from '#modules/registry-commands/index.ts'
import { Refusal } from '#platform/errors.ts'
import type { Tx } from '#platform/postgres/index.ts'
import { workLeaseS } from '#ports/registry.ts'
import { advanceChange, type ChangeWork } from './advance-change.ts'
import { claimChange, insertChange } from './change-store.ts'
import type { Change, Progress } from './domain-change.ts'
import { noSuchDomain } from './seen-domain.ts'
import { lockDomain } from './store.ts'

/** A change that somebody requests. */
export interface NewChange extends Pick<Change, 'name' | 'actor' | 'wish'> {
  /** A secret for the registry. The database stores it only sealed. */
  readonly secret?: string
  /** Uses up a two-factor code in the transaction that stores the change. */
  readonly permit?: UseCode
}

/**
 * Changes a domain at its registry. Returns `done`, or `pending` if the registry decides later.
 *
 * A domain has one change at a time. If an earlier change was interrupted, it is completed first. Throws `conflict` while another change is
 * in progress, `registry_unavailable` if the registry cannot be reached, and the failure of the change if the registry refuses it.
 */
export async function startChange(work: ChangeWork, wanted: NewChange): Promise<'done' | 'pending'> {
  for (;;) {
    const { change, isMine } = await work.database.transact((tx) => begin(tx, work, wanted))
    const progress = await advanceChange(work, change)
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
): Promise<{ readonly change: Change; readonly isMine: boolean }> {
  const domain = await lockDomain(tx, name)
  if (domain === undefined) throw noSuchDomain()
  if (domain.state !== 'held')
    throw new Refusal('conflict', `The transfer of ${name} to us is not complete yet. Try again when it is.`)
  const sealed = secret === undefined ? null : secrets.seal('domain_acts.secret', domain.id, secret)
  const stored = await insertChange(tx, { domainId: domain.id, wish, secret: sealed, actor }, workLeaseS)
  if (stored !== undefined) {
    await permit?.(tx)
    return { change: stored, isMine: true }
  }
  const change = await claimChange(tx, domain.id)
  if (change === undefined) throw conflict(`Another change of ${name} is in progress. Try again in a few seconds.`, 3)
  // The rollback returns the claim.
  if ((await changeCommands.read(tx, [change.id])).some(({ state }) => state === 'pending')) throw undecided(name)
  return { change, isMine: false }
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
