import assert from 'node:assert/strict'
import { test } from 'node:test'
import { replacementFaults } from './replace-value.ts'

test('values of a replacement are checked by the rules of the service', () => {
  assert.deepEqual(replacementFaults('A', '192.0.2.1', '192.0.2.2'), {})
  assert.deepEqual(replacementFaults('CNAME', 'old.example.net', 'new.example.net'), {})
  assert.deepEqual(Object.keys(replacementFaults('A', '192.0.2', 'example.net')), ['from', 'to'])
  assert.deepEqual(Object.keys(replacementFaults('MX', '10 mail.example.net', 'mail.example.net')), ['to'])
})

test('a field that is empty has no error yet', () => {
  assert.deepEqual(replacementFaults('A', '', ' '), {})
})

test('the same value in another form is an error', () => {
  assert.deepEqual(replacementFaults('AAAA', '2001:DB8::1', '2001:db8:0::1'), { to: 'This is the same value.' })
  assert.deepEqual(replacementFaults('CNAME', 'a.example.net', 'A.example.net.'), { to: 'This is the same value.' })
})
