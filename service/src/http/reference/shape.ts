import { partsOf, referenceOf, type Schema, typesOf } from './document.ts'
import { type Html, html, inline, nothing } from './html.ts'

/** A member of a shape, or of a shape within it: one row of a table. */
interface Row {
  readonly name: string
  readonly isRequired: boolean
  readonly schema: Schema
}

/** The members of a shape as a table. Those of named objects are described once, where the link leads. */
export function shapeTable(schema: Schema, caption: string): Html {
  const rows = rowsOf(schema, '')
  if (rows.length === 0) return html`<p class="type">${typeOf(schema)}</p>`
  return html`<table>
<caption>${{ text: caption }}</caption>
<thead><tr><th scope="col">Member</th><th scope="col">Type</th><th scope="col">Description</th></tr></thead>
<tbody>${rows.map(rowHtml)}</tbody></table>
`
}

function rowHtml({ name, isRequired, schema }: Row): Html {
  return html`<tr><th scope="row"><code>${{ text: name }}</code>${isRequired ? html` <small class="required">required</small>` : nothing}</th><td>${typeOf(schema)}</td><td>${noteOf(schema)}</td></tr>
`
}

function rowsOf(schema: Schema, prefix: string): Row[] {
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, member]) => [
    { name: prefix + name, isRequired: schema.required?.includes(name) ?? false, schema: member },
    ...rowsOf(member, `${prefix}${name}.`),
  ])
  const within = schema.items ? rowsOf(schema.items, `${prefix.replace(/\.$/, '')}[].`) : []
  return [...own, ...within, ...distinct(partsOf(schema).flatMap((part) => rowsOf(part, prefix)))]
}

/** For alternative shapes, members that several of them have are listed once. */
function distinct(rows: readonly Row[]): Row[] {
  return [...new Map(rows.map((row) => [row.name, row])).values()]
}

/** What a value is, in words; named objects are links. */
export function typeOf(schema: Schema): Html {
  const reference = referenceOf(schema)
  if (reference !== undefined) return html`<a href="#object-${{ text: reference }}">${{ text: reference }}</a>`
  const parts = partsOf(schema)
  if (parts.length > 0) return joined(parts.map(typeOf), schema.allOf ? ' and ' : ' or ')
  if (schema.const !== undefined) return html`<code>${{ text: JSON.stringify(schema.const) }}</code>`
  if (schema.enum !== undefined)
    return joined(
      schema.enum.map((word) => html`<code>${{ text: typeof word === 'string' ? word : JSON.stringify(word) }}</code>`),
      ' | ',
    )
  if (typesOf(schema).includes('array')) return html`list of ${typeOf(schema.items ?? {})}`
  if (typeof schema.additionalProperties === 'object')
    return html`object of ${typeOf(schema.additionalProperties)} by name`
  const [first = 'any JSON', ...more] = typesOf(schema)
  return html`${{ text: [schema.format ?? first, ...more].join(' or ') }}`
}

function joined(parts: readonly Html[], between: string): Html {
  const distinctParts = [...new Set(parts)]
  return html`${distinctParts.map((part, i) => (i === 0 ? part : html`${{ text: between }}${part}`))}`
}

/** The description of a value, with its limits. */
export function noteOf(schema: Schema, description = schema.description): Html {
  const bounds = [
    range('', schema.minimum, schema.maximum),
    range(' characters', schema.minLength, schema.maxLength),
    range(' entries', schema.minItems, schema.maxItems),
    schema.default === undefined ? '' : `Default: \`${String(schema.default)}\`.`,
  ].filter((bound) => bound !== '')
  return html`${inline([description ?? '', ...bounds].join(' ').trim())}`
}

function range(unit: string, least: number | undefined, most: number | undefined): string {
  const text = (value: number): string => value.toLocaleString('en')
  if (most === undefined) return least === undefined || least === 0 ? '' : `At least ${text(least)}${unit}.`
  return least === undefined ? `At most ${text(most)}${unit}.` : `${text(least)} to ${text(most)}${unit}.`
}
