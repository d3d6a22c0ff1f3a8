import { z } from 'zod'
import { pageOf, pageQuery } from './paging.ts'
import { route } from './route.ts'

export const contactFieldSchema = z
  .object({
    name: z.string().meta({ description: 'Its member in `extra` of a contact.' }),
    label: z.string(),
    required: z.boolean(),
    pattern: z.string().nullable().meta({ description: 'A regular expression that the whole value matches.' }),
    values: z.array(z.string()).nullable().meta({ description: 'The only values; null: any that match.' }),
  })
  .meta({ id: 'ContactField' })

const tldSchema = z
  .object({
    tld: z.string(),
    register_kobo: z.int().meta({ description: 'A year.' }),
    renew_kobo: z.int().meta({ description: 'A year.' }),
    transfer_kobo: z.int(),
    max_years: z.int(),
    idn: z.boolean().meta({ description: 'Names with letters beyond a to z can be registered.' }),
    contact_fields: z.array(contactFieldSchema),
  })
  .meta({ id: 'Tld' })

const checkedNameSchema = z
  .object({
    name: z.string(),
    available: z.boolean(),
    reason: z.enum(['taken', 'reserved', 'bad_name', 'tld_unsupported', 'registry_unavailable']).nullable().meta({
      description:
        '`taken`: it is registered, and its holder may transfer it here. `reserved`: the registry does not sell it or quotes no price for it, or it is a name of this service.',
    }),
    message: z.string().nullable(),
    premium: z.boolean(),
    register_kobo: z.int().nullable().meta({ description: 'The first year.' }),
    renew_kobo: z.int().nullable(),
    transfer_kobo: z.int().nullable(),
  })
  .meta({ id: 'CheckedName' })

export type WireCheckedName = z.infer<typeof checkedNameSchema>

export const tldRoutes = {
  listTlds: route({
    id: 'listTlds',
    method: 'GET',
    path: '/tlds',
    who: ['domains:buy'],
    summary: 'List the TLDs that are sold, with their prices',
    query: z.strictObject(pageQuery),
    answers: { 200: pageOf(tldSchema) },
  }),
  checkDomains: route({
    id: 'checkDomains',
    method: 'POST',
    path: '/domains/check',
    who: ['domains:buy'],
    summary: 'Say which names can be registered, and for how much',
    description:
      'Each name that has no dot is tried under each of `tlds`, or under every TLD. At most 50 names in all.',
    body: z.strictObject({
      names: z.array(z.string().min(1).max(1_024)).min(1).max(50),
      tlds: z.array(z.string().min(1).max(253)).min(1).max(50).optional(),
    }),
    outside: 'check',
    reads: true,
    answers: { 200: z.object({ data: z.array(checkedNameSchema) }) },
  }),
}
