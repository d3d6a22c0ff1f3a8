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
    status: z.enum(orderStatuses).meta({
      description:
        '`pending_payment`: a person must pay the order by card. `processing`: the order is paid, and the service sends it to the registry. `completed`: the order is complete. For a transfer, `completed` means that the transfer has started. `failed`: the registry refused the order, and the service returns the payment. `refunded`: the payment was returned to the card. `credited`: the payment became credit of the account. `cancelled`: the order was closed without payment, or the registry refused an order that a promo code paid in full.',
    }),
    amount_kobo: z.int().meta({ description: 'The full price.' }),
    credit_kobo: z.int().meta({ description: 'The part of the price that credit pays.' }),
    promo_code: z.string().meta({ description: 'The promo code. It is empty if the order has none.' }),
    promo_kobo: z.int().meta({ description: 'The discount of the promo code.' }),
    client_email: z
      .string()
      .meta({ description: 'The email address of the client who gets the payment link. It can be empty.' }),
    last_error: z.string().meta({ description: 'The reason why the order failed. It is empty if there was no error.' }),
    created_at: z.string(),
    paid_at: z.string().meta({ description: 'The time of the payment. It is empty until the order is paid.' }),
    finished_at: z.string().meta({
      description:
        'The time at which the order became completed, failed or cancelled. It is empty until that time, and then stays the same.',
    }),
  })
  .meta({ id: 'Order' })

export type WireOrder = z.infer<typeof orderSchema>

const paymentSchema = z.object({
  reference: z.string().meta({ description: 'The reference of the payment at the card gateway.' }),
  status: z.enum(['open', 'succeeded', 'failed']).meta({
    description:
      '`open`: the payment has started, and its outcome is unknown. `succeeded`: the payment was made. `failed`: the payment was not made.',
  }),
  amount_kobo: z
    .int()
    .meta({ description: 'The amount that was paid. Before the payment is made, this is the amount to pay.' }),
  counted_as: z.enum(['order', 'surplus']).nullable().meta({
    description:
      '`order`: the payment paid the order. `surplus`: the payment is an overpayment, and the service refunds it automatically. The field is null if the payment has not succeeded.',
  }),
  refund: z.enum(['wanted', 'posted', 'processed', 'failed', 'needs_attention']).nullable().meta({
    description:
      'The state of the refund. `wanted`: the card gateway has not accepted the refund yet. `posted`: the card gateway has accepted the refund. `processed`: the money was returned to the card. `failed`: the money could not be returned to the card. `needs_attention`: the bank requires details of the payer before it returns the money. The field is null if there is no refund.',
  }),
  decline_reason: z.string().nullable().meta({
    description:
      'The reason why the card was declined, as the card gateway reports it. It is empty if the gateway gave no reason, and null if the card was not declined.',
  }),
  created_at: z.string(),
})

/** An order in a list. `stage` distinguishes a transfer in progress from a transfer that has ended, because both have the status `completed`. */
const listedOrderSchema = orderSchema
  .extend({
    stage: z
      .enum(orderStages)
      .nullable()
      .meta({ description: 'The stage of the order. It is null when the order is finished.' }),
  })
  .meta({ id: 'ListedOrder' })

export type WireListedOrder = z.infer<typeof listedOrderSchema>

const orderDetailsSchema = listedOrderSchema
  .extend({
    stage_message: z.string().meta({ description: 'The stage as human-readable text.' }),
    act_by: z.string().nullable().meta({
      description:
        'For a transfer, the time at which the registry decides automatically. The field is null for other orders, and if the time is not known.',
    }),
    expires_at: z
      .string()
      .nullable()
      .meta({ description: 'The time at which the service cancels the order if it is still unpaid.' }),
    due_kobo: z.int().meta({ description: 'The amount that must be paid by card.' }),
    payments: z.array(paymentSchema).meta({ description: 'The card payments for the order.' }),
    receipt: z
      .string()
      .nullable()
      .meta({ description: 'The page of the receipt in the dashboard. It is null if there is no receipt yet.' }),
    pay_link_expires_at: z.string().nullable().meta({
      description:
        'The time at which the payment link of the order expires. It is null if the order has no payment link.',
    }),
    url: z.string().meta({ description: 'The page of the order in the dashboard. A person can pay the order there.' }),
  })
  .meta({ id: 'OrderDetails' })

const orderDryRunSchema = orderDetailsSchema.extend({ id: z.literal(''), receipt: z.null(), url: z.literal('') }).meta({
  id: 'OrderDryRun',
  description: 'The order that the request would place. It has no `id` and no page in the dashboard.',
})

export type WireOrderDetails = z.infer<typeof orderDetailsSchema>

const orderParams = z.object({ id: z.string().meta({ description: 'The id of the order.' }) })

export const orderRoutes = {
  listOrders: route({
    id: 'listOrders',
    method: 'GET',
    path: '/orders',
    who: ['domains:read'],
    summary: 'List the orders of the account, newest first',
    query: z.strictObject({
      ...pageQuery,
      status: z
        .enum(orderStatuses)
        .optional()
        .meta({ description: 'If you send this, the list has only the orders with this status.' }),
      name: z
        .string()
        .max(1_024)
        .optional()
        .meta({ description: 'If you send this, the list has only the orders for this domain name.' }),
    }),
    answers: { 200: pageOf(listedOrderSchema) },
  }),
  getOrder: route({
    id: 'getOrder',
    method: 'GET',
    path: '/orders/{id}',
    who: ['domains:read', 'domains:buy'],
    summary: 'Read one order',
    description: 'With `domains:buy` but without `domains:read`, a key can read only the orders that it placed.',
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
      'If nothing is due, the order starts immediately. Otherwise, a person must pay the order in the dashboard, on the page `url`. A key can place at most 20 orders an hour. With `dry_run=true`, the call makes the same checks, but does not place the order.',
    query: dryRunQuery,
    body: z.strictObject({
      quote_id: z.string().max(100).meta({ description: 'The id of the quote.' }),
      contact_id: z
        .string()
        .max(100)
        .optional()
        .meta({ description: 'The contact that becomes the registrant. You cannot send it for a renewal.' }),
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
        .meta({ description: 'The nameservers of the domain. The default is the nameservers of this service.' }),
      auto_renew: z.boolean().optional().meta({ description: 'If true, auto-renew is on for the domain.' }),
      client_email: optionalEmailAddress.optional(),
      use_credit: z
        .boolean()
        .optional()
        .meta({ description: 'If true, the service pays with the credit of the account first.' }),
      expected_due_kobo: z.int().min(0).optional().meta({
        description: 'The amount that you expect to pay by card. If a different amount is due, the call fails.',
      }),
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
    description: 'With `domains:buy` but without `domains:read`, a key can cancel only the orders that it placed.',
    params: orderParams,
    answers: { 200: orderDetailsSchema },
    errors: ['conflict'],
  }),
}
