import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { buildMessage, type Message, OptionCode, optionOf, parseMessage, Rcode } from '@zonewright/dns'
import { CookieJar } from '../cookies/cookie-jar.ts'
import { SharedSecrets } from '../cookies/shared-secrets.ts'
import { Counters } from '../metrics/counters.ts'
import { Tables } from '../tables/tables.ts'
import { keptLog } from '../testing/kept-log.ts'
import { createAnswer } from './answer.ts'

const clientCookie = new Uint8Array(8).fill(0x24)
const client = new DataView(new ArrayBuffer(4))

function answerWithCookies() {
  const shared = CookieJar.allocate()
  new SharedSecrets(shared).set(new Uint8Array(16).fill(1))
  return createAnswer({
    segments: new Tables().segments,
    log: keptLog(),
    doors: { udp: 1, tcp: 2 },
    cookies: new CookieJar(shared),
    counters: new Counters(Counters.allocate(1), 0),
  })
}

/** A query without a question, with this cookie. */
function queryWith(cookie: Uint8Array | undefined): Uint8Array {
  const options = cookie ? [{ code: OptionCode.COOKIE, data: cookie }] : []
  return buildMessage({ id: 7, edns: { udpSize: 1232, version: 0, dnssecOk: false, options } })
}

describe('a query without a question, which requests a cookie (RFC 7873 §5.4)', () => {
  const answer = answerWithCookies()
  const ask = (cookie: Uint8Array | undefined): Message => {
    const wire = answer(queryWith(cookie), 'udp', client)
    assert.ok(wire)
    return parseMessage(wire)
  }

  it('gets a cookie with NOERROR and nothing else', () => {
    const message = ask(clientCookie)
    assert.equal(message.rcode, Rcode.NOERROR)
    assert.deepEqual([message.questions, message.answers, message.authorities], [[], [], []])
    const cookie = optionOf(message.edns, OptionCode.COOKIE)
    assert.equal(cookie?.length, 24)
    assert.deepEqual(cookie?.subarray(0, 8), clientCookie)
  })

  it('learns from the rcode whether its cookie is valid', () => {
    const cookie = optionOf(ask(clientCookie).edns, OptionCode.COOKIE) ?? new Uint8Array()
    assert.equal(ask(cookie).rcode, Rcode.NOERROR)
    const wrong = Uint8Array.from(cookie, (byte, index) => (index === 23 ? byte ^ 1 : byte))
    assert.equal(ask(wrong).rcode, Rcode.BADCOOKIE)
    assert.deepEqual(optionOf(ask(wrong).edns, OptionCode.COOKIE)?.length, 24)
  })

  it('gets FORMERR without a cookie, or with a malformed one', () => {
    assert.equal(ask(undefined).rcode, Rcode.FORMERR)
    assert.equal(ask(new Uint8Array(9)).rcode, Rcode.FORMERR)
  })
})
