const digits = '0123456789abcdef'
const pairs: readonly string[] = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/** Lower-case hexadecimal. */
export function toHex(bytes: Uint8Array): string {
  const parts: string[] = []
  for (const byte of bytes) parts.push(pairs[byte] ?? '')
  return parts.join('')
}

/** The bytes of hexadecimal text in any case, or `undefined` if it is not valid. */
export function fromHex(text: string): Uint8Array | undefined {
  if (text.length % 2 !== 0 || !/^[0-9a-fA-F]*$/.test(text)) return undefined
  const lower = text.toLowerCase()
  const bytes = new Uint8Array(text.length / 2)
  for (let at = 0; at < bytes.length; at++) {
    bytes[at] = digits.indexOf(lower.charAt(2 * at)) * 16 + digits.indexOf(lower.charAt(2 * at + 1))
  }
  return bytes
}
