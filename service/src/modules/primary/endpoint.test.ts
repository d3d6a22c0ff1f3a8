import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endpointToText, parseEndpoint } from './endpoint.ts'

test('an endpoint is an address and a port, IPv6 in brackets and in its shortest spelling', () => {
  assert.deepEqual(parseEndpoint('127.0.0.1:5301'), { host: '127.0.0.1', port: 5301 })
  assert.deepEqual(parseEndpoint('[2001:DB8:0::1]:53'), { host: '2001:db8::1', port: 53 })
  assert.equal(endpointToText({ host: '2001:db8::1', port: 53 }), '[2001:db8::1]:53')
  for (const text of [
    'ns1.example:53',
    '127.0.0.1',
    '127.0.0.1:70000',
    '2001:db8::1:53',
    '[127.0.0.1]:53',
    '1.2.3:53',
    '',
  ]) {
    assert.equal(parseEndpoint(text), undefined, text)
  }
})
