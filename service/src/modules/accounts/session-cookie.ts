import { createHmac, timingSafeEqual } from 'node:crypto'
import { sessionCookie } from '@zonewright/contract'

/** A token and the base64 of its HMAC-SHA256, as better-auth writes them. */
const signedValue = /^(.+)\.([A-Za-z0-9+/]{43}=)$/s
/** A value has about 80 characters, and more if it is percent-encoded. */
const longestValue = 500

/**
 * Finds the session token in a `Cookie` header; undefined if there is none, or if its signature is not ours.
 *
 * Forged cookies are detected here, without the database. Only the database knows whether a token's session exists.
 */
export function signedSession(secret: string, publicUrl: string): (cookies: string | undefined) => string | undefined {
  const name = publicUrl.startsWith('https:') ? `__Secure-${sessionCookie}` : sessionCookie
  // The first cookie of the name counts, for better-auth as well.
  const cookie = new RegExp(`(?:^|;)[\\t ]*${name.replaceAll('.', '\\.')}[\\t ]*=([^;]*)`)
  return (header) => {
    const value = header === undefined ? undefined : cookie.exec(header)?.[1]?.trim()
    if (value === undefined || value.length > longestValue) return undefined
    const [, token, signature] = signedValue.exec(decoded(value)) ?? []
    if (token === undefined || signature === undefined) return undefined
    const expected = createHmac('sha256', secret).update(token).digest()
    return timingSafeEqual(Buffer.from(signature, 'base64'), expected) ? token : undefined
  }
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return ''
  }
}
