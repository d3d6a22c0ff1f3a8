import { z } from 'zod'
import { pageOf, pageQuery } from './paging.ts'
import { route } from './route.ts'

export const contactFieldSchema = z
  .object({
    name: z.string().meta({ description: 'The name of the field in `extra` of a contact.' }),
    label: z.string(),
    required: z.boolean(),
    pattern: z.string().nullable().meta({ description: 'A regular expression that the whole value must match.' }),
    values: z
      .array(z.string())
      .nullable()
      .meta({ description: 'The allowed values. The field is null if any value that matches `pattern` is allowed.' }),
  })
  .meta({ id: 'ContactField' })

const tldSchema = z
  .object({
    tld: z.string(),
    register_kobo: z.int().meta({ description: 'The price of a registration for one year.' }),
    renew_kobo: z.int().meta({ description: 'The price of a renewal for one year.' }),
    transfer_kobo: z.int().meta({ description: 'The price of a transfer to this service.' }),
    max_years: z.int().meta({ description: 'The maximum number of years of an order.' }),
    idn: z.boolean().meta({ description: 'True if you can register internationalized names below this TLD.' }),
    contact_fields: z.array(contactFieldSchema).meta({
      description: 'The additional fields of contacts for this TLD. Send these fields in `extra` of the contact.',
    }),
  })
  .meta({ id: 'Tld' })

const checkedNameSchema = z
  .object({
    name: z.string(),
    available: z.boolean(),
    reason: z.enum(['taken', 'reserved', 'bad_name', 'tld_unsupported', 'registry_unavailable']).nullable().meta({
      description:
        'The reason why the name is not available. `taken`: the name is registered. The registrant can transfer the name to this service. `reserved`: the registry does not sell the name, the registry gives no price for the name, or this service uses the name.',
    }),
    message: z.string().nullable().meta({ description: 'The reason as human-readable text.' }),
    premium: z.boolean().meta({ description: 'True if the registry has a special price for this name.' }),
    register_kobo: z.int().nullable().meta({ description: 'The price of the first year.' }),
    renew_kobo: z.int().nullable().meta({ description: 'The price of a renewal for one year.' }),
    transfer_kobo: z.int().nullable().meta({ description: 'The price of a transfer to this service.' }),
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
      'If a name has no dot, the service checks the name under each TLD in `tlds`. Without `tlds`, the service checks the name under every TLD that it sells. One call checks at most 50 names in total.',
    body: z.strictObject({
      names: z
        .array(z.string().min(1).max(1_024))
        .min(1)
        .max(50)
        .meta({ description: 'The names to check, with a TLD (`shop.test`) or without a dot (`shop`).' }),
      tlds: z
        .array(z.string().min(1).max(253))
        .min(1)
        .max(50)
        .optional()
        .meta({ description: 'The TLDs for names without a dot.' }),
    }),
    outside: 'check',
    reads: true,
    answers: { 200: z.object({ data: z.array(checkedNameSchema) }) },
  }),
}
