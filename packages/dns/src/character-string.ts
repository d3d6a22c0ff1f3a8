import { DnsFault, quoteInput } from './faults.ts'

/** Longest character-string in bytes (RFC 1035 §3.3). */
export const maxStringBytes = 255

/**
 * The bytes of a word of a zone file: `\X` is X itself, `\DDD` a byte, everything beyond ASCII its UTF-8.
 *
 * @throws DnsFault `bad_syntax` on a broken escape
 */
export function unescapeBytes(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length * 3)
  let next = 0
  for (let at = 0; at < text.length; at++) {
    let code = text.codePointAt(at) ?? 0
    if (code === 0x5c) {
      const digits = /^\d{3}/.exec(text.slice(at + 1, at + 4))?.[0]
      if (digits !== undefined) {
        if (Number(digits) > 255) throw new DnsFault('bad_syntax', `\\${digits} is above \\255.`)
        bytes[next++] = Number(digits)
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

function putUtf8(code: number, bytes: Uint8Array, at: number): number {
  let next = at
  if (code < 0x80) {
    bytes[next++] = code
  } else if (code < 0x800) {
    bytes[next++] = 0xc0 | (code >> 6)
    bytes[next++] = 0x80 | (code & 0x3f)
  } else if (code < 0x10000) {
    bytes[next++] = 0xe0 | (code >> 12)
    bytes[next++] = 0x80 | ((code >> 6) & 0x3f)
    bytes[next++] = 0x80 | (code & 0x3f)
  } else {
    bytes[next++] = 0xf0 | (code >> 18)
    bytes[next++] = 0x80 | ((code >> 12) & 0x3f)
    bytes[next++] = 0x80 | ((code >> 6) & 0x3f)
    bytes[next++] = 0x80 | (code & 0x3f)
  }
  return next
}

/** The canonical quoted form: `\"`, `\\`, and `\DDD` for what is not printable ASCII. */
export function quoteBytes(bytes: Uint8Array): string {
  return `"${escapeBytes(bytes)}"`
}

/** What stands between the quotes of `quoteBytes`. */
function escapeBytes(bytes: Uint8Array): string {
  const parts: string[] = []
  for (const byte of bytes) parts.push(byteText[byte] ?? '')
  return parts.join('')
}

const byteText: readonly string[] = Array.from({ length: 256 }, (_, byte) => {
  if (byte === 0x22 || byte === 0x5c) return `\\${String.fromCharCode(byte)}`
  return byte < 0x20 || byte > 0x7e ? `\\${String(byte).padStart(3, '0')}` : String.fromCharCode(byte)
})
