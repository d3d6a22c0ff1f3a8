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
      description:
        'The id of the object. For a version, this is the version number. For a domain, this is the domain name.',
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
        'The object that the entry is about. The object may no longer exist. The field is null if the entry is not about an object. If the account manages the zone of the entry but does not own it, the object is the zone or a version of the zone.',
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
      'The list has the entries of the account, and the entries about zones that the account manages. To get CSV, send `Accept: text/csv`.\n\nThe filters `zone`, `actor` and `action` match any part of a text, in any letter case. If you send one of these filters, the service searches at most 10,000 entries for each page. The page can then have fewer than `limit` entries, or none. Request the next page until `next_cursor` is null.',
    query: z.strictObject({
      ...pageQuery,
      zone: z.string().max(300).optional().meta({
        description: 'A part of the name of a zone or domain, or the id of the zone.',
      }),
      actor: z.string().max(254).optional().meta({
        description:
          'A part of the name of an actor, a part of the email address of the actor’s account, or the id of a key or account. If you send the id of an account, the list also has the entries of the keys of this account.',
      }),
      action: z.string().max(100).optional().meta({
        description: 'An action or a part of it, such as `records.changed` or `records`.',
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
