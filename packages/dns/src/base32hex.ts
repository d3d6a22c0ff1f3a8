const alphabet = '0123456789abcdefghijklmnopqrstuv'

/** Base 32 with the extended hex alphabet, lower-case and without padding, as NSEC3 writes it (RFC 4648 §7, RFC 5155 §3.3). */
export function toBase32Hex(bytes: Uint8Array): string {
  const letters: string[] = []
  let held = 0
  let bits = 0
  for (const byte of bytes) {
    held = ((held << 8) | byte) & 0xffff
    for (bits += 8; bits >= 5; bits -= 5) letters.push(alphabet.charAt((held >> (bits - 5)) & 31))
  }
  if (bits > 0) letters.push(alphabet.charAt((held << (5 - bits)) & 31))
  return letters.join('')
}

/** The bytes of unpadded base 32 in any case, or `undefined` if the text is not valid. Bits after the last byte must be zero. */
export function fromBase32Hex(text: string): Uint8Array | undefined {
  if (!/^[0-9a-vA-V]*$/.test(text)) return undefined
  const bytes = new Uint8Array(Math.floor((text.length * 5) / 8))
  let held = 0
  let bits = 0
  let next = 0
  for (const letter of text.toLowerCase()) {
    held = ((held << 5) | alphabet.indexOf(letter)) & 0xffff
    bits += 5
    if (bits >= 8) {
      bits -= 8
      bytes[next++] = held >> bits
    }
  }
  return bits < 5 && (held & ((1 << bits) - 1)) === 0 ? bytes : undefined
}
