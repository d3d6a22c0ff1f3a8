import { z } from 'zod'
import { orderKinds } from './order-kinds.ts'
import { pageOf, pageQuery } from './paging.ts'
import { route } from './route.ts'

const creditSchema = z
  .object({
    currency: z.literal('NGN'),
    balance_kobo: z.int(),
    reserved_kobo: z.int().meta({ description: 'The credit that unpaid orders reserve.' }),
    available_kobo: z.int(),
  })
  .meta({ id: 'Credit' })

const creditEntrySchema = z
  .object({
    at: z.string(),
    kind: z.string(),
    amount_kobo: z.int().meta({ description: 'The amount of this entry. It is negative if the account spent credit.' }),
    balance_kobo: z.int().meta({ description: 'The balance after this entry.' }),
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
    promo_kobo: z.int().meta({ description: 'The discount.' }),
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
    summary: 'List credit entries, newest first',
    query: z.strictObject(pageQuery),
    answers: { 200: pageOf(creditEntrySchema) },
  }),
  checkPromoCode: route({
    id: 'checkPromoCode',
    method: 'POST',
    path: '/promo-codes/check',
    who: ['domains:buy'],
    summary: 'Check the discount of a promo code',
    description:
      'This call does not reserve the code. An order reserves it. `amount_kobo` does not include special prices of premium names. A quote shows those prices.',
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
