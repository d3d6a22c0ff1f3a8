/** The longest address that fits into an SMTP path (RFC 5321 §4.5.3.1.3, less its angle brackets). */
const maxLength = 254

// An atom's characters on both sides of one @: no quoted strings, comments, groups, lists, spaces or control characters.
const shape = /^[^\s@<>()[\]\\,;:"\x00-\x1f\x7f]+@[^\s@<>()[\]\\,;:"\x00-\x1f\x7f]+$/u

/**
 * Whether this is exactly one address. Rejects text that could be read as two addresses, or as an address with a name.
 *
 * Stricter than RFC 5322: this excludes no real mailbox, and prevents header injection.
 */
export function isPlainAddress(text: string): boolean {
  return text.length <= maxLength && shape.test(text)
}
