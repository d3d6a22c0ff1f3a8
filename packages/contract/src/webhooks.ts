import { z } from 'zod'
import { chosenText } from './display-text.ts'
import { eventSchema, eventTypes } from './event-types.ts'
import { instantText } from './instant.ts'
import { pageOf, pageQuery } from './paging.ts'
import { route } from './route.ts'

/** The status of a delivery. */
const outcome = z.enum(['pending', 'succeeded', 'failed', 'skipped'])

const retry = z
  .object({
    attempt: z.int().meta({ description: 'The number of the next automatic attempt. The first retry is attempt 2.' }),
    of: z.int().meta({ description: 'The maximum number of automatic attempts of a delivery.' }),
    at: z.string().meta({ description: 'The time of the next attempt.' }),
  })
  .nullable()

const deliveryFilter = z.enum([...outcome.options, 'failing'])

/** Maximum number of zones that an endpoint can be limited to. */
export const maxEndpointZones = 500

/** Maximum number of fixed headers of an endpoint, and of characters of a name and a value. */
export const headerLimits = { headers: 5, name: 64, value: 1_024 }

/** Responses contain this text instead of the value of a fixed header. */
export const maskedValue = '***'

export const endpointSchema = z
  .object({
    id: z.string(),
    url: z.string(),
    events: z.array(z.string()).nullable().meta({
      description:
        'The event types and groups that the endpoint receives. Null means every event, including types that are added later.',
    }),
    zones: z
      .array(z.object({ id: z.string(), name: z.string() }))
      .nullable()
      .meta({
        description:
          'The zones that the endpoint is limited to, sorted by name. Null means all zones. If a zone is deleted, or if the account loses access to it, the list no longer has this zone. With an empty list, the endpoint gets no events.',
      }),
    headers: z.array(z.object({ name: z.string(), value: z.literal(maskedValue) })).meta({
      description: `The headers that you added to each request. Every value is \`${maskedValue}\`, because responses never contain the values.`,
    }),
    description: z.string().meta({ description: 'Your description of the endpoint.' }),
    state: z.enum(['enabled', 'disabled']).meta({ description: 'A disabled endpoint does not receive events.' }),
    disabled_at: z
      .string()
      .nullable()
      .meta({ description: 'The time at which the endpoint was disabled. It is null while the endpoint is enabled.' }),
    disabled_reason: z.string().nullable().meta({
      description:
        '`paused` if the owner paused the endpoint. If the service disabled the endpoint, this is a sentence with the reason.',
    }),
    status: outcome.nullable().meta({
      description: 'The outcome of the latest delivery, including tests. It is null before the first delivery.',
    }),
    last_delivery: z.string().nullable().meta({ description: 'The id of the latest delivery.' }),
    last_status: z.int().nullable().meta({ description: 'The HTTP status of the latest response of the receiver.' }),
    retry: retry.meta({
      description:
        'The next automatic attempt of the latest delivery, if an attempt of this delivery has failed. It is null if no such attempt is planned.',
    }),
    created_at: z.string(),
  })
  .meta({ id: 'WebhookEndpoint' })

export type WireEndpoint = z.infer<typeof endpointSchema>

/** Why an attempt failed: docs/webhooks.md has the same list. */
const failureWords =
  '`refused_address`: the address is not public. `dns`: the service found no address for the host name. `connect`: the connection failed, or the response is not HTTP/1.1. `tls`: TLS failed, or the certificate is not valid. `timeout`: there was no response within 10 seconds. `status`: the status is not 2xx. `redirect`: the response is a redirect. `too_large`: the response headers are larger than 64 KiB.'

const failureWord = z
  .enum(['refused_address', 'dns', 'connect', 'tls', 'timeout', 'status', 'redirect', 'too_large'])
  .nullable()

const failureDetail = z.string().nullable()

export const deliverySchema = z
  .object({
    id: z.string(),
    event_id: z.string(),
    event_type: z.string(),
    zone: z.object({ id: z.string(), name: z.string() }).nullable().meta({
      description:
        'The zone of the event, as it was at the time of the event. It is null for events that are not about a zone.',
    }),
    order: z.object({ id: z.string(), name: z.string() }).nullable().meta({
      description: 'The order of the event, with its domain name. It is null for events that are not about an order.',
    }),
    test: z.boolean().meta({ description: 'True if this delivery is a test (`POST /webhooks/{id}/test`).' }),
    status: outcome.meta({
      description: 'The status of the delivery. `skipped` means that the endpoint was disabled.',
    }),
    last_status: z
      .int()
      .nullable()
      .meta({ description: 'The HTTP status of the latest response. It is null if there was no response.' }),
    failure: failureWord.meta({
      description: `The reason why the latest attempt failed. It is null if the attempt succeeded or if there was no attempt. ${failureWords}`,
    }),
    failure_detail: failureDetail.meta({
      description: 'The failure as one sentence. An example is "The certificate expired on 2026-11-25."',
    }),
    attempts: z.int().meta({
      description:
        'In lists, this is the same number as `attempt_count`. In the response for one delivery, this is the list of attempts.',
    }),
    attempt_count: z.int().meta({ description: 'The number of attempts so far, including resends.' }),
    next_attempt_at: z
      .string()
      .nullable()
      .meta({ description: 'The time of the next attempt. It is null if no attempt is planned.' }),
    retry: retry.meta({
      description:
        'The next automatic attempt after a failed attempt. It is null if no attempt has failed, or if no automatic attempt is planned.',
    }),
    created_at: z.string(),
    finished_at: z
      .string()
      .nullable()
      .meta({ description: 'The time at which the delivery ended. It is null while the delivery is pending.' }),
  })
  .meta({ id: 'WebhookDelivery' })

export type WireDelivery = z.infer<typeof deliverySchema>

export const attemptSchema = z
  .object({
    number: z
      .int()
      .meta({ description: 'The number of the attempt. The first attempt of a delivery has the number 1.' }),
    manual: z
      .boolean()
      .meta({ description: 'True if a person or a program requested this attempt, with a resend or with `recover`.' }),
    started_at: z.string(),
    duration_ms: z.int().meta({ description: 'The duration of the attempt in milliseconds.' }),
    status: z
      .int()
      .nullable()
      .meta({ description: 'The HTTP status of the response. It is null if there was no response.' }),
    failure: failureWord.meta({
      description: `The reason why the attempt failed. It is null if the attempt succeeded. ${failureWords}`,
    }),
    failure_detail: failureDetail.meta({
      description:
        'The failure as one sentence. An example is "The certificate is for other.example.org." Text from the receiver is escaped and shortened. The field is null if the attempt succeeded. It is also null for old attempts, for which the service did not store a sentence.',
    }),
    resent: z.boolean().meta({
      description:
        'True if the service sent the request twice in this attempt. This happens if a reused connection breaks before a response arrives.',
    }),
    request_headers: z.record(z.string(), z.string()),
    response_headers: z
      .record(z.string(), z.union([z.string(), z.array(z.string())]))
      .nullable()
      .meta({ description: 'The first 16 KiB of the response headers.' }),
    response_body: z.string().nullable().meta({ description: 'The first 16 KiB of the response body, as text.' }),
  })
  .meta({ id: 'WebhookAttempt' })

export type WireAttempt = z.infer<typeof attemptSchema>

/** Maximum number of hours or days in the counts of attempts: the hours of a week. */
export const maxCountedSteps = 168

const attemptCountSchema = z
  .object({
    at: z.string().meta({ description: 'The beginning of the hour or day, in UTC.' }),
    succeeded: z.int(),
    failed: z.int(),
    average_ms: z
      .int()
      .nullable()
      .meta({ description: 'The average duration of an attempt. It is null if there was no attempt.' }),
    slowest_ms: z.int().nullable().meta({ description: 'The duration of the slowest attempt.' }),
  })
  .meta({ id: 'WebhookAttemptCount', description: 'The attempts at an endpoint in an hour or a day.' })

export type WireAttemptCount = z.infer<typeof attemptCountSchema>

const exactBodyIs = 'The exact body of the request, as text. The signature covers the UTF-8 bytes of this text.'

const endpointParams = z.object({ id: z.string().meta({ description: 'The id of the endpoint.' }) })
const deliveryParams = endpointParams.extend({ delivery: z.string().meta({ description: 'The id of the delivery.' }) })
const eventType = z.enum(Object.keys(eventTypes) as [keyof typeof eventTypes, ...(keyof typeof eventTypes)[]])
const url = chosenText.max(2_000).meta({
  description: 'The URL of the receiver. It must begin with https://, and its host must have a public address.',
})
const events = z.array(z.string()).min(1).max(50)
const zones = z.array(z.string().max(300)).min(1, 'List at least one zone. Null means all zones.').max(maxEndpointZones)
const headers = z
  .array(
    z
      .strictObject({
        name: z.string().meta({ description: 'The name of the header.', example: 'X-Environment' }),
        value: z
          .string()
          .optional()
          .meta({
            description: `The value of the header. To keep the existing value of this header, omit \`value\` or send \`${maskedValue}\`.`,
          }),
      })
      .meta({ id: 'WebhookHeader' }),
  )
  .max(headerLimits.headers)
  .meta({
    description: `Headers that the service adds to each request, at most ${headerLimits.headers}. A name has at most ${headerLimits.name} characters, and a value at most ${headerLimits.value} visible ASCII characters and spaces. You cannot send headers that HTTP or the service itself sets. Values are secrets: the service encrypts them, and no response contains them.`,
  })

export type WireWantedHeader = z.infer<typeof headers>[number]

const description = chosenText.max(500).meta({ description: 'Your description of the endpoint.' })
const secret = z.string().meta({ description: 'The secret with which the service signs the requests to the endpoint.' })

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
        description:
          'The event types and groups that the endpoint receives. Null, the default, means every event, including types that are added later.',
      }),
      zones: zones.nullable().optional().meta({
        description:
          'Limits the endpoint to these zones, by name or id. The endpoint then gets only events about these zones, and no order events. Null, the default, means all zones.',
      }),
      headers: headers.optional(),
      description: description.optional(),
    }),
    outside: 'receiver',
    headers: ['Location'],
    answers: { 201: endpointSchema.extend({ secret }) },
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
    summary: 'Change, pause or enable a webhook endpoint',
    description:
      'To pause the endpoint, send `state: "disabled"`. The `disabled_reason` is then `paused`. Pending deliveries become `skipped`, and so do the deliveries of later events. To enable the endpoint, send `state: "enabled"`. The service then starts to count the failures of the endpoint from zero, and does not resend anything. To resend the skipped deliveries, call `POST /webhooks/{id}/recover`. Set its `since` to the value that `disabled_at` had while the endpoint was disabled.',
    params: endpointParams,
    body: z.strictObject({
      url: url.optional(),
      events: events.nullable().optional().meta({
        description:
          'The event types and groups that the endpoint receives. Null means every event, including types that are added later.',
      }),
      zones: zones.nullable().optional().meta({
        description:
          'Limits the endpoint to these zones, by name or id. The endpoint then gets only events about these zones, and no order events. Null means all zones.',
      }),
      headers: headers.optional(),
      description: description.optional(),
      state: z
        .enum(['enabled', 'disabled'])
        .optional()
        .meta({ description: '`disabled` pauses the endpoint. `enabled` enables it again.' }),
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
      'The call sends a `ping`. If you send `type`, the call sends a sample of this event type instead. A sample has the same form as a real event. Domain names in a sample are `sample.zonewright.invalid` or names below it. The zone id is the nil UUID, and the order id has only zeros. The request has the header `Service-Event-Test: true`.\n\nThe service sends the test once, only to this endpoint, after the deliveries that are already due. The endpoint does not have to subscribe to the type, and does not have to be enabled. The test appears among the deliveries of the endpoint, with `test: true`. You can resend the test like any other delivery. The list of events does not include tests. If there is no outcome after 25 seconds, the status in the response is `pending`.',
    params: endpointParams,
    body: z.strictObject({
      type: eventType
        .optional()
        .meta({ description: 'The event type of the sample. By default, the call sends a `ping`.' }),
    }),
    outside: 'receiver',
    answers: {
      200: z.object({
        status: outcome.meta({ description: 'The outcome of the test. `pending` means that there is no outcome yet.' }),
        last_status: z
          .int()
          .nullable()
          .meta({ description: 'The HTTP status of the response. It is null if there was no response.' }),
        failure: failureWord.meta({
          description: `The reason why the test failed. It is null if the test did not fail. ${failureWords}`,
        }),
        failure_detail: failureDetail.meta({ description: 'The failure as one sentence.' }),
        delivery: z
          .string()
          .nullable()
          .meta({ description: 'The id of the delivery. It is null while the delivery has no id yet.' }),
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
      'The old secret stays valid for `overlap_hours`. During this time, the service signs each request with both secrets, so that you can update your receivers without losing a delivery.',
    params: endpointParams,
    body: z.strictObject({
      overlap_hours: z
        .int()
        .min(0)
        .max(72)
        .default(0)
        .meta({ description: 'The number of hours for which the old secret stays valid.' }),
    }),
    answers: { 200: endpointSchema.extend({ secret }) },
    secret: true,
  }),
  listDeliveries: route({
    id: 'listDeliveries',
    method: 'GET',
    path: '/webhooks/{id}/deliveries',
    who: ['webhooks:manage'],
    summary: 'List an endpoint’s deliveries of the last 30 days, newest first',
    description:
      'If you send `status` or `type`, the service searches at most 20,000 deliveries for each page. If you send `zone` or `q`, the service searches at most 5,000. The page can then have fewer than `limit` deliveries, or none. Request the next page until `next_cursor` is null.',
    params: endpointParams,
    query: z.strictObject({
      ...pageQuery,
      status: deliveryFilter.optional().meta({
        description:
          'If you send this, the list has only the deliveries with this status. `failing` lists the deliveries that failed, and the pending deliveries whose latest attempt failed.',
      }),
      type: eventType
        .optional()
        .meta({ description: 'If you send this, the list has only the deliveries of this event type.' }),
      zone: chosenText.max(1_024).optional().meta({
        description:
          'If you send this, the list has only the deliveries of events about this zone. Send the id of the zone, or the name that the zone had at that time. The zone does not have to exist now.',
      }),
      q: chosenText.min(2).max(100).optional().meta({
        description:
          'If you send this, the list has only the deliveries with this text in the first 4 KiB of the payload, in `failure_detail`, or as the id of the delivery. The search ignores the case of the letters A to Z.',
      }),
      since: instantText
        .optional()
        .meta({ description: 'If you send this, the list has only the deliveries of events since this time.' }),
    }),
    answers: { 200: pageOf(deliverySchema) },
  }),
  countAttempts: route({
    id: 'countAttempts',
    method: 'GET',
    path: '/webhooks/{id}/statistics',
    who: ['webhooks:manage'],
    summary: 'Count the attempts at an endpoint by hour or day',
    description:
      'The counts include retries, resends and tests. They do not include attempts by service versions without this call. The counts cover at most 30 days, and can be 5 seconds out of date. If a process of the service is killed, the counts of its last 5 seconds can be missing.',
    params: endpointParams,
    query: z.strictObject({
      step: z.enum(['hour', 'day']).default('hour'),
      points: z.coerce.number().int().min(1).max(maxCountedSteps).optional().meta({
        description:
          'The number of hours (24 by default) or days (7 by default). The last entry is the current hour or day.',
      }),
    }),
    answers: {
      200: z.object({
        step: z.enum(['hour', 'day']),
        data: z.array(attemptCountSchema).meta({ description: 'The hours or days, earliest first and without gaps.' }),
      }),
    },
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
          attempts: z.array(attemptSchema).meta({ description: 'The latest 100 attempts.' }),
          body: z
            .string()
            .nullable()
            .meta({ description: `${exactBodyIs} It is null if the service no longer stores the event.` }),
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
      'You can resend any delivery of the last 30 days, whatever its status is. You can also resend deliveries of a disabled endpoint. A resend does not count as one of the eight automatic attempts. If the resend succeeds, the automatic attempts end. The service resends the delivery within about a second. If you request several resends at about the same time, the service sends the oldest event first.',
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
      'The service resends all failed and skipped deliveries of the endpoint since the time in `since`, oldest first. It does not resend tests. One call resends at most 10,000 deliveries. `more` is true if other deliveries remain. In this case, repeat the call.',
    params: endpointParams,
    body: z.strictObject({
      since: instantText.meta({ description: 'The service resends the deliveries of events since this time.' }),
    }),
    answers: {
      202: z.object({
        recovered: z.int().meta({ description: 'The number of deliveries that the service resends.' }),
        more: z.boolean().meta({ description: 'True if other deliveries remain.' }),
      }),
    },
  }),
  listEvents: route({
    id: 'listEvents',
    method: 'GET',
    path: '/webhooks/events',
    who: ['webhooks:manage'],
    summary: 'List the account’s events of the last 30 days, newest first',
    description:
      'The list does not include test events. A page ends after `limit` events or after 4 MiB of events, whichever comes first. With `type`, a page also ends after the service has searched 20,000 events. The page can then be empty. Request the next page until `next_cursor` is null.',
    query: z.strictObject({
      ...pageQuery,
      type: eventType.optional().meta({ description: 'If you send this, the list has only the events of this type.' }),
      since: instantText
        .optional()
        .meta({ description: 'If you send this, the list has only the events since this time.' }),
    }),
    answers: { 200: pageOf(eventSchema) },
  }),
  getEvent: route({
    id: 'getEvent',
    method: 'GET',
    path: '/webhooks/events/{id}',
    who: ['webhooks:manage'],
    summary: 'Read one event with the exact request body',
    description:
      'The service stores events for 30 days. For a test event, the call returns 404. To find test events, list the deliveries of the endpoint.',
    params: z.object({ id: z.string().meta({ description: 'The id of the event.' }) }),
    answers: {
      200: eventSchema.extend({ body: z.string().meta({ description: exactBodyIs }) }).meta({ id: 'EventInFull' }),
    },
  }),
  listSourceAddresses: route({
    id: 'listSourceAddresses',
    method: 'GET',
    path: '/webhooks/source-addresses',
    who: ['webhooks:manage'],
    summary: 'List the addresses that webhooks come from',
    description:
      'Use the list for a firewall in front of your receiver. Your receiver must still verify the signatures.',
    answers: {
      200: z.object({
        data: z.array(z.string()).meta({
          description:
            'The addresses and networks of the service. The list is empty if the operator of the service does not publish them.',
          example: ['192.0.2.10', '2001:db8:1::/48'],
        }),
      }),
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
        groups: z.array(z.string()).meta({
          description:
            'The groups that an endpoint can subscribe to, such as `zone.*`. A group includes all types with its prefix.',
        }),
      }),
    },
  }),
}
