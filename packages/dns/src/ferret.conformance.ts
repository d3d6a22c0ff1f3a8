import { test } from 'node:test'
import { lookup } from './lookup.ts'
import { assertAnsweredAsRecorded } from './recorded-answers.conformance.ts'
import { recordsOf } from './rrset.ts'
import { Zone } from './zone.ts'

test('every recorded question gets the answer that BIND, NSD, Knot or PowerDNS gave', () => {
  assertAnsweredAsRecorded(({ origin, rrsets }, { name, type }) => {
    const found = lookup(Zone.fromRrsets(origin, rrsets), name, type)
    return {
      ...found,
      answers: found.answers.flatMap(recordsOf),
      authorities: found.authorities.flatMap(recordsOf),
      additionals: found.additionals.flatMap(recordsOf),
    }
  })
})
