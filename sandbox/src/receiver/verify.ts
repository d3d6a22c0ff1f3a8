import { createHmac, timingSafeEqual } from 'node:crypto'

/** A request is refused if its `t` is older than this (specification, "Webhook signature"). */
const maxAgeS = 5 * 60

/** Null if the request is from the service. Otherwise the reason why it is not, or why this is unknown. */
export type Doubt =
  | 'no secret is known for this receiver'
  | 'there is no Service-Signature header'
  | 'the Service-Signature header cannot be read'
  | 'the signature does not match'
  | 'the signature is older than 5 minutes'

/**
 * Checks `Service-Signature: t=<unix seconds>,v1=<hex>`: HMAC-SHA256 of `<t>.<raw body>`, keyed with the endpoint's secret.
 *
 * During a rotation there is one `v1` for each live secret; one match is enough.
 */
export function doubtOf(
  header: string | undefined,
  body: Buffer,
  secret: string | undefined,
  nowMs: number,
): Doubt | null {
  if (secret === undefined) return 'no secret is known for this receiver'
  if (header === undefined) return 'there is no Service-Signature header'
  const parts = header.split(',').map((part) => part.split('=', 2))
  const t = parts.find(([name]) => name === 't')?.[1] ?? ''
  const signatures = parts.filter(([name]) => name === 'v1').map(([, value]) => value ?? '')
  if (!/^\d{1,12}$/.test(t) || signatures.length === 0) return 'the Service-Signature header cannot be read'
  const expected = createHmac('sha256', secret).update(`${t}.`).update(body).digest()
  if (!signatures.some((hex) => isSame(hex, expected))) return 'the signature does not match'
  return nowMs / 1000 - Number(t) > maxAgeS ? 'the signature is older than 5 minutes' : null
}

function isSame(hex: string, expected: Buffer): boolean {
  const given = Buffer.from(hex, 'hex')
  return given.length === expected.length && timingSafeEqual(given, expected)
}
