import {
  buildResponse,
  DnsClass,
  DnsFault,
  type LookupResult,
  lookup,
  type Message,
  Opcode,
  parseMessage,
  type Question,
  Rcode,
  type Rrset,
  RrType,
  recordsOf,
  responseTo,
  TsigFault,
  type TsigKey,
  TsigSession,
  toWireRecord,
  tsigErrorResponse,
  type WireRecord,
} from '@zonewright/dns'
import type { Log } from './log.ts'
import type { NotifyHandler } from './notify.ts'
import { answerNotify } from './notify.ts'
import { reasonOf } from './startup-fault.ts'
import { hmac, tsigSize, unixSeconds } from './tsig.ts'
import type { ZoneTable } from './zone-table.ts'

export type Transport = 'udp' | 'tcp'

/** Answers one query; `undefined` where silence is right: shorter than a header, or itself an answer. */
export type Answer = (query: Uint8Array, transport: Transport) => Uint8Array | undefined

export interface ResponderParts {
  readonly zones: ZoneTable
  readonly log: Log
  /** The one key that signed queries are checked with; without it every signed query is NOTAUTH (BADKEY). */
  readonly key?: TsigKey
  /** Who hears of a signed NOTIFY; without it NOTIFY is refused. */
  readonly onNotify?: NotifyHandler
}

/** What our OPT says and no UDP answer exceeds: it passes every path unfragmented (RFC 9715). */
export const largestUdpBytes = 1232
const smallestUdpBytes = 512
const headerBytes = 12

/**
 * The responder: one message in, one out, no sockets and no waiting.
 *
 * Whatever comes in, something sensible goes out (RFC 8906): FORMERR to junk, NOTIMP to unknown opcodes, BADVERS
 * to an EDNS of the future, REFUSED outside our zones. A fault of our own is logged and answered SERVFAIL.
 */
export function createResponder(parts: ResponderParts): Answer {
  return (query, transport) => {
    if (query.length < headerBytes || isResponse(query)) return undefined
    try {
      return respond(parts, query, transport)
    } catch (error) {
      parts.log.error('query not answered', {
        reason: reasonOf(error),
        stack: error instanceof Error ? error.stack : '',
      })
      return headerOnly(query, Rcode.SERVFAIL)
    }
  }
}

function respond(parts: ResponderParts, wire: Uint8Array, transport: Transport): Uint8Array {
  const opcode = opcodeOf(wire)
  if (opcode !== Opcode.QUERY && opcode !== Opcode.NOTIFY) return headerOnly(wire, Rcode.NOTIMP)
  const query = parse(wire)
  if (!query) return headerOnly(wire, Rcode.FORMERR)
  if (query.edns && query.edns.version > 0) return finish(wire, query, transport, withRcode(query, Rcode.BADVERS))
  if (!query.tsig) return finish(wire, query, transport, compose(parts, query, false))

  const { key } = parts
  if (!key) return tsigErrorResponse(wire, new TsigFault(Rcode.BADKEY, 'No key is known here.'), unixSeconds())
  const session = new TsigSession(key, hmac)
  const fault = faultOf(session, wire)
  if (fault) return tsigErrorResponse(wire, fault, unixSeconds(), { key, hmac })
  const response = finish(wire, query, transport, compose(parts, query, true), tsigSize(key))
  return session.sign(response, unixSeconds())
}

function parse(wire: Uint8Array): Message | undefined {
  try {
    return parseMessage(wire)
  } catch (error) {
    if (error instanceof DnsFault) return undefined
    throw error
  }
}

function faultOf(session: TsigSession, wire: Uint8Array): TsigFault | undefined {
  try {
    session.verify(wire, unixSeconds())
    return undefined
  } catch (error) {
    if (error instanceof TsigFault) return error
    throw error
  }
}

function compose(parts: ResponderParts, query: Message, isSigned: boolean): Message {
  const [question, ...more] = query.questions
  if (!question || more.length > 0) return withRcode(query, Rcode.FORMERR)
  if (query.opcode === Opcode.NOTIFY) return withRcode(query, answerNotify(query, question, isSigned, parts.onNotify))
  if (!isAnswerable(question)) return withRcode(query, Rcode.REFUSED)
  const entry = parts.zones.find(question.name, question.type)
  if (!entry) return withRcode(query, Rcode.REFUSED)
  const isSoaOfZone = question.type === RrType.SOA && question.name === entry.origin
  if (entry.isPrivate && !isSigned && !isSoaOfZone) return withRcode(query, Rcode.REFUSED)
  if (!entry.zone) return withRcode(query, Rcode.SERVFAIL)
  return fromLookup(query, lookup(entry.zone, question.name, question.type))
}

/** Class IN only, so also no CHAOS; and zones are handed out to nobody, in whole or in part. */
function isAnswerable(question: Question): boolean {
  return question.class === DnsClass.IN && question.type !== RrType.AXFR && question.type !== RrType.IXFR
}

function fromLookup(query: Message, result: LookupResult): Message {
  return responseTo(query, {
    rcode: result.rcode,
    aa: result.aa,
    answers: toWire(result.answers),
    authorities: toWire(result.authorities),
    additionals: toWire(result.additionals),
  })
}

function toWire(rrsets: readonly Rrset[]): WireRecord[] {
  return rrsets.flatMap((rrset) => recordsOf(rrset).map(toWireRecord))
}

function withRcode(query: Message, rcode: number): Message {
  return responseTo(query, { rcode })
}

/** Puts our OPT beside the client's, and cuts the answer to what the client and the path can take. */
function finish(
  wire: Uint8Array,
  query: Message,
  transport: Transport,
  response: Message,
  reservedBytes = 0,
): Uint8Array {
  const { edns } = query
  const clientBytes = edns ? Math.max(edns.udpSize, smallestUdpBytes) : smallestUdpBytes
  const maxSize = transport === 'tcp' ? 65535 : Math.min(clientBytes, largestUdpBytes)
  // AD and CD mean nothing in an authoritative answer (RFC 4035 §3.1.6).
  const authoritative = { ...response, cd: false }
  const ours = edns && { udpSize: largestUdpBytes, version: 0, dnssecOk: edns.dnssecOk, options: [] }
  return buildResponse(wire, { ...authoritative, edns: ours }, { maxSize: maxSize - reservedBytes })
}

/** An answer for a query that was not read past its header: id, opcode and RD come back, all counts are 0. */
function headerOnly(query: Uint8Array, rcode: number): Uint8Array {
  const response = new Uint8Array(headerBytes)
  response.set(query.subarray(0, 2))
  const opcodeAndRd = (query[2] ?? 0) & 0x79
  response[2] = 0x80 | opcodeAndRd
  response[3] = rcode & 0x0f
  return response
}

function isResponse(wire: Uint8Array): boolean {
  return ((wire[2] ?? 0) & 0x80) !== 0
}

function opcodeOf(wire: Uint8Array): number {
  return ((wire[2] ?? 0) >> 3) & 0x0f
}
