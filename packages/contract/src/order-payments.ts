import { z } from 'zod'
import { emailAddress } from './email-address.ts'
import { maxGatewayBytes } from './limits.ts'
import { orderKinds } from './order-kinds.ts'
import { route } from './route.ts'

const orderParams = z.object({ id: z.string() })
const tokenParams = z.object({ token: z.string() })

const checkoutSchema = z
  .object({ url: z.string().meta({ description: "The gateway's page, on which a card pays." }) })
  .meta({ id: 'Checkout' })

const payLinkSchema = z
  .object({ url: z.string(), expires_at: z.string(), expired: z.boolean() })
  .meta({ id: 'PayLink' })

const payPageSchema = z
  .object({
    kind: z.enum(orderKinds),
    name: z.string(),
    years: z.int(),
    ordered_by: z.string().meta({ description: 'The name of the person who ordered it, or else the email address.' }),
    due_kobo: z.int(),
    state: z.enum(['open', 'paid', 'closed']),
    begun: z.boolean().meta({ description: 'A payment was begun, and whether it is paid is not known yet.' }),
    expires_at: z.string(),
  })
  .meta({ id: 'PayPage' })

export type WirePayPage = z.infer<typeof payPageSchema>

export const paymentRoutes = {
  startCheckout: route({
    id: 'startCheckout',
    method: 'POST',
    path: '/orders/{id}/checkout',
    who: 'session',
    summary: 'Pay an order by card: open the page of the gateway',
    params: orderParams,
    answers: { 200: checkoutSchema },
    errors: ['conflict'],
  }),
  getPayLink: route({
    id: 'getPayLink',
    method: 'GET',
    path: '/orders/{id}/pay-link',
    who: 'session',
    summary: 'Read the pay link of an order',
    params: orderParams,
    answers: { 200: payLinkSchema },
  }),
  createPayLink: route({
    id: 'createPayLink',
    method: 'POST',
    path: '/orders/{id}/pay-link',
    who: 'session',
    summary: 'Make a link by which somebody without an account pays this order',
    description: 'It works for 7 days, as long as the order then waits, and takes the place of an earlier one.',
    params: orderParams,
    answers: { 201: payLinkSchema },
    secret: true,
    errors: ['conflict'],
  }),
  deletePayLink: route({
    id: 'deletePayLink',
    method: 'DELETE',
    path: '/orders/{id}/pay-link',
    who: 'session',
    summary: 'Revoke the pay link of an order',
    params: orderParams,
    answers: { 204: null },
  }),
  getReceipt: route({
    id: 'getReceipt',
    method: 'GET',
    path: '/orders/{id}/receipt',
    who: 'session',
    summary: 'Read the receipt of a paid order, with its credit note where money went back',
    params: orderParams,
    answers: { 200: { raw: 'text/html' } },
  }),
  getPayPage: route({
    id: 'getPayPage',
    method: 'GET',
    path: '/pay/{token}',
    who: 'public',
    summary: 'Read what a pay link asks to be paid',
    params: tokenParams,
    answers: { 200: payPageSchema },
  }),
  payByLink: route({
    id: 'payByLink',
    method: 'POST',
    path: '/pay/{token}/checkout',
    who: 'public',
    summary: 'Pay by card through a pay link: open the page of the gateway',
    params: tokenParams,
    body: z.strictObject({ email: emailAddress.meta({ description: "Where the gateway's receipt goes." }) }),
    answers: { 200: checkoutSchema },
    errors: ['conflict', 'rate_limited'],
  }),
  gatewayNews: route({
    id: 'gatewayNews',
    method: 'POST',
    path: '/gateway/paystack',
    who: 'public',
    signed: true,
    summary: 'For the card gateway: tells of payments and refunds',
    description: 'Signed by `x-paystack-signature`. What it says is verified with the gateway before anything happens.',
    body: { raw: 'application/json', maxBytes: maxGatewayBytes },
    answers: { 200: null },
    repeatable: true,
    errors: ['forbidden'],
  }),
}
