import { z } from 'zod'

/** The source of a change, independent of who made it. */
export const changeSources = [
  'dashboard',
  'api',
  'preset',
  'import',
  'restore',
  'system',
  'powerdns',
  'dyndns2',
  'httpreq',
  'acme-dns',
  'rfc2136',
  'domain-connect',
] as const
export type ChangeSource = (typeof changeSources)[number]

/** Who made a change, as the audit log and the history of a zone show it. */
export const actorSchema = z
  .object({
    kind: z.enum(['session', 'key', 'system', 'operator']).meta({
      description:
        '`session`: a person in the dashboard. `key`: a program with an API key. `system`: the service itself. `operator`: an operator of the service.',
    }),
    name: z.string().meta({
      description:
        'The name of the key, job or operator that made the change. For a person, this is the email address of the account at the time of the change.',
    }),
    id: z.string().nullable().meta({ description: 'The id of the key, or the account id of the person.' }),
    account_id: z.string().nullable().meta({
      description:
        'The id of the account that the key or person belongs to. It is null for the service and its operators.',
    }),
    account_email: z
      .string()
      .nullable()
      .meta({ description: 'The current email address of the account. It is null if the account has been erased.' }),
  })
  .meta({ id: 'Actor' })

export type WireActor = z.infer<typeof actorSchema>

export const sourceSchema = z.enum(changeSources).meta({
  description:
    'How the change was made. `dashboard`: a direct change with a session. `api`: a direct change with an API key. `preset`, `import` and `restore`: a change by the operation of this name, with a session or a key. `system`: a change by the service or its operator. `powerdns`, `dyndns2`, `httpreq`, `acme-dns`, `rfc2136` and `domain-connect`: a change through one of these protocols. More values can be added.',
})
