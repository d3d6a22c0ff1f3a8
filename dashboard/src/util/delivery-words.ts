import type { EventType, WireDelivery } from '@zonewright/contract'
import { inWords } from './time.ts'

/** The state of a delivery, or of the latest delivery of an endpoint. */
export type DeliveryStanding = Pick<WireDelivery, 'status' | 'retry'>

const ended = {
  succeeded: { label: 'Delivered', look: 'badge-green' },
  failed: { label: 'Failed', look: 'badge-red' },
  skipped: { label: 'Skipped', look: 'badge-gray' },
} as const

/** The state of a delivery in words, and the color of the words. */
export function deliveryWords({ status, retry }: DeliveryStanding, now = Date.now()): { label: string; look: string } {
  if (status !== 'pending') return ended[status]
  if (retry === null) return { label: 'Waiting', look: 'badge-gray' }
  // A time that has just passed is not "just now": the attempt is still to come.
  const when = Date.parse(retry.at) <= now ? 'now' : inWords(retry.at, now)
  return { label: `Failing: retry ${retry.attempt} of ${retry.of} ${when}`, look: 'badge-red' }
}

/** The filters of the deliveries, by the value that the API takes. */
export const deliveryFilters = [
  { value: 'failing', label: 'Failed or failing' },
  { value: 'pending', label: 'Waiting or failing' },
  { value: 'succeeded', label: 'Delivered' },
  { value: 'skipped', label: 'Skipped' },
] as const

export type DeliveryFilter = (typeof deliveryFilters)[number]['value']

/** What narrows the list of deliveries, in the form that the API takes. */
export interface DeliveryFilters {
  readonly status?: DeliveryFilter
  readonly type?: EventType
  readonly zone?: string
  readonly q?: string
}

/** The filters that the address of a page names. A text of one character is not a filter yet. */
export function deliveryFiltersOf({
  status,
  type,
  zone,
  q,
}: {
  status?: string
  type?: string
  zone?: string
  q?: string
}): DeliveryFilters {
  const outcome = deliveryFilterOf(status)
  const text = q?.trim() ?? ''
  return {
    ...(outcome && { status: outcome }),
    ...(type && { type: type as EventType }),
    ...(zone && { zone }),
    ...(text.length > 1 && { q: text }),
  }
}

/** The filter that the address of a page names. Addresses from before `failing` say `failed`. */
export function deliveryFilterOf(text: string | undefined): DeliveryFilter | undefined {
  if (text === 'failed') return 'failing'
  return deliveryFilters.find(({ value }) => value === text)?.value
}
