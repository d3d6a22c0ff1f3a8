import { Badge, Tooltip } from '@mantine/core'
import type { DomainStatus } from '@zonewright/contract'
import type { Answer, Item } from '../api/client.ts'

type ZoneItem = Item<'listZones'>
type DelegationState = Answer<'getDelegation'>['state']

const delegations: Readonly<Record<DelegationState, { label: string; color: string; says: string }>> = {
  live: { label: 'Delegated', color: 'green', says: 'The domain’s nameservers are ours, all of them.' },
  partial: { label: 'Partly delegated', color: 'orange', says: 'The domain points here only in part.' },
  waiting: { label: 'Not delegated yet', color: 'gray', says: 'The domain’s nameservers do not point here yet.' },
  lost: { label: 'Delegation lost', color: 'red', says: 'The domain’s nameservers no longer point here.' },
  missing: { label: 'Not registered', color: 'red', says: 'The parent has no such domain.' },
}

/** Where the domain's nameservers point, in two words. */
export function DelegationBadge({ state }: { state: DelegationState }) {
  const { label, color, says } = delegations[state]
  return (
    <Tooltip label={says}>
      <Badge className={`badge-${color}`}>{label}</Badge>
    </Tooltip>
  )
}

export function delegationSentence(state: DelegationState): string {
  return delegations[state].says
}

/** Whether a zone is published. */
export function ZoneStateBadge({ zone }: { zone: Pick<ZoneItem, 'state' | 'verification'> }) {
  if (zone.verification?.contest_ends_at) return <Badge className="badge-orange">Contested</Badge>
  return zone.state === 'live' ? (
    <Badge className="badge-green">Live</Badge>
  ) : (
    <Badge className="badge-orange">To verify</Badge>
  )
}

const domainStatuses: Readonly<Record<DomainStatus, { label: string; color: string }>> = {
  transferring_in: { label: 'Arriving', color: 'orange' },
  active: { label: 'Active', color: 'green' },
  on_hold: { label: 'On hold', color: 'red' },
  expired: { label: 'Expired', color: 'red' },
  redemption: { label: 'Deleted, can be restored', color: 'red' },
  deleting: { label: 'Being deleted', color: 'red' },
  transferring_out: { label: 'Leaving', color: 'orange' },
}

/** The status of a domain at its registry. */
export function DomainStatusBadge({ status }: { status: DomainStatus }) {
  const { label, color } = domainStatuses[status]
  return <Badge className={`badge-${color}`}>{label}</Badge>
}
