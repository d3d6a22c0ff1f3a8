import { displayQuoted, headerLimits, maskedValue, type WireWantedHeader } from '@zonewright/contract'
import { firstCharacters } from '#platform/bounded-text.ts'
import type { FaultDetail } from '#platform/errors.ts'
import type { SecretBox } from '#platform/secrets.ts'

/** Headers that an owner adds to each request of an endpoint, in their order. The values are secrets. */
export type FixedHeaders = Readonly<Record<string, string>>

/** A token (RFC 9110, section 5.6.2). */
const tokenShape = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/

/** Visible ASCII characters, with spaces and tabs between them (RFC 9110, section 5.5, without obs-text). */
const valueShape = /^[!-~](?:[\t -~]*[!-~])?$/

/** Headers that HTTP or the service itself sets, or that change how a connection or a message is read. */
const reservedNames = new Set([
  ...['accept-encoding', 'connection', 'date', 'expect', 'host', 'http2-settings', 'keep-alive', 'te', 'trailer'],
  ...['transfer-encoding', 'upgrade', 'user-agent', 'via'],
])
const reservedPrefixes = ['content-', 'proxy-', 'service-', 'webhook-']

/** The errors in the names and values of fixed headers. */
export function faultsOfHeaders(headers: readonly WireWantedHeader[]): FaultDetail[] {
  const names = headers.map(({ name }) => name.toLowerCase())
  return headers.flatMap(({ value }, n) => {
    const [nameFault, valueFault] = [faultOfName(headers[n]?.name ?? '', names, n), faultOfValue(value)]
    return [
      ...(nameFault ? [{ path: `/headers/${n}/name`, ...nameFault }] : []),
      ...(valueFault ? [{ path: `/headers/${n}/value`, ...valueFault }] : []),
    ]
  })
}

type Fault = Omit<FaultDetail, 'path'>

function faultOfName(name: string, names: readonly string[], n: number): Fault | undefined {
  const lower = name.toLowerCase()
  const quoted = displayQuoted(firstCharacters(name))
  if (!tokenShape.test(name) || name.length > headerLimits.name)
    return {
      code: 'invalid_header',
      message: `${quoted} is not the name of a header. Use at most ${headerLimits.name} letters, digits and hyphens.`,
    }
  if (reservedNames.has(lower) || reservedPrefixes.some((prefix) => lower.startsWith(prefix)))
    return { code: 'reserved_header', message: `HTTP or the service sets ${quoted}. Choose another name.` }
  if (names.indexOf(lower) < n)
    return { code: 'duplicate_header', message: `The header ${quoted} appears twice. Send it once.` }
  return undefined
}

/** The message does not repeat the value, because it is a secret. */
function faultOfValue(value: string | undefined): Fault | undefined {
  if (value === undefined || (valueShape.test(value) && value.length <= headerLimits.value)) return undefined
  return {
    code: 'invalid_header',
    message: `The value must have 1 to ${headerLimits.value} visible ASCII characters. Between them, spaces are allowed, but not line breaks.`,
  }
}

/**
 * The headers after a change: a header without a value, or with the mask, keeps the value of its name. Headers that have no value yet are returned
 * as errors.
 */
export function headersAfter(
  wanted: readonly WireWantedHeader[],
  before: FixedHeaders,
): { headers: FixedHeaders; faults: FaultDetail[] } {
  const known = new Map(Object.entries(before).map(([name, value]) => [name.toLowerCase(), value]))
  const faults: FaultDetail[] = []
  const headers = wanted.map(({ name, value }, n): [string, string] => {
    const kept = value === undefined || value === maskedValue ? known.get(name.toLowerCase()) : value
    if (kept === undefined)
      faults.push({
        path: `/headers/${n}/value`,
        code: 'invalid_header',
        message: 'Give the value of this new header.',
      })
    return [name, kept ?? '']
  })
  return { headers: Object.fromEntries(headers), faults }
}

/** Null: there are none. */
export function sealHeaders(secrets: SecretBox, endpointId: string, headers: FixedHeaders): Buffer | null {
  if (Object.keys(headers).length === 0) return null
  return secrets.seal('webhook_endpoints.headers', endpointId, JSON.stringify(headers))
}

export function openHeaders(secrets: SecretBox, endpointId: string, sealed: Buffer | null): FixedHeaders {
  if (sealed === null) return {}
  return JSON.parse(secrets.open('webhook_endpoints.headers', endpointId, sealed)) as FixedHeaders
}

/** The headers as people may see them, with masked values. */
export function maskHeaders(headers: FixedHeaders): FixedHeaders {
  return Object.fromEntries(Object.keys(headers).map((name) => [name, maskedValue]))
}
