import type { Socket } from 'node:net'
import { FrameReader, frame } from '@zonewright/dns'
import { addressView } from '../address.ts'
import type { CloseReason } from './tcp-tally.ts'

export interface TcpLimits {
  /** Maximum number of connections; an additional connection closes the one that has been idle longest. */
  readonly connections: number
  /**
   * Maximum number of connections from one IPv4 address or IPv6 /64; an additional connection closes the one from this address that has been idle
   * longest.
   */
  readonly connectionsPerClient: number
  /** A connection without an answer for this time is closed (RFC 7766 §6.2.3). */
  readonly idleMs: number
  /** The same while three quarters of all connections are in use. */
  readonly crowdedIdleMs: number
  /** Bytes of unread answers of a client after which its next queries have to wait. */
  readonly unreadBytes: number
  /** Maximum number of pieces of one message. 64 KiB on a path with the smallest usual MTU are 122 pieces. */
  readonly piecesPerMessage: number
  /** Queries of one connection that are answered before other connections get their turn. */
  readonly queriesPerTurn: number
  /** How long connections stay open when the nameserver stops, because a query may be in transit. */
  readonly lastQueryMs: number
  /** Time for a client to read its last answers when the nameserver stops. */
  readonly stopMs: number
}

/** Answers one query that came over TCP. `client` is the address of 4 or 16 bytes that it came from. */
export type TcpAnswer = (query: Uint8Array, transport: 'tcp', client: DataView) => Uint8Array | undefined

export interface TcpEvents {
  /** Called when answers were written: the client is alive. */
  readonly answered: () => void
  /** Called when the connection is closed. May be called twice. */
  readonly closed: () => void
}

/**
 * One client's connection: queries in, answers out in the same order.
 *
 * Its memory is bounded, whatever the client does. Queries wait while the client leaves its answers unread, and while they
 * wait, nothing more is read. A message that arrives in too many pieces ends the connection.
 */
export class TcpConnection {
  /** What the limit per address applies to: a whole IPv4 address, or the first 64 bits of an IPv6 address. */
  readonly clientKey: string
  /** Why this side closed the connection; `client` until it does. */
  reason: CloseReason = 'client'
  readonly #socket: Socket
  readonly #client: DataView
  readonly #answer: TcpAnswer
  readonly #limits: TcpLimits
  readonly #events: TcpEvents
  readonly #reader = new FrameReader()
  #pieces = 0
  /** Queries that have arrived. Those from `#next` on are not answered yet. */
  #queries: Uint8Array[] = []
  #next = 0
  #isBusy = false
  /** The client has ended its side, or the nameserver stops: the next answers are the last ones. */
  #isLast = false
  #isEnded = false

  constructor(socket: Socket, remoteAddress: string, answer: TcpAnswer, limits: TcpLimits, events: TcpEvents) {
    this.#socket = socket
    this.#client = addressView(remoteAddress)
    this.clientKey = Buffer.from(this.#client.buffer, 0, Math.min(this.#client.byteLength, 8)).toString('hex')
    this.#answer = answer
    this.#limits = limits
    this.#events = events
    socket.on('data', (chunk: Buffer) => this.#read(chunk))
    socket.on('end', () => this.endIfIdle())
    socket.on('error', () => socket.destroy())
    socket.on('close', () => events.closed())
  }

  /** Whether the client has answers to read before there can be more. */
  get isUnread(): boolean {
    return this.#socket.writableNeedDrain
  }

  /** Closes after the next responses, because a query may be in transit. */
  finish(): void {
    this.#isLast = true
  }

  /** Closes once the pending queries are answered. */
  endIfIdle(): void {
    this.#isLast = true
    if (!this.#isBusy) this.#end()
  }

  /** Closes immediately. Its place is free from now on, although the socket takes a moment to close. */
  close(reason: CloseReason): void {
    this.reason = reason
    this.#socket.destroy()
    this.#events.closed()
  }

  #read(chunk: Buffer): void {
    if (this.#isEnded) return
    const queries = this.#reader.feed(chunk)
    this.#pieces = queries.length > 0 ? 0 : this.#pieces + 1
    if (this.#pieces > this.#limits.piecesPerMessage) this.close('slow')
    if (queries.length === 0) return
    // Reading is paused while queries wait, so no earlier queries are left.
    this.#queries = queries
    this.#next = 0
    this.#work()
  }

  #work(): void {
    if (this.#socket.destroyed) return
    this.#isBusy = true
    this.#answerSome()
    if (this.#next < this.#queries.length) {
      this.#socket.pause()
      if (this.isUnread) this.#socket.once('drain', () => this.#work())
      else setImmediate(() => this.#work())
      return
    }
    this.#queries = []
    this.#isBusy = false
    if (this.#isLast) this.#end()
    // After the end, further data is read and discarded. Unread data would turn our close into a reset.
    this.#socket.resume()
  }

  #end(): void {
    this.#isEnded = true
    this.#socket.end()
  }

  #answerSome(): void {
    const end = Math.min(this.#next + this.#limits.queriesPerTurn, this.#queries.length)
    let isAnswered = false
    this.#socket.cork()
    while (this.#next < end && !this.isUnread) {
      const query = this.#queries[this.#next++]
      const response = query && this.#answer(query, 'tcp', this.#client)
      if (!response) continue
      this.#socket.write(frame(response))
      isAnswered = true
    }
    this.#socket.uncork()
    if (isAnswered) this.#events.answered()
  }
}
