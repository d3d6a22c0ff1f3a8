import {
  buildResponse,
  checkRequest,
  extendedErrorOption,
  InfoCode,
  type Message,
  Opcode,
  type Question,
  Rcode,
  responseTo,
  TsigFault,
  type TsigKey,
  tryParseMessage,
  tsigErrorResponse,
} from '@zonewright/dns'
import type { Log } from '../log.ts'
import { answerNotify, type NotifyHandler } from '../notify.ts'
import { hmac, tsigSize, unixSeconds } from '../tsig.ts'
import { FaultLog } from './fault-log.ts'
import { headerBytes } from './query.ts'
import {
  type Client,
  largestTcpBytes,
  largestUdpBytes,
  oddQuery,
  TableResponder,
  type TableResponderParts,
  type Transport,
} from './table-responder.ts'

export interface ResponderParts extends TableResponderParts {
  readonly log: Log
  /** The keys that signed queries are checked with; without any, every signed query is NOTAUTH (BADKEY). */
  readonly keys?: readonly [TsigKey, ...TsigKey[]] | undefined
  /** Called for a signed NOTIFY; without it NOTIFY is refused. */
  readonly onNotify?: NotifyHandler | undefined
}

/**
 * The responder: one message in, one out, in place; no sockets and no waiting.
 *
 * Every message gets a sensible answer (RFC 8906): FORMERR for junk, NOTIMP for unknown opcodes, BADVERS
 * for a newer EDNS, REFUSED outside our zones. A bug is logged and answered SERVFAIL. A query that is not
 * ordinary, such as a signed one, is parsed in full, and then looked up in its plain form.
 */
export class Responder {
  readonly #parts: ResponderParts
  readonly #tables: TableResponder
  readonly #memory: Uint8Array
  readonly #faults: FaultLog

  constructor(parts: ResponderParts) {
    this.#parts = parts
    this.#tables = new TableResponder(parts)
    this.#memory = new Uint8Array(parts.packets.buffer, parts.packets.byteOffset, parts.packets.byteLength)
    this.#faults = new FaultLog(parts.log)
  }

  /** Sets the time, once for each batch of queries, in milliseconds since 1970. */
  tick(nowMs: number): void {
    this.#tables.tick(nowMs)
    this.#faults.tick(nowMs)
  }

  /**
   * Turns the packet of `length` bytes at `at` into its answer.
   *
   * @returns the length of the answer; 0 if no response may be sent, because the packet is shorter than a header, is itself a response, or exceeds
   * the rate limit.
   */
  respond(at: number, length: number, transport: Transport, client: Client): number {
    try {
      const answered = this.#tables.respond(at, length, transport, client)
      return answered === oddQuery ? this.#respondInFull(at, length, transport, client) : answered
    } catch (error) {
      this.#faults.note(error)
      return this.#headerOnly(at, Rcode.SERVFAIL)
    }
  }

  #respondInFull(at: number, length: number, transport: Transport, client: Client): number {
    const wire = this.#memory.slice(at, at + length)
    const opcode = ((wire[2] ?? 0) >> 3) & 0x0f
    if (opcode !== Opcode.QUERY && opcode !== Opcode.NOTIFY) return this.#headerOnly(at, Rcode.NOTIMP)
    const query = tryParseMessage(wire)
    const [question, ...more] = query?.questions ?? []
    // A query has one question (RFC 9619). A response does not repeat several questions, because it might not have room for all that fit into a
    // query.
    if (!query || !question || more.length > 0) return this.#headerOnly(at, Rcode.FORMERR)
    if (query.edns && query.edns.version > 0) return this.#put(at, this.#short(wire, query, Rcode.BADVERS), transport)
    if (!query.tsig) return this.#compose(at, wire, query, question, transport, client)

    const { keys } = this.#parts
    if (!keys) {
      const fault = new TsigFault(Rcode.BADKEY, 'No key is known here.')
      return this.#put(at, tsigErrorResponse(wire, fault, unixSeconds()), transport)
    }
    const { key, session, fault } = checkRequest(keys, hmac, wire, unixSeconds())
    if (fault) return this.#put(at, tsigErrorResponse(wire, fault, unixSeconds(), { key, hmac }), transport)
    const answered = this.#compose(at, wire, query, question, transport, client, tsigSize(key))
    return this.#put(at, session.sign(this.#memory.slice(at, at + answered), unixSeconds()), transport)
  }

  /** `signedBytes` is what a signature will add; 0 for a query that was not signed. */
  #compose(
    at: number,
    wire: Uint8Array,
    query: Message,
    question: Question,
    transport: Transport,
    client: Client,
    signedBytes = 0,
  ): number {
    const isSigned = signedBytes > 0
    if (query.opcode === Opcode.NOTIFY) {
      const rcode = answerNotify(query, question, isSigned, this.#parts.onNotify)
      return this.#put(at, this.#short(wire, query, rcode), transport)
    }
    const plain = buildResponse(wire, { ...query, answers: [], authorities: [], additionals: [], tsig: undefined })
    // Only a name that points into the header grows, and the bytes after the query belong to another packet.
    if (plain.length > wire.length) return this.#headerOnly(at, Rcode.FORMERR)
    this.#memory.set(plain, at)
    const answered = this.#tables.respond(at, plain.length, transport, client, isSigned, signedBytes)
    if (answered === oddQuery) throw new Error('a plain query is odd')
    return answered
  }

  /** A response without records. It has our OPT if the client sent one. */
  #short(wire: Uint8Array, query: Message, rcode: number): Uint8Array {
    this.#parts.counters?.response(rcode)
    // Only NOTIFY is refused here: an unsigned one (RFC 8914 §4.19).
    const options = rcode === Rcode.REFUSED ? [extendedErrorOption({ infoCode: InfoCode.PROHIBITED, text: '' })] : []
    const edns = query.edns && { ...query.edns, udpSize: largestUdpBytes, version: 0, options }
    return buildResponse(wire, { ...responseTo(query, { rcode }), edns }, { maxSize: largestUdpBytes })
  }

  /** An answer to a query that was not parsed past its header: id, opcode, RD and CD are returned, all counts are 0. */
  #headerOnly(at: number, rcode: number): number {
    this.#parts.counters?.response(rcode)
    this.#memory[at + 2] = 0x80 | ((this.#memory[at + 2] ?? 0) & 0x79)
    this.#memory[at + 3] = ((this.#memory[at + 3] ?? 0) & 0x10) | rcode
    this.#memory.fill(0, at + 4, at + headerBytes)
    return headerBytes
  }

  #put(at: number, message: Uint8Array, transport: Transport): number {
    const longest = transport === 'udp' ? largestUdpBytes : largestTcpBytes
    if (message.length > longest) throw new Error(`an answer has ${message.length} bytes`)
    this.#memory.set(message, at)
    return message.length
  }
}
