import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readNameservers } from './nameserver-lines.ts'

test('nameservers are read one per line, each followed by its addresses', () => {
  assert.deepEqual(readNameservers('NS1.shop.test.  192.0.2.1 2001:db8::1\n\n  ns2.example.net\t\nns2.example.net'), {
    nameservers: ['ns1.shop.test', 'ns2.example.net'],
    hosts: [{ name: 'ns1.shop.test', addresses: ['192.0.2.1', '2001:db8::1'] }],
  })
})

test('several nameservers in one line, separated by commas, are read as several', () => {
  assert.deepEqual(readNameservers('a.net, b.net; c.net'), { nameservers: ['a.net', 'b.net', 'c.net'], hosts: [] })
  assert.deepEqual(readNameservers(' \n'), { nameservers: [], hosts: [] })
  assert.deepEqual(readNameservers('a.net b.net').nameservers, ['a.net', 'b.net'])
  assert.deepEqual(readNameservers('192.0.2.1'), { nameservers: [], hosts: [] })
})

test('a text that is no nameserver stays one entry, so that the error can quote it', () => {
  assert.deepEqual(readNameservers('not a nameserver, ns1.example.net').nameservers, [
    'not a nameserver',
    'ns1.example.net',
  ])
  assert.deepEqual(readNameservers('junk 2001:db8::1'), { nameservers: ['junk 2001:db8::1'], hosts: [] })
})
