import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { errorEnvelope, errorStatuses } from './errors.ts'
import { bodies, objects, texts } from './examples.ts'
import type { Json } from './openapi-schemas.ts'
import { replayedSchema } from './replayed.ts'
import { isRaw } from './route.ts'
import { apiDocument, routes } from './routes.ts'

type Members = { readonly [member: string]: Json }
interface Media {
  readonly schema: Members
  readonly example?: Json
  readonly examples?: Readonly<Record<string, { readonly value?: Json; readonly $ref?: string }>>
}
type Content = Readonly<Record<string, Media>>
interface Operation {
  readonly operationId: string
  readonly parameters: readonly { readonly in: string; readonly name: string; readonly example?: Json }[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly content?: Content; readonly $ref?: string }>>
}

const document = apiDocument() as unknown as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly webhooks: Readonly<
    Record<string, { readonly post: { readonly requestBody: { readonly content: Content } } }>
  >
  readonly components: {
    readonly schemas: Readonly<Record<string, Members>>
    readonly examples: Readonly<Record<string, { readonly value: Json }>>
    readonly responses: Operation['responses']
  }
}
const { components } = document

function operationOf({ path, method }: { path: string; method: string }): Operation {
  return document.paths[path]?.[method.toLowerCase()] ?? assert.fail(path)
}

function examplesOf({ example, examples }: Media): Json[] {
  if (examples === undefined) return example === undefined ? [] : [example]
  return Object.values(examples).map(({ value, $ref = '' }) => {
    return value ?? components.examples[$ref.replace('#/components/examples/', '')]?.value ?? assert.fail($ref)
  })
}

function named({ $ref, ...schema }: Members): Members {
  if (typeof $ref !== 'string') return schema
  return components.schemas[$ref.replace('#/components/schemas/', '')] ?? assert.fail($ref)
}

/** Members of a value that no part of its schema has. */
function unknownMembers(value: Json, schemas: readonly Members[], at = ''): string[] {
  const parts = schemas.map(named).flatMap((each) => {
    const more = (each['anyOf'] ?? each['oneOf'] ?? each['allOf']) as Members[] | undefined
    return more === undefined ? [each] : more.map(named)
  })
  if (Array.isArray(value)) {
    const items = parts.flatMap(({ items: of }) => (of === undefined ? [] : [of as Members]))
    return value.flatMap((item, i) => unknownMembers(item, items, `${at}/${i}`))
  }
  if (value === null || typeof value !== 'object') return []
  const shapes = parts.flatMap(({ properties }) => (properties === undefined ? [] : [properties as Members]))
  // A record, or any JSON.
  if (shapes.length === 0) return []
  return Object.entries(value).flatMap(([member, of]) => {
    const known = shapes.flatMap((shape) => (shape[member] === undefined ? [] : [shape[member] as Members]))
    return known.length === 0 ? [`${at}/${member}`] : unknownMembers(of, known, `${at}/${member}`)
  })
}

function assertTaken(shape: z.ZodType, media: Media | undefined, of: string): void {
  assert.ok(media, of)
  const examples = examplesOf(media)
  assert.ok(examples.length > 0, `${of} has no example`)
  for (const example of examples) {
    assert.deepEqual(shape.safeParse(example).error?.issues, undefined, `${of}: ${JSON.stringify(example)}`)
    assert.deepEqual(unknownMembers(example, [media.schema]), [], of)
  }
}

test('every request with a body has an example that the route accepts', () => {
  for (const route of routes) {
    const content = operationOf(route).requestBody?.content
    if (route.body === undefined) {
      assert.equal(content, undefined, route.id)
      continue
    }
    const shape = isRaw(route.body) ? route.body.json : route.body
    if (shape !== undefined) assertTaken(shape, content?.['application/json'], route.id)
    if (isRaw(route.body)) assert.equal(content?.[route.body.raw]?.example, texts[route.id])
  }
})

test('every response with a body has an example of its shape, or one for each shape that it can have', () => {
  for (const route of routes)
    for (const [status, shape] of Object.entries(route.answers)) {
      const of = `${route.id} ${status}`
      const content = operationOf(route).responses[status]?.content
      if (shape === null) assert.equal(content, undefined, of)
      else if ('raw' in shape) assert.equal(content?.[shape.raw]?.example, texts[of], of)
      else assertTaken(route.long ? z.union([shape, replayedSchema]) : shape, content?.['application/json'], of)
      if (route.alsoAs !== undefined) assert.equal(content?.[route.alsoAs]?.example, texts[of], of)
    }
})

test('every error response has an example of each of its codes', () => {
  for (const route of routes)
    for (const [status, response] of Object.entries(operationOf(route).responses)) {
      if (Number(status) < 400) continue
      const { content } = components.responses[String(response.$ref).split('/').at(-1) ?? ''] ?? response
      assertTaken(errorEnvelope, content?.['application/json'], `${route.id} ${status}`)
      for (const [code, { $ref }] of Object.entries(content?.['application/json']?.examples ?? {})) {
        assert.equal($ref, `#/components/examples/${code}`)
        const { value } = components.examples[code] ?? assert.fail(code)
        const { error } = value as { error: { code: string; message: string } }
        assert.equal(error.code, code)
        assert.equal(errorStatuses[code as keyof typeof errorStatuses], Number(status))
        assert.match(error.message, /\.$/, code)
      }
    }
})

test('every event and every path parameter has an example', () => {
  for (const [type, { post }] of Object.entries(document.webhooks)) {
    const media = post.requestBody.content['application/json'] ?? assert.fail(type)
    const [example] = examplesOf(media)
    assert.equal((example as Members)['type'], type)
    assert.deepEqual(unknownMembers(example ?? null, [media.schema]), [], type)
  }
  for (const route of routes)
    for (const { in: where, name, example } of operationOf(route).parameters)
      if (where === 'path') {
        const parsed = (route.params as z.ZodObject).shape[name]?.safeParse(example)
        assert.ok(parsed?.success && example !== '…', `${route.id} ${name} ${example}`)
      }
})

test('every example is used', () => {
  const ids = new Set(Object.keys(components.schemas))
  for (const id of Object.keys(objects)) assert.ok(ids.has(id), id)
  const places = routes.flatMap((route) => [route.id, ...Object.keys(route.answers).map((of) => `${route.id} ${of}`)])
  for (const place of [...Object.keys(bodies), ...Object.keys(texts)]) assert.ok(places.includes(place), place)
})

test('examples are useful: none is just an ellipsis', () => {
  for (const route of routes) {
    const { requestBody, responses } = operationOf(route)
    const contents = [requestBody?.content, ...Object.values(responses).map(({ content }) => content)]
    for (const media of contents.flatMap((content) => Object.values(content ?? {})))
      for (const example of examplesOf(media)) assert.doesNotMatch(JSON.stringify(example), /"…"/, route.id)
  }
})
