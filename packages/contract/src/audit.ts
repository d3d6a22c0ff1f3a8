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
      description: 'Where the request came from. Null in the entries of zones that the account only manages.',
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
    summary: 'List who changed what, the newest first',
    description: 'Every entry of the account, and those of zones that it manages. `Accept: text/csv` gets a table.',
    query: z.strictObject({
      ...pageQuery,
      zone: z.string().max(300).optional().meta({ description: 'Name or id.' }),
      actor: z.string().max(254).optional().meta({
        description: "An actor's name, a key's id, or an account's id or email address (its keys included).",
      }),
      action: z.string().max(100).optional(),
      since: instantText.optional(),
      until: instantText.optional(),
    }),
    answers: { 200: pageOf(auditRow) },
    alsoAs: 'text/csv',
  }),
}
