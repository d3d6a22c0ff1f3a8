import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Permission, type Route, route, type Who } from '@zonewright/contract'
import type { Caller } from '../caller.ts'
import { authorise } from './authorise.ts'
import type { CalledZone } from './call.ts'

const key = (...permissions: Permission[]): Caller => ({
  kind: 'key',
  accountId: 'a',
  keyId: 'key_1',
  keyName: 'deploy "bot"',
  permissions: new Set(permissions),
  allZones: true,
})
const session: Caller = { kind: 'session', accountId: 'a', sessionId: 's', name: 'Ada' }
const zone = (covered: boolean): CalledZone => ({
  id: 'z',
  name: 'example.com',
  accountId: 'a',
  state: 'live',
  role: 'owner',
  covered,
})

function routeFor(who: Who, path = '/things'): Route {
  return route({ id: 'thing', method: 'GET', path, who, tag: 'Zones', summary: '', answers: { 200: null } })
}

test('a route of the dashboard is closed to every key, and the refusal says where to go', () => {
  assert.throws(() => authorise(routeFor('session'), key('records:read', 'zones:manage'), undefined), {
    code: 'forbidden',
    message: /only in the dashboard/,
  })
  authorise(routeFor('session'), session, undefined)
})

test('a person in the dashboard holds every permission', () => {
  authorise(routeFor(['records:write']), session, undefined)
  authorise(routeFor('any-key'), session, undefined)
})

test('any one of a route’s permissions opens it', () => {
  const wanted = routeFor(['records:write', 'acme:dns01'])
  authorise(wanted, key('acme:dns01'), undefined)
  authorise(wanted, key('records:write'), undefined)
  assert.throws(() => authorise(wanted, key('records:read'), undefined), {
    code: 'forbidden',
    message: /"deploy \\"bot\\"" lacks the permission records:write or acme:dns01/,
  })
})

test('everything that a key lacks is named at once', () => {
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

test('a zone that is not the caller’s to see is not found, after the permission was looked at', () => {
  const wanted = routeFor(['records:write'], '/zones/{zone}')
  assert.throws(() => authorise(wanted, key('records:write'), undefined), { code: 'not_found' })
  assert.throws(() => authorise(wanted, key(), undefined), { code: 'forbidden' })
  assert.throws(() => authorise(wanted, session, undefined), { code: 'not_found' })
})
