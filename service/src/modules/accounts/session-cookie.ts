import { sessionCookie } from '@zonewright/contract'
import type { AuthSecrets } from './auth-secrets.ts'

/** A token and the base64 of its HMAC-SHA256, as better-auth writes them. */
const signedValue = /^(.+)\.([A-Za-z0-9+/]{43}=)$/s
/** Maximum length. A value has about 80 characters, and more if it is percent-encoded. */
const longestValue = 500

/**
 * Finds the session token in a `Cookie` header; undefined if there is none, or if its signature is not ours.
 *
 * Forged cookies are detected here, without the database. Only the database knows whether a token's session exists.
 */
export function signedSession(
  secrets: AuthSecrets,
  publicUrl: string,
): (cookies: string | undefined) => string | undefined {
  const name = publicUrl.startsWith('https:') ? `__Secure-${sessionCookie}` : sessionCookie
  // The first cookie with the name counts, as in better-auth.
  const cookie = new RegExp(`(?:^|;)[\\t ]*${name.replaceAll('.', '\\.')}[\\t ]*=([^;]*)`)
  return (header) => {
    const value = header === undefined ? undefined : cookie.exec(header)?.[1]?.trim()
    if (value === undefined || value.length > longestValue) return undefined
    const [, token, signature] = signedValue.exec(decoded(value)) ?? []
    if (token === undefined || signature === undefined) return undefined
    return secrets.hasSigned(token, Buffer.from(signature, 'base64')) ? token : undefined
  }
}

/**
 * Re-signs every cookie of a request that the fallback has signed with the current key, because better-auth accepts only that. The cookies in the
 * browser do not change.
 */
export function signedAgain(request: Request, secrets: AuthSecrets): Request {
  const header = request.headers.get('cookie')
  if (secrets.fallback === undefined || header === null) return request
  const cookies = header.split(';').map((cookie) => {
    const [, name, value = ''] = /^([^=]*)=(.*)$/s.exec(cookie) ?? []
    const [, text, signature = ''] = value.length > longestValue ? [] : (signedValue.exec(decoded(value.trim())) ?? [])
    if (text === undefined || !secrets.hasSignedFormerly(text, Buffer.from(signature, 'base64'))) return cookie
    return `${name}=${encodeURIComponent(`${text}.${secrets.sign(text).toString('base64')}`)}`
  })
  const signed = cookies.join(';')
  if (signed === header) return request
  const headers = new Headers(request.headers)
  headers.set('cookie', signed)
  return new Request(request, { headers })
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return ''
  }
}
