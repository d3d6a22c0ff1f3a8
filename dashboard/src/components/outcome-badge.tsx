import { Badge } from '@mantine/core'
import { useEffect, useState } from 'react'
import type { Item } from '../api/client.ts'
import { type DeliveryStanding, deliveryWords } from '../util/delivery-words.ts'

type Endpoint = Item<'listWebhooks'>

/** How a delivery stands. */
export function OutcomeBadge({ of }: { of: DeliveryStanding }) {
  const { label, look } = deliveryWords(of, useNow(of.retry !== null))
  return <Badge className={look}>{label}</Badge>
}

const tickMs = 5_000

/** The current time, updated while it is shown. */
function useNow(isShown: boolean): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    if (!isShown) return
    setNow(Date.now())
    const ticking = setInterval(() => setNow(Date.now()), tickMs)
    return () => clearInterval(ticking)
  }, [isShown])
  return now
}

/** Says that an endpoint is disabled: because its owner paused it, or because its deliveries failed. */
export function DisabledBadge({ of: { disabled_reason: reason } }: { of: Pick<Endpoint, 'disabled_reason'> }) {
  return reason === 'paused' ? (
    <Badge className="badge-gray">Paused</Badge>
  ) : (
    <Badge className="badge-red">Disabled</Badge>
  )
}
