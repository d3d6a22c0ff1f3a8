import type { Actor } from '#platform/caller.ts'
import { sql, type Tx } from '#platform/postgres/index.ts'
import { lockOfNew } from './default-lock.ts'
import { domainSharing } from './share-domain.ts'
import {
  auditDomain,
  type Domain,
  insertDomain,
  lockDomain,
  markGone,
  markHeld,
  type NewDomain,
  noteFacts,
} from './store.ts'
import { syncWaits } from './sync-rules.ts'

/**
 * Creates the live zone of a domain that an account has bought, and takes it over from an account that hosted it here. Returns its id.
 *
 * The account is locked. `compose` passes this in.
 */
export type GiveZone = (tx: Tx, actor: Actor, accountId: string, name: string) => Promise<void>

/** Records that a domain was registered: the account gets the domain and its live zone, and the default lock is stored. */
export async function addRegistered(
  tx: Tx,
  giveZone: GiveZone,
  actor: Actor,
  domain: Omit<NewDomain, 'state'>,
): Promise<Domain> {
  const [added] = await Promise.all([
    insertDomain(tx, { ...domain, state: 'held' }, lockOfNew(actor)),
    giveZone(tx, actor, domain.accountId, domain.name),
  ])
  await auditDomain(tx, actor, domain, 'registered', `${domain.name} was registered`)
  return added
}

/** Records that a transfer to us has started. */
export async function addArriving(tx: Tx, actor: Actor, domain: Omit<NewDomain, 'state'>): Promise<void> {
  await insertDomain(tx, { ...domain, state: 'arriving' })
  await auditDomain(tx, actor, domain, 'transfer_begun', `The transfer of ${domain.name} to this service has started`)
}

/**
 * Records that a transfer to us is complete: the account gets the domain and its live zone, and the default lock is stored. `isByHand`: an
 * operator reported it. The registry's data may then be outdated, so the domain is checked only at the daily check.
 */
export async function arrive(
  tx: Tx,
  giveZone: GiveZone,
  actor: Actor,
  domain: { readonly accountId: string; readonly name: string; readonly expiresAt: Date | null },
  isByHand: boolean,
): Promise<void> {
  const arriving = await lockDomain(tx, domain.name)
  if (arriving?.state !== 'arriving') return
  if (domain.expiresAt !== null) await noteFacts(tx, domain.name, { expiresAt: domain.expiresAt })
  // This comes last: storing facts defers the next check by a day, and the nameservers are not known yet.
  await markHeld(tx, domain.name, isByHand ? syncWaits.daily : 0)
  await giveZone(tx, actor, domain.accountId, domain.name)
  await auditDomain(tx, actor, domain, 'transferred_in', `${domain.name} was transferred to this service`)
  await sql`with d as (select ${arriving.id}::bigint as id) ${lockOfNew(actor)}`.execute(tx)
}

/** Records that a transfer to us failed. */
export async function dropArriving(tx: Tx, actor: Actor, domain: { accountId: string; name: string }): Promise<void> {
  const arriving = await lockDomain(tx, domain.name)
  if (arriving?.state !== 'arriving') return
  await domainSharing.store.removeAll(tx, arriving.id)
  await markGone(tx, domain.name, 'rejected')
  await auditDomain(tx, actor, domain, 'transfer_ended', `The transfer of ${domain.name} to this service was rejected`)
}

/**
 * Records that a domain was renewed until this time. If the registry reported no expiry, the domain is assumed to last for the paid years, so
 * that no one renews it from the old expiry again.
 */
export async function noteRenewal(
  tx: Tx,
  actor: Actor,
  domain: { accountId: string; name: string; expiresAt: Date | null; reckoned: Date | null },
): Promise<void> {
  const expiresAt = domain.expiresAt ?? domain.reckoned
  if (expiresAt !== null) await noteFacts(tx, domain.name, { expiresAt })
  const until = domain.expiresAt === null ? '' : ` until ${domain.expiresAt.toISOString().slice(0, 10)}`
  await auditDomain(tx, actor, domain, 'renewed', `${domain.name} was renewed${until}`)
}
