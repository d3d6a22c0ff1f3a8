import { Badge } from '@mantine/core'
import { useEffect, useState } from 'react'
import type { Item } from '../api/client.ts'
import { BadgeLink } from '../ui/links.tsx'
import { type DeliveryStanding, deliveryWords } from '../util/delivery-words.ts'
import type { paths } from '../util/paths.ts'

type Endpoint = Item<'listWebhooks'>

/** The state of a delivery. With `to`, the badge leads to the delivery. */
export function OutcomeBadge({ of, to }: { of: DeliveryStanding; to?: ReturnType<typeof paths.delivery> }) {
  const { label, look } = deliveryWords(of, useNow(of.retry !== null))
  if (to)
    return (
      <BadgeLink {...to} className={look}>
        {label}
      </BadgeLink>
    )
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

/** Whether an endpoint is on, and if not, whether its owner paused it or its deliveries failed. */
export function EndpointBadge({
  of: { state, disabled_reason: reason },
}: {
  of: Pick<Endpoint, 'state' | 'disabled_reason'>
}) {
  if (state === 'enabled') return <Badge className="badge-green">On</Badge>
  return reason === 'paused' ? (
    <Badge className="badge-gray">Paused</Badge>
  ) : (
    <Badge className="badge-red">Disabled</Badge>
  )
}
