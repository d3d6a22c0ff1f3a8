import { Badge } from '@mantine/core'
import type { Item } from '../api/client.ts'

type Endpoint = Item<'listWebhooks'>
type Outcome = NonNullable<Endpoint['status']>

const outcomes: Readonly<Record<Outcome, { label: string; look: string }>> = {
  succeeded: { label: 'Delivered', look: 'badge-green' },
  pending: { label: 'On its way', look: 'badge-gray' },
  failed: { label: 'Failed', look: 'badge-red' },
  skipped: { label: 'Skipped', look: 'badge-gray' },
}

/** The outcome of a delivery. */
export function OutcomeBadge({ status }: { status: Outcome }) {
  const { label, look } = outcomes[status]
  return <Badge className={look}>{label}</Badge>
}

/** Says that an endpoint is disabled: because its owner paused it, or because its deliveries failed. */
export function DisabledBadge({ of: { disabled_reason: reason } }: { of: Pick<Endpoint, 'disabled_reason'> }) {
  return reason === 'paused' ? (
    <Badge className="badge-gray">Paused</Badge>
  ) : (
    <Badge className="badge-red">Disabled</Badge>
  )
}
