import assert from 'node:assert/strict'
import { test } from 'node:test'
import { maxHits } from '@zonewright/contract'
import fc from 'fast-check'
import { RecordLimits } from '#modules/api-keys/index.ts'
import { withoutPauses } from '#platform/work/slices.ts'
import { findHits, type Reach } from './find-hits.ts'
import type { AccountIndex } from './search-index.ts'
import { readSearch } from './search-terms.ts'
import type { ListedZone } from './store.ts'
import { type ReadRrset, ZoneText } from './zone-text.ts'

const everything: Reach = { zone: () => true, domain: () => true, order: () => true, seesKeys: true }

type Zones = Readonly<Record<string, readonly ReadRrset[]>>

const rrset = (name: string, type: string, ...records: string[]): ReadRrset => ({ name, type, records })

function indexOf(zones: Zones): AccountIndex {
  const names = Object.keys(zones).sort()
  const listed = names.map(
    (name): ListedZone => ({ id: name, name, state: 'live', isOwn: true, serial: 1, rrsetCount: 0, bytes: 0 }),
  )
  const texts = new Map(
    names.map((name) => {
      const rrsets = (zones[name] ?? []).toSorted((a, b) => (a.name < b.name ? -1 : 1))
      return [name, withoutPauses(ZoneText.of(rrsets))]
    }),
  )
  const listing = { zones: listed, domains: [], orders: [], keys: [] }
  return { listing, textOf: (id) => texts.get(id), isComplete: true }
}

function found(zones: Zones, q: string, reach = everything): string[] {
  const { rrsets } = withoutPauses(findHits(indexOf(zones), readSearch(q), reach))
  return rrsets.hits.map(({ name, type }) => `${name} ${type}`)
}

const shop: Zones = {
  'shop.example': [
    rrset('', 'A', '192.0.2.10'),
    rrset('', 'MX', '10 mail.shop.example.'),
    rrset('mail', 'A', '192.0.2.1'),
    rrset('mail', 'TXT', '"Hello 50%_ \\"you\\""'),
    rrset('old-mail.dept', 'CNAME', 'mail.shop.example.'),
    rrset('webmail', 'AAAA', '2001:db8::1'),
    rrset('xn--bcher-kva', 'A', '192.0.2.2'),
    rrset('dkim._domainkey', 'TXT', '"p=AAAA" "BBBB"'),
    rrset('typed', 'TYPE65400', '\\# 1 00'),
  ],
  'xn--caf-dma.example': [rrset('www', 'A', '192.0.2.3')],
}

test('owner names come before records, and are ordered: equal names, beginnings of names, beginnings of labels', () => {
  assert.deepEqual(found(shop, 'mail'), [
    'mail.shop.example A',
    'mail.shop.example TXT',
    'old-mail.dept.shop.example CNAME',
    'webmail.shop.example AAAA',
    'shop.example MX',
  ])
  assert.deepEqual(found(shop, '192.0.2.1'), ['mail.shop.example A', 'shop.example A'])
})

test('a search can span the owner name and the name of the zone', () => {
  for (const q of ['mail.shop.example', 'MAIL.shop.example.', 'mail.sh'])
    assert.deepEqual(found(shop, q).slice(0, 2), ['mail.shop.example A', 'mail.shop.example TXT'], q)
  assert.ok(found(shop, 'dept.shop.ex').includes('old-mail.dept.shop.example CNAME'))
  assert.deepEqual(found(shop, 'shop.example').slice(0, 2), ['shop.example A', 'shop.example MX'])
  for (const q of ['www.caf', 'www.café', 'WWW.CAFÉ.example.'])
    assert.deepEqual(found(shop, q), ['www.xn--caf-dma.example A'], q)
  assert.deepEqual(found(shop, 'www.cafe'), [])
})

test('an internationalized owner name is found by its full name and by its beginning, in Unicode and with A-labels', () => {
  const zones: Zones = {
    'shop.example': [rrset('xn--bcher-kva', 'A', '192.0.2.2'), rrset('www.xn--bcher-kva', 'A', '192.0.2.3')],
    'xn--caf-dma.example': [rrset('xn--bcher-kva', 'NS', 'ns.example.net.')],
  }
  const [whole, below] = ['xn--bcher-kva.shop.example A', 'www.xn--bcher-kva.shop.example A']
  for (const q of ['bücher.shop.example', 'BÜCHER.shop.ex', 'xn--bcher-kva.shop.example.', 'xn--bcher-kva.shop.e'])
    assert.deepEqual(found(zones, q), [whole, below], q)
  for (const q of ['www.bücher.shop.example', 'www.xn--bcher-kva.sh']) assert.deepEqual(found(zones, q), [below], q)
  for (const q of ['bücher.café.example', 'bücher.caf', 'xn--bcher-kva.xn--caf-dma.example'])
    assert.deepEqual(found(zones, q), ['xn--bcher-kva.xn--caf-dma.example NS'], q)
})

test('values are found in any notation, and types and separators are not searched', () => {
  assert.deepEqual(found(shop, '2001:DB8:0::1'), ['webmail.shop.example AAAA'])
  assert.deepEqual(found(shop, 'hello 50%_'), ['mail.shop.example TXT'])
  assert.deepEqual(found(shop, 'büch'), ['xn--bcher-kva.shop.example A'])
  assert.deepEqual(found(shop, 'p=aaaabbbb'), ['dkim._domainkey.shop.example TXT'])
  assert.deepEqual(found(shop, '"you"'), ['mail.shop.example TXT'])
  for (const q of ['cname', '65400', 'zz']) assert.deepEqual(found(shop, q), [], q)
})

test('a key with limits finds and counts only the record sets that they cover', () => {
  const limits = new RecordLimits('shop.example', [{ names: ['mail'], types: ['TXT'] }])
  const reach: Reach = { ...everything, zone: ({ name }) => (name === 'shop.example' ? limits : false) }
  assert.deepEqual(found(shop, 'mail', reach), ['mail.shop.example TXT'])
  assert.deepEqual(found(shop, '192.0.2', reach), [])
})

test('a search returns at most the 20 best hits and reports that there are more', () => {
  const many: Zones = Object.fromEntries(
    Array.from({ length: 30 }, (_, i) => [
      `z${String(i).padStart(2, '0')}.example`,
      [rrset('api-mail', 'A', '192.0.2.1'), ...(i === 29 ? [rrset('mail', 'A', '192.0.2.1')] : [])],
    ]),
  )
  const { rrsets, zones } = withoutPauses(findHits(indexOf(many), ['mail'], everything))
  assert.equal(rrsets.hits.length, maxHits)
  assert.equal(rrsets.hasMore, true)
  assert.equal(rrsets.hits[0]?.name, 'mail.z29.example')
  assert.deepEqual([zones.hits.length, zones.hasMore], [0, false])
  const all = withoutPauses(findHits(indexOf(many), ['example'], everything))
  assert.deepEqual([all.zones.hits.length, all.zones.hasMore], [maxHits, true])
})

test('every stored record set is found by any part of its name or of a record', () => {
  const label = fc.stringMatching(/^[a-z0-9_-]{2,10}$/)
  const text = fc.stringMatching(/^[ -!#-[\]-~]{2,30}$/)
  fc.assert(
    fc.property(
      fc.array(fc.tuple(label, text), { minLength: 1, maxLength: 20 }),
      fc.nat(),
      fc.nat(),
      (written, n, from) => {
        const rrsets = new Map(written.map(([name, value]) => [name, rrset(name, 'TXT', `"${value}"`)]))
        const one = [...rrsets.values()][n % rrsets.size] ?? assert.fail()
        const value = one.records[0]?.slice(1, -1) ?? ''
        for (const whole of [one.name, value]) {
          const part = whole.slice(from % Math.max(1, whole.length - 1))
          if (part.trim().length < 2) continue
          const hits = found({ 'z.example': [...rrsets.values()] }, part)
          assert.ok(hits.includes(`${one.name}.z.example TXT`), `${part} in ${hits}`)
        }
      },
    ),
  )
})
