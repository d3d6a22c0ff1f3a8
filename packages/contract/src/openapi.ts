import { z } from 'zod'
import { errorEnvelope, errorStatuses } from './errors.ts'
import { errorExamples, jsonContent, pathExample, rawContent, withExamples } from './openapi-examples.ts'
import { Components, type Json } from './openapi-schemas.ts'
import { replayedSchema } from './replayed.ts'
import { responseHeaders, responseHeadersOf, writesRecords } from './response-headers.ts'
import { type Answers, errorsOf, isRaw, maxBodyBytes, needsBody, type Route, takesIdempotencyKey } from './route.ts'
import type { RouteGroup } from './route-groups.ts'
import { type Tag, tags } from './tags.ts'

/** The dashboard's cookie; over https its name has the prefix `__Secure-`. */
export const sessionCookie = 'zonewright.session_token'

/** A request that the service makes: a webhook to a customer's receiver. */
export interface Webhook {
  readonly name: string
  readonly summary: string
  readonly body: z.ZodType
  readonly example: Json
}

/**
 * The OpenAPI 3.1 document of groups of routes, and of the webhooks.
 *
 * Schemas with an id (`meta({ id })`) become components; the others are inlined.
 */
export function openApiDocument(
  groups: readonly RouteGroup[],
  webhooks: readonly Webhook[],
  info: { [member: string]: Json },
): Json {
  const components = new Components()
  const paths: Record<string, Record<string, Json>> = {}
  for (const { tag, routes } of groups)
    for (const route of Object.values(routes)) {
      const path = paths[route.path] ?? {}
      path[route.method.toLowerCase()] = operation(route, tag, components)
      paths[route.path] = path
    }
  return {
    openapi: '3.1.0',
    info,
    servers: [{ url: '/api/v1' }],
    security: [{ key: [] }, { session: [] }],
    tags: [...new Set(groups.map(({ tag }) => tag))].map((name) => ({ name, description: tags[name] })),
    paths,
    webhooks: Object.fromEntries(
      webhooks.map((webhook) => [webhook.name, { post: webhookOperation(webhook, components) }]),
    ),
    components: {
      securitySchemes: {
        key: { type: 'http', scheme: 'bearer', description: 'An API key, sent as `Authorization: Bearer svc_live_…`.' },
        session: { type: 'apiKey', in: 'cookie', name: sessionCookie, description: 'A session of the dashboard.' },
      },
      schemas: withExamples(components.schemas),
      responses: components.responses,
      headers: headerComponents(),
      examples: errorExamples(groups.flatMap(({ routes }) => Object.values(routes).flatMap(errorsOf))),
    },
  }
}

function operation(route: Route, tag: Tag, components: Components): Json {
  const document: Record<string, Json> = {
    operationId: route.id,
    tags: [tag],
    summary: route.summary,
    description: [route.description, whoMay(route)].filter((line) => line !== undefined).join('\n\n'),
    'x-permission': typeof route.who === 'string' ? [route.who] : [...route.who],
    parameters: [
      ...parameters(route, 'path', components),
      ...parameters(route, 'query', components),
      ...headerParameters(route),
    ],
    responses: responses(route, components),
  }
  if (route.who === 'public') document.security = []
  if (route.who === 'session') document.security = [{ session: [] }]
  if (route.body)
    document.requestBody = {
      description: `The body can be at most ${sizeOf(maxBodyBytes(route))}.`,
      required: needsBody(route.body),
      content: isRaw(route.body)
        ? {
            [route.body.raw]: rawContent(route.id, route.body.raw),
            ...(route.body.json && { 'application/json': json(route.id, route.body.json, 'input', components) }),
          }
        : { 'application/json': json(route.id, route.body, 'input', components) },
    }
  return document
}

function json(place: string, shape: z.ZodType, io: 'input' | 'output', components: Components): Json {
  return jsonContent(place, components.schemaOf(shape, io), components.schemas)
}

function sizeOf(bytes: number): string {
  return bytes < 1024 * 1024 ? `${bytes / 1024} KiB` : `${bytes / 1024 / 1024} MiB`
}

/** The headers of each webhook request; docs/webhooks.md explains how to check the signatures. */
const webhookHeaders = {
  'Service-Event-Id': 'The id of the event, as in the body. It is the same for every attempt.',
  'Service-Event-Type': 'The type of the event, as in the body.',
  'Service-Signature':
    '`t=<unix seconds>,v1=<hex>`. `v1` is the HMAC-SHA256 of the time, a dot and the raw body. The header has one `v1` for each valid secret.',
  'webhook-id': 'The id of the event, as in the body (Standard Webhooks 1.0).',
  'webhook-timestamp': 'The time of the attempt, in Unix seconds (Standard Webhooks 1.0).',
  'webhook-signature': 'One signature for each valid secret, in the form `v1,<base64>` (Standard Webhooks 1.0).',
}

function headerOf(name: string, description: string, required: boolean): Json {
  return { name, in: 'header', required, description, schema: { type: 'string' } }
}

function webhookOperation({ name, summary, body, example }: Webhook, components: Components): Json {
  return {
    operationId: name,
    tags: ['Webhooks'],
    summary,
    description: 'The service sends this event to each webhook endpoint that subscribes to it.',
    security: [],
    parameters: [
      ...Object.entries(webhookHeaders).map(([header, description]) => headerOf(header, description, true)),
      headerOf(
        'Service-Event-Test',
        '`true` if the event is a test. The signature does not cover this header. Recognize test events by the event type (`ping`) or the domain names (`sample.zonewright.invalid`) instead.',
        false,
      ),
    ],
    requestBody: {
      required: true,
      content: { 'application/json': { schema: components.schemaOf(body, 'output'), example } },
    },
    responses: {
      '2XX': {
        description:
          'The receiver accepted the event. After any other response, or without a response within 10 seconds, the service retries the delivery.',
      },
    },
  }
}

function whoMay(route: Route): string {
  return route.wholeZone ? `${opening(route)} A key with limits cannot call this.` : opening(route)
}

function opening({ who, signed }: Route): string {
  if (signed) return 'Anyone can call this with a valid signature.'
  if (who === 'public') return 'Anyone can call this, without signing in.'
  if (who === 'session') return 'Only a dashboard session can call this. API keys cannot.'
  if (who === 'any-key') return 'Any API key can call this.'
  return `Requires the permission ${who.map((permission) => `\`${permission}\``).join(' or ')}.`
}

function parameters(route: Route, where: 'path' | 'query', components: Components): Json[] {
  const of = where === 'path' ? route.params : route.query
  if (!(of instanceof z.ZodObject)) return []
  return Object.entries(of.shape as Record<string, z.ZodType>).map(([name, member]) => {
    const schema = components.schemaOf(member, 'input')
    return {
      name,
      in: where,
      required: where === 'path' || !member.safeParse(undefined).success,
      schema,
      ...(where === 'path' && { example: pathExample(route.path, name, schema, components.schemas) }),
    }
  })
}

function headerParameters(route: Route): Json[] {
  const { errors } = route
  const header = (name: string, description: string) => headerOf(name, description, false)
  return [
    ...(takesIdempotencyKey(route)
      ? [
          header(
            'Idempotency-Key',
            'This header makes retries safe. If you repeat the call with the same key within 24 hours, the service returns the first response and does nothing else. While the first call is in progress, a repeated call waits for it, or fails with 409 `conflict` and `Retry-After`. If a process of the service stops during the first call, repeated calls can fail with 409 `conflict` for up to 60 seconds. If the body of the first response was over 256 KiB, the repeated call returns `{replayed: true, version, serial}` instead.',
          ),
        ]
      : []),
    ...(errors?.includes('precondition_failed')
      ? [
          header(
            'If-Match',
            'The ETag that you received for the zone. If the zone has changed since you received it, the call fails with 412.',
          ),
        ]
      : []),
    ...(writesRecords(route)
      ? [
          header(
            'Prefer',
            'With `wait=<seconds>`, the service responds when every nameserver serves the new serial, but at the latest after this number of seconds. The maximum is 30 seconds.',
          ),
        ]
      : []),
  ]
}

function responses(route: Route, components: Components): Json {
  const answers: Record<string, Json> = {}
  for (const [status, shape] of Object.entries(route.answers))
    answers[status] = {
      description: successText(shape),
      headers: headersOf(route, Number(status)),
      ...(shape === null ? {} : { content: contentOf(route, status, shape, components) }),
    }
  const byStatus = Map.groupBy(errorsOf(route), (code) => errorStatuses[code])
  for (const [status, codes] of byStatus)
    answers[status] = components.shareResponse(codes, {
      description: codes.map((code) => `\`${code}\``).join(', '),
      headers: headersOf(route, status),
      content: {
        'application/json': {
          schema: components.schemaOf(errorEnvelope, 'output'),
          examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
        },
      },
    })
  return answers
}

function successText(shape: Answers[number]): string {
  if (shape === null) return 'The call succeeded. The response has no body.'
  if ('raw' in shape) return 'The call succeeded.'
  const isDryRun = optionsOf(shape).map((option) => option.meta()?.id?.endsWith('DryRun') === true)
  if (!isDryRun.includes(true)) return 'The call succeeded.'
  const dryRun = 'With `dry_run=true`, the response shows the changes that the request would make.'
  return isDryRun.includes(false) ? `The call succeeded. ${dryRun}` : dryRun
}

function contentOf(
  { id, long, alsoAs }: Route,
  status: string,
  shape: z.ZodType | { readonly raw: string },
  components: Components,
): Json {
  const place = `${id} ${status}`
  if ('raw' in shape) return { [shape.raw]: rawContent(place, shape.raw) }
  return {
    'application/json': json(
      place,
      long ? z.union([...optionsOf(shape), replayedSchema]) : shape,
      'output',
      components,
    ),
    ...(alsoAs === undefined ? {} : { [alsoAs]: rawContent(place, alsoAs) }),
  }
}

/** The alternative shapes of a value. */
function optionsOf(shape: z.ZodType): z.ZodType[] {
  return shape instanceof z.ZodUnion ? (shape.options as z.ZodType[]) : [shape]
}

function headersOf(route: Route, status: number): Json {
  return Object.fromEntries(
    responseHeadersOf(route, status).map((header) => [header, { $ref: `#/components/headers/${header}` }]),
  )
}

function headerComponents(): Json {
  return Object.fromEntries(
    Object.entries(responseHeaders).map(([name, { description, example }]) => [
      name,
      { description, required: name === 'X-Request-Id', schema: { type: 'string' }, example },
    ]),
  )
}
