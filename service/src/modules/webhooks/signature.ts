import { createHmac, randomBytes } from 'node:crypto'

const secretPrefix = 'whsec_'
/** Standard Webhooks requires 24 to 64 bytes. A multiple of three gives base64 without padding, which a double click selects completely. */
const secretBytes = 30

/** A new endpoint secret: `whsec_` and base64. */
export function newSecret(): string {
  return secretPrefix + randomBytes(secretBytes).toString('base64')
}

/** What is signed: one event, at one time. */
export interface Signed {
  readonly eventId: string
  readonly eventType: string
  /** Unix time of this attempt, in seconds. */
  readonly at: number
  readonly body: Uint8Array
  /** The endpoint's valid secrets, newest first; more than one during a rotation's overlap. */
  readonly secrets: readonly string[]
  /** The service's site, named in the User-Agent. */
  readonly site: string
  /** Sent by the test operation. */
  readonly isTest: boolean
}

/** All headers of a webhook request (specification, "Webhook request received by the customer server"). */
export function webhookHeaders(signed: Signed): Record<string, string> {
  const { eventId, eventType, at, secrets, site, isTest } = signed
  return {
    'Content-Type': 'application/json',
    'User-Agent': `Service-Webhooks/1 (+${site})`,
    'Service-Event-Id': eventId,
    'Service-Event-Type': eventType,
    ...(isTest && { 'Service-Event-Test': 'true' }),
    'Service-Signature': `t=${at},${secrets.map((secret) => `v1=${serviceSignature(secret, signed)}`).join(',')}`,
    'webhook-id': eventId,
    'webhook-timestamp': String(at),
    'webhook-signature': secrets.map((secret) => `v1,${standardSignature(secret, signed)}`).join(' '),
  }
}

/** HMAC-SHA256 of `<t>.<raw body>`, keyed with the secret's text as shown to the customer (specification, "Webhook signature"). */
function serviceSignature(secret: string, { at, body }: Signed): string {
  return createHmac('sha256', secret).update(`${at}.`).update(body).digest('hex')
}

/** Standard Webhooks 1.0: over `<id>.<t>.<raw body>`, keyed with the bytes that the secret's base64 encodes. */
function standardSignature(secret: string, { eventId, at, body }: Signed): string {
  const key = Buffer.from(secret.slice(secretPrefix.length), 'base64')
  return createHmac('sha256', key).update(`${eventId}.${at}.`).update(body).digest('base64')
}
