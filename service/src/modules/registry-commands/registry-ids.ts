import { randomBytes } from 'node:crypto'

/** A transfer code: 24 characters of the kinds that registries require. */
export function newAuthCode(): string {
  return `${randomBytes(15).toString('base64url').replaceAll(/[-_]/g, 'x')}a1!Z`
}

/** An id for a contact at a registry: at most 16 characters (RFC 5733 §2.4: clIDType). */
export function newContactId(): string {
  return `ZW${randomBytes(7).toString('hex')}`.toUpperCase()
}

/** An id for a command (RFC 5730 §2.5: clTRID), unique among all commands. */
export function newClTrid(): string {
  return `ZW-${randomBytes(12).toString('hex')}`
}
