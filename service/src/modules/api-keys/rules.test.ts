import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Permission, permissions } from '@zonewright/contract'
import { faultsOfNewKey, secretFromHeader } from './rules.ts'

function faults(key: { name?: string; allZones?: boolean; permissions?: readonly Permission[] }): string[] {
  const found = faultsOfNewKey({ name: 'deploy', allZones: true, permissions: ['records:read'], ...key })
  return found.map(({ path, code }) => `${path} ${code}`)
}

test('a key has a name of 1 to 100 characters and at least one permission', () => {
  assert.deepEqual(faults({}), [])
  assert.deepEqual(faults({ name: 'x'.repeat(100) }), [])
  for (const name of ['', '   ', 'x'.repeat(101)]) assert.deepEqual(faults({ name }), ['/name invalid'])
  assert.deepEqual(faults({ permissions: [] }), ['/permissions missing'])
})

test('zones:manage, domains:buy and webhooks:manage exist only on keys for all zones', () => {
  assert.deepEqual(faults({ permissions }), [])
  const refused = permissions.filter((permission) => faults({ allZones: false, permissions: [permission] }).length > 0)
  assert.deepEqual(refused, ['zones:manage', 'domains:buy', 'webhooks:manage'])
  assert.equal(faults({ allZones: false, permissions }).length, 3, 'every one of them is named')
})

test('a request without an Authorization header is signed out; a header is "Bearer" and one token, or refused', () => {
  assert.equal(secretFromHeader(undefined), undefined)
  for (const header of ['Bearer x', 'bearer x', 'BEARER x', 'bEaReR   x'])
    assert.equal(secretFromHeader(header), 'x', header)
  for (const header of [
    '',
    'Bearer',
    'Bearer ',
    'Bearerx',
    'x',
    'Basic eDp5',
    'Bearer x y',
    'Bearer x ',
    ' Bearer x',
    'Bearer x,y',
    'Bearer x, Bearer y',
    'Bearer\tx',
  ])
    assert.throws(() => secretFromHeader(header), { code: 'invalid_key' }, JSON.stringify(header))
})
