import { z } from 'zod'
import { orderKinds } from './order-kinds.ts'
import { pageOf, pageQuery } from './paging.ts'
import { route } from './route.ts'

const creditSchema = z
  .object({
    currency: z.literal('NGN'),
    balance_kobo: z.int().meta({ description: 'The credit of the account, including the reserved credit.' }),
    reserved_kobo: z.int().meta({ description: 'The credit that unpaid orders reserve.' }),
    available_kobo: z
      .int()
      .meta({ description: 'The credit that new orders can use: the balance without the reserved credit.' }),
  })
  .meta({ id: 'Credit' })

const creditEntrySchema = z
  .object({
    at: z.string(),
    kind: z.string().meta({
      description:
        '`credit_granted`: the account was granted credit. `credit_used`: credit paid for an order or a part of an order. `credit_returned`: the credit of a failed order was returned. `card_credited`: the card payment of a failed order became credit. `surplus_credited`: an overpayment became credit. More kinds can be added.',
    }),
    amount_kobo: z.int().meta({ description: 'The amount of this entry. It is negative if the account spent credit.' }),
    balance_kobo: z.int().meta({ description: 'The balance after this entry.' }),
    order_id: z
      .string()
      .nullable()
      .meta({ description: 'The id of the order. It is null if the entry is not about an order.' }),
    note: z.string(),
  })
  .meta({ id: 'CreditEntry' })

const promoCheckSchema = z
  .object({
    code: z.string(),
    valid: z.boolean(),
    reason: z.enum(['promo_invalid', 'promo_in_use']).nullable().meta({
      description:
        'The reason why the code is not valid for this order. `promo_invalid`: the code does not exist or does not apply to the order. `promo_in_use`: open orders have reserved the code. The field is null if the code is valid.',
    }),
    message: z.string().nullable().meta({ description: 'The reason as human-readable text.' }),
    percent: z.int().nullable().meta({
      description: 'The discount as a percentage. It is null if the code has a fixed discount or is not valid.',
    }),
    fixed_kobo: z
      .int()
      .nullable()
      .meta({ description: 'The fixed discount. It is null if the code has a percentage discount or is not valid.' }),
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
      'This call does not reserve the code. Only an order reserves a code. `amount_kobo` does not include special prices of premium names. To see a special price, request a quote.',
    body: z.strictObject({
      code: z.string().min(1).max(40).meta({ description: 'The promo code.' }),
      kind: z.enum(orderKinds),
      name: z.string().min(1).max(1_024).meta({ description: 'The name of the domain.', example: 'shop.test' }),
      years: z.int().min(1).max(10).default(1).meta({ description: 'The number of years.' }),
    }),
    reads: true,
    answers: { 200: promoCheckSchema },
    errors: ['tld_unsupported'],
  }),
}
