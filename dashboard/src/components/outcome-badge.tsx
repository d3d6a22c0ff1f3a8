import { Badge } from '@mantine/core'
import type { Item } from '../api/client.ts'

type Outcome = NonNullable<Item<'listWebhooks'>['status']>

const outcomes: Readonly<Record<Outcome, { label: string; look: string }>> = {
  succeeded: { label: 'Delivered', look: 'badge-green' },
  pending: { label: 'On its way', look: 'badge-gray' },
  failed: { label: 'Failed', look: 'badge-red' },
  skipped: { label: 'Skipped', look: 'badge-gray' },
}

/** What has become of a delivery. */
export function OutcomeBadge({ status }: { status: Outcome }) {
  const { label, look } = outcomes[status]
  return <Badge className={look}>{label}</Badge>
}
