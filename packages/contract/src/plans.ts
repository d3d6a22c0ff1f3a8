import { z } from 'zod'
import {
  maxChangesPerRequest,
  maxImportBytes,
  maxPlanZones,
  maxRrsetsPerRequest,
  maxSharedPlanZones,
} from './limits.ts'
import { maxParameterLength } from './presets.ts'
import { changeSchema, importNotes, warningsSchema, writtenDiffSchema } from './records.ts'
import { route } from './route.ts'

const zoneRef = z.string().max(1_000).meta({ description: 'The id or the name of the zone.', example: 'example.com' })
const ifMatch = z.int().min(0).meta({
  description:
    'The version of the zone that you want to change. If the zone now has another version, the zone is reported as `stale` and not changed.',
  example: 7,
})

/** The contents of one zone: the changes to make in it. */
const contents = {
  changes: z.array(changeSchema).max(maxChangesPerRequest).optional().meta({
    description:
      'The record sets to write. Each entry replaces the record set with the same name and type. An entry without records deletes this record set.',
  }),
  rrsets: z
    .array(changeSchema)
    .max(maxRrsetsPerRequest)
    .optional()
    .meta({ description: 'The record sets of the zone, as in an import.' }),
  zone_file: z
    .string()
    .max(maxImportBytes)
    .optional()
    .meta({ description: 'The records of the zone as a zone file, as in an import.' }),
  mode: z.enum(['merge', 'replace']).optional().meta({
    description:
      'How `rrsets` or `zone_file` are applied. `merge`, the default, adds and replaces record sets. `replace` also deletes the record sets that you do not send.',
  }),
  lock: z
    .array(z.string().max(1_000))
    .max(100)
    .optional()
    .meta({
      description:
        'Owner names whose records must not change. `*.lan` stands for every name below `lan`. The mode `replace` does not delete records of these names. If you send different records for one of these names, the zone gets the error `locked`.',
      example: ['_acme-challenge'],
    }),
}

const replace = z
  .strictObject({
    type: z.string().meta({ description: 'The record type, such as A.', example: 'A' }),
    from: z.string().min(1).max(70_000).meta({
      description: 'The record data to replace. Write domain names in full, with or without a final dot.',
      example: '192.0.2.1',
    }),
    to: z.string().min(1).max(70_000).meta({ description: 'The new record data.', example: '192.0.2.2' }),
  })
  .optional()
  .meta({
    description:
      'Replaces the value `from` with the value `to` in every record set of this type that contains `from`. The other values and the TTL of the record set stay the same.',
  })

const preset = z
  .strictObject({
    id: z.string().max(255).meta({ description: 'The id of the preset.', example: 'netlify.com.website' }),
    parameters: z
      .record(z.string(), z.string().max(maxParameterLength))
      .default({})
      .meta({ description: 'The values of the parameters, by name, as in `POST /zones/{zone}/presets/{id}`.' }),
  })
  .optional()
  .meta({ description: 'Applies one preset to all zones.' })

const errors = z.array(
  z.object({
    path: z.string().optional().meta({ description: 'The place of the error, as a JSON pointer into the body.' }),
    line: z.int().optional().meta({ description: 'The line of the error in the zone file.' }),
    code: z.string(),
    message: z.string(),
  }),
)

const zoneName = z.string().meta({
  description: 'The name of the zone. If the zone does not exist, this is the name or id from the request.',
  example: 'example.com',
})
const zoneId = z
  .string()
  .nullable()
  .meta({ format: 'uuid', description: 'The id of the zone. It is null if the zone does not exist.' })

const plannedZoneSchema = z
  .object({
    zone: zoneName,
    zone_id: zoneId,
    version: z.int().nullable().meta({
      description:
        'The version of the zone. Send it as `if_match` to `POST /plans/apply`. It is null if the zone does not exist.',
    }),
    diff: writtenDiffSchema.meta({ description: 'The planned changes. The diff is empty if there are errors.' }),
    warnings: warningsSchema,
    errors: errors.meta({
      description: 'The reasons why the service cannot make these changes. The list is empty if there are no errors.',
    }),
    ...importNotes,
  })
  .meta({ id: 'PlannedZone' })

export const planSchema = z
  .object({
    zones: z.array(plannedZoneSchema).meta({
      description:
        'The zones in the order of the request. With `replace`, the list does not include zones without the value, even if the request lists them. With `"all"`, the list is sorted by name.',
    }),
    next_cursor: z.string().nullable().meta({
      description:
        'With `replace` and `"all"`, the cursor for the plan of the next zones. It is null if no zones remain, and in all other plans.',
    }),
  })
  .meta({ id: 'Plan' })

export const planStatuses = ['applied', 'unchanged', 'refused', 'stale'] as const

export type PlanStatus = (typeof planStatuses)[number]

const appliedZoneSchema = z
  .object({
    zone: zoneName,
    zone_id: zoneId,
    status: z.enum(planStatuses).meta({
      description:
        '`applied`: the zone was changed. `unchanged`: the zone already had these records, or has no record set with the value of `replace`. `stale`: the version of the zone is not `if_match`, so the zone was not changed. `refused`: the zone was not changed for the reasons in `errors`.',
    }),
    version: z.int().nullable().meta({
      description:
        'The version of the zone after the request. It is null if the zone does not exist, or if the change was refused.',
    }),
    errors: errors.optional().meta({ description: 'The reasons why the change was refused.' }),
  })
  .meta({ id: 'AppliedZone' })

export const appliedPlanSchema = z
  .object({
    zones: z.array(appliedZoneSchema).meta({ description: 'The zones in the order of the request.' }),
  })
  .meta({ id: 'AppliedPlan' })

const zonesText = `If each zone has its own changes, a request can have at most ${maxPlanZones} zones. With \`replace\` or \`preset\`, a request can have at most ${maxSharedPlanZones} zones.`

const bodyText =
  'Either send `changes`, `rrsets` or `zone_file` with each zone, or send `replace` or `preset` for all zones.'

export const planRoutes = {
  planChanges: route({
    id: 'planChanges',
    method: 'POST',
    path: '/plans',
    who: ['records:read'],
    wholeZone: false,
    summary: 'Plan changes of many zones',
    description: `The response shows the changes that each zone would get, with warnings and errors. The call changes nothing. To make the changes, send the same zones and changes to \`POST /plans/apply\`, with the \`version\` of each zone as \`if_match\`. ${bodyText} ${zonesText}`,
    body: z.strictObject({
      zones: z
        .union(
          [
            z.literal('all'),
            z
              .array(z.strictObject({ zone: zoneRef, ...contents, if_match: ifMatch.optional() }))
              .min(1)
              .max(maxSharedPlanZones),
          ],
          'Expected "all", or a list of zones.',
        )
        .meta({
          description:
            'The zones. With `replace`, you can send `"all"` for every zone that has the value and that the caller can change.',
        }),
      replace,
      preset,
      cursor: z
        .string()
        .max(2_000)
        .optional()
        .meta({ description: 'With `replace` and `"all"`: the `next_cursor` of the previous plan.' }),
    }),
    maxBytes: maxImportBytes,
    reads: true,
    repeatable: true,
    answers: { 200: planSchema },
    errors: ['not_found'],
  }),
  applyPlan: route({
    id: 'applyPlan',
    method: 'POST',
    path: '/plans/apply',
    who: ['records:write'],
    wholeZone: false,
    summary: 'Change many zones',
    description: `The service changes each zone completely or not at all. If one zone is stale or refused, the service still changes the other zones. One \`Idempotency-Key\` covers the whole request. If the service stops before it has changed all zones, repeat the request with the same key. The service then continues with the remaining zones, and applies nothing twice. ${bodyText} ${zonesText}`,
    body: z.strictObject({
      zones: z
        .array(z.strictObject({ zone: zoneRef, ...contents, if_match: ifMatch }))
        .min(1)
        .max(maxSharedPlanZones)
        .meta({ description: 'The zones.' }),
      replace,
      preset,
    }),
    maxBytes: maxImportBytes,
    long: true,
    answers: { 200: appliedPlanSchema },
    errors: ['not_found'],
  }),
}

export type WirePlan = z.infer<typeof planSchema>
export type WirePlannedZone = z.infer<typeof plannedZoneSchema>
export type WireAppliedPlan = z.infer<typeof appliedPlanSchema>
export type WireAppliedZone = z.infer<typeof appliedZoneSchema>
