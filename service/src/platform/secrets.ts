import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'
import { type BoxedColumn, sealedColumns } from './sealed-columns.ts'

const version = 1
const nonceBytes = 12
const tagBytes = 16

/** What is sealed for a link, and stored nowhere. */
type SealedLink = 'another email address'

/**
 * Encrypts what must be read again (webhook secrets, transfer codes) with `SECRET_KEY`: AES-256-GCM.
 *
 * Form of what is sealed: version byte, 12 bytes nonce, ciphertext, 16 bytes tag. The column and the row (`of`) are authenticated with it,
 * so that a value copied to another column or row does not open there.
 */
export class SecretBox {
  readonly #key: Buffer
  readonly #keys: readonly Buffer[]

  /**
   * @param key 32 bytes
   * @param fallback the other key while `SECRET_KEY` is being replaced: opens, but does not seal
   */
  constructor(key: Buffer, fallback?: Buffer) {
    this.#key = key
    this.#keys = fallback === undefined ? [key] : [key, fallback]
    if (this.#keys.some(({ length }) => length !== 32)) throw new RangeError('SECRET_KEY must be 32 bytes')
  }

  seal(column: BoxedColumn, of: string | number, secret: string): Buffer {
    return seal(this.#key, purposeOf(column, of), secret)
  }

  /** Throws when the value was sealed with an unknown key, or for another column or row. */
  open(column: BoxedColumn, of: string | number, sealed: Buffer): string {
    return this.#open(purposeOf(column, of), sealed)
  }

  /** The value sealed with `SECRET_KEY`: the same one, if it is already. Throws as `open` does. */
  renewed(column: BoxedColumn, of: string | number, sealed: Buffer): Buffer {
    const purpose = purposeOf(column, of)
    return opened(this.#key, purpose, sealed) === undefined
      ? seal(this.#key, purpose, this.#open(purpose, sealed))
      : sealed
  }

  sealLink(link: SealedLink, content: string): string {
    return seal(this.#key, link, content).toString('base64url')
  }

  /** Throws as `open` does. */
  openLink(link: SealedLink, token: string): string {
    return this.#open(link, Buffer.from(token, 'base64url'))
  }

  /**
   * Tells a text again without keeping it, in every process with this key: nobody without it can try texts. HMAC-SHA256, 32 bytes.
   *
   * One for each key, that of `SECRET_KEY` first. Made in pieces, with pauses, because a text may be long.
   */
  *macsOf(purpose: string, pieces: Iterable<string>): Generator<undefined, readonly Buffer[]> {
    const macs = this.#keys.map((key) =>
      createHmac('sha256', createHmac('sha256', key).update(`mac of ${purpose}`).digest()),
    )
    for (const piece of pieces) {
      for (const mac of macs) mac.update(piece)
      yield
    }
    return macs.map((mac) => mac.digest())
  }

  #open(purpose: string, sealed: Buffer): string {
    if (sealed[0] !== version) throw new Error('sealed by an unknown version')
    for (const key of this.#keys) {
      const text = opened(key, purpose, sealed)
      if (text !== undefined) return text
    }
    throw new Error('sealed with another key or for another purpose')
  }
}

function purposeOf(column: BoxedColumn, of: string | number): string {
  return `${sealedColumns[column].purpose}${of}`
}

function seal(key: Buffer, purpose: string, secret: string): Buffer {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(purpose))
  const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
  return Buffer.concat([Buffer.from([version]), nonce, text, cipher.getAuthTag()])
}

/** Undefined: not sealed with this key for this purpose. */
function opened(key: Buffer, purpose: string, sealed: Buffer): string | undefined {
  const nonce = sealed.subarray(1, 1 + nonceBytes)
  const tag = sealed.subarray(sealed.length - tagBytes)
  const text = sealed.subarray(1 + nonceBytes, sealed.length - tagBytes)
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(purpose)).setAuthTag(tag)
    return Buffer.concat([decipher.update(text), decipher.final()]).toString('utf8')
  } catch {
    return undefined
  }
}
