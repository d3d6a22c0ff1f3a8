import { domainToUnicode } from 'node:url'
import { type DomainStatus, displayData, type WireDomain, type WireDomainChange } from '@zonewright/contract'
import { type Caller, holds } from '#platform/caller.ts'
import type { SeenDomain } from './seen-domain.ts'
import type { Domain } from './store.ts'

/** The facts that decide the status of a domain. */
type Standing = Pick<Domain, 'state' | 'statuses' | 'graceStatuses' | 'transferOut' | 'isExpired'>

/** The status of a domain in one word: what its registry last reported (RFC 5731 §2.3, RFC 3915 §3.1). */
export function statusOf({ state, statuses, graceStatuses, transferOut, isExpired }: Standing): DomainStatus {
  if (state === 'arriving') return 'transferring_in'
  if (transferOut !== null) return 'transferring_out'
  if (graceStatuses.some((grace) => grace === 'redemptionPeriod' || grace === 'pendingRestore')) return 'redemption'
  if (statuses.includes('pendingDelete')) return 'deleting'
  if (isExpired) return 'expired'
  return statuses.some((status) => status === 'serverHold' || status === 'clientHold') ? 'on_hold' : 'active'
}

/** Whether the domain cannot be transferred away. Owners mean this by a lock. */
export function isLocked({ statuses }: Pick<Domain, 'statuses'>): boolean {
  return statuses.includes('clientTransferProhibited')
}

/** The status for a person: what it means, and what the person can do. */
function messageOf(domain: SeenDomain): string {
  const { expiresAt, transferOut } = domain
  const until = expiresAt === null ? '' : ` on ${dayOf(expiresAt)}`
  switch (statusOf(domain)) {
    case 'transferring_in':
      return 'The transfer to us is in progress. The current registrar has a few days to object.'
    case 'active':
      return expiresAt === null ? 'The domain is active.' : `The domain is active. It expires${until}.`
    case 'on_hold':
      return 'The registry has removed the domain from the DNS. Contact support to find out why.'
    case 'expired':
      return `The domain expired${until} and no longer resolves. Renew it now: the usual price still applies.`
    case 'redemption':
      return 'The domain was not renewed in time. For a few weeks it can be restored for a fee. Contact support.'
    case 'deleting':
      return 'The registry deletes the domain within days. It cannot be restored. After that, anyone can register it.'
    case 'transferring_out':
      return `The registrar ${transferOut?.requestedBy} has requested a transfer of the domain. Reject it if you do not want it. If you do not answer by ${transferOut?.actBy.slice(0, 10)}, most registries approve the transfer automatically.`
  }
}

/** A domain as the API shows it. Managers do not see its registrant. */
export function domainToWire(domain: SeenDomain): WireDomain {
  return {
    id: domain.publicId,
    name: domain.name,
    unicode_name: domainToUnicode(domain.name),
    zone_id: domain.zoneId,
    status: statusOf(domain),
    status_message: messageOf(domain),
    expires_at: domain.expiresAt?.toISOString() ?? null,
    locked: isLocked(domain),
    auto_renew: domain.autoRenew,
    dnssec: { parent_ds: domain.hasDs },
    nameservers: [...domain.nameservers],
    contacts: { registrant: domain.role === 'owner' ? registrantOf(domain) : null },
    role: domain.role,
    transfer_out: domain.transferOut && {
      requested_by: domain.transferOut.requestedBy,
      requested_at: domain.transferOut.requestedAt,
      act_by: domain.transferOut.actBy,
    },
    change: domain.change && { kind: domain.change.kind, since: new Date(domain.change.since).toISOString() },
    created_at: domain.createdAt.toISOString(),
    checked_at: domain.factsAt?.toISOString() ?? null,
  }
}

/** The member of a domain that a call changes. A caller without `domains:read` sees only this one. */
export type Changed = 'nameservers' | 'locked' | 'auto_renew'

/** A domain in the response to a call that changes it. `isPending`: the registry has not decided yet. */
export function changedDomainToWire(
  caller: Caller,
  domain: SeenDomain,
  changed: Changed,
  isPending: boolean,
): WireDomain | WireDomainChange {
  const whole = domainToWire(domain)
  if (holds(caller, 'domains:read')) return whole
  // A pending change has no new value yet, and this caller cannot read the old value.
  return { name: whole.name, ...(isPending ? { change: whole.change } : { [changed]: whole[changed] }) }
}

function registrantOf({ contact }: Domain): WireDomain['contacts']['registrant'] {
  if (contact === null) return null
  const { postalCode, extra, ...rest } = contact
  const { name, organization, email, phone, address1, address2, city, state, country } = rest
  return displayData({
    ...{ name, organization, email, phone, address1, address2, city, state },
    postal_code: postalCode,
    country,
    extra,
  })
}

function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10)
}
