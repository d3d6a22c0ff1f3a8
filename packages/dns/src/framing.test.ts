import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { FrameReader, frame } from './framing.ts'

test('reads the same messages from a TCP stream, wherever it is split', () => {
  const messages = fc.array(fc.uint8Array({ maxLength: 600 }), { maxLength: 12 })
  fc.assert(
    fc.property(messages, fc.infiniteStream(fc.integer({ min: 1, max: 400 })), (sent, cuts) => {
      const stream = Buffer.concat(sent.map(frame))
      const reader = new FrameReader()
      const got: Uint8Array[] = []
      for (let at = 0; at < stream.length; ) {
        const length = Number(cuts.next().value)
        got.push(...reader.feed(stream.subarray(at, at + length)).map((message) => message.slice()))
        at += length
      }
      assert.deepEqual(
        got.map((message) => Buffer.from(message)),
        sent.map((message) => Buffer.from(message)),
      )
    }),
  )
})
