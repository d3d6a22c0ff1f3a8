import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { type DomainName, diffRrsets, parseName, type Zone } from '@zonewright/dns'
import { record } from '../testing/bad-signed-zones.ts'
import { zoneWith } from '../testing/zone-of.ts'
import { Tables } from './tables.ts'

const origin = parseName('figures.example.')
/** 2026-01-01, as seconds since 1970. */
const nowS = 1_767_225_600
const soa = '@ SOA ns hostmaster 1 14400 3600 1209600 300'

/** An expiration `days` days after the start of 2026. */
function inDays(days: number): string {
  return new Date((nowS + days * 86_400) * 1000).toISOString().replace(/\D/g, '').slice(0, 14)
}

/** A zone of lines `name TYPE data`; a signature is `name RRSIG type expiration`. */
function zoneOf(...lines: string[]): Zone {
  return zoneAt(origin, lines)
}

function zoneAt(origin: DomainName, lines: readonly string[]): Zone {
  const records = lines.map((line) => {
    const [name = '', type = '', ...data] = line.split(' ')
    const [covered, expiration] = data
    const signature = `${covered} 13 2 300 ${expiration} 20200101000000 1 ${origin} AQID`
    return record(origin, name, type, type === 'RRSIG' ? signature : data.join(' '))
  })
  return zoneWith(origin, records)
}

test('the metrics of signed zones follow every change', () => {
  const tables = new Tables()
  const none = { zones: { nsec: 0, nsec3: 0, none: 0 }, signatures: 0, earliestExpiryS: undefined, expiredZones: 0 }
  assert.deepEqual(tables.signed(nowS), none)

  const plain = zoneOf(soa, 'www A 192.0.2.1')
  tables.publish(origin, plain.rrsets())
  assert.deepEqual(tables.signed(nowS), none)

  const first = zoneOf(
    soa,
    'www A 192.0.2.1',
    'www RRSIG A 20260102000000',
    '@ NSEC www A',
    '@ RRSIG NSEC 20260201000000',
  )
  tables.apply(origin, diffRrsets(plain.rrsets(), first.rrsets()))
  const signed = {
    zones: { nsec: 1, nsec3: 0, none: 0 },
    signatures: 2,
    earliestExpiryS: nowS + 86_400,
    expiredZones: 0,
  }
  assert.deepEqual(tables.signed(nowS), signed)
  assert.deepEqual(tables.signed(nowS + 86_401), { ...signed, expiredZones: 1 })

  const renewed = zoneOf(
    soa,
    'www A 192.0.2.1',
    'www RRSIG A 20260301000000',
    '@ NSEC www A',
    '@ RRSIG NSEC 20260201000000',
  )
  tables.apply(origin, diffRrsets(first.rrsets(), renewed.rrsets()))
  assert.deepEqual(tables.signed(nowS), { ...signed, earliestExpiryS: nowS + 31 * 86_400 })

  tables.apply(origin, diffRrsets(renewed.rrsets(), plain.rrsets()))
  assert.deepEqual(tables.signed(nowS), none)
  tables.publish(origin, first.rrsets())
  tables.remove(origin)
  assert.deepEqual(tables.signed(nowS), none)
})

test('the first expiry is that of all zones, and times of signatures wrap around in 2106', () => {
  const tables = new Tables()
  for (const [index, expiration] of ['20260301000000', '20260201000000', '20900301000000'].entries()) {
    const zone = zoneOf(soa, `@ RRSIG SOA ${expiration}`)
    const name = parseName(`z${index}.`)
    tables.publish(
      name,
      [...zone.rrsets()].map((rrset) => ({ ...rrset, name })),
    )
  }
  assert.equal(tables.signed(nowS).earliestExpiryS, nowS + 31 * 86_400)
  assert.deepEqual(tables.signed(nowS).zones, { nsec: 0, nsec3: 0, none: 3 })

  const later = new Tables()
  later.publish(origin, zoneOf(soa, '@ RRSIG SOA 21060301000000').rrsets())
  const laterS = Date.UTC(2106, 0, 1) / 1000
  assert.equal(later.signed(laterS).earliestExpiryS, laterS + 59 * 86_400)
  const both = ['@ RRSIG SOA 21060301000000', 'www A 192.0.2.1', 'www RRSIG A 21060115000000']
  later.publish(origin, zoneOf(soa, ...both).rrsets())
  assert.equal(later.signed(laterS).earliestExpiryS, laterS + 14 * 86_400)
})

for (const denial of ['NSEC', 'NSEC3'] as const) {
  test(`a large zone with ${denial} is read a few names at a time, and changes in between are not missed`, () => {
    const tables = new Tables()
    let random = 1
    const below = (limit: number): number => {
      random = (Math.imul(random, 1_103_515_245) + 12_345) >>> 0
      return Math.floor((random / 2 ** 32) * limit)
    }
    /** The number of days after which the signature of each name expires. */
    const days = new Map(Array.from({ length: 3_000 }, (_, index) => [index, 2 + below(1_000)]))
    const nameOf = (index: number): string => {
      if (denial === 'NSEC') return `n${index}`
      return createHash('sha1').update(String(index)).digest('hex').slice(0, 32)
    }
    const signed = (): Zone => {
      const first = denial === 'NSEC' ? '@ NSEC n1 A' : '@ NSEC3PARAM 1 0 0 -'
      const lines = [...days].flatMap(([index, in_]) => {
        const name = nameOf(index)
        const data = denial === 'NSEC' ? `${name} A 192.0.2.1` : `${name} NSEC3 1 0 0 - ${'0'.repeat(32)} A`
        return [data, `${name} RRSIG ${denial === 'NSEC' ? 'A' : 'NSEC3'} ${inDays(in_)}`]
      })
      return zoneOf(soa, first, ...lines)
    }
    let zone = signed()
    tables.publish(origin, zone.rrsets())
    const change = (): void => {
      const next = signed()
      tables.apply(origin, diffRrsets(zone.rrsets(), next.rrsets()))
      zone = next
    }
    const firstDay = (): number => Math.min(...days.values())
    const [firstRead = 0] = [...days.keys()].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))
    const told = (): number => ((tables.signed(nowS, 100).earliestExpiryS ?? 0) - nowS) / 86_400

    for (let round = 0; round < 4; round++) {
      // Remove the first ones, so that the zone has to be read again.
      const before = told()
      for (const [index, in_] of days) if (in_ <= before + 5) days.set(index, 2_000)
      change()
      assert.equal(told(), before, 'until all names are read, the zone counts as before')
      for (let turn = 0; turn < 4; turn++) {
        days.set(below(3_000), before + 6 + below(40))
        days.delete(below(3_000))
        days.set(3_000 + below(3_000), before + 6 + below(40))
        // Names that were read are replaced, and the signature that was found is removed.
        if (turn === round % 2) days.set(firstRead, before + 5 + (round % 2))
        if (turn === 3 && round % 2 === 1) for (const [index, in_] of days) if (in_ === firstDay()) days.delete(index)
        change()
        assert.ok(told() <= firstDay())
      }
      let readings = 0
      for (; told() < firstDay() && readings < 100; readings++);
      assert.equal(told(), firstDay(), `round ${round} after ${readings} readings`)
    }
  })
}

test('one reading of the metrics reads a bounded number of names, however many zones there are', () => {
  const tables = new Tables()
  for (let index = 0; index < 40; index++) {
    const name = parseName(`z${index}.`)
    const kept = [soa, 'www A 192.0.2.1', `@ RRSIG SOA ${inDays(30)}`]
    const before = zoneAt(name, [...kept, `www RRSIG A ${inDays(1)}`])
    tables.publish(name, before.rrsets())
    tables.apply(name, diffRrsets(before.rrsets(), zoneAt(name, kept).rrsets()))
  }
  const told = Array.from({ length: 10 }, () => ((tables.signed(nowS, 10).earliestExpiryS ?? 0) - nowS) / 86_400)
  // Each zone has two names, so 80 names take at least eight readings.
  assert.deepEqual([told.slice(0, 7), told.at(-1)], [Array(7).fill(1), 30])
})
