import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { sampleName, sampleOf } from './event-samples.ts'
import { type EventType, eventSchemaOf, eventTypes } from './event-types.ts'
import { apiDocument } from './routes.ts'

const types = Object.keys(eventTypes) as EventType[]

interface Document {
  readonly webhooks: Record<string, { post: { requestBody: { content: { 'application/json': { schema: object } } } } }>
  readonly components: { schemas: Record<string, object> }
}
const document = apiDocument() as unknown as Document

/** The schema that the OpenAPI document has for the body of an event. */
function publishedSchemaOf(type: EventType): z.ZodType {
  const schema = document.webhooks[type]?.post.requestBody.content['application/json'].schema
  assert.ok(schema, `the OpenAPI document has no webhook ${type}`)
  const text = JSON.stringify({ ...schema, $defs: document.components.schemas })
  return z.fromJSONSchema(JSON.parse(text.replaceAll('#/components/schemas/', '#/$defs/')))
}

function eventOf(type: EventType): object {
  return { id: `evt_${'0'.repeat(32)}`, type, created_at: '2026-01-01T00:00:00.000Z', data: sampleOf(type) }
}

/** Every string anywhere below a value, with its path. */
function* stringsIn(value: unknown, path = ''): Generator<[path: string, text: string]> {
  if (typeof value === 'string') yield [path, value]
  else if (typeof value === 'object' && value !== null)
    for (const [name, member] of Object.entries(value)) yield* stringsIn(member, `${path}/${name}`)
}

for (const type of types)
  test(`the sample of ${type} has exactly the shape that the OpenAPI document gives to the event`, () => {
    assert.ok(sampleOf(type), `${type} has no sample: add one to event-samples.ts`)
    assert.deepEqual(publishedSchemaOf(type).parse(eventOf(type)), eventOf(type))
    // Zod drops members that the schema lacks, at every depth, and keeps the order of those that it has.
    assert.equal(JSON.stringify(eventSchemaOf(type).parse(eventOf(type))), JSON.stringify(eventOf(type)))
  })

test('the published schema refuses a sample that lacks a member or has a member of another type', () => {
  const faulty = { ...eventOf('zone.created'), data: { zone: { name: sampleName } } }
  assert.equal(publishedSchemaOf('zone.created').safeParse(faulty).success, false)
  const { order } = sampleOf('order.paid') as { order: object }
  const free = { ...eventOf('order.paid'), data: { order: { ...order, amount_kobo: '0' } } }
  assert.equal(publishedSchemaOf('order.paid').safeParse(free).success, false)
})

test('samples refer to nothing that exists: reserved names, the nil UUID, an order id of zeros', () => {
  for (const type of types) {
    const data = sampleOf(type) as { zone?: { id: string }; order?: { id: string } }
    if (data.zone) assert.equal(data.zone.id, '00000000-0000-0000-0000-000000000000', type)
    if (data.order) assert.match(data.order.id, /^ord_0{32}$/, type)
    assert.equal(type.startsWith('zone.'), data.zone !== undefined, type)
    assert.equal(type.startsWith('order.'), data.order !== undefined, type)
    for (const [path, text] of stringsIn(data))
      if (/\bname(servers\/\d+)?$|_nameservers\/\d+$|email$/.test(path))
        assert.match(text, /(^|[.@])sample\.zonewright\.invalid$/, `${type} ${path}`)
      else if (!/^\d{4}-\d\d-\d\dT|^192\.0\.2\.\d+$|^[^.]*\.?$/.test(text)) assert.fail(`${type} ${path}: ${text}`)
  }
})
