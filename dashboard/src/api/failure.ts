import type { ErrorCode } from '@zonewright/contract'

/** One fault of a request, with its place. */
export interface FailureDetail {
  readonly path?: string
  readonly line?: number
  readonly code: string
  readonly message: string
}

/** `unreachable`: there was no answer; `unreadable`: what answered is not the service; `code_too_late`: the password is to be given anew. */
export type FailureCode = ErrorCode | 'unreachable' | 'unreadable' | 'code_too_late'

/** The API did not do what was asked; the message is its own sentence. */
export class ApiFailure extends Error {
  readonly code: FailureCode
  /** HTTP status; 0 when there was no answer. */
  readonly status: number
  readonly details: readonly FailureDetail[]
  readonly requestId: string | undefined
  /** Seconds after which to try again, when the service says so. */
  readonly retryAfterS: number | undefined

  constructor(
    code: FailureCode,
    message: string,
    more: { status?: number; details?: readonly FailureDetail[]; requestId?: string; retryAfterS?: number } = {},
  ) {
    super(message)
    this.code = code
    this.status = more.status ?? 0
    this.details = more.details ?? []
    this.requestId = more.requestId
    this.retryAfterS = more.retryAfterS
  }
}

/** Does the failure have this code? */
export function failedWith(error: unknown, ...codes: readonly FailureCode[]): error is ApiFailure {
  return error instanceof ApiFailure && codes.includes(error.code)
}

/** Would the same request, made again in a moment, perhaps succeed? */
export function isPassing(error: unknown): boolean {
  return failedWith(error, 'unreachable', 'unreadable', 'unavailable', 'rate_limited', 'internal')
}

/** What the sign-in routes say where there is no session any more; a wrong password has a code of its own. */
const noSession = 'UNAUTHORIZED'
/** What they say to a code of the second factor ten minutes after the password. */
const codeTooLate = 'INVALID_TWO_FACTOR_COOKIE'

/** Reads a refusal out of an answer, in the API's own envelope or in that of the sign-in routes. */
export async function failureOf(answer: Response): Promise<ApiFailure> {
  const { status, headers } = answer
  const body = (await answer.json().catch(() => undefined)) as
    | { error?: { code: ErrorCode; message: string; request_id: string; details?: FailureDetail[] } }
    | { code?: ErrorCode | typeof noSession | typeof codeTooLate; message?: string }
    | undefined
  const wait = Number(headers.get('retry-after') ?? Number.NaN)
  const more = { status, ...(Number.isFinite(wait) && { retryAfterS: wait }) }
  if (body !== undefined && 'error' in body && typeof body.error === 'object') {
    const { code, message, request_id: requestId, details = [] } = body.error
    return new ApiFailure(code, message, { ...more, requestId, details })
  }
  if (body !== undefined && 'message' in body && body.message) {
    if (body.code === codeTooLate)
      return new ApiFailure(
        'code_too_late',
        'The code came too late. Go back, and sign in with your password again.',
        more,
      )
    return new ApiFailure(body.code === noSession ? 'signed_out' : (body.code ?? 'forbidden'), body.message, more)
  }
  if (status === 413)
    return new ApiFailure('payload_too_large', 'This is more than the service takes at once. Send it in parts.', more)
  return new ApiFailure(
    status >= 500 ? 'unavailable' : 'unreadable',
    'The service did not answer as it should. It may be restarting: try again in a moment.',
    more,
  )
}

/** `fetch`, with no answer told as a failure of its own. */
export async function fetchOrFail(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init)
  } catch (error) {
    if (init.signal?.aborted) throw error
    throw new ApiFailure('unreachable', 'The service could not be reached. Check the connection and try again.')
  }
}
