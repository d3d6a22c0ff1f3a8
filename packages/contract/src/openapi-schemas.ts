import { z } from 'zod'

/** A JSON document. */
export type Json = string | number | boolean | null | Json[] | { [member: string]: Json }

/** Collects the components that operations refer to: named schemas, and responses that many of them have. */
export class Components {
  readonly schemas: Record<string, Json> = {}
  readonly responses: Record<string, Json> = {}
  /** Most responses share a few shapes, and building one takes a millisecond. */
  readonly #made = { input: new Map<z.ZodType, Json>(), output: new Map<z.ZodType, Json>() }

  schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
    const made = this.#made[io].get(schema) ?? this.#make(schema, io)
    this.#made[io].set(schema, made)
    return made
  }

  /** A reference to the response with these error codes, or the response itself if it is rare. */
  shareResponse(codes: readonly string[], response: Json): Json {
    if (codes.length > 3) return response
    const name = codes.join('.')
    const shared = this.responses[name] ?? response
    if (JSON.stringify(shared) !== JSON.stringify(response)) return response
    this.responses[name] = shared
    return { $ref: `#/components/responses/${name}` }
  }

  #make(schema: z.ZodType, io: 'input' | 'output'): Json {
    const {
      $schema: _,
      $defs,
      ...json
    } = z.toJSONSchema(schema, {
      io,
      unrepresentable: 'any',
      override: ({ zodSchema, jsonSchema }) => {
        // Zod omits the default of a value that is parsed from text, such as `dry_run`.
        if (io === 'input' && zodSchema instanceof z.ZodDefault) jsonSchema.default = zodSchema.def.defaultValue as Json
        // The safe-integer bounds of JSON numbers would only clutter the page.
        if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
        if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
        // Responses may gain members: a client that was generated from the document must not refuse them.
        if (io === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
      },
    }) as { [member: string]: Json }
    for (const [id, definition] of Object.entries(($defs ?? {}) as Record<string, Json>)) this.#keep(id, definition)
    const { id } = json
    if (typeof id !== 'string') return repoint(json)
    this.#keep(id, json)
    return { $ref: `#/components/schemas/${id}` }
  }

  #keep(id: string, definition: Json): void {
    const { id: _, $schema: __, ...rest } = definition as { [member: string]: Json }
    this.schemas[id] = repoint(rest)
  }
}

/** References within one schema become references to the document's components. */
function repoint(value: Json): Json {
  if (Array.isArray(value)) return value.map(repoint)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      name === '$ref' && typeof member === 'string'
        ? member.replace('#/$defs/', '#/components/schemas/')
        : repoint(member),
    ]),
  )
}
