import {
  bareAnswer,
  buildResponse,
  checkRequest,
  DnsClass,
  type Edns,
  type Message,
  Opcode,
  Rcode,
  RrType,
  responseTo,
  toWireRecord,
  tryParseMessage,
  tsigErrorResponse,
} from '@zonewright/dns'
import { sendDifferences, sendWhole } from './send-transfer.ts'
import {
  type AnswerParts,
  answerWith,
  ednsFor,
  largestUdpBytes,
  RequesterGone,
  type SignedQuery,
  type Transport,
} from './signed-query.ts'
import { hmac, tsigBytes, unixSeconds } from './tsig.ts'

const headerBytes = 12
const smallestUdpBytes = 512

/** The sender of a query, which may be anyone. */
export interface Requester {
  /** Resolves when there is room for the next message. Throws RequesterGone. */
  readonly send: (wire: Uint8Array) => Promise<void>
  /** Called before anything is sent if the query is signed with our key: a transfer may take a long time. */
  readonly known?: () => void
}

/**
 * Answers one query of a secondary: SOA, IXFR or AXFR, of the live zones and the catalog. The query must be signed with one of
 * our keys: an unsigned query is REFUSED, a wrongly signed one NOTAUTH (RFC 8945 §5.2).
 *
 * Resolves once everything is sent. A transfer that cannot be finished ends with SERVFAIL as its last message (RFC 5936 §2.2),
 * because all zones share the connection. Throws what `send` throws.
 */
export async function answerQuery(
  parts: AnswerParts,
  wire: Uint8Array,
  transport: Transport,
  requester: Requester,
): Promise<void> {
  // Too short for an answer, or itself an answer: not answered.
  if (wire.length < headerBytes || ((wire[2] ?? 0) & 0x80) !== 0) return
  const message = tryParseMessage(wire)
  if (message === undefined) await refuse(parts, requester.send, bareAnswer(wire, Rcode.FORMERR))
  else if (message.tsig === undefined) await refuse(parts, requester.send, answerWith(wire, message, Rcode.REFUSED))
  else await answerSigned(parts, wire, message, transport, requester)
}

async function refuse(parts: AnswerParts, send: (wire: Uint8Array) => Promise<void>, answer: Uint8Array) {
  parts.figures.transfers.inc({ kind: 'refused' })
  await send(answer)
}

async function answerSigned(
  parts: AnswerParts,
  wire: Uint8Array,
  message: Message,
  transport: Transport,
  { send, known }: Requester,
): Promise<void> {
  const { key, session, fault } = checkRequest(parts.keys, hmac, wire, unixSeconds())
  if (fault !== undefined) {
    await refuse(parts, send, tsigErrorResponse(wire, fault, unixSeconds(), { key, hmac }))
    return
  }
  if (key !== parts.keys[0]) parts.figures.fallbackQueries.inc()
  known?.()
  const sendSigned = (answer: Uint8Array): Promise<void> => send(session.sign(answer, unixSeconds()))
  const origin = message.questions[0]?.name
  const rcode = faultIn(message)
  if (origin === undefined || rcode !== undefined) {
    await refuse(parts, sendSigned, answerWith(wire, message, rcode ?? Rcode.FORMERR))
    return
  }
  const maxUdpBytes = udpBytes(message.edns) - tsigBytes(key)
  try {
    await answerZone(parts, { wire, message, origin, transport, send: sendSigned, maxUdpBytes })
  } catch (error) {
    parts.figures.transfers.inc({ kind: 'failed' })
    if (error instanceof RequesterGone) throw error
    parts.log.warn({ err: error, zone: origin }, 'a secondary could not be answered')
    await sendSigned(answerWith(wire, message, Rcode.SERVFAIL))
  }
}

async function answerZone(parts: AnswerParts, query: SignedQuery): Promise<void> {
  const type = query.message.questions[0]?.type
  if (type === RrType.AXFR && query.transport === 'tcp') return sendWhole(parts, query, 'axfr')
  if (type === RrType.IXFR) return sendDifferences(parts, query)
  const soa = type === RrType.SOA ? await parts.source.soa(query.origin) : undefined
  if (soa === undefined) return refuse(parts, query.send, answerWith(query.wire, query.message, refusalOf(type)))
  parts.figures.transfers.inc({ kind: 'soa' })
  const answer = responseTo(query.message, { aa: true, answers: [toWireRecord(soa)], edns: ednsFor(query.message) })
  await query.send(buildResponse(query.wire, answer))
}

/** Not our zone (RFC 5936 §2.2.1), or a query that a hidden primary does not answer, such as AXFR over UDP. */
function refusalOf(type: number | undefined): number {
  return type === RrType.SOA ? Rcode.NOTAUTH : Rcode.REFUSED
}

/** What is wrong with a query that is signed correctly; undefined: nothing. */
function faultIn(message: Message): number | undefined {
  if (message.edns !== undefined && message.edns.version > 0) return Rcode.BADVERS
  if (message.opcode !== Opcode.QUERY) return Rcode.NOTIMP
  if (message.questions.length !== 1) return Rcode.FORMERR
  return message.questions[0]?.class === DnsClass.IN ? undefined : Rcode.REFUSED
}

function udpBytes(edns: Edns | undefined): number {
  return Math.min(Math.max(edns?.udpSize ?? 0, smallestUdpBytes), largestUdpBytes)
}
