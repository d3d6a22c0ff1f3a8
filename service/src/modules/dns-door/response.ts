import {
  buildResponse,
  type Edns,
  extendedErrorOption,
  InfoCode,
  type Message,
  Rcode,
  type Rrset,
  recordsOf,
  responseTo,
  toWireRecord,
} from '@zonewright/dns'
import { ednsFor, largestUdpBytes } from '#modules/primary/index.ts'

/** The result of a message: a response code, and for people the reason. */
export interface Verdict {
  readonly rcode: number
  /** A sentence. Only clients that use EDNS get it (RFC 6891 §7, RFC 8914 §3). */
  readonly reason?: string | undefined
}

/** Without EDNS, a UDP answer has at most 512 bytes (RFC 1035 §4.2.1). */
const smallestUdpBytes = 512

/** Bytes of a reason. With it, the answer fits into the smallest UDP packet: the rest is a header, a question, the OPT and the TSIG. */
const mostReasonBytes = 200

/** The largest UDP answer that a client takes, in bytes. */
export function udpBytesFor({ edns }: Message): number {
  return Math.min(Math.max(edns?.udpSize ?? 0, smallestUdpBytes), largestUdpBytes)
}

/** An answer without records. */
export function verdictResponse(wire: Uint8Array, message: Message, { rcode, reason }: Verdict): Uint8Array {
  const edns = ednsFor(message)
  const withReason: Edns | undefined = edns && {
    ...edns,
    options: reason === undefined ? [] : [extendedErrorOption({ infoCode: infoCodeOf(rcode), text: cut(reason) })],
  }
  // Without an OPT, a response has no room for the upper bits.
  return buildResponse(wire, responseTo(message, { rcode: edns ? rcode : rcode & 15, edns: withReason }))
}

/** The parts of an answer with records. */
export interface Found {
  readonly rcode?: number
  readonly aa?: boolean
  readonly answers?: readonly Rrset[]
  readonly authorities?: readonly Rrset[]
  readonly additionals?: readonly Rrset[]
}

/** An answer with records, truncated to `maxSize` bytes. */
export function foundResponse(wire: Uint8Array, message: Message, found: Found, maxSize?: number): Uint8Array {
  const { rcode = Rcode.NOERROR, aa = true } = found
  const section = (rrsets: readonly Rrset[] = []) => rrsets.flatMap((rrset) => [...recordsOf(rrset)].map(toWireRecord))
  const answer = responseTo(message, {
    rcode,
    aa,
    answers: section(found.answers),
    authorities: section(found.authorities),
    additionals: section(found.additionals),
    edns: ednsFor(message),
  })
  return buildResponse(wire, answer, maxSize === undefined ? {} : { maxSize })
}

function infoCodeOf(rcode: number): number {
  if (rcode === Rcode.REFUSED) return InfoCode.PROHIBITED
  if (rcode === Rcode.NOTAUTH) return InfoCode.NOT_AUTHORITATIVE
  if (rcode === Rcode.SERVFAIL) return InfoCode.NOT_READY
  return InfoCode.OTHER
}

/** Shortens a text to `mostReasonBytes`, without splitting a character. */
function cut(text: string): string {
  const bytes = Buffer.from(text)
  if (bytes.length <= mostReasonBytes) return text
  return `${bytes
    .subarray(0, mostReasonBytes - 3)
    .toString('utf8')
    .replace(/\uFFFD*$/, '')}…`
}
