import assert from 'node:assert/strict'
import { test } from 'node:test'
import { restBody, wholeRest } from './key-rest.ts'

const zone = { id: 'z1', name: 'one.example', kind: 'zone' as const }
const other = { id: 'z2', name: 'two.example', kind: 'zone' as const }
const domain = { id: '7', name: 'one.example', kind: 'domain' as const }
const key = { zones: [zone, other, domain], permissions: ['records:read', 'domains:read'] as const, limits: null }
const some = { ...key, permissions: [...key.permissions] }
const whole = wholeRest(some)

test('a form that removes nothing, or leaves nothing, sends nothing', () => {
  assert.equal(restBody(some, whole), undefined)
  assert.equal(restBody(some, { ...whole, permissions: [] }), undefined)
  assert.equal(restBody(some, { ...whole, scope: [] }), undefined)
  const all = { zones: 'all' as const, permissions: ['zones:manage' as const], limits: null }
  assert.equal(restBody(all, wholeRest(all)), undefined)
  // It would lose its only permission, which is for all zones.
  assert.equal(restBody(all, { ...wholeRest(all), scope: whole.scope }), undefined)
})

test('only changed members are sent', () => {
  assert.deepEqual(restBody(some, { ...whole, permissions: ['records:read'] }), { permissions: ['records:read'] })
  const [first] = whole.scope
  assert.deepEqual(restBody(some, { ...whole, scope: first ? [first as never] : [] }), {
    zones: [{ kind: 'zone', id: 'z1' }],
  })
})

test('a key with limits covers only zones, and keeps only the permissions that it can have', () => {
  const limits = { z1: { names: 'home', types: 'A, AAAA' }, z2: { names: '*', types: 'TXT' } }
  assert.deepEqual(restBody(some, { ...whole, limits }), {
    zones: [
      { kind: 'zone', id: 'z1' },
      { kind: 'zone', id: 'z2' },
    ],
    permissions: ['records:read'],
    limits: [
      { zone: 'z1', names: ['home'], types: ['A', 'AAAA'] },
      { zone: 'z2', names: ['*'], types: ['TXT'] },
    ],
  })
  assert.equal(restBody(some, { ...whole, limits: { z1: { names: 'home', types: 'A' } } }), undefined)
})

test('the form of a key with limits shows them, and sends them when a limit or its zone is removed', () => {
  const limited = {
    zones: [zone, other],
    permissions: ['records:write' as const],
    limits: [
      { zone: 'one.example', names: ['home', '*.lan'], types: ['A'] },
      { zone: 'two.example', names: ['@'], types: ['TXT'] },
    ],
  }
  const rest = wholeRest(limited)
  assert.deepEqual(rest.limits, {
    z1: { names: 'home, *.lan', types: 'A' },
    z2: { names: '@', types: 'TXT' },
  })
  assert.equal(restBody(limited, rest), undefined)
  const fewer = { ...rest, limits: { ...rest.limits, z1: { names: 'home', types: 'A' } } }
  assert.deepEqual(restBody(limited, fewer)?.limits?.[0], { zone: 'z1', names: ['home'], types: ['A'] })
  const [first] = rest.scope
  assert.deepEqual(restBody(limited, { ...rest, scope: [first as never] }), {
    zones: [{ kind: 'zone', id: 'z1' }],
    limits: [{ zone: 'z1', names: ['home', '*.lan'], types: ['A'] }],
  })
})
