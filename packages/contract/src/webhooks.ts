import { z } from 'zod'
import { chosenText } from './display-text.ts'
import { eventSchema, eventTypes } from './event-types.ts'
import { instantText } from './instant.ts'
import { pageOf, pageQuery } from './paging.ts'
import { route } from './route.ts'

/** What has become of a delivery. */
const outcome = z.enum(['pending', 'succeeded', 'failed', 'skipped'])

export const endpointSchema = z
  .object({
    id: z.string(),
    url: z.string(),
    events: z
      .array(z.string())
      .nullable()
      .meta({ description: 'Event types and groups; null is every event, later ones too.' }),
    description: z.string(),
    state: z.enum(['enabled', 'disabled']),
    disabled_at: z.string().nullable(),
    disabled_reason: z
      .string()
      .nullable()
      .meta({ description: '`paused`: its owner disabled it. Otherwise a sentence: the service disabled it.' }),
    status: outcome
      .nullable()
      .meta({ description: "The latest delivery's outcome, tests included; null before the first." }),
    last_status: z.int().nullable().meta({ description: 'The HTTP status that the receiver last answered with.' }),
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
      .meta({ description: 'The zone that the event is about, as it was then; null for other events.' }),
    order: z
      .object({ id: z.string(), name: z.string() })
      .nullable()
      .meta({ description: 'The order that the event is about, with its domain name; null for other events.' }),
    test: z.boolean().meta({ description: 'Sent by the test operation.' }),
    status: outcome.meta({ description: '`skipped`: the endpoint was disabled.' }),
    last_status: z
      .int()
      .nullable()
      .meta({ description: 'The HTTP status of the latest answer; null when there was none.' }),
    failure: failureWord.meta({
      description: 'Why the latest attempt failed; null when it succeeded or there was none.',
    }),
    failure_detail: failureDetail.meta({
      description: '`failure` as one sentence, such as "The certificate expired on 2026-11-25."',
    }),
    attempts: z.int().meta({
      description: 'The same number as `attempt_count`. A single delivery has the list of attempts here instead.',
    }),
    attempt_count: z.int().meta({ description: 'Requests made so far, resends included.' }),
    next_attempt_at: z.string().nullable(),
    created_at: z.string(),
    finished_at: z.string().nullable(),
  })
  .meta({ id: 'WebhookDelivery' })

export type WireDelivery = z.infer<typeof deliverySchema>

export const attemptSchema = z
  .object({
    number: z.int(),
    manual: z.boolean().meta({ description: 'Asked for by redeliver or recover.' }),
    started_at: z.string(),
    duration_ms: z.int(),
    status: z.int().nullable().meta({ description: 'The HTTP status; null when there was no answer.' }),
    failure: failureWord.meta({ description: 'Null: it succeeded.' }),
    failure_detail: failureDetail.meta({
      description:
        'The failure as one sentence, such as "The certificate is for other.example.org." Received text in it is escaped and cut. Null when it succeeded, and for attempts made before sentences were recorded.',
    }),
    resent: z.boolean().meta({
      description:
        'The request was sent twice within this attempt: the kept-alive connection that it was first sent on broke before an answer.',
    }),
    request_headers: z.record(z.string(), z.string()),
    response_headers: z
      .record(z.string(), z.union([z.string(), z.array(z.string())]))
      .nullable()
      .meta({ description: 'The first 16 KiB of the headers.' }),
    response_body: z.string().nullable().meta({ description: 'At most its first 16 KiB, as text.' }),
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
    description: 'The secret stands beside the endpoint in this one answer only.',
    body: z.strictObject({
      url,
      events: events.nullable().optional().meta({ description: 'Left out, or null: every event, later types too.' }),
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
    summary: 'Change a webhook endpoint, pause it, or turn it on again',
    description:
      '`state: "disabled"` pauses the endpoint (`disabled_reason: "paused"`): pending deliveries and later events become `skipped`. `state: "enabled"` turns it on again and resets its failing time. That sends nothing by itself: call recover with `since` set to the former `disabled_at`.',
    params: endpointParams,
    body: z.strictObject({
      url: url.optional(),
      events: events.nullable().optional().meta({ description: 'Null: every event, later types too.' }),
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
      'Sends a `ping`, or a sample of `type` with exactly the shape of a real event: its names are `sample.zonewright.invalid` or below it, its zone id is the nil UUID and its order id is all zeros. ' +
      'The request has the header `Service-Event-Test: true`. It goes only to this endpoint, whatever the endpoint subscribes to, in its turn and once, and also while the endpoint is disabled. ' +
      "It appears in the endpoint's deliveries (`test: true`), where it can be redelivered, and nowhere else. After 25 seconds without an outcome the answer is `pending`.",
    params: endpointParams,
    body: z.strictObject({
      type: eventType.optional().meta({ description: 'The event type to send a sample of. Default: `ping`.' }),
    }),
    outside: 'receiver',
    answers: {
      200: z.object({
        status: outcome,
        last_status: z.int().nullable(),
        failure: failureWord,
        failure_detail: failureDetail,
        delivery: z.string().nullable().meta({ description: 'Its id; null while it has none yet.' }),
      }),
    },
  }),
  rotateWebhookSecret: route({
    id: 'rotateWebhookSecret',
    method: 'POST',
    path: '/webhooks/{id}/rotate-secret',
    who: ['webhooks:manage'],
    summary: 'Give the endpoint a new secret',
    description:
      'For `overlap_hours` the old secret signs beside the new one, so that receivers can be changed without losing a delivery.',
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
    summary: "List an endpoint's deliveries of the last 30 days, the latest first",
    description:
      'With `status` or `type` a page looks at the latest 20,000 deliveries alone and may hold fewer than `limit`, or none: go by `next_cursor`.',
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
            .meta({ description: `${exactBodyIs} Null when the event is no longer kept.` }),
        })
        .meta({ id: 'WebhookDeliveryInFull' }),
    },
  }),
  redeliver: route({
    id: 'redeliver',
    method: 'POST',
    path: '/webhooks/{id}/deliveries/{delivery}/redeliver',
    who: ['webhooks:manage'],
    summary: 'Send one delivery again',
    description:
      'In any status, also on a disabled endpoint, for 30 days. It does not count among the eight automatic attempts, and a success ends these. It is sent within about a second; resends requested together are sent oldest event first.',
    params: deliveryParams,
    answers: { 202: deliverySchema },
  }),
  recoverWebhook: route({
    id: 'recoverWebhook',
    method: 'POST',
    path: '/webhooks/{id}/recover',
    who: ['webhooks:manage'],
    summary: 'Send again what has failed or was skipped since a time',
    description:
      'Test deliveries are not included. Sends the oldest first, at most 10,000 deliveries per call; `more` is true if others remain.',
    params: endpointParams,
    body: z.strictObject({ since: instantText }),
    answers: { 202: z.object({ recovered: z.int(), more: z.boolean() }) },
  }),
  listEvents: route({
    id: 'listEvents',
    method: 'GET',
    path: '/webhooks/events',
    who: ['webhooks:manage'],
    summary: "List the account's events of the last 30 days, the latest first",
    description:
      'Test events are not included. A page ends at `limit` events or at 4 MiB, whichever comes first, but after at least one event. With `type`, a page covers only the latest 20,000 events and may be empty: continue while there is a `next_cursor`.',
    query: z.strictObject({ ...pageQuery, type: eventType.optional(), since: instantText.optional() }),
    answers: { 200: pageOf(eventSchema) },
  }),
  getEvent: route({
    id: 'getEvent',
    method: 'GET',
    path: '/webhooks/events/{id}',
    who: ['webhooks:manage'],
    summary: 'Read one event with the exact body that is sent',
    description: "Of the last 30 days. Test events are in their endpoint's deliveries only: 404 here.",
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
    summary: 'List the event types and groups that an endpoint can name',
    answers: {
      200: z.object({
        data: z.array(z.object({ type: z.string(), description: z.string() })),
        groups: z.array(z.string()),
      }),
    },
  }),
}
