import type { FaultDetail } from '#platform/errors.ts'
import type { FieldKind, Template, TemplateField, TemplateRecord } from './template.ts'

/** The values that a caller gives to apply a preset. */
export interface Parameter {
  readonly name: string
  readonly label: string
  readonly example: string
  readonly required: boolean
}

/** The subdomain that a template is applied to: a parameter of every preset. */
export const hostParameter = 'host'

/** Variables that are determined by the place of application, not by the caller. */
const builtIn: ReadonlySet<string> = new Set([hostParameter, 'domain', 'fqdn'])

const variable = /%([A-Za-z0-9_.-]+)%/g

/** The names of a field's variables, including the built-in ones. */
function variablesOf({ text }: TemplateField): string[] {
  return [...text.matchAll(variable)].map(([, name]) => name ?? '')
}

/** Inserts values, once: a `%` in a value stays a percent sign. */
export function substitute({ text }: TemplateField, values: ReadonlyMap<string, string>): string {
  return text.replaceAll(variable, (whole, name: string) => values.get(name) ?? whole)
}

/** The parameters of a template, the host last. Their descriptions come from its `variableDescription`. */
export function parametersOf(template: Template): Parameter[] {
  const words = descriptionsOf(template.variableDescription)
  const always = new Set(alwaysSet(template).flatMap(namesIn))
  const names = new Set(template.records.flatMap(namesIn))
  return [
    ...[...names].map((name) => ({
      name,
      label: words.get(name)?.label ?? name,
      example: words.get(name)?.example ?? '',
      required: always.has(name),
    })),
    {
      name: hostParameter,
      label: template.hostRequired ? 'Subdomain to set up' : 'Subdomain to set up, instead of the domain itself',
      example: 'shop',
      required: template.hostRequired,
    },
  ]
}

/** The records that are set with these parameters: a group is left out if all parameters that only it uses are left out. */
export function recordsFor(template: Template, given: ReadonlySet<string>): TemplateRecord[] {
  const always = new Set(alwaysSet(template))
  return template.records.filter(
    (record) => always.has(record) || ownNames(template, record.group).some((name) => given.has(name)),
  )
}

/** The parameters that a record needs. */
export function namesIn(record: TemplateRecord): string[] {
  return namesInFields(fieldsOf(record))
}

/** The parameters that are used in parts of a record. */
export function namesInFields(fields: readonly TemplateField[]): string[] {
  return fields.flatMap(variablesOf).filter((name) => !builtIn.has(name))
}

function fieldsOf({ owner, ttl, data }: TemplateRecord): TemplateField[] {
  return [owner, ttl, ...data]
}

/** Records that are set with any choice of parameters. A template must set something: the first group is always set if nothing else is. */
function alwaysSet(template: Template): TemplateRecord[] {
  const fixed = template.records.filter(({ group }) => group === undefined || ownNames(template, group).length === 0)
  const first = template.records[0]?.group
  return fixed.length > 0 ? fixed : template.records.filter(({ group }) => group === first)
}

/** The parameters that only this group's records use. */
function ownNames(template: Template, group: string | undefined): string[] {
  const elsewhere = new Set(template.records.filter((record) => record.group !== group).flatMap(namesIn))
  return template.records
    .filter((record) => record.group === group)
    .flatMap(namesIn)
    .filter((name) => !elsewhere.has(name))
}

/**
 * Parses `name: words, e.g. example; name: …`. A description in another form is not an error: then only the names are shown.
 */
function descriptionsOf(text: string): Map<string, { label: string; example: string }> {
  const entries = text.split(/;\s+/).flatMap((entry) => {
    const [, name, label, example = ''] = /^\s*%?([\w.-]+)%?:\s*(.+?)(?:,?\s+e\.g\.\s+(.+))?\s*$/s.exec(entry) ?? []
    return name === undefined || label === undefined ? [] : ([[name, { label, example }]] as const)
  })
  return new Map(entries)
}

/**
 * The values of a template's parameters, trimmed, and every error: unknown, missing, or not allowed at its place.
 *
 * A value cannot contain syntax of its place: no quotes in record data, no spaces in SPF rules, no dots at the end of
 * owner names. The resulting record is then checked like any other.
 */
export function checkParameters(
  template: Template,
  given: Readonly<Record<string, string>>,
): { values: Map<string, string>; records: TemplateRecord[]; faults: FaultDetail[] } {
  const trimmed = Object.entries(given).map(([name, value]) => [name, value.trim()] as const)
  const values = new Map(trimmed.filter(([, value]) => value !== ''))
  const known = new Set(parametersOf(template).map(({ name }) => name))
  const records = recordsFor(template, new Set(values.keys()))
  const needed = new Set(records.flatMap(namesIn))
  if (template.hostRequired) needed.add(hostParameter)
  const unknown = trimmed
    .filter(([name]) => !known.has(name))
    .map(([name]) => faultOf(name, 'unknown_member', `The preset has no parameter ${JSON.stringify(name)}.`))
  const missing = [...needed]
    .filter((name) => !values.has(name))
    .map((name) => faultOf(name, 'missing', `The parameter ${name} is required.`))
  const kinds = records.flatMap(fieldsOf).flatMap((part) => variablesOf(part).map((name) => [name, part.kind] as const))
  const bad = [...values].flatMap(([name, value]) => {
    const kind = kinds.find(([used, kind]) => used === name && !accepts[kind].pattern.test(value))?.[1]
    return kind === undefined || builtIn.has(name)
      ? []
      : [faultOf(name, 'invalid', `${name} is not ${accepts[kind].words}.`)]
  })
  return { values, records, faults: [...unknown, ...missing, ...bad] }
}

function faultOf(name: string, code: string, message: string): FaultDetail {
  return { path: placeOfParameter(name), code, message }
}

/** The JSON pointer of a parameter in the request's body (RFC 6901). */
export function placeOfParameter(name: string): string {
  return `/parameters/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
}

const labels = String.raw`[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?)*`

/** What a variable may contain, by the kind of part that uses it. */
const accepts: Readonly<Record<FieldKind, { pattern: RegExp; words: string }>> = {
  owner: { pattern: new RegExp(`^${labels}$`, 'i'), words: 'one or more labels of a name: letters, digits, hyphens' },
  host: { pattern: new RegExp(`^${labels}\\.?$`, 'i'), words: 'a host name or a part of one' },
  address: { pattern: /^[0-9a-f:.]+$/i, words: 'an IP address or a part of one' },
  number: { pattern: /^\d{1,10}$/, words: 'a whole number' },
  text: { pattern: /^\P{Cc}+$/u, words: 'a text without control characters' },
  rdata: { pattern: /^[\w.:/@=+-]+$/, words: 'a text of letters, digits and . : / @ = + - _' },
  spf: { pattern: /^[!-~]+$/, words: 'a part of an SPF rule, without spaces' },
}
