import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseMessage, typeToText } from '@zonewright/dns'
import { assertAnsweredAsRecorded } from '@zonewright/dns/recorded-answers.conformance'
import { createAnswer } from '../responder/answer.ts'
import { queryFor } from '../testing/ask.ts'
import { keptLog } from '../testing/kept-log.ts'
import { Tables } from './tables.ts'

test('the tables answer every recorded question as BIND, NSD, Knot or PowerDNS answered it', () => {
  assertAnsweredAsRecorded(({ origin, rrsets }, { name, type }) => {
    const tables = new Tables({ segmentBytes: 2 ** 17 })
    tables.publish(origin, rrsets)
    const answer = createAnswer({ segments: tables.segments, log: keptLog(), doors: { udp: 1, tcp: 2 } })
    const wire = answer(queryFor(name, typeToText(type)), 'tcp', new DataView(new ArrayBuffer(4)))
    assert.ok(wire)
    return parseMessage(wire)
  })
})
