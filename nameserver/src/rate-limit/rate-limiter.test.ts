import assert from 'node:assert/strict'
import { once } from 'node:events'
import { describe, it } from 'node:test'
import { Worker } from 'node:worker_threads'
import fc from 'fast-check'
import { addressView } from '../address.ts'
import { heapGrowth } from '../testing/heap-growth.ts'
import { parseAddressPrefix } from './address-prefix.ts'
import {
  AnswerKind,
  LimitedBy,
  RateLimiter,
  type RateLimits,
  RateVerdict,
  usualAnswersPerPrefix,
  usualRateLimits,
} from './rate-limiter.ts'

const { positive, negative, error } = AnswerKind
const { send, slip, drop } = RateVerdict
const startMs = 1_700_000_000_000
/** For tests of the limit for a zone and kind. The limit for the whole prefix is never reached. */
const unreached = 1_000_000

function limiterOf(limits: Partial<RateLimits>, buckets?: number): RateLimiter {
  const all = { ...usualRateLimits, slip: 2, answersPerPrefix: unreached, ...limits }
  const limiter = new RateLimiter(RateLimiter.allocate(all, buckets))
  limiter.tick(startMs)
  return limiter
}

function judge(limiter: RateLimiter, from: string, kind: number = positive, zone = 1): number {
  const address = addressView(from)
  return limiter.judge(kind, zone, address, 0, address.byteLength)
}

/** The verdicts on the given number of responses at once. */
function verdicts(limiter: RateLimiter, count: number, from: string, kind: number = positive, zone = 1): number[] {
  return Array.from({ length: count }, () => judge(limiter, from, kind, zone))
}

/** Uses up the bucket: sends everything that it allows now. */
function exhaust(limiter: RateLimiter, from: string): void {
  while (judge(limiter, from) === send);
}

function allowed(...texts: string[]): Partial<RateLimits> {
  return { answersPerSecond: 1, slip: 0, allow: texts.flatMap((text) => parseAddressPrefix(text) ?? []) }
}

describe('the rate limiter', () => {
  it('sends a second’s worth at once, then as many as the rate allows', () => {
    const limiter = limiterOf({ answersPerSecond: 10, slip: 0 })
    assert.deepEqual(verdicts(limiter, 12, '192.0.2.1'), [...Array(10).fill(send), drop, drop])
    limiter.tick(startMs + 99)
    assert.equal(judge(limiter, '192.0.2.1'), drop)
    limiter.tick(startMs + 300)
    assert.deepEqual(verdicts(limiter, 4, '192.0.2.1'), [send, send, send, drop])
    limiter.tick(startMs + 3_600_000)
    assert.equal(verdicts(limiter, 12, '192.0.2.1').filter((verdict) => verdict === send).length, 10)
  })

  it('never sends more than rate and burst in any second to one prefix, however queries arrive', () => {
    const arrival = fc.record({ waitMs: fc.nat(400), count: fc.integer({ min: 1, max: 30 }), prefix: fc.nat(3) })
    fc.assert(
      fc.property(
        fc.array(arrival, { maxLength: 60 }),
        fc.integer({ min: 1, max: 50 }),
        (arrivals, answersPerSecond) => {
          // As many buckets as prefixes, all in one set.
          const limiter = limiterOf({ answersPerSecond, slip: 0 }, 4)
          const sentAt = new Map<number, number[]>()
          let nowMs = startMs
          for (const { waitMs, count, prefix } of arrivals) {
            nowMs += waitMs
            limiter.tick(nowMs)
            const sent = verdicts(limiter, count, `198.51.${prefix}.1`).filter((verdict) => verdict === send)
            sentAt.set(prefix, [...(sentAt.get(prefix) ?? []), ...sent.map(() => nowMs)])
          }
          for (const times of sentAt.values()) {
            for (const from of times) {
              const within = times.filter((time) => time >= from && time < from + 1000).length
              assert.ok(within <= 2 * answersPerSecond, `${within} in a second at ${answersPerSecond}/s`)
            }
          }
        },
      ),
    )
  })

  it('does not limit thousands of other clients while some are flooding', () => {
    const limiter = limiterOf({ answersPerSecond: 20 }, 2 ** 16)
    const quiet = Array.from({ length: 5000 }, (_, index) => `10.${index >> 8}.${index & 0xff}.1`)
    const flooding = Array.from({ length: 50 }, (_, index) => `172.16.${index}.1`)
    let limited = 0
    for (let step = 0; step < 10; step++) {
      limiter.tick(startMs + step * 100)
      for (const client of flooding) verdicts(limiter, 100, client)
      for (const client of quiet) limited += judge(limiter, client) === send ? 0 : 1
    }
    assert.equal(limited, 0)
  })

  it('cannot be bypassed by crowding its table: the total of all buckets limits what is sent', () => {
    const limiter = limiterOf({ answersPerSecond: 5, slip: 0 }, 16)
    let sent = 0
    for (let index = 0; index < 20_000; index++) {
      if (judge(limiter, `10.${index >> 8}.${index & 0xff}.1`) === send) sent++
    }
    assert.equal(sent, 16 * 5)
  })

  it('counts clients by /24 and /56, separately from neighboring prefixes', () => {
    const limiter = limiterOf({ answersPerSecond: 1, slip: 0 })
    for (const [one, same, other] of [
      ['192.0.2.1', '192.0.2.254', '192.0.3.1'],
      ['2001:db8:0:aa00::1', '2001:db8:0:aaff:ffff::', '2001:db8:0:ab00::1'],
    ] as const) {
      assert.deepEqual([judge(limiter, one), judge(limiter, same), judge(limiter, other)], [send, drop, send])
    }
    const single = limiterOf({ answersPerSecond: 1, slip: 0, ipv4PrefixBits: 32, ipv6PrefixBits: 64 })
    assert.deepEqual([judge(single, '192.0.2.1'), judge(single, '192.0.2.2')], [send, send])
    assert.deepEqual([judge(single, '2001:db8::1'), judge(single, '2001:db8::2')], [send, drop])
    const all = limiterOf({ answersPerSecond: 1, slip: 0, ipv4PrefixBits: 1, ipv6PrefixBits: 1 })
    assert.deepEqual([judge(all, '1.0.0.1'), judge(all, '100.0.0.1'), judge(all, '200.0.0.1')], [send, drop, send])
  })

  it('counts positive answers, negative answers and errors separately, and each zone separately', () => {
    const limiter = limiterOf({ answersPerSecond: 1, slip: 0 })
    for (const kind of [positive, negative, error]) {
      for (const zone of [1, 2, -(2 ** 31)]) {
        assert.deepEqual(verdicts(limiter, 2, '192.0.2.1', kind, zone), [send, drop], `kind ${kind} zone ${zone}`)
      }
    }
  })

  it('slips one in `slip` limited answers', () => {
    const exhausted = (slip: number) => {
      const limiter = limiterOf({ answersPerSecond: 1, slip })
      exhaust(limiter, '192.0.2.1')
      return limiter
    }
    assert.deepEqual(verdicts(exhausted(0), 4, '192.0.2.1'), [drop, drop, drop, drop])
    assert.deepEqual(verdicts(exhausted(1), 4, '192.0.2.1'), [slip, slip, slip, slip])
    assert.deepEqual(verdicts(exhausted(2), 4, '192.0.2.1'), [drop, slip, drop, slip])
    const third = verdicts(exhausted(3), 30, '192.0.2.1').filter((verdict) => verdict === slip)
    assert.equal(third.length, 10)
  })

  it('never limits clients in the allow-list, and matches prefixes to the bit', () => {
    const limiter = limiterOf(allowed('192.0.2.128/25', '2001:db8:8000::/33', '198.51.100.7', '::1'))
    for (const client of ['192.0.2.128', '192.0.2.255', '2001:db8:8000::', '2001:db8:ffff::1', '198.51.100.7', '::1']) {
      assert.deepEqual(verdicts(limiter, 3, client), [send, send, send], client)
    }
    for (const client of ['192.0.2.127', '192.0.3.128', '2001:db8:7fff::1', '198.51.100.6', '::2', '0.0.0.1']) {
      assert.deepEqual(verdicts(limiter, 3, client).slice(1), [drop, drop], client)
    }
    assert.deepEqual(verdicts(limiterOf(allowed('0.0.0.0/0')), 3, '203.0.113.9'), [send, send, send])
    assert.deepEqual(verdicts(limiterOf(allowed('0.0.0.0/0')), 3, '2001:db8::9'), [send, drop, drop])
  })

  it('keeps to the rate when the clock goes back, and forgives at most one full bucket', () => {
    const limiter = limiterOf({ answersPerSecond: 10, slip: 0 })
    exhaust(limiter, '192.0.2.1')
    limiter.tick(startMs - 3_600_000)
    assert.equal(verdicts(limiter, 20, '192.0.2.1').filter((verdict) => verdict === send).length, 10)
  })

  it('keeps to the rate when the clocks of two threads differ by up to a second', () => {
    const limits = { ...usualRateLimits, answersPerSecond: 10, answersPerPrefix: unreached, slip: 0 }
    const shared = RateLimiter.allocate(limits)
    const [ahead, behind] = [new RateLimiter(shared), new RateLimiter(shared)]
    for (const apartMs of [100, 900, 1_000]) {
      const client = `192.0.${apartMs % 255}.1`
      behind.tick(startMs)
      ahead.tick(startMs + apartMs)
      exhaust(ahead, client)
      assert.deepEqual(verdicts(behind, 3, client), [drop, drop, drop], `${apartMs} ms apart`)
      assert.equal(judge(ahead, client), drop, `${apartMs} ms apart`)
    }
  })

  it('has different buckets on each nameserver, so no one can predict who shares one', () => {
    // With as many clients as buckets, some sets are crowded. Which ones depends on the key.
    const crowded = () => {
      const limiter = limiterOf({ answersPerSecond: 1, slip: 0 }, 4096)
      return Array.from({ length: 4096 }, (_, index) => judge(limiter, `10.${index >> 8}.${index & 0xff}.1`)).join('')
    }
    assert.notEqual(crowded(), crowded())
  })

  it('enforces both limits across several threads', async () => {
    for (const [answersPerSecond, answersPerPrefix] of [
      [1_000_000, 2_000_000],
      [2_000_000, 1_000_000],
    ] as const) {
      const shared = RateLimiter.allocate({ ...usualRateLimits, answersPerSecond, answersPerPrefix })
      // The client already has its buckets. Otherwise, if two threads took one over at once, one could add its first drop elsewhere.
      const first = new RateLimiter(shared)
      first.tick(startMs)
      assert.equal(first.judge(AnswerKind.positive, 1, addressView('192.0.2.1'), 0, 4), RateVerdict.send)
      const gate = new Int32Array(new SharedArrayBuffer(4))
      const workerData = { shared, asks: 700_000, nowMs: startMs, gate }
      const judging = new URL('./testing/judge-many.ts', import.meta.url)
      const threads = Array.from({ length: 2 }, () => new Worker(judging, { workerData }))
      await Promise.all(threads.map((thread) => once(thread, 'message')))
      const counted = threads.map((thread) => once(thread, 'message'))
      Atomics.store(gate, 0, 1)
      Atomics.notify(gate, 0)
      const sent = (await Promise.all(counted)).map(([count]) => Number(count))
      assert.equal(
        sent.reduce((sum, count) => sum + count, 0),
        Math.min(answersPerSecond, answersPerPrefix) - 1,
      )
    }
  })

  it('allocates nothing for a query, whichever limit is reached', () => {
    const client = addressView('2001:db8::1')
    for (const limits of [{ answersPerSecond: unreached }, { answersPerSecond: 1 }, { answersPerPrefix: 1 }]) {
      const limiter = limiterOf(limits)
      const run = () => {
        for (let count = 0; count < 100_000; count++) limiter.judge(count & 1, count & 0xff, client, 0, 16)
      }
      assert.ok(heapGrowth(run) < 500_000, JSON.stringify(limits))
    }
  })
})

describe('the limit for all answers to a prefix', () => {
  const limits = { answersPerSecond: 10, answersPerPrefix: 11, slip: 0 }
  const sentOf = (found: readonly number[]) => found.filter((verdict) => verdict === send).length

  it('defaults to a tenth more than the limit for one zone', () => {
    assert.equal(usualRateLimits.answersPerPrefix, 220)
    assert.deepEqual([1, 5, 9, 10, 200, 1_000_000].map(usualAnswersPerPrefix), [1, 5, 9, 11, 220, 1_100_000])
  })

  it('counts all zones, kinds and addresses of the prefix together', () => {
    const limiter = limiterOf(limits)
    const found = Array.from({ length: 900 }, (_, index) =>
      judge(limiter, `192.0.2.${index & 0xff}`, [positive, negative, error][index % 3], index),
    )
    assert.equal(sentOf(found), 11)
    assert.equal(judge(limiter, '192.0.3.1'), send)
  })

  it('leaks at the allowed rate over any period', () => {
    const limiter = limiterOf(limits)
    const perSecond: number[] = []
    for (let tenth = 0; tenth < 100; tenth++) {
      limiter.tick(startMs + tenth * 100)
      const found = Array.from({ length: 300 }, (_, zone) => judge(limiter, '192.0.2.1', positive, zone))
      perSecond[Math.floor(tenth / 10)] = (perSecond[Math.floor(tenth / 10)] ?? 0) + sentOf(found)
    }
    // A second's worth at once, and then what has leaked.
    assert.ok((perSecond[0] ?? 0) <= 22)
    for (const sent of perSecond.slice(1)) assert.equal(sent, 11)
  })

  it('applies to the whole /56 of an IPv6 client', () => {
    const limiter = limiterOf(limits)
    const found = Array.from({ length: 600 }, (_, index) =>
      judge(limiter, `2001:db8:0:aa${(index & 0xff).toString(16).padStart(2, '0')}::${index}`, positive, index % 300),
    )
    assert.equal(sentOf(found), 11)
    assert.equal(judge(limiter, '2001:db8:0:ab00::1'), send)
  })

  it('does not count what a zone’s own limit refuses, so a flood for one zone leaves answers for other zones', () => {
    const limiter = limiterOf(limits)
    assert.equal(sentOf(verdicts(limiter, 1000, '192.0.2.1', negative, 1)), 10)
    assert.equal(limiter.limitedBy, LimitedBy.zone)
    assert.equal(judge(limiter, '192.0.2.1', positive, 2), send)
    assert.equal(judge(limiter, '192.0.2.1', positive, 3), drop)
    assert.equal(limiter.limitedBy, LimitedBy.prefix)
  })

  it('does not lower the limit for a zone when it is set higher than that', () => {
    const limiter = limiterOf({ ...limits, answersPerPrefix: 105 })
    for (let zone = 1; zone <= 10; zone++) assert.equal(sentOf(verdicts(limiter, 50, '192.0.2.1', positive, zone)), 10)
    assert.equal(limiter.limitedBy, LimitedBy.zone)
    assert.equal(sentOf(verdicts(limiter, 50, '192.0.2.1', positive, 11)), 5)
    assert.equal(limiter.limitedBy, LimitedBy.prefix)
  })

  it('uses no space in the table of zones once it is reached', () => {
    // There are 64 buckets for zones. If a flood over thousands of zones filled them, every client would be limited.
    const limiter = limiterOf(limits, 64)
    for (let zone = 0; zone < 10_000; zone++) judge(limiter, '192.0.2.1', positive, zone)
    const others = Array.from({ length: 12 }, (_, index) => judge(limiter, `198.51.${index}.1`, positive, index))
    assert.equal(sentOf(others), 12)
  })

  it('slips like the limit for a zone; with a slip of 1 every query gets an answer', () => {
    const spread = (limiter: RateLimiter, count: number, from: string) =>
      Array.from({ length: count }, (_, zone) => judge(limiter, from, positive, zone))
    const half = limiterOf({ ...limits, slip: 2 })
    assert.deepEqual(spread(half, 15, '192.0.2.1').slice(11), [slip, drop, slip, drop])
    const each = limiterOf({ ...limits, slip: 1 })
    assert.deepEqual(spread(each, 15, '192.0.2.1').slice(11), [slip, slip, slip, slip])
  })

  it('never drops answers of a client that shares a bucket with a flood: they are truncated at worst', () => {
    // One set of four buckets for all prefixes.
    const limiter = limiterOf({ ...limits, slip: 1 }, 16)
    for (let index = 0; index < 5000; index++) judge(limiter, `10.${index >> 8}.${index & 0xff}.1`, positive, index)
    const found = verdicts(limiter, 100, '192.0.2.1')
    assert.ok(found.every((verdict) => verdict !== drop))
    limiter.tick(startMs + 1000)
    assert.equal(judge(limiter, '192.0.2.1'), send)
  })

  it('counts a mapped IPv4 address as the IPv4 client', () => {
    const limiter = limiterOf(limits)
    for (let zone = 0; zone < 20; zone++) judge(limiter, '::ffff:192.0.2.1', positive, zone)
    assert.equal(judge(limiter, '192.0.2.99'), drop)
    assert.equal(judge(limiter, '::ffff:192.0.3.1'), send)
    const open = limiterOf({ ...limits, ...allowed('::ffff:192.0.2.0/120', '198.51.100.0/24'), answersPerSecond: 10 })
    for (const client of ['192.0.2.7', '::ffff:192.0.2.8', '198.51.100.7', '::ffff:198.51.100.8']) {
      assert.equal(sentOf(verdicts(open, 50, client)), 50, client)
    }
    assert.equal(sentOf(verdicts(open, 50, '192.0.3.7')), 10)
  })

  it('does not apply to clients in the allow-list', () => {
    const limiter = limiterOf({ ...limits, ...allowed('192.0.2.0/25'), answersPerPrefix: 11 })
    const found = Array.from({ length: 500 }, (_, zone) => judge(limiter, '192.0.2.1', positive, zone))
    assert.equal(sentOf(found), 500)
    assert.equal(judge(limiter, '192.0.2.200', positive, 501), drop)
  })

  it('holds when the clock goes back, and forgives at most one full bucket', () => {
    const limiter = limiterOf(limits)
    const spread = () => Array.from({ length: 300 }, (_, zone) => judge(limiter, '192.0.2.1', positive, zone))
    assert.equal(sentOf(spread()), 11)
    limiter.tick(startMs - 3_600_000)
    assert.equal(sentOf(spread()), 11)
  })
})

describe('a prefix of addresses', () => {
  it('is read with and without its length, and anything else is rejected', () => {
    const bitsOf = (text: string) => parseAddressPrefix(text)?.bits
    assert.deepEqual(
      ['192.0.2.0/24', '0.0.0.0/0', '192.0.2.1', '2001:db8::/32', '::1'].map(bitsOf),
      [24, 0, 32, 32, 128],
    )
    assert.deepEqual(
      ['::ffff:192.0.2.0/120', '::ffff:192.0.2.1', '::ffff:0:0/96', '::/95'].map(bitsOf),
      [24, 32, 0, 95],
    )
    const wrong = [
      '',
      '192.0.2.0/33',
      '::/129',
      '192.0.2/24',
      'example/8',
      '192.0.2.0/',
      '192.0.2.0/-1',
      'fe80::%eth0/64',
    ]
    assert.deepEqual(
      wrong.map(bitsOf),
      wrong.map(() => undefined),
    )
  })
})
