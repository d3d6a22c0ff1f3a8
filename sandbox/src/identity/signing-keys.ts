import { createHmac, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import type { ProviderBehaviour } from './behaviour.ts'

interface SigningKey {
  readonly kid: string
  readonly alg: 'RS256' | 'ES256'
  readonly publicKey: KeyObject
  readonly privateKey: KeyObject
}

/** The keys of a provider: one RSA and one P-256 key, which can be replaced. */
export class SigningKeys {
  #rsa = makeKey('RS256')
  #ec = makeKey('ES256')
  readonly #stranger = makeKey('RS256')

  /** Replaces both keys. Tokens are signed with the new ones from now on, and the old ones are no longer published. */
  rotate(): void {
    this.#rsa = makeKey('RS256')
    this.#ec = makeKey('ES256')
  }

  published(): { keys: object[] } {
    const keys = [this.#rsa, this.#ec].map(({ kid, alg, publicKey }) => ({
      ...publicKey.export({ format: 'jwk' }),
      kid,
      alg,
      use: 'sig',
    }))
    return { keys }
  }

  /** A JSON Web Token (RFC 7519) with these claims. */
  token(claims: object, signs: NonNullable<ProviderBehaviour['signs']>, clientSecret: string): string {
    if (signs === 'none') return `${encoded({ alg: 'none' })}.${encoded(claims)}.`
    if (signs === 'HS256' || signs === 'HS256-secret') {
      const text = `${encoded({ alg: 'HS256', kid: this.#rsa.kid })}.${encoded(claims)}`
      const secret =
        signs === 'HS256' ? this.#rsa.publicKey.export({ format: 'pem', type: 'spki' }) : Buffer.from(clientSecret)
      return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`
    }
    const key = signs === 'ES256' ? this.#ec : signs === 'stranger' ? this.#stranger : this.#rsa
    const text = `${encoded({ alg: key.alg, kid: key.kid })}.${encoded(claims)}`
    const signature = sign('sha256', Buffer.from(text), { key: key.privateKey, dsaEncoding: 'ieee-p1363' })
    return `${text}.${signature.toString('base64url')}`
  }
}

function makeKey(alg: SigningKey['alg']): SigningKey {
  const pair =
    alg === 'RS256'
      ? generateKeyPairSync('rsa', { modulusLength: 2_048 })
      : generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return { kid: randomBytes(8).toString('hex'), alg, ...pair }
}

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}
