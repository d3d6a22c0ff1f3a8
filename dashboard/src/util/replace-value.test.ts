import assert from 'node:assert/strict'
import { test } from 'node:test'
import { replacementFaults } from './replace-value.ts'

test('the values of a replacement are checked with the rules of the service', () => {
  assert.deepEqual(replacementFaults('A', '192.0.2.1', '192.0.2.2'), {})
  assert.deepEqual(replacementFaults('CNAME', 'old.example.net', 'new.example.net'), {})
  assert.deepEqual(Object.keys(replacementFaults('A', '192.0.2', 'example.net')), ['from', 'to'])
  assert.deepEqual(Object.keys(replacementFaults('MX', '10 mail.example.net', 'mail.example.net')), ['to'])
})

test('an empty field has no error yet', () => {
  assert.deepEqual(replacementFaults('A', '', ' '), {})
})

test('replacing a value with itself in another notation is an error', () => {
  assert.deepEqual(replacementFaults('AAAA', '2001:DB8::1', '2001:db8:0::1'), { to: 'This is the same value.' })
  assert.deepEqual(replacementFaults('CNAME', 'a.example.net', 'A.example.net.'), { to: 'This is the same value.' })
})
