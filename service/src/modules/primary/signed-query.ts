import { buildResponse, type DomainName, type Edns, type Message, responseTo, type TsigKey } from '@zonewright/dns'
import type { Logger } from '#platform/log.ts'
import type { PrimaryFigures } from './figures.ts'
import type { TransferSource } from './rules.ts'
import type { TransferTurns } from './transfer-turns.ts'

export type Transport = 'udp' | 'tcp'

/** Passes every path unfragmented (RFC 9715). */
export const largestUdpBytes = 1232

export interface AnswerParts extends TransferParts {
  /** The first one is TSIG_KEY. */
  readonly keys: readonly [TsigKey, ...TsigKey[]]
  readonly log: Logger
  readonly figures: PrimaryFigures
}

/** What transfers are sent with. */
export interface TransferParts {
  readonly source: TransferSource
  readonly turns: TransferTurns
  readonly figures: Pick<PrimaryFigures, 'transfers'>
  /** Called when everything of a zone was sent to a secondary, which will serve it in a moment. */
  readonly onServed: (origin: DomainName) => void
}

/** The requester is gone before the end of its answer: not an error of the answer. */
export class RequesterGone extends Error {
  override readonly name = 'RequesterGone'
}

/** A query with a valid signature, and the way to send its answer. */
export interface SignedQuery {
  readonly wire: Uint8Array
  readonly message: Message
  readonly origin: DomainName
  readonly transport: Transport
  /** Signs one message of the answer and sends it; resolves when there is room for the next. Throws RequesterGone. */
  readonly send: (answer: Uint8Array) => Promise<void>
  /** Longest UDP answer before signing, in bytes. */
  readonly maxUdpBytes: number
  /** Whose query it is; owners take turns with transfers of whole zones. Left out: all are of one. */
  readonly owner?: string
}

/** An answer without records. */
export function answerWith(wire: Uint8Array, message: Message, rcode: number): Uint8Array {
  return buildResponse(wire, responseTo(message, { rcode, edns: ednsFor(message) }))
}

/** Our OPT, where the query has one (RFC 6891 §6.1.1). */
export function ednsFor(message: Message): Edns | undefined {
  return message.edns && { udpSize: largestUdpBytes, version: 0, dnssecOk: false, options: [] }
}
