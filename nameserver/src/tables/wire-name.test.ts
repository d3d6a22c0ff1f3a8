import assert from 'node:assert/strict'
import { randomFillSync } from 'node:crypto'
import { describe, it } from 'node:test'
import { hashKeyWords, hashName } from './wire-name.ts'

const anyKeys = () => randomFillSync(new Int32Array(hashKeyWords))

function hashOf(name: Uint8Array, keys: Int32Array): number {
  return hashName(new DataView(Uint8Array.of(...name, 1, 2, 3).buffer), 0, name.length, keys)
}

/**
 * Names of one label that differ in the top bit of a word's last byte, and in the next word by the result of an odd multiplication and a shift by 15.
 * `bits` says where.
 */
function oddName(bits: number): Uint8Array {
  const name = new Uint8Array(62).fill(0x78)
  name[0] = 60
  name[61] = 0
  let before = 0
  for (let word = 0; word < 15; word++) {
    const bit = word < 14 ? (bits >> word) & 1 : 0
    const at = 4 * word
    name[at + 2] = 0x30 | before
    name[at + 3] = 0x78 | ((bit ^ before) << 7)
    before = bit
  }
  return name
}

describe('the hash of a name', () => {
  it('is the same in any case, and with any bytes after the name', () => {
    const keys = anyKeys()
    for (const text of ['a', 'Ab', 'wWw', 'host', 'Mail0']) {
      const name = Uint8Array.of(text.length, ...Buffer.from(text), 0)
      const lower = Uint8Array.of(text.length, ...Buffer.from(text.toLowerCase()), 0)
      assert.equal(hashOf(name, keys), hashOf(lower, keys), text)
      const other = new DataView(Uint8Array.of(...name, 9, 8, 7).buffer)
      assert.equal(hashName(other, 0, name.length, keys), hashOf(name, keys), text)
    }
  })

  it('spreads names that were chosen to collide as well as any others', () => {
    const names = Array.from({ length: 1 << 14 }, (_, bits) => oddName(bits))
    for (let round = 0; round < 5; round++) {
      const keys = anyKeys()
      const hashes = names.map((name) => hashOf(name, keys))
      assert.ok(new Set(hashes).size > names.length - 10, `${new Set(hashes).size} hashes`)
      // A slot is chosen by the lowest bits.
      const slots = new Map<number, number>()
      for (const hash of hashes) slots.set(hash & 0x3fff, (slots.get(hash & 0x3fff) ?? 0) + 1)
      assert.ok(Math.max(...slots.values()) < 20, `${Math.max(...slots.values())} in one slot`)
    }
  })
})
