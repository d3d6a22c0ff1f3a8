import { z } from 'zod'
import { actorSchema, sourceSchema } from './actor.ts'
import { pageOf, pageQuery } from './paging.ts'
import { changedOrDryRun, diffSchema, dryRunQuery, zoneParams } from './records.ts'
import { route } from './route.ts'

const versionSchema = z
  .object({
    version: z.int().meta({ description: 'The number of the version.' }),
    serial: z.int().meta({ description: 'The SOA serial of the zone after the change.' }),
    at: z.string().meta({ format: 'date-time', description: 'The time of the change.' }),
    actor: actorSchema,
    source: sourceSchema,
    changes_count: z.int().meta({ description: 'The number of record sets that changed.' }),
    changes: diffSchema.shape.changes.nullable().meta({
      description:
        'The changes of this version. The field is null if more than 3 record sets have changed, or if the changes have more than 8 KiB. `GET /zones/{zone}/versions/{version}/diff` always returns all changes.',
    }),
  })
  .meta({ id: 'Version' })

export type WireVersion = z.infer<typeof versionSchema>

const versionParams = zoneParams.extend({
  version: z.coerce
    .number()
    .int()
    .min(0)
    .max(Number.MAX_SAFE_INTEGER)
    .meta({ description: 'The number of the version.' }),
})

/** The history of a zone: every change that an account made to the records of the zone. */
export const versionRoutes = {
  listVersions: route({
    id: 'listVersions',
    method: 'GET',
    path: '/zones/{zone}/versions',
    who: ['records:read'],
    wholeZone: true,
    summary: 'List the versions of a zone, newest first',
    description: 'Each change of the zone’s records creates a version.',
    params: zoneParams,
    query: z.strictObject(pageQuery),
    answers: { 200: pageOf(versionSchema) },
  }),
  getVersion: route({
    id: 'getVersion',
    method: 'GET',
    path: '/zones/{zone}/versions/{version}',
    who: ['records:read'],
    wholeZone: true,
    summary: 'Read one version of a zone',
    params: versionParams,
    answers: { 200: versionSchema },
  }),
  diffVersion: route({
    id: 'diffVersion',
    method: 'GET',
    path: '/zones/{zone}/versions/{version}/diff',
    who: ['records:read'],
    wholeZone: true,
    summary: 'Read the changes of a version',
    description: 'The response lists the record sets that changed between the previous version and this version.',
    params: versionParams,
    answers: { 200: diffSchema },
  }),
  restoreVersion: route({
    id: 'restoreVersion',
    method: 'POST',
    path: '/zones/{zone}/versions/{version}/restore',
    who: ['records:write'],
    wholeZone: true,
    summary: 'Restore a version',
    description:
      'The call creates a new version with the records of an earlier version. All existing versions stay in the history. Version 0 is the empty zone.',
    params: versionParams,
    query: dryRunQuery,
    source: 'restore',
    long: true,
    answers: { 200: changedOrDryRun },
    errors: ['precondition_failed'],
  }),
}
