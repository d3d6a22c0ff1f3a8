import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { type BoxedColumn, isDerived, sealedColumns } from './sealed-columns.ts'

const version = 1
const nonceBytes = 12
const tagBytes = 16

/** What is sealed for a link, and not stored anywhere. */
type SealedLink = 'another email address' | 'domain connect request' | 'notification address'

/** The key that seals the TSIG secrets of API keys: 32 bytes, derived from `SECRET_KEY` (HKDF-SHA256, RFC 5869). */
export function tsigSealingKey(secretKey: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', secretKey, '', 'tsig', 32))
}

/**
 * Encrypts what must be read again (webhook secrets, transfer codes) with `SECRET_KEY`: AES-256-GCM.
 *
 * Format of a sealed value: version byte, 12 bytes nonce, ciphertext, 16 bytes tag. The column and the row (`of`) are authenticated with it, so that
 * a value copied to another column or row does not open there.
 */
export class SecretBox {
  readonly #keys: SealingKeys
  readonly #tsigKeys: SealingKeys

  /**
   * @param key 32 bytes
   * @param fallback the other key while `SECRET_KEY` is being replaced: opens, but does not seal
   */
  constructor(key: Buffer, fallback?: Buffer) {
    this.#keys = fallback === undefined ? [key] : [key, fallback]
    if (this.#keys.some(({ length }) => length !== 32)) throw new RangeError('SECRET_KEY must be 32 bytes')
    this.#tsigKeys = [tsigSealingKey(key), ...this.#keys.slice(1).map(tsigSealingKey)]
  }

  seal(column: BoxedColumn, of: string | number, secret: string): Buffer {
    const [key] = this.#keysOf(column)
    return seal(key, purposeOf(column, of), secret)
  }

  /** Throws when the value was sealed with an unknown key, or for another column or row. */
  open(column: BoxedColumn, of: string | number, sealed: Buffer): string {
    return openedBy(this.#keysOf(column), purposeOf(column, of), sealed)
  }

  /** The value sealed with `SECRET_KEY`: the same one, if it is already. Throws as `open` does. */
  renewed(column: BoxedColumn, of: string | number, sealed: Buffer): Buffer {
    const purpose = purposeOf(column, of)
    const keys = this.#keysOf(column)
    const [key] = keys
    return opened(key, purpose, sealed) === undefined ? seal(key, purpose, openedBy(keys, purpose, sealed)) : sealed
  }

  sealLink(link: SealedLink, content: string): string {
    const [key] = this.#keys
    return seal(key, link, content).toString('base64url')
  }

  /** Throws as `open` does. */
  openLink(link: SealedLink, token: string): string {
    return openedBy(this.#keys, link, Buffer.from(token, 'base64url'))
  }

  /**
   * Recognizes a text without storing it, in every process with this key. Without the key, no one can test texts against it. HMAC-SHA256, 32 bytes.
   *
   * One for each key, that of `SECRET_KEY` first. Computed in pieces, with pauses, because a text may be long.
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

  #keysOf(column: BoxedColumn): SealingKeys {
    return isDerived(column) ? this.#tsigKeys : this.#keys
  }
}

/** Opens TSIG secrets for a DNS door that knows only the keys which `tsigSealingKey` derives. */
export class TsigBox {
  readonly #keys: SealingKeys

  /** `fallback`: that of the other `SECRET_KEY` while it is being replaced. */
  constructor(key: Buffer, fallback?: Buffer) {
    this.#keys = fallback === undefined ? [key] : [key, fallback]
  }

  /** Throws as `SecretBox.open` does. */
  open(column: 'api_key_tsig.secret', keyId: string, sealed: Buffer): string {
    return openedBy(this.#keys, purposeOf(column, keyId), sealed)
  }
}

/** The first one seals, and each opens. */
type SealingKeys = readonly [Buffer, ...Buffer[]]

function openedBy(keys: SealingKeys, purpose: string, sealed: Buffer): string {
  if (sealed[0] !== version) throw new Error('sealed by an unknown version')
  for (const key of keys) {
    const text = opened(key, purpose, sealed)
    if (text !== undefined) return text
  }
  throw new Error('sealed with another key or for another purpose')
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
