import { test } from 'node:test'
import { lookup } from './lookup.ts'
import { rdataToText } from './rdata.ts'
import { assertAnsweredAsRecorded } from './recorded-answers.conformance.ts'
import type { Rrset } from './rrset.ts'
import { typeToText } from './type.ts'
import { Zone } from './zone.ts'

test('every recorded question is answered as BIND, NSD, Knot or PowerDNS answered it', () => {
  assertAnsweredAsRecorded(({ origin, rrsets }, { name, type }) => {
    const found = lookup(Zone.fromRrsets(origin, rrsets), name, type)
    return {
      rcode: found.rcode,
      aa: found.aa,
      answers: linesOf(found.answers),
      authorities: linesOf(found.authorities),
      additionals: linesOf(found.additionals),
    }
  })
})

function linesOf(rrsets: readonly Rrset[]): string[] {
  const lineOf = ({ name, ttl, type }: Rrset, data: Uint8Array) =>
    `${name} ${ttl} ${typeToText(type)} ${rdataToText(type, data)}`
  return rrsets.flatMap((rrset) => rrset.data.map((data) => lineOf(rrset, data))).sort()
}
