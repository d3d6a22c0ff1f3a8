import { connect, type Socket } from 'node:net'
import type { Message, TsigKey } from '@zonewright/dns'
import { FrameReader, frame } from '@zonewright/dns'
import { type Endpoint, endpointToText } from '../endpoint.ts'
import type { Log } from '../log.ts'
import { reasonOf } from '../startup-fault.ts'
import { Exchanges, type ExchangeTimes } from './exchanges.ts'

/** The connection was lost, or could not be opened. The zone is not the cause: query again when the link is up. */
export class LinkDown extends Error {
  override readonly name = 'LinkDown'
}

/** The connection was lost in the middle of an answer, which may have been the reason. */
export class BrokenOff extends Error {
  override readonly name = 'BrokenOff'
}

export interface LinkTimes extends ExchangeTimes {
  readonly connectMs: number
  /** If a primary closes the connection after being idle for this long, it only saves connections (RFC 7766 §6.2.3). */
  readonly idleMs: number
  /** If a primary sends no response for this long after a NOTIFY, another primary is used, because the NOTIFY may come from that one. */
  readonly notifiedMs: number
  /** The first wait before connecting again; it doubles up to the longest. */
  readonly firstRetryMs: number
  readonly longestRetryMs: number
}

export const usualLinkTimes: LinkTimes = {
  connectMs: 5000,
  idleMs: 5000,
  notifiedMs: 1000,
  silentMs: 10_000,
  turnMs: 60_000,
  longestExchangeMs: 900_000,
  firstRetryMs: 100,
  longestRetryMs: 30_000,
}

export interface LinkEvents {
  /** Queries can be sent. `wasAway`: the primary may have changed zones unnoticed since the link was last up. */
  up(wasAway: boolean): void
  down(): void
  /** Every primary has been tried without success since one last responded. */
  away?(): void
}

const closedByPeer = 'closed by the primary'
/** After failed exchanges have used up this many ids, a new connection is opened, on which all ids are free again. */
const mostAbandoned = 1000

/**
 * The one persistent connection to the primary: TCP, every query signed, many in progress at once. It connects automatically
 * whenever it is lost. With several primaries, which share one database, it uses the next one whenever one is unavailable.
 */
export class PrimaryLink {
  readonly #endpoints: readonly [Endpoint, ...Endpoint[]]
  readonly #log: Log
  readonly #times: LinkTimes
  readonly #exchanges: Exchanges
  #events: LinkEvents | undefined
  #socket: Socket | undefined
  #isUp = false
  #isClosed = false
  #wasAway = true
  #isAwayLogged = false
  /** The index of the primary of the current or next connection. */
  #turn = 0
  /** Attempts to connect since a primary last sent a message. */
  #attempts = 0
  #retry: NodeJS.Timeout | undefined
  #watch: NodeJS.Timeout | undefined
  #doubt: NodeJS.Timeout | undefined
  /** When another primary was last chosen because of a NOTIFY, because the connected one was silent. */
  #leftAtMs = Number.NEGATIVE_INFINITY
  #activeAtMs = 0
  /** Segments received so far. */
  #heard = 0

  constructor(endpoints: readonly [Endpoint, ...Endpoint[]], key: TsigKey, log: Log, times = usualLinkTimes) {
    this.#endpoints = endpoints
    this.#log = log
    this.#times = times
    this.#exchanges = new Exchanges(key, times)
  }

  /**
   * Sends one query. `read` gets each message of the response, with a verified signature, until it returns a value.
   *
   * Rejects with LinkDown, BrokenOff, TsigFault, or whatever `read` throws.
   */
  exchange<T>(ask: (id: number) => Message, read: (answer: Message) => T | undefined): Promise<T> {
    const socket = this.#socket
    if (!socket || !this.#isUp) return Promise.reject(new LinkDown('the primary is not connected'))
    if (this.#exchanges.size === 0) this.#activeAtMs = performance.now()
    return this.#exchanges.begin(ask, read, (wire) => send(socket, wire))
  }

  open(events: LinkEvents): void {
    this.#events = events
    this.#connect()
  }

  /**
   * A signed NOTIFY arrived, so a primary is available: a wait before the next attempt ends now. If the connected primary leaves queries
   * unanswered from now on, another one is tried. A frozen process keeps its connections, and would be noticed much later.
   */
  nudge(): void {
    if (this.#retry) this.#connect()
    else if (this.#endpoints.length > 1 && this.#isUp && !this.#doubt) {
      const heard = this.#heard
      this.#doubt = setTimeout(() => this.#leaveIfSilent(heard), this.#times.notifiedMs).unref()
    }
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#retry)
    this.#socket?.destroy()
    this.#lost('the nameserver is stopping')
  }

  #endpointAt(turn: number): Endpoint {
    return this.#endpoints[turn % this.#endpoints.length] ?? this.#endpoints[0]
  }

  #connect(): void {
    clearTimeout(this.#retry)
    this.#retry = undefined
    const socket = connect({ ...this.#endpointAt(this.#turn), noDelay: true, keepAlive: true })
    this.#socket = socket
    const reader = new FrameReader()
    let reason = closedByPeer
    socket.setTimeout(this.#times.connectMs, () => socket.destroy(new Error('no answer to the connection attempt')))
    socket.on('connect', () => {
      socket.setTimeout(0)
      this.#connected()
    })
    socket.on('data', (chunk) => this.#received(socket, reader.feed(chunk as Buffer)))
    socket.on('error', (error) => {
      reason = reasonOf(error)
    })
    socket.on('close', () => {
      if (this.#isClosed) return
      this.#lost(reason)
      this.#retryLater()
    })
  }

  #connected(): void {
    this.#isUp = true
    this.#activeAtMs = performance.now()
    this.#watch = setInterval(() => this.#dropSilent(), Math.min(1000, this.#times.silentMs / 2)).unref()
    if (this.#wasAway) this.#log.info('primary connected', { primary: endpointToText(this.#endpointAt(this.#turn)) })
    const wasAway = this.#wasAway
    this.#wasAway = false
    this.#isAwayLogged = false
    this.#events?.up(wasAway)
  }

  #received(socket: Socket, messages: readonly Uint8Array[]): void {
    this.#activeAtMs = performance.now()
    this.#heard++
    for (const wire of messages) {
      if (this.#exchanges.receive(wire)) this.#attempts = 0
      else socket.destroy(new Error('the primary answered a query that was not sent'))
    }
  }

  #lost(reason: string): void {
    const wasIdle = this.#exchanges.size === 0 && performance.now() - this.#activeAtMs >= this.#times.idleMs
    if (!this.#isUp || !wasIdle || reason !== closedByPeer) this.#wentAway(reason)
    const wasUp = this.#isUp
    this.#isUp = false
    this.#socket = undefined
    clearInterval(this.#watch)
    clearTimeout(this.#doubt)
    this.#doubt = undefined
    // Called before the exchanges fail, so that no query is repeated before the link is up.
    if (wasUp) this.#events?.down()
    this.#exchanges.failAll((hasBegun) => (hasBegun ? new BrokenOff(reason) : new LinkDown(reason)))
  }

  #wentAway(reason: string): void {
    const primary = endpointToText(this.#endpointAt(this.#turn))
    this.#wasAway = true
    this.#turn = (this.#turn + 1) % this.#endpoints.length
    if (this.#isAwayLogged || this.#isClosed) return
    this.#isAwayLogged = true
    this.#log.warn('primary is away', { primary, reason })
  }

  #retryLater(): void {
    const { firstRetryMs, longestRetryMs } = this.#times
    const rounds = Math.floor(this.#attempts / this.#endpoints.length)
    const waitMs = Math.min(firstRetryMs * 2 ** rounds, longestRetryMs)
    this.#attempts = Math.min(this.#attempts + 1, 20 * this.#endpoints.length)
    if (this.#attempts >= this.#endpoints.length) this.#events?.away?.()
    this.#retry = setTimeout(() => this.#connect(), waitMs).unref()
  }

  /** Leaves the connected primary only for one that accepts a connection, and not again before `silentMs`: both may be slow. */
  #leaveIfSilent(heard: number): void {
    this.#doubt = undefined
    const silent = this.#socket
    const isSilent = () => this.#heard === heard && this.#exchanges.size > 0 && this.#socket === silent
    if (!isSilent() || performance.now() - this.#leftAtMs < this.#times.silentMs) return
    const probe = connect({ ...this.#endpointAt(this.#turn + 1), timeout: this.#times.connectMs }, () => {
      probe.destroy()
      if (!isSilent()) return
      this.#leftAtMs = performance.now()
      silent?.destroy(new Error('the primary is silent, although a NOTIFY came'))
    })
    probe.on('timeout', () => probe.destroy())
    probe.on('error', () => probe.destroy())
  }

  #dropSilent(): void {
    const isSilent = this.#exchanges.size > 0 && performance.now() - this.#activeAtMs > this.#times.silentMs
    this.#exchanges.failOverdue()
    if (isSilent) this.#socket?.destroy(new Error('the primary is silent'))
    if (this.#exchanges.abandonedCount > mostAbandoned) this.#socket?.destroy(new Error('too many exchanges failed'))
  }
}

function send(socket: Socket, wire: Uint8Array): void {
  // Queries of one turn of the event loop are sent in one segment.
  if (socket.writableCorked === 0) {
    socket.cork()
    process.nextTick(() => socket.uncork())
  }
  socket.write(frame(wire))
}
