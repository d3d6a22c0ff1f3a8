import { z } from 'zod'
import { maxChangesPerRequest, maxImportBytes, maxRrsetsPerRequest } from './limits.ts'
import { pageOf, pageQuery } from './paging.ts'
import { route } from './route.ts'

export const rrsetSchema = z
  .object({
    name: z
      .string()
      .meta({ description: 'Owner name: lower-case, fully qualified, no trailing dot.', example: 'www.example.com' }),
    type: z.string().meta({
      description: 'The mnemonic of the type, or for an unknown type its number, such as TYPE65400.',
      example: 'A',
    }),
    ttl: z.int().meta({ description: 'Seconds.', example: 3600 }),
    records: z
      .array(z.string())
      .meta({ description: 'Record data in canonical presentation format.', example: ['192.0.2.1'] }),
    managed: z.boolean().meta({
      description: 'True for the SOA and apex NS records, which the service manages. You cannot change them.',
    }),
    updated_at: z.string().meta({ format: 'date-time' }),
  })
  .meta({ id: 'Rrset' })
/** Things that are allowed but probably a mistake. */
const warnings = z
  .array(
    z.object({
      name: z.string(),
      type: z.string(),
      code: z.string().meta({ example: 'forgotten_dot' }),
      message: z.string(),
      line: z.int().optional().meta({ description: 'Line of the zone file, starting at 1.' }),
    }),
  )
  .meta({
    description:
      'Things that are allowed but are probably mistakes, such as an MX whose host has no address. A key without `records:read` gets only the ' +
      'warnings about the records that it sent. At most 1,000.',
  })
/** The response to a write of one rrset. A key without permission to read it gets only the data that it sent. */
const writtenSchema = rrsetSchema
  .extend({
    ttl: z.int().nullable().meta({
      description: 'Seconds. Null if the request has no TTL and the key cannot read the existing TTL.',
      example: 3600,
    }),
    updated_at: z.string().nullable().meta({
      format: 'date-time',
      description: 'Null if nothing changed and the key cannot read the time of the last change.',
    }),
    warnings: warnings.optional().meta({ description: 'Absent if there are none.' }),
    replicated: z.boolean().optional(),
  })
  .meta({ id: 'WrittenRrset' })

/** How owner names are written. */
const ownerNameText =
  '`@`, a relative name, or a name that ends with the zone’s name. A new name can contain letters, digits and `- _ * / + = ~`. Escape any other ' +
  'ASCII character with a backslash. Unicode labels are converted to A-labels. A final `.@` stands for the zone.'

export const zoneParams = z.object({ zone: z.string().meta({ description: 'Id or name of the zone.' }) })
const rrsetParams = zoneParams.extend({
  name: z.string().meta({ description: ownerNameText }),
  type: z.string(),
})
const ttl = z.int().meta({ description: 'Seconds, 30 to 604800.', example: 3600 })
/** More than the 64,000 bytes of an rrset can have (`rrsetBytes` of packages/dns), so that imported data can be sent back. */
const records = z
  .array(z.string().max(70_000))
  .max(2_300)
  .meta({
    description:
      'Record data as in a zone file. Enclose text (TXT, SPF, RESINFO, WALLET) in double quotes unless it is a single word.',
    example: ['192.0.2.1'],
  })
export const dryRunQuery = z.strictObject({
  dry_run: z
    .stringbool()
    .default(false)
    .meta({ type: 'boolean', description: 'Check the request and return the difference without changing anything.' }),
})

const replicated = z
  .boolean()
  .optional()
  .meta({ description: 'Only with `Prefer: wait=<seconds>`: whether every nameserver serves the new serial.' })

/** One rrset of a diff; null means that there is none. */
const side = z.object({ ttl: z.int(), records: z.array(z.string()) }).nullable()
export const diffSchema = z
  .object({ changes: z.array(z.object({ name: z.string(), type: z.string(), before: side, after: side })) })
  .meta({ id: 'Diff' })
/** The same for a write: a key without permission to read the rrset gets only the data that it sent. */
const writtenSide = z
  .object({
    ttl: z
      .int()
      .nullable()
      .meta({ description: 'Null if the request has no TTL and the key cannot read the existing TTL.' }),
    records: z.array(z.string()),
  })
  .nullable()
const writtenDiffSchema = z
  .object({
    changes: z.array(z.object({ name: z.string(), type: z.string(), before: side, after: writtenSide })),
  })
  .meta({
    id: 'WrittenDiff',
    description: 'For record sets that the key cannot read, `before` is null and `after` is what the request sent.',
  })
/** The response to a dry run: what the change would do, and the resulting state of the zone. */
export const dryRunSchema = z.object({ version: z.int(), serial: z.int(), diff: writtenDiffSchema, warnings }).meta({
  id: 'DryRun',
  description: 'What the request would change, and the version and serial that the zone would have.',
})
/** The response to a bulk write: the state of the zone, and what changed. */
export const changeResultSchema = dryRunSchema.extend({ replicated }).meta({ id: 'ChangeResult' })

const writtenOrDryRun = z.union([writtenSchema, dryRunSchema])
/** The response to a write of many record sets. */
export const changedOrDryRun = z.union([changeResultSchema, dryRunSchema])

/** How an import was read. */
const importShape = {
  ignored: z
    .array(z.object({ line: z.int(), name: z.string(), type: z.string(), reason: z.string() }))
    .max(100)
    .meta({
      description:
        'The first 100 ignored records: those that the service manages, such as the SOA and the apex NS, and those outside the zone. ' +
        'For JSON, `line` is the position of the record set, starting at 1.',
    }),
  ignored_count: z.int().meta({ description: 'The number of ignored records.' }),
  adapted: z
    .array(z.object({ line: z.int(), code: z.string(), message: z.string(), reason: z.string() }))
    .max(100)
    .meta({
      description:
        'The first 100 adaptations: what was changed while the file was read, and why. A change that applies to many lines is listed once, at the ' +
        'first line. Empty for JSON.',
    }),
  adapted_count: z.int().meta({ description: 'The number of adaptations.' }),
  errors: z.array(z.object({ line: z.int(), code: z.string(), message: z.string() })).meta({
    description:
      'Only in dry runs of zone files. Without a dry run, a file with errors is refused with 422 and the same list in `details`. JSON with errors is always refused, even in a dry run, and `details` has the path of each error.',
  }),
}
const importResultSchema = changeResultSchema.extend(importShape).meta({ id: 'ImportResult' })
const importDryRunSchema = dryRunSchema
  .extend(importShape)
  .meta({ id: 'ImportDryRun', description: 'What an import would change, and the errors in the file.' })

const ownerName = z.string().meta({ description: ownerNameText, example: 'www' })
const change = z.strictObject({ name: ownerName, type: z.string(), ttl: ttl.optional(), records })

export const rrsetRoutes = {
  listRrsets: route({
    id: 'listRrsets',
    method: 'GET',
    path: '/zones/{zone}/rrsets',
    who: ['records:read', 'acme:dns01'],
    summary: 'List the record sets of a zone',
    description: 'The SOA and apex NS records, which the service manages, have `managed: true`.',
    params: zoneParams,
    query: z.strictObject({
      ...pageQuery,
      name: z.string().optional(),
      type: z.string().optional(),
      q: z.string().max(255).optional().meta({ description: 'Part of the owner name or of a record.' }),
    }),
    headers: ['ETag'],
    answers: { 200: pageOf(rrsetSchema) },
  }),
  getRrset: route({
    id: 'getRrset',
    method: 'GET',
    path: '/zones/{zone}/rrsets/{name}/{type}',
    who: ['records:read', 'acme:dns01'],
    summary: 'Read one record set',
    params: rrsetParams,
    headers: ['ETag'],
    answers: { 200: rrsetSchema },
  }),
  putRrset: route({
    id: 'putRrset',
    method: 'PUT',
    path: '/zones/{zone}/rrsets/{name}/{type}',
    who: ['records:write', 'acme:dns01'],
    summary: 'Create or replace one record set',
    description: 'If nothing changes, the call returns 200 with the old serial and sends no event.',
    params: rrsetParams,
    query: dryRunQuery,
    body: z.strictObject({ ttl: ttl.optional(), records: records.min(1) }),
    answers: { 200: writtenOrDryRun, 201: writtenSchema },
    errors: ['precondition_failed', 'missing_dot', 'service_owned'],
  }),
  createRrset: route({
    id: 'createRrset',
    method: 'POST',
    path: '/zones/{zone}/rrsets',
    who: ['records:write', 'acme:dns01'],
    summary: 'Create a record set that does not exist yet',
    params: zoneParams,
    query: dryRunQuery,
    body: z.strictObject({ name: ownerName, type: z.string(), ttl: ttl.optional(), records: records.min(1) }),
    answers: { 200: dryRunSchema, 201: writtenSchema },
    errors: ['rrset_exists', 'precondition_failed', 'missing_dot', 'service_owned'],
  }),
  patchRrset: route({
    id: 'patchRrset',
    method: 'PATCH',
    path: '/zones/{zone}/rrsets/{name}/{type}',
    who: ['records:write', 'acme:dns01'],
    summary: 'Add or remove single values of a record set',
    description:
      'This call is idempotent. The other values stay unchanged. Removing the last value removes the record set.',
    params: rrsetParams,
    query: dryRunQuery,
    body: z.strictObject({ ttl: ttl.optional(), add: records.optional(), remove: records.optional() }),
    answers: { 200: writtenOrDryRun, 201: writtenSchema, 204: null },
    errors: ['precondition_failed', 'missing_dot', 'service_owned'],
  }),
  deleteRrset: route({
    id: 'deleteRrset',
    method: 'DELETE',
    path: '/zones/{zone}/rrsets/{name}/{type}',
    who: ['records:write', 'acme:dns01'],
    summary: 'Delete one record set',
    description: 'Returns 204 even if the record set does not exist.',
    params: rrsetParams,
    query: dryRunQuery,
    answers: { 200: dryRunSchema, 204: null },
    errors: ['precondition_failed', 'service_owned'],
  }),
  changeRrsets: route({
    id: 'changeRrsets',
    method: 'PATCH',
    path: '/zones/{zone}/rrsets',
    who: ['records:write', 'acme:dns01'],
    summary: 'Change many record sets at once',
    description: 'Applies all changes or none, and reports every error. `records: []` deletes a record set.',
    params: zoneParams,
    query: dryRunQuery,
    body: z.strictObject({ changes: z.array(change).min(1).max(maxChangesPerRequest) }),
    answers: { 200: changedOrDryRun },
    errors: ['precondition_failed', 'missing_dot', 'service_owned'],
  }),
  replaceRrsets: route({
    id: 'replaceRrsets',
    method: 'PUT',
    path: '/zones/{zone}/rrsets',
    who: ['records:write'],
    summary: 'Replace all record sets of a zone',
    description:
      'Record sets that you do not send are deleted, except for the SOA and apex NS records, which the service manages.',
    params: zoneParams,
    query: dryRunQuery,
    body: z.strictObject({ rrsets: z.array(change).max(maxRrsetsPerRequest) }),
    answers: { 200: changedOrDryRun },
    errors: ['precondition_failed', 'missing_dot', 'service_owned'],
  }),
  importZone: route({
    id: 'importZone',
    method: 'POST',
    path: '/zones/{zone}/import',
    who: ['records:write'],
    summary: 'Import a zone file, or record sets as JSON',
    description:
      '`merge` adds and replaces record sets. `replace` also deletes record sets that are not in the file. ' +
      'Zone files from other systems are adapted, and each adaptation is listed. The SOA and the apex NS, which the service manages, are ignored and ' +
      'listed. In a zone file, unquoted text and unescaped characters in owner names are accepted with a warning.',
    params: zoneParams,
    query: dryRunQuery.extend({ mode: z.enum(['merge', 'replace']).default('merge') }),
    body: {
      raw: 'text/dns',
      maxBytes: maxImportBytes,
      json: z.strictObject({ rrsets: z.array(change).max(maxRrsetsPerRequest) }),
    },
    source: 'import',
    long: true,
    answers: { 200: z.union([importResultSchema, importDryRunSchema]) },
    errors: ['precondition_failed', 'missing_dot', 'service_owned'],
  }),
  exportZone: route({
    id: 'exportZone',
    method: 'GET',
    path: '/zones/{zone}/export',
    who: ['records:read'],
    summary: 'Export the zone as a zone file',
    params: zoneParams,
    headers: ['ETag', 'Content-Disposition'],
    answers: { 200: { raw: 'text/dns' } },
  }),
}

export type WireRrset = z.infer<typeof rrsetSchema>
export type WireWrittenRrset = z.infer<typeof writtenSchema>
export type WireWarning = z.infer<typeof warnings>[number]
export type WireDiff = z.infer<typeof diffSchema>
export type WireWrittenDiff = z.infer<typeof writtenDiffSchema>

/** An rrset in the code's form. */
export interface RrsetView {
  readonly name: string
  readonly type: string
  readonly ttl: number
  readonly records: readonly string[]
  readonly managed: boolean
  readonly updatedAt: Date
}

export function rrsetToWire(rrset: RrsetView): WireRrset {
  return {
    name: rrset.name,
    type: rrset.type,
    ttl: rrset.ttl,
    records: [...rrset.records],
    managed: rrset.managed,
    updated_at: rrset.updatedAt.toISOString(),
  }
}
