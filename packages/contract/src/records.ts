import { z } from 'zod'
import { maxChangesPerRequest, maxImportBytes, maxRrsetsPerRequest } from './limits.ts'
import { type Notes, notesSent, notesShown, notesToWire } from './notes.ts'
import { pageOf, pageQuery } from './paging.ts'
import { route } from './route.ts'

/** What an ALIAS publishes, and the state of its target. */
const resolvedSchema = z
  .object({
    a: z
      .array(z.string())
      .meta({ description: 'The A records that the service publishes.', example: ['93.184.216.34'] }),
    aaaa: z.array(z.string()).meta({ description: 'The AAAA records that the service publishes.' }),
    checked_at: z.string().nullable().meta({
      format: 'date-time',
      description: 'The time of the last lookup of the target. It is null before the first lookup.',
    }),
    error: z.enum(['timeout', 'server_failure', 'no_address', 'too_many_steps', 'private_address']).nullable().meta({
      description:
        'The reason why the last lookup of the target failed. It is null if the lookup found addresses. While lookups fail, the service continues to publish the last known addresses, for at most 24 hours.',
    }),
  })
  .meta({ id: 'Resolved' })

export const rrsetSchema = z
  .object({
    name: z.string().meta({
      description: 'The owner name. It is in lower case and fully qualified, and has no final dot.',
      example: 'www.example.com',
    }),
    type: z.string().meta({
      description:
        'The mnemonic of the record type. For an unknown type, this is TYPE and the number, such as TYPE65400.',
      example: 'A',
    }),
    ttl: z.int().meta({ description: 'The TTL in seconds.', example: 3600 }),
    records: z
      .array(z.string())
      .meta({ description: 'The record data in canonical presentation format.', example: ['192.0.2.1'] }),
    managed: z.boolean().meta({
      description:
        'True if the service manages the record set. Managed record sets are the SOA, the NS at the apex, NS that delegate to other zones here, and the TXT at `_domainconnect`. You cannot change them, but you can replace this TXT with your own.',
    }),
    updated_at: z.string().meta({ format: 'date-time' }),
    ...notesShown,
    resolved: resolvedSchema
      .optional()
      .meta({ description: 'The published addresses of an ALIAS. Other record sets do not have this field.' }),
  })
  .meta({ id: 'Rrset' })
/** Warnings: records that are allowed but probably a mistake. */
export const warningsSchema = z
  .array(
    z.object({
      name: z.string().meta({ description: 'The owner name of the record.' }),
      type: z.string().meta({ description: 'The type of the record.' }),
      code: z.string().meta({ description: 'The kind of warning, as a code for programs.', example: 'forgotten_dot' }),
      message: z.string().meta({ description: 'The warning as human-readable text.' }),
      line: z.int().optional().meta({ description: 'The line in the zone file. The first line is 1.' }),
    }),
  )
  .meta({
    description:
      'Warnings about records that are allowed but probably mistakes. An example is an MX record whose host has no address. A key without `records:read` gets only warnings about the records that it sent. The list has at most 1,000 warnings.',
  })
const replicated = z.boolean().optional().meta({
  description:
    'True if every nameserver serves the new serial. The field exists only if you send `Prefer: wait=<seconds>`.',
})

/** The response to a write of one rrset. A key without permission to read it gets only the data that it sent. */
const writtenSchema = rrsetSchema
  .extend({
    ttl: z.int().nullable().meta({
      description: 'The TTL in seconds. It is null if the request has no TTL and the key cannot read the existing TTL.',
      example: 3600,
    }),
    updated_at: z.string().nullable().meta({
      format: 'date-time',
      description: 'The time of the last change. It is null if nothing changed and the key cannot read the record set.',
    }),
    warnings: warningsSchema
      .optional()
      .meta({ description: 'Warnings about the request. The field is absent if there are no warnings.' }),
    replicated,
  })
  .meta({ id: 'WrittenRrset' })

const recordType = z.string().meta({
  description:
    'The record type, such as A. For a type without a mnemonic, write TYPE and the number, such as TYPE65400.',
})

/** How owner names are written. */
const ownerNameText =
  'The owner name: `@`, a relative name, or a name that ends with the name of the zone. A new name can contain letters, digits and ' +
  '`- _ * / + = ~`. Put a backslash before any other ASCII character. The service converts Unicode labels to A-labels. At the end of a name, `.@` stands for the zone: `www.@` is the name `www` in the zone.'

export const zoneParams = z.object({ zone: z.string().meta({ description: 'The id or the name of the zone.' }) })
const rrsetParams = zoneParams.extend({
  name: z.string().meta({ description: ownerNameText }),
  type: recordType,
})
const ttl = z.int().meta({ description: 'The TTL in seconds, from 30 to 604800.', example: 3600 })
/** More than the 64,000 bytes of an rrset can have (`rrsetBytes` of packages/dns), so that imported data can be sent back. */
const records = z
  .array(z.string().max(70_000))
  .max(2_300)
  .meta({
    description:
      'The record data, written as in a zone file. Put text (TXT, SPF, RESINFO, WALLET) in double quotes. You can omit the quotes if the text is a single word.',
    example: ['192.0.2.1'],
  })
export const dryRunQuery = z.strictObject({
  dry_run: z.stringbool().default(false).meta({
    type: 'boolean',
    description:
      'If true, the service checks the request and returns the result that the request would have, but changes nothing.',
  }),
})

/** One rrset of a diff; null means that there is none. */
const side = z.object({ ttl: z.int(), records: z.array(z.string()) }).nullable()

/** A list of changed rrsets, each with what it is `after` the change. */
function diffTo<After extends z.ZodType>(after: After) {
  return z.object({
    changes: z.array(
      z.object({
        name: z.string(),
        type: z.string(),
        before: side.meta({ description: 'The record set before the change. It is null if there was none.' }),
        after: after.meta({
          description: 'The record set after the change. It is null if the record set was deleted.',
        }),
      }),
    ),
  })
}

export const diffSchema = diffTo(side).meta({ id: 'Diff' })
/** One rrset of the diff of a write. A key without permission to read the rrset gets only the data that it sent. */
const writtenSide = z
  .object({
    ttl: z.int().nullable().meta({
      description: 'The TTL in seconds. It is null if the request has no TTL and the key cannot read the existing TTL.',
    }),
    records: z.array(z.string()),
  })
  .nullable()
export const writtenDiffSchema = diffTo(writtenSide).meta({
  id: 'WrittenDiff',
  description:
    'The changes that the write makes. For record sets that the key cannot read, `before` is always null, and `after` has only the data that the request sent.',
})
/** The response to a dry run: what the change would do, and the resulting state of the zone. */
export const dryRunSchema = z
  .object({ version: z.int(), serial: z.int(), diff: writtenDiffSchema, warnings: warningsSchema })
  .meta({
    id: 'DryRun',
    description:
      'The changes that the request would make. `version` and `serial` are the values that the zone would have.',
  })
/** The response to a bulk write: the state of the zone, and what changed. */
export const changeResultSchema = dryRunSchema.extend({ replicated }).meta({
  id: 'ChangeResult',
  description:
    'The changes that the request made. `version` and `serial` are the values of the zone after the request.',
})

const writtenOrDryRun = z.union([writtenSchema, dryRunSchema])
/** The response to a write of many record sets. */
export const changedOrDryRun = z.union([changeResultSchema, dryRunSchema])

/** What an import ignored and adapted. */
const readingShape = {
  ignored: z
    .array(
      z.object({
        line: z.int(),
        name: z.string(),
        type: z.string(),
        reason: z.string().meta({ description: 'The reason for ignoring the record, as human-readable text.' }),
      }),
    )
    .max(100)
    .meta({
      description:
        'The first 100 records that the import ignored. The import ignores records that the service manages, such as the SOA and the apex NS, and records outside the zone. In an import as JSON, `line` is the position of the record set. The first position is 1.',
    }),
  ignored_count: z.int().meta({ description: 'The number of ignored records.' }),
  adapted: z
    .array(
      z.object({
        line: z.int(),
        code: z.string().meta({ description: 'The kind of adaptation, as a code for programs.' }),
        message: z.string().meta({ description: 'The change, as human-readable text.' }),
        reason: z.string().meta({ description: 'The reason for the change, as human-readable text.' }),
      }),
    )
    .max(100)
    .meta({
      description:
        'The first 100 adaptations. An adaptation is a change that the import made to the content of the file, with the reason for the change. If several lines were changed for the same reason, the list can have one adaptation with the first of these lines. The list is empty for JSON.',
    }),
  adapted_count: z.int().meta({ description: 'The number of adaptations.' }),
}
/** The members of `readingShape`, all optional: contents of other kinds do not have them. */
export const importNotes = z.object(readingShape).partial().shape
/** How an import was interpreted. */
const importShape = {
  ...readingShape,
  errors: z.array(z.object({ line: z.int(), code: z.string(), message: z.string() })).meta({
    description:
      'The errors of the zone file. Only a dry run of a zone file can have errors in this list. Without a dry run, an import with errors fails with 422, and the `details` of the response list the errors. An import as JSON with errors always fails with 422, even in a dry run. The `details` then have the path of each error.',
  }),
}
const importResultSchema = changeResultSchema.extend(importShape).meta({
  id: 'ImportResult',
  description: 'The changes that the import made. `version` and `serial` are the values of the zone after the import.',
})
const importDryRunSchema = dryRunSchema
  .extend(importShape)
  .meta({ id: 'ImportDryRun', description: 'The changes that the import would make, and the errors in the file.' })

const ownerName = z.string().meta({ description: ownerNameText, example: 'www' })
/** A record set as a request sends it. */
export const changeSchema = z.strictObject({ name: ownerName, type: recordType, ttl: ttl.optional(), records })

export const rrsetRoutes = {
  listRrsets: route({
    id: 'listRrsets',
    method: 'GET',
    path: '/zones/{zone}/rrsets',
    who: ['records:read', 'acme:dns01'],
    wholeZone: false,
    summary: 'List the record sets of a zone',
    description:
      'The list includes the record sets that the service manages (`managed: true`), such as the SOA and the apex NS.',
    params: zoneParams,
    query: z.strictObject({
      ...pageQuery,
      name: z
        .string()
        .optional()
        .meta({ description: 'If you send this, the list has only the record sets with this owner name.' }),
      type: z
        .string()
        .optional()
        .meta({ description: 'If you send this, the list has only the record sets of this type.' }),
      q: z.string().max(255).optional().meta({
        description:
          'If you send this, the list has only the record sets whose owner name or records contain this text.',
      }),
    }),
    headers: ['ETag'],
    answers: { 200: pageOf(rrsetSchema) },
  }),
  getRrset: route({
    id: 'getRrset',
    method: 'GET',
    path: '/zones/{zone}/rrsets/{name}/{type}',
    who: ['records:read', 'acme:dns01'],
    wholeZone: false,
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
    wholeZone: false,
    summary: 'Create or replace one record set',
    description:
      'If nothing changes, the call returns 200 with the old serial, and the service sends no event. Comments and labels require `records:write`, and are not part of versions and events.',
    params: rrsetParams,
    query: dryRunQuery,
    body: z.strictObject({ ttl: ttl.optional(), records: records.min(1), ...notesSent }),
    answers: { 200: writtenOrDryRun, 201: writtenSchema },
    errors: ['precondition_failed', 'missing_dot', 'service_owned'],
  }),
  createRrset: route({
    id: 'createRrset',
    method: 'POST',
    path: '/zones/{zone}/rrsets',
    who: ['records:write', 'acme:dns01'],
    wholeZone: false,
    summary: 'Create a record set that does not exist yet',
    params: zoneParams,
    query: dryRunQuery,
    body: z.strictObject({
      name: ownerName,
      type: recordType,
      ttl: ttl.optional(),
      records: records.min(1),
      ...notesSent,
    }),
    answers: { 200: dryRunSchema, 201: writtenSchema },
    errors: ['rrset_exists', 'precondition_failed', 'missing_dot', 'service_owned'],
  }),
  patchRrset: route({
    id: 'patchRrset',
    method: 'PATCH',
    path: '/zones/{zone}/rrsets/{name}/{type}',
    who: ['records:write', 'acme:dns01'],
    wholeZone: false,
    summary: 'Add or remove single values of a record set',
    description:
      'The call does not change the other values of the record set. If the call removes the last value, the service deletes the record set. If you repeat the call, nothing changes.',
    params: rrsetParams,
    query: dryRunQuery,
    body: z.strictObject({ ttl: ttl.optional(), add: records.optional(), remove: records.optional(), ...notesSent }),
    answers: { 200: writtenOrDryRun, 201: writtenSchema, 204: null },
    errors: ['precondition_failed', 'missing_dot', 'service_owned'],
  }),
  deleteRrset: route({
    id: 'deleteRrset',
    method: 'DELETE',
    path: '/zones/{zone}/rrsets/{name}/{type}',
    who: ['records:write', 'acme:dns01'],
    wholeZone: false,
    summary: 'Delete one record set',
    description: 'The call returns 204 even if the record set does not exist.',
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
    wholeZone: false,
    summary: 'Change many record sets at once',
    description:
      'The service applies all changes or none of them, and reports every error. To delete a record set, send `records: []`. Comments and labels require `records:write`, and are not part of versions and events.',
    params: zoneParams,
    query: dryRunQuery,
    body: z.strictObject({
      changes: z
        .array(changeSchema.extend(notesSent))
        .min(1)
        .max(maxChangesPerRequest)
        .meta({ description: 'The record sets to write. Each replaces the record set with the same name and type.' }),
    }),
    answers: { 200: changedOrDryRun },
    errors: ['precondition_failed', 'missing_dot', 'service_owned'],
  }),
  replaceRrsets: route({
    id: 'replaceRrsets',
    method: 'PUT',
    path: '/zones/{zone}/rrsets',
    who: ['records:write'],
    wholeZone: true,
    summary: 'Replace all record sets of a zone',
    description:
      'The service deletes record sets that you do not send, except for the record sets that the service manages (`managed: true`).',
    params: zoneParams,
    query: dryRunQuery,
    body: z.strictObject({
      rrsets: z.array(changeSchema).max(maxRrsetsPerRequest).meta({ description: 'The record sets.' }),
    }),
    answers: { 200: changedOrDryRun },
    errors: ['precondition_failed', 'missing_dot', 'service_owned'],
  }),
  importZone: route({
    id: 'importZone',
    method: 'POST',
    path: '/zones/{zone}/import',
    who: ['records:write'],
    wholeZone: false,
    summary: 'Import a zone file, or record sets as JSON',
    description:
      'With `mode=merge`, the import adds and replaces record sets. With `mode=replace`, the import also deletes record sets that are not in the file. The import adapts zone files of other systems and lists each adaptation. The import ignores the SOA and the apex NS records, because the service manages them, and lists them in `ignored`. In a zone file, the import accepts unquoted text and unescaped characters in owner names, but adds a warning.',
    params: zoneParams,
    query: dryRunQuery.extend({
      mode: z.enum(['merge', 'replace']).default('merge').meta({
        description:
          '`merge`: the import adds and replaces record sets. `replace`: the import also deletes the record sets that are not in the file.',
      }),
    }),
    body: {
      raw: 'text/dns',
      maxBytes: maxImportBytes,
      json: z.strictObject({
        rrsets: z.array(changeSchema).max(maxRrsetsPerRequest).meta({ description: 'The record sets.' }),
      }),
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
    wholeZone: true,
    summary: 'Export the zone as a zone file',
    description:
      'For each ALIAS, the file has a comment with the ALIAS, followed by the address records that the service publishes for it. An import into this service uses the comment. Other DNS servers ignore the comment and use the address records.',
    params: zoneParams,
    query: z.strictObject({
      alias: z.literal('flatten').optional().meta({
        description:
          'If you send `flatten`, the file has only the address records of each ALIAS, and no comment with the ALIAS.',
      }),
    }),
    headers: ['ETag', 'Content-Disposition'],
    answers: { 200: { raw: 'text/dns' } },
  }),
}

export type WireRrset = z.infer<typeof rrsetSchema>
export type WireWrittenRrset = z.infer<typeof writtenSchema>
export type WireWarning = z.infer<typeof warningsSchema>[number]
export type WireDiff = z.infer<typeof diffSchema>
export type WireWrittenDiff = z.infer<typeof writtenDiffSchema>

/** An rrset in the code's form. */
export interface RrsetView extends Notes {
  readonly name: string
  readonly type: string
  readonly ttl: number
  readonly records: readonly string[]
  readonly managed: boolean
  readonly updatedAt: Date
  /** For an ALIAS: the addresses that the service publishes. */
  readonly resolved?:
    | {
        readonly a: readonly string[]
        readonly aaaa: readonly string[]
        readonly checkedAt: Date | null
        readonly error: NonNullable<WireRrset['resolved']>['error']
      }
    | undefined
}

export function rrsetToWire(rrset: RrsetView): WireRrset {
  const { resolved } = rrset
  return {
    name: rrset.name,
    type: rrset.type,
    ttl: rrset.ttl,
    records: [...rrset.records],
    managed: rrset.managed,
    updated_at: rrset.updatedAt.toISOString(),
    ...notesToWire(rrset),
    ...(resolved && {
      resolved: {
        a: [...resolved.a],
        aaaa: [...resolved.aaaa],
        checked_at: resolved.checkedAt?.toISOString() ?? null,
        error: resolved.error,
      },
    }),
  }
}
