import { DnsClass, InfoCode, OptionCode, Rcode, RrType } from '@zonewright/dns'
import { type CookieJar, CookieVerdict, cookieOptionBytes } from '../cookies/cookie-jar.ts'
import type { FixedOption } from '../edns/fixed-option.ts'
import { type Counters, LimitedTo, Silence } from '../metrics/counters.ts'
import { AnswerKind, type RateLimiter, RateVerdict } from '../rate-limit/rate-limiter.ts'
import { noRef } from '../tables/layout.ts'
import { NameFinder } from '../tables/name-finder.ts'
import { Reply } from '../tables/reply.ts'
import { Resolver } from '../tables/resolver.ts'
import type { Segments } from '../tables/segments.ts'
import { optBytes, Query } from './query.ts'

/** The size in our OPT record, which no UDP answer exceeds: it passes every path unfragmented (RFC 9715). */
export const largestUdpBytes = 1232
export const largestTcpBytes = 65535

/** UDP queries may be forged and their answers must be short; neither applies to TCP. */
export type Transport = 'udp' | 'tcp'

/** What `TableResponder.respond` returns instead of a length. */
export const noAnswer = 0
/** The query needs to be parsed in full; nothing of it has been changed. */
export const oddQuery = -1

/** Optional parts around the answers. */
export interface Guards {
  readonly cookies?: CookieJar | undefined
  readonly limiter?: RateLimiter | undefined
  readonly counters?: Counters | undefined
  readonly nsid?: FixedOption | undefined
  /** Sent only over TCP. */
  readonly keepalive?: FixedOption | undefined
}

export interface TableResponderParts extends Guards {
  readonly segments: Segments
  /** The memory that contains the packets. Each has room for a response of 64 KiB over TCP, or 2 KiB over UDP. */
  readonly packets: DataView
  /** The offset at which `scratchBytes` of this memory are never used by packets. */
  readonly scratchAt: number
  /** Called when the tables have a segment that this thread has not been given yet. */
  readonly fetchSegments?: () => void
  /** A `CountedDoor` for UDP and one for TCP. */
  readonly doors: Readonly<Record<Transport, number>>
}

/** The client: an address of 4 or 16 bytes. */
export interface Client {
  readonly view: DataView
  at: number
  bytes: number
}

/**
 * Answers ordinary queries from the tables, in place. The packet becomes its own response, so that the id, the question and the case of its letters
 * stay. Uses no strings and allocates nothing.
 */
export class TableResponder {
  readonly #bytes: DataView
  readonly #query: Query
  readonly #finder: NameFinder
  readonly #reply: Reply
  readonly #resolver: Resolver
  readonly #cookies: CookieJar | undefined
  readonly #limiter: RateLimiter | undefined
  readonly #counters: Counters | undefined
  readonly #nsid: FixedOption | undefined
  readonly #keepalive: FixedOption | undefined
  readonly #doors: Readonly<Record<Transport, number>>
  #nowS = 0
  #cookie: number = CookieVerdict.none
  #isSigned = false

  constructor({ segments, packets, scratchAt, fetchSegments = () => {}, doors, ...guards }: TableResponderParts) {
    this.#bytes = packets
    this.#query = new Query(packets)
    this.#finder = new NameFinder(segments, packets, fetchSegments)
    this.#reply = new Reply(this.#finder)
    this.#resolver = new Resolver(this.#finder, this.#reply, scratchAt)
    this.#cookies = guards.cookies
    this.#limiter = guards.limiter
    this.#counters = guards.counters
    this.#nsid = guards.nsid
    this.#keepalive = guards.keepalive
    this.#doors = doors
  }

  /** Sets the time, once for each batch of queries, in milliseconds since 1970. */
  tick(nowMs: number): void {
    this.#nowS = Math.floor(nowMs / 1000)
    this.#limiter?.tick(nowMs)
  }

  /**
   * Turns the packet of `length` bytes at `at` into its answer.
   *
   * @param mayRead whether the client may read private zones.
   * @param reservedBytes are kept free at the end of the longest answer.
   * @returns the length of the answer, `noAnswer` if no response may be sent, or `oddQuery`.
   */
  respond(
    at: number,
    length: number,
    transport: Transport,
    client: Client,
    mayRead = false,
    reservedBytes = 0,
  ): number {
    const bytes = this.#bytes
    if (length < 12 || (bytes.getUint8(at + 2) & 0x80) !== 0) {
      this.#counters?.silent(Silence.notAQuery)
      return noAnswer
    }
    // The opcode; only QUERY is ordinary.
    if ((bytes.getUint8(at + 2) & 0x78) !== 0) return oddQuery
    const query = this.#query
    if (!query.read(at, length) || (query.isCookieOnly && this.#cookies === undefined)) return oddQuery
    this.#counters?.query(this.#doors[transport], query.type)
    this.#cookie = CookieVerdict.none
    this.#isSigned = reservedBytes > 0
    if (!query.hasEdns) return this.#answer(at, transport, client, mayRead, reservedBytes)
    if (query.ednsVersion !== 0) return this.#refuse(at, transport, client, Rcode.BADVERS)
    if (query.cookieAt !== 0 && this.#cookies !== undefined) {
      const { view, at: addressAt, bytes: size } = client
      this.#cookie = this.#cookies.inspect(bytes, query.cookieAt, query.cookieLength, view, addressAt, size, this.#nowS)
      this.#counters?.cookie(this.#cookie)
      if (this.#cookie === CookieVerdict.malformed) return this.#refuse(at, transport, client, Rcode.FORMERR)
      if (query.isCookieOnly) return this.#answerCookieOnly(at, transport, client)
    }
    return this.#answer(at, transport, client, mayRead, reservedBytes)
  }

  #answer(at: number, transport: Transport, client: Client, mayRead: boolean, reservedBytes: number): number {
    const query = this.#query
    const reply = this.#reply
    const isUdp = transport === 'udp'
    const mostBytes = isUdp ? Math.min(query.udpBytes, largestUdpBytes) : largestTcpBytes
    const end = at + mostBytes - reservedBytes - this.#ednsLength(transport)
    let zone: number = noRef
    // Only class IN is served, so CHAOS is not.
    const isIn = query.class === DnsClass.IN
    const refusal = isIn ? refusalOfType(query.type) : Rcode.REFUSED
    if (refusal !== Rcode.NOERROR) {
      reply.begin(at, query.questionEnd, end)
      reply.rcode = refusal
      if (refusal === Rcode.REFUSED) reply.infoCode = isIn ? InfoCode.PROHIBITED : InfoCode.NOT_AUTHORITATIVE
      reply.isAuthoritative = false
    } else {
      const finder = this.#finder
      finder.forget()
      do {
        finder.begin()
        reply.begin(at, query.questionEnd, end)
        zone = this.#resolver.resolve(at + 12, query.nameLength, query.type, mayRead, query.dnssecOk)
      } while (!finder.isSettled(zone))
    }
    if (isUdp && this.#limiter !== undefined && this.#mayBeForged()) {
      const verdict = this.#judge(this.#limiter, zone, client)
      if (verdict !== RateVerdict.send) return this.#limit(at, transport, this.#limiter, verdict)
    }
    if (reply.isTruncated) this.#counters?.truncated()
    return this.#finish(at, transport)
  }

  /** Answers with the correct cookie, and reports whether the one in the query was correct (RFC 7873 §5.4). */
  #answerCookieOnly(at: number, transport: Transport, client: Client): number {
    const isWrong = this.#cookie === CookieVerdict.invalid
    return this.#refuse(at, transport, client, isWrong ? Rcode.BADCOOKIE : Rcode.NOERROR)
  }

  /** An answer without records, counted against the rate limit of errors. */
  #refuse(at: number, transport: Transport, client: Client, rcode: number): number {
    if (transport === 'udp' && this.#limiter !== undefined && this.#mayBeForged()) {
      const verdict = this.#limiter.judge(AnswerKind.error, 0, client.view, client.at, client.bytes)
      if (verdict !== RateVerdict.send) return this.#limit(at, transport, this.#limiter, verdict)
    }
    return this.#finishEmpty(at, transport, rcode)
  }

  /** Whether the client's address is unproven: no valid cookie, and no signature with our key, which only the primary has. */
  #mayBeForged(): boolean {
    return this.#cookie !== CookieVerdict.valid && !this.#isSigned
  }

  #judge(limiter: RateLimiter, zone: number, { view, at, bytes }: Client): number {
    const reply = this.#reply
    const isError = reply.rcode !== Rcode.NOERROR && reply.rcode !== Rcode.NXDOMAIN
    if (isError || zone === noRef) return limiter.judge(AnswerKind.error, 0, view, at, bytes)
    const isNegative = reply.rcode === Rcode.NXDOMAIN || (reply.answers === 0 && reply.isAuthoritative)
    return limiter.judge(isNegative ? AnswerKind.negative : AnswerKind.positive, zone, view, at, bytes)
  }

  /**
   * Sends no more bytes than the query has, except for our cookie. A real client repeats the query with the cookie, or over TCP.
   *
   * A malformed cookie gets no cookie back, so the answer is truncated as if there were none.
   */
  #limit(at: number, transport: Transport, limiter: RateLimiter, verdict: number): number {
    if (verdict === RateVerdict.drop) {
      this.#counters?.limited(limiter.limitedBy, LimitedTo.silence)
      this.#counters?.silent(Silence.rateLimit)
      return noAnswer
    }
    this.#query.wantsNsid = false
    if (this.#bakesCookie()) {
      this.#counters?.limited(limiter.limitedBy, LimitedTo.badCookie)
      return this.#finishEmpty(at, transport, Rcode.BADCOOKIE)
    }
    this.#counters?.limited(limiter.limitedBy, LimitedTo.truncated)
    this.#emptyReply(at)
    this.#reply.isTruncated = true
    return this.#finish(at, transport)
  }

  #finishEmpty(at: number, transport: Transport, rcode: number): number {
    this.#emptyReply(at)
    this.#reply.rcode = rcode
    return this.#finish(at, transport)
  }

  #emptyReply(at: number): void {
    this.#reply.begin(at, this.#query.questionEnd, at + largestUdpBytes)
    this.#reply.isAuthoritative = false
  }

  /** Bytes of our OPT with its options. */
  #ednsLength(transport: Transport): number {
    if (!this.#query.hasEdns) return 0
    let length = optBytes
    if (this.#bakesCookie()) length += cookieOptionBytes
    if (this.#query.wantsNsid && this.#nsid !== undefined) length += this.#nsid.length
    if (this.#query.wantsKeepalive && this.#keepalive !== undefined && transport === 'tcp') {
      length += this.#keepalive.length
    }
    return length
  }

  #bakesCookie(): boolean {
    return this.#cookie !== CookieVerdict.none && this.#cookie !== CookieVerdict.malformed
  }

  /** Writes the header and our OPT. @returns the length of the answer. */
  #finish(at: number, transport: Transport): number {
    const bytes = this.#bytes
    const reply = this.#reply
    const { rcode } = reply
    const flags = 0x80 | (reply.isAuthoritative ? 0x04 : 0) | (reply.isTruncated ? 0x02 : 0)
    bytes.setUint8(at + 2, flags | (bytes.getUint8(at + 2) & 0x01))
    // AD is for resolvers that validate; CD is returned as received (RFC 4035 §3.1.6).
    bytes.setUint8(at + 3, (bytes.getUint8(at + 3) & 0x10) | (rcode & 0x0f))
    bytes.setUint16(at + 6, reply.answers)
    bytes.setUint16(at + 8, reply.authorities)
    bytes.setUint16(at + 10, reply.additionals + (this.#query.hasEdns ? 1 : 0))
    this.#counters?.response(rcode)
    if (!this.#query.hasEdns) return reply.next - at
    const opt = reply.next
    bytes.setUint8(opt, 0)
    bytes.setUint16(opt + 1, RrType.OPT)
    bytes.setUint16(opt + 3, largestUdpBytes)
    bytes.setUint8(opt + 5, rcode >>> 4)
    bytes.setUint8(opt + 6, 0)
    bytes.setUint16(opt + 7, this.#query.dnssecOk ? 0x8000 : 0)
    let next = opt + optBytes
    if (this.#bakesCookie() && this.#cookies !== undefined) next = this.#cookies.write(bytes, next)
    if (this.#query.wantsNsid && this.#nsid !== undefined) next = this.#nsid.write(bytes, next)
    if (this.#query.wantsKeepalive && this.#keepalive !== undefined && transport === 'tcp') {
      next = this.#keepalive.write(bytes, next)
    }
    if (reply.infoCode !== 0) {
      const end = reply.end + this.#ednsLength(transport)
      if (next + extendedErrorBytes <= end) next = writeExtendedError(bytes, next, reply.infoCode)
    }
    bytes.setUint16(opt + 9, next - opt - optBytes)
    return next - at
  }
}

/** The option of RFC 8914 without a text. */
const extendedErrorBytes = 6

/** Writes it. @returns where it ends. */
function writeExtendedError(bytes: DataView, at: number, infoCode: number): number {
  bytes.setUint16(at, OptionCode.EXTENDED_ERROR)
  bytes.setUint16(at + 2, 2)
  bytes.setUint16(at + 4, infoCode)
  return at + 6
}

/** The RCODE for a query type that no zone can contain, as BIND returns it. NOERROR means that the type is looked up, including ANY (RFC 8482). */
function refusalOfType(type: number): number {
  if ((type & 0xff80) !== firstMetaType && type !== RrType.OPT) return Rcode.NOERROR
  switch (type) {
    case RrType.ANY:
      return Rcode.NOERROR
    // Zone transfers are refused to everyone.
    case RrType.AXFR:
    case RrType.IXFR:
      return Rcode.REFUSED
    // Obsolete queries for mail records (RFC 1035 §3.2.3).
    case RrType.MAILA:
    case RrType.MAILB:
      return Rcode.NOTIMP
    default:
      return Rcode.FORMERR
  }
}

/** 128 to 255 are not types of records (RFC 6895 §3.1). */
const firstMetaType = 0x80
