import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isRaw, type Route, routes } from '@zonewright/contract'
import { z } from 'zod'
import { Refusal } from '../errors.ts'
import { withoutPauses } from '../work/slices.ts'
import { parsePart, parseSliced, refuseUnkeepable } from './validation.ts'

function refusal(work: () => unknown): Refusal {
  try {
    work()
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
  return assert.fail('nothing was refused')
}

const sliced = (schema: z.ZodType, value: unknown): unknown => withoutPauses(parseSliced(schema, value, ''))
const placesOf = (work: () => unknown): string[] => refusal(work).details.map(({ code, path }) => `${code} ${path}`)

test('valid values come out as Zod returns them', () => {
  const schema = z.strictObject({
    name: z.string().trim(),
    ttl: z.int().optional(),
    dry: z.boolean().default(false),
    list: z
      .array(z.strictObject({ a: z.string() }))
      .max(3)
      .nullable(),
    extra: z.record(z.string().max(3), z.string()).optional(),
    zones: z.union([z.literal('all'), z.array(z.string())]),
  })
  for (const value of [
    { name: ' a ', list: null, zones: 'all' },
    { name: 'a', ttl: 5, dry: true, list: [{ a: 'b' }, { a: 'c' }], extra: { k: 'v' }, zones: ['x'] },
    { name: 'a', list: [], extra: {}, zones: [], ttl: undefined },
  ])
    assert.deepEqual(sliced(schema, value), schema.parse(value))
  assert.deepEqual(sliced(z.object({ a: z.string() }), { a: 'b', c: 1 }), { a: 'b' }, 'others are left out')
})

test('each fault names its place, and a list that is too long is reported as one fault', () => {
  const schema = z.strictObject({
    list: z
      .array(z.strictObject({ a: z.string() }))
      .min(1)
      .max(3),
    n: z.int(),
  })
  assert.deepEqual(
    placesOf(() => sliced(schema, { list: [{ a: 1 }, 2, { a: 'b', c: 1 }], m: 1 })),
    ['wrong_type /list/0/a', 'wrong_type /list/1', 'unknown_member /list/2/c', 'missing /n', 'unknown_member /m'],
  )
  assert.deepEqual(
    placesOf(() => sliced(schema, { list: [1, 2, 3, 4], n: 1 })),
    ['too_large /list'],
  )
  assert.deepEqual(
    placesOf(() => sliced(schema, { list: [], n: 1 })),
    ['too_small /list'],
  )
  assert.deepEqual(
    placesOf(() => sliced(schema, null)),
    ['wrong_type '],
  )
  const keyed = z.strictObject({ extra: z.record(z.string().max(2), z.string()) })
  assert.deepEqual(placesOf(() => sliced(keyed, { extra: { abc: 'x', a: 1 } })).sort(), [
    'too_large /extra/abc',
    'wrong_type /extra/a',
  ])
})

test('validation stops at the 101st fault', () => {
  let looked = 0
  const counted = z.string().refine(() => {
    looked++
    return false
  }, 'No.')
  const refused = refusal(() => sliced(z.array(counted), Array.from({ length: 50_000 }, String)))
  assert.deepEqual([refused.details.length, looked], [100, 101])
  assert.match(refused.message, /\(and more\)$/)
  for (const [value, more] of [
    [100, /\(and 99 more\)$/],
    [101, /\(and more\)$/],
  ] as const) {
    const { details, message } = refusal(() =>
      sliced(
        z.array(z.string()),
        Array.from({ length: value }, () => 1),
      ),
    )
    assert.equal(details.length, 100)
    assert.match(message, more)
  }
})

test('a union with a list is validated element by element', () => {
  const schema = z.strictObject({ zones: z.union([z.literal('all'), z.array(z.string()).max(1_000)]) })
  assert.deepEqual(
    placesOf(() => sliced(schema, { zones: ['a', 1] })),
    ['wrong_type /zones/1'],
  )
  assert.deepEqual(
    placesOf(() => sliced(schema, { zones: Array.from({ length: 200_000 }, () => 1) })),
    ['too_large /zones'],
  )
  assert.deepEqual(
    placesOf(() => sliced(schema, { zones: 'none' })),
    ['invalid /zones'],
  )
})

test('messages name a member by at most its first 200 characters', () => {
  const name = 'a b'.repeat(1_000)
  const { details, message } = refusal(() => parsePart(z.strictObject({}), { [name]: 1 }, ''))
  for (const text of [details[0]?.path, details[0]?.message, message]) {
    assert.ok(text?.includes(name.slice(0, 199)))
    assert.ok(!text?.includes(name.slice(0, 201)))
  }
})

test('a body has at most 64 levels, and only text that can be stored', () => {
  const nested = (depth: number): unknown => JSON.parse(`${'[{"a":'.repeat(depth / 2)}1${'}]'.repeat(depth / 2)}`)
  const look = (value: unknown) => withoutPauses(refuseUnkeepable(value, ''))
  look(nested(64))
  for (const depth of [66, 1_000, 100_000]) assert.match(refusal(() => look(nested(depth))).message, /64 levels/)
  for (const [value, place] of [
    ['\0', 'invalid '],
    [{ a: ['x', '\ud800'] }, 'invalid /a/1'],
    [{ 'a\0': 1 }, 'invalid /a\0'],
    [[{ b: { c: '\udc00x' } }], 'invalid /0/b/c'],
    [{ '\ud800': {} }, 'invalid /\ud800'],
  ] as const)
    assert.deepEqual(
      placesOf(() => look(value)),
      [place],
    )
  assert.equal(refusal(() => look(Array.from({ length: 5_000 }, () => '\0'))).details.length, 100)
})

test('every body of the contract consists of shapes that are validated piece by piece', () => {
  const lists = (schema: z.ZodType): z.ZodType[] => {
    if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
      return lists(schema.unwrap() as z.ZodType)
    if (schema instanceof z.ZodArray) return lists(schema.element as z.ZodType)
    if (schema instanceof z.ZodRecord) return lists(schema.valueType as z.ZodType)
    if (schema instanceof z.ZodUnion) return schema.options.flatMap((option) => lists(option as z.ZodType))
    if (schema instanceof z.ZodObject && !schema.def.checks?.length)
      return Object.values(schema.shape as Record<string, z.ZodType>).flatMap(lists)
    return [schema]
  }
  const leaves = ['string', 'number', 'int', 'boolean', 'enum', 'literal', 'pipe']
  for (const { id, body } of routes as readonly Route[]) {
    const schema = isRaw(body) ? body.json : body
    if (schema === undefined) continue
    for (const leaf of lists(schema)) assert.ok(leaves.includes(leaf.def.type), `${id}: ${leaf.def.type}`)
  }
})
