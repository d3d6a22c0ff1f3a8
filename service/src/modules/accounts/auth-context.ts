import { APIError, type createAuthMiddleware } from 'better-auth/api'
import { Refusal } from '#platform/errors.ts'
import { addressHeader } from './auth-rules.ts'
import { commonPasswords } from './common-passwords.ts'
import { passwordFault } from './password-rules.ts'

/** A request while better-auth handles it, as its hooks see it. */
export type AuthContext = Parameters<Parameters<typeof createAuthMiddleware>[0]>[0]

/** The client's IP address. */
export function addressOf(ctx: Pick<AuthContext, 'headers'>): string {
  return ctx.headers?.get(addressHeader) ?? ''
}

/** Refuses a new password that is too short, too long or easy to guess, before a code or a link is used up. `email`: the account's address. */
export async function refuseUnfitPassword(password: unknown, email: string): Promise<void> {
  const fault = passwordFault(String(password ?? ''), email, await commonPasswords())
  if (fault !== undefined) throw badRequest(fault.code, fault.message)
}

/** better-auth's refusal of invalid input. */
export function badRequest(code: string, message: string): APIError {
  return new APIError('BAD_REQUEST', { code, message })
}

type Status = 'BAD_REQUEST' | 'CONFLICT' | 'SERVICE_UNAVAILABLE' | 'TOO_MANY_REQUESTS'

const statuses: { readonly [code in Refusal['code']]?: Status } = {
  conflict: 'CONFLICT',
  provider_unavailable: 'SERVICE_UNAVAILABLE',
  rate_limited: 'TOO_MANY_REQUESTS',
  validation_failed: 'BAD_REQUEST',
}

/** A refusal as an error of better-auth. */
export function asApiError({ code, message, headers }: Refusal): APIError {
  return new APIError(statuses[code] ?? 'FORBIDDEN', { code, message }, headers)
}

/** Runs `work` and turns its refusals into errors of better-auth. An unavailable database is reported as everywhere else. */
export async function inItsForm<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Refusal) || error.code === 'unavailable') throw error
    throw asApiError(error)
  }
}
