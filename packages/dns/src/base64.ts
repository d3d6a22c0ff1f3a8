const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const valueOfLetter = new Map(Array.from(alphabet, (letter, value) => [letter.charCodeAt(0), value]))

/** Base 64 with padding (RFC 4648 §4). */
export function toBase64(bytes: Uint8Array): string {
  const parts: string[] = []
  for (let at = 0; at < bytes.length; at += 3) {
    const left = bytes.length - at
    const triple = ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0)
    parts.push(alphabet.charAt(triple >> 18), alphabet.charAt((triple >> 12) & 63))
    parts.push(left > 1 ? alphabet.charAt((triple >> 6) & 63) : '=', left > 2 ? alphabet.charAt(triple & 63) : '=')
  }
  return parts.join('')
}

/** The bytes of padded base 64, or `undefined` if the text is not valid. Bits after the last byte must be zero. */
export function fromBase64(text: string): Uint8Array | undefined {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return undefined
  const letters = text.replace(/=+$/, '')
  const bytes = new Uint8Array(Math.floor((letters.length * 3) / 4))
  let bits = 0
  let held = 0
  let next = 0
  for (let at = 0; at < letters.length; at++) {
    held = ((held << 6) | (valueOfLetter.get(letters.charCodeAt(at)) ?? 0)) & 0xffff
    bits += 6
    if (bits >= 8) {
      bits -= 8
      bytes[next++] = held >> bits
    }
  }
  return (held & ((1 << bits) - 1)) === 0 ? bytes : undefined
}
