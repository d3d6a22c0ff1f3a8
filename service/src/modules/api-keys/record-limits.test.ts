import assert from 'node:assert/strict'
import { test } from 'node:test'
import { maxLimitEntries } from '@zonewright/contract'
import { RecordLimits, readLimits } from './record-limits.ts'

const zone = { id: 'a', name: 'example.com' }
const other = { id: 'b', name: 'example.org' }

/** The limits of a key for example.com, as stored. */
function stored(...limits: { names: string[]; types: string[] }[]) {
  const read = readLimits(
    [zone],
    limits.map((limit) => ({ zone: 'example.com', ...limit })),
  )
  assert.deepEqual(read.faults, [])
  return read.limits.get('a') ?? []
}

const limitsOf = (...limits: { names: string[]; types: string[] }[]) => new RecordLimits(zone.name, stored(...limits))

test('a name covers itself, and a name with * covers every name below it, at any depth', () => {
  const limits = limitsOf({ names: ['home', '*.lan'], types: ['A', 'AAAA'] }, { names: ['@', 'a\\.b'], types: ['TXT'] })
  for (const [name, type, covered] of [
    ['home.example.com', 'A', true],
    ['home.example.com', 'AAAA', true],
    ['home.example.com', 'TXT', false],
    ['x.home.example.com', 'A', false],
    ['ahome.example.com', 'A', false],
    ['example.com', 'TXT', true],
    ['example.com', 'A', false],
    ['lan.example.com', 'A', false],
    ['*.lan.example.com', 'A', true],
    ['x.lan.example.com', 'A', true],
    ['y.x.lan.example.com', 'AAAA', true],
    ['*.y.x.lan.example.com', 'A', true],
    ['xlan.example.com', 'A', false],
    ['x\\.lan.example.com', 'A', false],
    ['x\\\\.lan.example.com', 'A', true],
    ['a\\.b.example.com', 'TXT', true],
    ['b.example.com', 'TXT', false],
    ['a.b.example.com', 'TXT', false],
  ] as const)
    assert.equal(limits.covers({ name, type }), covered, `${name} ${type}`)
  assert.equal(limits.text, 'home, *.lan (A, AAAA); @, a\\.b (TXT)')
})

test('* alone covers every name below the zone, but not the zone itself', () => {
  const limits = limitsOf({ names: ['*'], types: ['A'] })
  assert.ok(limits.covers({ name: 'x.example.com', type: 'A' }))
  assert.ok(limits.covers({ name: '*.example.com', type: 'A' }))
  assert.ok(!limits.covers({ name: 'example.com', type: 'A' }))
})

test('an empty set of limits covers nothing', () => {
  const limits = new RecordLimits(zone.name, [])
  assert.ok(!limits.covers({ name: 'example.com', type: 'A' }))
  assert.equal(limits.text, '')
})

test('stores names and types in canonical form, relative to the zone, without repetitions', () => {
  for (const [name, canonical] of [
    ['HOME', 'home'],
    ['home.example.com', 'home'],
    ['Home.Example.com.', 'home'],
    ['home.@', 'home'],
    ['example.com.', '@'],
    ['example.com', '@'],
    ['*.example.com', '*'],
    ['*.LAN.', undefined],
    ['bücher', 'xn--bcher-kva'],
    ['*.例え', '*.xn--r8jz45g'],
    ['a\\046b', 'a\\.b'],
    ['\\104ome', 'home'],
    // An escaped asterisk is the same label.
    ['\\042.lan', '*.lan'],
    ['_acme-challenge.www', '_acme-challenge.www'],
  ] as const) {
    const { limits, faults } = readLimits([zone], [{ zone: 'example.com', names: [name], types: ['A'] }])
    if (canonical === undefined) assert.deepEqual(faults[0]?.code, 'out_of_zone', name)
    else assert.deepEqual(limits.get('a'), [{ names: [canonical], types: ['A'] }], name)
  }
  assert.deepEqual(stored({ names: ['home', 'HOME.'.slice(0, -1), 'home.example.com'], types: ['a', 'A', 'TYPE1'] }), [
    { names: ['home'], types: ['A'] },
  ])
  assert.deepEqual(stored({ names: ['@'], types: ['TYPE65', 'https', 'type65400', 'ns', 'DS', 'dname'] }), [
    { names: ['@'], types: ['HTTPS', 'TYPE65400', 'NS', 'DS', 'DNAME'] },
  ])
})

test('refuses every name and type that cannot be in the zone, with its place', () => {
  const { faults } = readLimits(
    [zone],
    [
      {
        zone: 'EXAMPLE.com.',
        names: ['www.example.org.', 'a..b', '', 'a.*.b', '**', '*.a', 'x*', '*.*.a', ' '],
        types: ['ANY', '*', 'AXFR', 'OPT', 'BOGUS', 'TYPE0', 'TYPE70000', 'A'],
      },
    ],
  )
  assert.deepEqual(
    faults.map(({ path, code }) => `${path} ${code}`),
    [
      '/limits/0/names/0 out_of_zone',
      '/limits/0/names/1 bad_name',
      '/limits/0/names/2 bad_name',
      '/limits/0/names/3 bad_name',
      '/limits/0/names/4 bad_name',
      '/limits/0/names/6 bad_name',
      '/limits/0/names/7 bad_name',
      '/limits/0/names/8 bad_name',
      ...[0, 1, 2, 3, 4, 5, 6].map((i) => `/limits/0/types/${i} bad_type`),
    ],
  )
})

test('limits must name each zone of the key and no other', () => {
  const limit = { names: ['@'], types: ['A'] }
  const faultsOf = (zones: Parameters<typeof readLimits>[0], ...named: string[]) =>
    readLimits(
      zones,
      named.map((zone) => ({ zone, ...limit })),
    ).faults.map(({ path, code }) => `${path} ${code}`)
  assert.deepEqual(faultsOf([zone, other], 'example.com', 'b'), [])
  assert.deepEqual(faultsOf([zone, other], 'example.com', 'example.com'), ['/limits missing'])
  assert.deepEqual(faultsOf([zone], 'example.com', 'example.net', 'a.example.com'), [
    '/limits/1/zone not_found',
    '/limits/2/zone not_found',
  ])
  assert.deepEqual(faultsOf([zone], ''), ['/limits/0/zone not_found', '/limits missing'])
  // A pending zone and a shared one of the same name.
  const twin = { id: 'c', name: 'example.com' }
  assert.deepEqual([...readLimits([zone, twin], [{ zone: 'example.com', ...limit }]).limits.keys()], ['a', 'c'])
})

test('the names of all limits of a key count together, and so do their types', () => {
  const names = (n: number, prefix: string) => Array.from({ length: n }, (_, i) => `${prefix}${i}`)
  const read = (...limits: { zone: string; names: string[]; types: string[] }[]) =>
    readLimits([zone, other], limits).faults.map(({ path, code }) => `${path} ${code}`)
  const [half, rest] = [names(60, 'a'), names(maxLimitEntries - 60, 'b')]
  const at = (zone: string, names: string[], types = ['A']) => ({ zone, names, types })
  assert.deepEqual(read(at('example.com', half), at('example.org', rest)), [])
  assert.deepEqual(read(at('example.com', half), at('example.org', [...rest, 'more'])), ['/limits too_many'])
  const types = names(51, 'TYPE65')
  assert.deepEqual(read(at('example.com', ['@'], types), at('example.org', ['@'], types)), ['/limits too_many'])
  assert.deepEqual(read(at('example.com', [...half, ...half]), at('example.org', rest)), [], 'repetitions do not count')
})

test('limits cover another limit if they cover all that it covers', () => {
  const limits = limitsOf({ names: ['home', '*.lan', '@'], types: ['A', 'AAAA'] }, { names: ['*.lan'], types: ['TXT'] })
  for (const [names, types, covered] of [
    [['home'], ['A'], true],
    [['home', '@', '*.lan'], ['A', 'AAAA'], true],
    [['home'], ['TXT'], false],
    [['home'], ['A', 'TXT'], false],
    [['*.home'], ['A'], false],
    [['x.lan', '*.x.lan', '*.*.lan'.slice(2)], ['A', 'TXT', 'AAAA'], true],
    [['lan'], ['A'], false],
    [['*'], ['A'], false],
    [['*.an'], ['A'], false],
    [['*.x\\.lan'], ['A'], false],
    [['@'], ['A', 'MX'], false],
  ] as const)
    assert.equal(limits.coversAll({ names, types }), covered, `${names} ${types}`)
  assert.ok(limitsOf({ names: ['*'], types: ['A'] }).coversAll({ names: ['*.x', 'y', '*'], types: ['A'] }))
})
