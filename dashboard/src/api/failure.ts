import type { ErrorCode } from '@zonewright/contract'

/** One error of a request, with its place. */
export interface FailureDetail {
  readonly path?: string
  readonly line?: number
  readonly code: string
  readonly message: string
}

/**
 * `unreachable`: there was no response; `timed_out`: it did not come in time; `unreadable`: the response is not from the service;
 * `code_too_late`: the password is required again; `passkey_stopped`: the browser gave no passkey.
 */
export type FailureCode =
  | ErrorCode
  | PasswordCode
  | 'unreachable'
  | 'timed_out'
  | 'unreadable'
  | 'code_too_late'
  | 'passkey_stopped'

/** Codes of the sign-in routes for a new password that is easy to guess. */
type PasswordCode = 'PASSWORD_TOO_COMMON' | 'PASSWORD_IS_A_NAME'

/** An error of an API call. The message is the sentence of the API. */
export class ApiFailure extends Error {
  readonly code: FailureCode
  /** HTTP status; 0 if there was no response. */
  readonly status: number
  readonly details: readonly FailureDetail[]
  readonly requestId: string | undefined
  /** Seconds after which to retry, if the service says so. */
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

/** Whether the failure has this code. */
export function failedWith(error: unknown, ...codes: readonly FailureCode[]): error is ApiFailure {
  return error instanceof ApiFailure && codes.includes(error.code)
}

/** Whether the same request may succeed a moment later. */
export function isPassing(error: unknown): boolean {
  return failedWith(error, 'unreachable', 'timed_out', 'unreadable', 'unavailable', 'rate_limited', 'internal')
}

/** The response of the sign-in routes without a session. A wrong password has another code. */
const noSession = 'UNAUTHORIZED'
/** Their response to a two-factor code ten minutes after the password. */
const codeTooLate = 'INVALID_TWO_FACTOR_COOKIE'

/** Reads an error from a response, in the envelope of the API or in that of the sign-in routes. */
export async function failureOf(answer: Response): Promise<ApiFailure> {
  const { status, headers } = answer
  const body = (await answer.json().catch(() => undefined)) as
    | { error?: { code: ErrorCode; message: string; request_id: string; details?: FailureDetail[] } }
    | { code?: ErrorCode | PasswordCode | typeof noSession | typeof codeTooLate; message?: string }
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
  if (status === 429)
    return new ApiFailure(
      'rate_limited',
      `There were too many requests. Try again in ${Number.isFinite(wait) ? `${wait} s` : 'a minute'}.`,
      more,
    )
  return status >= 500 ? new ApiFailure('unavailable', noProperAnswer, more) : unreadable(status)
}

const noProperAnswer = 'The service did not respond as expected. It may be restarting: try again in a moment.'

/** For a response from another program, such as the error page of a proxy. */
export function unreadable(status: number): ApiFailure {
  return new ApiFailure('unreadable', noProperAnswer, { status })
}
