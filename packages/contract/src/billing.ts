import { z } from 'zod'
import { orderKinds } from './order-kinds.ts'
import { pageOf, pageQuery } from './paging.ts'
import { route } from './route.ts'

const creditSchema = z
  .object({
    currency: z.literal('NGN'),
    balance_kobo: z.int(),
    reserved_kobo: z.int().meta({ description: 'Set aside for orders that are not paid yet.' }),
    available_kobo: z.int(),
  })
  .meta({ id: 'Credit' })

const creditEntrySchema = z
  .object({
    at: z.string(),
    kind: z.string(),
    amount_kobo: z.int().meta({ description: 'Negative when it was spent.' }),
    balance_kobo: z.int().meta({ description: 'After this entry.' }),
    order_id: z.string().nullable(),
    note: z.string(),
  })
  .meta({ id: 'CreditEntry' })

const promoCheckSchema = z
  .object({
    code: z.string(),
    valid: z.boolean(),
    reason: z.enum(['promo_invalid', 'promo_in_use']).nullable(),
    message: z.string().nullable(),
    percent: z.int().nullable(),
    fixed_kobo: z.int().nullable(),
    amount_kobo: z.int().meta({ description: 'The list price.' }),
    promo_kobo: z.int().meta({ description: 'What the code takes off it.' }),
  })
  .meta({ id: 'PromoCheck' })

export const billingRoutes = {
  getCredit: route({
    id: 'getCredit',
    method: 'GET',
    path: '/credit',
    who: ['domains:buy'],
    summary: 'Read the credit of the account',
    answers: { 200: creditSchema },
  }),
  listCreditEntries: route({
    id: 'listCreditEntries',
    method: 'GET',
    path: '/credit/entries',
    who: 'session',
    summary: 'List what was added to the credit and spent of it, the newest first',
    query: z.strictObject(pageQuery),
    answers: { 200: pageOf(creditEntrySchema) },
  }),
  checkPromoCode: route({
    id: 'checkPromoCode',
    method: 'POST',
    path: '/promo-codes/check',
    who: ['domains:buy'],
    summary: 'Say what a promo code takes off an order',
    description:
      'Nothing is reserved: an order does that. A premium name has a price of its own, which its quote tells.',
    body: z.strictObject({
      code: z.string().min(1).max(40),
      kind: z.enum(orderKinds),
      name: z.string().min(1).max(1_024).meta({ example: 'shop.test' }),
      years: z.int().min(1).max(10).default(1),
    }),
    reads: true,
    answers: { 200: promoCheckSchema },
    errors: ['tld_unsupported'],
  }),
}
