import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isInNetworks, plainAddress, readNetworks } from './networks.ts'

test('reads networks and addresses into canonical form', () => {
  for (const [text, canonical] of [
    ['203.0.113.9', '203.0.113.9/32'],
    ['203.0.113.9/32', '203.0.113.9/32'],
    ['203.0.113.0/24', '203.0.113.0/24'],
    ['203.0.113.128/25', '203.0.113.128/25'],
    ['0.0.0.0/0', '0.0.0.0/0'],
    ['2001:DB8::/32', '2001:db8::/32'],
    ['2001:db8:0:0:0:0:0:1', '2001:db8::1/128'],
    ['::/0', '::/0'],
    ['::ffff:203.0.113.9', '203.0.113.9/32'],
    ['::ffff:203.0.113.0/120', '203.0.113.0/24'],
    ['::ffff:0:0/96', '0.0.0.0/0'],
    ['::/90', '::/90'],
  ] as const)
    assert.deepEqual(readNetworks([text]), { networks: [canonical], faults: [] }, text)
  assert.deepEqual(readNetworks(['203.0.113.9', '::ffff:203.0.113.9', '203.0.113.9/32']).networks, ['203.0.113.9/32'])
})

test('refuses anything else with its place, and names the network of an address with a prefix length', () => {
  const bad = [
    '',
    '/',
    'example.com',
    '203.0.113',
    '203.0.113.256',
    '0203.0.113.9',
    '203.0.113.9/33',
    '203.0.113.9/',
    '203.0.113.0/024',
    '203.0.113.0/-1',
    '203.0.113.0/24/24',
    '2001:db8::/129',
    'fe80::1%eth0',
    '[2001:db8::1]',
    ' 203.0.113.9',
  ]
  assert.deepEqual(
    readNetworks(bad).faults.map(({ path, code }) => `${path} ${code}`),
    bad.map((_, i) => `/addresses/${i} bad_address`),
  )
  for (const [text, network] of [
    ['203.0.113.9/24', '203.0.113.0/24'],
    ['2001:db8::1/33', '2001:db8::/33'],
    ['::ffff:203.0.113.9/120', '203.0.113.0/24'],
  ] as const)
    assert.match(readNetworks([text]).faults[0]?.message ?? '', new RegExp(`Write the network as ${network},`), text)
})

test('an address is in the networks that share its first bits', () => {
  const networks = ['203.0.113.128/25', '198.51.100.7/32', '2001:db8:40::/42']
  for (const [address, isIn] of [
    ['203.0.113.128', true],
    ['203.0.113.255', true],
    ['203.0.113.127', false],
    ['203.0.114.128', false],
    ['198.51.100.7', true],
    ['198.51.100.6', false],
    ['::ffff:198.51.100.7', true],
    ['::FFFF:c633:6407', true],
    ['2001:db8:40::1', true],
    ['2001:db8:7f:ffff::1', true],
    ['2001:db8:80::1', false],
    ['2001:db8:3f::1', false],
    ['2001:db8:40::1%eth0', true],
    ['', false],
    ['unix:', false],
  ] as const)
    assert.equal(isInNetworks(networks, address), isIn, address)
  assert.ok(isInNetworks(['0.0.0.0/0'], '::ffff:192.0.2.1'))
  assert.ok(!isInNetworks(['0.0.0.0/0'], '2001:db8::1'))
  assert.ok(!isInNetworks(['::/0'], '192.0.2.1'))
  assert.ok(isInNetworks(['::/0'], '2001:db8::1'))
  assert.ok(!isInNetworks([], '192.0.2.1'))
})

test('shows a mapped address as IPv4', () => {
  assert.equal(plainAddress('::ffff:192.0.2.1'), '192.0.2.1')
  assert.equal(plainAddress('2001:db8::1'), '2001:db8::1')
  assert.equal(plainAddress('192.0.2.1'), '192.0.2.1')
})
