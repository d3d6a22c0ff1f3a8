import { z } from 'zod'
import { pageOf, pageQuery } from './paging.ts'
import { changeResultSchema, dryRunQuery, dryRunSchema, zoneParams } from './records.ts'
import { route } from './route.ts'

/** Maximum length of a parameter of a preset: the longest are DKIM keys. */
export const maxParameterLength = 4_000

export const presetSchema = z
  .object({
    id: z.string().meta({ example: 'netlify.com.website' }),
    provider: z
      .string()
      .meta({ description: 'The provider of the service that the preset sets up.', example: 'netlify.com' }),
    service: z.string().meta({ example: 'website' }),
    title: z.string().meta({ example: 'Netlify website' }),
    description: z.string(),
    parameters: z.array(
      z.object({
        name: z.string().meta({ example: 'site' }),
        label: z.string().meta({ example: 'Name of the site at Netlify' }),
        example: z.string().meta({ example: 'my-site' }),
        required: z.boolean().meta({ description: 'True if you must send the parameter.' }),
      }),
    ),
    records: z
      .array(
        z.object({
          name: z.string().meta({
            description: 'The name of the record, relative to the host. `@` is the host itself.',
            example: 'www',
          }),
          type: z.string().meta({
            description:
              'The type of the record. The type SPFM stands for rules that the service merges into the SPF record of the name.',
          }),
          ttl: z
            .int()
            .nullable()
            .meta({ description: 'The TTL in seconds. It is null for the type SPFM and if a parameter sets the TTL.' }),
          record: z.string().meta({
            description: 'The record data. It can contain placeholders such as `%site%`.',
            example: '%site%.netlify.app.',
          }),
          group: z.string().nullable().meta({
            description:
              'The group of the record. If you omit the parameters of a group, the service omits all records of the group.',
          }),
        }),
      )
      .meta({
        description: 'The records of the preset. The service replaces `%parameter%` with the value of the parameter.',
      }),
  })
  .meta({ id: 'Preset' })

export type WirePreset = z.infer<typeof presetSchema>

const presetResultSchema = changeResultSchema.meta({
  id: 'PresetResult',
  description:
    'The changes that the preset made. `version` and `serial` are the values of the zone after the changes. `warnings` also lists the records that the preset replaced.',
})

const presetId = z.string().meta({ description: 'The id of the preset.' })

export const presetRoutes = {
  listPresets: route({
    id: 'listPresets',
    method: 'GET',
    path: '/presets',
    who: ['records:read', 'records:write'],
    wholeZone: false,
    summary: 'List the presets',
    description:
      'A preset is a set of DNS records for one service of a provider. You apply all of its records to a zone in one step.',
    query: z.strictObject(pageQuery),
    answers: { 200: pageOf(presetSchema) },
  }),
  getPreset: route({
    id: 'getPreset',
    method: 'GET',
    path: '/presets/{id}',
    who: ['records:read', 'records:write'],
    wholeZone: false,
    summary: 'Read one preset',
    params: z.object({ id: presetId }),
    answers: { 200: presetSchema },
  }),
  applyPreset: route({
    id: 'applyPreset',
    method: 'POST',
    path: '/zones/{zone}/presets/{id}',
    who: ['records:write'],
    wholeZone: false,
    summary: 'Apply a preset to a zone',
    description:
      'The service makes all changes of the preset in one step. If existing records conflict with the preset, the service replaces these records and lists them in `warnings`. The service merges SPF rules into the existing SPF record. If you apply the same preset again, nothing changes.',
    params: zoneParams.extend({ id: presetId }),
    query: dryRunQuery,
    body: z.strictObject({
      parameters: z.record(z.string(), z.string().max(maxParameterLength)).default({}).meta({
        description:
          'The values of the parameters, by name. The parameter `host` is the subdomain that the preset sets up. By default, the preset sets up the zone itself.',
      }),
    }),
    source: 'preset',
    answers: { 200: z.union([presetResultSchema, dryRunSchema]) },
    errors: ['precondition_failed', 'service_owned'],
  }),
}
