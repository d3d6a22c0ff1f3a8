import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Permission, type Route, route, type Who } from '@zonewright/contract'
import type { Caller } from '#platform/caller.ts'
import { authorise } from './authorise.ts'
import type { CalledZone } from './call.ts'

const key = (...permissions: Permission[]): Caller<'key'> => ({
  kind: 'key',
  accountId: 'a',
  keyId: 'key_1',
  keyName: 'deploy "bot"',
  permissions: new Set(permissions),
  allZones: true,
  isLimited: false,
})
const session: Caller = { kind: 'session', accountId: 'a', sessionId: 's', name: 'Ada' }
const zone = (covered: boolean): CalledZone => ({
  id: 'z',
  name: 'example.com',
  state: 'live',
  role: 'owner',
  covered,
})

function routeFor(who: Who, path = '/things'): Route {
  return route({ id: 'thing', method: 'GET', path, who, summary: '', answers: { 200: null } })
}

test('a dashboard route refuses every key and says to use the dashboard', () => {
  assert.throws(() => authorise(routeFor('session'), key('records:read', 'zones:manage'), undefined), {
    code: 'forbidden',
    message: /^API keys cannot do this\. Use the dashboard\.$/,
  })
  authorise(routeFor('session'), session, undefined)
})

test('a person in the dashboard has every permission', () => {
  authorise(routeFor(['records:write']), session, undefined)
  authorise(routeFor('any-key'), session, undefined)
})

test('a key needs only one of a route’s permissions', () => {
  const wanted = routeFor(['records:write', 'acme:dns01'])
  authorise(wanted, key('acme:dns01'), undefined)
  authorise(wanted, key('records:write'), undefined)
  assert.throws(() => authorise(wanted, key('records:read'), undefined), {
    code: 'forbidden',
    message: /"deploy \\"bot\\"" lacks the permission records:write or acme:dns01/,
  })
})

test('one refusal names everything that the key lacks', () => {
  const wanted = routeFor(['records:write'], '/zones/{zone}')
  assert.throws(() => authorise(wanted, key(), zone(false)), {
    code: 'forbidden',
    message: /the permission records:write and the zone example\.com/,
  })
  assert.throws(() => authorise(wanted, key('records:write'), zone(false)), {
    code: 'forbidden',
    message: /lacks the zone example\.com/,
  })
  authorise(wanted, key('records:write'), zone(true))
})

test('a refusal names a remedy that exists', () => {
  const named =
    'Create a key that includes example.com. A key for all zones does not cover zones that are shared with this account.'
  const either = 'Create a key for all zones, or one that includes example.com.'
  const dashboard = 'API keys cannot do this in example.com, which is shared with this account. Use the dashboard.'
  const managing = 'Create a key for all zones that has the permission zones:manage.'
  const shared = (covered: boolean): CalledZone => ({ ...zone(covered), role: 'manager' })
  const some = (...permissions: Permission[]): Caller<'key'> => ({ ...key(...permissions), allZones: false })
  for (const [who, caller, of, remedy] of [
    [['records:read'], key(), undefined, 'Create a key that has this permission.'],
    [['records:read', 'records:write'], some(), zone(true), 'Create a key that has this permission.'],
    [['records:read'], some('records:read'), zone(false), either],
    [['records:read'], some(), zone(false), either],
    [['records:read'], key('records:read'), shared(false), named],
    [['records:read'], some('records:read'), shared(false), named],
    [['domains:read', 'domains:buy'], some(), undefined, 'Create a key that has this permission.'],
    [
      ['domains:buy'],
      some('domains:read'),
      undefined,
      'Create a key for all zones that has the permission domains:buy.',
    ],
    [['webhooks:manage'], key(), undefined, 'Create a key for all zones that has the permission webhooks:manage.'],
    [['zones:manage'], key(), zone(true), managing],
    [['zones:manage'], some(), zone(true), managing],
    [['zones:manage'], some(), zone(false), managing],
    [['zones:manage'], key('zones:manage'), shared(false), dashboard],
    [['zones:manage'], some(), shared(true), dashboard],
    [['zones:manage'], some(), shared(false), dashboard],
  ] as const)
    assert.throws(
      () => authorise(routeFor(who, of ? '/zones/{zone}' : '/things'), caller, of),
      (error: Error) => {
        assert.ok(error.message.endsWith(`. ${remedy}`), `${who} ${error.message}`)
        return true
      },
    )
})

test('a zone that the caller cannot see is not_found, but only after the permission check', () => {
  const wanted = routeFor(['records:write'], '/zones/{zone}')
  assert.throws(() => authorise(wanted, key('records:write'), undefined), { code: 'not_found' })
  assert.throws(() => authorise(wanted, key(), undefined), { code: 'forbidden' })
  assert.throws(() => authorise(wanted, session, undefined), { code: 'not_found' })
})

test('a key with limits cannot call a route unless the route says that it does not cover a whole zone', () => {
  const limited = { ...key('records:read', 'records:write'), allZones: false, isLimited: true }
  const wanted = routeFor(['records:read'], '/zones/{zone}')
  authorise({ ...wanted, wholeZone: false }, limited, zone(true))
  for (const route of [wanted, { ...wanted, wholeZone: true }]) {
    assert.throws(() => authorise(route, limited, zone(true)), {
      code: 'forbidden',
      message:
        /^The key .* is limited to some record sets, and this call covers all of a zone\. Create a key without limits\.$/,
    })
    authorise(route, { ...limited, isLimited: false }, zone(true))
    authorise(route, session, zone(true))
  }
  assert.throws(() => authorise({ ...wanted, wholeZone: false }, limited, zone(false)), { message: /lacks the zone/ })
})
