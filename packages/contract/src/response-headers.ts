import { z } from 'zod'
import { errorStatuses } from './errors.ts'
import { errorsOf, type Route } from './route.ts'

/** Every response header that the API documents, with its description and an example. */
export const responseHeaders = {
  'X-Request-Id': {
    description: 'The id of the request. Include it when you contact support.',
    example: 'req_0199a3c25b1e7d409c1f2f6b8a4e7d10',
  },
  ETag: {
    description:
      'The version of the zone, in double quotes. If you send it as `If-Match` with a change, and the zone has another version at that time, the change fails.',
    example: '"7"',
  },
  'Zone-Serial': { description: 'The SOA serial of the zone after the request.', example: '1764150000' },
  Location: {
    description: 'The path of the new object.',
    example: '/api/v1/zones/0199a3c2-5b1e-7d40-9c1f-2f6b8a4e7d10',
  },
  Link: {
    description:
      'A link (RFC 8288). A page of a list has a link with `rel="next"` to the next page, except for the last page. An error has a link with `rel="help"` to the documentation of the error code.',
    example: '</api/v1/zones?cursor=WyJleGFtcGxlLmNvbSJd>; rel="next"',
  },
  'Next-Cursor': {
    description: 'The cursor of the next page, in responses of the type `text/csv`. It is empty on the last page.',
    example: 'WyIyMDI2LTAzLTAxIl0',
  },
  'Content-Disposition': {
    description: 'A file name for the download.',
    example: 'attachment; filename="example.com.zone"',
  },
  'Preference-Applied': {
    description:
      'The maximum time in seconds that the service waits (RFC 7240). The header exists only if you send `Prefer: wait=<seconds>`.',
    example: 'wait=10',
  },
  'Zone-Replicated': {
    description:
      '`true` if every nameserver served the new serial in time, otherwise `false`. The header exists only if you send `Prefer: wait=<seconds>`.',
    example: 'true',
  },
  RateLimit: {
    description:
      '`r` is the number of requests that are left in the current minute. `t` is the number of seconds until one more request is allowed. See draft-ietf-httpapi-ratelimit-headers.',
    example: '"minute";r=299;t=60',
  },
  'RateLimit-Policy': {
    description: 'The limit: `q` requests in any period of `w` seconds. See draft-ietf-httpapi-ratelimit-headers.',
    example: '"minute";q=300;w=60',
  },
  'Retry-After': { description: 'The number of seconds to wait before you repeat the request.', example: '5' },
  'WWW-Authenticate': { description: 'The authentication method.', example: 'Bearer' },
} as const

export type ResponseHeader = keyof typeof responseHeaders

/** Whether every response that declares the header sends it. The others depend on the request. */
export function isAlwaysSent(header: ResponseHeader, status: number): boolean {
  return header === 'X-Request-Id' || (header === 'Retry-After' && (status === 429 || status === 503))
}

/** The headers that a route's responses of a status may have, beyond those about the body and its caching. */
export function responseHeadersOf(route: Route, status: number): ResponseHeader[] {
  const headers: ResponseHeader[] = ['X-Request-Id']
  if (isLimited(route, status)) headers.push('RateLimit', 'RateLimit-Policy')
  if (status < 300) headers.push(...headersOfSuccess(route, status))
  if (status >= 400) headers.push('Link')
  if (status === 401) headers.push('WWW-Authenticate')
  if (mayBeRepeated(route, status)) headers.push('Retry-After')
  return headers
}

/** Known callers always see their limit. Others see it once they have reached it. */
function isLimited({ who }: Route, status: number): boolean {
  if (status === errorStatuses.rate_limited) return true
  // These are refused before the caller is known.
  return who !== 'public' && status !== errorStatuses.invalid_key && status !== errorStatuses.uri_too_long
}

function headersOfSuccess(route: Route, status: number): ResponseHeader[] {
  const named = route.headers?.filter((header) => header !== 'Location' || status === 201) ?? []
  return [
    ...named,
    ...(writesRecords(route) ? (['ETag', 'Zone-Serial', 'Preference-Applied', 'Zone-Replicated'] as const) : []),
    ...(isPaged(route) ? (['Link'] as const) : []),
    ...(isPaged(route) && route.alsoAs !== undefined ? (['Next-Cursor'] as const) : []),
  ]
}

/** Whether a response may say when to retry. A `conflict` does if something is still in progress. */
function mayBeRepeated(route: Route, status: number): boolean {
  if (status === errorStatuses.conflict) return errorsOf(route).includes('conflict')
  return status === errorStatuses.rate_limited || status === errorStatuses.unavailable
}

/** Whether a route changes the records of a zone, which keys may do: such a call may wait for the nameservers. */
export function writesRecords({ who, errors }: Route): boolean {
  return who !== 'session' && errors?.includes('precondition_failed') === true
}

function isPaged({ query }: Route): boolean {
  return query instanceof z.ZodObject && 'cursor' in query.shape
}
