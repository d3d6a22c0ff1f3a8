import { z } from 'zod'
import { chosenText } from './display-text.ts'
import { eventSchema, eventTypes } from './event-types.ts'
import { instantText } from './instant.ts'
import { pageOf, pageQuery } from './paging.ts'
import { route } from './route.ts'

/** The status of a delivery. */
const outcome = z.enum(['pending', 'succeeded', 'failed', 'skipped'])

export const endpointSchema = z
  .object({
    id: z.string(),
    url: z.string(),
    events: z
      .array(z.string())
      .nullable()
      .meta({ description: 'Event types and groups. Null for every event, including future types.' }),
    description: z.string(),
    state: z.enum(['enabled', 'disabled']),
    disabled_at: z.string().nullable(),
    disabled_reason: z.string().nullable().meta({
      description:
        '`paused` if the owner paused the endpoint. Otherwise a sentence that says why the service disabled it.',
    }),
    status: outcome
      .nullable()
      .meta({ description: 'The outcome of the latest delivery, including tests. Null before the first delivery.' }),
    last_status: z.int().nullable().meta({ description: 'The HTTP status of the receiver’s latest response.' }),
    created_at: z.string(),
  })
  .meta({ id: 'WebhookEndpoint' })

export type WireEndpoint = z.infer<typeof endpointSchema>

const failureWord = z
  .enum(['refused_address', 'dns', 'connect', 'tls', 'timeout', 'status', 'redirect', 'too_large'])
  .nullable()

const failureDetail = z.string().nullable()

export const deliverySchema = z
  .object({
    id: z.string(),
    event_id: z.string(),
    event_type: z.string(),
    zone: z
      .object({ id: z.string(), name: z.string() })
      .nullable()
      .meta({ description: 'The zone that the event is about, as it was at that time. Null for other events.' }),
    order: z
      .object({ id: z.string(), name: z.string() })
      .nullable()
      .meta({ description: 'The order that the event is about, with its domain name. Null for other events.' }),
    test: z.boolean().meta({ description: 'Whether the test call sent this delivery.' }),
    status: outcome.meta({ description: '`skipped` if the endpoint was disabled.' }),
    last_status: z
      .int()
      .nullable()
      .meta({ description: 'The HTTP status of the latest response. Null if there was none.' }),
    failure: failureWord.meta({
      description: 'Why the latest attempt failed. Null if it succeeded or if there was no attempt.',
    }),
    failure_detail: failureDetail.meta({
      description: '`failure` as one sentence, such as "The certificate expired on 2026-11-25."',
    }),
    attempts: z.int().meta({
      description: 'The same number as `attempt_count`. A single delivery has the list of attempts here instead.',
    }),
    attempt_count: z.int().meta({ description: 'The number of requests so far, including resends.' }),
    next_attempt_at: z.string().nullable(),
    created_at: z.string(),
    finished_at: z.string().nullable(),
  })
  .meta({ id: 'WebhookDelivery' })

export type WireDelivery = z.infer<typeof deliverySchema>

export const attemptSchema = z
  .object({
    number: z.int(),
    manual: z.boolean().meta({ description: 'Whether a resend or a recovery requested this attempt.' }),
    started_at: z.string(),
    duration_ms: z.int(),
    status: z.int().nullable().meta({ description: 'The HTTP status. Null if there was no response.' }),
    failure: failureWord.meta({ description: 'Null if the attempt succeeded.' }),
    failure_detail: failureDetail.meta({
      description:
        'The failure as one sentence, such as "The certificate is for other.example.org." Text from the receiver is escaped and shortened. Null if the attempt succeeded, and for attempts made before sentences were recorded.',
    }),
    resent: z.boolean().meta({
      description:
        'Whether the request was sent twice in this attempt, because the reused connection broke before a response arrived.',
    }),
    request_headers: z.record(z.string(), z.string()),
    response_headers: z
      .record(z.string(), z.union([z.string(), z.array(z.string())]))
      .nullable()
      .meta({ description: 'At most the first 16 KiB of the headers.' }),
    response_body: z.string().nullable().meta({ description: 'At most the first 16 KiB, as text.' }),
  })
  .meta({ id: 'WebhookAttempt' })

export type WireAttempt = z.infer<typeof attemptSchema>

const exactBodyIs = 'The exact body of the request, as text. The signature covers its UTF-8 bytes.'

const endpointParams = z.object({ id: z.string() })
const deliveryParams = z.object({ id: z.string(), delivery: z.string() })
const eventType = z.enum(Object.keys(eventTypes) as [keyof typeof eventTypes, ...(keyof typeof eventTypes)[]])
const url = chosenText.max(2_000).meta({ description: 'A public https:// URL.' })
const events = z.array(z.string()).min(1).max(50)
const description = chosenText.max(500)

export const webhookRoutes = {
  listWebhooks: route({
    id: 'listWebhooks',
    method: 'GET',
    path: '/webhooks',
    who: ['webhooks:manage'],
    summary: 'List the webhook endpoints of the account',
    query: z.strictObject(pageQuery),
    answers: { 200: pageOf(endpointSchema) },
  }),
  createWebhook: route({
    id: 'createWebhook',
    method: 'POST',
    path: '/webhooks',
    who: ['webhooks:manage'],
    summary: 'Create a webhook endpoint',
    description: 'Only this response shows the secret.',
    body: z.strictObject({
      url,
      events: events.nullable().optional().meta({
        description: 'Event types and groups. Null, the default, stands for every event, including future types.',
      }),
      description: description.optional(),
    }),
    outside: 'receiver',
    headers: ['Location'],
    answers: { 201: endpointSchema.extend({ secret: z.string() }) },
    secret: true,
    errors: ['address_not_public', 'endpoint_limit'],
  }),
  getWebhook: route({
    id: 'getWebhook',
    method: 'GET',
    path: '/webhooks/{id}',
    who: ['webhooks:manage'],
    summary: 'Read one webhook endpoint',
    params: endpointParams,
    answers: { 200: endpointSchema },
  }),
  deleteWebhook: route({
    id: 'deleteWebhook',
    method: 'DELETE',
    path: '/webhooks/{id}',
    who: ['webhooks:manage'],
    summary: 'Delete a webhook endpoint',
    params: endpointParams,
    answers: { 204: null },
  }),
  changeWebhook: route({
    id: 'changeWebhook',
    method: 'PATCH',
    path: '/webhooks/{id}',
    who: ['webhooks:manage'],
    summary: 'Change, pause or turn on a webhook endpoint',
    description:
      '`state: "disabled"` pauses the endpoint (`disabled_reason: "paused"`). Pending deliveries and later events become `skipped`. `state: "enabled"` turns the endpoint on and resets the period of failures after which an endpoint is disabled automatically. This does not resend anything. To resend the skipped deliveries, call recover with `since` set to the former `disabled_at`.',
    params: endpointParams,
    body: z.strictObject({
      url: url.optional(),
      events: events
        .nullable()
        .optional()
        .meta({ description: 'Event types and groups. Null stands for every event, including future types.' }),
      description: description.optional(),
      state: z.enum(['enabled', 'disabled']).optional(),
    }),
    outside: 'receiver',
    answers: { 200: endpointSchema },
    errors: ['address_not_public'],
  }),
  testWebhook: route({
    id: 'testWebhook',
    method: 'POST',
    path: '/webhooks/{id}/test',
    who: ['webhooks:manage'],
    summary: 'Send a test event and return its outcome',
    description:
      'Sends a `ping`, or a sample of `type` with exactly the shape of a real event. The names in a sample are `sample.zonewright.invalid` or below it, the zone id is the nil UUID, and the order id is all zeros. ' +
      'The request has the header `Service-Event-Test: true`. The event is sent once, only to this endpoint, after the deliveries that are already due. The endpoint’s subscriptions do not matter, and the endpoint may be disabled. ' +
      'The test appears only in the endpoint’s deliveries (`test: true`), where you can resend it. If there is no outcome after 25 seconds, the response is `pending`.',
    params: endpointParams,
    body: z.strictObject({
      type: eventType.optional().meta({ description: 'The event type of the sample. Default: `ping`.' }),
    }),
    outside: 'receiver',
    answers: {
      200: z.object({
        status: outcome,
        last_status: z.int().nullable(),
        failure: failureWord,
        failure_detail: failureDetail,
        delivery: z.string().nullable().meta({ description: 'Null while the delivery has no id yet.' }),
      }),
    },
  }),
  rotateWebhookSecret: route({
    id: 'rotateWebhookSecret',
    method: 'POST',
    path: '/webhooks/{id}/rotate-secret',
    who: ['webhooks:manage'],
    summary: 'Rotate the secret of an endpoint',
    description:
      'The old secret stays valid for `overlap_hours`. During this time, requests are signed with both secrets, so that you can update your receivers without losing a delivery.',
    params: endpointParams,
    body: z.strictObject({ overlap_hours: z.int().min(0).max(72).default(0) }),
    answers: { 200: endpointSchema.extend({ secret: z.string() }) },
    secret: true,
  }),
  listDeliveries: route({
    id: 'listDeliveries',
    method: 'GET',
    path: '/webhooks/{id}/deliveries',
    who: ['webhooks:manage'],
    summary: 'List an endpoint’s deliveries of the last 30 days, newest first',
    description:
      'With `status` or `type`, each page searches at most 20,000 deliveries. A page can then have fewer than `limit` deliveries, or none. Continue while there is a `next_cursor`.',
    params: endpointParams,
    query: z.strictObject({
      ...pageQuery,
      status: outcome.optional(),
      type: eventType.optional(),
      since: instantText.optional(),
    }),
    answers: { 200: pageOf(deliverySchema) },
  }),
  getDelivery: route({
    id: 'getDelivery',
    method: 'GET',
    path: '/webhooks/{id}/deliveries/{delivery}',
    who: ['webhooks:manage'],
    summary: 'Read one delivery with its attempts',
    params: deliveryParams,
    answers: {
      200: deliverySchema
        .extend({
          attempts: z
            .array(attemptSchema)
            .meta({ description: 'The latest 100 attempts. The first attempt of a delivery is number 1.' }),
          body: z
            .string()
            .nullable()
            .meta({ description: `${exactBodyIs} Null if the event is no longer kept.` }),
        })
        .meta({ id: 'WebhookDeliveryInFull' }),
    },
  }),
  redeliver: route({
    id: 'redeliver',
    method: 'POST',
    path: '/webhooks/{id}/deliveries/{delivery}/redeliver',
    who: ['webhooks:manage'],
    summary: 'Resend a delivery',
    description:
      'You can resend a delivery for 30 days, in any status and even if the endpoint is disabled. A resend does not count as one of the eight automatic attempts. If it succeeds, the automatic attempts end. It is sent within about a second. If you request several resends together, the oldest event is sent first.',
    params: deliveryParams,
    answers: { 202: deliverySchema },
  }),
  recoverWebhook: route({
    id: 'recoverWebhook',
    method: 'POST',
    path: '/webhooks/{id}/recover',
    who: ['webhooks:manage'],
    summary: 'Resend failed and skipped deliveries',
    description:
      'Resends the failed and skipped deliveries of all events since the time in `since`, oldest first. Tests are not resent. One call resends at most 10,000 deliveries. `more` is true if others remain.',
    params: endpointParams,
    body: z.strictObject({ since: instantText }),
    answers: { 202: z.object({ recovered: z.int(), more: z.boolean() }) },
  }),
  listEvents: route({
    id: 'listEvents',
    method: 'GET',
    path: '/webhooks/events',
    who: ['webhooks:manage'],
    summary: 'List the account’s events of the last 30 days, newest first',
    description:
      'Test events are not included. A page ends at `limit` events or at 4 MiB, whichever comes first, but contains at least one event. With `type`, each page searches at most 20,000 events and may be empty. Continue while there is a `next_cursor`.',
    query: z.strictObject({ ...pageQuery, type: eventType.optional(), since: instantText.optional() }),
    answers: { 200: pageOf(eventSchema) },
  }),
  getEvent: route({
    id: 'getEvent',
    method: 'GET',
    path: '/webhooks/events/{id}',
    who: ['webhooks:manage'],
    summary: 'Read one event with the exact request body',
    description:
      'Events are kept for 30 days. For a test event, the call returns 404: test events appear only in their endpoint’s deliveries.',
    params: z.object({ id: z.string() }),
    answers: {
      200: eventSchema.extend({ body: z.string().meta({ description: exactBodyIs }) }).meta({ id: 'EventInFull' }),
    },
  }),
  listEventTypes: route({
    id: 'listEventTypes',
    method: 'GET',
    path: '/webhooks/event-types',
    who: ['webhooks:manage'],
    summary: 'List event types and groups',
    answers: {
      200: z.object({
        data: z.array(z.object({ type: z.string(), description: z.string() })),
        groups: z.array(z.string()),
      }),
    },
  }),
}
