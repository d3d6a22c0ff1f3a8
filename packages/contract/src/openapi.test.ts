import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { errorStatuses } from './errors.ts'
import { eventTypes } from './event-types.ts'
import { openApiDocument } from './openapi.ts'
import type { Json } from './openapi-schemas.ts'
import { errorsOf, route } from './route.ts'
import { apiDocument, routes } from './routes.ts'

type Members = { [member: string]: Json }
interface Operation {
  readonly operationId: string
  readonly description: string
  readonly tags: string[]
  readonly security?: Json
  readonly parameters: { name: string; in: string; required: boolean; schema: Members }[]
  readonly requestBody?: { required: boolean; content: Members }
  readonly 'x-permission': string[]
  readonly responses: Record<string, Response | { $ref: string }>
}
interface Response {
  readonly description: string
  readonly headers?: Record<string, Members>
  readonly content?: Record<string, { schema: Members }>
}
interface Document {
  readonly openapi: string
  readonly tags: { name: string; description: string }[]
  readonly paths: Record<string, Record<string, Operation>>
  readonly webhooks: Record<string, { post: Operation }>
  readonly components: {
    schemas: Record<string, Members>
    responses: Record<string, Response>
    examples: Members
    headers: Record<string, { description: string; required: boolean; example: string }>
  }
}

const document = apiDocument() as unknown as Document

function operations(): [path: string, method: string, operation: Operation][] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, string, Operation] => [path, method, operation]),
  )
}

function operationOf(id: string): Operation {
  const found = operations().find(([, , { operationId }]) => operationId === id)
  assert.ok(found, id)
  return found[2]
}

function responseOf(responses: Operation['responses'], status: number | string, of = document): Response {
  const response = responses[status] ?? assert.fail(`no response ${status}`)
  if (!('$ref' in response)) return response
  const name = response.$ref.replace('#/components/responses/', '')
  return of.components.responses[name] ?? assert.fail(name)
}

/** Every object anywhere below a value. */
function* objectsIn(value: unknown): Generator<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return
  yield value as Record<string, unknown>
  for (const member of Object.values(value)) yield* objectsIn(member)
}

test('the document is plain JSON', () => {
  assert.deepEqual(JSON.parse(JSON.stringify(document)), document)
  assert.equal(document.openapi, '3.1.0')
})

test('every route appears once, under its path, method and id', () => {
  const described = operations().map(([path, method, { operationId }]) => `${method} ${path} ${operationId}`)
  assert.deepEqual(
    described.toSorted(),
    routes.map(({ id, method, path }) => `${method.toLowerCase()} ${path} ${id}`).toSorted(),
  )
  assert.equal(new Set(routes.map(({ id }) => id)).size, routes.length)
})

test('every event type is a webhook, with the shape of its data', () => {
  assert.deepEqual(Object.keys(document.webhooks), Object.keys(eventTypes))
  for (const [type, { post }] of Object.entries(document.webhooks)) {
    assert.ok(post.requestBody)
    const { schema } = post.requestBody.content['application/json'] as {
      schema: { properties: Record<string, Members> }
    }
    const { properties } = schema
    assert.equal(properties.type?.const, type)
    assert.equal(properties.data?.type, 'object', type)
    assert.ok(post.tags.every((tag) => document.tags.some(({ name }) => name === tag)))
  }
})

test('a body whose members are all optional is not required', () => {
  const isRequired = (id: string) => operationOf(id).requestBody?.required
  assert.deepEqual(['testWebhook', 'rotateWebhookSecret', 'createWebhook', 'importZone'].map(isRequired), [
    false,
    false,
    true,
    true,
  ])
})

test('every reference leads to a component, and every component is referenced', () => {
  const references = new Set([...objectsIn(document)].flatMap(({ $ref }) => (typeof $ref === 'string' ? [$ref] : [])))
  const components = (['schemas', 'responses', 'headers', 'examples'] as const).flatMap((kind) =>
    Object.keys(document.components[kind]).map((name) => `#/components/${kind}/${name}`),
  )
  assert.deepEqual([...references].toSorted(), components.toSorted())
})

/** Required query parameters: the subject of the request. */
const neededInQuery = new Set([
  'freeSubdomainAvailability name',
  'zoneAvailability name',
  'getTsigConfig for',
  'getSecondaryConfig for',
  'search q',
])

test('every parameter of a path is described and required, and no other path parameter is described', () => {
  for (const [path, , { operationId, parameters }] of operations()) {
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    assert.deepEqual(
      parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name),
      inPath,
      operationId,
    )
    for (const parameter of parameters)
      assert.equal(
        parameter.required,
        parameter.in === 'path' || neededInQuery.has(`${operationId} ${parameter.name}`),
        `${operationId} ${parameter.name}`,
      )
    assert.equal(new Set(parameters.map(({ name }) => name)).size, parameters.length, operationId)
  }
})

test('every operation describes its success, its errors and who can call it, and has a listed tag', () => {
  const tags = document.tags.map(({ name }) => name)
  for (const [, , { operationId, responses, description, tags: own }] of operations()) {
    const statuses = Object.keys(responses).map(Number)
    assert.ok(
      statuses.some((status) => status >= 200 && status < 300),
      operationId,
    )
    // A caller that does not have to authenticate cannot get an authentication error.
    const isPublic = description.includes('Anyone can call this')
    for (const status of isPublic ? [503] : [401, 403, 429, 503])
      assert.ok(statuses.includes(status), `${operationId} ${status}`)
    assert.match(
      description,
      /Requires the permission `|Any API key can call this|Only a dashboard session|Anyone can call this/,
    )
    assert.ok(own.every((tag) => tags.includes(tag)))
    for (const status of Object.keys(responses))
      if (Number(status) >= 400)
        assert.deepEqual(
          responseOf(responses, status).content?.['application/json']?.schema,
          { $ref: '#/components/schemas/Error' },
          operationId,
        )
  }
})

test('a body has its media type, and every JSON body refuses unknown members', () => {
  for (const { id, body } of routes.filter((one) => one.body !== undefined)) {
    const content = operationOf(id).requestBody?.content as Record<string, { schema: Members }>
    const [[type, { schema }] = ['', { schema: {} }]] = Object.entries(content)
    assert.equal(type, body !== undefined && 'raw' in body ? body.raw : 'application/json', id)
    // Content that another service signs is accepted as is.
    const isRaw = body !== undefined && 'raw' in body
    if (type === 'application/json' && !isRaw) assert.equal(schema['additionalProperties'], false, id)
  }
})

test('every query refuses unknown parameters, so that a misspelled `dry_run` does not make the change', () => {
  for (const { id, query } of routes) {
    const issues = query?.safeParse({ bogus: 'x' }).error?.issues ?? []
    if (query !== undefined)
      assert.ok(
        issues.some(({ code }) => code === 'unrecognized_keys'),
        id,
      )
  }
})

/** Callbacks of the gateway, calls that only query the gateway, calls that only read, and links in emails, which can be opened twice. */
const repeatable = [
  'gatewayNews',
  'checkPayment',
  'checkLinkedPayment',
  'planChanges',
  'readNotificationLink',
  'answerNotificationLink',
  'beginProviderLink',
]

test('POST takes an Idempotency-Key unless it is repeatable, and writes that can return 412 take If-Match', () => {
  for (const [, method, { operationId, parameters, responses }] of operations()) {
    const names = parameters.map(({ name }) => name)
    assert.equal(names.includes('Idempotency-Key'), method === 'post' && !repeatable.includes(operationId), operationId)
    assert.equal(names.includes('If-Match'), '412' in responses, operationId)
  }
})

test('a route’s errors are its own and those of its kind, each under the status of its code', () => {
  const plain = { summary: '', answers: { 200: null } } as const
  const open = route({ ...plain, id: 'open', method: 'GET', path: '/open', who: 'public' })
  assert.deepEqual(errorsOf(open), ['validation_failed', 'rate_limited', 'unavailable'])
  const write = route({
    ...plain,
    id: 'write',
    method: 'POST',
    path: '/things/{thing}',
    who: ['records:write'],
    wholeZone: false,
    body: z.strictObject({}),
    secret: true,
    errors: ['conflict'],
  })
  assert.deepEqual(errorsOf(write), [
    'malformed_request',
    'invalid_key',
    'signed_out',
    'forbidden',
    'quota_exceeded',
    'not_found',
    'conflict',
    'idempotency_mismatch',
    'idempotency_replayed',
    'payload_too_large',
    'uri_too_long',
    'unsupported_media_type',
    'validation_failed',
    'rate_limited',
    'unavailable',
  ])
  const built = openApiDocument([{ tag: 'Zones', routes: { open, write } }], [], {
    title: 't',
    version: '1',
    description: '',
  }) as unknown as Document
  const responses = built.paths['/things/{thing}']?.['post']?.responses ?? {}
  for (const code of errorsOf(write))
    assert.match(responseOf(responses, errorStatuses[code], built).description, new RegExp(`\`${code}\``))
  assert.deepEqual(built.paths['/open']?.['get']?.security, [], 'nobody needs a key for what is public')
})

test('no example in the document has the form of a real secret', () => {
  assert.doesNotMatch(JSON.stringify(document), /svc_live_[0-9A-Za-z]{38}|whsec_[0-9A-Za-z+/]{20}/)
})

test('every operation names the permissions that each allow the call, or who else can call it', () => {
  for (const { id, who } of routes) assert.deepEqual(operationOf(id)['x-permission'], [who].flat(), id)
  assert.deepEqual(
    ['getZone', 'putRrset', 'getOrder', 'createZone', 'createKey', 'currentKey', 'getPayPage'].map(
      (id) => operationOf(id)['x-permission'],
    ),
    [
      ['records:read'],
      ['records:write', 'acme:dns01'],
      ['domains:read', 'domains:buy'],
      ['zones:manage'],
      ['session'],
      ['any-key'],
      ['public'],
    ],
  )
})

test('the list of error codes is extensible: a client must not refuse a new one', () => {
  const { ErrorCode: code } = document.components.schemas
  assert.deepEqual(code?.['x-extensible-enum'], Object.keys(errorStatuses))
  assert.equal(code?.['type'], 'string')
  assert.equal(code?.['enum'], undefined)
  const envelope = document.components.schemas['Error'] as { properties: { error: { properties: Members } } }
  assert.deepEqual(envelope.properties.error.properties['code'], { $ref: '#/components/schemas/ErrorCode' })
})

test('each response names the headers that it can have', () => {
  for (const [id, status, headers] of [
    ['getRrset', 200, ['X-Request-Id', 'RateLimit', 'RateLimit-Policy', 'ETag']],
    ['listZones', 200, ['X-Request-Id', 'RateLimit', 'RateLimit-Policy', 'Link']],
    ['listAudit', 200, ['X-Request-Id', 'RateLimit', 'RateLimit-Policy', 'Link', 'Next-Cursor']],
    ['createContact', 201, ['X-Request-Id', 'RateLimit', 'RateLimit-Policy', 'Location']],
    ['createOrder', 200, ['X-Request-Id', 'RateLimit', 'RateLimit-Policy']],
    ['getPayPage', 200, ['X-Request-Id']],
    ['getPayPage', 429, ['X-Request-Id', 'RateLimit', 'RateLimit-Policy', 'Link', 'Retry-After']],
    ['getZone', 401, ['X-Request-Id', 'Link', 'WWW-Authenticate']],
    ['getZone', 403, ['X-Request-Id', 'RateLimit', 'RateLimit-Policy', 'Link']],
    ['getZone', 414, ['X-Request-Id', 'Link']],
    ['getZone', 503, ['X-Request-Id', 'RateLimit', 'RateLimit-Policy', 'Link', 'Retry-After']],
    ['createZone', 409, ['X-Request-Id', 'RateLimit', 'RateLimit-Policy', 'Link', 'Retry-After']],
    [
      'putRrset',
      201,
      ['X-Request-Id', 'RateLimit', 'RateLimit-Policy', 'ETag', 'Zone-Serial', 'Preference-Applied', 'Zone-Replicated'],
    ],
  ] as const)
    assert.deepEqual(
      Object.keys(responseOf(operationOf(id).responses, status).headers ?? {}),
      headers,
      `${id} ${status}`,
    )
  for (const [, , { operationId, responses }] of operations())
    for (const status of Object.keys(responses))
      for (const [name, { $ref }] of Object.entries(responseOf(responses, status).headers ?? {}))
        assert.equal($ref, `#/components/headers/${name}`, operationId)
})

test('a dry run is requested with a boolean, and its response has its own type', () => {
  const dry = operations().filter(([, , { parameters }]) => parameters.some(({ name }) => name === 'dry_run'))
  assert.ok(dry.length >= 10)
  for (const [, , { operationId, parameters, responses }] of dry) {
    const schema = parameters.find(({ name }) => name === 'dry_run')?.schema
    assert.deepEqual([schema?.['type'], schema?.['default']], ['boolean', false], operationId)
    const { description, content } = responseOf(responses, 200)
    assert.match(JSON.stringify(content), /#\/components\/schemas\/(Import|Order)?DryRun"/, operationId)
    assert.match(description, /`dry_run=true`/, operationId)
  }
  for (const [, , { operationId, parameters, responses }] of operations())
    if (!parameters.some(({ name }) => name === 'dry_run'))
      assert.doesNotMatch(JSON.stringify(responses), /DryRun/, operationId)
})

test('every heading of the reference has a description', () => {
  for (const { name, description } of document.tags) assert.match(description, /^[A-Z].{20,}\.$/, name)
})
