import type { Credentials } from '#http/call.ts'
import type { Caller } from '#platform/caller.ts'
import { Refusal } from '#platform/errors.ts'
import type { Auth } from './auth.ts'

/**
 * The person who is signed in to the dashboard, according to a request's cookies; undefined: no one.
 *
 * Requests that change anything must come from the dashboard's own pages. The browser names the page in `Origin`, and
 * no other site can make it name ours (throws `forbidden`).
 */
export function sessionAuthentication(
  auth: Auth,
  publicUrl: string,
): (credentials: Credentials) => Promise<Caller<'session'> | undefined> {
  const ours = new URL(publicUrl).origin
  return async ({ cookie, method, origin }) => {
    if (cookie === undefined) return undefined
    const session = await auth.session(cookie)
    if (session === undefined) return undefined
    if (method !== 'GET' && method !== 'HEAD' && origin !== ours)
      throw new Refusal('forbidden', `A session can make changes only from pages of ${ours}. Check the Origin header.`)
    return { kind: 'session', ...session, devices: auth.deviceCookie.read(cookie) }
  }
}
