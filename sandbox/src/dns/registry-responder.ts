import { setTimeout as delay } from 'node:timers/promises'
import {
  buildResponse,
  type Message,
  parseMessage,
  parseName,
  parseRdata,
  Rcode,
  type Rrset,
  RrType,
  recordsOf,
  responseTo,
  rootName,
  toWireRecord,
  type WireRecord,
} from '@zonewright/dns'
import type { Behaviours } from '../behaviours.ts'
import { mostBytesFor, ourEdns } from './answer-size.ts'
import type { Behaviour } from './behaviour.ts'
import type { Responder } from './dns-server.ts'
import type { RegistryZones } from './registry-zones.ts'

/** Responds authoritatively for the registry's zones, with referrals for the zones that it has delegated. It offers no recursion. */
export function registryResponder(zones: RegistryZones, behaviours: Behaviours<Behaviour>): Responder {
  return async (wire, transport) => {
    const query = parseMessage(wire)
    const [question] = query.questions
    if (query.qr || question === undefined) return undefined
    const behaviour = behaviours.take(question.name.slice(0, -1)) ?? {}
    if (behaviour.silent) return undefined
    if (behaviour.delayMs !== undefined) await delay(behaviour.delayMs)
    if (behaviour.truncate && transport === 'udp') return buildResponse(wire, responseTo(query, { tc: true }))
    return buildResponse(wire, answerTo(zones, query, behaviour), { maxSize: mostBytesFor(query, transport) })
  }
}

function answerTo(zones: RegistryZones, query: Message, behaviour: Behaviour): Message {
  const isSigned = query.edns?.dnssecOk ?? false
  const edns = query.edns && { ...ourEdns, dnssecOk: isSigned }
  const [question] = query.questions
  if (behaviour.rcode !== undefined) return responseTo(query, { rcode: behaviour.rcode, edns })
  if (behaviour.lame) return responseTo(query, { authorities: wired([rootReferral]), edns })
  const found = question && zones.lookup(question.name, question.type, isSigned)
  if (found === undefined) return responseTo(query, { rcode: Rcode.REFUSED, edns })
  return responseTo(query, {
    aa: found.aa,
    // RFC 4035 §3.1.6.
    cd: false,
    rcode: found.rcode,
    answers: wired(found.answers),
    authorities: wired(found.authorities),
    additionals: wired(found.additionals),
    edns,
  })
}

const rootReferral: Rrset = {
  name: rootName,
  type: RrType.NS,
  ttl: 5,
  data: [parseRdata(RrType.NS, parseName('a.root-servers.example.'))],
}

function wired(rrsets: readonly Rrset[]): WireRecord[] {
  return rrsets.flatMap(recordsOf).map(toWireRecord)
}
