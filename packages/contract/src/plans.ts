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
  description: 'The version of the zone that the change is for. If the zone has another version, it is `stale`.',
  example: 7,
})

/** What is to change in one zone. */
const contents = {
  changes: z.array(changeSchema).max(maxChangesPerRequest).optional().meta({
    description:
      'The record sets to write. Each entry replaces the record set with its name and type. An entry without records deletes it.',
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
        'Owner names whose records must not change. `*.lan` stands for every name below `lan`. A `replace` leaves their records as they are. If you send other records for one of them, the zone gets the error `locked`.',
      example: ['_acme-challenge'],
    }),
}

const replace = z
  .strictObject({
    type: z.string().meta({ description: 'The record type, such as A.', example: 'A' }),
    from: z.string().min(1).max(70_000).meta({
      description: 'The record data to replace. Domain names in it are fully qualified, with or without a final dot.',
      example: '192.0.2.1',
    }),
    to: z.string().min(1).max(70_000).meta({ description: 'The new record data.', example: '192.0.2.2' }),
  })
  .optional()
  .meta({
    description:
      'Replaces one value in every record set of this type that has it. The other values and the TTL stay the same.',
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
  description: 'The name of the zone. If the zone does not exist, this is its name or id in the request.',
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
      description: 'The version of the zone, to send as `if_match`. It is null if the zone does not exist.',
    }),
    diff: writtenDiffSchema.meta({ description: 'The changes that the plan makes. It is empty if there are errors.' }),
    warnings: warningsSchema,
    errors: errors.meta({
      description: 'The reasons why the zone cannot be changed in this way. The list is empty if it can.',
    }),
    ...importNotes,
  })
  .meta({ id: 'PlannedZone' })

export const planSchema = z
  .object({
    zones: z.array(plannedZoneSchema).meta({
      description:
        'The zones in the order of the request. With `replace`, zones without the value are left out, and `"all"` lists zones by name.',
    }),
    next_cursor: z.string().nullable().meta({
      description:
        'With `replace` and `"all"`, the cursor for the plan of the next zones. It is null after the last zones.',
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
        '`applied`: the zone was changed. `unchanged`: it already had these records. `stale`: the version of the zone is not `if_match`, so the zone was not changed. `refused`: `errors` says why.',
    }),
    version: z.int().nullable().meta({
      description:
        'The version of the zone after the request. It is null if the zone does not exist, or if the change was refused.',
    }),
    errors: errors.optional().meta({ description: 'Why the change was refused.' }),
  })
  .meta({ id: 'AppliedZone' })

export const appliedPlanSchema = z
  .object({
    zones: z.array(appliedZoneSchema).meta({ description: 'The zones in the order of the request.' }),
  })
  .meta({ id: 'AppliedPlan' })

const zonesText = `A request can have at most ${maxPlanZones} zones with their own changes, record sets or zone files, or ${maxSharedPlanZones} zones with \`replace\` or \`preset\`.`

const bodyText =
  'Send one of these: `zones` with `changes`, `rrsets` or `zone_file` for each zone; `replace`; or `preset`.'

export const planRoutes = {
  planChanges: route({
    id: 'planChanges',
    method: 'POST',
    path: '/plans',
    who: ['records:read'],
    wholeZone: false,
    summary: 'Plan changes of many zones',
    description: `The response shows what the changes would do to each zone, with its warnings and errors. The call changes nothing. To make the changes, send the same body to \`POST /plans/apply\`, with the \`version\` of each zone as \`if_match\`. ${bodyText} ${zonesText}`,
    body: z.strictObject({
      zones: z
        .union([
          z.literal('all'),
          z
            .array(z.strictObject({ zone: zoneRef, ...contents, if_match: ifMatch.optional() }))
            .min(1)
            .max(maxSharedPlanZones),
        ])
        .meta({
          description:
            'The zones. With `replace`, `"all"` stands for every zone that the caller can change and that has the value.',
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
    description: `The service changes each zone completely or not at all. A zone that is stale or refused does not stop the others. One \`Idempotency-Key\` covers the whole request. If the service stops in the middle, a repeat with this key continues, and applies nothing twice. ${bodyText} ${zonesText}`,
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
