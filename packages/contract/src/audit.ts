import { z } from 'zod'
import { actorSchema, sourceSchema } from './actor.ts'
import { instantText } from './instant.ts'
import { pageOf, pageQuery } from './paging.ts'
import { route } from './route.ts'

const auditRow = z
  .object({
    at: z.string(),
    actor: actorSchema,
    source: sourceSchema,
    action: z.string(),
    zone: z.string().nullable(),
    domain: z.string().nullable(),
    summary: z.string(),
    request_id: z.string().nullable(),
    address: z.string().nullable().meta({
      description:
        'The network address of the request. It is null for zones that the account manages but does not own.',
    }),
  })
  .meta({ id: 'AuditEntry' })

export type WireAuditEntry = z.infer<typeof auditRow>

export const auditRoutes = {
  listAudit: route({
    id: 'listAudit',
    method: 'GET',
    path: '/audit-log',
    who: 'session',
    summary: 'List audit log entries, newest first',
    description:
      'The list has the entries of the account and of the zones that it manages. To get CSV, send `Accept: text/csv`.',
    query: z.strictObject({
      ...pageQuery,
      zone: z.string().max(300).optional().meta({ description: 'The name or the id of the zone.' }),
      actor: z.string().max(254).optional().meta({
        description:
          'The name of an actor, the id of a key, or the id or the email address of an account. An account includes its keys.',
      }),
      action: z.string().max(100).optional(),
      since: instantText.optional(),
      until: instantText.optional(),
    }),
    answers: { 200: pageOf(auditRow) },
    alsoAs: 'text/csv',
  }),
}
