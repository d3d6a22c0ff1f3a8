import { createHmac, timingSafeEqual } from 'node:crypto'
import { displayText } from '@zonewright/contract'
import { Agent, request } from 'undici'
import { z } from 'zod'
import { firstCharacters } from '#platform/bounded-text.ts'
import { jsonIn, responseText } from '#platform/response-text.ts'
import { BadSignature, type Payments, type Refund, type ReusableCard, type Unavailable } from '#ports/payments.ts'

export interface PaystackOptions {
  /** `https://api.paystack.co`, or another server with its API. */
  readonly url: string
  readonly secretKey: string
  readonly timeoutMs?: number
}

/** The timeout of a request. */
const defaultTimeoutMs = 15_000
/** The maximum length of a response. This API sends no longer ones. */
const maxAnswerBytes = 1_048_576

// A refusal has no data.
const envelope = z.object({ status: z.boolean(), message: z.string().catch(''), data: z.unknown().optional() })
const checkoutShape = z.object({ authorization_url: z.url({ protocol: /^https?$/ }), reference: z.string() })
const authorizationShape = z
  .object({
    authorization_code: z.string().min(1).max(200),
    signature: z.string().min(1).max(200),
    channel: z.literal('card'),
    reusable: z.literal(true),
    brand: z.string(),
    last4: z.string().regex(/^\d{4}$/),
    exp_month: z.coerce.number().int().min(1).max(12),
    exp_year: z.coerce.number().int().min(2_000).max(2_199),
  })
  .transform(
    (card): ReusableCard => ({
      authorization: card.authorization_code,
      signature: card.signature,
      brand: firstCharacters(displayText(card.brand.trim().toLowerCase()), 20),
      last4: card.last4,
      expiryMonth: card.exp_month,
      expiryYear: card.exp_year,
    }),
  )
const transactionShape = z.object({
  id: z.union([z.number(), z.string()]).transform(String),
  reference: z.string(),
  status: z.string(),
  amount: z.int(),
  currency: z.string(),
  gateway_response: z.string().catch(''),
  // Only cards can be charged again. An authorization in another form is ignored, because it does not affect the payment.
  authorization: authorizationShape.nullable().catch(null),
})
const chargeShape = z.object({ reference: z.string(), paused: z.boolean().catch(false) })
const refundShape = z.object({
  id: z.union([z.number(), z.string()]).transform(String),
  status: z.string(),
  amount: z.coerce.number().int(),
})
const webhookShape = z.object({
  event: z.string(),
  data: z.object({
    reference: z.string().optional(),
    transaction_reference: z.string().optional(),
  }),
})

/** The payments port over Paystack's HTTP API. */
export function createPaystack({ url, secretKey, timeoutMs = defaultTimeoutMs }: PaystackOptions): Payments {
  const agent = new Agent({
    connections: 10,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    connectTimeout: timeoutMs,
  })

  async function call<T>(method: 'GET' | 'POST', path: string, shape: z.ZodType<T>, body?: object): Promise<Called<T>> {
    try {
      const answer = await request(`${url}${path}`, {
        method,
        dispatcher: agent,
        headers: { authorization: `Bearer ${secretKey}`, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(timeoutMs),
      })
      const parsed = envelope.safeParse(JSON.parse(await responseText(answer.body, maxAnswerBytes)))
      if (!parsed.success) return unavailable(`${answer.statusCode} with an unexpected body`)
      const { status, message, data } = parsed.data
      // 4xx is a response to the request. After 408, 429 and 5xx, the outcome is unknown, and 401 means that our key is wrong.
      if (answer.statusCode >= 500 || [401, 403, 408, 429].includes(answer.statusCode))
        return unavailable(`${answer.statusCode} ${message}`)
      if (!status || answer.statusCode >= 400) return { kind: 'refused', code: answer.statusCode, why: message }
      const value = shape.safeParse(data)
      return value.success
        ? { kind: 'done', value: value.data }
        : unavailable(`unexpected data: ${value.error.message}`)
    } catch (error) {
      return unavailable(error instanceof Error ? error.message : String(error))
    }
  }

  const transaction = (reference: string) =>
    call('GET', `/transaction/verify/${encodeURIComponent(reference)}`, transactionShape)

  return {
    createCheckout: async ({ reference, amountKobo, email, returnUrl }) => {
      const wanted = { email, amount: String(amountKobo), currency: 'NGN', reference, callback_url: returnUrl }
      const called = await call('POST', '/transaction/initialize', checkoutShape, wanted)
      return called.kind === 'done' ? { kind: 'open', url: called.value.authorization_url } : asUnavailable(called)
    },

    verify: async (reference) => {
      const called = await transaction(reference)
      if (called.kind === 'refused') return { kind: 'unknown' }
      if (called.kind !== 'done') return called
      if (called.value.reference !== reference) return unavailable('the response is about another transaction')
      const { status, amount: amountKobo, currency, gateway_response: response, authorization } = called.value
      const declineReason = status === 'failed' ? firstCharacters(displayText(response.trim())) : null
      const card = status === 'success' ? authorization : null
      return { kind: 'verified', status: statuses[status] ?? 'open', amountKobo, currency, declineReason, card }
    },

    charge: async ({ reference, amountKobo, email, authorization }) => {
      const wanted = {
        email,
        amount: String(amountKobo),
        currency: 'NGN',
        reference,
        authorization_code: authorization,
      }
      const called = await call('POST', '/transaction/charge_authorization', chargeShape, wanted)
      if (called.kind === 'refused') return { kind: 'refused', why: firstCharacters(displayText(called.why.trim())) }
      if (called.kind !== 'done') return called
      return { kind: called.value.paused ? 'challenged' : 'sent' }
    },

    deactivate: async (authorization) => {
      const wanted = { authorization_code: authorization }
      const called = await call('POST', '/customer/authorization/deactivate', z.unknown(), wanted)
      // Refused: the card cannot be charged.
      return called.kind === 'unavailable' ? called : { kind: 'done' }
    },

    refund: async ({ reference, amountKobo }) => {
      const called = await call('POST', '/refund', refundShape, { transaction: reference, amount: amountKobo })
      if (called.kind === 'done') return { kind: 'posted', refund: refundOf(called.value) }
      return called.kind === 'refused' ? { kind: 'refused', why: called.why } : called
    },

    findRefunds: async (reference) => {
      // Refunds are listed by the transaction's own id.
      const paid = await transaction(reference)
      if (paid.kind !== 'done') return asUnavailable(paid)
      const called = await call('GET', `/refund?transaction=${encodeURIComponent(paid.value.id)}`, z.array(refundShape))
      if (called.kind !== 'done') return asUnavailable(called)
      return { kind: 'found', refunds: called.value.map(refundOf) }
    },

    getRefund: async (id) => {
      const called = await call('GET', `/refund/${encodeURIComponent(id)}`, refundShape)
      if (called.kind === 'refused' && called.code === 404) return { kind: 'found', refund: null }
      return called.kind === 'done' ? { kind: 'found', refund: refundOf(called.value) } : asUnavailable(called)
    },

    parseWebhook: (rawBody, signature) => {
      const expected = createHmac('sha512', secretKey).update(rawBody).digest()
      const given = Buffer.from(signature ?? '', 'hex')
      if (given.length !== expected.length || !timingSafeEqual(given, expected))
        throw new BadSignature('the signature does not match the body')
      const parsed = webhookShape.safeParse(jsonIn(rawBody))
      if (!parsed.success) return { reference: null }
      const { event, data } = parsed.data
      if (event === 'charge.success') return { reference: data.reference ?? null }
      return { reference: event.startsWith('refund.') ? (data.transaction_reference ?? null) : null }
    },

    close: () => agent.close(),
  }
}

type Called<T> =
  | { readonly kind: 'done'; readonly value: T }
  | { readonly kind: 'refused'; readonly code: number; readonly why: string }
  | Unavailable

/** Statuses of a transaction; any other status may still change to one of these. `reversed`: the money was paid and returned, so it pays nothing. */
const statuses: Readonly<Record<string, 'succeeded' | 'failed'>> = {
  success: 'succeeded',
  reversed: 'failed',
  failed: 'failed',
}

const refundStatuses: Readonly<Record<string, Refund['status']>> = {
  processed: 'processed',
  failed: 'failed',
  'needs-attention': 'needs_attention',
}

function refundOf({ id, status, amount }: z.infer<typeof refundShape>): Refund {
  return { id, status: refundStatuses[status] ?? 'pending', amountKobo: amount }
}

function unavailable(why: string): Unavailable {
  return { kind: 'unavailable', why }
}

function asUnavailable(called: Exclude<Called<unknown>, { kind: 'done' }>): Unavailable {
  return called.kind === 'refused' ? unavailable(`${called.code} ${called.why}`) : called
}
