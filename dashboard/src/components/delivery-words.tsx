import { Badge } from '@mantine/core'
import type { Item } from '../api/client.ts'
import { shownName } from '../util/shown-name.ts'

type Delivery = Item<'listDeliveries'>

/** The domain name of the zone or order; empty for other events. */
export function nameOf({ zone, order }: Pick<Delivery, 'zone' | 'order'>): string {
  return shownName(zone?.name ?? order?.name ?? '')
}

export function TestBadge() {
  return <Badge className="badge-orange">Test</Badge>
}

/** For old attempts, for which the service did not store a sentence. */
const failures = {
  refused_address: 'The address is not public.',
  dns: 'The name could not be resolved.',
  connect: 'There was no connection.',
  tls: 'There was no TLS, or the certificate was not accepted.',
  timeout: 'There was no response in time.',
  status: 'The status was not 2xx.',
  redirect: 'The response was a redirect, which is not followed.',
  too_large: 'The response was too large.',
} as const

/** Why a delivery or an attempt failed. */
export function failureSentence({
  failure,
  failure_detail: detail,
}: Pick<Delivery, 'failure' | 'failure_detail'>): string {
  return detail ?? (failure === null ? '' : failures[failure])
}
