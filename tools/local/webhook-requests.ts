import { createHmac, randomBytes } from 'node:crypto'

export const webhookSecret = `whsec_${randomBytes(30).toString('base64')}`

export const webhookEvent = {
  id: 'evt_1',
  type: 'zone.deleted',
  created_at: '2026-11-21T10:00:00.000Z',
  data: { name: 'bücher.example' },
}

/** The header `Service-Signature`, without our code. */
export function signatureOf(body: string, at = Math.floor(Date.now() / 1000)): string {
  return `t=${at},v1=${createHmac('sha256', webhookSecret).update(`${at}.${body}`).digest('hex')}`
}

/** A request to a receiver of webhooks. */
export interface WebhookRequest {
  /** Empty: without the header. */
  readonly signature: string
  readonly body: string
  readonly isValid: boolean
}

/** Requests that a receiver must accept, and others that it must refuse. */
export function webhookRequests(): WebhookRequest[] {
  const body = JSON.stringify(webhookEvent)
  const nowS = Math.floor(Date.now() / 1000)
  const signature = signatureOf(body)
  const wrong = '0'.repeat(64)
  const valid = [signature, `${signature},v1=${wrong}`, signature.replace(',', `,v1=${wrong},`)]
  const refused = [signatureOf(body, nowS - 310), signatureOf(body, nowS + 310)]
  const malformed = ['', 't=,v1=', 'v1=ab', `t=${nowS}`, 't=x,v1=é', `t=${nowS},v1=`]
  return [
    ...valid.map((signature) => ({ signature, body, isValid: true })),
    { signature, body: `${body} `, isValid: false },
    ...[...refused, ...malformed].map((signature) => ({ signature, body, isValid: false })),
  ]
}

/** The expected output of the tests' programs for these requests, one line for each. */
export function linesOf(requests: readonly WebhookRequest[]): string[] {
  return requests.map(({ isValid }) => (isValid ? `accepted ${webhookEvent.id}` : 'refused'))
}
