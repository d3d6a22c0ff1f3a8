import { hex, isSame, keyBytes, sign } from './signing.ts'

/** Why a request is refused. Respond with 400 to all of them, and log the word. */
export type RefusalReason =
  /** The request has neither `Service-Signature` nor `webhook-signature`. */
  | 'no_signature'
  /** The headers or the secret are malformed. */
  | 'unreadable'
  /** Not signed with this secret, or another body was signed: verify the raw bytes, before any JSON parser changes them. */
  | 'wrong_signature'
  /** Signed too long ago, or too far in the future: a replay, or a wrong clock. */
  | 'too_old'
  /** The signature is valid, but the body is not an event; the service never sends this. */
  | 'not_an_event'

/** Thrown by `verifyWebhook`: do not act on this request. */
export class WebhookRefused extends Error {
  readonly reason: RefusalReason

  constructor(reason: RefusalReason, message: string) {
    super(message)
    this.name = 'WebhookRefused'
    this.reason = reason
  }
}

/** An event that the service has sent. Its `id` is the same each time it arrives. */
export interface WebhookEvent<Data = unknown> {
  readonly id: string
  readonly type: string
  readonly created_at: string
  readonly data: Data
}

/** A request's headers on any kind of server: a `Headers` object, or Node's object with lower-case names. */
export type RequestHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>

export interface VerifyOptions {
  /** The raw body, exactly as it arrived. */
  readonly body: string | Uint8Array
  readonly headers: RequestHeaders
  /** The endpoint's secret, `whsec_…`; during a rotation, the new and the old one. */
  readonly secret: string | readonly string[]
  /** How old a signature may be, and how far in the future, in seconds. Default: 300. */
  readonly toleranceS?: number
  /** The current time in milliseconds since 1970, if not this machine's clock. */
  readonly nowMs?: number
}

/**
 * Checks that a request comes from the service, and returns its event. Throws `WebhookRefused`.
 *
 * Reads `Service-Signature: t=…,v1=…` or, if it is missing, the headers of Standard Webhooks 1.0. During a rotation
 * there is a signature for each valid secret; one match is enough.
 */
export async function verifyWebhook<Data = unknown>(options: VerifyOptions): Promise<WebhookEvent<Data>> {
  const { body, headers, toleranceS = 300, nowMs = Date.now() } = options
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
  const claim = claimOf(headers)
  const secrets = typeof options.secret === 'string' ? [options.secret] : options.secret
  if (!(await isSignedWithAny(secrets, claim, bytes)))
    throw new WebhookRefused('wrong_signature', 'The signature is not one of this secret over this body.')
  // After the signature: an unsigned age says nothing.
  if (Math.abs(nowMs / 1000 - claim.at) > toleranceS)
    throw new WebhookRefused('too_old', `It was signed more than ${toleranceS} seconds ago, or ahead.`)
  return eventIn<Data>(bytes)
}

/** The contents of the headers: the time of signing, the signed text before the body, and the signatures, in hexadecimal. */
interface Claim {
  readonly at: number
  readonly signedHead: string
  readonly signatures: readonly string[]
  /** Whether the key is the secret's text, or the bytes that its base64 encodes. */
  readonly key: 'text' | 'bytes'
}

function claimOf(headers: RequestHeaders): Claim {
  const own = headerOf(headers, 'service-signature')
  const claim = own === undefined ? standardClaim(headers) : serviceClaim(own)
  if (!Number.isSafeInteger(claim.at) || claim.signatures.length === 0)
    throw new WebhookRefused('unreadable', 'The signature headers cannot be read.')
  return claim
}

/** `t=<unix seconds>,v1=<hex>[,v1=<hex>…]`, over `<t>.<body>`. */
function serviceClaim(header: string): Claim {
  const parts = header.split(',').map((part) => part.trim().split('=', 2))
  const t = parts.find(([name]) => name === 't')?.[1] ?? ''
  const signatures = parts.flatMap(([name, value]) => (name === 'v1' && value !== undefined ? [value] : []))
  return { at: secondsIn(t), signedHead: `${t}.`, signatures, key: 'text' }
}

/** Standard Webhooks 1.0: `v1,<base64>[ v1,<base64>…]`, over `<id>.<t>.<body>`. */
function standardClaim(headers: RequestHeaders): Claim {
  const header = headerOf(headers, 'webhook-signature')
  if (header === undefined) throw new WebhookRefused('no_signature', 'The request carries no signature.')
  const [id, t] = [headerOf(headers, 'webhook-id') ?? '', headerOf(headers, 'webhook-timestamp') ?? '']
  const signatures = header.split(' ').flatMap((part) => {
    const [version, value = ''] = part.split(',', 2)
    return version === 'v1' ? hexOfBase64(value) : []
  })
  return { at: secondsIn(t), signedHead: `${id}.${t}.`, signatures, key: 'bytes' }
}

async function isSignedWithAny(secrets: readonly string[], claim: Claim, body: Uint8Array): Promise<boolean> {
  let matches = false
  for (const secret of secrets) {
    const key = keyBytes(secret, claim.key)
    if (key === undefined) throw new WebhookRefused('unreadable', 'A secret is whsec_ followed by base64.')
    const expected = hex(await sign(key, claim.signedHead, body))
    // All of them are compared, so that the time taken reveals nothing.
    for (const signature of claim.signatures) if (isSame(signature, expected)) matches = true
  }
  return matches
}

function eventIn<Data>(body: Uint8Array): WebhookEvent<Data> {
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    value = undefined
  }
  if (!isEvent(value)) throw new WebhookRefused('not_an_event', 'The signed body is no event.')
  return value as WebhookEvent<Data>
}

function isEvent(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const { id, type, created_at: at } = value as Record<string, unknown>
  return typeof id === 'string' && typeof type === 'string' && typeof at === 'string' && 'data' in value
}

function headerOf(headers: RequestHeaders, name: string): string | undefined {
  if (typeof headers.get === 'function') return (headers as { get(name: string): string | null }).get(name) ?? undefined
  const values = headers as Readonly<Record<string, string | readonly string[] | undefined>>
  const found = values[name] ?? Object.entries(values).find(([written]) => written.toLowerCase() === name)?.[1]
  return typeof found === 'string' ? found : found?.[0]
}

function secondsIn(text: string): number {
  return /^\d{1,12}$/.test(text) ? Number(text) : Number.NaN
}

function hexOfBase64(text: string): string[] {
  try {
    return [hex(Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)))]
  } catch {
    return []
  }
}
