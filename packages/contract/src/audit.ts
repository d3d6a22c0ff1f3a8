import { z } from 'zod'
import { actorSchema, sourceSchema } from './actor.ts'
import { instantText } from './instant.ts'
import { pageOf, pageQuery } from './paging.ts'
import { route } from './route.ts'

/** What an entry can refer to. */
export const auditReferenceKinds = ['version', 'order', 'key', 'endpoint', 'domain', 'zone'] as const

const auditReference = z
  .object({
    kind: z.enum(auditReferenceKinds).meta({
      description:
        '`version`: a version of the zone `zone_id`. `endpoint`: a webhook endpoint. More values can be added.',
    }),
    id: z.string().meta({
      description: 'The id of the object. For a version, this is its number, and for a domain its name.',
      example: '12',
    }),
  })
  .meta({ id: 'AuditReference' })

const auditRow = z
  .object({
    at: z.string(),
    actor: actorSchema,
    source: sourceSchema,
    action: z
      .string()
      .meta({ description: 'The kind of action, as a code for programs. An example is `records.changed`.' }),
    zone: z
      .string()
      .nullable()
      .meta({ description: 'The name of the zone. It is null if the entry is not about a zone.' }),
    domain: z
      .string()
      .nullable()
      .meta({ description: 'The name of the domain. It is null if the entry is not about a domain.' }),
    summary: z.string().meta({ description: 'The action as human-readable text.' }),
    zone_id: z
      .string()
      .nullable()
      .meta({ description: 'The id of the zone. It is null if the entry is not about a zone.' }),
    reference: auditReference.nullable().meta({
      description:
        'The object that the entry is about, which may no longer exist. It is null if there is none. In entries about zones that the account manages but does not own, it is the zone or one of its versions.',
    }),
    request_id: z.string().nullable(),
    address: z.string().nullable().meta({
      description:
        'The IP address of the request. It is null in entries about zones that the account manages but does not own.',
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
      'The list has the entries of the account and of the zones that it manages. To get CSV, send `Accept: text/csv`.\n\nThe filters `zone`, `actor` and `action` find parts of words in any letter case. With one of them, the service searches at most 10,000 entries for each page. The page can then have fewer than `limit` entries, or none. Keep reading pages while the response has a `next_cursor`.',
    query: z.strictObject({
      ...pageQuery,
      zone: z.string().max(300).optional().meta({
        description: 'A part of the name of a zone or domain, or the id of the zone.',
      }),
      actor: z.string().max(254).optional().meta({
        description:
          'A part of the name of an actor or of the email address of its account, or the id of a key or account. For an account, the list also has the entries of its keys.',
      }),
      action: z.string().max(100).optional().meta({
        description: 'A part of an action, such as `records.changed` or `records`.',
      }),
      since: instantText
        .optional()
        .meta({ description: 'If you send this, the list has only the entries since this time.' }),
      until: instantText
        .optional()
        .meta({ description: 'If you send this, the list has only the entries before this time.' }),
    }),
    answers: { 200: pageOf(auditRow) },
    alsoAs: 'text/csv',
  }),
}
