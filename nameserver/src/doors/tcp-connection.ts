import type { Socket } from 'node:net'
import { FrameReader, frame } from '@zonewright/dns'
import { addressView } from '../address.ts'
import type { CloseReason } from './tcp-tally.ts'

export interface TcpLimits {
  /** Connections at once; one more closes the one that was silent for longest. */
  readonly connections: number
  /** Connections at once from one IPv4 address or IPv6 /64; one more closes its own that was silent for longest. */
  readonly connectionsPerClient: number
  /** A connection for which there was no answer for so long is closed (RFC 7766 §6.2.3). */
  readonly idleMs: number
  /** The same while three quarters of all connections are taken. */
  readonly crowdedIdleMs: number
  /** Answers a client leaves unread before its next queries have to wait. */
  readonly unreadBytes: number
  /** Pieces that one message may come in: 64 KiB on the smallest usual path are 122. */
  readonly piecesPerMessage: number
  /** Queries of one connection that are answered before the others have their turn. */
  readonly queriesPerTurn: number
  /** How long a client has to take its last answers when the nameserver stops. */
  readonly stopMs: number
}

/** Answers one query that came over TCP. `client` is the address of 4 or 16 bytes that it came from. */
export type TcpAnswer = (query: Uint8Array, transport: 'tcp', client: DataView) => Uint8Array | undefined

export interface TcpEvents {
  /** Answers were written: the client is alive. */
  readonly answered: () => void
  /** It is gone; may be called twice. */
  readonly closed: () => void
}

/**
 * One client's connection: queries in, answers out in the same order.
 *
 * It holds little whatever the client does. Queries wait while the client leaves its answers unread, and while they
 * wait nothing more is read; a message that comes in too many pieces ends the connection.
 */
export class TcpConnection {
  /** What the address is limited by: all of an IPv4 address, the first 64 bits of an IPv6 address. */
  readonly clientKey: string
  /** Why it was closed from here; `client` as long as it was not. */
  reason: CloseReason = 'client'
  readonly #socket: Socket
  readonly #client: DataView
  readonly #answer: TcpAnswer
  readonly #limits: TcpLimits
  readonly #events: TcpEvents
  readonly #reader = new FrameReader()
  #pieces = 0
  /** Queries that came and are not answered yet, from `#next` on. */
  #queries: Uint8Array[] = []
  #next = 0
  #isBusy = false
  /** No more queries: the client has said so, or we stop. */
  #isLast = false

  constructor(socket: Socket, remoteAddress: string, answer: TcpAnswer, limits: TcpLimits, events: TcpEvents) {
    this.#socket = socket
    this.#client = addressView(remoteAddress)
    this.clientKey = Buffer.from(this.#client.buffer, 0, Math.min(this.#client.byteLength, 8)).toString('hex')
    this.#answer = answer
    this.#limits = limits
    this.#events = events
    socket.on('data', (chunk: Buffer) => this.#read(chunk))
    socket.on('end', () => this.finish())
    socket.on('error', () => socket.destroy())
    socket.on('close', () => events.closed())
  }

  /** Whether the client has answers to read before there can be more. */
  get isUnread(): boolean {
    return this.#socket.writableNeedDrain
  }

  /** Takes no more queries, and closes once those that came are answered. */
  finish(): void {
    this.#isLast = true
    if (!this.#isBusy) this.#socket.end()
  }

  /** Closes at once. Its place is free from now on, although the socket takes a moment to go. */
  close(reason: CloseReason): void {
    this.reason = reason
    this.#socket.destroy()
    this.#events.closed()
  }

  #read(chunk: Buffer): void {
    if (this.#isLast) return
    const queries = this.#reader.feed(chunk)
    this.#pieces = queries.length > 0 ? 0 : this.#pieces + 1
    if (this.#pieces > this.#limits.piecesPerMessage) this.close('slow')
    if (queries.length === 0) return
    // Reading is paused while queries wait, so there are none left from before.
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
    if (this.#isLast) this.#socket.end()
    // When we stop, what still comes is read and thrown away: unread, it would turn our close into a reset.
    this.#socket.resume()
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
