import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scopeChoices, scopeWords, zoneValue } from './scope-choices.ts'

const zone = (id: string, name: string, more: object = {}) => ({
  ...({ id, name, state: 'live', role: 'owner' } as const),
  ...more,
})
const domain = (id: string, name: string, role: 'owner' | 'manager' = 'owner') => ({ id, name, role })

test('zones and domains are offered by name, each with its kind and whether it is shared', () => {
  const zones = [
    zone('z3', 'shop.test'),
    zone('z1', 'b.example', { role: 'manager' }),
    zone('z2', 'b.example', { state: 'pending' }),
  ]
  const domains = [domain('dom_2', 'shop.test', 'manager'), domain('dom_1', 'a.test')]
  assert.deepEqual(
    scopeChoices(zones, domains).map(({ label }) => label),
    [
      'a.test (domain)',
      'b.example (zone, shared with me)',
      'b.example (zone to verify)',
      'shop.test (zone)',
      'shop.test (domain, shared with me)',
    ],
  )
})

test('each choice selects one zone or domain by id, and no two are confused', () => {
  const choices = scopeChoices([zone('1', 'a.test')], [domain('1', 'a.test')])
  assert.deepEqual(
    choices.map(({ pick }) => pick),
    [
      { kind: 'zone', id: '1' },
      { kind: 'domain', id: '1' },
    ],
  )
  assert.equal(new Set(choices.map(({ value }) => value)).size, 2)
  assert.equal(choices[0]?.value, zoneValue('1'))
  assert.deepEqual(scopeChoices([], []), [])
})

test('the scope of a key is shown by name and kind', () => {
  const entry = (name: string, kind: 'zone' | 'domain') => ({ id: `${name} ${kind}`, name, kind })
  for (const [zones, words] of [
    ['all', 'All zones and domains of this account'],
    [[], 'No zone or domain left'],
    [[entry('a.test', 'zone')], 'Only a.test (zone)'],
    [[entry('a.test', 'domain')], 'Only a.test (domain)'],
    [[entry('a.test', 'zone'), entry('a.test', 'domain')], 'Only a.test (zone and domain)'],
    [[entry('a.test', 'zone'), { ...entry('a.test', 'zone'), id: 'other' }], 'Only a.test (zone)'],
    [[entry('a.test', 'domain'), entry('b.test', 'zone')], 'Only a.test (domain), b.test (zone)'],
  ] as const)
    assert.equal(scopeWords(zones), words)
})
