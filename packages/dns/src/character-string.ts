import { decimalEscape, escapedByte } from './escape.ts'
import { DnsFault, quoteInput } from './faults.ts'
import { putUtf8 } from './utf8.ts'

/** Longest character-string in bytes (RFC 1035 §3.3). */
export const maxStringBytes = 255

/**
 * The bytes of a word of a zone file: `\X` is X itself, `\DDD` is a byte, and non-ASCII characters become UTF-8.
 *
 * @throws DnsFault `bad_syntax` on a broken escape
 */
export function unescapeBytes(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length * 3)
  let next = 0
  for (let at = 0; at < text.length; at++) {
    let code = text.codePointAt(at) ?? 0
    if (code === 0x5c) {
      const decimal = decimalEscape(text, at + 1)
      if (decimal !== undefined) {
        if (Number.isNaN(decimal)) {
          throw new DnsFault('bad_syntax', `In ${quoteInput(text)} a backslash does not have three digits up to 255.`)
        }
        bytes[next++] = decimal
        at += 3
        continue
      }
      at++
      if (at === text.length) throw new DnsFault('bad_syntax', `${quoteInput(text)} ends in a lone backslash.`)
      code = text.codePointAt(at) ?? 0
    }
    if (code > 0xffff) at++
    next = putUtf8(code, bytes, next)
  }
  return bytes.slice(0, next)
}

/** The canonical quoted form: `\"`, `\\`, and `\DDD` for bytes that are not printable ASCII. */
export function quoteBytes(bytes: Uint8Array): string {
  return `"${escapeBytes(bytes)}"`
}

/** The text between the quotes of `quoteBytes`. */
export function escapeBytes(bytes: Uint8Array): string {
  const parts: string[] = []
  for (const byte of bytes) parts.push(byteText[byte] ?? '')
  return parts.join('')
}

const byteText: readonly string[] = Array.from({ length: 256 }, (_, byte) => {
  if (byte === 0x22 || byte === 0x5c) return `\\${String.fromCharCode(byte)}`
  return byte < 0x20 || byte > 0x7e ? escapedByte(byte) : String.fromCharCode(byte)
})
