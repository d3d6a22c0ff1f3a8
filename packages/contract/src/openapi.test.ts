import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { errorStatuses } from './errors.ts'
import { eventTypes } from './event-types.ts'
import { errorsOf, openApiDocument } from './openapi.ts'
import type { Json } from './openapi-schemas.ts'
import { route } from './route.ts'
import { apiDocument, routes } from './routes.ts'

type Members = { [member: string]: Json }
interface Operation {
  readonly operationId: string
  readonly description: string
  readonly tags: string[]
  readonly security?: Json
  readonly parameters: { name: string; in: string; required: boolean; schema: Members }[]
  readonly requestBody?: { required: boolean; content: Members }
  readonly responses: Record<string, { description: string; content?: Record<string, { schema: Members }> }>
}
interface Document {
  readonly openapi: string
  readonly tags: { name: string }[]
  readonly paths: Record<string, Record<string, Operation>>
  readonly webhooks: Record<string, { post: Operation }>
  readonly components: { schemas: Record<string, Members> }
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

test('every route is there once, under its path, method and id', () => {
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

test('a body of which every member may be left out is not required', () => {
  const isRequired = (id: string) => operationOf(id).requestBody?.required
  assert.deepEqual(['testWebhook', 'rotateWebhookSecret', 'createWebhook', 'importZone'].map(isRequired), [
    false,
    false,
    true,
    true,
  ])
})

test('every reference leads to a component, and no component is there for nothing', () => {
  const references = new Set([...objectsIn(document)].flatMap(({ $ref }) => (typeof $ref === 'string' ? [$ref] : [])))
  const components = Object.keys(document.components.schemas).map((name) => `#/components/schemas/${name}`)
  assert.deepEqual([...references].toSorted(), components.toSorted())
})

/** What a request is about, where that stands in the query. */
const neededInQuery = new Set(['freeSubdomainAvailability name'])

test('every parameter of a path is described and needed, and none that the path lacks', () => {
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

test('every operation tells its success, its errors and who may call it, under a tag that is listed', () => {
  const tags = document.tags.map(({ name }) => name)
  for (const [, , { operationId, responses, description, tags: own }] of operations()) {
    const statuses = Object.keys(responses).map(Number)
    assert.ok(
      statuses.some((status) => status >= 200 && status < 300),
      operationId,
    )
    // Whoever needs not say who they are cannot be refused for it.
    const isPublic = description.includes('Anybody may call this')
    for (const status of isPublic ? [503] : [401, 403, 429, 503])
      assert.ok(statuses.includes(status), `${operationId} ${status}`)
    assert.match(
      description,
      /Needs the permission `|Any key may call this|Only in the dashboard|Anybody may call this/,
    )
    assert.ok(own.every((tag) => tags.includes(tag)))
    for (const [status, { content }] of Object.entries(responses))
      if (Number(status) >= 400)
        assert.deepEqual(content?.['application/json']?.schema, { $ref: '#/components/schemas/Error' }, operationId)
  }
})

test('a body has its media type, and every body of JSON refuses members that it does not know', () => {
  for (const { id, body } of routes.filter((one) => one.body !== undefined)) {
    const content = operationOf(id).requestBody?.content as Record<string, { schema: Members }>
    const [[type, { schema }] = ['', { schema: {} }]] = Object.entries(content)
    assert.equal(type, body !== undefined && 'raw' in body ? body.raw : 'application/json', id)
    // What others sign is taken as it comes.
    const isRaw = body !== undefined && 'raw' in body
    if (type === 'application/json' && !isRaw) assert.equal(schema['additionalProperties'], false, id)
  }
})

test('every query refuses a parameter that it does not know: a misspelt `dry_run` must not have the change made', () => {
  for (const { id, query } of routes) {
    const issues = query?.safeParse({ bogus: 'x' }).error?.issues ?? []
    if (query !== undefined)
      assert.ok(
        issues.some(({ code }) => code === 'unrecognized_keys'),
        id,
      )
  }
})

test('POST takes an Idempotency-Key, but for the gateway’s news, and writes that may be refused with 412 take If-Match', () => {
  for (const [, method, { operationId, parameters, responses }] of operations()) {
    const names = parameters.map(({ name }) => name)
    assert.equal(names.includes('Idempotency-Key'), method === 'post' && operationId !== 'gatewayNews', operationId)
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
    assert.match(responses[errorStatuses[code]]?.description ?? '', new RegExp(`\`${code}\``))
  assert.deepEqual(built.paths['/open']?.['get']?.security, [], 'nobody needs a key for what is public')
})

test('no example in the document is a secret that works', () => {
  assert.doesNotMatch(JSON.stringify(document), /svc_live_[0-9A-Za-z]{38}|whsec_[0-9A-Za-z+/]{20}/)
})
