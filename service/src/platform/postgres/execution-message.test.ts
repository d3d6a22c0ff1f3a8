import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { serialize } from 'pg-protocol'
import { executionMessage } from './execution-message.ts'

const value = fc.oneof(
  fc.constant(null),
  fc.string({ unit: 'binary', maxLength: 400 }),
  fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.from(bytes)),
)
const statement = fc.record({ name: fc.stringMatching(/^[0-9a-f]{0,32}$/), values: fc.array(value, { maxLength: 20 }) })

test('builds the message that the driver would send', () => {
  fc.assert(
    fc.property(fc.array(statement, { maxLength: 6 }), (statements) => {
      const ofDriver = statements.flatMap(({ name, values }) => [
        serialize.bind({ statement: name, values: [...values] }),
        serialize.execute(),
      ])
      assert.deepEqual(executionMessage(statements), Buffer.concat([...ofDriver, serialize.sync()]))
    }),
  )
})

test('refuses more values than a message can count', () => {
  const statements = (count: number) => [{ name: 'many', values: Array.from({ length: count }, () => null) }]
  assert.equal(executionMessage(statements(65_535)).readUInt16BE(5 + 1 + 'many\0'.length), 65_535)
  assert.throws(() => executionMessage(statements(65_536)), RangeError)
})
