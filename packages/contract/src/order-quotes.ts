import { z } from 'zod'
import { orderKinds } from './order-kinds.ts'
import { route } from './route.ts'
import { contactFieldSchema } from './tlds.ts'

const quoteSchema = z
  .object({
    id: z.string(),
    kind: z.enum(orderKinds),
    name: z.string(),
    years: z.int(),
    available: z.boolean().meta({ description: 'False if the service would refuse an order with this quote now.' }),
    premium: z.boolean().meta({ description: 'True if the registry has a special price for this name.' }),
    amount_kobo: z.int().meta({ description: 'The full price for all years, before the discount.' }),
    promo_kobo: z.int().meta({ description: 'The discount of the promo code.' }),
    promo_code: z
      .string()
      .meta({ description: 'The promo code of the quote. It is empty if the quote has no promo code.' }),
    renewal_kobo: z.int().meta({ description: 'The current price of each year after the years of this order.' }),
    requirements: z
      .object({
        contact: z.boolean().meta({ description: 'True if the order needs a `contact_id`.' }),
        auth_code: z.boolean().meta({ description: 'True if the order needs an `auth_code`.' }),
        contact_fields: z
          .array(contactFieldSchema)
          .meta({ description: 'The additional fields that the contact needs in `extra`.' }),
      })
      .meta({ description: 'The data that an order with this quote needs.' }),
    expires_at: z.string().meta({ description: 'The time until which you can place an order with this quote.' }),
  })
  .meta({ id: 'Quote' })

export type WireQuote = z.infer<typeof quoteSchema>

export const quoteRoutes = {
  createQuote: route({
    id: 'createQuote',
    method: 'POST',
    path: '/quotes',
    who: ['domains:buy'],
    summary: 'Create a quote for an order',
    description:
      'The price is valid for 30 minutes. A quote does not reserve a promo code. An account can use a promo code for only one unpaid order at a time. If another unpaid order already uses the code, the call fails with `promo_in_use`.',
    body: z.strictObject({
      kind: z.enum(orderKinds),
      name: z.string().min(1).max(1_024).meta({ description: 'The name of the domain.', example: 'shop.test' }),
      years: z.int().min(1).max(10).optional().meta({ description: 'The number of years. The default is 1.' }),
      promo_code: z.string().max(40).optional().meta({ description: 'The promo code that the order will use.' }),
    }),
    outside: 'quote',
    answers: { 201: quoteSchema },
    errors: [
      'domain_locked',
      'name_unavailable',
      'not_renewable',
      'promo_in_use',
      'promo_invalid',
      'registry_unavailable',
      'tld_unsupported',
    ],
  }),
}
