import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'
import { withoutPauses } from './work/slices.ts'

const version = 1
const nonceBytes = 12
const tagBytes = 16

/**
 * Encrypts what must be read again (webhook secrets, transfer codes) with `SECRET_KEY`: AES-256-GCM.
 *
 * Form of what is sealed: version byte, 12 bytes nonce, ciphertext, 16 bytes tag. `purpose` is authenticated with it, so that a value
 * copied to another column does not open there.
 */
export class SecretBox {
  readonly #key: Buffer

  /** @param key 32 bytes */
  constructor(key: Buffer) {
    if (key.length !== 32) throw new RangeError('SECRET_KEY must be 32 bytes')
    this.#key = key
  }

  seal(purpose: string, secret: string): Buffer {
    const nonce = randomBytes(nonceBytes)
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce).setAAD(Buffer.from(purpose))
    const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
    return Buffer.concat([Buffer.from([version]), nonce, text, cipher.getAuthTag()])
  }

  /** Tells a text again without keeping it, in every process with this key: nobody without it can try texts. HMAC-SHA256, 32 bytes. */
  mac(purpose: string, text: string): Buffer {
    return withoutPauses(this.macOfPieces(purpose, [text]))
  }

  /** The same for a long text in pieces, with pauses. */
  *macOfPieces(purpose: string, pieces: Iterable<string>): Generator<undefined, Buffer> {
    const key = createHmac('sha256', this.#key).update(`mac of ${purpose}`).digest()
    const mac = createHmac('sha256', key)
    for (const piece of pieces) {
      mac.update(piece)
      yield
    }
    return mac.digest()
  }

  /** Throws when the value was sealed with another key or for another purpose. */
  open(purpose: string, sealed: Buffer): string {
    if (sealed[0] !== version) throw new Error('sealed by an unknown version')
    const nonce = sealed.subarray(1, 1 + nonceBytes)
    const tag = sealed.subarray(sealed.length - tagBytes)
    const text = sealed.subarray(1 + nonceBytes, sealed.length - tagBytes)
    const decipher = createDecipheriv('aes-256-gcm', this.#key, nonce).setAAD(Buffer.from(purpose)).setAuthTag(tag)
    return Buffer.concat([decipher.update(text), decipher.final()]).toString('utf8')
  }
}
