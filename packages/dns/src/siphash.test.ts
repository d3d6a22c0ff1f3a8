/** SipHash-2-4 with 8 bytes of output, the hash that RFC 9018 names, for tests of cookies. Contains no tests. */
export function sipHash24(secret: Uint8Array, data: Uint8Array): Uint8Array {
  const word = (bytes: Uint8Array, at: number): bigint => {
    let value = 0n
    for (let index = 7; index >= 0; index--) value = (value << 8n) | BigInt(bytes[at + index] ?? 0)
    return value
  }
  const mask = 0xffffffffffffffffn
  const rotate = (value: bigint, bits: bigint): bigint => ((value << bits) | (value >> (64n - bits))) & mask
  const [k0, k1] = [word(secret, 0), word(secret, 8)]
  let v0 = k0 ^ 0x736f6d6570736575n
  let v1 = k1 ^ 0x646f72616e646f6dn
  let v2 = k0 ^ 0x6c7967656e657261n
  let v3 = k1 ^ 0x7465646279746573n
  const mix = (rounds: number): void => {
    for (let round = 0; round < rounds; round++) {
      v0 = (v0 + v1) & mask
      v2 = (v2 + v3) & mask
      v1 = rotate(v1, 13n) ^ v0
      v3 = rotate(v3, 16n) ^ v2
      v0 = rotate(v0, 32n)
      v2 = (v2 + v1) & mask
      v0 = (v0 + v3) & mask
      v1 = rotate(v1, 17n) ^ v2
      v3 = rotate(v3, 21n) ^ v0
      v2 = rotate(v2, 32n)
    }
  }
  const padded = new Uint8Array(Math.floor(data.length / 8) * 8 + 8)
  padded.set(data)
  padded[padded.length - 1] = data.length
  for (let at = 0; at < padded.length; at += 8) {
    v3 ^= word(padded, at)
    mix(2)
    v0 ^= word(padded, at)
  }
  v2 ^= 0xffn
  mix(4)
  const hash = v0 ^ v1 ^ v2 ^ v3
  return Uint8Array.from({ length: 8 }, (_, index) => Number((hash >> BigInt(8 * index)) & 0xffn))
}
