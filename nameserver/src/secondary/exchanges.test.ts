import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildMessage, parseName, soaQuery, TsigFault, TsigSession } from '@zonewright/dns'
import { testKey } from '../testing/scripted-primary.ts'
import { hmac, unixSeconds } from '../tsig.ts'
import { Exchanges, type ExchangeTimes } from './exchanges.ts'

const origin = parseName('example.test.')
const unlimited: ExchangeTimes = { silentMs: 60_000, turnMs: 60_000, longestExchangeMs: 60_000 }

/** Sends a query whose response has the given number of messages. `sign` and `leaveUnsigned` create the next message. */
function ask(exchanges: Exchanges, messages = 1) {
  let id = 0
  let query = new Uint8Array()
  let left = messages
  const answered = exchanges.begin(
    (given) => {
      id = given
      return soaQuery(given, origin)
    },
    () => (--left === 0 ? 'answered' : undefined),
    (wire) => {
      query = new Uint8Array(wire)
    },
  )
  const primary = new TsigSession(testKey, hmac)
  primary.verify(query, unixSeconds())
  const leaveUnsigned = () => buildMessage(soaQuery(id, origin))
  return { id, answered, leaveUnsigned, sign: () => primary.sign(leaveUnsigned(), unixSeconds()) }
}

test('an answer is accepted only if its last message is signed, whichever other messages are signed', async () => {
  const exchanges = new Exchanges(testKey, unlimited)
  const whole = ask(exchanges, 2)
  for (let message = 0; message < 2; message += 1) exchanges.receive(whole.sign())
  assert.equal(await whole.answered, 'answered')

  const cut = ask(exchanges, 3)
  exchanges.receive(cut.sign())
  for (let message = 0; message < 2; message += 1) exchanges.receive(cut.leaveUnsigned())
  await assert.rejects(cut.answered, (error) => error instanceof TsigFault && /not signed/.test(error.message))
})

test('late messages for a failed exchange are dropped, and no others', async () => {
  const exchanges = new Exchanges(testKey, unlimited)
  const failed = ask(exchanges)
  assert.equal(exchanges.receive(failed.leaveUnsigned()), true)
  await assert.rejects(failed.answered, TsigFault)
  assert.equal(exchanges.receive(failed.sign()), true)
  const unasked = buildMessage(soaQuery((failed.id + 1) & 0xffff, origin))
  assert.equal(exchanges.receive(unasked), false)
  exchanges.failAll(() => new Error('the connection is gone'))
  assert.equal(exchanges.receive(failed.sign()), false, 'the next connection starts afresh')
})

test('the id of a failed exchange is not reused on its connection', async () => {
  const exchanges = new Exchanges(testKey, unlimited)
  const failed = ask(exchanges)
  exchanges.receive(failed.leaveUnsigned())
  await assert.rejects(failed.answered)
  const answered = ask(exchanges)
  const others = Array.from({ length: 0xffff - 1 }, () =>
    exchanges.begin(
      (id) => soaQuery(id, origin),
      () => undefined,
      () => undefined,
    ),
  )
  exchanges.receive(answered.sign())
  await answered.answered
  const next = ask(exchanges)
  assert.equal(next.id, answered.id, 'the only one that is free')
  exchanges.failAll(() => new Error('the connection is gone'))
  const ended = await Promise.allSettled([next.answered, ...others])
  assert.ok(ended.every(({ status }) => status === 'rejected'))
})

test('an exchange that takes too long fails, even if messages keep arriving', async () => {
  const exchanges = new Exchanges(testKey, { ...unlimited, longestExchangeMs: -1 })
  const endless = ask(exchanges, 1_000)
  exchanges.receive(endless.sign())
  exchanges.failOverdue()
  assert.equal(exchanges.size, 0)
  await assert.rejects(endless.answered, /does not end/)
})

test('an answer that keeps arriving is not overdue, however long it takes in total; one that stops is', async (test) => {
  let nowMs = 0
  test.mock.method(performance, 'now', () => nowMs)
  const exchanges = new Exchanges(testKey, { ...unlimited, silentMs: 100 })
  const long = ask(exchanges, 5)
  for (let message = 1; message < 5; message += 1) {
    nowMs += 80
    exchanges.failOverdue()
    exchanges.receive(long.sign())
  }
  nowMs += 80
  exchanges.failOverdue()
  exchanges.receive(long.sign())
  assert.equal(await long.answered, 'answered')

  const stopped = ask(exchanges, 2)
  exchanges.receive(stopped.sign())
  nowMs += 101
  exchanges.failOverdue()
  await assert.rejects(stopped.answered, /no answer/)
})
