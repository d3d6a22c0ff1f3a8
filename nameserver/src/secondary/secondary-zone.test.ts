import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseName, RrType, toSerial } from '@zonewright/dns'
import { zoneOf } from '../testing/zone-of.ts'
import { SecondaryZone } from './secondary-zone.ts'
import { soaTimes } from './soa-times.ts'

const origin = parseName('example.')
const nowMs = 1_800_000_000_000

/** A zone that is held at `serial`, confirmed at `nowMs`. Each of its times is a different number. */
function held(serial: number, { refresh = 7_200, retry = 600, expire = 86_400 } = {}): SecondaryZone {
  const zone = new SecondaryZone(origin, 'label')
  zone.hold({ serial: toSerial(serial), refresh, retry, expire })
  zone.refreshed(nowMs)
  return zone
}

/** How long each consecutive failed attempt delays the zone, in seconds. */
function waitsS(zone: SecondaryZone, attempts: number): number[] {
  return Array.from({ length: attempts }, () => {
    zone.failed(nowMs)
    return (zone.refreshAtMs - nowMs) / 1_000
  })
}

describe('the times of an SOA', () => {
  it('are each read from their own field', () => {
    const data = zoneOf(origin, 4_294_967_295, []).rrset(origin, RrType.SOA)?.data[0]
    assert.ok(data)
    assert.deepEqual(soaTimes(data), { serial: 4_294_967_295, refresh: 14_400, retry: 3_600, expire: 1_209_600 })
  })

  it('are read from data that is part of a larger buffer', () => {
    const data = zoneOf(origin, 7, []).rrset(origin, RrType.SOA)?.data[0]
    assert.ok(data)
    const larger = new Uint8Array(data.length + 40).fill(0xff)
    larger.set(data, 13)
    assert.deepEqual(soaTimes(larger.subarray(13, 13 + data.length)), soaTimes(data))
  })
})

describe('the expiry of a zone', () => {
  it('is the expire time of its SOA after the primary last confirmed it', () => {
    for (const times of [{}, { refresh: 5, retry: 6, expire: 7 }, { refresh: 9_000, retry: 8_000, expire: 10 }]) {
      const zone = held(1, times)
      assert.equal(zone.expiresAtMs, nowMs + (times.expire ?? 86_400) * 1_000)
      zone.refreshed(nowMs + 1_234)
      assert.equal(zone.expiresAtMs, nowMs + 1_234 + (times.expire ?? 86_400) * 1_000)
    }
  })

  it('is at least a second after the confirmation', () => {
    assert.equal(held(1, { expire: 0 }).expiresAtMs, nowMs + 1_000)
    assert.equal(held(1, { expire: 1 }).expiresAtMs, nowMs + 1_000)
    assert.equal(held(1, { expire: 2 }).expiresAtMs, nowMs + 2_000)
  })

  it('happens once, and not before the zone was transferred', () => {
    assert.equal(new SecondaryZone(origin, 'label').expiresAtMs, undefined)
    const zone = held(1)
    zone.isExpired = true
    assert.equal(zone.expiresAtMs, undefined)
    zone.refreshed(nowMs)
    assert.deepEqual([zone.isExpired, zone.expiresAtMs], [false, nowMs + 86_400_000])
  })

  it('uses the times of the newest SOA', () => {
    const zone = held(1)
    zone.hold({ serial: toSerial(2), refresh: 1, retry: 2, expire: 3 })
    assert.deepEqual([zone.serial, zone.expiresAtMs], [2, nowMs + 3_000])
  })
})

describe('a zone is checked', () => {
  it('after 90 to 100% of its refresh time', () => {
    const waits = Array.from({ length: 200 }, () => held(1).refreshAtMs - nowMs)
    assert.ok(
      waits.every((waitMs) => waitMs >= 6_480_000 && waitMs <= 7_200_000 && Number.isInteger(waitMs)),
      waits.join(),
    )
    assert.ok(new Set(waits).size > 1, 'not all at once')
    const waitMs = held(1, { refresh: 0 }).refreshAtMs - nowMs
    assert.ok(waitMs >= 900 && waitMs <= 1_000, `${waitMs} ms`)
  })

  it('at its expiry if that comes first', () => {
    const zone = held(1, { refresh: 7_200, expire: 60 })
    assert.equal(zone.nextAtMs, nowMs + 60_000)
    zone.failed(nowMs)
    assert.equal(zone.nextAtMs, nowMs + 1_000)
    assert.equal(new SecondaryZone(origin, 'label').nextAtMs, Number.POSITIVE_INFINITY)
  })

  it('after each failure with a growing delay, at most the retry time of its SOA', () => {
    assert.deepEqual(waitsS(held(1, { retry: 10 }), 6), [1, 2, 4, 8, 10, 10])
    assert.deepEqual(waitsS(held(1, { retry: 0 }), 3), [1, 1, 1])
    assert.equal(waitsS(held(1, { retry: 2_147_483_647 }), 40).at(-1), 2 ** 20)
  })

  it('at least every five minutes while it has no data', () => {
    assert.deepEqual(waitsS(new SecondaryZone(origin, 'label'), 11), [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300])
  })

  it('soon again after a failure that follows a success', () => {
    const zone = held(1)
    waitsS(zone, 5)
    zone.refreshed(nowMs)
    assert.deepEqual(waitsS(zone, 2), [1, 2])
  })

  it('with a growing delay while the primary does not have what it announced', () => {
    const zone = held(1)
    zone.notified(toSerial(2))
    const waits = Array.from({ length: 4 }, () => {
      zone.refreshed(nowMs)
      return waitsS(zone, 1)[0]
    })
    assert.deepEqual(waits, [1, 2, 4, 8])
  })
})

describe('a NOTIFY', () => {
  it('is news if its serial is newer than the held one, even across a wraparound', () => {
    for (const [have, told, isNew] of [
      [5, 6, true],
      [5, 5, false],
      [5, 4, false],
      [4_294_967_295, 0, true],
      [0, 4_294_967_295, false],
      [5, undefined, true],
    ] as const) {
      const zone = held(have)
      assert.equal(zone.notified(told === undefined ? undefined : toSerial(told)), isNew, `${told} after ${have}`)
      assert.equal(zone.isBehind, isNew, `${told} after ${have}`)
    }
  })

  it('of any serial is news to a zone that has expired or was never transferred', () => {
    const expired = held(5)
    expired.isExpired = true
    assert.equal(expired.notified(toSerial(5)), true)
    const cold = new SecondaryZone(origin, 'label')
    assert.equal(cold.notified(toSerial(5)), true)
    assert.equal(cold.isBehind, true)
  })

  it('of the newest serial counts, in whatever order they arrive', () => {
    const zone = held(5)
    for (const serial of [7, 9, 8]) zone.notified(toSerial(serial))
    assert.equal(zone.wanted, 9)
    zone.hold({ serial: toSerial(8), refresh: 1, retry: 1, expire: 1 })
    assert.equal(zone.isBehind, true)
    zone.hold({ serial: toSerial(9), refresh: 1, retry: 1, expire: 1 })
    assert.equal(zone.isBehind, false)
    zone.refreshed(nowMs)
    assert.equal(zone.wanted, undefined)
  })

  it('without a serial is satisfied by the next transfer, and one with a serial only by that serial', () => {
    const zone = held(5)
    zone.notified(undefined)
    assert.deepEqual([zone.wanted, zone.isBehind], ['unknown', true])
    zone.isSuspect = true
    zone.asked()
    assert.deepEqual([zone.wanted, zone.isBehind, zone.isSuspect], [undefined, false, false])
    zone.notified(toSerial(6))
    zone.asked()
    assert.deepEqual([zone.wanted, zone.isBehind], [6, true])
  })
})

it('a zone waits for a run if it has no date or has expired', () => {
  const zone = held(1)
  assert.equal(zone.isWaiting, false)
  zone.isExpired = true
  assert.equal(zone.isWaiting, true)
  zone.refreshed(nowMs)
  assert.equal(zone.isWaiting, false)
  zone.queued()
  assert.deepEqual([zone.isWaiting, zone.refreshAtMs], [true, Number.POSITIVE_INFINITY])
})

it('the catalog is the zone without a label', () => {
  assert.equal(new SecondaryZone(origin, undefined).isCatalog, true)
  assert.equal(new SecondaryZone(origin, '').isCatalog, false)
})
