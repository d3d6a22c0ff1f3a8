import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { halfSipHash13 } from './half-siphash.ts'

// What the Linux kernel's test of its 32-bit hsiphash expects for the bytes 0, 1, 2, … under the key 0 to 7.
const reference = [0x5814c896, 0xe7e864ca, 0xbc4b0e30, 0x01539939, 0x7e059ea6, 0x88e3d89b, 0xa0080b65, 0x9d38d9d6]

describe('HalfSipHash-1-3', () => {
  it('gives the reference values', () => {
    for (const [length, expected] of reference.entries()) {
      const message = new Uint8Array(8)
      for (let index = 0; index < length; index++) message[index] = index
      const hash = halfSipHash13(0x03020100, 0x07060504, new Int32Array(message.buffer), length)
      assert.equal(hash >>> 0, expected, `${length} bytes`)
    }
  })
})
