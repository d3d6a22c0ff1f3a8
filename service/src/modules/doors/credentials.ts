import { Refusal } from '#platform/errors.ts'

/** The ways to send a key to a door. */
export type CredentialKind = 'bearer' | 'basic' | 'x-api-key'

/** Reads a header of the request. Several values are joined with commas. */
type Header = (name: string) => string | undefined

/**
 * The secret of the key that a request sends in one of these ways. Undefined: the request sends no key. X-API-Key wins over Authorization.
 *
 * Basic (RFC 7617): the password is the key, and the user name can be anything.
 *
 * @throws Refusal `invalid_key` if the header has another scheme or form
 */
export function secretOf(header: Header, kinds: readonly CredentialKind[]): string | undefined {
  const inOwnHeader = kinds.includes('x-api-key') ? header('x-api-key')?.trim() : undefined
  if (inOwnHeader !== undefined && inOwnHeader !== '') {
    if (!oneWord.test(inOwnHeader))
      throw new Refusal('invalid_key', 'The X-API-Key header is malformed. Send it once, with nothing but the API key.')
    return inOwnHeader
  }
  const authorization = header('authorization')
  if (authorization === undefined) return undefined
  if (kinds.includes('basic')) {
    const password = basicOf(authorization)?.password
    if (password !== undefined && oneWord.test(password)) return password
  }
  const token = kinds.includes('bearer') ? /^bearer +([^\s,]+)$/i.exec(authorization)?.[1] : undefined
  if (token === undefined)
    throw new Refusal('invalid_key', `The Authorization header is malformed. ${howToSend(kinds)}`)
  return token
}

/** The form of a key: no spaces, and no commas, which join several values of a header. */
const oneWord = /^[^\s,]+$/

/** The user name in a Basic Authorization header. Undefined: the header has another scheme. */
export function basicUserOf(header: Header): string | undefined {
  return basicOf(header('authorization') ?? '')?.user
}

function basicOf(authorization: string): { user: string; password: string } | undefined {
  const encoded = /^basic +([A-Za-z0-9+/_-]+={0,2})$/i.exec(authorization)?.[1]
  if (encoded === undefined) return undefined
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  return colon < 0 ? undefined : { user: text.slice(0, colon), password: text.slice(colon + 1) }
}

/** A sentence that says how a client must send its key. */
export function howToSend(kinds: readonly CredentialKind[]): string {
  if (kinds.includes('basic')) return 'Send HTTP Basic authentication with the API key as the password.'
  if (kinds.includes('x-api-key')) return 'Send the API key in the header X-API-Key.'
  return 'Send "Bearer <API key>".'
}
