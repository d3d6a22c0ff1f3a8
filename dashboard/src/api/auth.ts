import { paths } from '../util/paths.ts'
import { ApiFailure, failedWith, failureOf, fetchOrFail } from './failure.ts'

/** A session of the account, as the list of them has it. */
export interface SessionEntry {
  readonly id: string
  readonly token: string
  readonly createdAt: string
  readonly updatedAt: string
  readonly ipAddress?: string | null
  readonly userAgent?: string | null
}

/** What starts two-factor authentication: shown once. */
export interface TwoFactorStart {
  readonly totpURI: string
  readonly backupCodes: readonly string[]
}

/** Sign-up, sign-in, sessions and second factors. Every one throws ApiFailure. */
export const auth = {
  /** Has a link mailed to the address. */
  signUp: (email: string): Promise<unknown> => post('/sign-up/email', { email }),
  /** The address that a link was mailed to, as long as the link works. */
  signUpLink: (token: string): Promise<{ email: string }> => post('/sign-up/link', { token }),
  /** Uses the link: creates the account, and signs in to it. */
  createAccount: (body: { token: string; name: string; password: string }): Promise<unknown> =>
    post('/sign-up/complete', body),
  /** Answers whether a code of the second factor is still to be given. */
  signIn: async (body: { email: string; password: string }): Promise<{ codeNeeded: boolean }> => {
    const answer = await post<{ twoFactorRedirect?: boolean }>('/sign-in/email', body)
    return { codeNeeded: answer?.twoFactorRedirect === true }
  },
  /** A code of the authenticator, or, when it does not look like one, a backup code. */
  giveCode: (code: string): Promise<unknown> =>
    /^\d{6}$/.test(withoutBlanks(code))
      ? verifyTotp(code)
      : post('/two-factor/verify-backup-code', { code: code.trim() }),
  /** The first code of the authenticator, by which two-factor authentication is on: a backup code would not turn it on. */
  confirmTwoFactor: (code: string): Promise<unknown> =>
    verifyTotp(code).catch((error: unknown) => {
      // Without a session the route takes this for a sign-in whose code comes too late.
      if (failedWith(error, 'code_too_late')) throw new ApiFailure('signed_out', 'Sign in first.', { status: 401 })
      throw error
    }),
  signOut: (): Promise<unknown> => post('/sign-out', {}),
  requestReset: (email: string): Promise<unknown> =>
    post('/request-password-reset', { email, redirectTo: paths.mailLinks.resetPassword }),
  resetPassword: (body: { newPassword: string; token: string }): Promise<unknown> => post('/reset-password', body),
  changePassword: (body: { currentPassword: string; newPassword: string; code?: string }): Promise<unknown> =>
    post('/change-password', { ...body, revokeOtherSessions: true }),
  startTwoFactor: (password: string): Promise<TwoFactorStart> => post('/two-factor/enable', { password }),
  stopTwoFactor: (body: { password: string; code: string }): Promise<unknown> => post('/two-factor/disable', body),
  renewBackupCodes: (body: { password: string; code: string }): Promise<{ backupCodes: readonly string[] }> =>
    post('/two-factor/generate-backup-codes', body),
  listSessions: (): Promise<readonly SessionEntry[]> => ask('GET', '/list-sessions'),
  currentSession: async (): Promise<string | undefined> =>
    (await ask<{ session?: { id: string } } | null>('GET', '/get-session'))?.session?.id,
  endSession: (token: string): Promise<unknown> => post('/revoke-session', { token }),
  endOtherSessions: (): Promise<unknown> => post('/revoke-other-sessions', {}),
}

function verifyTotp(code: string): Promise<unknown> {
  return post('/two-factor/verify-totp', { code: withoutBlanks(code) })
}

/** Authenticators show codes in groups. */
function withoutBlanks(code: string): string {
  return code.replaceAll(/\s/g, '')
}

function post<T>(path: string, body: object): Promise<T> {
  return ask<T>('POST', path, body)
}

async function ask<T>(method: string, path: string, body?: object): Promise<T> {
  const answer = await fetchOrFail(`/api/auth${path}`, {
    method,
    credentials: 'same-origin',
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  })
  if (!answer.ok) throw await failureOf(answer)
  return (await answer.json().catch(() => undefined)) as T
}
