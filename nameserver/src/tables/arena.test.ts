import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { Arena } from './arena.ts'
import { byteOf } from './segments.ts'

interface Block {
  readonly ref: number
  readonly bytes: number
}

function arenaOf(segmentBytes: number): Arena {
  return new Arena(() => {}, segmentBytes)
}

/** Fills a block with a unique number. */
function write({ segments }: Arena, { ref, bytes }: Block, mark: number): void {
  segments.bytesOf(ref).fill(mark, byteOf(ref), byteOf(ref) + bytes)
}

function isWhole({ segments }: Arena, { ref, bytes }: Block, mark: number): boolean {
  return segments
    .bytesOf(ref)
    .subarray(byteOf(ref), byteOf(ref) + bytes)
    .every((byte) => byte === mark)
}

const anyBytes = fc.oneof(
  fc.integer({ min: 1, max: 300 }),
  fc.integer({ min: 1, max: 5000 }),
  fc.integer({ min: 4000, max: 40_000 }),
)

describe('the memory of the tables', () => {
  it('allocates blocks that do not overlap, in any order of allocating and freeing', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(anyBytes, fc.nat(30)), { minLength: 1, maxLength: 300 }), (steps) => {
        const arena = arenaOf(2 ** 17)
        const used = arena.usedBytes
        const held = new Map<number, Block>()
        for (const [index, [bytes, leaving]] of steps.entries()) {
          const mark = index % 256
          const block = { ref: arena.allocate(bytes), bytes }
          write(arena, block, mark)
          held.set(index, block)
          const [left, gone] = [...held][leaving] ?? []
          if (left === undefined || gone === undefined) continue
          assert.ok(isWhole(arena, gone, left % 256))
          arena.retire(gone.ref, gone.bytes)
          arena.reclaim()
          held.delete(left)
        }
        for (const [index, block] of held) {
          assert.ok(isWhole(arena, block, index % 256))
          arena.retire(block.ref, block.bytes)
        }
        arena.reclaim()
        assert.equal(arena.usedBytes, used)
      }),
      { numRuns: 200 },
    )
  })

  it('is reused for blocks of any other size', () => {
    const arena = arenaOf(2 ** 23)
    let before: Block[] = []
    for (let bytes = 16; bytes < 6000; bytes += 8) {
      const now = Array.from({ length: 200 }, () => ({ ref: arena.allocate(bytes), bytes }))
      for (const block of before) arena.retire(block.ref, block.bytes)
      arena.reclaim()
      before = now
    }
    assert.equal(arena.segments.words.length, 1)
    // Allocate nearly all of the memory in one piece.
    for (const block of before) arena.retire(block.ref, block.bytes)
    arena.reclaim()
    arena.allocate(5 * 2 ** 20)
    assert.equal(arena.segments.words.length, 1)
  })

  it('rounds a block up by at most an eighth', () => {
    const arena = arenaOf(2 ** 20)
    for (let bytes = 1; bytes < 10_000; bytes += 7) {
      const used = arena.usedBytes
      arena.allocate(bytes)
      const taken = arena.usedBytes - used
      assert.ok(taken >= bytes && taken <= Math.max(bytes + 7, bytes * 1.13), `${taken} for ${bytes}`)
    }
  })

  it('releases no block twice, even if a release fails', () => {
    const arena = arenaOf(2 ** 20)
    const [good, other] = [arena.allocate(64), arena.allocate(64)]
    arena.retire(good, 64)
    // A reference to a segment that does not exist.
    arena.retire(0xf0000008, 64)
    arena.retire(other, 64)
    assert.throws(() => arena.reclaim())
    arena.reclaim()
    const refs = Array.from({ length: 1_000 }, () => arena.allocate(64))
    assert.equal(new Set(refs).size, refs.length)
    assert.ok(refs.includes(good) && refs.includes(other))
  })
})
