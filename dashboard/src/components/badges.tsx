import { Badge, Tooltip } from '@mantine/core'
import type { DomainStatus } from '@zonewright/contract'
import type { Answer, Item } from '../api/client.ts'
import { BadgeLink } from '../ui/links.tsx'
import { paths } from '../util/paths.ts'

type ZoneItem = Item<'listZones'>
type DelegationState = Answer<'getDelegation'>['state']

const delegations: Readonly<Record<DelegationState, { label: string; color: string; says: string }>> = {
  live: { label: 'Delegated', color: 'green', says: 'All nameservers of the domain are ours.' },
  partial: { label: 'Partly delegated', color: 'orange', says: 'Only some nameservers of the domain are ours.' },
  waiting: { label: 'Not delegated yet', color: 'gray', says: 'The domain’s nameservers do not point here yet.' },
  lost: { label: 'Delegation lost', color: 'red', says: 'The domain’s nameservers no longer point here.' },
  missing: { label: 'Not registered', color: 'red', says: 'The parent has no such domain.' },
}

/**
 * Where the domain's nameservers point, in two words. `zone`: the badge links to what must be done there, or to the delegation on the health page.
 */
export function DelegationBadge({ state, zone }: { state: DelegationState; zone?: string }) {
  const { label, color, says } = delegations[state]
  const look = `badge-${color}`
  return (
    <Tooltip label={says}>
      {zone === undefined ? (
        <Badge className={look}>{label}</Badge>
      ) : (
        <BadgeLink className={look} {...(state === 'live' ? paths.health(zone) : paths.setupStep(zone, 'nameservers'))}>
          {label}
        </BadgeLink>
      )}
    </Tooltip>
  )
}

export function delegationSentence(state: DelegationState): string {
  return delegations[state].says
}

/** Whether a zone is published. `address`: if control must be proven, the badge links to the zone's page, which shows how. */
export function ZoneStateBadge({
  zone,
  address,
}: {
  zone: Pick<ZoneItem, 'state' | 'verification'>
  address?: string
}) {
  const isContested = typeof zone.verification?.contest_ends_at === 'string'
  if (zone.state === 'live' && !isContested) return <Badge className="badge-green">Live</Badge>
  const label = isContested ? 'Contested' : 'To verify'
  if (address === undefined) return <Badge className="badge-orange">{label}</Badge>
  return (
    <BadgeLink className="badge-orange" {...paths.zone(address)}>
      {label}
    </BadgeLink>
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

/** The statuses of domains as values of a filter. */
export const domainStatusOptions = Object.entries(domainStatuses).map(([value, { label }]) => ({ value, label }))

/** The status of a domain at its registry. */
export function DomainStatusBadge({ status }: { status: DomainStatus }) {
  const { label, color } = domainStatuses[status]
  return <Badge className={`badge-${color}`}>{label}</Badge>
}
