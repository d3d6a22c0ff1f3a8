import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Rcode, RrType } from '@zonewright/dns'
import { CookieVerdict } from '../cookies/cookie-jar.ts'
import { LimitedBy } from '../rate-limit/rate-limiter.ts'
import { heapGrowth } from '../testing/heap-growth.ts'
import { CountedDoor, Counters, CounterTotals, LimitedTo, Silence } from './counters.ts'
import { expositionOf } from './exposition.ts'

/** The values on the metrics page, by the text before the space. */
function figuresOf(shared: SharedArrayBuffer): Map<string, number> {
  const lines = expositionOf(new CounterTotals(shared).families()).split('\n')
  const figures = lines.filter((line) => line !== '' && !line.startsWith('#')).map((line) => line.split(' '))
  return new Map(figures.map(([name = '', value]) => [name.replace('zonewright_nameserver_', ''), Number(value)]))
}

describe('the counters', () => {
  it('are summed over all threads', () => {
    const shared = Counters.allocate(3)
    for (const thread of [0, 1, 2]) {
      const counters = new Counters(shared, thread)
      counters.query(CountedDoor.fast, RrType.A)
      counters.response(Rcode.NXDOMAIN)
    }
    const figures = figuresOf(shared)
    assert.equal(figures.get('queries_total{door="fast",type="A"}'), 3)
    assert.equal(figures.get('responses_total{rcode="NXDOMAIN"}'), 3)
  })

  it('are separate for each door, type, response code and other label', () => {
    const shared = Counters.allocate(1)
    const counters = new Counters(shared, 0)
    counters.query(CountedDoor.portable, RrType.ANY)
    counters.query(CountedDoor.tcp, RrType.CAA)
    counters.query(CountedDoor.tcp, 65400)
    counters.query(CountedDoor.tcp, 0)
    counters.response(Rcode.NOERROR)
    counters.response(Rcode.BADVERS)
    counters.response(Rcode.BADCOOKIE)
    counters.response(0xfff)
    counters.truncated()
    counters.silent(Silence.notAQuery)
    counters.silent(Silence.sendFault)
    counters.limited(LimitedBy.zone, LimitedTo.badCookie)
    counters.limited(LimitedBy.prefix, LimitedTo.truncated)
    counters.limited(LimitedBy.prefix, LimitedTo.silence)
    counters.cookie(CookieVerdict.malformed)
    const counted = [...figuresOf(shared)].filter(([, value]) => value > 0)
    assert.deepEqual(counted, [
      ['queries_total{door="portable",type="ANY"}', 1],
      ['queries_total{door="tcp",type="other"}', 2],
      ['queries_total{door="tcp",type="CAA"}', 1],
      ['responses_total{rcode="NOERROR"}', 1],
      ['responses_total{rcode="BADVERS"}', 1],
      ['responses_total{rcode="BADCOOKIE"}', 1],
      ['responses_truncated_total', 1],
      ['queries_unanswered_total{reason="not_a_query"}', 1],
      ['queries_unanswered_total{reason="send_fault"}', 1],
      ['rate_limited_total{by="zone",sent="badcookie"}', 1],
      ['rate_limited_total{by="prefix",sent="silence"}', 1],
      ['rate_limited_total{by="prefix",sent="truncated"}', 1],
      ['cookies_total{verdict="malformed"}', 1],
    ])
  })

  it('continue when their thread starts again', () => {
    const shared = Counters.allocate(2)
    for (let life = 0; life < 3; life++) new Counters(shared, 1).truncated()
    assert.equal(figuresOf(shared).get('responses_truncated_total'), 3)
  })

  it('allocate nothing for a query', () => {
    const counters = new Counters(Counters.allocate(1), 0)
    const run = () => {
      for (let count = 0; count < 100_000; count++) {
        counters.query(CountedDoor.fast, count & 0xff)
        counters.response(count & 3)
      }
    }
    assert.ok(heapGrowth(run) < 500_000)
  })
})
