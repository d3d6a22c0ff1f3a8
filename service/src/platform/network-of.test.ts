import assert from 'node:assert/strict'
import { test } from 'node:test'
import { networkOf, siteOf } from './network-of.ts'

test('addresses of one IPv6 network are counted together, and each IPv4 address separately', () => {
  assert.equal(networkOf('2001:db8:0:1::1'), networkOf('2001:DB8::1:ffff:0:0:9'))
  assert.notEqual(networkOf('2001:db8:0:1::1'), networkOf('2001:db8:0:2::1'))
  assert.notEqual(networkOf('::ffff:192.0.2.1'), networkOf('::ffff:192.0.2.2'))
  for (const address of ['192.0.2.1', '']) assert.equal(networkOf(address), address)
})

test('an IPv4 address is the same in all of its notations, with and without a zone', () => {
  for (const spelling of ['::ffff:192.0.2.1', '::FFFF:192.0.2.1', '::ffff:c000:201', '0:0:0:0:0:ffff:192.0.2.1'])
    assert.equal(networkOf(spelling), '192.0.2.1')
  assert.equal(networkOf('fe80::1%eth0'), networkOf('fe80::2%eth1'))
})

test('text that is not an address is truncated, so that it cannot fill the memory', () => {
  assert.equal(networkOf('x'.repeat(10_000)).length, 45)
})

test('a site is an IPv6 /48 with all its networks, or an IPv4 address', () => {
  for (const address of ['2001:db8:7::1', '2001:db8:7:ffff::', '2001:db8:7:1::/64'])
    assert.equal(siteOf(address), '2001:db8:7::/48')
  assert.equal(siteOf('2001:db8:8::1'), '2001:db8:8::/48')
  for (const address of ['192.0.2.1', '::ffff:192.0.2.1']) assert.equal(siteOf(address), '192.0.2.1')
})
