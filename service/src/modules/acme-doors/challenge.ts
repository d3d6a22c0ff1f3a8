import { createHash } from 'node:crypto'
import { zoneNameIn } from '#modules/zones/index.ts'
import { type FaultDetail, Refusal } from '#platform/errors.ts'

/** A TXT record of a DNS-01 challenge. */
export interface Challenge {
  /** The owner name as it was sent. */
  readonly name: string
  readonly value: string
}

/** The JSON of a request. Some programs send JSON as another type, such as curl without a header. @throws Refusal */
export function jsonOf(body: unknown): Readonly<Record<string, unknown>> {
  const value = typeof body === 'string' ? parsed(body) : body
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Refusal('malformed_request', 'The body is not a JSON object.')
  return value as Record<string, unknown>
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * The record that lego's provider httpreq requests. With `HTTPREQ_MODE=RAW`, it sends the parts from which the record is built (RFC 8555 §8.4): the
 * domain and the key authorization.
 *
 * @throws Refusal `validation_failed`
 */
export function httpreqChallenge(body: unknown): Challenge {
  const message = jsonOf(body)
  const isRaw = message['fqdn'] === undefined && message['domain'] !== undefined
  const [nameField, valueField] = isRaw ? ['domain', 'keyAuth'] : ['fqdn', 'value']
  const faults: FaultDetail[] = []
  const read = (field: string): string => {
    const value = message[field]
    if (typeof value === 'string' && value !== '') return value
    faults.push({ path: `/${field}`, code: 'missing', message: `Send ${field} as text that is not empty.` })
    return ''
  }
  const [name, value] = [read(nameField), read(valueField)]
  if (faults.length > 0) throw Refusal.of(faults)
  if (!isRaw) return { name, value }
  const hash = createHash('sha256').update(value).digest('base64url')
  return { name: `_acme-challenge.${name.replace(/^\*\./, '')}`, value: hash }
}

/** The owner name of a challenge in canonical form, without its final dot. Undefined: the body does not contain one. */
export function nameIn(read: (body: unknown) => Challenge, body: unknown): string | undefined {
  try {
    return zoneNameIn(read(body).name) || undefined
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}

/** A value as a TXT record. */
export function quoted(value: string): string {
  return `"${value.replaceAll(/[\\"]/g, '\\$&')}"`
}

/**
 * The record that a client of acme-dns requests. `subdomain`: the name without `_acme-challenge`, as `POST /api-keys/{id}/acme-dns` prints it.
 * Clients in Go write the members with capital letters.
 *
 * @throws Refusal `validation_failed`
 */
export function acmeDnsChallenge(body: unknown): Challenge {
  const message = new Map(Object.entries(jsonOf(body)).map(([member, value]) => [member.toLowerCase(), value]))
  const [subdomain, txt] = [message.get('subdomain'), message.get('txt')]
  if (typeof subdomain !== 'string' || subdomain === '')
    throw Refusal.of([
      { path: '/subdomain', code: 'bad_subdomain', message: 'Send the subdomain of your account file.' },
    ])
  if (typeof txt !== 'string' || !/^[\w-]{43}$/.test(txt))
    throw Refusal.of([{ path: '/txt', code: 'bad_txt', message: 'The value is not that of a DNS-01 challenge.' }])
  return { name: `_acme-challenge.${subdomain.replace(/^_acme-challenge\./i, '')}`, value: txt }
}
