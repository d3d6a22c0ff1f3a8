import { z } from 'zod'

/** The kind of a part of a record. It determines what the part, and a variable in it, may contain. */
export type FieldKind = 'owner' | 'host' | 'address' | 'number' | 'text' | 'rdata' | 'spf'

/** A part of a template's record: text with `%variables%`. */
export interface TemplateField {
  readonly kind: FieldKind
  readonly text: string
}

/** One record that a template sets. All types have this form, so only this file knows their members. */
export interface TemplateRecord {
  /** `SPFM` is not a record type: its rules are merged into the name's SPF record. */
  readonly type: string
  readonly owner: TemplateField
  readonly ttl: TemplateField
  /** The parts of the value, in the order of its presentation form. */
  readonly data: readonly TemplateField[]
  /** Records of one group are set together or left out together. */
  readonly group: string | undefined
  /** Which existing TXT records have to be removed. */
  readonly txtConflict: TxtConflict
}

export type TxtConflict =
  | { readonly mode: 'None' }
  | { readonly mode: 'All' }
  | { readonly mode: 'Prefix'; readonly prefix: string }

/** A template in the open Domain Connect format, without the members that only its own protocol needs. */
export interface Template {
  readonly providerId: string
  readonly providerName: string
  readonly serviceId: string
  readonly serviceName: string
  readonly description: string
  readonly variableDescription: string
  /** It can be applied only below the zone's apex, for example because it sets a CNAME at the host itself. */
  readonly hostRequired: boolean
  readonly records: readonly TemplateRecord[]
}

/**
 * Parses a template of the Domain Connect format. Unknown members are ignored, because the format is open.
 *
 * Throws an Error whose message has every error, on one line.
 */
export function parseTemplate(json: unknown): Template {
  const parsed = templateSchema.safeParse(json)
  if (parsed.success) return parsed.data
  throw new Error(
    parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'the template'}: ${message}`).join('; '),
  )
}

const field = (kind: FieldKind, text: string): TemplateField => ({ kind, text })

const text = z.string().min(1).max(4_000)
/** Templates write numbers as numbers or as text; both may be variables. */
const numberNeeded = 'must be a whole number or a %variable%'
const number = z
  .union([z.int(numberNeeded).min(0, numberNeeded), z.string().regex(/^(\d|%[\w.-]+%)+$/, numberNeeded)], numberNeeded)
  .transform(String)
const common = {
  host: text,
  ttl: number.default('3600'),
  groupId: text.optional(),
  // Whether a record may be removed later matters only to software that tracks applied templates, which we do not.
  essential: z.enum(['Always', 'OnApply']).optional(),
}
const srvLabel = text.transform((label) => (label.startsWith('_') ? label : `_${label}`).toLowerCase())

const recordSchemas = [
  z.object({ ...common, type: z.literal(['A', 'AAAA']), pointsTo: text }),
  z.object({ ...common, type: z.literal(['CNAME', 'NS']), pointsTo: text }),
  // It has no host: its name is the one that the template is applied to.
  z.object({ ...common, host: text.default('@'), type: z.literal('APEXCNAME'), pointsTo: text }),
  z.object({ ...common, type: z.literal('MX'), pointsTo: text, priority: number }),
  z.object({
    ...common,
    type: z.literal('TXT'),
    data: text,
    txtConflictMatchingMode: z.enum(['None', 'All', 'Prefix']).default('None'),
    txtConflictMatchingPrefix: text.optional(),
  }),
  z.object({
    ...common,
    type: z.literal('SRV'),
    // The host of an SRV record is called its name.
    host: text.optional(),
    name: text.optional(),
    service: srvLabel,
    protocol: srvLabel,
    priority: number,
    weight: number,
    port: number,
    target: text,
  }),
  z.object({ ...common, type: z.literal('SPFM'), spfRules: text }),
  z.object({ ...common, type: z.literal('CAA'), data: text }),
] as const

type ParsedRecord = z.output<(typeof recordSchemas)[number]>

const recordSchema = z
  .discriminatedUnion('type', recordSchemas, {
    error: ({ code }) =>
      code === 'invalid_union'
        ? 'the type must be A, AAAA, CNAME, APEXCNAME, MX, TXT, SRV, NS, SPFM or CAA'
        : undefined,
  })
  .transform((record, context): TemplateRecord => {
    const isPrefix = record.type === 'TXT' && record.txtConflictMatchingMode === 'Prefix'
    if (isPrefix && record.txtConflictMatchingPrefix === undefined)
      context.addIssue({ code: 'custom', message: 'the mode Prefix requires txtConflictMatchingPrefix' })
    return {
      type: record.type === 'APEXCNAME' ? 'ALIAS' : record.type,
      owner: field('owner', ownerOf(record)),
      ttl: field('number', record.ttl),
      data: dataOf(record),
      group: record.groupId,
      txtConflict: record.type === 'TXT' ? txtConflictOf(record) : { mode: 'None' },
    }
  })

function ownerOf(record: ParsedRecord): string {
  if (record.type !== 'SRV') return record.host
  const host = record.name ?? record.host ?? '@'
  return [record.service, record.protocol, ...(host === '@' ? [] : [host])].join('.')
}

function dataOf(record: ParsedRecord): TemplateField[] {
  switch (record.type) {
    case 'A':
    case 'AAAA':
      return [field('address', record.pointsTo)]
    case 'CNAME':
    case 'APEXCNAME':
    case 'NS':
      return [field('host', record.pointsTo)]
    case 'MX':
      return [field('number', record.priority), field('host', record.pointsTo)]
    case 'SRV':
      return [
        field('number', record.priority),
        field('number', record.weight),
        field('number', record.port),
        field('host', record.target),
      ]
    case 'TXT':
      return [field('text', record.data)]
    case 'SPFM':
      return [field('spf', record.spfRules)]
    case 'CAA':
      return [field('rdata', record.data)]
  }
}

function txtConflictOf(record: Extract<ParsedRecord, { type: 'TXT' }>): TxtConflict {
  if (record.txtConflictMatchingMode !== 'Prefix') return { mode: record.txtConflictMatchingMode }
  return { mode: 'Prefix', prefix: record.txtConflictMatchingPrefix ?? '' }
}

const idPart = z
  .string()
  .regex(/^[a-z0-9][a-z0-9._-]{0,99}$/i, 'only letters, digits, dots, hyphens and underscores are allowed')

const templateSchema = z.object({
  providerId: idPart,
  providerName: text,
  serviceId: idPart,
  serviceName: text,
  version: z.int().optional(),
  description: z.string().max(4_000).default(''),
  variableDescription: z.string().max(4_000).default(''),
  hostRequired: z.boolean().default(false),
  records: z.array(recordSchema).min(1).max(100),
})
