import assert from 'node:assert/strict'
import { test } from 'node:test'
import { passwordFault } from './password.ts'

test('a password has 10 to 128 characters, and the message for a short one says how many are missing', () => {
  for (const length of [10, 11, 127, 128]) assert.equal(passwordFault('x'.repeat(length)), undefined, `${length}`)
  assert.match(passwordFault('') ?? '', /\b10\b/)
  assert.match(passwordFault('x'.repeat(9)) ?? '', /\b1\b/)
  assert.match(passwordFault('x'.repeat(3)) ?? '', /\b7\b/)
  assert.match(passwordFault('x'.repeat(129)) ?? '', /\b128\b/)
})
