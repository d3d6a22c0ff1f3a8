import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildMessage, extendedErrorsOf, type Message, parseMessage, Rcode } from '@zonewright/dns'
import { clientEdns, question } from '#testing/dns-door/test-door.ts'
import { type Verdict, verdictResponse } from './response.ts'

/** An answer without records to a query. */
function answerTo(query: Partial<Message>, verdict: Verdict): { wire: Uint8Array; message: Message } {
  const wire = buildMessage({ ...query, id: 7 })
  const answer = verdictResponse(wire, parseMessage(wire), verdict)
  return { wire: answer, message: parseMessage(answer) }
}

const withEdns = { ...question('www.example.com.', 'A'), edns: clientEdns }
const reasonOf = (reason: string): string | undefined =>
  extendedErrorsOf(answerTo(withEdns, { rcode: Rcode.REFUSED, reason }).message.edns)[0]?.text

test('a reason has at most 200 bytes, and no partial character', () => {
  assert.equal(reasonOf('Too long.'), 'Too long.')
  assert.equal(reasonOf('x'.repeat(200)), 'x'.repeat(200))
  assert.equal(reasonOf('x'.repeat(201)), `${'x'.repeat(197)}…`)
  for (let before = 190; before <= 200; before++) {
    const cut = reasonOf(`${'x'.repeat(before)}${'ü€😀'.repeat(10)}`) ?? ''
    assert.match(cut, /^x+[ü€😀]*…$/u)
    assert.ok(Buffer.byteLength(cut) <= 200)
  }
})

test('a client without EDNS gets no OPT, and only the lower bits of a code that needs one', () => {
  const { wire, message } = answerTo(question('www.example.com.', 'A'), {
    rcode: Rcode.REFUSED,
    reason: 'x'.repeat(300),
  })
  assert.deepEqual([message.rcode, message.edns], [Rcode.REFUSED, undefined])
  assert.ok(wire.length <= 512)
  assert.equal(answerTo(question('www.example.com.', 'A'), { rcode: Rcode.BADVERS }).message.rcode, 0)
  assert.equal(answerTo(withEdns, { rcode: Rcode.BADVERS }).message.rcode, Rcode.BADVERS)
})
