import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { sipHash24 } from './siphash.ts'

function sipHash(key: Uint8Array, message: Uint8Array): string {
  const padded = new Uint8Array((message.length + 7) & ~7)
  padded.set(message)
  const out = new Int32Array(2)
  sipHash24(new Int32Array(key.slice().buffer), 0, new Int32Array(padded.buffer), message.length, out)
  return Buffer.from(out.buffer).toString('hex')
}

/** The algorithm as written in its paper, on 64-bit integers. */
function plainSipHash(key: Uint8Array, message: Uint8Array): string {
  const mask = (1n << 64n) - 1n
  const rotate = (word: bigint, bits: bigint) => ((word << bits) | (word >> (64n - bits))) & mask
  const [k0, k1] = [Buffer.from(key).readBigUInt64LE(0), Buffer.from(key).readBigUInt64LE(8)]
  let [v0, v1] = [k0 ^ 0x736f6d6570736575n, k1 ^ 0x646f72616e646f6dn]
  let [v2, v3] = [k0 ^ 0x6c7967656e657261n, k1 ^ 0x7465646279746573n]
  const round = () => {
    v0 = (v0 + v1) & mask
    v1 = rotate(v1, 13n) ^ v0
    v0 = rotate(v0, 32n)
    v2 = (v2 + v3) & mask
    v3 = rotate(v3, 16n) ^ v2
    v0 = (v0 + v3) & mask
    v3 = rotate(v3, 21n) ^ v0
    v2 = (v2 + v1) & mask
    v1 = rotate(v1, 17n) ^ v2
    v2 = rotate(v2, 32n)
  }
  const padded = Buffer.alloc((message.length & ~7) + 8)
  padded.set(message)
  padded[padded.length - 1] = message.length
  for (let at = 0; at < padded.length; at += 8) {
    v3 ^= padded.readBigUInt64LE(at)
    round()
    round()
    v0 ^= padded.readBigUInt64LE(at)
  }
  v2 ^= 0xffn
  for (let rounds = 0; rounds < 4; rounds++) round()
  const hash = Buffer.alloc(8)
  hash.writeBigUInt64LE(v0 ^ v1 ^ v2 ^ v3)
  return hash.toString('hex')
}

describe('SipHash-2-4', () => {
  it('gives the reference values', () => {
    const counting = (length: number) => Uint8Array.from({ length }, (_, index) => index)
    const reference: [number, string][] = [
      [0, '310e0edd47db6f72'],
      [1, 'fd67dc93c539f874'],
      [7, '37d1018bf50002ab'],
      [8, '6224939a79f5f593'],
      [15, 'e545be4961ca29a1'],
      [20, '98eea21af25cd6be'],
      [32, 'ce7cf2722f512771'],
      [63, '724506eb4c328a95'],
    ]
    for (const [length, hash] of reference) assert.equal(sipHash(counting(16), counting(length)), hash, `${length}`)
  })

  it('equals the algorithm on 64-bit integers for every key and message', () => {
    const bytes = (minLength: number, maxLength: number) => fc.uint8Array({ minLength, maxLength })
    fc.assert(
      fc.property(bytes(16, 16), bytes(0, 40), (key, message) => {
        assert.equal(sipHash(key, message), plainSipHash(key, message))
      }),
      { numRuns: 500 },
    )
  })
})
