import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { FrameReader, frame } from './index.ts'

test('documents are read from a stream as they were written, wherever it is split', () => {
  const documents = fc.array(fc.uint8Array({ minLength: 1, maxLength: 300 }), { maxLength: 6 })
  fc.assert(
    fc.property(documents, fc.array(fc.nat(2_000)), (sent, cuts) => {
      const stream = Buffer.concat(sent.map(frame))
      const at = [0, ...cuts.map((cut) => cut % (stream.length + 1)).sort((a, b) => a - b), stream.length]
      const reader = new FrameReader(304)
      const read = at.slice(1).flatMap((end, i) => reader.feed(stream.subarray(at[i], end)))
      assert.deepEqual(
        read.map((each) => Buffer.from(each)),
        sent.map((each) => Buffer.from(each)),
      )
      assert.equal(reader.isAmidFrame, false)
    }),
  )
})

test('a frame over the limit is refused after its first four bytes', () => {
  const header = (length: number): Uint8Array => {
    const bytes = Buffer.alloc(4)
    bytes.writeUInt32BE(length)
    return bytes
  }
  assert.throws(() => new FrameReader(1_000).feed(header(1_001)), { code: 'bad_frame' })
  assert.throws(() => new FrameReader().feed(header(0xffff_ffff)), { code: 'bad_frame' })
  assert.deepEqual(new FrameReader(1_000).feed(header(1_000)), [])
  // A length includes its own four bytes: less is impossible, and four means an empty document.
  for (const length of [0, 1, 4]) assert.throws(() => new FrameReader().feed(header(length)), { code: 'bad_frame' })
})

test('an incomplete frame is reported', () => {
  const reader = new FrameReader()
  reader.feed(frame(Uint8Array.of(1, 2, 3)).subarray(0, 5))
  assert.equal(reader.isAmidFrame, true)
})
