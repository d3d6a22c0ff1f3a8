/** The UTF-8 of a text (RFC 3629). */
export function utf8Bytes(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length * 3)
  let next = 0
  for (const character of text) next = putUtf8(character.codePointAt(0) ?? 0, bytes, next)
  return bytes.slice(0, next)
}

/** Decodes UTF-8. `undefined` if it is not valid. */
export function utf8Text(bytes: Uint8Array): string | undefined {
  try {
    return decodeURIComponent(Array.from(bytes, (byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''))
  } catch {
    return undefined
  }
}

/** Writes one character at `at`, up to four bytes, and returns the offset after it. */
export function putUtf8(code: number, bytes: Uint8Array, at: number): number {
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
