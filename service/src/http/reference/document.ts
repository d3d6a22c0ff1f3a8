/** The parts of an OpenAPI 3.1 document that the reference page reads. */
export interface Document {
  readonly info: { readonly title: string; readonly description: string }
  readonly servers: readonly { readonly url: string }[]
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly webhooks: Readonly<Record<string, { readonly post: Operation }>>
  readonly components: {
    readonly securitySchemes: Readonly<Record<string, { readonly description: string }>>
    readonly schemas: Schemas
    readonly responses: Readonly<Record<string, Response>>
    readonly examples: Readonly<Record<string, { readonly value: unknown }>>
  }
}

export interface Operation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description: string
  readonly parameters: readonly Parameter[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, Response | { readonly $ref: string }>>
}

export interface Response {
  readonly description: string
  /** By name. */
  readonly headers?: Readonly<Record<string, unknown>>
  readonly content?: Content
}

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly description?: string
  readonly schema: Schema
}

/** By media type. */
export type Content = Readonly<Record<string, MediaType>>

export interface MediaType {
  readonly schema: Schema
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>
}

export type Schemas = Readonly<Record<string, Schema>>

/** A JSON Schema, with the keywords that the contract's shapes become. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly description?: string
  readonly example?: unknown
  readonly default?: unknown
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
}

/** The response of an operation, which may be shared by many operations. */
export function responseOf(response: Response | { readonly $ref: string }, { components }: Document): Response {
  if (!('$ref' in response)) return response
  return components.responses[response.$ref.replace('#/components/responses/', '')] ?? { description: '' }
}

/** The name of the component that a schema refers to. */
export function referenceOf({ $ref }: Schema): string | undefined {
  return $ref?.replace('#/components/schemas/', '')
}

/** The shapes of which a value matches one, or all. */
export function partsOf({ anyOf, oneOf, allOf }: Schema): readonly Schema[] {
  return anyOf ?? oneOf ?? allOf ?? []
}

/** The types that a value may have; a number that may be null has both. */
export function typesOf({ type }: Schema): readonly string[] {
  return type === undefined ? [] : [type].flat()
}
