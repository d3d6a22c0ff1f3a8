import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ListedZone, labelsOf, presetsOf, shownZones, type ZoneSearch } from './zone-list.ts'

const now = Date.parse('2026-12-01T00:00:00Z')
const zone = (name: string, more: Partial<ListedZone> = {}): ListedZone => ({
  name,
  unicode_name: name,
  state: 'live',
  role: 'owner',
  delegation: { state: 'live' },
  dnssec: { parent_ds: null },
  expires_at: null,
  presets: [],
  rrset_count: 0,
  created_at: '2026-01-01T00:00:00Z',
  ...more,
})
const zones = [
  zone('a.example', { labels: ['shop', 'eu'], expires_at: '2026-12-24T00:00:00Z', rrset_count: 9 }),
  zone('b.example', { state: 'pending', delegation: { state: 'waiting' }, dnssec: { parent_ds: true } }),
  zone('c.example', {
    role: 'manager',
    labels: ['eu'],
    expires_at: '2026-11-01T00:00:00Z',
    dnssec: { parent_ds: false },
  }),
  zone('xn--bcher-kva.example', { unicode_name: 'Bücher.example', presets: ['p2', 'p1'], rrset_count: 12 }),
  zone('z.example', { comment: 'Ask Ada.', presets: ['p1'], expires_at: '2027-06-01T00:00:00Z' }),
]
const namesOf = (search: ZoneSearch) => shownZones(zones, search, now).map(({ unicode_name: name }) => name.slice(0, 1))

test('filters, alone or combined, keep only the zones that match', () => {
  for (const [search, found] of [
    [{}, 'abcBz'],
    [{ q: ' BÜCHER ' }, 'B'],
    [{ q: 'ada' }, 'z'],
    [{ q: 'sho' }, 'a'],
    [{ q: '%' }, ''],
    [{ state: 'pending' }, 'b'],
    [{ role: 'manager' }, 'c'],
    [{ delegation: 'waiting' }, 'b'],
    [{ dnssec: 'ds' }, 'b'],
    [{ dnssec: 'no_ds' }, 'c'],
    [{ dnssec: 'unknown' }, 'aBz'],
    [{ expiry: 'month' }, 'a'],
    [{ expiry: 'expired' }, 'c'],
    [{ expiry: 'unknown' }, 'bB'],
    [{ label: 'eu' }, 'ac'],
    [{ preset: 'p1' }, 'Bz'],
    [{ label: 'eu', role: 'owner' }, 'a'],
    [{ label: 'eu', preset: 'p1' }, ''],
  ] as const)
    assert.equal(namesOf(search).join(''), found, JSON.stringify(search))
})

test('zones are sorted as in the API: unknown values come last in both directions', () => {
  for (const [sort, found] of [
    ['name', 'abcBz'],
    ['-name', 'zBcba'],
    ['expires_at', 'cazbB'],
    ['-expires_at', 'zacbB'],
    ['-rrset_count', 'Babcz'],
    ['state', 'acBzb'],
    ['nonsense', 'abcBz'],
  ] as const)
    assert.equal(namesOf({ sort }).join(''), found, sort)
})

test('the choices of a filter are the labels and presets that zones have', () => {
  assert.deepEqual(labelsOf(zones), [
    { label: 'eu', zones: 2 },
    { label: 'shop', zones: 1 },
  ])
  assert.deepEqual(presetsOf(zones), ['p1', 'p2'])
})
