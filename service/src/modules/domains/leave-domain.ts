import { hurryCheck } from '#modules/delegation/index.ts'
import type { Actor } from '#platform/caller.ts'
import type { Tx } from '#platform/postgres/index.ts'
import { endChange, takeChange } from './change-store.ts'
import { domainSharing } from './share-domain.ts'
import { auditDomain, type Domain, markGone } from './store.ts'

const summaries = {
  transferred: (name: string) => `${name} is with another registrar now; its zone stays`,
  deleted: (name: string) => `${name} was deleted by its registry; its zone stays`,
} as const

/**
 * Records that a domain is no longer with us. Its zone stays, because the records belong to the account. The next check of its delegation shows
 * whether it is still used. If another account registers the name here, it takes the zone over.
 *
 * A change in progress ends with the domain, because the name may belong to another domain here tomorrow. The domain is locked.
 */
export async function leave(tx: Tx, actor: Actor, domain: Domain, why: keyof typeof summaries): Promise<void> {
  const { id, name } = domain
  const change = await takeChange(tx, id)
  if (change !== undefined)
    await endChange(tx, change, change.kind === 'approve_transfer' && why === 'transferred' ? 'done' : 'refused')
  await domainSharing.store.removeAll(tx, id)
  await markGone(tx, name, why)
  await hurryCheck(tx, name)
  await auditDomain(tx, actor, domain, why, summaries[why](name))
}
