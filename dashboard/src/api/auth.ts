import { paths } from '../util/paths.ts'
import type { ProviderAnswer } from '../util/sign-in-providers.ts'
import { askService } from './ask-service.ts'
import { ApiFailure, failedWith } from './failure.ts'
import { signWithPasskey } from './passkey.ts'

/** A session in the list of the account's sessions. */
export interface SessionEntry {
  readonly id: string
  readonly token: string
  readonly createdAt: string
  readonly updatedAt: string
  readonly ipAddress?: string | null
  readonly userAgent?: string | null
}

/** The data for setting up two-factor authentication, which is shown once. */
export interface TwoFactorStart {
  readonly totpURI: string
  readonly backupCodes: readonly string[]
}

/** Sign-up, sign-in, sessions and two-factor authentication. Every function throws ApiFailure. */
export const auth = {
  /** Sends an email with a link to the address. */
  signUp: (email: string): Promise<unknown> => post('/sign-up/email', { email }),
  /** The address to which a link was sent, as long as the link works. */
  signUpLink: (token: string): Promise<{ email: string }> => post('/sign-up/link', { token }),
  /** Uses the link: creates the account and signs in to it. */
  createAccount: (body: { token: string; name: string; password: string }): Promise<unknown> =>
    post('/sign-up/complete', body),
  /** Returns whether a two-factor code is still required. */
  signIn: async (body: { email: string; password: string }): Promise<{ codeNeeded: boolean }> => {
    const answer = await post<{ twoFactorRedirect?: boolean }>('/sign-in/email', body)
    return { codeNeeded: answer?.twoFactorRedirect === true }
  },
  /** The person chooses a passkey in a dialog of the browser. It replaces the password and the code. */
  signInWithPasskey: async (): Promise<unknown> =>
    post(
      '/sign-in/passkey',
      await signWithPasskey(await post<{ challenge: string; rp_id: string }>('/passkey/challenge', {})),
    ),
  /** Begins a sign-in at a provider. The browser goes to the URL of the response. */
  beginProvider: (body: { provider: string; back?: string }): Promise<{ url: string }> => post('/provider/begin', body),
  /** Completes a sign-in, or the linking of a provider, with the provider's answer. */
  answerProvider: (
    body: ProviderAnswer,
  ): Promise<{ result: 'signed_in' | 'code_needed' | 'linked'; provider: string; back: string }> =>
    post('/provider/answer', body),
  /** A code of the authenticator app, or, if it has another form, a backup code. */
  giveCode: (code: string): Promise<unknown> =>
    /^\d{6}$/.test(withoutBlanks(code))
      ? verifyTotp(code)
      : post('/two-factor/verify-backup-code', { code: code.trim() }),
  /** The first code of the authenticator app, which turns on two-factor authentication. A backup code would not turn it on. */
  confirmTwoFactor: (code: string): Promise<unknown> =>
    verifyTotp(code).catch((error: unknown) => {
      // Without a session, the route treats this as a sign-in whose code arrives too late.
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

/** Authenticator apps show codes in groups. */
function withoutBlanks(code: string): string {
  return code.replaceAll(/\s/g, '')
}

function post<T>(path: string, body: object): Promise<T> {
  return ask<T>('POST', path, body)
}

async function ask<T>(method: string, path: string, body?: object): Promise<T> {
  const init = {
    method,
    credentials: 'same-origin',
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  } as const
  return await askService(`/api/auth${path}`, init, async (answer) => {
    const text = await answer.text()
    return (text === '' ? undefined : JSON.parse(text)) as T
  })
}
