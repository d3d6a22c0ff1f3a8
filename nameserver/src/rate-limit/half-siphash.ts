/**
 * HalfSipHash-1-3: SipHash on 32-bit words with a 64-bit key, for tables whose slots must be unpredictable to outsiders.
 *
 * `words` holds the message, little-endian and with zeros up to the next four bytes. @returns a signed 32-bit integer.
 */
export function halfSipHash13(key0: number, key1: number, words: Int32Array, byteLength: number): number {
  let v0 = key0
  let v1 = key1
  let v2 = key0 ^ 0x6c796765
  let v3 = key1 ^ 0x74656462
  const whole = byteLength >> 2
  for (let block = 0; block <= whole + 1; block++) {
    let word = 0
    let rounds = 1
    if (block <= whole) {
      if (block < whole || (byteLength & 3) > 0) word = words[block] ?? 0
      if (block === whole) word |= byteLength << 24
      v3 ^= word
    } else {
      v2 ^= 0xff
      rounds = 3
    }
    for (; rounds > 0; rounds--) {
      v0 = (v0 + v1) | 0
      v1 = ((v1 << 5) | (v1 >>> 27)) ^ v0
      v0 = (v0 << 16) | (v0 >>> 16)
      v2 = (v2 + v3) | 0
      v3 = ((v3 << 8) | (v3 >>> 24)) ^ v2
      v0 = (v0 + v3) | 0
      v3 = ((v3 << 7) | (v3 >>> 25)) ^ v0
      v2 = (v2 + v1) | 0
      v1 = ((v1 << 13) | (v1 >>> 19)) ^ v2
      v2 = (v2 << 16) | (v2 >>> 16)
    }
    v0 ^= word
  }
  return v1 ^ v3
}
