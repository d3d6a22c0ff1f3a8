import { errorStatuses } from '@zonewright/contract'
import type { FastifyError } from 'fastify'
import { boundedMessage } from '../bounded-text.ts'
import { type FaultDetail, Refusal } from '../errors.ts'

/** Bytes of the details of an error. With its message and its headers, no refusal exceeds 64 KiB. */
const maxDetailBytes = 56 * 1024

/** The error envelope of the API. */
export interface Problem {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: { error: { code: string; message: string; request_id: string; details?: readonly FaultDetail[] } }
}

/** The response to whatever was thrown. Anything other than a refusal becomes a bare 500, and its cause goes only to the log. */
export function problemOf(error: unknown, requestId: string): Problem {
  const refusal = error instanceof Refusal ? error : refusalOfFastify(error)
  if (refusal === undefined) {
    const message =
      'Something went wrong on our side. Try again. If it happens again, contact support and give the request id.'
    return { status: 500, headers: {}, body: { error: { code: 'internal', message, request_id: requestId } } }
  }
  const status = errorStatuses[refusal.code]
  const listed = boundedDetails(refusal.details)
  const details = listed.length > 0 ? { details: listed } : {}
  const message = boundedMessage(refusal.message)
  const isCut = listed.length < refusal.details.length && !message.endsWith('(and more)')
  return {
    status,
    headers: status === 401 ? { 'www-authenticate': 'Bearer', ...refusal.headers } : refusal.headers,
    body: {
      error: {
        code: refusal.code,
        message: isCut ? `${message} (and more)` : message,
        request_id: requestId,
        ...details,
      },
    },
  }
}

/** The first faults, as many as a refusal may list and has room for. */
function boundedDetails(details: readonly FaultDetail[]): readonly FaultDetail[] {
  const listed: FaultDetail[] = []
  let bytes = 0
  for (const { path, message, ...fault } of details.slice(0, Refusal.maxFaults)) {
    const bounded = {
      ...(path !== undefined && { path: boundedMessage(path) }),
      ...fault,
      message: boundedMessage(message),
    }
    bytes += Buffer.byteLength(JSON.stringify(bounded)) + 1
    if (bytes > maxDetailBytes) break
    listed.push(bounded)
  }
  return listed
}

/** What Fastify itself refuses: paths and bodies that it cannot read. */
function refusalOfFastify(error: unknown): Refusal | undefined {
  const { code, statusCode, message } = (error ?? {}) as Partial<FastifyError>
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return new Refusal(
      'payload_too_large',
      'The body is too large: 1 MiB at most, 16 MiB for an import, 16 KiB for a sign-in.',
    )
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return unsupportedMediaType()
  if (code === 'FST_ERR_CTP_EMPTY_JSON_BODY') return new Refusal('malformed_request', 'The body is empty. Send JSON.')
  if (code === 'FST_ERR_MAX_PARAM_LENGTH')
    return new Refusal(
      'uri_too_long',
      'A segment of the path is longer than 4,096 characters. Names and ids are shorter.',
    )
  if (code === 'FST_ERR_BAD_URL')
    return new Refusal(
      'malformed_request',
      'The path cannot be decoded. Encode `%` as `%25`, and other characters as UTF-8.',
    )
  if (code?.startsWith('FST_ERR_CTP') || statusCode === 400)
    return new Refusal('malformed_request', `The request cannot be read: ${message ?? 'it is malformed'}.`)
  return undefined
}

export function unsupportedMediaType(expected = 'application/json'): Refusal {
  return new Refusal('unsupported_media_type', `Send the body as Content-Type: ${expected}.`)
}
