import { z } from 'zod'
import { emailAddress } from './email-address.ts'
import { maxGatewayBytes } from './limits.ts'
import { orderKinds } from './order-kinds.ts'
import { route } from './route.ts'

const orderParams = z.object({ id: z.string().meta({ description: 'The id of the order.' }) })
const tokenParams = z.object({ token: z.string().meta({ description: 'The token from the payment link.' }) })

const checkoutSchema = z
  .object({ url: z.string().meta({ description: 'The page of the card gateway on which a person pays.' }) })
  .meta({ id: 'Checkout' })

const payLinkSchema = z
  .object({
    url: z.string().meta({ description: 'The payment link.' }),
    expires_at: z.string().meta({ description: 'The time at which the link expires.' }),
    expired: z.boolean().meta({ description: 'True if the link has expired.' }),
  })
  .meta({ id: 'PayLink' })

const payPageSchema = z
  .object({
    kind: z.enum(orderKinds),
    name: z.string(),
    years: z.int(),
    ordered_by: z.string().meta({
      description: 'The name of the person who placed the order. If the person has no name, this is the email address.',
    }),
    due_kobo: z.int().meta({ description: 'The amount to pay.' }),
    state: z.enum(['open', 'paid', 'closed']).meta({
      description:
        '`open`: the order can be paid. `paid`: the order is paid. `closed`: the order was closed without payment.',
    }),
    begun: z.boolean().meta({ description: 'True if someone has started a payment whose outcome is still unknown.' }),
    decline_reason: z.string().nullable().meta({
      description:
        'The reason why the card of the last payment was declined, as the card gateway reports it. It is empty if the gateway gave no reason, and null if the card was not declined.',
    }),
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
    summary: 'Start a card payment for an order',
    params: orderParams,
    body: z.strictObject({
      save_card: z.boolean().optional().meta({
        description:
          'If true, the service saves the card for auto-renew, if the card gateway can charge the card again. If auto-renew is on for the domain of this order, you also allow auto-renew to charge this card. The default is false.',
      }),
    }),
    answers: { 200: checkoutSchema },
    errors: ['conflict'],
  }),
  checkPayment: route({
    id: 'checkPayment',
    method: 'POST',
    path: '/orders/{id}/checkout/check',
    who: 'session',
    summary: 'Check the payments of an order with the card gateway now',
    description:
      'To see the result, read the order after this call. The service queries the card gateway at most once every 5 seconds.',
    params: orderParams,
    answers: { 204: null },
    repeatable: true,
  }),
  getPayLink: route({
    id: 'getPayLink',
    method: 'GET',
    path: '/orders/{id}/pay-link',
    who: 'session',
    summary: 'Read the payment link of an order',
    params: orderParams,
    answers: { 200: payLinkSchema },
  }),
  createPayLink: route({
    id: 'createPayLink',
    method: 'POST',
    path: '/orders/{id}/pay-link',
    who: 'session',
    summary: 'Create a payment link for an order',
    description:
      'Anyone with the link can pay the order without an account. The link is valid for 7 days. The order does not expire before the link expires. A new link replaces the previous link of the order.',
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
    summary: 'Revoke the payment link of an order',
    params: orderParams,
    answers: { 204: null },
  }),
  getReceipt: route({
    id: 'getReceipt',
    method: 'GET',
    path: '/orders/{id}/receipt',
    who: 'session',
    summary: 'Read the receipt of a paid order',
    params: orderParams,
    answers: { 200: { raw: 'text/html' } },
  }),
  getPayPage: route({
    id: 'getPayPage',
    method: 'GET',
    path: '/pay/{token}',
    who: 'public',
    summary: 'Read the order of a payment link',
    params: tokenParams,
    answers: { 200: payPageSchema },
  }),
  payByLink: route({
    id: 'payByLink',
    method: 'POST',
    path: '/pay/{token}/checkout',
    who: 'public',
    summary: 'Start a card payment with a payment link',
    params: tokenParams,
    body: z.strictObject({
      email: emailAddress.meta({ description: 'The email address to which the card gateway sends its receipt.' }),
    }),
    answers: { 200: checkoutSchema },
    errors: ['conflict', 'rate_limited'],
  }),
  checkLinkedPayment: route({
    id: 'checkLinkedPayment',
    method: 'POST',
    path: '/pay/{token}/checkout/check',
    who: 'public',
    summary: 'Check the payments of a payment link with the card gateway now',
    description:
      'To see the result, read the payment link after this call. The service queries the card gateway at most once every 5 seconds.',
    params: tokenParams,
    answers: { 204: null },
    repeatable: true,
  }),
  gatewayNews: route({
    id: 'gatewayNews',
    method: 'POST',
    path: '/gateway/paystack',
    who: 'public',
    signed: true,
    summary: 'Receive notifications from the card gateway',
    description:
      'The card gateway calls this to report payments and refunds. The header `x-paystack-signature` has the signature of the request. Before a notification takes effect, the service verifies its content with the card gateway.',
    body: { raw: 'application/json', maxBytes: maxGatewayBytes },
    answers: { 200: null },
    repeatable: true,
    errors: ['forbidden'],
  }),
}
