import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientNetwork } from './limits.ts'

test('unsigned messages count per /24 or /56, and IPv4-mapped addresses count for their IPv4 network', () => {
  const networks: [one: string, other: string, isSame: boolean][] = [
    ['192.0.2.1', '192.0.2.254', true],
    ['192.0.2.1', '192.0.3.1', false],
    ['::ffff:192.0.2.1', '192.0.2.200', true],
    ['::ffff:192.0.2.1', '::ffff:192.0.3.1', false],
    ['2001:db8:1:100::1', '2001:db8:1:1ff:ffff::2', true],
    ['2001:db8:1:100::1', '2001:db8:1:200::1', false],
    ['fe80::1%eth0', 'fe80::2%eth1', true],
  ]
  for (const [one, other, isSame] of networks)
    assert.equal(clientNetwork(one) === clientNetwork(other), isSame, `${one} ${other}`)
})
