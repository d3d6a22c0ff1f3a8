import assert from 'node:assert/strict'
import test from 'node:test'
import { z } from 'zod'
import { Refusal } from '../errors.ts'
import { parsePart } from './validation.ts'

function faultOf(schema: z.ZodType, value: unknown): string {
  try {
    parsePart(z.strictObject({ it: schema }), value === undefined ? {} : { it: value }, '')
  } catch (error) {
    assert.ok(error instanceof Refusal && error.details)
    return error.details.map(({ code, message }) => `${code}: ${message}`).join(' ')
  }
  return assert.fail('the value is valid')
}

test('each fault says what to send instead', () => {
  const either = z.union([z.literal('all'), z.array(z.string())])
  for (const [schema, value, message] of [
    [z.string(), undefined, 'missing: This is required. It must be a string.'],
    [z.array(z.string()), 'a', 'wrong_type: This must be an array, but is a string.'],
    [z.array(z.string()), {}, 'wrong_type: This must be an array, but is an object.'],
    [z.object({}), ['a'], 'wrong_type: This must be an object, but is an array.'],
    [z.record(z.string(), z.string()), 3, 'wrong_type: This must be an object, but is a number.'],
    [z.number(), null, 'wrong_type: This must be a number, but is null.'],
    [z.number(), true, 'wrong_type: This must be a number, but is true.'],
    [z.int(), 1.5, 'wrong_type: This must be an integer, but is a number.'],
    [z.coerce.number(), 'abc', 'wrong_type: This must be a number.'],
    [z.enum(['asc', 'desc']), 'up', 'invalid: This must be "asc" or "desc".'],
    [z.enum(['a', 'b', 'c']), 1, 'invalid: This must be "a", "b" or "c".'],
    [z.literal(true), false, 'invalid: This must be true.'],
    [either, 'some', 'invalid: This must be "all" or an array.'],
    [either, undefined, 'invalid: This must be "all" or an array.'],
    [either, [1], 'wrong_type: This must be a string, but is a number.'],
    [z.uuid().nullable(), 'x', /^invalid: This must be a UUID, such as /],
    [z.iso.datetime(), 'yesterday', 'invalid: This must be a time with a time zone, such as 2026-11-23T12:00:00Z.'],
    [z.union([z.email(), z.null()]), 'x', 'invalid: This must be an email address, such as ada@example.com.'],
    [z.string().regex(/^a$/), 'b', 'invalid: This must be in the form that the reference describes.'],
    [z.string().min(1), '', 'too_small: This must not be empty.'],
    [z.string().max(3), 'abcd', 'too_large: This must have at most 3 characters.'],
    [z.array(z.string()).min(1), [], 'too_small: This must have at least 1 element.'],
    [z.array(z.string()).max(2), ['a', 'b', 'c'], 'too_large: This must have at most 2 elements.'],
    [z.int().min(30), 2, 'too_small: This must be at least 30.'],
    [z.number().lt(5), 5, 'too_large: This must be less than 5.'],
    [z.number().multipleOf(10), 5, 'invalid: This must be a multiple of 10.'],
    [z.string().min(1, 'Choose a name'), '', 'too_small: Choose a name.'],
  ] as const) {
    const fault = faultOf(schema, value)
    if (typeof message === 'string') assert.equal(fault, message)
    else assert.match(fault, message)
  }
})
