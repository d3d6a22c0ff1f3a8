import { z } from 'zod'
import { pageOf, pageQuery } from './paging.ts'
import { changeResultSchema, dryRunQuery, dryRunSchema, zoneParams } from './records.ts'
import { route } from './route.ts'

/** Maximum length of a parameter of a preset: the longest are DKIM keys. */
export const maxParameterLength = 4_000

export const presetSchema = z
  .object({
    id: z.string().meta({ example: 'netlify.com.website' }),
    provider: z.string().meta({ description: 'The provider of the service.', example: 'netlify.com' }),
    service: z.string().meta({ example: 'website' }),
    title: z.string().meta({ example: 'Netlify website' }),
    description: z.string(),
    parameters: z.array(
      z.object({
        name: z.string().meta({ example: 'site' }),
        label: z.string().meta({ example: 'Name of the site at Netlify' }),
        example: z.string().meta({ example: 'my-site' }),
        required: z.boolean(),
      }),
    ),
    records: z
      .array(
        z.object({
          name: z.string().meta({ description: 'Relative to the host. `@` is the host itself.', example: 'www' }),
          type: z
            .string()
            .meta({ description: 'A record type, or SPFM for rules that are merged into the SPF record of the name.' }),
          ttl: z.int().nullable().meta({ description: 'Seconds. Null if a parameter or the zone sets the TTL.' }),
          record: z.string().meta({ example: '%site%.netlify.app.' }),
          group: z
            .string()
            .nullable()
            .meta({ description: 'Records with the same group are omitted together if their parameters are omitted.' }),
        }),
      )
      .meta({ description: '`%parameter%` is replaced with the value of the parameter.' }),
  })
  .meta({ id: 'Preset' })

export type WirePreset = z.infer<typeof presetSchema>

const presetResultSchema = changeResultSchema.meta({
  id: 'PresetResult',
  description: 'The warnings also list the replaced records.',
})

const presetId = z.string().meta({ description: 'Id of the preset.' })

export const presetRoutes = {
  listPresets: route({
    id: 'listPresets',
    method: 'GET',
    path: '/presets',
    who: ['records:read', 'records:write'],
    summary: 'List the presets',
    query: z.strictObject(pageQuery),
    answers: { 200: pageOf(presetSchema) },
  }),
  getPreset: route({
    id: 'getPreset',
    method: 'GET',
    path: '/presets/{id}',
    who: ['records:read', 'records:write'],
    summary: 'Read one preset',
    params: z.object({ id: presetId }),
    answers: { 200: presetSchema },
  }),
  applyPreset: route({
    id: 'applyPreset',
    method: 'POST',
    path: '/zones/{zone}/presets/{id}',
    who: ['records:write'],
    summary: 'Apply a preset to a zone',
    description:
      'Makes all changes in one step. Conflicting records are replaced and listed in `warnings`. ' +
      'SPF rules are merged into the existing SPF record. Applying a preset again changes nothing.',
    params: zoneParams.extend({ id: presetId }),
    query: dryRunQuery,
    body: z.strictObject({
      parameters: z
        .record(z.string(), z.string().max(maxParameterLength))
        .default({})
        .meta({ description: 'Parameters by name. `host` is the subdomain to set up. Default: the zone itself.' }),
    }),
    source: 'preset',
    answers: { 200: z.union([presetResultSchema, dryRunSchema]) },
    errors: ['precondition_failed', 'service_owned'],
  }),
}
