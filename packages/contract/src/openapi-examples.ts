import { errorMessages } from './error-examples.ts'
import { type ErrorCode, errorStatuses } from './errors.ts'
import { bodies, byFormat, byName, idsByPath, objects, texts } from './examples.ts'
import type { Json } from './openapi-schemas.ts'

type Schema = { readonly [word: string]: Json }
type Schemas = Readonly<Record<string, Json>>

/**
 * An example of a schema: from the schema itself, otherwise from `examples.ts` for an object or a member of that name, and otherwise a
 * value that the schema allows.
 *
 * @param name the member or the parameter that has the value
 */
export function exampleOf(schema: Json, schemas: Schemas, name = ''): Json {
  const { example, enum: words, const: only, default: usual, anyOf } = schema as Schema
  for (const given of [example, only, (words as Json[] | undefined)?.[0], usual]) if (given !== undefined) return given
  const id = idOf(schema as Schema)
  if (id !== undefined) return objects[id] ?? exampleOf(schemas[id] ?? {}, schemas, name)
  const parts = (anyOf as Schema[] | undefined) ?? []
  const part = parts.find((one) => typesOf(one)[0] !== 'null')
  return part === undefined ? exampleOfType(schema as Schema, schemas, name) : exampleOf(part, schemas, name)
}

function idOf({ $ref }: Schema): string | undefined {
  return typeof $ref === 'string' ? $ref.replace('#/components/schemas/', '') : undefined
}

function typesOf({ type }: Schema): readonly string[] {
  return type === undefined ? [] : ([type].flat() as string[])
}

function exampleOfType(schema: Schema, schemas: Schemas, name: string): Json {
  switch (typesOf(schema)[0]) {
    case 'object':
      return Object.fromEntries(
        Object.entries((schema['properties'] as Schema | undefined) ?? {}).map(([member, of]) => [
          member,
          exampleOf(of, schemas, member),
        ]),
      )
    case 'array': {
      const items = (schema['items'] as Schema | undefined) ?? {}
      const words = byName[name]
      if (Array.isArray(words) && items['type'] === 'string') return words
      return [exampleOf(items, schemas, name.replace(/s$/, ''))]
    }
    case 'boolean':
      return true
    case 'integer':
    case 'number':
      return typeof byName[name] === 'number' ? byName[name] : Math.max(Number(schema['minimum'] ?? 1), 1)
    case 'null':
      return null
    default:
      return exampleOfText(schema, name)
  }
}

function exampleOfText({ format }: Schema, name: string): string {
  const formatted = byFormat[String(format)]
  if (formatted !== undefined) return formatted
  const word = byName[name]
  if (typeof word === 'string') return word
  if (/(^|_)at$/.test(name)) return byFormat['date-time'] as string
  return /(^|_)id$/.test(name) ? (byFormat['uuid'] as string) : '…'
}

/** The content of a JSON body with an example, or with one for each shape that the body may have. `place`: as in `bodies`. */
export function jsonContent(place: string, schema: Json, schemas: Schemas): Json {
  const ids = ((schema as Schema)['anyOf'] as Schema[] | undefined)?.map(idOf) ?? []
  const given = bodies[place]
  if (given !== undefined || ids.length < 2 || ids.includes(undefined))
    return { schema, example: given ?? exampleOf(schema, schemas) }
  const examples = ids.map((id = '') => [id, { value: exampleOf({ $ref: `#/components/schemas/${id}` }, schemas) }])
  return { schema, examples: Object.fromEntries(examples) }
}

/** The content of another body, including JSON that another service defines and signs. `place`: as in `texts`. */
export function rawContent(place: string, type: string): Json {
  return { schema: { type: type === 'application/json' ? 'object' : 'string' }, example: texts[place] ?? '…' }
}

/** The example of a path parameter. */
export function pathExample(path: string, name: string, schema: Json, schemas: Schemas): Json {
  const collection = /([^/]+)\/\{id\}/.exec(path)?.[1] ?? ''
  return (name === 'id' ? idsByPath[collection] : undefined) ?? exampleOf(schema, schemas, name)
}

/** The components that describe each of these errors. */
export function errorExamples(codes: readonly ErrorCode[]): Json {
  return Object.fromEntries(
    [...new Set(codes)]
      .sort((a, b) => errorStatuses[a] - errorStatuses[b])
      .map((code) => [code, { value: errorExample(code) }]),
  )
}

function errorExample(code: ErrorCode): Json {
  const details = [{ path: '/records/0', code: 'invalid', message: 'Not an IPv4 address.' }]
  const error = { code, message: errorMessages[code], request_id: String(byName['request_id']) }
  return { error: code === 'validation_failed' ? { ...error, details } : error }
}

/** The schemas, each with an example. */
export function withExamples(schemas: Schemas): Json {
  return Object.fromEntries(
    Object.entries(schemas).map(([id, schema]) => [
      id,
      { ...(schema as object), example: exampleOf({ $ref: `#/components/schemas/${id}` }, schemas) },
    ]),
  )
}
