import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { KeyDetails } from '#modules/api-keys/index.ts'
import { afterNotify, canonicalAddress, isInZone, keyFault, type Reach, readWanted } from './rules.ts'

const reach: Reach = {
  mayReach: ({ host }) => host !== '10.0.0.1',
  ownServers: [{ host: '198.18.0.1', port: 53 }],
  nameservers: ['ns1.zonewright.test'],
}
const one = (more: object = {}) => ({ address: '203.0.113.53', key_id: 'key_1', ...more })
const codesOf = (...wire: ReturnType<typeof one>[]) =>
  readWanted(wire, reach).faults.map(({ path, code }) => `${path} ${code}`)

test('a secondary is read in canonical form, with port 53 by default', () => {
  const { wanted, faults } = readWanted(
    [one({ ns_name: 'NS3.Example.COM.' }), one({ address: '2001:DB8:0:0::53', port: 5353 })],
    reach,
  )
  assert.deepEqual(faults, [])
  assert.deepEqual(wanted, [
    { address: '203.0.113.53', port: 53, keyId: 'key_1', nsName: 'ns3.example.com' },
    { address: '2001:db8::53', port: 5353, keyId: 'key_1', nsName: null },
  ])
})

test('an address must be one IP address in its usual form', () => {
  for (const address of ['', 'ns3.example.com', '203.0.113', '203.0.113.053', '0xcb.0.113.53', '203.0.113.53:53'])
    assert.equal(canonicalAddress(address), undefined, address)
  for (const address of ['[2001:db8::1]', '2001:db8::1%eth0', '203.0.113.0/24', ' 203.0.113.53', '1:2:3:4:5:6:7'])
    assert.equal(canonicalAddress(address), undefined, address)
  assert.equal(canonicalAddress('::ffff:10.0.0.1'), '::ffff:a00:1')
})

test('addresses that are not public, are our own, or appear twice are refused', () => {
  assert.deepEqual(codesOf(one({ address: '10.0.0.1' })), ['/secondaries/0/address not_public'])
  assert.deepEqual(codesOf(one({ address: '198.18.0.1' })), ['/secondaries/0/address own_server'])
  assert.deepEqual(codesOf(one({ address: '198.18.0.1', port: 5300 })), [])
  assert.deepEqual(codesOf(one(), one({ port: 5300 })), ['/secondaries/1/address duplicate'])
  assert.deepEqual(codesOf(one({ address: '2001:db8::1' }), one({ address: '2001:DB8:0::1' })), [
    '/secondaries/1/address duplicate',
  ])
})

test('a name must be that of a host on the internet, not one of ours, and appear once', () => {
  for (const name of ['', '.', 'a b.example.com', '*.example.com', '_x.example.com', 'localhost', 'ns.localhost'])
    assert.deepEqual(codesOf(one({ ns_name: name })), ['/secondaries/0/ns_name bad_name'], name)
  for (const name of ['203.0.113.53', `${'a'.repeat(64)}.example.com`, 'ns..example.com'])
    assert.deepEqual(codesOf(one({ ns_name: name })), ['/secondaries/0/ns_name bad_name'], name)
  assert.deepEqual(codesOf(one({ ns_name: 'NS1.zonewright.test.' })), ['/secondaries/0/ns_name reserved'])
  assert.deepEqual(codesOf(one({ ns_name: 'a.example' }), one({ address: '203.0.113.54', ns_name: 'A.example.' })), [
    '/secondaries/1/ns_name duplicate',
  ])
})

test('a refusal lists everything that is wrong', () => {
  assert.deepEqual(codesOf(one({ address: 'x', ns_name: '.' }), one({ address: '10.0.0.1' })), [
    '/secondaries/0/address bad_address',
    '/secondaries/0/ns_name bad_name',
    '/secondaries/1/address not_public',
  ])
})

const zone = { id: 'z1', name: 'example.com', accountId: 'a1' }
const key: KeyDetails = {
  id: 'key_1',
  accountId: 'a1',
  name: 'copy',
  hint: 'x7Qd',
  zones: null,
  permissions: ['records:read'],
  limits: null,
  addresses: null,
  tsigAt: new Date(),
  expiresAt: null,
  createdAt: new Date(),
  lastUsedAt: null,
  readAt: new Date(),
  state: 'live',
}

test('a key must be live, of the account, without limits, with records:read and a TSIG secret, and cover the zone', () => {
  const picked = { kind: 'zone', id: 'z1', name: 'example.com' } as const
  assert.equal(keyFault(key, zone), undefined)
  assert.equal(keyFault({ ...key, zones: [picked] }, zone), undefined)
  const faults: [Partial<KeyDetails>, RegExp][] = [
    [{ accountId: 'a2' }, /has no API key with this id/],
    [{ state: 'revoked' }, /was revoked/],
    [{ state: 'expired' }, /has expired/],
    [{ permissions: ['records:write'] }, /permission records:read/],
    [{ limits: [] }, /limited to some record sets/],
    [{ zones: [] }, /does not cover example\.com/],
    [{ zones: [{ ...picked, id: 'z2' }] }, /does not cover example\.com/],
    [{ zones: [{ ...picked, kind: 'domain' }] }, /does not cover example\.com/],
    [{ tsigAt: null }, /has no TSIG secret/],
  ]
  for (const [more, message] of faults) assert.match(keyFault({ ...key, ...more }, zone) ?? 'none', message)
  // The same sentence as for a key that does not exist: it does not tell whether there is one.
  assert.equal(keyFault(undefined, zone), keyFault({ ...key, accountId: 'a2' }, zone))
})

test('a host is in a zone at its apex and below it', () => {
  assert.deepEqual(
    ['example.com', 'ns.example.com', 'a.b.example.com', 'ns.example.net', 'anexample.com', 'com'].map((host) =>
      isInZone(host, 'example.com'),
    ),
    [true, true, true, false, false, false],
  )
})

test('a NOTIFY without an answer is repeated five times with increasing delays; any answer ends those of a serial', () => {
  const pauses: number[] = []
  let attempts = 0
  for (;;) {
    const next = afterNotify('silent', attempts)
    if (next.isDone) break
    pauses.push(next.pauseS)
    attempts = next.attempts
  }
  assert.deepEqual(pauses, [1, 2, 4, 8, 16])
  for (const outcome of ['acknowledged', 'refused'] as const)
    assert.deepEqual(afterNotify(outcome, 3), { isDone: true, attempts: 0, pauseS: 1 })
})
