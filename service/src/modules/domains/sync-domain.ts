import { tellAccount } from '#modules/accounts/index.ts'
import { hurryCheck } from '#modules/delegation/index.ts'
import { domainGone, domainInRedemption, transferRequested } from '#modules/mail/index.ts'
import { actorNamed } from '#platform/caller.ts'
import type { Tx } from '#platform/postgres/index.ts'
import { sameId } from '#ports/registry.ts'
import type { ChangeWork } from './domain-change.ts'
import { leave } from './leave-domain.ts'
import {
  auditDomain,
  type Domain,
  lockDomain,
  noteFacts,
  noteMissing,
  noteRegistrant,
  noteThere,
  noteTransferOut,
  syncLater,
} from './store.ts'
import { judgeSync, type SyncVerdict, syncWaits } from './sync-rules.ts'

/** What domain checks need from outside their module. */
export interface SyncWork extends ChangeWork {
  /** The address of the dashboard, for emails. */
  readonly site: string
}

/** The actor in audit entries about events at a registry. */
export const registryActor = actorNamed('system', 'registry')

/**
 * Queries the registry about a domain, and stores the result: expiry, statuses, nameservers, a transfer that someone requested, and whether the
 * domain is still with us. Repeating this changes nothing and notifies no one twice.
 */
export async function syncDomain(work: SyncWork, domain: Domain): Promise<void> {
  const registry = work.registries.registryOf(domain.name)
  if (registry === undefined) {
    work.log.error({ domain: domain.name }, 'no registry is configured for a domain')
    return work.database.transact((tx) => syncLater(tx, domain.id, syncWaits.daily))
  }
  const info = await registry.domains.info(domain.name)
  const isMoving = info.kind === 'done' && info.value.statuses.includes('pendingTransfer')
  const transfer = isMoving ? await registry.domains.queryTransfer(domain.name) : undefined
  const verdict = judgeSync(info, transfer, registry.registrarId, domain.missingForS)
  if (verdict.kind === 'unseen' && verdict.alert !== undefined)
    work.log.error({ domain: domain.name, alert: verdict.alert }, 'a registry did not answer about a domain')
  if (verdict.kind === 'missing')
    work.log.warn(
      { domain: domain.name, reply: 'reply' in info ? info.reply : null },
      'a registry does not know a domain of ours; it is asked again before the domain is considered gone',
    )
  await work.database.transact((tx) => settle(tx, work, domain, verdict))
}

async function settle(tx: Tx, work: SyncWork, before: Domain, verdict: SyncVerdict): Promise<void> {
  const domain = await lockDomain(tx, before.name)
  if (domain?.id !== before.id || domain.state !== 'held') return
  // The domain was checked or changed in the meantime, so this result may be older.
  if (domain.factsAt?.getTime() !== before.factsAt?.getTime()) return syncLater(tx, domain.id, syncWaits.justChanged)
  if (verdict.kind === 'missing') await noteMissing(tx, domain.id)
  if (verdict.kind === 'unseen' && verdict.isThere) await noteThere(tx, domain.id)
  if (verdict.kind === 'missing' || verdict.kind === 'unseen') return syncLater(tx, domain.id, verdict.afterS)
  if (verdict.kind === 'gone') {
    await leave(tx, registryActor, domain, verdict.why)
    const { name, accountId } = domain
    await tellAccount(tx, work, accountId, domainGone({ site: work.site, domain: name, why: verdict.why }))
    return
  }
  await keep(tx, work, domain, verdict)
}

async function keep(
  tx: Tx,
  work: SyncWork,
  domain: Domain,
  { info, transferOut }: Extract<SyncVerdict, { kind: 'here' }>,
): Promise<void> {
  const { name, accountId } = domain
  await noteFacts(tx, name, info)
  await noteTransferOut(tx, name, transferOut)
  if (info.nameservers.join() !== domain.nameservers.toSorted().join()) {
    await hurryCheck(tx, name)
    // The first check of a domain that arrived by transfer reads its data.
    if (domain.nameservers.length > 0)
      await note(
        tx,
        domain,
        'nameservers_found',
        `The nameservers of ${name} at the registry have changed: ${info.nameservers.join(', ')}`,
      )
  }
  const { registrant } = info
  if (registrant !== null && domain.registrantId !== null && !sameId(registrant, domain.registrantId)) {
    // The registrant is unknown, but it is no longer the one that we stored.
    await noteRegistrant(tx, name, registrant, null)
    await note(tx, domain, 'contacts_found', `The registrant of ${name} at the registry has changed`)
  }
  if (isInRedemption(info) && !isInRedemption(domain)) {
    await note(
      tx,
      domain,
      'redemption_begun',
      `${name} was not renewed in time; the registry restores it only for a fee`,
    )
    await tellAccount(tx, work, accountId, domainInRedemption({ site: work.site, domain: name }))
  }
  if (transferOut === null || transferOut.requestedAt === domain.transferOut?.requestedAt) return
  const { requestedBy, actBy } = transferOut
  await note(tx, domain, 'transfer_requested', `The registrar ${requestedBy} requested a transfer of ${name}`)
  const about = { site: work.site, domain: name, by: requestedBy, actBy: new Date(actBy) }
  await tellAccount(tx, work, accountId, transferRequested(about))
}

function isInRedemption({ graceStatuses }: Pick<Domain, 'graceStatuses'>): boolean {
  return graceStatuses.includes('redemptionPeriod')
}

function note(tx: Tx, domain: Domain, done: string, summary: string): Promise<void> {
  return auditDomain(tx, registryActor, domain, done, summary)
}
