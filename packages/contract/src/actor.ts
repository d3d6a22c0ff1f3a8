import { z } from 'zod'

/** Where a change came from, whoever made it. */
export const changeSources = ['dashboard', 'api', 'preset', 'import', 'restore', 'system'] as const
export type ChangeSource = (typeof changeSources)[number]

/** Who made a change, as the audit log and the history of a zone show it. */
export const actorSchema = z
  .object({
    kind: z.enum(['session', 'key', 'system', 'operator']),
    name: z.string().meta({
      description: 'The name of the key, the person’s email address at that time, or the name of the job or operator.',
    }),
    id: z.string().nullable().meta({ description: "The key's id or the person's account id." }),
    account_id: z
      .string()
      .nullable()
      .meta({ description: 'The account of the key or person. Null for the service and its operators.' }),
    account_email: z
      .string()
      .nullable()
      .meta({ description: 'The current email address of that account. Null if the account has been erased.' }),
  })
  .meta({ id: 'Actor' })

export type WireActor = z.infer<typeof actorSchema>

export const sourceSchema = z.enum(changeSources).meta({
  description:
    'Where the change came from. `dashboard`: a direct change with a session. `api`: a direct change with a key. `preset`, `import` and `restore`: a ' +
    'change by one of these operations, with a session or a key. `system`: a change by the service or its operator. More values may be added.',
})
