import { hash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

/** The prefix of every secret (specification, "API key"). */
export const secretPrefix = 'svc_live_'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const randomLength = 32
const checkLength = 6
const shape = new RegExp(`^${secretPrefix}[0-9A-Za-z]{${randomLength + checkLength}}$`)

/** A new secret: prefix, 32 random base62 characters, 6 base62 characters of CRC-32 over the preceding text. */
export function newSecret(): string {
  const random = Array.from({ length: randomLength }, () => alphabet[randomInt(alphabet.length)]).join('')
  return withCheck(secretPrefix + random)
}

/** Whether this text can be one of our secrets. This detects typing errors without the database. */
export function isWellFormed(secret: string): boolean {
  return shape.test(secret) && withCheck(secret.slice(0, -checkLength)) === secret
}

/** The stored form of a secret. */
export function secretSha256(secret: string): Buffer {
  return hash('sha256', secret, 'buffer')
}

/** The last four characters, by which a person can distinguish keys. */
export function hintOf(secret: string): string {
  return secret.slice(-4)
}

function withCheck(text: string): string {
  let check = crc32(text)
  let digits = ''
  for (let i = 0; i < checkLength; i++) {
    digits = (alphabet[check % alphabet.length] ?? '') + digits
    check = Math.floor(check / alphabet.length)
  }
  return text + digits
}
