import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyMessage } from './arbitraries.test.ts'
import { EppFault, readMessage, writeMessage } from './index.ts'
import { bytesOf, readXml } from './reader.test.ts'

/** The number of runs of each test. `npm run nightly` uses more. */
const messages = process.env['NIGHTLY'] ? 3_000 : 500

test('every message is read as it was written', () => {
  fc.assert(
    fc.property(anyMessage, (message) => {
      assert.deepEqual(readMessage(readXml(bytesOf(writeMessage(message)))), message)
    }),
    { numRuns: messages },
  )
})

test('a damaged message is either read or refused with an EppFault', () => {
  const damage = fc.record({ at: fc.nat(20_000), remove: fc.nat(12), insert: fc.string({ maxLength: 6 }) })
  fc.assert(
    fc.property(anyMessage, fc.array(damage, { minLength: 1, maxLength: 3 }), (message, damages) => {
      let text = writeMessage(message)
      for (const { at, remove, insert } of damages) {
        const place = at % text.length
        text = text.slice(0, place) + insert + text.slice(place + remove)
      }
      try {
        readMessage(readXml(bytesOf(text)))
      } catch (error) {
        assert.ok(error instanceof EppFault, String(error))
      }
    }),
    { numRuns: messages },
  )
})
