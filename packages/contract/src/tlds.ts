import { z } from 'zod'
import { pageOf, pageQuery } from './paging.ts'
import { route } from './route.ts'

export const contactFieldSchema = z
  .object({
    name: z.string().meta({ description: 'The key in `extra` of a contact.' }),
    label: z.string(),
    required: z.boolean(),
    pattern: z.string().nullable().meta({ description: 'A regular expression. The whole value must match it.' }),
    values: z
      .array(z.string())
      .nullable()
      .meta({ description: 'The allowed values. Null if any matching value is allowed.' }),
  })
  .meta({ id: 'ContactField' })

const tldSchema = z
  .object({
    tld: z.string(),
    register_kobo: z.int().meta({ description: 'Price of one year.' }),
    renew_kobo: z.int().meta({ description: 'Price of one year.' }),
    transfer_kobo: z.int(),
    max_years: z.int(),
    idn: z.boolean().meta({ description: 'Whether internationalized names can be registered.' }),
    contact_fields: z.array(contactFieldSchema),
  })
  .meta({ id: 'Tld' })

const checkedNameSchema = z
  .object({
    name: z.string(),
    available: z.boolean(),
    reason: z.enum(['taken', 'reserved', 'bad_name', 'tld_unsupported', 'registry_unavailable']).nullable().meta({
      description:
        '`taken`: the name is registered, and its registrant can transfer it here. `reserved`: the registry does not sell it or gives no price for it, or this service uses it.',
    }),
    message: z.string().nullable(),
    premium: z.boolean(),
    register_kobo: z.int().nullable().meta({ description: 'Price of the first year.' }),
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
    summary: 'List TLDs and prices',
    query: z.strictObject(pageQuery),
    answers: { 200: pageOf(tldSchema) },
  }),
  checkDomains: route({
    id: 'checkDomains',
    method: 'POST',
    path: '/domains/check',
    who: ['domains:buy'],
    summary: 'Check the availability and prices of names',
    description:
      'A name without a dot is checked under each of `tlds`, or, without `tlds`, under every TLD. One call checks at most 50 names in total.',
    body: z.strictObject({
      names: z.array(z.string().min(1).max(1_024)).min(1).max(50),
      tlds: z.array(z.string().min(1).max(253)).min(1).max(50).optional(),
    }),
    outside: 'check',
    reads: true,
    answers: { 200: z.object({ data: z.array(checkedNameSchema) }) },
  }),
}
