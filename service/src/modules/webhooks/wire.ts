import { displayText, maskedValue, type WireDelivery, type WireEndpoint } from '@zonewright/contract'
import type { EventSubject } from '#modules/events/index.ts'
import type { Delivery, Retry } from './delivery-store.ts'
import { maxAttempts } from './rules.ts'
import type { Endpoint } from './store.ts'

export function endpointToWire(endpoint: Endpoint): WireEndpoint {
  return {
    id: endpoint.id,
    url: displayText(endpoint.url),
    events: endpoint.events && [...endpoint.events],
    zones: endpoint.zones && [...endpoint.zones],
    headers: endpoint.headerNames.map((name) => ({ name, value: maskedValue })),
    description: displayText(endpoint.description),
    state: endpoint.state,
    disabled_at: endpoint.disabledAt?.toISOString() ?? null,
    disabled_reason: endpoint.disabledReason,
    status: endpoint.status,
    last_delivery: endpoint.lastDelivery,
    last_status: endpoint.lastStatus,
    retry: retryToWire(endpoint.retry),
    created_at: endpoint.createdAt.toISOString(),
  }
}

/** @param subject the subject of its event; undefined: neither a zone nor an order, or the event no longer exists */
export function deliveryToWire(delivery: Delivery, subject: EventSubject | undefined): WireDelivery {
  return {
    id: delivery.id,
    event_id: delivery.eventId,
    event_type: delivery.eventType,
    zone: subject?.zone ?? null,
    order: subject?.order ?? null,
    test: delivery.isTest,
    status: delivery.status,
    last_status: delivery.lastStatus,
    failure: delivery.lastFailure,
    failure_detail: delivery.lastFailureDetail,
    attempts: delivery.requests,
    attempt_count: delivery.requests,
    next_attempt_at: delivery.nextAttemptAt?.toISOString() ?? null,
    retry: retryToWire(delivery.retry),
    created_at: delivery.createdAt.toISOString(),
    finished_at: delivery.finishedAt?.toISOString() ?? null,
  }
}

function retryToWire(retry: Retry | null): WireDelivery['retry'] {
  return retry && { attempt: retry.attempt, of: maxAttempts, at: new Date(retry.at).toISOString() }
}
