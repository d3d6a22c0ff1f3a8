import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allZonesPermissions, permissions } from '@zonewright/contract'
import { may, whyNotOnKey } from './may.ts'

test('the owner’s actions are offered only to the owner', () => {
  for (const action of ['inviteManagers', 'deleteZone', 'ruleDomain'] as const)
    assert.deepEqual(
      [{ role: 'owner' } as const, { role: 'manager' } as const, undefined].map(may[action]),
      [true, false, false],
      action,
    )
})

test('actions that require two-factor authentication are offered only to people who have it', () => {
  for (const action of ['giveCodes', 'makeKeys'] as const)
    assert.deepEqual(
      [{ two_factor: true }, { two_factor: false }, undefined].map(may[action]),
      [true, false, false],
      action,
    )
})

test('some permissions are only for keys that cover all zones', () => {
  assert.ok(allZonesPermissions.size > 0 && allZonesPermissions.size < permissions.length)
  for (const permission of permissions) {
    const isForAll = allZonesPermissions.has(permission)
    assert.equal(whyNotOnKey(permission, 'all'), undefined, permission)
    assert.equal(whyNotOnKey(permission, []) !== undefined, isForAll, permission)
    assert.equal(whyNotOnKey(permission, [{}]) !== undefined, isForAll, permission)
    const isAboutRecords = ['records:read', 'records:write', 'acme:dns01'].includes(permission)
    assert.equal(whyNotOnKey(permission, [{}], true) === undefined, isAboutRecords, permission)
  }
})
