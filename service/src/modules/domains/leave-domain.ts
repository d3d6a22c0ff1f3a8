import { recordAudit } from '#modules/audit/index.ts'
import { hurryCheck } from '#modules/delegation/index.ts'
import type { Actor } from '#platform/caller.ts'
import type { Tx } from '#platform/postgres/index.ts'
import { endChange, takeChange } from './change-store.ts'
import { domainSharing } from './share-domain.ts'
import { type Domain, markGone } from './store.ts'

const summaries = {
  transferred: (name: string) => `${name} is with another registrar now; its zone stays`,
  deleted: (name: string) => `${name} was deleted by its registry; its zone stays`,
} as const

/**
 * A domain is not with us any more. Its zone stays: its records are the account's, and its delegation, which is checked soon, tells
 * whether anybody asks for them. Who registers the name here takes it over.
 *
 * A change of it that is under way ends with it: the name may be another domain here tomorrow. The domain is locked.
 */
export async function leave(tx: Tx, actor: Actor, domain: Domain, why: keyof typeof summaries): Promise<void> {
  const { id, name, accountId } = domain
  const change = await takeChange(tx, id)
  if (change !== undefined)
    await endChange(tx, change, change.kind === 'approve_transfer' && why === 'transferred' ? 'done' : 'refused')
  await domainSharing.store.removeAll(tx, id)
  await markGone(tx, name, why)
  await hurryCheck(tx, name)
  await recordAudit(tx, { accountId, actor, action: `domain.${why}`, domain: name, summary: summaries[why](name) })
}
