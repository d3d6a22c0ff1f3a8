import assert from 'node:assert/strict'
import { test } from 'node:test'
import { siteOf } from '#platform/network-of.ts'
import { countersOf, type Delays, delayS, guessDelays } from './guess-rules.ts'

const dayS = 24 * 60 * 60

/** How many guesses are evaluated if someone makes one whenever the delay allows it, in total and on each day. */
function guessesByDay(delays: Delays, days: number): number[] {
  const counts = new Array<number>(days).fill(0)
  for (let atS = 0, failures = 0; atS < days * dayS; ) {
    counts[Math.floor(atS / dayS)] = (counts[Math.floor(atS / dayS)] ?? 0) + 1
    failures++
    const waitS = delayS(delays, failures)
    atS += waitS
    failures *= 0.5 ** (waitS / dayS)
  }
  return counts
}

test('the first failures are free; then the delay doubles up to its maximum', () => {
  const { pair } = guessDelays['sign-in']
  const delays = Array.from({ length: 24 }, (_, failures) => delayS(pair, failures))
  assert.deepEqual(delays.slice(0, 10), new Array(10).fill(0))
  assert.deepEqual(delays.slice(10), [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900, 900])
  assert.equal(delayS(pair, 1_000_000), 900)
})

test('a whole account is delayed later and by less, so that its owner can sign in from elsewhere', () => {
  const { account, pair } = guessDelays['sign-in']
  assert.deepEqual(
    [199, 200, 399, 400, 600, 800, 1_000, 1_200, 1_400, 9_999].map((n) => delayS(account, n)),
    [0, 1, 1, 2, 4, 8, 16, 32, 60, 60],
  )
  // Someone who guesses from fewer networks than this cannot keep up the account's delay.
  assert.equal(pair.mostS / account.mostS, 15)
})

test('the delays allow as many guesses a day as the documentation states', () => {
  const { 'sign-in': password, code, 'backup-code': backupCode } = guessDelays
  const within = (delays: Delays, days = 1) => guessesByDay(delays, days)
  assert.deepEqual(within(password.pair, 3), [114, 96, 96])
  assert.deepEqual(within(password.device, 3), [114, 96, 96])
  assert.deepEqual(within(password.account, 3), [2_717, 1_440, 1_440])
  assert.deepEqual(within(password.network, 2), [1_792, 1_440])
  assert.deepEqual(within(code.account, 4), [75, 32, 31, 31])
  assert.deepEqual(within(code.device, 3), [39, 24, 24])
  assert.deepEqual(within(backupCode.pair, 2), [109, 96])
  // Three of the 10^6 possible codes are right: the codes of this period and its two neighbors.
  const guesses = within(code.account, 90).reduce((sum, each) => sum + each, 0)
  assert.ok((guesses * 3) / 1_000_000 < 0.01, `${guesses} guesses of codes in 90 days`)
})

test('a known device has only its own delays, and everyone else has those of the network and the account', () => {
  const at = { subject: 'a', address: '192.0.2.1' }
  const scopes = (kind: 'sign-in' | 'password' | 'code' | 'backup-code', device?: string) =>
    countersOf(kind, { ...at, device }).map(({ scope, subject, source }) => `${scope} ${subject} ${source}`)
  assert.deepEqual(scopes('sign-in'), ['network  192.0.2.1', 'account a ', 'pair a 192.0.2.1'])
  assert.deepEqual(scopes('code'), ['network  192.0.2.1', 'account a ', 'pair a 192.0.2.1'])
  assert.deepEqual(scopes('password'), ['account a ', 'pair a 192.0.2.1'])
  assert.deepEqual(scopes('backup-code'), ['network  192.0.2.1', 'pair a 192.0.2.1'])
  for (const kind of ['sign-in', 'password', 'code', 'backup-code'] as const)
    assert.deepEqual(scopes(kind, 'd'), ['device a device d'])
})

test('all networks of an IPv6 site count together; each IPv4 address counts separately', () => {
  for (const same of ['2001:db8:0:ffff::1', '2001:DB8::9', '2001:db8:0:1::/64', '2001:db8:0:1:ffff:ffff:ffff:ffff'])
    assert.equal(siteOf(same), siteOf('2001:db8:0:1::1'), same)
  for (const other of ['2001:db8:1:1::1', '2001:db9:0:1::1', '::1', '192.0.2.1', ''])
    assert.notEqual(siteOf(other), siteOf('2001:db8:0:1::1'), other)
  for (const [address, site] of [
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['', ''],
    ['device x', 'device x'],
  ])
    assert.equal(siteOf(address ?? ''), site)
})
