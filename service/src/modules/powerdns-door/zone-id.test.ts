import assert from 'node:assert/strict'
import { test } from 'node:test'
import { zoneIdOf, zoneNameOf } from './zone-id.ts'

test('a zone’s id is its name with the final dot; characters except letters, digits, - and . become =XX', () => {
  assert.equal(zoneIdOf('example.com'), 'example.com.')
  assert.equal(zoneIdOf('xn--bcher-kva.example'), 'xn--bcher-kva.example.')
  assert.equal(zoneIdOf('0/25.2.0.192.in-addr.arpa'), '0=2F25.2.0.192.in-addr.arpa.')
  assert.equal(zoneIdOf('_msdcs.example.com'), '=5Fmsdcs.example.com.')
})

test('reads an id with or without the final dot, and with any character as =XX', () => {
  for (const id of ['example.com.', 'example.com', 'example=2Ecom=2E', 'example=2ecom', '=65xample.com.'])
    assert.equal(zoneNameOf(id), 'example.com.', id)
  assert.equal(zoneNameOf('0=2F25.2.0.192.in-addr.arpa.'), '0/25.2.0.192.in-addr.arpa.')
  assert.equal(zoneNameOf('=2E'), '.')
  assert.equal(zoneNameOf(''), '.')
  assert.equal(zoneNameOf('=2'), '=2.')
  assert.equal(zoneNameOf('=zz.example'), '=zz.example.')
})

test('reads back the id of each name', () => {
  for (const name of ['example.com', 'a_b.example', '0/25.2.0.192.in-addr.arpa', 'a=2Eb.example', '*.example'])
    assert.equal(zoneNameOf(zoneIdOf(name)), `${name}.`)
})
