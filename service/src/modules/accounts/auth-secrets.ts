import { createHmac, timingSafeEqual } from 'node:crypto'

/**
 * The keys with which sessions and devices are signed and two-factor data is encrypted. Each is derived from a `SECRET_KEY`, and differs
 * from it, so that neither reveals the other.
 *
 * While `SECRET_KEY` is being replaced there are two: the current one signs and encrypts, and both verify and decrypt.
 */
export class AuthSecrets {
  readonly current: string
  readonly fallback: string | undefined

  constructor(secretKey: Buffer, fallback?: Buffer) {
    this.current = derived(secretKey)
    this.fallback = fallback && derived(fallback)
  }

  get #all(): readonly string[] {
    return this.fallback === undefined ? [this.current] : [this.current, this.fallback]
  }

  /** The HMAC-SHA256 of a text. */
  sign(text: string): Buffer {
    return signature(this.current, text)
  }

  /** Whether one of the keys has signed a text. */
  hasSigned(text: string, given: Buffer): boolean {
    return this.#all.some((secret) => isSignature(secret, text, given))
  }

  /** Whether the fallback has signed a text. */
  hasSignedFormerly(text: string, given: Buffer): boolean {
    return this.fallback !== undefined && isSignature(this.fallback, text, given)
  }

  /** Encrypts as better-auth does. */
  async seal(data: string): Promise<string> {
    const { symmetricEncrypt } = await import('better-auth/crypto')
    return symmetricEncrypt({ key: this.current, data })
  }

  /** Throws if none of the keys encrypted it. */
  async open(sealed: string): Promise<string> {
    for (const secret of this.#all) {
      const data = await opened(secret, sealed)
      if (data !== undefined) return data
    }
    throw new Error('encrypted with another key')
  }

  /** The value encrypted with the current key: unchanged if it already is. Throws as `open` does. */
  async renewed(sealed: string): Promise<string> {
    return (await opened(this.current, sealed)) === undefined ? this.seal(await this.open(sealed)) : sealed
  }
}

function derived(secretKey: Buffer): string {
  return createHmac('sha256', secretKey).update('zonewright sessions and second factors').digest('base64url')
}

function signature(secret: string, text: string): Buffer {
  return createHmac('sha256', secret).update(text).digest()
}

function isSignature(secret: string, text: string, given: Buffer): boolean {
  const expected = signature(secret, text)
  return given.length === expected.length && timingSafeEqual(given, expected)
}

/** Undefined: this key did not encrypt it. */
async function opened(secret: string, sealed: string): Promise<string | undefined> {
  const { symmetricDecrypt } = await import('better-auth/crypto')
  return symmetricDecrypt({ key: secret, data: sealed }).catch(() => undefined)
}
