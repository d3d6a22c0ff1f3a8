import fc from 'fast-check'
import { oddText } from './odd-values.ts'

/** A JSON Schema of the contract's document. */
export interface Schema {
  readonly [word: string]: unknown
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly enum?: readonly unknown[]
}

/** Existing values, by the name of the member or parameter that may have them. */
export type Facts = Readonly<Record<string, readonly unknown[]>>

/**
 * Values that a schema allows but that may be odd: the minimum and maximum of a number, omitted members, texts that no schema checks. If
 * values exist for a member's name, most values are among them.
 */
export function fromSchema(
  schema: Schema,
  schemas: Readonly<Record<string, Schema>>,
  facts: Facts,
  name = '',
): fc.Arbitrary<unknown> {
  const { $ref, anyOf, oneOf, properties, items } = schema
  if (typeof $ref === 'string')
    return fromSchema(schemas[$ref.slice($ref.lastIndexOf('/') + 1)] ?? {}, schemas, facts, name)
  if (schema['const'] !== undefined) return fc.constant(schema['const'])
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
  const parts = anyOf ?? oneOf
  if (parts !== undefined) return fc.oneof(...parts.map((part) => fromSchema(part, schemas, facts, name)))
  const [type] = [schema.type ?? []].flat()
  if (properties !== undefined)
    return fc.record(
      Object.fromEntries(
        Object.entries(properties).map(([member, of]) => [member, fromSchema(of, schemas, facts, member)]),
      ),
      { requiredKeys: [...(schema.required ?? [])] },
    )
  if (type === 'object') return fc.dictionary(oddText, oddText, { maxKeys: 3 })
  if (type === 'array') {
    const least = numberOf(schema['minItems'], 0)
    const most = Math.min(numberOf(schema['maxItems'], 4), least + 4)
    return fc.array(fromSchema(items ?? {}, schemas, facts, name), { minLength: least, maxLength: most })
  }
  const known = facts[name] ?? []
  const own = ofType(schema, type)
  return known.length > 0
    ? fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...known) }, { weight: 1, arbitrary: own })
    : own
}

function ofType(schema: Schema, type: string | undefined): fc.Arbitrary<unknown> {
  if (type === 'boolean') return fc.boolean()
  if (type === 'null') return fc.constant(null)
  if (type === 'integer' || type === 'number') {
    const least = numberOf(schema['minimum'], -5)
    const most = Math.max(least, numberOf(schema['maximum'], 2_147_483_647))
    return fc.oneof(fc.constantFrom(least, most), fc.integer({ min: least, max: Math.min(most, least + 100) }))
  }
  if (schema['format'] === 'date-time')
    return fc.constantFrom(
      '2026-03-01T09:30:00.000Z',
      '0001-01-01T00:00:00Z',
      '9999-12-31T23:59:59Z',
      '2024-02-29T23:59:60Z',
    )
  if (schema['format'] === 'email')
    return fc.constantFrom('ada@example.net', "o'hara+x@example.co.uk", 'a@xn--p1ai.xn--p1ai')
  if (schema['format'] === 'uuid') return fc.uuid()
  if (schema['format'] === 'ipv4') return fc.ipV4()
  if (schema['format'] === 'ipv6') return fc.ipV6()
  const most = numberOf(schema['maxLength'], 5_000)
  return fc.oneof(
    oddText.map((text) => text.slice(0, most)),
    fc.constant('x'.repeat(Math.min(most, 20_000))),
  )
}

function numberOf(value: unknown, otherwise: number): number {
  return typeof value === 'number' ? value : otherwise
}
