import { z } from 'zod'
import { optionalEmailAddress } from './email-address.ts'
import { orderKinds } from './order-kinds.ts'
import { pageOf, pageQuery } from './paging.ts'
import { dryRunQuery } from './records.ts'
import { route } from './route.ts'

export const orderStatuses = [
  'pending_payment',
  'processing',
  'completed',
  'failed',
  'cancelled',
  'refunded',
  'credited',
] as const

export type OrderStatus = (typeof orderStatuses)[number]

export const orderStages = [
  'awaiting_payment',
  'sending',
  'registry_pending',
  'checking',
  'action_required',
  'refunding',
] as const

export type OrderStage = (typeof orderStages)[number]

/** An order in events: exactly the specification's fields ("Order"), in its order. */
export const orderSchema = z
  .object({
    id: z.string(),
    kind: z.enum(orderKinds),
    name: z.string(),
    years: z.int(),
    status: z.enum(orderStatuses),
    amount_kobo: z.int().meta({ description: 'The full price.' }),
    credit_kobo: z.int(),
    promo_code: z.string(),
    promo_kobo: z.int(),
    client_email: z.string(),
    last_error: z.string(),
    created_at: z.string(),
    paid_at: z.string().meta({ description: 'Empty until the order is paid.' }),
    finished_at: z.string().meta({
      description: 'Empty until the order is completed, failed or cancelled. After that, the value does not change.',
    }),
  })
  .meta({ id: 'Order' })

export type WireOrder = z.infer<typeof orderSchema>

const paymentSchema = z.object({
  reference: z.string(),
  status: z.enum(['open', 'succeeded', 'failed']),
  amount_kobo: z.int(),
  counted_as: z
    .enum(['order', 'surplus'])
    .nullable()
    .meta({ description: 'An overpayment is refunded automatically. Null if the payment has not succeeded.' }),
  refund: z.enum(['wanted', 'posted', 'processed', 'failed', 'needs_attention']).nullable(),
  created_at: z.string(),
})

const orderDetailsSchema = orderSchema
  .extend({
    stage: z.enum(orderStages).nullable().meta({ description: 'Null when the order is finished.' }),
    stage_message: z.string(),
    act_by: z.string().nullable(),
    expires_at: z.string().nullable().meta({ description: 'When the order is cancelled if it stays unpaid.' }),
    due_kobo: z.int().meta({ description: 'The amount due by card.' }),
    payments: z.array(paymentSchema),
    receipt: z
      .string()
      .nullable()
      .meta({ description: 'The page of the receipt in the dashboard. Null until there is a receipt.' }),
    pay_link_expires_at: z
      .string()
      .nullable()
      .meta({ description: 'When the order’s payment link expires. Null if the order has no payment link.' }),
    url: z.string().meta({ description: 'The order’s page in the dashboard, where it can be paid.' }),
  })
  .meta({ id: 'OrderDetails' })

const orderDryRunSchema = orderDetailsSchema.extend({ id: z.literal(''), receipt: z.null(), url: z.literal('') }).meta({
  id: 'OrderDryRun',
  description: 'The order that the request would place. It has no `id` and no page in the dashboard.',
})

export type WireOrderDetails = z.infer<typeof orderDetailsSchema>

const orderParams = z.object({ id: z.string() })

export const orderRoutes = {
  listOrders: route({
    id: 'listOrders',
    method: 'GET',
    path: '/orders',
    who: ['domains:read'],
    summary: 'List the orders of the account, newest first',
    query: z.strictObject({
      ...pageQuery,
      status: z.enum(orderStatuses).optional(),
      name: z.string().max(1_024).optional(),
    }),
    answers: { 200: pageOf(orderSchema) },
  }),
  getOrder: route({
    id: 'getOrder',
    method: 'GET',
    path: '/orders/{id}',
    who: ['domains:read', 'domains:buy'],
    summary: 'Read one order',
    description: 'A key with `domains:buy` alone can read only orders that it placed itself.',
    params: orderParams,
    answers: { 200: orderDetailsSchema },
  }),
  createOrder: route({
    id: 'createOrder',
    method: 'POST',
    path: '/orders',
    who: ['domains:buy'],
    summary: 'Place an order for a quote',
    description:
      'If nothing is due, the order starts immediately. Otherwise a person pays the order in the dashboard, at `url`. ' +
      'A key can place at most 20 orders an hour. `dry_run=true` runs the same checks and changes nothing.',
    query: dryRunQuery,
    body: z.strictObject({
      quote_id: z.string().max(100),
      contact_id: z.string().max(100).optional().meta({ description: 'The registrant. Not allowed for a renewal.' }),
      auth_code: z
        .string()
        .trim()
        .min(1)
        .max(255)
        .regex(/^\P{Cc}+$/u, 'Control characters are not allowed.')
        .optional()
        .meta({ description: 'The transfer code from the current registrar.' }),
      nameservers: z
        .array(z.string().min(1).max(255))
        .min(2)
        .max(13)
        .optional()
        .meta({ description: 'Default: the nameservers of this service.' }),
      auto_renew: z.boolean().optional(),
      client_email: optionalEmailAddress.optional(),
      use_credit: z.boolean().optional().meta({ description: 'Whether to use the account’s credit.' }),
      expected_due_kobo: z
        .int()
        .min(0)
        .optional()
        .meta({ description: 'The order fails if a different amount is due.' }),
    }),
    headers: ['Location'],
    answers: { 200: orderDryRunSchema, 201: orderDetailsSchema },
    errors: [
      'auth_code_required',
      'contact_invalid',
      'domain_locked',
      'email_unconfirmed',
      'insufficient_credit',
      'name_unavailable',
      'not_found',
      'not_renewable',
      'order_open',
      'price_changed',
      'promo_in_use',
      'promo_invalid',
      'quote_expired',
      'registry_unavailable',
      'tld_unsupported',
    ],
  }),
  cancelOrder: route({
    id: 'cancelOrder',
    method: 'POST',
    path: '/orders/{id}/cancel',
    who: ['domains:buy'],
    summary: 'Cancel an unpaid order',
    description: 'A key with `domains:buy` alone can cancel only orders that it placed itself.',
    params: orderParams,
    answers: { 200: orderDetailsSchema },
    errors: ['conflict'],
  }),
}
