import { errorStatuses } from '@zonewright/contract'
import type { RawResponse } from '../raw-connection.ts'
import type { Target } from './wire-case.ts'

const maxRefusalBytes = 64 * 1024
/** Statuses that HTTP itself gives `malformed_request` (errors.md), in addition to the one of the contract. */
const ofHttp = [408, 431]

/** What is wrong with a response, whatever the request was. Undefined if nothing is. */
export function faultOf(target: Target, response: RawResponse | undefined): string | undefined {
  if (response === undefined) return 'the connection ended without a response'
  const { status, headers, body } = response
  if (!(status >= 200 && status < 600)) return `status ${status}`
  if (status >= 500 && status !== 503) return `status ${status}`
  if (headers['x-content-type-options'] !== 'nosniff') return 'no X-Content-Type-Options'
  if (!/^req_[0-9a-f]{32}$/.test(headers['x-request-id'] ?? '')) return 'no X-Request-Id'
  if (status < 400) {
    const isKept = target.isStatic && [200, 304].includes(status)
    return isKept || headers['cache-control'] === 'no-store' ? undefined : `Cache-Control: ${headers['cache-control']}`
  }
  if (headers['cache-control'] !== 'no-store') return `Cache-Control: ${headers['cache-control']} of a refusal`
  if ([429, 503].includes(status) && !/^\d+$/.test(headers['retry-after'] ?? '')) return `${status} without Retry-After`
  if (Buffer.byteLength(body) > maxRefusalBytes) return `a refusal of ${Buffer.byteLength(body)} bytes`
  // A response to HEAD has no body.
  return body === '' && !('content-length' in headers && headers['content-length'] === '0')
    ? undefined
    : faultOfEnvelope(target, response)
}

function faultOfEnvelope({ isAuth }: Target, { status, headers, body }: RawResponse): string | undefined {
  if (!/^application\/json\b/.test(headers['content-type'] ?? '')) return `a refusal of type ${headers['content-type']}`
  const parsed = parsedOf(body)
  const error = memberOf(parsed, 'error')
  if (error === undefined) {
    const isAuthsOwn = isAuth && (parsed === null || typeof memberOf(parsed, 'message') === 'string')
    return isAuthsOwn ? undefined : `a refusal that is no envelope: ${body.slice(0, 200)}`
  }
  const [code, message, id] = ['code', 'message', 'request_id'].map((name) => memberOf(error, name))
  const wanted = (errorStatuses as Readonly<Record<string, number>>)[String(code)]
  const isRight = wanted === status || (code === 'malformed_request' && ofHttp.includes(status))
  if (!isRight) return `code ${String(code)} with status ${status}`
  if (typeof message !== 'string' || message === '') return 'no message'
  if (id !== headers['x-request-id']) return 'another request_id than X-Request-Id'
  const details = memberOf(error, 'details')
  if (Array.isArray(details) && details.length > 101) return `${details.length} details`
  return undefined
}

function parsedOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
}
