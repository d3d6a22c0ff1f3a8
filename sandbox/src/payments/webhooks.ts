import { createHmac } from 'node:crypto'
import { cardOf } from './cards.ts'
import type { KeptRefund, Transaction } from './gateway-books.ts'

/** The URL of webhooks, and the key that signs them. */
export interface WebhookTarget {
  readonly url: string | undefined
  readonly secretKey: string
  readonly log: (message: string) => void
}

/** Sends an event, signed like Paystack's webhooks: HMAC-SHA512 of the body. A failure is only logged, because receivers query the API anyway. */
export async function sendWebhook({ url, secretKey, log }: WebhookTarget, event: string, data: object): Promise<void> {
  if (url === undefined) return
  const body = JSON.stringify({ event, data })
  const signature = createHmac('sha512', secretKey).update(body).digest('hex')
  const headers = { 'content-type': 'application/json', 'x-paystack-signature': signature }
  try {
    const answer = await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(10_000) })
    log(`${event} to ${url}: ${answer.status}`)
  } catch (error) {
    log(`${event} to ${url}: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** A transaction as the API and its webhooks show it. */
export function transactionData(transaction: Transaction): object {
  const { id, reference, status, amount, currency, email, paidAt } = transaction
  return {
    id,
    domain: 'test',
    status,
    reference,
    amount,
    currency,
    paid_at: paidAt,
    channel: 'card',
    gateway_response: status === 'success' ? 'Successful' : status === 'failed' ? 'Declined' : '',
    customer: { email },
    authorization: authorizationData(transaction),
  }
}

/** The card of a transaction that was paid, with the code for charging it again. */
function authorizationData({ authorization: code, card: number }: Transaction): object {
  const card = cardOf(number ?? '')
  if (code === undefined || card === undefined) return {}
  const now = new Date()
  return {
    authorization_code: code,
    bin: card.number.slice(0, 6),
    last4: card.number.slice(-4),
    exp_month: card.expiresSoon ? String(now.getUTCMonth() + 1).padStart(2, '0') : '12',
    exp_year: String(now.getUTCFullYear() + (card.expiresSoon ? 0 : 4)),
    channel: 'card',
    card_type: 'visa ',
    bank: 'TEST BANK',
    country_code: 'NG',
    brand: 'visa',
    reusable: card.isReusable ?? true,
    signature: `SIG_${card.number}`,
    account_name: null,
  }
}

/** A refund as the API shows it. */
export function refundData({ id, transaction, amount, status }: KeptRefund): object {
  return { id, transaction, amount, currency: 'NGN', status, domain: 'test', refunded_by: 'api' }
}

/** A refund as its webhooks show it. */
export function refundNews(refund: KeptRefund): object {
  const { reference, amount, status } = refund
  return {
    status,
    transaction_reference: reference,
    refund_reference: String(refund.id),
    amount: String(amount),
    currency: 'NGN',
  }
}
