import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changeWords } from './change-words.ts'
import { dayInWords, inUnits } from './time.ts'

const zone = 'example.com'
const a = (ttl: number, ...records: string[]) => ({ ttl, records })

test('a change to a record set is described in words', () => {
  const cases: [before: ReturnType<typeof a> | null, after: ReturnType<typeof a> | null, expected: string][] = [
    [a(3_600, '192.0.2.1'), a(300, '192.0.2.1'), 'changed the TTL of www A from 1 h to 5 min'],
    [null, a(300, '192.0.2.1'), 'added www A with 192.0.2.1'],
    [null, a(300, '192.0.2.1', '192.0.2.2'), 'added www A with 2 values'],
    [a(300, '192.0.2.1'), null, 'deleted www A with 192.0.2.1'],
    [a(300, '192.0.2.1'), a(300, '192.0.2.2'), 'changed www A from 192.0.2.1 to 192.0.2.2'],
    [a(300, '192.0.2.1'), a(300, '192.0.2.1', '192.0.2.2'), 'added 192.0.2.2 to www A'],
    [a(300, '192.0.2.1', '192.0.2.2'), a(300, '192.0.2.2'), 'removed 192.0.2.1 from www A'],
    [
      a(60, '192.0.2.1'),
      a(86_400, '192.0.2.2'),
      'changed www A from 192.0.2.1 to 192.0.2.2, and changed its TTL from 1 min to 1 day',
    ],
  ]
  for (const [before, after, expected] of cases)
    assert.equal(changeWords({ name: 'www.example.com', type: 'A', before, after }, zone), expected)
  const mail = { name: zone, type: 'MX', before: null, after: a(60, '10 xn--bcher-kva.example.') }
  assert.equal(changeWords(mail, zone), 'added @ MX with 10 bücher.example.')
})

test('the middle of a long value is omitted', () => {
  const after = a(60, `"v=DKIM1; p=${'A'.repeat(400)}"`)
  const words = changeWords({ name: `k._domainkey.${zone}`, type: 'TXT', before: null, after }, zone)
  assert.match(words, /^added k\._domainkey TXT with "v=DKIM1; p=A+…A+"$/)
  assert.ok(words.length < 100)
})

test('durations and days are written as people say them', () => {
  for (const [seconds, words] of [
    [30, '30 s'],
    [5_400, '1 h 30 min'],
    [172_800, '2 days'],
    [0, '0 s'],
  ] as const)
    assert.equal(inUnits(seconds), words)
  const now = new Date(2026, 10, 29, 9, 0)
  const at = (day: number, hour: number) => dayInWords(new Date(2026, 10, day, hour).toISOString(), now.getTime())
  assert.deepEqual(
    [at(29, 0), at(28, 23), at(28, 0), at(27, 23)],
    ['Today', 'Yesterday', 'Yesterday', 'Friday, 27 November 2026'],
  )
})
