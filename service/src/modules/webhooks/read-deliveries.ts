import type { WireDelivery } from '@zonewright/contract'
import { eventSubjects, maxLookedAt, retentionDays } from '#modules/events/index.ts'
import type { Db } from '#platform/postgres/index.ts'
import { type Delivery, type DeliveryFilter, findDeliveries, findFirstOfLatest } from './delivery-store.ts'
import { deliveryToWire } from './wire.ts'

/** Deliveries whose events a filtered page reads. */
const maxEventsLookedAt = 5_000

/**
 * An endpoint's deliveries of the last 30 days, latest event first: at most `limit`. With a filter by status or type, a page
 * ends after searching 20,000 deliveries, however few match; with one by zone or text, after 5,000. `next`: the event before which the next page
 * begins.
 */
export async function listDeliveries(
  db: Db,
  endpointId: string,
  { limit, ...wanted }: Omit<DeliveryFilter, 'days' | 'from' | 'max'> & { limit: number },
): Promise<{ deliveries: readonly Delivery[]; next: string | null }> {
  const filter = { ...wanted, days: retentionDays }
  const isInEvent = filter.zone !== null || filter.text !== null
  const isNarrow = isInEvent || filter.status !== null || filter.type !== null
  const most = isInEvent ? maxEventsLookedAt : maxLookedAt
  const from = isNarrow ? await findFirstOfLatest(db, endpointId, filter, most) : null
  const found = await findDeliveries(db, endpointId, { ...filter, from, max: limit + 1 })
  const deliveries = found.slice(0, limit)
  return { deliveries, next: found.length > limit ? (deliveries.at(-1)?.eventId ?? null) : from }
}

/** Deliveries as the API shows them, each with the zone or the order of its event. */
export async function withSubjects(db: Db, deliveries: readonly Delivery[]): Promise<WireDelivery[]> {
  const subjects = await eventSubjects(
    db,
    deliveries.map(({ eventId }) => eventId),
  )
  return deliveries.map((delivery) => deliveryToWire(delivery, subjects.get(delivery.eventId)))
}
