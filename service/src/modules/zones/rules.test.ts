import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lostWith, mayAdd, mayRestore, type Surroundings, usualZonesPerAccount } from './rules.ts'
import { parseZoneName, parseZoneRef, unicodeName } from './zone-name.ts'

const alone: Surroundings = {
  own: undefined,
  taken: false,
  parent: undefined,
  zonesOfAccount: 0,
  zoneLimit: usualZonesPerAccount,
}
const services = ['ns1.zonewright.net', 'ns2.zonewright.net']

function add(name: string, around: Partial<Surroundings> = {}): void {
  mayAdd(parseZoneName(name), { ...alone, ...around }, services)
}

function refusal(work: () => void): { code: string; details: readonly { code: string; path?: string }[] } {
  try {
    work()
  } catch (error) {
    return error as ReturnType<typeof refusal>
  }
  assert.fail('it was allowed')
}

test('accepts a host name in any case and script, with or without the trailing dot', () => {
  const names: [written: string, kept: string][] = [
    ['example.com', 'example.com'],
    ['Example.COM.', 'example.com'],
    ['a.b.c.example.co.uk', 'a.b.c.example.co.uk'],
    ['bücher.example.com', 'xn--bcher-kva.example.com'],
    ['BÜCHER.de', 'xn--bcher-kva.de'],
    ['例え。jp', 'xn--r8jz45g.jp'],
    ['7.example.com', '7.example.com'],
  ]
  for (const [written, kept] of names) assert.equal(parseZoneName(written), kept, written)
})

test('refuses a zone name that is not a host name', () => {
  const label = 'a'.repeat(64)
  for (const text of [
    '.',
    '',
    'a b.com',
    'a..com',
    '.com.',
    '-a.com',
    'a-.com',
    'under_score.com',
    '*.example.com',
    `${label}.com`,
    `${'a.'.repeat(126)}com`,
    'a/b.com',
    'http://example.com',
    'a\u0000.com',
    'exa\\046mple.com',
    '192.0.2.1:53',
    'exam\tple.com',
    'bücher.de/x.com',
    'bücher%2ede',
  ]) {
    const { code, details } = refusal(() => parseZoneName(text))
    assert.deepEqual(
      [code, details.map(({ code, path }) => [code, path])],
      ['validation_failed', [['bad_name', '/name']]],
      JSON.stringify(text),
    )
  }
})

test('refuses public suffixes, both of registries and private ones, and single labels', () => {
  for (const text of [
    'com',
    'localhost',
    'co.uk',
    'gov.ng',
    'xn--p1ai',
    'рф',
    'github.io',
    'blogspot.com',
    's3.amazonaws.com',
  ])
    assert.equal(refusal(() => parseZoneName(text)).code, 'validation_failed', text)
  for (const text of ['example.co.uk', 'someone.github.io', 'example.localhost'])
    assert.equal(parseZoneName(text), text)
})

test('the service’s own names are reserved, with the names above and below them', () => {
  for (const name of ['ns1.zonewright.net', 'zonewright.net', 'a.ns2.zonewright.net'])
    assert.deepEqual(
      [refusal(() => add(name)).code, refusal(() => add(name)).details[0]?.code],
      ['validation_failed', 'reserved'],
      name,
    )
  for (const name of ['notzonewright.net', 'ns3.zonewright.net', 'xns1.zonewright.net']) add(name)
})

test('an account can add a name once, and never under someone else’s zone', () => {
  add('example.com')
  add('example.com', { taken: true })
  assert.equal(refusal(() => add('example.com', { own: 'pending' })).code, 'zone_exists')
  assert.equal(refusal(() => add('example.com', { own: 'live' })).code, 'zone_exists')
  const parent = { id: 'p', name: 'example.com' }
  assert.equal(refusal(() => add('www.example.com', { parent: { ...parent, isOwn: false } })).code, 'conflict')
  add('www.example.com', { parent: { ...parent, isOwn: true } })
})

test('a deleted zone can be restored if its name is free, and it could be added or was claimed under the zone above', () => {
  const restore = (around: Partial<Surroundings>, parentId: string | null = null): void =>
    mayRestore({ name: 'www.example.com', parentId, isLost: false }, { ...alone, ...around })
  const parent = { id: 'p', name: 'example.com', isOwn: false }
  restore({})
  restore({ parent: { ...parent, isOwn: true } })
  restore({ parent }, 'p')
  assert.equal(refusal(() => restore({ parent })).code, 'conflict')
  assert.equal(refusal(() => restore({ parent }, 'another')).code, 'conflict')
  assert.equal(refusal(() => restore({ own: 'pending' })).code, 'zone_exists')
  assert.equal(refusal(() => restore({ taken: true })).code, 'zone_exists')
  restore({ zonesOfAccount: usualZonesPerAccount - 1 })
  assert.equal(refusal(() => restore({ zonesOfAccount: usualZonesPerAccount })).code, 'zone_limit')
})

test('other accounts lose what they added below a name, unless it is below a zone that they have proved', () => {
  const zone = (name: string, accountId = 'ada') => ({ id: name, name, accountId, state: 'live' as const })
  const [www, deep, bobs] = [zone('www.example.com'), zone('a.b.sub.example.com'), zone('x.sub.example.com', 'bob')]
  const all = [www, deep, bobs]
  const lost = (...standing: { name: string; accountId: string }[]): string[] =>
    lostWith('example.com', all, standing).map(({ id }) => id)
  assert.deepEqual(
    lost(),
    all.map(({ id }) => id),
  )
  assert.deepEqual(lost(zone('sub.example.com')), [www.id, bobs.id])
  assert.deepEqual(lost(zone('b.sub.example.com')), [www.id, bobs.id])
  const former = { ...zone('example.com'), state: 'deleted' as const }
  assert.deepEqual(
    lostWith('example.com', [former], [zone('sub.example.com')]),
    [former],
    'what was deleted of the name',
  )
  for (const other of ['b.example.com', 'ub.example.com', 'example.com', 'com', 'c.a.b.sub.example.com'])
    assert.equal(lost(zone(other)).length, 3, other)
})

test('an account can have as many zones as its limit, and no more', () => {
  for (const zoneLimit of [1, usualZonesPerAccount, 5_000]) {
    add('example.com', { zonesOfAccount: zoneLimit - 1, zoneLimit })
    assert.equal(refusal(() => add('example.com', { zonesOfAccount: zoneLimit, zoneLimit })).code, 'zone_limit')
  }
})

test('a zone is identified by its id or its name; any other text identifies none', () => {
  const id = '0B8F2C1E-1111-4222-8333-444455556666'
  assert.deepEqual(parseZoneRef(id), { id: id.toLowerCase() })
  assert.deepEqual(parseZoneRef('Bücher.Example.'), { name: 'xn--bcher-kva.example' })
  for (const text of ['a b', 'a\u0000', '..', 'x'.repeat(300)]) assert.deepEqual(parseZoneRef(text), { name: '' })
})

test('A-labels are shown as Unicode, and unchanged if they cannot be decoded', () => {
  assert.equal(unicodeName('xn--bcher-kva.example.com'), 'bücher.example.com')
  assert.equal(unicodeName('example.com'), 'example.com')
  assert.equal(unicodeName('xn--a.example.com'), 'xn--a.example.com')
})
